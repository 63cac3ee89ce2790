/* --detect-cuts: the rule that finds jumps in a curve. A jump is a step that differs from the previous and
 * the next step by far more than steps usually differ, and by more than the rounding of the numbers explains.
 * How much steps usually differ is measured by the running median of the lengths of changes of slope.
 * Invariant: the verdict on a sample depends on the samples up to the next sample only. */
#ifndef SPRUNG_WHOLE_JUMPS_H
#define SPRUNG_WHOLE_JUMPS_H

#include <stdbool.h>
#include <stddef.h>

enum { JUMPS_PAST = 63 }; /* most changes of slope that the median is taken over */

/* How finely the numbers of a curve are written, by the numbers so far. */
struct jumps_resolution {
    int decimals;    /* most digits after the point */
    int digits;      /* most significant digits, beyond RESOLUTION_DIGITS */
    bool not_floats; /* a number is no float of 32 bits */
};

/* What is remembered of a curve. A zeroed struct is the start of a curve. */
struct jumps {
    struct jumps_resolution resolution;
    double past[JUMPS_PAST]; /* [n] lengths of the last changes of slope; past[oldest] is overwritten next */
    double sorted[JUMPS_PAST]; /* [n] the same lengths, ascending */
    size_t n, oldest;
    double bend[3];   /* change of slope at the previous sample, if bend_known */
    bool bend_known;  /* the change of slope at the previous sample could be computed */
    bool spike_shape; /* the changes of slope around the previous sample have the shape of a spike */
    bool spike;       /* the previous sample is a spike: spike_shape, and there is a jump before the sample */
    bool may_jump;    /* there may be a jump after the previous sample; the next sample decides */
};

/* A sample between two others, as numbers or as rotation vectors. */
struct jumps_corner {
    double in[3];       /* the way from the previous sample; of a number the difference, and two zeroes */
    double out[3];      /* the way to the next sample */
    double T_in, T_out; /* seconds that the ways take, > 0 */
    double rounding;    /* the largest rounding error of a sample, in the unit of the ways */
    double size;        /* a bound of the lengths of the three samples, which bounds errors of computation */
};

/* Takes a number of the curve into account: how finely the number is written. */
void jumps_take_number(struct jumps *jumps, double x);

/* The least difference between two numbers of this size, as finely as the numbers so far are written. */
double jumps_least_difference(const struct jumps *jumps, double size);

/* Is there a jump between the previous sample and the sample of the corner? factor: a jump exceeds this many
 * usual changes of slope. Sets spike and may_jump for the sample of the corner. */
bool jumps_judge(struct jumps *jumps, double factor, const struct jumps_corner *corner);

/* Marks the rows behind jumps in a series of numbers: mark[n] becomes 1 or 0. time: [n] seconds, not falling;
 * NaN among the numbers: missing. The steps to a spike and back are no jumps. Returns the number of jumps. */
size_t jumps_find(double factor, size_t n, const double *time, const double *x, unsigned char *mark);

/* The next corner does not follow on the last one: a sample between is missing. */
void jumps_interrupt(struct jumps *jumps);

#endif
