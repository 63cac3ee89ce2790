/* Derivatives of a series that is known to its end. */
#ifndef SPRUNG_WHOLE_SPLINE_SLOPES_H
#define SPRUNG_WHOLE_SPLINE_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the values at n knots by the slopes there of the cubic spline through them; the result for the
 * reversed knots is the same, but for rounding. At its ends the curve is straight, as odd reflection makes
 * it, or level, as even reflection does. T: the steps, T > 0; T[0] is not used. room: n doubles. */
void spline_slopes(const double *T, double *value, size_t n, bool level, double *room);

#endif
