/* The coefficients of a filter for the steps of consecutive rows: computed once for each distinct step among
 * the last ones, and shared by all channels with the same settings. */
#ifndef SPRUNG_SPRINGS_COEFFICIENTS_H
#define SPRUNG_SPRINGS_COEFFICIENTS_H

#include "springs/filter.h"

enum { COEFFICIENTS_CACHE = 16 }; /* steps whose coefficients are remembered; a power of two */

/* Pointers are the maker's; coefficients_forget before the first use. */
struct coefficients {
    const struct filter *filter;
    const void *settings;                /* of the filter, checked */
    size_t nstep;                        /* doubles that the filter computes for a step */
    double cached_T[COEFFICIENTS_CACHE]; /* seconds; 0: nothing is remembered here */
    double *cache;                       /* [COEFFICIENTS_CACHE * nstep] */
    double *step;                        /* the result: [nstep] for each row */
    size_t stride;                       /* the result: from row to row in step */
    char *row_settings; /* checked settings of each row, of filter->settings_size bytes each, where options
                           have their values from columns; NULL: all rows have the same */
};

/* After the settings have changed. */
static inline void coefficients_forget(struct coefficients *c)
{
    memset(c->cached_T, 0, sizeof c->cached_T);
}

/* Sets c->step and c->stride for n rows with steps of T[n] seconds. Only the first `distinct` of them may
 * differ from the last one. Returns the stride: 0 when one step serves all rows, else nstep. Rows with T = 0
 * have no coefficients. */
size_t coefficients_find(struct coefficients *c, const double *T, size_t n, size_t distinct);

#endif
