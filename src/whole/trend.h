/* The trend of a run: what zero phase would leave unchanged whatever the filter, taken off before filtering
 * and added again after it. Of numbers the trend is the straight line from the end value of the run to the
 * other end value; of rotations it is a motion between the end values, which turns steadily, as much as the
 * run does in all, about a rotation that goes the short way. End values: end_value.h. */
#ifndef SPRUNG_WHOLE_TREND_H
#define SPRUNG_WHOLE_TREND_H

#include "whole/samples.h"

/* From one rotation to another while a fraction t goes from 0 to 1: exp(turns (t - 1/2)) exp(way t) middle.
 * The reversed motion is of the same form. */
struct motion {
    double middle[4], way[3], turns[3];
};

struct trend {
    double duration;      /* seconds from the first to the last sample of the run */
    double start, slope;  /* of numbers: the line, at the first sample and in a second */
    struct motion motion; /* of rotations */
};

struct trend_input {
    const struct samples *run; /* without missing samples */
    const double *time;        /* [run->n] of the samples, in seconds since the first one */
    double reach;              /* of the fits at the ends, as end_value takes it */
    double *room;              /* [run->n], is overwritten */
    double *const *vector;     /* three arrays [run->n], which are overwritten; numbers need none */
};

/* Finds the trend of a run. */
struct trend trend_find(const struct trend_input *in);

/* Sets rest, [run->n * run->width], to the run less its trend: 0 or the identity at both ends, since what is
 * left of the end samples is noise. rest may be the array of the run's numbers. */
void trend_take_off(const struct trend *trend, const struct samples *run, const double *time, double *rest);

/* The line at a time. */
static inline double trend_line(const struct trend *trend, double time)
{
    return trend->start + trend->slope * time;
}

/* Sets x, [run->n * 4], to the filtered rest with the motion added again: of the two signs of a quaternion
 * the sign nearer to the row before, and in the first row to the sample. Where the filter changed nothing x
 * is the sample, to the last bit. */
void trend_add_motion(const struct trend *trend, const struct samples *run, const double *time,
                      const double *filtered, double *x);

#endif
