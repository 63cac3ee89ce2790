/* Tells the valid samples of a group's rows from gaps and spikes, and hands each judged row to the bridging
 * of gaps. The components of a vector are judged together: where one component is missing, all are, and a
 * spike is a spike of all. Of several rows at one time the first sample is judged, and the verdict holds for
 * all: copies of a row would tell nothing of the noise, and no curve goes through different values at one
 * time. See history.h. */
#include "series/clean/history.h"

#include "series/vectors.h"

/* What the samples of a unit are, for the rule of spikes. */
static struct spike_kind find_kind(const struct unit *unit)
{
    struct spike_kind kind = { .nnumber = unit->nchannel, .period = unit->period };
    kind.rotation = unit->rotation != NULL;
    if (unit->rotation && unit->nchannel == 3)
        kind.turn = 0.5 / rotations_unit(unit->rotation);
    return kind;
}

void judge_list(struct clean *clean, size_t *track_of)
{
    const struct rotations *all = clean->in.rotations;
    for (size_t i = 0; i < all->nunit; i++)
        track_of[all->unit[i].channel[0]] = i;
    for (size_t i = 0; i < all->nunit; i++) {
        const size_t channel = all->unit[i].channel[0];
        const struct vector *vector = rotations_vector(all, channel);
        struct judged_tracks *judged = &clean->judged[clean->njudged];
        if (!vector) {
            *judged = (struct judged_tracks){ .unit = all->unit[i], .ntrack = 1, .track = { i } };
            clean->njudged++;
        } else if (vector->unit.channel[0] == channel) {
            *judged = (struct judged_tracks){ .unit = vector->unit, .ntrack = vector->unit.nchannel };
            for (size_t k = 0; k < judged->ntrack; k++)
                judged->track[k] = track_of[vector->unit.channel[k]];
            clean->njudged++;
        }
    }
    for (size_t i = 0; i < clean->njudged; i++)
        clean->judged[i].kind = find_kind(&clean->judged[i].unit);
}

bool judge_keep_samples(const struct clean *clean, struct history *history, size_t first, struct error *e)
{
    for (size_t i = 0; i < clean->njudged; i++) {
        const struct unit *unit = &clean->judged[i].unit;
        const struct spike_kind *kind = &clean->judged[i].kind;
        struct spike_track *samples = &history->judging[i].samples;
        if (!spike_track_reserve(samples, kind, history->n - first, e))
            return false;
        for (size_t row = first; row < history->n; row++) {
            double number[4], target[4];
            const struct kept_row *kept = history_row(history, row);
            const size_t place = spike_place(row, kept->run);
            if (!history_numbers(history, unit, row, number) ||
                spike_track_at(samples, samples->series.n, place, kept->second))
                continue;
            if (unit->rotation)
                rotations_target(unit->rotation, number, target);
            spike_track_add(samples, kind, place, kept->second, number, target);
        }
        spike_track_measure(samples);
    }
    return true;
}

/* The number of consecutive rows before row `end`, the first at `row`, that have valid samples in one run. */
static size_t count_known(const struct history *history, const struct unit *unit, size_t row, size_t end)
{
    size_t run = history_row(history, row)->run, n = 0;
    double number[4];
    while (row + n < end && history_row(history, row + n)->run == run &&
           history_numbers(history, unit, row + n, number))
        n++;
    return n;
}

/* Is row `row` in the run of the row before, and is no gap of the tracks waiting to be filled? */
static bool goes_on(const struct history *history, const struct judged_tracks *judged, size_t row)
{
    bool on = row == 0 || history_row(history, row - 1)->run == history_row(history, row)->run;
    for (size_t i = 0; i < judged->ntrack; i++) {
        const struct track *track = &history->track[judged->track[i]];
        on &= !track->ended && track->final == row;
    }
    return on;
}

/* Takes the next rows of the tracks clean->judged[i] before row `end`, as long as each has a valid sample
 * that at little cost is seen to be no spike. Returns the number of rows. */
static size_t pass_valid(const struct clean *clean, struct history *history, size_t i, size_t end)
{
    const struct judged_tracks *judged = &clean->judged[i];
    struct judging *judging = &history->judging[i];
    size_t row = judging->row, n;
    if (!goes_on(history, judged, row))
        return 0;
    if (clean->nwindow > 0)
        n = spike_track_pass(&judging->samples, &clean->despike,
                             spike_place(row, history_row(history, row)->run), end - row);
    else
        n = count_known(history, &judged->unit, row, end);
    if (n > 0)
        judging->spike = false;
    for (size_t k = 0; k < judged->ntrack && n > 0; k++)
        bridge_take_valid(history, &history->track[judged->track[k]], row, n);
    return n;
}

/* Is the sample of the next row, which has a sample, a spike? */
static bool is_spike(const struct clean *clean, const struct history *history, struct judging *judging)
{
    const struct kept_row *kept = history_row(history, judging->row);
    struct spike_track *samples = &judging->samples;
    if (!spike_track_at(samples, samples->next, spike_place(judging->row, kept->run), kept->second))
        judging->spike = spike_track_judge(samples, &clean->despike);
    return judging->spike;
}

/* Judges the next row of the tracks clean->judged[i]. */
static void judge_row(struct clean *clean, struct history *history, size_t i)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    const struct judged_tracks *judged = &clean->judged[i];
    struct judging *judging = &history->judging[i];
    const size_t row = judging->row;
    double number[4];
    bool known = history_numbers(history, &judged->unit, row, number);
    bool spike = known && clean->nwindow > 0 && is_spike(clean, history, judging);
    if (spike) {
        history_set_goals(history, &judged->unit, row, gap);
        for (size_t k = 0; k < judged->unit.nchannel; k++)
            clean->count[judged->unit.channel[k]].unbridged++;
    }
    for (size_t k = 0; k < judged->ntrack; k++) {
        struct track *track = &history->track[judged->track[k]];
        if (spike)
            track->spike_end = row + 1;
        bridge_take(clean, history, track, row, known && !spike);
    }
}

void judge_rows(struct clean *clean, struct history *history, size_t i, size_t end)
{
    struct judging *judging = &history->judging[i];
    while (judging->row < end) {
        size_t n = pass_valid(clean, history, i, end);
        if (n == 0) {
            judge_row(clean, history, i);
            n = 1;
        }
        judging->row += n;
    }
}
