/* Zero phase: a run of samples smoothed by the spline of a cutoff (smoother.h), with ends that follow the
 * motion as closely as noise allows (smoother_ends.h).
 *
 * Rotations: the path of a run of rotations is the sum of the rotation vectors from sample to sample. The
 * result is the motion whose path is the spline of its path plus the rotation vectors from the motion to the
 * samples, by two rounds of Gauss and Newton. About a fixed axis it is the result of the angle. Invariant:
 * the result for the reversed run is the reversed result, but for rounding. */
#ifndef SPRUNG_WHOLE_SMOOTHING_H
#define SPRUNG_WHOLE_SMOOTHING_H

#include "whole/samples.h"
#include "whole/smoother_ends.h"

/* A gap of more periods of the cutoff ends a run. A gap of exactly 7 periods is not longer, however times are
 * rounded. */
#define SMOOTHING_LONGEST_GAP 7.000001

/* Are rows missing in a step? usual: the usual step. A step of exactly 1.5 usual steps is not long, however
 * both are rounded. */
static inline bool smoothing_is_long(double T, double usual)
{
    return T > 1.500001 * usual;
}

/* What is wanted of a run. Zeroed: values alone, and no end mended. */
struct smoothing_wish {
    bool rates;        /* velocity and acceleration, too */
    bool begins, ends; /* the run begins with its first sample, ends with its last: these ends are mended */
};

/* The steps of a run. */
struct smoothing_steps {
    double usual; /* seconds: of even steps the step, else the median step */
    bool even;    /* every time lies within 0.13 steps of the line from the first to the last */
};

/* The run that was smoothed last, its result, and room for more. Zero-initialize. */
struct smoothing {
    size_t n, width;              /* of the run: samples; numbers of a result, 3 of a rotation */
    struct smoother_run run;      /* the run as it was smoothed */
    struct smoother_curve curve;  /* [n * width] result: numbers; of rotations the path, and in velocity and
                                     bend  the angular velocity and acceleration in the world frame */
    double *rotation;             /* [4 * n] the result of rotations */
    struct smoothing_steps steps; /* of the run */

    /* Room for `max` samples, in one allocation. */
    size_t max, max_width;
    double *T, *weight; /* [max] as smoothed */
    double *goal;       /* [max * 3] of rotations: the path plus the way to the sample */
    double *path;       /* [max * 3] of rotations */
    double *drift;      /* [max * 3] of rotations: angular velocities */
    double *kept_T;     /* [nkept] steps of the run before, as given */
    double *scratch;    /* [max * (2 + width)] */
    size_t nkept;
    bool full;       /* no sample is missing */
    double gains_a2; /* the gains are those of a full run with the steps at hand and this a2; 0: of another */
    struct smoother_gains gains;
    struct smoother_ends mend[2];
};

/* Smooths a run of numbers, vectors or rotations, whose first and last sample have values. cutoff: in Hz;
 * INFINITY: the spline through the samples. False: out of memory. A result that is too large for a double is
 * not finite. */
bool smoothing_run(struct smoothing *smoothing, const struct samples *run, double cutoff,
                   struct smoothing_wish wish, struct error *e);

/* The sum of the leverages of the run that was smoothed last. */
double smoothing_trace(const struct smoothing *smoothing);

/* Rows per second by n steps, > 0, in any order, which it reorders: the mean of the steps that are not long.
 * NaN: n is 0. */
double smoothing_row_rate(double *step, size_t n);

/* The usual step of n samples, n > 1. room: [n] */
struct smoothing_steps smoothing_find_steps(const double *T, size_t n, double *room);

void smoothing_free(struct smoothing *smoothing);

#endif
