/* The matrix Phi that moves a damped spring's error e = x - goal and the error's rate v over a step, for all
 * filters. Structs hold Phi - I, the change in a step, so that ten thousand short steps lose no more digits
 * than a long step. Invariant: Phi(a) Phi(b) = Phi(a + b) to rounding, below, at and above critical damping;
 * never NaN nor infinite. Phi is the closed form of x'' = -s x - d x'; Daniel Holden's "Spring-Roll-Call"
 * (2021) derives the form for games. */
#ifndef SPRUNG_SPRINGS_TRANSITION_H
#define SPRUNG_SPRINGS_TRANSITION_H

#include <stdbool.h>

struct transition {
    double e_e, e_v; /* e += e_e e + e_v v */
    double v_e, v_v; /* v += v_e e + v_v v */
};

/* Phi - I, and the diagonal of Phi, accurate to the last digit where a long step leaves little of e and v. */
struct transition_full {
    struct transition add;
    double ee, vv;
};

/* How exp(-u) is computed: exactly, or as game engines approximate it. Choices of --approx; -1: not given. */
enum approx { APPROX_NONE = -1, APPROX_HOLDEN, APPROX_UNREAL };
extern const char *const approx_names[];

#define APPROX_HELP "approximate exp() as Holden's code or Unreal does"
#define APPROX_OPTION(text, with)                                                                            \
    {                                                                                                        \
        .name = "approx", CHOICE(common.approx, approx_names), .help = text, .methods = with                 \
    }

/* E = exp(-u), and m1 = exp(-u) - 1, for u >= 0 (infinity too), by the given method. */
struct decay {
    double E, m1;
};
struct decay transition_decay(double u, int approx);

/* 1 - exp(-u) (1 + u + ... u^(k-1)/(k-1)!), 1 <= k <= 4, to the last digits for any u >= 0: the response of k
 * equal first-order lags in series to a unit step, u time constants after the step. */
double transition_passed(int k, double u, int approx);

/* x'' = -s x - d x' over T: stiffness s >= 0 (1/s^2), damping d >= 0 (1/s), T >= 0 (s), all finite. */
struct transition_full transition_spring(double s, double d, double T, int approx);

/* The critical spring of half damping y = d/2 = sqrt s (1/s). */
struct transition_full transition_critical(double y, double T, int approx);

static inline void transition_apply(const struct transition *phi, double *e, double *v)
{
    double moved = *e + (phi->e_e * *e + phi->e_v * *v);
    *v = *v + (phi->v_e * *e + phi->v_v * *v);
    *e = moved;
}

/* --- real powers of M, the matrix that moves the tracking spring's error and rate in one gain step.
 * Invariant: M^1 = M, and M^a M^b = M^(a+b) to rounding. --- */

/* Computed once for M = [1-x, t/rate; -x rate, t], t = (1-x)(1-v). (slope_e, slope_v) is the first row of
 * log(M) rate, so that the powers of M move e: e' = slope_e e + slope_v v. Where M has an eigenvalue of 0 and
 * no logarithm, the slopes are limits: x == 1 leaves no error, and with v == 1 v is a multiple of e. */
struct matrix_power {
    bool whole;           /* x == 1: only integer powers exist */
    bool decays;          /* the eigenvalues are real */
    double rate;          /* gain steps per second */
    double h;             /* half the distance of the eigenvalues */
    double log;           /* log of the slower eigenvalue; of complex eigenvalues log of the modulus */
    double gap;           /* log of the quotient of slower and faster eigenvalue */
    double mean;          /* mean of the eigenvalues */
    double phase;         /* phase of complex eigenvalues */
    double e_e, e_v, v_e; /* M less its mean; with real eigenvalues e_e is M's less the slower eigenvalue */
    double slope_e, slope_v; /* first row of log(M) rate, 1/s and 1 */
};

/* Gains 0 <= x, v <= 1 of position and velocity, per step of a rate > 0 (1/s). */
struct matrix_power matrix_power_of(double x, double v, double rate);

/* M^(T rate) - I, T > 0 (s). With x == 1, M removes the whole error and M^2 is 0: only integer powers exist.
 * Then the nearer of M and M^2 is used, with the velocity of a step of T. */
struct transition matrix_power_raise(const struct matrix_power *m, double T);

#endif
