/* The way from one sample to another, and the line or curve that fills a gap between two samples. Invariant:
 * between equal samples the result is that sample; a curve goes through the samples on both sides, and is the
 * same in both directions of time. */
#ifndef SPRUNG_WHOLE_GAP_CURVE_H
#define SPRUNG_WHOLE_GAP_CURVE_H

#include "whole/samples.h"

/* The number or angle at a fraction from 0 to 1 of the way from a to b; of an angle (period > 0) within half
 * a period of the nearer of a and b. NaN where a or b is missing. */
double sample_between(double a, double b, double fraction, double period);

/* The way from one sample to another: of a number the difference, of an angle the difference within half a
 * period, of a vector the difference of each number, of a rotation the rotation vector of the short way.
 * Numbers that a sample does not have are 0. */
void sample_way(struct sample_kind kind, const double from[4], const double to[4], double way[3]);

/* The line or curve over a gap from sample a to sample b. */
struct gap_curve {
    struct sample_kind kind;
    double a[4], b[4];          /* the last sample before the gap, the first sample after the gap */
    double T;                   /* seconds from a to b */
    double way[3];              /* the way from a to b */
    double before[3], after[3]; /* how the curve is bent: see gap_curve.c; zeroes: the curve is straight */
};

/* Makes the curve over the gap between sample[1] and sample[2]: a straight line, or a turn at constant
 * angular velocity, bent by sample[0] before sample[1] and sample[3] after sample[2]. time: times of the
 * samples, in seconds since sample[1]; time[0] is NaN where sample[0] is not known, time[3] where sample[3]
 * is not known. Bent curves need time[2] > 0. */
struct gap_curve gap_curve_make(struct sample_kind kind, const double sample[4][4], const double time[4]);

/* Sets x to the sample t seconds after sample a. Returns true for a rotation that is a itself: the curve has
 * not turned. */
bool gap_curve_at(const struct gap_curve *curve, double t, double x[4]);

#endif
