/* Masks, spikes and gaps, before the first filter. See clean.h.
 *
 * Each channel, rotation or vector of a group goes through the group's rows on its own. A row is judged to be
 * a valid sample, a gap or a spike when the next --despike-window rows are there. A judged row is final
 * unless the row is in a gap that may still be filled. A row of a block is decided when the row is final in
 * all channels. */
#include "series/clean/clean.h"

#include "base/array.h"
#include "series/groups.h"
#include "series/clean/spikes.h"
#include "series/vectors.h"
#include "whole/gap_curve.h"

#include <math.h>
#include <stdlib.h>

/* Tracks that are judged together: of a channel or a rotation one track, of a vector one for each component.
 */
struct judged {
    struct unit unit; /* all channels of the tracks */
    size_t ntrack;
    size_t track[3]; /* [ntrack] indices into history.track */
};

/* How far the cleaning of a channel or rotation is in the rows of a group. */
struct track {
    const struct unit *unit; /* the channel, or the channels of the rotation */
    size_t judged; /* number of rows that are judged; set in the first of the tracks that are judged together
                    */
    size_t final;  /* number of rows whose goals are final; rows from final to judged are a gap and its end */
    size_t valid[3];  /* valid[0], valid[1]: the last valid samples, at different times; valid[2]: the gap's
                         end */
    unsigned nvalid;  /* how many of valid[0] and valid[1] are set */
    bool ended;       /* the gap has ended, and waits for the row after its end */
    bool unfilled;    /* the rows after the last valid sample are not filled */
    size_t spike_end; /* number of the row after the last spike */
    struct spike_samples samples; /* with --despike, in the first of the tracks that are judged together */
};

/* A row of a group. */
struct kept_row {
    struct block *block;   /* where the row lies, until the row is final in all channels */
    size_t row;            /* number of the row in the block */
    struct timestamp time; /* time of the row, in the unit of the input */
    double second;         /* the sum of the steps since the first row of the group, seconds */
    size_t instant;        /* number of different earlier times in the group */
    size_t run;     /* number of cuts up to the row: rows with the same number may be judged together */
    double value[]; /* [nchannel] values; NaN where missing or masked */
};

/* The kept rows of one group: the rows that are not final, and before these the rows by which they are
 * judged. Rows are numbered within the group. */
struct history {
    size_t first, n;         /* rows [first, n) are kept */
    size_t done;             /* number of rows that are final in all channels */
    size_t run_first;        /* number of the first row after the last cut */
    struct cuts_passed cuts; /* up to the last row */
    char *row;               /* [max] struct kept_row of `size` bytes each; owned */
    size_t size, max;
    size_t ntrack;        /* number of channels and rotations */
    struct track track[]; /* [ntrack] */
};

struct clean {
    struct series_rows in;
    struct spike_rule rule;    /* --despike */
    struct clean_count *count; /* [nchannel] */
    struct groups groups;      /* extra: struct history */
    struct judged *judged;     /* [njudged] all tracks; in the allocation of this struct */
    size_t njudged;
};

static struct kept_row *row_at(const struct history *history, size_t row)
{
    return (struct kept_row *)(history->row + (row - history->first) * history->size);
}

/* --- opening --- */

static bool bridges_gaps(const struct series_settings *settings)
{
    return settings->gaps == GAPS_LINEAR || settings->gaps == GAPS_CUBIC;
}

bool clean_wanted(const struct series_settings *settings, const struct despike_settings *despike,
                  const struct columns *columns)
{
    return bridges_gaps(settings) || !isnan(despike->factor) || columns->nmask > 0;
}

bool clean_check(const struct despike_settings *despike, const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!columns_mask_read(masks->text[i], &mask, e))
            return false;
    return despike->window < 0 || !isnan(despike->factor) ||
           error_usage(e, "--despike-window is for --despike, which is not given");
}

static void begin_history(const struct clean *clean, struct history *history)
{
    history->size = sizeof(struct kept_row) + clean->in.columns->nchannel * sizeof(double);
    history->ntrack = clean->in.rotations->nunit;
    for (size_t i = 0; i < history->ntrack; i++)
        history->track[i].unit = &clean->in.rotations->unit[i];
}

static void free_history(void *extra)
{
    struct history *history = extra;
    for (size_t i = 0; i < history->ntrack; i++)
        spike_samples_free(&history->track[i].samples);
    free(history->row);
}

