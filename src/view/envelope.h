/* A curve for a picture, of any length in bounded memory: its lowest and highest points in stretches of
 * equally many rows. A curve of up to CURVE_PARTS rows is all there. Invariant: every extreme of the series
 * is an extreme of its curve. */
#ifndef SPRUNG_CURVE_H
#define SPRUNG_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CURVE_PARTS = 2000 };

struct curve_part {
    double low_t, low, high_t, high; /* low is NaN where there is no number at all */
    bool gap;                        /* a row without a number is in it */
};

struct curve {
    struct curve_part *part; /* [CURVE_PARTS], made by the first row */
    size_t npart;
    uint64_t each, last; /* rows in a part, and in the last one so far */
};

/* Appends a row; y is NaN at a gap. false: memory is out. */
bool curve_add(struct curve *c, double t, double y);
void curve_free(struct curve *c);

#endif
