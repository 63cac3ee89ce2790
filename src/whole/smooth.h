/* The smoothing spline, which does --zero-phase: the curve x that makes
 *
 *     sum of weight_i (x_i - g_i)^2  +  integral of a1 x'^2 + a2 x''^2
 *
 * least, where g_i are the samples. On even rows its gain is 1 / (1 + a1 w^2 + a2 w^4) at the angular
 * frequency w, which is the gain of a damper or a spring that runs forward and then backward. Invariants: the
 * reversed samples have the reversed curve, but for rounding; a missing sample has the weight 0, and its row
 * shows the curve between the samples; channels do not influence each other.
 *
 * Arrays of several channels hold row after row. */
#ifndef SPRUNG_WHOLE_SMOOTH_H
#define SPRUNG_WHOLE_SMOOTH_H

#include "whole/smooth_gains.h"

/* The curve at the rows. */
struct smooth_curve {
    double *value, *velocity; /* [n * nchannel] */
    double *acceleration; /* [n * nchannel]; 0 for a polygon, whose velocity is not defined at rows, too */
    size_t value_rows;    /* rows at the end whose velocity and acceleration are only scratch, which is
                             faster; at most n */
    size_t from;     /* the rows before are only scratch, too: their curve is not made. From n on: the scratch
                        of a row is its prediction and the innovation over its variance */
    double *adjoint; /* [2][nchannel] the adjoint behind the last row, 0 where no rows follow. It becomes the
                        adjoint behind row from - 1. NULL: 0, and the other is not wanted */
};

/* Computes the curve. gains: of smooth_find_gains for the same rows. The arrays of curve must not be those of
 * rows. */
void smooth_run(struct smooth_penalty penalty, const struct smooth_rows *rows,
                const struct smooth_gains *gains, const struct smooth_curve *curve);

#endif
