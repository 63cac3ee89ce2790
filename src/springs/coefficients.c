/* Coefficients for steps, remembered by a hash of the step. See coefficients.h. */
#include "springs/coefficients.h"

/* Coefficients where each row has its own settings. A row with the settings and the step of the row before
 * has the coefficients of the row before, too. */
static void find_by_row(struct coefficients *coefficients, const double *T, size_t n)
{
    size_t size = coefficients->filter->settings_size, nstep = coefficients->nstep;
    coefficients->stride = nstep;
    for (size_t j = 0; j < n; j++) {
        const char *settings = coefficients->row_settings + j * size;
        double *step = coefficients->step + j * nstep;
        if (j > 0 && T[j] == T[j - 1] && memcmp(settings, settings - size, size) == 0)
            memcpy(step, step - nstep, nstep * sizeof *step);
        else if (T[j] > 0)
            filter_step(coefficients->filter, settings, T[j], step);
    }
}

size_t coefficients_find(struct coefficients *coefficients, const double *T, size_t n, size_t distinct)
{
    size_t nstep = coefficients->nstep, different = 0;
    if (coefficients->row_settings) {
        find_by_row(coefficients, T, n);
        return coefficients->stride;
    }
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
            filter_step(coefficients->filter, coefficients->settings, T[j], step);
            coefficients->cached_T[i] = T[j];
        }
        memcpy(coefficients->step + j * nstep, step, nstep * sizeof *step);
    }
    coefficients->stride = different ? nstep : 0;
    return coefficients->stride;
}
