/* Real powers of the matrix by which the tracking spring's gains move its error and rate in one gain step.
 * Invariant: M^a M^b = M^(a+b) to rounding, whether the error decays or swings, and where these meet; M^1 =
 * M. */
#ifndef SPRUNG_POWER_H
#define SPRUNG_POWER_H

#include "filters/transition.h"
#include <stdbool.h>

/* What is computed once of M = [1-x, t/rate; -x rate, t], t = (1-x)(1-v). */
struct power {
    bool whole, decays; /* x == 1; the eigenvalues are real */
    double rate;        /* gain steps per second */
    double h;           /* half the distance of the eigenvalues */
    double log, gap;    /* of the slower eigenvalue, or of their modulus; how much less that of the faster is */
    double mean; /* of the eigenvalues */
    long double phase;    /* of complex ones */
    double e_e, e_v, v_e; /* M without its mean (or for e_e without the slower eigenvalue) */
};

/* Gains 0 <= x, v <= 1 of position and velocity, per step of a rate > 0 (1/s). */
struct power power_of(double x, double v, double rate);

/* M^(T rate) - I, T > 0 (s). With x == 1 all of the error goes in one gain step, and of the rate what this
 * gave: then M has no other than whole powers, and the nearest of 1 and 2 is meant, with the velocity of a
 * step of T. */
struct phi power_raise(const struct power *m, double T);

#endif
