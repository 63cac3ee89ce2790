/* The coefficients of a filter for the steps of consecutive rows. Coefficients of recent steps are remembered
 * and computed once for equal steps; all channels with the same settings share the coefficients. */
#ifndef SPRUNG_SPRINGS_COEFFICIENTS_H
#define SPRUNG_SPRINGS_COEFFICIENTS_H

#include "springs/filter.h"

enum { COEFFICIENTS_CACHE = 16 }; /* steps whose coefficients are remembered; a power of two */

/* The maker of the struct owns what the pointers point to, and calls coefficients_forget before the first
 * use. */
struct coefficients {
    const struct filter *filter;
    const void *settings;                /* of the filter, checked */
    size_t nstep;                        /* doubles that the filter computes for a step */
    double cached_T[COEFFICIENTS_CACHE]; /* seconds of each remembered step; 0: the place is empty */
    double *cache; /* [COEFFICIENTS_CACHE * nstep] coefficients of the remembered steps */
    double *step;  /* result: [nstep] coefficients for each row */
    size_t stride; /* result: doubles from row to row in `step`; 0: all rows share a step */
};

/* Forgets all coefficients; to be called after the settings have changed. */
static inline void coefficients_forget(struct coefficients *coefficients)
{
    memset(coefficients->cached_T, 0, sizeof coefficients->cached_T);
}

/* Sets coefficients->step and coefficients->stride for n rows with steps of T[n] seconds. All n steps must be
 * equal where the first `distinct` steps are equal. Returns the stride: 0 when one step serves all rows, else
 * nstep. Rows with T = 0 have no coefficients. */
size_t coefficients_find(struct coefficients *coefficients, const double *T, size_t n, size_t distinct);

#endif
