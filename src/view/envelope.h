/* A curve of any length in bounded memory, for a picture: the lowest and the highest point of each stretch of
 * equally many rows. A curve of up to ENVELOPE_PARTS rows is complete. Invariant: every extreme of the series
 * is an extreme of its envelope. */
#ifndef SPRUNG_ENVELOPE_H
#define SPRUNG_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENVELOPE_PARTS = 2000 };

struct envelope_part {
    double low_t, low, high_t, high; /* low and high are NaN if no row has a number */
    bool gap;                        /* a row has no number */
};

/* All zeroes: no rows yet. */
struct envelope {
    struct envelope_part part[ENVELOPE_PARTS];
    size_t npart;
    uint64_t each, last; /* rows in a part, and in the last one so far; 0 before the first row */
};

/* Appends a row; y is NaN at a gap. */
void envelope_add(struct envelope *c, double t, double y);

#endif
