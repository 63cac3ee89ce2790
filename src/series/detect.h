/* Finds cuts in a curve that has no markers: rows where it bends far more than it usually does
 * (--detect-cuts). Invariant: what is found at a row depends on the values up to the next row only. */
#ifndef SPRUNG_DETECT_H
#define SPRUNG_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum { DETECT_PAST = 63, DETECT_LEAST = 5 }; /* bends the median is taken over, at most and at least */

struct detect {               /* of one channel; zeroes are a fresh one */
    double past[DETECT_PAST]; /* absolute bends, oldest overwritten first */
    double sorted[DETECT_PAST];
    size_t n, oldest;
};

/* The curve goes from before over here to next, T_in and T_out seconds apart. Did it jump between before and
 * here: is the bend here (the change of slope) more than factor times the median of the bends before, more
 * than rounding can make, and the change into here larger than the one out of it? The bend then joins the
 * past. */
bool detect_jump(struct detect *d, double factor, double before, double T_in, double here, double T_out,
                 double next);

/* The same for any curve, by its bend, what rounding can make of that, and the lengths of the changes into here and
 * out of it. */
bool detect_bend(struct detect *d, double factor, double bend, double rounding, double in, double out);

#endif
