/* A run of targets without gaps, filtered forward and then backward over the result. With uneven steps, and
 * of rotations, that is not the same as backward and then forward: the result is the mean of both. The run
 * begins and ends at 0 and is extended beyond its ends by odd reflection, each point through the end point,
 * again and again: a periodic series. Rotations begin and end at the identity, and the inverse is the
 * reflected one. Invariants: the result is that of the infinite series, however slowly the filter settles,
 * nothing is cut off at some length; and that of the reversed run is the reversed one, but for rounding. */
#ifndef SPRUNG_OFFLINE_ODD_EXTENSION_H
#define SPRUNG_OFFLINE_ODD_EXTENSION_H

#include "series/chunk.h"

/* The reflected rows that a pass is filtered over before it enters the run. */
struct lead_in {
    ptrdiff_t nrow;
    double left[FILTER_MAXSTATE * FILTER_MAXSTATE]; /* what these rows leave of a state: column i, of its
                                                       double i */
    bool forgotten;                                 /* nothing is left */
    bool still;                                     /* it hardly moves in a period */
};

/* A run of targets. */
struct odd_run {
    const double *T; /* the steps, T > 0; T[0] is not used. NULL: all are step */
    double step;
    const double *goal; /* [last + 1]; the first and the last one are 0. NULL: a lone 1 in the middle */
    size_t last;
    bool rotations; /* goal holds unit quaternions; the first and the last one are 1, 0, 0, 0 */
};

struct both_ways {
    struct series *s; /* its steps, shape and filter are used */
    struct coefficients *set;
    struct odd_run run;        /* set is to be NULL when the contents of T have changed */
    ptrdiff_t width;           /* numbers of a row: 1, or 4 of a rotation */
    ptrdiff_t last;            /* the run is rows [0, last] */
    bool backward;             /* the backward pass is the first; rows are counted from the end of the run */
    struct lead_in lead_in[2]; /* of the forward and the backward pass */
    double *value; /* [last + 1] rows, the result; beyond, room for the reflected rows of the second pass */
    double *other; /* [last + 1] rows, that of the other order, where both are needed */
    size_t maxvalue, maxother;
    double *chunk, *result, *unused; /* [s->maxrow] rows: targets, results, outputs that nothing uses */
};

/* Zeroed before; odd_extension_close follows in any case. */
bool odd_extension_open(struct both_ways *m, struct series *s, struct error *e);
void odd_extension_close(struct both_ways *m);

/* Filters a run into m->value. On false *bad is a row without a finite result, or 0 where the filter does not
 * come to rest. */
bool odd_extension_filter(struct both_ways *m, struct coefficients *set, const struct odd_run *run,
                          size_t *bad, struct error *e);

#endif
