/* Values between two rows: linear for numbers, the short way for angles and rotations; and the line or curve
 * that fills a gap. Invariant: between equal values the result is that value, and next to a gap it is a gap;
 * a curve goes through the samples on both sides, and is the same in both directions of time. */
#ifndef SPRUNG_OFFLINE_INTERPOLATE_H
#define SPRUNG_OFFLINE_INTERPOLATE_H

#include "series/rotations.h"

/* n values, from a at fraction 0 to b at 1. period: of angles, in the turn of the nearer end; else 0. */
void interpolate_numbers(const double *fraction, size_t n, double a, double b, double period, double *x);

/* n rotations between a and b at constant angular velocity, the short way; angles nearest to a. x: their
 * columns. */
void interpolate_rotations(const struct rotation *r, const double *fraction, size_t n, const double a[4],
                           const double b[4], double *const x[4]);

/* What is filled; a sample x[4] is its numbers, one, or those of the rotation. */
struct gap_kind {
    const struct rotation *rotation; /* NULL: a number */
    double period;                   /* of an angle; else 0 */
};

/* The way from one sample to another: of a number the difference, of an angle the short one, of a rotation
 * the rotation vector; components that there are not become 0. */
void gap_way(const struct gap_kind *kind, const double from[4], const double to[4], double way[3]);

struct gap_curve {
    struct gap_kind kind;
    double a[4], b[4], T;               /* the samples on both sides, and the seconds between them */
    double way[3], before[3], after[3]; /* see interpolate.c */
};

/* A straight line, or a turn at constant angular velocity. */
struct gap_curve gap_curve_make(const struct gap_kind *kind, const double a[4], const double b[4], double T);

/* Bends it by the sample before a, at t_before < 0 seconds from a, or that after b, at t_after > T, or both;
 * NULL: it is not known. T > 0. */
void gap_curve_bend(struct gap_curve *c, const double *before, double t_before, const double *after,
                    double t_after);

/* Sets x to the sample t seconds after a. x: that of the row before, to which Euler angles are near. */
void gap_curve_at(const struct gap_curve *c, double t, double x[4]);

#endif
