/* Phi - I in closed form, without thresholds that have a dimension and without overflow in between. S is the
 * answer to a unit velocity. Below critical damping Phi's diagonal is exp(-yT) cos wT plus and minus y S.
 * Above, with two decaying exponentials of rates m < f, it is E_m + m S and E_f - m S; m is computed as s/f,
 * as y - h cancels. Both become exp(-yT) (1 +- yT) with S = T exp(-yT) where they meet. */
#include "springs/transition.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* 1/(1 + series) stands for exp(-u): Holden's fast_negexp and Unreal Engine's FMath::InvExpApprox. */
static const double coefficients[][3] = {
    [APPROX_HOLDEN] = { 1, 0.48, 0.235 }, [APPROX_UNREAL] = { 1.00746054, 0.45053901, 0.25724632 }
};

const char *const approx_names[] = { [APPROX_HOLDEN] = "holden", [APPROX_UNREAL] = "unreal", NULL };

static double series(double u, int approx)
{
    const double *c = coefficients[approx];
    return u * (c[0] + u * (c[1] + u * c[2]));
}

/* Neither exp(-u) nor exp(-u) - 1 loses digits, from one call of the library. */
struct decay transition_decay(double u, int approx)
{
    if (approx != APPROX_NONE)
        return (struct decay){ 1 / (1 + series(u, approx)), -1 / (1 + 1 / series(u, approx)) };
    if (u < 0.5) {
        double m1 = expm1(-u);
        return (struct decay){ 1 + m1, m1 };
    }
    double E = exp(-u);
    return (struct decay){ E, E - 1 };
}

/* The difference cancels for small u: the rest of the exponential's series, or of an approximation's, is
 * summed instead. */
double transition_passed(int k, double u, int approx)
{
    static const double taylor[] = { 1, 1. / 2, 1. / 6 };
    u = fmin(u, 1e100); /* u^3 must not overflow */
    double E = transition_decay(u, approx).E, term = E, sum = 0, rest = 0;
    if (approx != APPROX_NONE) {
        for (int i = 3; i-- > 0;)
            rest = u * (coefficients[approx][i] - (k > i + 1 ? taylor[i] : 0) + rest);
        return E * rest;
    }
    for (int i = 0; i < k; term *= u / ++i)
        sum += term;
    if (u > 1)
        return 1 - sum;
    for (int i = k; i < k + 20; term *= u / ++i)
        rest += term;
    return rest;
}

/* e_e of a step that is very short compared with the spring's time constants: there E + y S - 1 is a
 * difference of nearly equal numbers. Instead, e_e is computed as -s times the integral of S, which is summed
 * as a power series in T. For a longer step the argument e_e is returned, whose difference has cost at
 * most eight bits. */
static double short_step_e_e(double s, double d, double T, double e_e)
{
    double dT = d * T, sTT = s * T * T, last = 0, term = 0.5, sum = 0.5;
    if (!(dT < 0x1p-6 && sTT < 0x1p-12))
        return e_e;
    for (int n = 3; n < 9; n++) {
        double next = -(1. / n * dT * term + 1. / (n * (n - 1)) * sTT * last);
        last = term;
        term = next;
        sum += term;
    }
    return -sTT * sum;
}

struct transition_full transition_critical(double y, double T, int approx)
{
    double u = y * T;
    struct decay decay = transition_decay(u, approx);
    double E = decay.E, m1 = decay.m1, S = T * E;
    struct transition_full phi = {
        .add = { .e_e = m1 + y * S, .e_v = S, .v_e = -y * (y * S), .v_v = m1 - y * S },
        .ee = E + y * S,
        .vv = E - y * S,
    };
    if (approx == APPROX_NONE) {
        phi.add.e_e = short_step_e_e(y * y, 2 * y, T, phi.add.e_e);
    } else if (u < 1) { /* E (1 + u) - 1, multiplied out */
        const double *c = coefficients[approx];
        phi.add.e_e = u * (1 - c[0] - u * (c[1] + u * c[2])) * E;
    }
    return phi;
}

struct root {
    double k;         /* s - y^2, used for its sign */
    bool critical;    /* k is 0 to rounding */
    double high, low; /* sqrt |s - y^2|; low: the digits after high's, which a phase needs (k > 0) */
};

static struct root discriminant(double s, double y)
{
    double y2 = y * y, difference = s - y2, part = difference - s;
    double rest = (s - (difference - part)) - (y2 + part);
    double k = difference + rest, root = sqrt(fabs(k));
    rest += difference - k;
    double low = k > 0 ? (fma(-root, root, k) + rest) / (2 * root) : 0;
    return (struct root){ k, fabs(k) <= 8 * DBL_EPSILON * fmax(s, y2), root, low };
}

/* Phi - I and the diagonal of Phi below critical damping, for stiffness s (1/s^2), half damping y (1/s) and a
 * step T (s). With w = sqrt(s - y^2) (1/s), E = exp(-y T), C = E cos wT and S = E sin(wT) / w (s):
 *
 *     Phi = [ C + y S,  S; -s S,  C - y S ]
 *
 * This is the closed form of transition.h, where (C, S) is x(T) / x(0) of x'' = -s x - 2 y x' for the starts
 * (1, -y) and (0, 1) of (x, x'). C - 1 cancels where T is short, and is computed as
 * m1 = (E - 1) cos wT + (cos wT - 1), with cos wT - 1 = -2 sin(wT/2)^2. root: w, and the digits of w after a
 * double. */
