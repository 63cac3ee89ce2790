/* How exactly numbers were written. */
#ifndef SPRUNG_WHOLE_NOISE_ROUNDING_H
#define SPRUNG_WHOLE_NOISE_ROUNDING_H

#include <stddef.h>

#define ROUNDING_DOUBLES 8.0 /* roundings of a double that a computed number may have gone through */

/* The largest error that rounding made in n numbers, in the unit of the numbers: half a unit of the last
 * decimal that the numbers need, half of the step between numbers that change in equal steps, or the
 * precision of floats where all numbers are floats, whichever is the largest. NaN is left out. */
double rounding_error(const double *number, size_t n);

#endif
