/* One rotation through a filter, row by row: three channels whose target is 0.
 *
 * A row's chart is the rotation vectors about its target g: the output is x = exp(y) g, and the filter moves
 * the three components of y by its own equations. Between rows the target moves, and the chart with it.
 * Invariant: what the filter keeps means the same in the next chart: its output is the same rotation (bits
 * points and errors of the filter's descriptor), and velocities are the same angular velocities in the world
 * frame (bits rates). Errors relative to a target that the output moves along with stay as they are. */
#ifndef SPRUNG_SERIES_ROTATION_STEP_H
#define SPRUNG_SERIES_ROTATION_STEP_H

#include "filters/filter.h"
#include "series/rotation.h"

/* How rotations are filtered. */
struct rotation_filter {
    const struct filter *filter;
    const void *settings;
    const struct shape *shape;
    long derivatives; /* wanted: 0, 1 or 2 */
};

/* What is kept between rows. */
struct rotation_state {
    double goal[4];                    /* the last target */
    struct rotation_point at;          /* the last output relative to it */
    double drift[3];                   /* angular velocity of the target that the output moved along with */
    unsigned char flags;               /* of the last row */
    double velocity[3];                /* the last one given, with derivatives == 2 */
    double state[3 * FILTER_MAXSTATE]; /* of the filter, component by component */
};

/* A row; quaternions have length 1. */
struct rotation_row {
    double goal[4];
    double next[4]; /* target of the next row, where filter->ahead and neither FLAG_NO_NEXT nor FLAG_START */
    const double *origin; /* where FLAG_START begins; NULL: at the target */
    const double *T;      /* since the row before, and with look-ahead that of the next row */
    const double *step;   /* coefficients for T */
    double part;          /* as sample.part, with FLAG_ASIDE */
    unsigned char flags;  /* neither FLAG_NO_VALUE nor FLAG_ZERO_DT */
};

struct rotation_result {
    double x[4];        /* the output, of the two signs the one nearer to the target; NaN: too large */
    bool at_goal;       /* x is the target */
    double velocity[3]; /* angular, in the world frame, rad/s; with derivatives */
    double acceleration[3];
};

/* Moves *s, of which nothing is read with FLAG_START, by a row. */
void rotation_step(const struct rotation_filter *f, struct rotation_state *s, const struct rotation_row *row,
                   struct rotation_result *result);

#endif
