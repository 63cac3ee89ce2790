/* A run of targets without gaps, filtered forward and then backward over the result. The run begins and ends
 * at 0 and is extended beyond its ends by odd reflection, each point through the end point, again and again:
 * a periodic series. Invariant: the result is that of the infinite series, however slowly the filter settles;
 * nothing is cut off at some length. */
#ifndef SPRUNG_OFFLINE_ODD_EXTENSION_H
#define SPRUNG_OFFLINE_ODD_EXTENSION_H

#include "series/chunk.h"

enum { ODD_EXTENSION_MATRIX = FILTER_MAXSTATE * FILTER_MAXSTATE };

/* The reflected rows that a pass is filtered over before it enters the run. */
struct lead_in {
    ptrdiff_t nrow;
    double left[ODD_EXTENSION_MATRIX]; /* what these rows leave of a state: column i, of its double i */
    bool forgotten;                    /* nothing is left */
};

struct both_ways {
    struct steps *steps;
    const struct shape *shape;
    struct coefficients *set;
    const double *T, *goal;    /* T is to be NULL when its contents have changed */
    ptrdiff_t last;            /* the run is rows [0, last] */
    struct lead_in lead_in[2]; /* of the forward and the backward pass */
    double *value; /* [last + 1] the result; beyond, room for the reflected rows of the backward pass */
    size_t maxvalue;
    double *chunk, *result, *unused; /* [steps->maxrow] targets, results, outputs that nothing uses */
};

/* Zeroed before; odd_extension_close follows in any case. steps and shape must stay. */
bool odd_extension_open(struct both_ways *m, struct steps *steps, const struct shape *shape, struct error *e);
void odd_extension_close(struct both_ways *m);

/* Filters goal[0 .. last], which is 0 at both ends, into m->value. T: the steps, T > 0; T[0] is not used. On
 * false *bad is a row without a finite result, or 0 where the filter does not come to rest. */
bool odd_extension_filter(struct both_ways *m, struct coefficients *set, const double *T, const double *goal,
                          size_t last, size_t *bad, struct error *e);

#endif
