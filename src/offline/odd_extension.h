/* A run of goals without holes, filtered forward and then backward over the result. It begins and ends at 0,
 * and goes on beyond its ends as its own mirror image, each point through the end point, again and again: so
 * it has neither beginning nor end. Private to mirror.c and zero_phase.c. Invariant: what comes out is what
 * the endless series gives, however slowly the filter forgets; nothing is cut off at some length. */
#ifndef SPRUNG_MIRROR_H
#define SPRUNG_MIRROR_H

#include "series/chunk.h"

enum { MIRROR_MATRIX = FILTER_MAXSTATE * FILTER_MAXSTATE };

/* How a pass comes into the run, which it does with the mirrored rows before it behind it. */
struct entry {
    ptrdiff_t nrow;             /* so many rows of them are filtered */
    double left[MIRROR_MATRIX]; /* what they leave of a state: column i, of its double i */
    bool forgotten;             /* which is nothing */
};

struct odd_extension {
    struct series *s;
    struct tuning *tuning;
    const double *T, *goal; /* [last + 1] the run, 0 at both ends; T > 0, and T[0] is not looked at */
    ptrdiff_t last;
    struct entry forward, backward;
    double *way; /* [last + 1] what comes out; beyond, room for the way out of the run and back in */
    size_t maxway;
};

/* Filters goals [0, last] both ways. alike: the tuning, last and steps are those of the call before. On false
 * *bad is a row without a finite result, or 0 where the filter does not come to rest. */
bool odd_extension_filter(struct odd_extension *m, bool alike, size_t *bad, struct error *e);

void odd_extension_free(struct odd_extension *m);

#endif
