/* M has half trace m, determinant t and eigenvalues 2 sqrt k apart: complex, equal, or two decays.
 * M^p = (mean of their powers) I + S (M - m I), where S is sin(p phase)/sqrt(-k), or its hyperbolic
 * counterpart for k >= 0. Differences of nearly equal numbers are multiplied out, so that small gains keep
 * their digits; a phase of many turns is computed in long double. */
#include "filters/transition.h"

#include <float.h>
#include <math.h>

struct matrix_power matrix_power_of(double x, double v, double rate)
{
    double t = (1 - x) * (1 - v), b = (v + x * (2 - v)) / 2; /* b = 1 - m */
    long double x_left = 1 - (long double)x, v_left = 1 - (long double)v, root = sqrtl(x);
    long double sum = v + root * (1 + v_left);
    long double difference = v < .5 ? v - root * (1 + v_left) : x_left / (1 + root) - v_left * (1 + root);
    long double k = x_left / 4 * difference * sum;
    struct matrix_power m = { .whole = x == 1,
                              .rate = rate,
                              .h = (double)sqrtl(fabsl(k)),
                              .mean = (double)(x_left * (1 + v_left) / 2),
                              .e_v = t / rate,
                              .v_e = -x * rate };
    if (k > 0) {
        double slow = x / (b + m.h), large = m.mean + m.h,
               fast = t / large; /* 1 - large; the smaller eigenvalue */
        m.decays = true;
        m.log = slow < .5 ? log1p(-slow) : log(large);
        m.gap = log1p(2 * m.h / fast);
        m.e_e = slow * fast;
    } else {
        m.log = (log1p(-x) + log1p(-v)) / 2;
        m.phase = atan2l(sqrtl(-k), (1 - (long double)x) * (1 - (long double)v / 2));
        m.e_e = (1 - x) * v / 2;
    }
    double S = m.decays ? m.gap / (2 * m.h) : m.h > 0 ? (double)m.phase / m.h : 1 / m.mean;
    if (!m.whole) {
        m.slope_e = isinf(m.gap) ? rate * m.log : rate * (m.log + S * m.e_e);
        m.slope_v = isinf(m.gap) ? 0 : rate * S * m.e_v;
    }
    return m;
}

struct transition matrix_power_raise(const struct matrix_power *m, double T)
{
    if (m->whole)
        return (
            struct transition){ .e_e = -1, .v_e = T * m->rate < 1.5 ? fmax(-1 / T, -DBL_MAX) : 0, .v_v = -1 };

    double p = T * m->rate, S = exp(p * m->log), e_e = expm1(p * m->log), v_v = e_e;
    if (m->decays) {
        double gap = p * m->gap;
        S *= -expm1(-gap) / (2 * m->h);
        v_v = expm1(p * m->log - gap);
    } else {
        double phase = (double)remainderl((long double)T * m->rate * m->phase, 4 * M_PIl);
        double half = sin(phase / 2);
        S *= m->h > 0 ? sin(phase) / m->h : p / m->mean;
        e_e = v_v = e_e * cos(phase) - 2 * half * half;
    }
    return (struct transition){
        .e_e = e_e + S * m->e_e, .e_v = S * m->e_v, .v_e = S * m->v_e, .v_v = v_v - S * m->e_e
    };
}
