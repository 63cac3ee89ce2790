/* The coefficients of a filter for the steps of consecutive rows. Coefficients of recent steps are
 * remembered, by a hash of the step, and computed once for equal steps; all channels with the same settings
 * share the coefficients. */
#ifndef SPRUNG_SPRINGS_COEFFICIENTS_H
#define SPRUNG_SPRINGS_COEFFICIENTS_H

#include "springs/filter.h"

#include <string.h>

enum { COEFFICIENTS_CACHE = 16 }; /* steps whose coefficients are remembered; a power of two */

/* The maker of the struct owns what the pointers point to, and calls coefficients_forget before the first
 * use. */
struct coefficients {
    const struct filter *filter;
    const void *settings;                /* of the filter, checked */
    size_t nstep;                        /* doubles that the filter computes for a step */
    double cached_T[COEFFICIENTS_CACHE]; /* seconds of each remembered step; 0: the place is empty */
    double T;      /* seconds of the step that all rows of the last call shared; 0: they did not */
    double *cache; /* [COEFFICIENTS_CACHE * nstep] coefficients of the remembered steps */
    double *step;  /* result: [nstep] coefficients for each row */
    size_t stride; /* result: doubles from row to row in `step`; 0: all rows share a step */
};

/* Forgets all coefficients; to be called after the settings have changed. */
static inline void coefficients_forget(struct coefficients *coefficients)
{
    coefficients->T = 0;
    memset(coefficients->cached_T, 0, sizeof coefficients->cached_T);
}

/* Sets coefficients->step and coefficients->stride for n rows with steps of T[n] seconds. All n steps must be
 * equal where the first `distinct` steps are equal. Returns the stride: 0 when one step serves all rows, else
 * nstep. Rows with T = 0 have no coefficients. */
static inline size_t coefficients_find(struct coefficients *coefficients, const double *T, size_t n,
                                       size_t distinct)
{
    size_t nstep = coefficients->nstep, different = 0;
    for (size_t j = 1; j < distinct; j++)
        different += T[j] != T[0];
    coefficients->stride = different ? nstep : 0;
    if (!different && n > 0 && T[0] == coefficients->T)
        return 0;
    coefficients->T = different || n == 0 ? 0 : T[0];
    const size_t nrow = different || n == 0 ? n : 1;
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
    return coefficients->stride;
}

#endif
