/* Points at even times, 1/HZ apart from the first row's time on, and the positions of rows among the points:
 * position 2.5 is in the middle between the points 2 and 3. */
#ifndef SPRUNG_WHOLE_SAMPLE_GRID_H
#define SPRUNG_WHOLE_SAMPLE_GRID_H

#include "number/timestamp.h"

struct sample_grid {
    double hz;             /* points per second */
    struct time_unit unit; /* unit of the rows' times; with a rate the times are row numbers from 0 */
};

/* The position of a time in seconds since the first row: a whole number if it is at a point to within
 * rounding. */
double sample_grid_at(double hz, double t);

/* The position of a row in a series whose first row has the time `first`. */
double sample_grid_position(const struct sample_grid *grid, const struct timestamp *first,
                            const struct timestamp *row);

/* The time of a point, first + point / hz, in the unit of the times, or in seconds where the unit has a rate.
 * Times with more digits than a double can hold are exact decimals with as many digits as `first`. */
struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point);

#endif