/* Lists the tracks that are judged together. track_of: [nchannel] room for the track of each channel that is
 * no component of a rotation. */
static void list_judged(struct clean *clean, size_t *track_of)
{
    const struct rotations *all = clean->in.rotations;
    for (size_t i = 0; i < all->nunit; i++)
        track_of[all->unit[i].channel[0]] = i;
    for (size_t i = 0; i < all->nunit; i++) {
        const struct vector *vector = rotations_vector(all, all->unit[i].channel[0]);
        struct judged *together = &clean->judged[clean->njudged];
        if (!vector) {
            *together = (struct judged){ .unit = all->unit[i], .ntrack = 1, .track = { i } };
            clean->njudged++;
        } else if (vector->unit.channel[0] == all->unit[i].channel[0]) {
            *together = (struct judged){ .unit = vector->unit, .ntrack = vector->unit.nchannel };
            for (size_t k = 0; k < together->ntrack; k++)
                together->track[k] = track_of[vector->unit.channel[k]];
            clean->njudged++;
        }
    }
}

struct clean *clean_open(const struct series_rows *in, const struct despike_settings *despike,
                         const struct clean_count **counted, struct error *e)
{
    struct clean *clean;
    struct clean_count *count;
    struct judged *judged;
    size_t *track_of, nchannel = in->columns->nchannel;
    if (!arrays_make(e, ARRAY(clean, 1), ARRAY(count, nchannel), ARRAY(judged, in->rotations->nunit),
                     ARRAY(track_of, nchannel)))
        return NULL;
    clean->judged = judged;
    clean->in = *in;
    clean->rule = (struct spike_rule){ .factor = despike->factor, .rows = despike_rows(despike) };
    *counted = clean->count = count;
    clean->groups.free_extra = free_history;
    clean->groups.forget = isnan(in->settings->forget) ? 0 : in->settings->forget;
    clean->groups.nextra = sizeof(struct history) + in->rotations->nunit * sizeof(struct track);
    list_judged(clean, track_of);
    return clean;
}

void clean_close(struct clean *clean)
{
    if (clean)
        groups_free(&clean->groups);
    free(clean);
}

/* --- the rows that are kept --- */

static double seconds(const struct clean *clean, const struct history *history, size_t from, size_t to)
{
    return timestamp_between(&row_at(history, from)->time, &row_at(history, to)->time,
                             series_unit(&clean->in));
}

/* Makes room for more rows, and drops rows that are no longer needed; the last row is always kept. */
static bool make_room(struct history *history, size_t more, struct error *e)
{
    size_t first = history->done > 0 ? history->done - 1 : 0;
    if (history->n - history->first + more <= history->max)
        return true;
    for (size_t i = 0; i < history->ntrack; i++) {
        const struct track *track = &history->track[i];
        if (track->nvalid && track->valid[0] < first)
            first = track->valid[0];
    }
    if (history->n > first)
        memmove(history->row, row_at(history, first), (history->n - first) * history->size);
    history->first = first;
    return array_reserve(&history->row, (history->n - first + more) * 3 / 2, &history->max, history->size, e);
}

/* Adds row i of a block, whose goals are set. A time that goes backward begins a new run, so that nothing is
 * filled up to this row; the series reports the error. */
static void add_row(const struct clean *clean, struct history *history, struct block *block, size_t i)
{
    struct kept_row *row = row_at(history, history->n);
    const struct kept_row *last = history->n > 0 ? row_at(history, history->n - 1) : NULL;
    *row = (struct kept_row){ .block = block, .row = i };
    row->time = series_time(&clean->in, block, i, history->n);
    if (last && clean->in.columns->form == TIMESTAMP_CLOCK)
        timestamp_pass_midnight(&row->time, &last->time);
    bool cut = series_cut(&clean->in, block, i, &row->time, &history->cuts);
    if (last) {
        double T = timestamp_between(&last->time, &row->time, series_unit(&clean->in));
        cut |= !(T >= 0);
        row->run = last->run + cut;
        row->instant = last->instant + (T > 0);
        row->second = last->second + T;
        history->run_first = cut ? history->n : history->run_first;
    }
    for (size_t k = 0; k < clean->in.columns->nchannel; k++)
        row->value[k] = block_goal(block, k)[i];
    history->n++;
}

