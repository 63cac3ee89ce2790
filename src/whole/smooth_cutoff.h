/* Which smoothing spline zero phase is for a filter: its penalties, from the filter's equation and the row
 * rate. */
#ifndef SPRUNG_WHOLE_SMOOTH_CUTOFF_H
#define SPRUNG_WHOLE_SMOOTH_CUTOFF_H

#include "springs/filter.h"
#include "whole/run_steps.h"
#include "whole/smooth.h"

/* The least damping ratio of a spring: below, both passes together amplify, and no penalty does that. */
#define SMOOTH_LEAST_RATIO 0.69

/* The spline of a filter. */
struct smoothing {
    struct smooth_penalty penalty;
    bool twice;    /* the curve is smoothed again, by the same penalty */
    double cubic;  /* a2 of the spline with a1 = 0 that has the same cutoff */
    double period; /* seconds of a wave at the cutoff, where the gain is 1/sqrt 2 */
};

/* The spline of a filter with checked settings, which zero phase takes, on rows of a usual step. A cutoff
 * that the settings give is met on the rows, if their steps are not uneven; else the equation counts. */
struct smoothing smoothing_of(const struct filter_common *settings, struct usual_step usual);

/* Seconds of a wave at the cutoff of the spline of a filter. */
double smoothing_period(const struct filter_common *settings);

/* The gain of a spline, once, on rows `step` seconds apart, of a wave whose phase goes on by angle from row
 * to row. */
double smoothing_gain(struct smooth_penalty penalty, double step, double angle);

/* The trace of the smoother over that of its penalty applied once: 1, or less where the curve is smoothed
 * twice. */
double smoothing_trace_part(const struct smoothing *smoothing, double step);

/* Can the filter be run both ways with these checked settings? */
bool smoothing_check(const struct filter *filter, const void *settings, struct error *e);

/* Refuses a cutoff that rows do not show, `rate` rows per second. The error has no hint. */
bool smoothing_check_cutoff(const struct filter_common *settings, double rate, struct error *e);

#endif
