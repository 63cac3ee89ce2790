/* Finds cuts in a curve that has no markers: rows where it bends far more than it usually does (--detect-cuts).
 * Invariant: what is found at a row depends on the values up to the next row only. */
#ifndef SPRUNG_DETECT_H
#define SPRUNG_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum { DETECT_PAST = 63, DETECT_LEAST = 5 };   /* bends the median is taken over, at most and at least */

struct detect {                /* of one channel; zeroes are a fresh one */
    double past[DETECT_PAST];  /* absolute bends, oldest overwritten first */
    double sorted[DETECT_PAST];
    size_t n, oldest;
};

/* The curve comes into this row with slope `in` over T_in seconds and leaves it with slope `out` over T_out. Did it jump
 * between the row before and this one: is the bend more than factor times the median of the bends before, and the
 * change into this row larger than the one out of it? The bend then joins the past. */
bool detect_jump(struct detect *d, double factor, double in, double T_in, double out, double T_out);

#endif
