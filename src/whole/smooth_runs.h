/* The runs of a number, angle, vector or rotation in a window: which samples are smoothed together, and the
 * smoothing of a run. */
#ifndef SPRUNG_WHOLE_SMOOTH_RUNS_H
#define SPRUNG_WHOLE_SMOOTH_RUNS_H

#include "whole/gaps.h"
#include "whole/smooth_window.h"

/* Which gaps end a run. */
struct run_ends {
    struct gap_rule gaps;         /* gaps that end the run of a filter end these runs, too */
    double longest;               /* seconds; a longer gap ends a run */
    const size_t *nread;          /* [samples] rows that were read at the time of a sample; 0: a point */
    const struct timestamp *time; /* [samples] NULL: there is no limit in seconds */
};

/* Divides samples into runs, and returns their number. nread NULL: every sample is a row. Points before
 * the first sample and behind the last are in no run. run: room for as many runs as samples. */
size_t smooth_runs_find(const struct samples *all, const struct run_ends *ends, struct sample_run *run);

/* A window of the samples of a unit, and what is wanted of it. */
struct smooth_unit {
    const struct smooth_window *window; /* in samples, not in rows */
    struct samples all;                 /* [window->n] */
    bool first;                         /* the series begins with the window */
    double longest;                     /* seconds; a longer gap ends a run */
    bool values_only;                   /* no derivative is wanted */
    struct usual_step *usual; /* usual step of the last part of the unit; smooth_runs_smooth replaces it */
};

/* Is a result of the run wanted? */
static inline bool smooth_runs_wanted(const struct smooth_window *window, struct sample_run run)
{
    return run.last >= window->from && run.first < window->to;
}

/* Smooths a run. The values must stay until the next run. False: out of memory. */
bool smooth_runs_smooth(struct zero_phase *phase, const struct smooth_unit *unit, struct sample_run run,
                        struct error *e);

#endif
