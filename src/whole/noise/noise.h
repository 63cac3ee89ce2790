/* The size of the noise in a series of numbers, without a model of the motion below the noise. */
#ifndef SPRUNG_WHOLE_NOISE_NOISE_H
#define SPRUNG_WHOLE_NOISE_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#define ROUNDING_DOUBLES 8.0 /* roundings of a double that a computed number may have gone through */

enum { NOISE_LEAST = 9 /* fewest samples that the noise can be estimated from */ };

/* The samples of a series, numbers or vectors. */
struct noise_samples {
    const double *T;         /* [n] the steps, T > 0; T[0] is not used. NULL: all steps are equal */
    const double *column[3]; /* [ncolumn][n] the samples, by component */
    size_t ncolumn, n;       /* components of a sample, 1 to 3; number of samples */
};

/* The variance of the noise, found from the fourth differences of the samples; of vectors the sum over the
 * components. Motion that is slow compared with the steps has hardly any fourth difference. A difference
 * above three robust standard deviations counts as three, so that a spike or a jump changes little. 0 for
 * fewer than NOISE_LEAST samples, and where the samples lie on a cubic to rounding. room: n doubles,
 * overwritten. */
double noise_variance(const struct noise_samples *samples, double *room);

/* The variance of the noise by the median of the fourth differences alone, so that pulses and jumps of less
 * than half of the samples change nothing; otherwise as noise_variance. Samples
 * are compared with those `stride` samples away. */
double noise_by_median(const struct noise_samples *samples, size_t stride, double *room);

/* Is noise, by the median of the fourth differences, nearly all that the numbers are? Motion as fast as noise
 * looks alike. NaN: a missing number. room: n doubles, overwritten. */
bool noise_is_all(const struct noise_samples *samples, double *room);

/* The median of n > 0 numbers; the upper of the two middle numbers where n is even. Reorders the numbers. Of
 * numbers with NaN among them the result is one of them, or NaN. */
double noise_median(double *x, size_t n);

/* The largest error that rounding made in n numbers, in the unit of the numbers: half a unit of the last
 * decimal that the numbers need, half of the step between numbers that change in equal steps, or the
 * precision of floats where all numbers are floats, whichever is the largest. NaN is left out. */
double rounding_error(const double *number, size_t n);

#endif
