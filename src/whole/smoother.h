/* The cubic smoothing spline: the curve x that makes
 *
 *     sum of weight_i (x_i - value_i)^2 + a2 integral of x''^2
 *
 * least (C. H. Reinsch, "Smoothing by spline functions", Numerische Mathematik 10, 1967). It is computed as a
 * Kalman filter forward and its adjoint backward. Invariant: the curve of the reversed samples is the
 * reversed curve, and a straight line stays, but for rounding. */
#ifndef SPRUNG_WHOLE_SMOOTHER_H
#define SPRUNG_WHOLE_SMOOTHER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A run of samples. The first and the last sample have values. */
struct smoother_run {
    size_t n, width;      /* samples; doubles in a sample */
    const double *T;      /* [n] seconds since the sample before, > 0; T[0] is not used */
    const double *weight; /* [n] seconds that a sample stands for; 0: the sample is missing */
    const double *ease;   /* [n] factor of the penalty over the step before a sample; NULL: 1 */
    const double *value;  /* [n * width] sample after sample; a missing sample is not read */
    double a2;            /* penalty on the curvature, in s^4 */
    bool even;            /* equal steps and equal weights */
};

/* The Kalman gain at a sample, and the covariance of the prediction there. */
struct smoother_gain {
    double K1, K2, P11, P12, P22;
    double per_s; /* 1 over the variance of the innovation; 0: no sample */
};

/* The gains of all samples of a run. Zero-initialize. */
struct smoother_gains {
    struct smoother_gain *at; /* [nkept] the gain of a later sample is the last one; owned */
    size_t nkept, max;
    size_t second; /* index of the second known sample; the number of samples if there is none */
};

/* The curve of a run at its samples. */
struct smoother_curve {
    double *x;        /* [n * width] */
    double *velocity; /* [n * width] per second; NULL: not wanted */
    double *bend;     /* [n * width] acceleration, per second squared; without velocity overwritten */
};

/* a2 of the spline whose gain is 1/sqrt 2 at a cutoff in Hz, on even rows of this step. */
double smoother_penalty(double cutoff, double step);

/* The gain on even rows, of a wave whose phase advances by angle from row to row. */
double smoother_gain_at(double a2, double step, double angle);

/* False: out of memory. */
bool smoother_find_gains(const struct smoother_run *run, struct smoother_gains *gains, struct error *e);
void smoother_free(struct smoother_gains *gains);

/* Smooths a run, whose gains are known. */
void smoother_smooth(const struct smoother_run *run, const struct smoother_gains *gains,
                     const struct smoother_curve *curve);

/* The sum of the leverages, the derivatives of the curve at a sample by the sample. */
double smoother_trace(const struct smoother_run *run, const struct smoother_gains *gains);

#endif
