/* The slopes of the cubic spline through knots. The result for the reversed knots is the same, but for
 * rounding. */
#ifndef SPRUNG_SPLINE_SLOPES_H
#define SPRUNG_SPLINE_SLOPES_H

#include <stddef.h>

/* How the curve is extended beyond its two ends: by odd reflection, which makes it straight there, or by even
 * reflection, which makes it level. */
enum spline_slopes_ends { SPLINE_STRAIGHT, SPLINE_LEVEL };

/* Replaces the values at n knots by the slopes there. T[i] > 0: from knot i - 1 to i; T[0] is not used. room:
 * n doubles. */
void spline_slopes_take(const double *T, double *value, size_t n, enum spline_slopes_ends ends, double *room);

#endif
