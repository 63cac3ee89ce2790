/* Runs in a window. See smooth_runs.h. */
#include "whole/smooth_runs.h"

#include "base/array.h"

/* Takes a sample into the gaps of the unit. Returns its flags, enum row_flag. */
static unsigned take_sample(const struct run_ends *ends, struct gap_state *gaps, size_t k, bool known)
{
    struct gap_row row = { .missing = !known, .nrow = ends->nread ? ends->nread[k] : 1 };
    if (ends->time) {
        row.before = k > 0 ? &ends->time[k - 1] : NULL;
        row.time = &ends->time[k];
    }
    return gaps_take(gaps, &ends->gaps, &row);
}

/* Sets *run to all samples but the points at both ends, which belong to no run. Returns the number of runs.
 */
static size_t find_only_run(const struct samples *all, struct sample_run *run)
{
    size_t first = 0, end = all->n;
    while (first < end && samples_is_point(all, first))
        first++;
    while (end > first && samples_is_point(all, end - 1))
        end--;
    if (first == end)
        return 0;
    *run = (struct sample_run){ first, end - 1 };
    return 1;
}

size_t smooth_runs_find(const struct samples *all, const struct run_ends *ends, struct sample_run *run)
{
    struct gap_state gaps = { .running = false };
    struct sample_run *last = NULL;
    size_t nrun = 0;
    bool starts = false; /* a run, at the next sample: a window may begin with a point */
    if (array_is_finite(all->value, all->n * all->width)) /* nothing is missing */
        return find_only_run(all, run);
    for (size_t k = 0; k < all->n; k++) {
        bool known = samples_known(all, k);
        unsigned flags = known && gaps_are_quiet(&gaps) ? 0 : take_sample(ends, &gaps, k, known);
        bool too_long = flags & FLAG_CUT && last && samples_between(all, last->last, k) > ends->longest;
        starts = starts || flags & FLAG_START || too_long;
        if (!known || samples_is_point(all, k))
            continue;
        if (starts) {
            last = &run[nrun++];
            last->first = k;
        }
        starts = false;
        last->last = k;
    }
    return nrun;
}

bool smooth_runs_smooth(struct zero_phase *phase, const struct smooth_unit *unit, struct sample_run run,
                        struct error *e)
{
    const struct samples samples = samples_of_run(&unit->all, run);
    struct zero_phase_part part = smooth_window_part(unit->window, &unit->all, run, unit->first,
                                                     unit->longest);
    part.values_only = unit->values_only;
    if (part.begun)
        part.usual = *unit->usual;
    if (!zero_phase_run(phase, &samples, part, e))
        return false;
    *unit->usual = zero_phase_usual(phase);
    return true;
}
