/* The trend of a run: the part that zero phase leaves unchanged whatever the filter. The trend is taken off
 * before filtering and added again afterwards. Of numbers the trend is the straight line from the end value
 * of the run to the other end value; of rotations the trend is a motion between the end values: a steady
 * turn, as much as the run turns in all, combined with the short way between the end values less this turn.
 * End values: end_value.h. */
#ifndef SPRUNG_WHOLE_TREND_H
#define SPRUNG_WHOLE_TREND_H

#include "whole/samples.h"

/* A motion between two rotations: at fraction t, from 0 to 1, the rotation is exp(turns (t - 1/2)) exp(way t)
 * middle. The reversed motion has the same form. */
struct motion {
    double middle[4], way[3], turns[3];
};

struct trend {
    double duration;        /* seconds from the first to the last sample of the run */
    double start, slope;    /* of numbers: the line at the first sample, and its rise per second */
    struct motion motion;   /* of rotations: the trend */
    double curvature[2][3]; /* second derivative of the run less the trend at the first and at the last
                               sample, per second squared (end_curvature): of numbers [0] alone, of rotations
                               the derivative of the rotation vector. Zeroes: trend_input.curved was false */
};

struct trend_input {
    const struct samples *run; /* the run, without missing samples */
    const double *time;        /* [run->n] seconds since the first sample */
    double reach;              /* reach of the fits at both ends in seconds (struct end_run) */
    double noise;              /* variance of the noise of a sample (noise.h); NaN: trend_find finds it */
    bool curved;               /* the curvature at both ends is wanted */
    double *room;              /* [run->n] overwritten */
    double *const *vector;     /* [3][run->n] overwritten; not used for numbers */
};

/* Finds the trend of a run. */
struct trend trend_find(const struct trend_input *input);

/* Sets residual, [run->n * run->width], to the run less its trend: 0 or the identity at both ends, since an
 * end sample less the end value is noise. residual may be the array of the run's numbers. */
void trend_take_off(const struct trend *trend, const struct samples *run, const double *time,
                    double *residual);

/* The line at a time in seconds since the first sample. */
static inline double trend_line(const struct trend *trend, double time)
{
    return trend->start + trend->slope * time;
}

/* Sets x, [run->n * 4], to the filtered residual with the motion added again: of the two signs of a
 * quaternion the sign nearer to the result before, and in the first row nearer to the sample. Where the
 * filter changed nothing, x is the sample to the last bit. */
void trend_add_motion(const struct trend *trend, const struct samples *run, const double *time,
                      const double *filtered, double *x);

#endif