/* --- gaps --- */

/* Reads the numbers of a channel or rotation in a row. False: a number is missing. */
static bool numbers_at(const struct history *history, const struct unit *unit, size_t row, double number[4])
{
    bool known = true;
    for (size_t k = 0; k < unit->nchannel; k++) {
        number[k] = row_at(history, row)->value[unit->channel[k]];
        known &= !isnan(number[k]);
    }
    return known;
}

static void set_goals(const struct history *history, const struct unit *unit, size_t row,
                      const double number[4])
{
    const struct kept_row *to = row_at(history, row);
    for (size_t k = 0; k < unit->nchannel; k++)
        block_goal(to->block, unit->channel[k])[to->row] = number[k];
}

/* Is the gap from row a to row b too long to be filled? */
static bool too_long(const struct clean *clean, const struct history *history, size_t a, size_t b,
                     size_t nmissing)
{
    return !bridges_gaps(clean->in.settings) ||
           series_long_gap(&clean->in, nmissing, &row_at(history, a)->time, &row_at(history, b)->time);
}

/* Adds a valid sample. Of several samples at one time the first counts; samples before a gap that is not
 * filled do not count. */
static void add_sample(const struct history *history, struct track *track, size_t row)
{
    track->final = row + 1;
    track->nvalid = track->unfilled ? 0 : track->nvalid;
    track->unfilled = false;
    if (track->nvalid &&
        row_at(history, row)->instant == row_at(history, track->valid[track->nvalid - 1])->instant)
        return;
    track->valid[0] = track->nvalid ? track->valid[track->nvalid - 1] : row;
    track->valid[1] = row;
    track->nvalid += track->nvalid < 2;
}

/* The curve over the gap before valid[2]. next: the row of the first sample after valid[2]; 0: not known. */
static struct gap_curve make_curve(const struct clean *clean, const struct history *history,
                                   const struct track *track, size_t next)
{
    size_t row[] = { track->valid[0], track->valid[track->nvalid - 1], track->valid[2],
                     next ? next : track->valid[2] };
    double x[4], sample[4][4] = { { 0 } }, time[4];
    for (size_t i = 0; i < 4; i++) {
        numbers_at(history, track->unit, row[i], x);
        rotations_target(track->unit->rotation, x, sample[i]);
        time[i] = seconds(clean, history, row[1], row[i]);
    }
    bool bent = clean->in.settings->gaps != GAPS_LINEAR && time[2] > 0;
    time[0] = bent && track->nvalid == 2 ? time[0] : (double)NAN;
    time[3] = bent && next ? time[3] : (double)NAN;
    return gap_curve_make(rotations_kind(track->unit), sample, time);
}

/* Fills the gap before valid[2]. In a gap that is too long only the spikes (rows that have values) are
 * filled, where both ends of the gap are within the despike window. next: as in make_curve. */
static void bridge(struct clean *clean, struct history *history, struct track *track, size_t next)
{
    const struct unit *unit = track->unit;
    struct gap_curve curve = make_curve(clean, history, track, next);
    size_t a = track->valid[track->nvalid - 1], b = track->valid[2];
    double first[4], x[4], near[4], sample[4];
    numbers_at(history, unit, a, first);
    memcpy(x, first, sizeof x);
    track->unfilled |= too_long(clean, history, a, b, b - track->final);
    for (size_t row = track->final; row < b; row++) {
        double goal[4];
        bool spike = numbers_at(history, unit, row, goal);
        if (track->unfilled && !(spike && row - a <= clean->rule.rows && b - row <= clean->rule.rows))
            continue;
        memcpy(near, x, sizeof near);
        bool still = gap_curve_at(&curve, seconds(clean, history, a, row), sample);
        rotations_print(unit->rotation, still ? first : near, sample, still, x);
        set_goals(history, unit, row, x);
        for (size_t k = 0; k < unit->nchannel; k++) {
            clean->count[unit->channel[k]].spikes += spike;
            clean->count[unit->channel[k]].unbridged -= spike;
            clean->count[unit->channel[k]].filled += isnan(goal[k]) != 0;
        }
    }
    track->ended = false;
    add_sample(history, track, b);
}

/* Takes a row without a valid sample. The row waits as long as the gap may be filled, or a spike in the gap
 * bridged. */
