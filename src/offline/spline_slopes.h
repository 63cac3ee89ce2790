/* The slopes of the cubic spline through knots: of a smooth curve, given by its values alone. What comes out
 * is the same seen from either side, but for rounding. Private to zero_phase.c and slopes.c. */
#ifndef SPRUNG_SLOPES_H
#define SPRUNG_SLOPES_H

#include <stddef.h>

/* How a curve goes on beyond its two ends: as its image through the end point, so that it is straight there,
 * or as its image in a mirror, so that it is level. */
enum spline_slopes_ends { SPLINE_STRAIGHT, SPLINE_LEVEL };

/* Makes the values at n knots the slopes there. T[i] > 0: from knot i - 1 to i; T[0] is not looked at. room:
 * n doubles. */
void spline_slopes_take(const double *T, double *value, size_t n, enum spline_slopes_ends ends, double *room);

#endif