static struct transition_full underdamped(double s, double y, const struct root *root, double T, int approx)
{
    /* Sine and cosine of half the phase u + u_low. A phase above 2^1000 has no correct digits left and only
     * must not overflow. */
    double u = root->high * T, u_low = 0;
    if (u < 0x1p1000)
        u_low = fma(root->high, T, -u) + root->low * T;
    else
        u = 0x1p1000;
    double sin_high = sin(u / 2), cos_high = cos(u / 2), sin_low = u_low / 2, cos_low = 1;
    if (fabs(u_low) > 0x1p-27) {
        sin_low = sin(u_low / 2);
        cos_low = cos(u_low / 2);
    }
    double sine = sin_high * cos_low + cos_high * sin_low;
    double cosine = cos_high * cos_low - sin_high * sin_low;

    struct decay decay = transition_decay(y * T, approx);
    double sin_u = 2 * sine * cosine, cos_u_m1 = -2 * sine * sine;
    double E = decay.E, C = E * (1 + cos_u_m1);
    double S = u > 0 ? E * (T * (sin_u / u)) : E * T;
    if (u > 1)
        S = E * (sin_u / root->high);
    double m1 = decay.m1 * (1 + cos_u_m1) + cos_u_m1;
    return (struct transition_full){
        .add = { .e_e = m1 + y * S, .e_v = S, .v_e = -s * S, .v_v = m1 - y * S },
        .ee = C + y * S,
        .vv = C - y * S,
    };
}

/* S for an approximation A = 1/(1 + series): its divided difference (A(m T) - A(f T)) / (f - m), multiplied
 * out where the difference would cancel. */
static double overdamped_S(double m, double f, double T, int approx)
{
    const double *c = coefficients[approx];
    double a = m * T, b = f * T, slow = transition_decay(a, approx).E, fast = transition_decay(b, approx).E;
    if (b - a > 1 && b > 2 * a)
        return (slow - fast) / (f - m);
    if (b > 1e50)
        return 0;
    return T * slow * (c[0] + c[1] * (a + b) + c[2] * (a * a + a * b + b * b)) * fast;
}

/* Phi - I and the diagonal of Phi above critical damping, with two decaying exponentials of the rates
 * m < f = y + h and h = sqrt(y^2 - s), all in 1/s. */
static struct transition_full overdamped(double s, double y, double h, double T, int approx)
{
    double f = h + y, m = f > 0 ? s / f : 0, t = 2 * h * T, S;
    struct decay slow = transition_decay(m * T, approx), fast = transition_decay(f * T, approx);
    if (approx != APPROX_NONE)
        S = overdamped_S(m, f, T, approx);
    else if (t > 1)
        S = slow.E * (-expm1(-t) / (2 * h));
    else
        S = slow.E * (T * (t > 0 ? -expm1(-t) / t : 1));
    return (struct transition_full){
        .add = { .e_e = slow.m1 + m * S, .e_v = S, .v_e = -s * S, .v_v = fast.m1 - m * S },
        .ee = slow.E + m * S,
        .vv = fast.E - m * S,
    };
}

struct transition_full transition_spring(double s, double d, double T, int approx)
{
    double y = d / 2;
    struct root root = discriminant(s, y);
    /* An approximate exponential is not its own derivative, so the two forms do not meet exactly: at critical
     * damping (to rounding) use the form that engines use there. */
    if (approx != APPROX_NONE && root.critical)
        return transition_critical(y, T, approx);
    struct transition_full phi = root.k > 0 ? underdamped(s, y, &root, T, approx)
                                            : overdamped(s, y, root.high, T, approx);
    if (approx == APPROX_NONE)
        phi.add.e_e = short_step_e_e(s, d, T, phi.add.e_e);
    return phi;
}

/* M has half trace m, determinant t and eigenvalues 2 sqrt k apart: complex, equal, or two decays.
 * M^p = (mean of their powers) I + S (M - m I), where S is sin(p phase)/sqrt(-k), or its hyperbolic
 * counterpart for k >= 0. Differences of nearly equal numbers are multiplied out, so that small gains keep
 * their digits. */
struct matrix_power matrix_power_of(double x, double v, double rate)
{
    const double t = (1 - x) * (1 - v), b = (v + x * (2 - v)) / 2; /* b = 1 - m */
    const double root = sqrt(x), damped = root * (2 - v);
    const double difference = v < .5 ? v - damped : (1 - x) / (1 + root) - (1 - v) * (1 + root);
    const double four_k = (1 - x) * difference * (v + damped);
    const bool decays = four_k > 0;
    struct matrix_power m = { .whole = x == 1,
                              .rate = rate,
                              .h = sqrt(fabs(four_k)) / 2,
                              .mean = (1 - x) * (2 - v) / 2,
                              .e_v = t / rate,
                              .v_e = -x * rate };
    if (decays) {
        double large = m.mean + m.h, slow = x / (b + m.h); /* the larger eigenvalue, and 1 - large */
        double fast = t / large;                           /* the smaller eigenvalue */
        m.decays = true;
        m.log = slow < .5 ? log1p(-slow) : log(large);
        m.gap = log1p(2 * m.h / fast);
        m.e_e = slow * fast;
    } else {
        m.log = (log1p(-x) + log1p(-v)) / 2;
        m.phase = atan2(m.h, m.mean);
        m.e_e = (1 - x) * v / 2;
    }
    double S = 1 / m.mean;
    if (m.decays)
        S = m.gap / (2 * m.h);
    else if (m.h > 0)
        S = m.phase / m.h;
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
        double phase = fmin(p * m->phase, 0x1p1000);
        double half = sin(phase / 2);
        S *= m->h > 0 ? sin(phase) / m->h : p / m->mean;
        e_e = v_v = e_e * cos(phase) - 2 * half * half;
    }
    return (struct transition){
        .e_e = e_e + S * m->e_e, .e_v = S * m->e_v, .v_e = S * m->v_e, .v_v = v_v - S * m->e_e
    };
}
