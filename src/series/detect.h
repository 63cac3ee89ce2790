/* --detect-cuts: finds cuts in a curve without markers, at steps that differ from the steps before and after
 * far more than steps usually differ. Invariant: the result at a row depends on the values up to the next row
 * only. */
#ifndef SPRUNG_SERIES_DETECT_H
#define SPRUNG_SERIES_DETECT_H

#include <stdbool.h>
#include <stddef.h>

enum { DETECT_PAST = 63, DETECT_LEAST = 5 }; /* rows the median is taken over, at most and at least */

struct detect {               /* of one channel; zeroed at first */
    double past[DETECT_PAST]; /* absolute changes of slope; the oldest is overwritten first */
    double sorted[DETECT_PAST];
    size_t n, oldest;
    double bend[3]; /* change of slope at the row before, */
    bool known;     /* if that is known */
    bool alone;     /* the row before looks like a spike, */
    bool spike;     /* and there is a cut before it */
    bool doubtful;  /* the row after it may be one: a filter does not look ahead to its value */
};

/* Given the vector by which a curve's slope changes here, its rounding error, and the ratio of the step into
 * here to the one out of it. There is a cut before here if the slope changes at both ends of the step into
 * here, in opposite directions, by more than factor times the median of the changes at the rows before, and
 * by more than rounding can make. Equal steps to and from a spike of size A change the slope by A, -2 A and
 * A, a jump by A and -A: here is a spike if the second change is 1.4 to 4 times the first. The step back from
 * a spike is a cut if the step to it is one, and only then. Adds this change to the past. */
bool detect_bend(struct detect *d, double factor, const double bend[3], double rounding, double ratio);

/* At a row where the change of slope is not known. */
void detect_nothing(struct detect *d);

#endif
