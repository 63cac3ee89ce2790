/* Separates the valid samples of a group's rows from gaps and spikes, and hands each judged row to the
 * bridging of gaps. The components of a vector are judged together: where one component is missing, all are,
 * and a spike is a spike of all. The first sample of several rows with the same time is judged for all:
 * copies of a row would show nothing of the noise, and no curve goes through different values at one time.
 * See history.h. */
#include "series/clean/history.h"

static bool keep_samples(struct history *history, struct track *track, size_t first, struct error *e)
{
    const struct spike_kind kind = unit_spike_kind(track->unit);
    struct spike_track *samples = &track->judging.samples;
    if (!spike_track_reserve(samples, &kind, history->n - first, e))
        return false;
    for (size_t row = first; row < history->n; row++) {
        double number[4], target[4];
        const struct kept_row *kept = history_row(history, row);
        const size_t place = spike_place(row, kept->run);
        if (!history_numbers(history, track->unit, row, number) ||
            spike_track_at(samples, samples->series.n, place, kept->second))
            continue;
        unit_target(track->unit, number, target);
        spike_track_add(samples, &kind, place, kept->second, number, target);
    }
    spike_track_measure(samples);
    return true;
}

bool judge_keep_samples(struct history *history, size_t first, struct error *e)
{
    for (size_t i = 0; i < history->ntrack; i++)
        if (!keep_samples(history, &history->track[i], first, e))
            return false;
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

/* Is row `row` in the run of the row before, and is no gap of the track waiting to be filled? */
static bool goes_on(const struct history *history, const struct track *track, size_t row)
{
    bool on = row == 0 || history_row(history, row - 1)->run == history_row(history, row)->run;
    return on && !track->ended && track->final == row;
}

/* Takes the next rows of a track before row `end`, as long as each has a valid sample that is cheaply ruled
 * out as a spike. Returns the number of rows. */
static size_t pass_valid(const struct clean *clean, struct history *history, struct track *track, size_t end)
{
    struct judging *judging = &track->judging;
    size_t row = judging->row, n;
    if (!goes_on(history, track, row))
        return 0;
    if (clean->nwindow > 0)
        n = spike_track_pass(&judging->samples, &clean->despike,
                             spike_place(row, history_row(history, row)->run), end - row);
    else
        n = count_known(history, track->unit, row, end);
    if (n == 0)
        return 0;
    judging->spike = false;
    bridge_take_valid(history, track, row, n);
    return n;
}

/* Sets judging->spike: is the sample of the next row, which has a sample, a spike? end: as in judge_rows.
 * False: the verdict needs more rows. */
static bool judge_sample(const struct clean *clean, const struct history *history, struct judging *judging,
                         size_t end)
{
    const struct kept_row *kept = history_row(history, judging->row);
    const bool over = judging->row < history->run_first || end == history->n;
    const size_t known = over ? SIZE_MAX : spike_place(end, kept->run);
    struct spike_track *samples = &judging->samples;
    return spike_track_at(samples, samples->next, spike_place(judging->row, kept->run), kept->second) ||
           spike_track_judge(samples, &clean->despike, known, &judging->spike);
}

/* Judges the next row of a track. False: the verdict needs more rows. */
static bool judge_row(struct clean *clean, struct history *history, struct track *track, size_t end)
{
    const struct unit *unit = track->unit;
    const size_t row = track->judging.row;
    double number[4];
    bool known = history_numbers(history, unit, row, number);
    bool judged = known && clean->nwindow > 0;
    if (judged && !judge_sample(clean, history, &track->judging, end))
        return false;
    bool spike = judged && track->judging.spike;
    if (spike) {
        for (size_t k = 0; k < unit->n; k++)
            clean->count[unit->channel[k]].unbridged++;
        track->spike_end = row + 1;
    }
    bridge_take(clean, history, track, row, known && !spike);
    return true;
}

void judge_rows(struct clean *clean, struct history *history, struct track *track, size_t end)
{
    struct judging *judging = &track->judging;
    while (judging->row < end) {
        size_t n = pass_valid(clean, history, track, end);
        if (n == 0 && !judge_row(clean, history, track, end))
            return;
        judging->row += n > 0 ? n : 1;
    }
}
