/* The runs of a number, angle, vector or rotation: which samples are smoothed together. */
#ifndef SPRUNG_WHOLE_SAMPLE_RUNS_H
#define SPRUNG_WHOLE_SAMPLE_RUNS_H

#include "whole/gaps.h"
#include "whole/samples.h"

/* Which gaps end a run. */
struct run_ends {
    struct gap_rule gaps;         /* gaps that end the run of a filter end these runs, too */
    double longest;               /* seconds; a longer gap ends a run */
    const size_t *nread;          /* [samples] rows at the time of a sample; NULL: each sample is a row */
    const struct timestamp *time; /* [samples] NULL: there is no limit in seconds */
};

/* Divides samples into runs, which begin and end with a known one, and returns their number. run: room for
 * n / 2 + 1 runs. */
size_t sample_runs_find(const struct samples *all, const struct run_ends *ends, struct sample_run *run);

#endif
