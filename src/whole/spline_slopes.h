/* Derivatives and end values of a series that is known to its end. */
#ifndef SPRUNG_WHOLE_SPLINE_SLOPES_H
#define SPRUNG_WHOLE_SPLINE_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the values at n knots by the slopes there of the cubic spline through them; the result for the
 * reversed knots is the same, but for rounding. At its ends the curve is straight, as odd reflection makes
 * it, or level, as even reflection does. T: the steps, T > 0; T[0] is not used. room: n doubles. */
void spline_slopes(const double *T, double *value, size_t n, bool level, double *room);

/* The value at the end of a run of noisy samples, about as good as the filtered ones: of the straight line
 * that fits best. A sample counts less the further it is from the end, and the more the nearer its neighbours
 * are: by the time that it stands for. Invariant: of samples on a straight line it is the end sample, bit for
 * bit if they are equal; a filter much faster than the steps leaves the end sample, and one that never moves
 * the line of the whole run.
 *
 * The value at sample 0, or with at_last at sample last; last > 0. T: the steps, T > 0; T[0] is not used.
 * reach: seconds in which the weight of a sample falls by e. */
double end_value(const double *T, const double *x, size_t last, bool at_last, double reach);

#endif