static void add_missing(const struct clean *clean, const struct history *history, struct track *track,
                        size_t row)
{
    size_t last = track->nvalid ? track->valid[track->nvalid - 1] : 0;
    bool spike = track->spike_end > track->final && row + 1 - track->spike_end < clean->rule.rows;
    if (track->nvalid &&
        (spike || !(track->unfilled || too_long(clean, history, last, row, row + 1 - track->final))))
        return;
    track->final = row + 1;
    track->unfilled = true;
    track->nvalid = row - last > clean->rule.rows ? 0 : track->nvalid;
}

/* Takes a row that has been judged. */
static void take_judged(struct clean *clean, struct history *history, struct track *track, size_t row,
                        bool valid)
{
    const struct kept_row *now = row_at(history, row);
    bool begins = row > 0 && row_at(history, row - 1)->run != now->run;
    if (track->ended)
        bridge(clean, history, track,
               valid && !begins && now->instant > row_at(history, track->valid[2])->instant ? row : 0);
    if (begins) {
        track->final = row;
        track->nvalid = 0;
    }
    if (!valid) {
        add_missing(clean, history, track, row);
    } else if (track->final == row) {
        add_sample(history, track, row);
    } else {
        track->valid[2] = row;
        track->ended = true;
        if (clean->in.settings->gaps == GAPS_LINEAR)
            bridge(clean, history, track, 0);
    }
}

/* Takes n > 0 consecutive rows of one run, each with a valid sample. No gap is waiting to be filled. */
static void take_valid(const struct history *history, struct track *track, size_t row, size_t n)
{
    size_t ninstant = row_at(history, row + n - 1)->instant - row_at(history, row)->instant + 1;
    /* Where all times differ, only the last two samples are remembered. */
    size_t skipped = ninstant == n && n > 2 ? n - 2 : 0;
    for (size_t k = skipped; k < n; k++)
        add_sample(history, track, row + k);
}

/* --- spikes --- */

/* Keeps the samples of the rows from `first` on. */
static bool keep_samples(const struct clean *clean, struct history *history, size_t first, struct error *e)
{
    for (size_t i = 0; i < clean->njudged; i++) {
        const struct unit *unit = &clean->judged[i].unit;
        struct spike_samples *samples = &history->track[clean->judged[i].track[0]].samples;
        if (!spike_samples_reserve(samples, unit, history->n - first, e))
            return false;
        for (size_t row = first; row < history->n; row++) {
            double number[4];
            const struct kept_row *kept = row_at(history, row);
            if (numbers_at(history, unit, row, number))
                spike_samples_add(samples, unit, spike_position(row, kept->run), kept->second, number);
        }
        spike_samples_measure(samples, unit);
    }
    return true;
}

/* The number of consecutive rows before row `end`, the first at the next row, that have valid samples in one
 * run. */
static size_t count_known(const struct history *history, const struct judged *together, size_t end)
{
    size_t row = history->track[together->track[0]].judged, run = row_at(history, row)->run, n = 0;
    double number[4];
    while (row + n < end && row_at(history, row + n)->run == run &&
           numbers_at(history, &together->unit, row + n, number))
        n++;
    return n;
}

/* Is the next row in the run of the row before, and is no gap waiting to be filled? */
static bool goes_on(const struct history *history, const struct judged *together)
{
    size_t row = history->track[together->track[0]].judged;
    bool on = row == 0 || row_at(history, row - 1)->run == row_at(history, row)->run;
    for (size_t i = 0; i < together->ntrack; i++) {
        const struct track *track = &history->track[together->track[i]];
        on &= !track->ended && track->final == row;
    }
    return on;
}

/* Takes the next rows before row `end` as long as they need no more than a look: each has a valid sample that
 * at little cost is seen to be no spike. Returns the number of rows. */
static size_t pass_valid(const struct clean *clean, struct history *history, const struct judged *together,
                         size_t end)
{
    struct track *first = &history->track[together->track[0]];
    size_t row = first->judged, position = spike_position(row, row_at(history, row)->run), n;
    if (!goes_on(history, together))
        return 0;
    if (clean->rule.rows > 0)
        n = spike_samples_pass(&first->samples, &clean->rule, position, end - row);
    else
        n = count_known(history, together, end);
    for (size_t i = 0; i < together->ntrack && n > 0; i++)
        take_valid(history, &history->track[together->track[i]], row, n);
    return n;
}

