/* Plain residuals: how far a sample lies from the cubic through two samples on each side. For most samples
 * the plain residuals show at little cost that the sample is no spike. */
#ifndef SPRUNG_WHOLE_DESPIKE_PLAIN_H
#define SPRUNG_WHOLE_DESPIKE_PLAIN_H

#include "whole/despike.h"

enum { DESPIKE_AROUND = 2 /* samples on each side of a sample by which the plain residual is found */ };

/* The scale of distances is their median times this number: such that, of normally distributed noise in each
 * of ncolumn components, 99.73 percent of the distances are at most 3 times the scale. For one component 3
 * times the scale are 3 standard deviations, and the number is that of the MAD, 1.4826. ncolumn: 1 to 3. */
double despike_median_to_scale(size_t ncolumn);

/* Sets plain[i], for DESPIKE_AROUND <= i < n - DESPIKE_AROUND, to the square of the distance of sample i from
 * the cubic through the samples around; NaN: two of these samples have the same time. Reads only n, t,
 * ncolumn and column of the window; n may exceed DESPIKE_MOST_SAMPLES. */
void despike_plain_measure(const struct despike_window *window, double *plain);

/* Consecutive judged samples, and the samples of all their windows. */
struct despike_stretch {
    size_t n;            /* number of samples in all windows together */
    size_t own, nown;    /* index of the first judged sample; number of judged samples */
    size_t least;        /* number of samples in the smallest window; n, where nown is 1 */
    size_t ncolumn;      /* components of a sample, 1 to 3 */
    const double *plain; /* [n] as despike_window.plain */
};

/* Are the judged samples calm: do the plain residuals alone tell that none is a spike? factor: --despike K.
 */
bool despike_plain_calm(double factor, const struct despike_stretch *stretch);

#endif
