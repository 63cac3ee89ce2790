/* Fills the gaps of a unit: missing values, with the ways of --gaps that bridge, and spikes. See
 * history.h. A gap is filled when its end is known: with a line at the sample after the gap, with a curve one
 * row later, since that row's sample bends the curve. */
#include "series/clean/history.h"

#include "whole/gap_curve.h"

/* Is the gap of a track left as it is, where it lasts at least up to row `row`? */
static bool stays_gap(const struct clean *clean, const struct history *history, const struct track *track,
                      size_t row)
{
    const struct gap_rule rule = series_gaps(&clean->in);
    return !rule.way->bridged || gap_is_long(&track->gap, &rule, &history_row(history, row)->time);
}

/* Adds a valid sample. The first of several samples with the same time counts; samples before a gap that is
 * not filled do not count. */
static void add_sample(const struct history *history, struct track *track, size_t row)
{
    bool follows = track->has_sample && !track->unfilled;
    track->final = row + 1;
    track->unfilled = false;
    track->gap.open = false;
    if (follows && history_row(history, row)->instant == history_row(history, track->last)->instant)
        return;
    track->earlier = follows ? track->last : row;
    track->last = row;
    track->has_sample = true;
}

/* --- the curve --- */

/* Seconds from one kept row to another. */
static double seconds(const struct clean *clean, const struct history *history, size_t from, size_t to)
{
    return timestamp_between(&history_row(history, from)->time, &history_row(history, to)->time,
                             series_unit(&clean->in));
}

/* The curve over the gap from the last sample to track->end. next: the row of the first sample after
 * track->end; 0: not known. */
static struct gap_curve make_curve(const struct clean *clean, const struct history *history,
                                   const struct track *track, size_t next)
{
    const size_t row[] = { track->earlier, track->last, track->end, next ? next : track->end };
    double number[4], sample[4][4] = { { 0 } }, time[4];
    for (size_t i = 0; i < 4; i++) {
        history_numbers(history, track->unit, row[i], number);
        unit_target(track->unit, number, sample[i]);
        time[i] = seconds(clean, history, track->last, row[i]);
    }
    bool bent = !gaps_way(clean->in.settings->gaps)->straight && time[2] > 0;
    time[0] = bent && track->earlier != track->last ? time[0] : (double)NAN;
    time[3] = bent && next ? time[3] : (double)NAN;
    return gap_curve_make(unit_sample_kind(track->unit), sample, time);
}

/* --- the rows of a gap --- */

/* Keeps a spike as it is: a run begins or, if `last`, ends with the spike. */
static void keep_spike(struct clean *clean, const struct history *history, const struct unit *unit,
                       size_t row, bool last)
{
    const struct spot spot = operator_spot(history->rows, row);
    const uint64_t number = spot.block->firstrow + spot.row + 1;
    struct clean_kept *kept = &clean->kept;
    const size_t channel = unit->channel[0];
    for (size_t k = 0; k < unit->n; k++)
        clean->count[unit->channel[k]].kept++;
    if (kept->row == 0 || number < kept->row || (number == kept->row && channel < kept->channel))
        *kept = (struct clean_kept){ number, channel, last, history_row(history, row)->time.t, kept->n };
    kept->n++;
}

/* Counts a row that was filled. number: the row's own numbers, NaN where missing. */
static void count_filled(const struct clean *clean, const struct unit *unit, const double number[4],
                         bool spike)
{
    for (size_t k = 0; k < unit->n; k++) {
        struct clean_count *count = &clean->count[unit->channel[k]];
        count->spikes += spike;
        count->unbridged -= spike;
        count->filled += isnan(number[k]) != 0;
    }
}

/* A curve over a gap, and the numbers of the rows as they are printed. */
struct bridge {
    struct gap_curve curve;
    double first[4];   /* of the sample before the gap */
    double printed[4]; /* of the row before */
};

/* Fills a row of a gap. a: the row of the sample before the gap. */
static void fill(const struct clean *clean, const struct history *history, const struct unit *unit,
                 struct bridge *bridge, size_t a, size_t row)
{
    double near[4], sample[4];
    bool still = gap_curve_at(&bridge->curve, seconds(clean, history, a, row), sample);
    memcpy(near, still ? bridge->first : bridge->printed, sizeof near);
    unit_print(unit, near, sample, still, bridge->printed);
    history_set_goals(history, unit, row, bridge->printed);
}

/* Decides the rows of a gap from the first that is not final up to row `end`. bridge: NULL where the gap has
 * a sample on one side only. */
