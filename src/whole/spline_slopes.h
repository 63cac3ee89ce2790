/* Derivatives of a series that is known to its end. */
#ifndef SPRUNG_WHOLE_SPLINE_SLOPES_H
#define SPRUNG_WHOLE_SPLINE_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SPLINE_SLOPES_FADED = 32 /* rows beyond which a value does not count for a slope: it fades by a fourth or
                                more from row to row */
};

/* Replaces the values at n knots by the slopes at the knots of the cubic spline through the values. Reversed
 * knots give reversed slopes of the other sign, to rounding. At both ends the spline is straight (second
 * derivative 0, as under odd reflection), or with `level` flat (slope 0, as under even reflection). T: [n]
 * the steps, T > 0; T[0] is not used. room: n doubles, overwritten. */
void spline_slopes(const double *T, double *value, size_t n, bool level, double *room);

/* Makes slopes as spline_slopes does where some of the n rows are points: the spline goes through the values
 * of the other rows, the first and the last among them, and the slopes are found at all rows. point: [n];
 * NULL: there are no points. room: n doubles each. */
void spline_slopes_with_points(const double *T, const bool *point, double *value, size_t n, bool level,
                               double *const room[4]);

#endif
