/* Runs of samples. See sample_runs.h. */
#include "whole/sample_runs.h"

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

size_t sample_runs_find(const struct samples *all, const struct run_ends *ends, struct sample_run *run)
{
    struct gap_state gaps = { .running = false };
    size_t nrun = 0;
    double since = 0; /* seconds since the last known sample */
    if (all->n > 0 && array_is_finite(all->value, all->n * all->width)) { /* nothing is missing */
        *run = (struct sample_run){ 0, all->n - 1 };
        return 1;
    }
    for (size_t k = 0; k < all->n; k++) {
        const bool known = samples_known(all, k);
        const unsigned flags = known && gaps_are_quiet(&gaps) ? 0 : take_sample(ends, &gaps, k, known);
        since += k > 0 ? all->T[k] : 0;
        if (!known)
            continue;
        if (nrun == 0 || flags & FLAG_START || (flags & FLAG_CUT && since > ends->longest))
            run[nrun++].first = k;
        run[nrun - 1].last = k;
        since = 0;
    }
    return nrun;
}