/* Judges the next row of a channel, rotation or vector. */
static void judge_row(struct clean *clean, struct history *history, const struct judged *together)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    const struct unit *unit = &together->unit;
    struct track *first = &history->track[together->track[0]];
    size_t row = first->judged;
    double number[4];
    bool valid = numbers_at(history, unit, row, number);
    bool spike = valid && clean->rule.rows > 0 && spike_samples_judge(&first->samples, unit, &clean->rule);
    if (spike) {
        set_goals(history, unit, row, gap);
        for (size_t k = 0; k < unit->nchannel; k++)
            clean->count[unit->channel[k]].unbridged++;
    }
    for (size_t i = 0; i < together->ntrack; i++) {
        struct track *track = &history->track[together->track[i]];
        track->spike_end = spike ? row + 1 : track->spike_end;
        take_judged(clean, history, track, row, valid && !spike);
    }
}

/* Judges the rows before row `end` in a channel, rotation or vector. last: no more rows come. */
static void judge(struct clean *clean, struct history *history, const struct judged *together, size_t end,
                  bool last)
{
    struct track *first = &history->track[together->track[0]];
    while (first->judged < end) {
        size_t n = pass_valid(clean, history, together, end);
        if (n == 0) {
            judge_row(clean, history, together);
            n = 1;
        }
        first->judged += n;
    }
    for (size_t i = 0; last && i < together->ntrack; i++)
        if (history->track[together->track[i]].ended)
            bridge(clean, history, &history->track[together->track[i]], 0);
}

/* The number of rows whose whole windows are there. */
static size_t count_ready(const struct clean *clean, const struct history *history)
{
    size_t n = history->n > clean->rule.rows ? history->n - clean->rule.rows : 0;
    return n > history->run_first ? n : history->run_first;
}

/* Judges rows of a group in all channels, and counts the rows that are final now. last: no more rows come. */
static void decide(struct clean *clean, struct history *history, bool last)
{
    size_t done = history->n, end = last ? history->n : count_ready(clean, history);
    for (size_t i = 0; i < clean->njudged; i++)
        judge(clean, history, &clean->judged[i], end, last);
    for (size_t i = 0; i < history->ntrack && !last; i++)
        done = history->track[i].final < done ? history->track[i].final : done;
    for (; history->done < done; history->done++)
        row_at(history, history->done)->block->pending--;
}

/* --- blocks --- */

/* Masked values become missing goals. */
static void mask(struct clean *clean, const struct block *block)
{
    const struct columns *columns = clean->in.columns;
    for (size_t i = 0; i < columns->nmask; i++) {
        size_t channel = columns->column[columns->mask[i].column].value;
        const double *value = block_value(block, columns->column[columns->mask[i].teller].value);
        double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow; j++)
            if (columns_masks(&columns->mask[i], value[j])) {
                clean->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
}

/* No more rows of a group come. */
static void end_group(void *state, struct group *group)
{
    decide(state, group->extra, true);
}

struct block *clean_take(void *closure, struct block *block)
{
    struct clean *clean = closure;
    bool good = groups_sort(&clean->groups, &clean->in, block, &block->error);
    block->pending = block->nrow;
    mask(clean, block);
    vectors_complete(clean->in.rotations, block, true);
    for (size_t i = 0; good && i < clean->groups.ntouched; i++) {
        const struct group *group = clean->groups.touched[i];
        struct history *history = group->extra;
        if (history->size == 0)
            begin_history(clean, history);
        good = make_room(history, group->nrow, &block->error);
        size_t first = history->n;
        for (size_t k = 0; good && k < group->nrow; k++)
            add_row(clean, history, block, groups_rows(&clean->groups, group)[k]);
        good = good && (clean->rule.rows == 0 || keep_samples(clean, history, first, &block->error));
        if (good)
            decide(clean, history, false);
    }
    if (!good) {
        block->nrow = 0;
        return block;
    }
    groups_release(&clean->groups, &clean->in, end_group, clean);
    return NULL;
}

struct block *clean_finish(void *closure)
{
    struct clean *clean = closure;
    for (struct group *group = clean->groups.first; group; group = group->after)
        decide(clean, group->extra, true);
    return NULL;
}
