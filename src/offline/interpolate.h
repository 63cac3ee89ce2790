/* Values between two rows: linear for numbers, the short way for angles and rotations.
 * Invariant: between equal values the result is that value, and next to a gap it is a gap. */
#ifndef SPRUNG_OFFLINE_INTERPOLATE_H
#define SPRUNG_OFFLINE_INTERPOLATE_H

#include "series/rotations.h"

/* n values, from a at fraction 0 to b at 1. period: of angles, in the turn of the nearer end; else 0. */
void interpolate_numbers(const double *fraction, size_t n, double a, double b, double period, double *x);

/* n rotations between a and b at constant angular velocity, the short way; angles nearest to a. x: their
 * columns. */
void interpolate_rotations(const struct rotation *r, const double *fraction, size_t n, const double a[4],
                           const double b[4], double *const x[4]);

#endif