static void settle(struct clean *clean, const struct history *history, struct track *track,
                   const struct spike_gap *gap, struct bridge *bridge, size_t end)
{
    static const double missing[4] = { NAN, NAN, NAN, NAN };
    for (size_t row = track->final; row < end; row++) {
        double number[4];
        const bool spike = history_numbers(history, track->unit, row, number);
        const enum spike_mark mark = spike ? spike_mark_of(gap, clean->nwindow, row) : SPIKE_NONE;
        if (mark == SPIKE_BRIDGED || (bridge && gap->filled)) {
            fill(clean, history, track->unit, bridge, gap->before, row);
            count_filled(clean, track->unit, number, spike);
        } else if (mark == SPIKE_KEPT) {
            keep_spike(clean, history, track->unit, row, row >= gap->closing);
        } else if (mark == SPIKE_LEFT) {
            history_set_goals(history, track->unit, row, missing);
        }
    }
    track->final = end;
}

/* Ends a run before row `end`. */
static void end_run(struct clean *clean, const struct history *history, struct track *track, size_t end)
{
    double number[4];
    struct spike_gap gap = { SPIKE_NO_ROW, SPIKE_NO_ROW, track->opening, end, false };
    while (gap.closing > track->final && history_numbers(history, track->unit, gap.closing - 1, number))
        gap.closing--;
    settle(clean, history, track, &gap, NULL, end);
    track->opening = end;
    track->has_sample = false;
    track->gap.open = false;
}

/* Takes a row without a valid sample. The row waits as long as the gap may be filled, or a spike in the gap
 * bridged. */
static void add_missing(struct clean *clean, const struct history *history, struct track *track, size_t row)
{
    double number[4];
    bool spike = track->spike_end > track->final && row + 1 - track->spike_end < clean->nwindow;
    bool opens = row == track->opening && history_numbers(history, track->unit, row, number);
    track->opening += opens;
    gap_add(&track->gap, 1, track->has_sample ? &history_row(history, track->last)->time : NULL);
    if (track->has_sample && (spike || !(track->unfilled || stays_gap(clean, history, track, row))))
        return;
    const struct spike_gap gap = { SPIKE_NO_ROW, SPIKE_NO_ROW, track->opening, SPIKE_NO_ROW, false };
    settle(clean, history, track, &gap, NULL, row + 1);
    track->unfilled = true;
    if (track->has_sample && row - track->last > clean->nwindow)
        track->has_sample = false;
}

/* Fills the gap before track->end, or, where it stays a gap, the spikes that can be bridged. next: as in
 * make_curve. */
static void bridge_gap(struct clean *clean, struct history *history, struct track *track, size_t next)
{
    const size_t end = track->end;
    struct bridge bridge = { .curve = make_curve(clean, history, track, next) };
    history_numbers(history, track->unit, track->last, bridge.first);
    memcpy(bridge.printed, bridge.first, sizeof bridge.printed);
    track->unfilled |= stays_gap(clean, history, track, end);
    const struct spike_gap gap = { track->last, end, track->opening, SPIKE_NO_ROW, !track->unfilled };
    settle(clean, history, track, &gap, &bridge, end);
    track->ended = false;
    add_sample(history, track, end);
}

/* --- judged rows --- */

void bridge_take(struct clean *clean, struct history *history, struct track *track, size_t row, bool valid)
{
    const struct kept_row *now = history_row(history, row);
    bool begins = row > 0 && history_row(history, row - 1)->run != now->run;
    if (track->ended) {
        bool later = now->instant > history_row(history, track->end)->instant;
        bridge_gap(clean, history, track, valid && !begins && later ? row : 0);
    }
    if (begins)
        end_run(clean, history, track, row);
    if (!valid) {
        add_missing(clean, history, track, row);
    } else if (track->final == row) {
        add_sample(history, track, row);
    } else {
        track->end = row;
        track->ended = true;
        if (gaps_way(clean->in.settings->gaps)->straight)
            bridge_gap(clean, history, track, 0);
    }
}

void bridge_take_valid(const struct history *history, struct track *track, size_t row, size_t n)
{
    size_t ninstant = history_row(history, row + n - 1)->instant - history_row(history, row)->instant + 1;
    /* Where all times differ, only the last two samples are remembered. */
    size_t skipped = ninstant == n && n > 2 ? n - 2 : 0;
    for (size_t k = skipped; k < n; k++)
        add_sample(history, track, row + k);
}

void bridge_finish(struct clean *clean, struct history *history, struct track *track)
{
    if (track->ended)
        bridge_gap(clean, history, track, 0);
    end_run(clean, history, track, track->judging.row);
}
