/* Real powers of the matrix by which the tracking spring's gains move its error and rate in one gain step.
 * Invariant: M^a M^b = M^(a+b) to rounding, for decaying and oscillating errors, and where these meet; M^1 =
 * M. */
#ifndef SPRUNG_MATRIX_POWER_H
#define SPRUNG_MATRIX_POWER_H

#include "filters/transition.h"
#include <stdbool.h>

/* Computed once for M = [1-x, t/rate; -x rate, t], t = (1-x)(1-v). */
struct matrix_power {
    bool whole, decays; /* x == 1; the eigenvalues are real */
    double rate;        /* gain steps per second */
    double h;           /* half the distance of the eigenvalues */
    double log, gap; /* log of the slower eigenvalue or of their modulus; log of the slower over the faster */
    double mean;     /* of the eigenvalues */
    long double phase;    /* of complex ones */
    double e_e, e_v, v_e; /* M without its mean (or for e_e without the slower eigenvalue) */
};

/* Gains 0 <= x, v <= 1 of position and velocity, per step of a rate > 0 (1/s). */
struct matrix_power matrix_power_of(double x, double v, double rate);

/* M^(T rate) - I, T > 0 (s). With x == 1, M removes the whole error and M^2 is 0: only integer powers exist.
 * Then the nearer of M and M^2 is used, with the velocity of a step of T. */
struct transition matrix_power_raise(const struct matrix_power *m, double T);

#endif
