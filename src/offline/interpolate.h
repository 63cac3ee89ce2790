/* Values between two rows: of numbers on a straight line, of angles and rotations the short way.
 * Invariant: between equal values lies that value, and next to a gap lies a gap. */
#ifndef SPRUNG_BLEND_H
#define SPRUNG_BLEND_H

#include <stddef.h>

/* n values from a to b, each so far on its way as its fraction says. period: of angles, else 0; the values
 * are in the turn of the end that they are nearer to. */
void interpolate_numbers(const double *fraction, size_t n, double a, double b, double period, double *x);

/* n quaternions of length 1, from a to b or -b, at an even rate. w, x, y and z are columns of their own. */
void interpolate_rotations(const double *fraction, size_t n, const double a[4], const double b[4],
                           double *const x[4]);

#endif
