/* Derivatives of a series that is known to its end. */
#ifndef SPRUNG_WHOLE_SPLINE_SLOPES_H
#define SPRUNG_WHOLE_SPLINE_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the values at n knots by the slopes at the knots of the cubic spline through the values. Reversed
 * knots give reversed slopes of the other sign, but for rounding. At both ends the spline is straight (second
 * derivative 0, as under odd reflection), or with `level` flat (slope 0, as under even reflection). T: [n]
 * the steps, T > 0; T[0] is not used. room: n doubles, overwritten. */
void spline_slopes(const double *T, double *value, size_t n, bool level, double *room);

#endif
