/* Coefficients for steps, remembered by a hash of the step. See coefficients.h. */
#include "springs/coefficients.h"

size_t coefficients_find(struct coefficients *coefficients, const double *T, size_t n, size_t distinct)
{
    size_t nstep = coefficients->nstep, different = 0;
    for (size_t j = 1; j < distinct; j++)
        different += T[j] != T[0];
    size_t nrow = n;
    if (!different && n > 0)
        nrow = 1;
    for (size_t j = 0; j < nrow; j++) {
        uint64_t bits;
        memcpy(&bits, &T[j], sizeof bits);
        size_t i = (bits * 0x9E3779B97F4A7C15u) >> 60;
        double *step = coefficients->cache + i * nstep;
        if (T[j] > 0 && coefficients->cached_T[i] != T[j]) {
            coefficients->filter->step(coefficients->settings, T[j], step);
            coefficients->cached_T[i] = T[j];
        }
        memcpy(coefficients->step + j * nstep, step, nstep * sizeof *step);
    }
    coefficients->stride = different ? nstep : 0;
    return coefficients->stride;
}
