/* --detect-cuts: finds cuts in a curve without markers, at rows where its slope changes far more than it
 * usually does. Invariant: the result at a row depends on the values up to the next row only. */
#ifndef SPRUNG_SERIES_DETECT_H
#define SPRUNG_SERIES_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum { DETECT_PAST = 63, DETECT_LEAST = 5 }; /* rows the median is taken over, at most and at least */

struct detect {               /* of one channel; zeroed at first */
    double past[DETECT_PAST]; /* absolute changes of slope; the oldest is overwritten first */
    double sorted[DETECT_PAST];
    size_t n, oldest;
};

/* Three rows have the values before, here and next, T_in and T_out seconds apart; or next is a point on the
 * way to the third row, after that part of it. True if there is a cut between before and here: the change of
 * slope at here is more than factor times the median of those of the rows before, more than rounding can
 * make, and the step from row to row into here is larger than the one out of it. Then adds this change of
 * slope to the past. */
bool detect_jump(struct detect *d, double factor, double before, double T_in, double here, double T_out,
                 double next, double part);

/* The same for any curve, given the change of slope, its rounding error, and the sizes of the two steps. */
bool detect_bend(struct detect *d, double factor, double bend, double rounding, double in, double out);

#endif
