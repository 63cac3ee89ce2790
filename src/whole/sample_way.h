/* The way from one sample to another, and the samples on it. Invariant: between equal samples the result is
 * that sample. */
#ifndef SPRUNG_WHOLE_SAMPLE_WAY_H
#define SPRUNG_WHOLE_SAMPLE_WAY_H

#include "whole/samples.h"

/* The number or angle at a fraction from 0 to 1 of the way from a to b; of an angle (period > 0) within half
 * a period of the nearer of a and b. NaN where a or b is missing. */
double sample_between(double a, double b, double fraction, double period);

/* The way from one sample to another: of a number the difference, of an angle the difference within half a
 * period, of a vector the difference of each number, of a rotation the rotation vector of the short way.
 * Numbers that a sample does not have are 0. */
void sample_way(struct sample_kind kind, const double from[4], const double to[4], double way[3]);

/* Sets x to the sample at a fraction of the way from a to b: on a straight line, or turned at a constant
 * angular velocity. Returns true for a rotation that is a itself. */
bool sample_on_way(struct sample_kind kind, const double a[4], const double b[4], double fraction,
                   double x[4]);

#endif
