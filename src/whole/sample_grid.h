/* Points at even times, 1/HZ apart from the first row's time on, and the positions of rows among the points:
 * position 2.5 is in the middle between the points 2 and 3. Invariant: where times and rates are decimals
 * that fit into 128 bits, only results are rounded. */
#ifndef SPRUNG_WHOLE_SAMPLE_GRID_H
#define SPRUNG_WHOLE_SAMPLE_GRID_H

#include "number/timestamp.h"

__extension__ typedef __int128 sample_grid_int;

struct sample_grid {
    double hz;             /* points per second */
    double step;           /* seconds from point to point */
    struct time_unit unit; /* unit of the rows' times; with a rate the times are row numbers from 0 */
    struct number_decimal per, rows; /* hz as a decimal; unit.rate as a decimal, or 1 without a rate */
    /* A difference of positions is a difference of times, in units of 10^exp10, times factor / divisor. */
    int exp10;
    bool fits;                       /* factor and divisor fit into 128 bits and are valid */
    sample_grid_int factor, divisor; /* without a common factor */
};

void sample_grid_make(struct sample_grid *grid, double hz, struct time_unit unit);

/* The positions of a row and of the next row. */
struct sample_grid_step {
    bool exact;               /* from, to and unit are valid; else start and end */
    sample_grid_int from, to; /* positions of both rows, times unit */
    sample_grid_int unit;     /* parts of the distance between two points */
    double start, end;        /* positions of both rows */
};

/* The step between two rows of a series whose first row has the time `first`. */
struct sample_grid_step sample_grid_step(struct sample_grid *grid, const struct timestamp *first,
                                         const struct timestamp *from, const struct timestamp *to);

/* Sets *point to the last point at or before the end of the step, and *at to whether the point is exactly at
 * the end. False: the number of the point is too large. */
bool sample_grid_last(const struct sample_grid_step *step, int64_t *point, bool *at);

/* The part of the step that lies before the point, from 0 to 1. */
double sample_grid_fraction(const struct sample_grid_step *step, int64_t point);

/* Seconds from the beginning of the step to the point; with to_end from the point to the end of the step. */
double sample_grid_seconds(const struct sample_grid *grid, const struct sample_grid_step *step, int64_t point,
                           bool to_end);

/* The time of a point, first + point / hz, correctly rounded, in the unit of the times, or in seconds where
 * the unit has a rate. The member decimal, rounded to as many decimals as `first` has, is exact only where
 * times of so many decimals have more digits than doubles tell apart. */
struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point);

#endif
