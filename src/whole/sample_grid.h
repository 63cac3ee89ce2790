/* Points at even times, 1/HZ apart from the first row's time on, and the positions of rows among them:
 * position 2.5 is in the middle between the points 2 and 3. Invariant: where times and rates are decimals
 * that fit into 128 bits, only results are rounded. */
#ifndef SPRUNG_WHOLE_SAMPLE_GRID_H
#define SPRUNG_WHOLE_SAMPLE_GRID_H

#include "number/timestamp.h"

__extension__ typedef __int128 sample_grid_int;

struct sample_grid {
    double hz, step;                 /* points a second; seconds from point to point */
    struct time_unit unit;           /* of times; with its rate they are numbers of rows, from 0 */
    struct number_decimal per, rows; /* hz and rate, or 1 */
    /* A difference of times in units of 10^exp10 times factor / divisor is one of positions. */
    int exp10;
    bool fits; /* factor and divisor do */
    sample_grid_int factor, divisor;
};

void sample_grid_make(struct sample_grid *g, double hz, struct time_unit unit);

/* From one row to the next, as positions. */
struct sample_grid_step {
    bool exact;
    sample_grid_int from, to, unit; /* where exact: in parts of a point's distance */
    double start, end;              /* else */
};

/* The step between two rows of a series that began at first. */
struct sample_grid_step sample_grid_step(struct sample_grid *g, const struct timestamp *first,
                                         const struct timestamp *from, const struct timestamp *to);

/* Sets *point to the last point at or before the end of the step, and *at to whether it is exactly there.
 * False: its number is too large. */
bool sample_grid_last(const struct sample_grid_step *s, int64_t *point, bool *at);

/* The part of the step before the point, from 0 to 1. */
double sample_grid_fraction(const struct sample_grid_step *s, int64_t point);

/* Seconds from the beginning of the step to the point, or to_end from the point to its end. */
double sample_grid_seconds(const struct sample_grid *g, const struct sample_grid_step *s, int64_t point,
                           bool to_end);

/* The time of a point in the times' unit, with a rate in seconds: first + point / hz, correctly rounded. Its
 * decimal, rounded to as many decimals as the first has, is exact only where such times have more digits than
 * doubles tell apart. */
struct timestamp sample_grid_time(const struct sample_grid *g, const struct timestamp *first, int64_t point);

#endif
