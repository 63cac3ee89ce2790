/* Values between two rows: linear for numbers, the short way for angles and rotations; and the line or curve
 * that fills a gap. Invariant: between equal values the result is that value, and next to a gap it is a gap;
 * a curve goes through the samples on both sides, and is the same in both directions of time. */
#ifndef SPRUNG_SERIES_INTERPOLATE_H
#define SPRUNG_SERIES_INTERPOLATE_H

#include "rows/block.h"
#include "series/rotations.h"

/* n samples of all channels between those of one row, a[nchannel], at fraction 0, and those of row i of a
 * block at 1; with held, where there are such, they are those of a. to: the block whose rows they become,
 * from to->nrow on. column: block_value or block_goal, of both blocks. Angles are in the turn of the nearer
 * end; rotations turn at constant angular velocity, the short way, and their angles are nearest to a. */
void interpolate_rows(const struct rotations *all, const double *fraction, size_t n, const double *a,
                      const struct block *b, size_t i, bool held, const struct block *to,
                      double *column(const struct block *b, size_t channel));

/* The way from one sample to another: of a number the difference, of an angle the short one, of a rotation
 * the rotation vector; components that there are not become 0. */
void gap_way(const struct unit *u, const double from[4], const double to[4], double way[3]);

struct gap_curve {
    const struct unit *unit;
    double a[4], b[4], T;               /* the samples on both sides, and the seconds between them */
    double from[4];                     /* the rotation at a */
    double way[3], before[3], after[3]; /* see interpolate.c */
};

/* The curve over the gap between samples x[1] and x[2]: a straight line, or a turn at constant angular
 * velocity, bent by the samples before and after these, x[0] and x[3]. t: their times, in seconds since x[1];
 * of a sample that is not there NaN; bent curves take time. The unit must stay. */
struct gap_curve gap_curve_make(const struct unit *u, const double x[4][4], const double t[4]);

/* Sets x to the sample t seconds after a. Euler angles are those nearest to near. */
void gap_curve_at(const struct gap_curve *c, double t, const double near[4], double x[4]);

#endif
