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

/* --- spikes that nothing bridges --- */

/* Leaves a spike as it is: a series begins or, if `last`, ends with the spike. */
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

/* Decides the missing values and spikes in rows [from, end), of one run, that are not filled: spikes that the
 * run begins with are kept, others are a gap. */
static void leave(struct clean *clean, const struct history *history, struct track *track, size_t from,
                  size_t end)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    for (size_t row = from; row < end; row++) {
        double number[4];
        bool spike = history_numbers(history, track->unit, row, number);
        if (spike && row == track->opening) {
            track->opening = row + 1;
            keep_spike(clean, history, track->unit, row, false);
        } else if (spike) {
            history_set_goals(history, track->unit, row, gap);
        }
    }
}

/* Ends a run before row `end`: the spikes that the run ends with are kept. */
static void end_run(struct clean *clean, const struct history *history, struct track *track, size_t end)
{
    double number[4];
    size_t closing = end; /* the first of these spikes */
    while (closing > track->final && history_numbers(history, track->unit, closing - 1, number))
        closing--;
    leave(clean, history, track, track->final, closing);
    for (size_t row = closing; row < end; row++)
        keep_spike(clean, history, track->unit, row, true);
    track->final = end;
    track->opening = end;
    track->has_sample = false;
    track->gap.open = false;
}

/* Takes a row without a valid sample. The row waits as long as the gap may be filled, or a spike in the gap
 * bridged. */
static void add_missing(struct clean *clean, const struct history *history, struct track *track, size_t row)
{
    bool spike = track->spike_end > track->final && row + 1 - track->spike_end < clean->nwindow;
    gap_add(&track->gap, 1, track->has_sample ? &history_row(history, track->last)->time : NULL);
    if (track->has_sample && (spike || !(track->unfilled || stays_gap(clean, history, track, row))))
        return;
    leave(clean, history, track, track->final, row + 1);
    track->final = row + 1;
    track->unfilled = true;
    if (track->has_sample && row - track->last > clean->nwindow)
        track->has_sample = false;
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

/* Fills the gap before track->end. In a gap that stays a gap only the spikes (rows that have values) are
 * filled, where both ends of the gap are within the despike window. next: as in make_curve. */
static void bridge(struct clean *clean, struct history *history, struct track *track, size_t next)
{
    const struct unit *unit = track->unit;
    const size_t a = track->last, b = track->end, window = clean->nwindow;
    const struct gap_curve curve = make_curve(clean, history, track, next);
    double first[4], printed[4];
    history_numbers(history, unit, a, first);
    memcpy(printed, first, sizeof printed);
    track->unfilled |= stays_gap(clean, history, track, b);
    for (size_t row = track->final; row < b; row++) {
        double number[4], near[4], sample[4];
        bool spike = history_numbers(history, unit, row, number);
        if (track->unfilled && !(spike && row - a <= window && b - row <= window)) {
            leave(clean, history, track, row, row + 1);
            continue;
        }
        bool still = gap_curve_at(&curve, seconds(clean, history, a, row), sample);
        memcpy(near, still ? first : printed, sizeof near);
        unit_print(unit, near, sample, still, printed);
        history_set_goals(history, unit, row, printed);
        count_filled(clean, unit, number, spike);
    }
    track->ended = false;
    add_sample(history, track, b);
}

/* --- judged rows --- */

void bridge_take(struct clean *clean, struct history *history, struct track *track, size_t row, bool valid)
{
    const struct kept_row *now = history_row(history, row);
    bool begins = row > 0 && history_row(history, row - 1)->run != now->run;
    if (track->ended) {
        bool later = now->instant > history_row(history, track->end)->instant;
        bridge(clean, history, track, valid && !begins && later ? row : 0);
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
            bridge(clean, history, track, 0);
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
        bridge(clean, history, track, 0);
    end_run(clean, history, track, track->judging.row);
}
