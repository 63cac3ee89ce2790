/* A curve for a picture, of any length in bounded memory: its lowest and highest points in stretches of
 * equally many rows. A curve of up to ENVELOPE_PARTS rows is all there. Invariant: every extreme of the series
 * is an extreme of its curve. */
#ifndef SPRUNG_CURVE_H
#define SPRUNG_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENVELOPE_PARTS = 2000 };

struct envelope_part {
    double low_t, low, high_t, high; /* low is NaN where there is no number at all */
    bool gap;                        /* a row without a number is in it */
};

struct envelope {
    struct envelope_part *part; /* [ENVELOPE_PARTS], made by the first row */
    size_t npart;
    uint64_t each, last; /* rows in a part, and in the last one so far */
};

/* Appends a row; y is NaN at a gap. false: memory is out. */
bool envelope_add(struct envelope *c, double t, double y);
void envelope_free(struct envelope *c);

#endif
