/* Kalman filter forward, adjoint backward. See smoother.h.
 *
 * The state is value and velocity (x, v); white noise of spectral density 1/a2 is its acceleration. F = [1 T;
 * 0 1] takes a state over a step, which adds the covariance Q = [T^3/3 T^2/2; T^2/2 T] / a2. With the
 * prediction xp, its covariance P and the innovation e = value - xp of variance s = P11 + 1/weight:
 *
 *     forward   K = P H' / s   x = xp + K e   P = (I - K H) P
 *     backward  m = (I - K H)' l - H' e/s     smoothed = xp - P m     l = F' m, from l = 0
 *
 * (A. E. Bryson, M. Frazier, "Smoothing for linear and nonlinear dynamic systems", 1963.) The acceleration is
 * -m2/a2. The filter starts with the line through the first two samples. On even steps the gains settle. */
#include "whole/smoother.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

#define SETTLED 1e-15 /* relative change of a covariance from sample to sample */

double smoother_penalty(double cutoff, double step)
{
    double w = 2 * M_PI * cutoff, angle = w * step;
    if (angle < 1e-5) /* the limit of short steps */
        return (M_SQRT2 - 1) / (w * w * w * w);
    double half = 2 * sin(angle / 2), q = half * half, square = step * step;
    return (M_SQRT2 - 1) * (1 - q / 6) / (q * q) * square * square;
}

/* --- gains --- */

struct covariance {
    double P11, P12, P22;
};

/* Adds to a covariance what a step of T seconds adds. */
static void add_noise(struct covariance *P, double T, double a2)
{
    P->P11 += T * T * T / (3 * a2);
    P->P12 += T * T / (2 * a2);
    P->P22 += T / a2;
}

/* The covariance of the prediction after a step. */
static struct covariance predict(struct covariance P, double T, double a2)
{
    struct covariance next = { P.P11 + T * (2 * P.P12 + T * P.P22), P.P12 + T * P.P22, P.P22 };
    add_noise(&next, T, a2);
    return next;
}

/* The gain at a sample, and in *P the covariance after it. */
static struct smoother_gain correct(struct covariance *P, double weight)
{
    struct smoother_gain gain = { 0, 0, P->P11, P->P12, P->P22, 0 };
    if (!(weight > 0))
        return gain;
    gain.per_s = 1 / (P->P11 + 1 / weight);
    gain.K1 = P->P11 * gain.per_s;
    gain.K2 = P->P12 * gain.per_s;
    double left = gain.per_s / weight; /* 1 - K1 */
    *P = (struct covariance){ left * P->P11, left * P->P12, P->P22 - gain.K2 * P->P12 };
    return gain;
}

static double eased(const struct smoother_run *run, size_t i)
{
    return run->ease ? run->a2 * run->ease[i] : run->a2;
}

static size_t find_second(const struct smoother_run *run)
{
    size_t i = 1;
    while (i < run->n && !(run->weight[i] > 0))
        i++;
    return i;
}

/* Seconds from the first sample to the second known one. */
static double time_to_second(const struct smoother_run *run, size_t second)
{
    double time = 0;
    for (size_t i = 1; i <= second; i++)
        time += run->T[i];
    return time;
}

/* The covariance of the line through the first two samples, at the second. */
static struct covariance begin_with_two(const struct smoother_run *run, size_t second)
{
    double T = time_to_second(run, second);
    double first = 1 / run->weight[0], here = 1 / run->weight[second];
    struct covariance Q = { 0, 0, 0 };
    add_noise(&Q, T, eased(run, second));
    return (struct covariance){ here, here / T, (Q.P11 + first + here) / (T * T) - 2 * Q.P12 / T + Q.P22 };
}

/* Is a covariance the one before, but for rounding? */
static bool is_settled(struct covariance a, struct covariance b)
{
    return fabs(a.P11 - b.P11) <= SETTLED * a.P11 && fabs(a.P22 - b.P22) <= SETTLED * a.P22;
}

bool smoother_find_gains(const struct smoother_run *run, struct smoother_gains *gains, struct error *e)
{
    const bool steady = run->even && !run->ease;
    size_t second = gains->second = find_second(run);
    gains->nkept = 0;
    if (second == run->n)
        return true;
    if (!array_reserve(&gains->at, steady ? second + 1 : run->n, &gains->max, sizeof *gains->at, e))
        return false;
    struct covariance P = begin_with_two(run, second), before = { 0, 0, 0 };
    gains->at[second] = (struct smoother_gain){ 0, 0, P.P11, P.P12, P.P22, 0 };
    gains->nkept = second + 1;
    for (size_t i = second + 1; i < run->n && !(steady && is_settled(P, before)); i++) {
        if (!array_reserve(&gains->at, i + 1, &gains->max, sizeof *gains->at, e))
            return false;
        before = P;
        P = predict(P, run->T[i], eased(run, i));
        gains->at[i] = correct(&P, run->weight[i]);
        gains->nkept = i + 1;
    }
    return true;
}

void smoother_free(struct smoother_gains *gains)
{
    free(gains->at);
    *gains = (struct smoother_gains){ .at = NULL };
}

static const struct smoother_gain *gain_of(const struct smoother_gains *gains, size_t i)
{
    return &gains->at[i < gains->nkept ? i : gains->nkept - 1];
}

/* --- the curve --- */

/* A component of the samples under way; its numbers are `width` doubles apart. */
struct sweep {
    const struct smoother_run *run;
    const struct smoother_gains *gains;
    const double *value;
    double *x, *velocity, *bend;
};

/* The state forward, or the adjoint backward. */
struct two {
    double a, b;
};

/* The seconds to the next sample; none follows the last one, and any number will do. */
static double step_after(const struct smoother_run *run, size_t i)
{
    return run->T[i + 1 < run->n ? i + 1 : i];
}

/* Forward over sample i, from its prediction, which is stored with the innovation over its variance. Returns
 * the prediction for the next sample, T seconds later. */
static inline struct two step_forward(const struct sweep *sweep, const struct smoother_gain *gain, double T,
                                      struct two state, size_t i)
{
    const size_t at = i * sweep->run->width;
    const double e = gain->per_s > 0 ? sweep->value[at] - state.a : 0;
    sweep->x[at] = state.a;
    sweep->bend[at] = e * gain->per_s;
    if (sweep->velocity)
        sweep->velocity[at] = state.b;
    return (struct two){ (state.a + T * state.b) + (gain->K1 + T * gain->K2) * e, state.b + gain->K2 * e };
}

static void sweep_forward(const struct sweep sweep)
{
    const struct smoother_run *run = sweep.run;
    const size_t second = sweep.gains->second, nkept = sweep.gains->nkept, at = second * run->width;
    struct two state = { sweep.value[at], (sweep.value[at] - sweep.value[0]) / time_to_second(run, second) };
    for (size_t i = second; i < nkept; i++)
        state = step_forward(&sweep, &sweep.gains->at[i], step_after(run, i), state, i);
    const struct smoother_gain settled = sweep.gains->at[nkept - 1];
    const double T = step_after(run, nkept - 1);
    for (size_t i = nkept; i < run->n; i++)
        state = step_forward(&sweep, &settled, T, state, i);
}

/* Backward over sample i, from the adjoint of the sample after it. Returns that of sample i: m, and after it
 * the l of the sample itself. */
static inline struct two step_backward(const struct sweep *sweep, const struct smoother_gain *gain, double T,
                                       struct two after, size_t i)
{
    const size_t at = i * sweep->run->width;
    const double a = (after.a - sweep->bend[at]) - ((gain->K1 + T * gain->K2) * after.a + gain->K2 * after.b);
    const double b = after.b + T * after.a;
    sweep->x[at] -= gain->P11 * a + gain->P12 * b;
    if (sweep->velocity) {
        sweep->velocity[at] -= gain->P12 * a + gain->P22 * b;
        sweep->bend[at] = -b / eased(sweep->run, i);
    }
    return (struct two){ a, b };
}

/* Returns the adjoint at the second known sample. */
static struct two sweep_backward(const struct sweep sweep)
{
    const size_t nkept = sweep.gains->nkept;
    const struct smoother_gain settled = sweep.gains->at[nkept - 1];
    const double T = step_after(sweep.run, nkept - 1);
    struct two adjoint = { 0, 0 };
    size_t i = sweep.run->n;
    for (; i > nkept; i--)
        adjoint = step_backward(&sweep, &settled, T, adjoint, i - 1);
    for (; i-- > sweep.gains->second;)
        adjoint = step_backward(&sweep, &sweep.gains->at[i], step_after(sweep.run, i), adjoint, i);
    return adjoint;
}

/* The curve at the first sample, by the covariance of the states at the first two known samples. */
static void end_with_two(const struct sweep sweep, struct two adjoint)
{
    const struct smoother_run *run = sweep.run;
    const size_t second = sweep.gains->second;
    const double T = time_to_second(run, second);
    const double first = 1 / run->weight[0], here = 1 / run->weight[second];
    struct covariance Q = { 0, 0, 0 };
    add_noise(&Q, T, eased(run, second));
    sweep.x[0] = sweep.value[0] + first / T * adjoint.b;
    sweep.bend[0] = 0;
    if (sweep.velocity)
        sweep.velocity[0] = (sweep.value[second * run->width] - sweep.value[0]) / T - here / T * adjoint.a -
                            ((first + here + Q.P11) / (T * T) - Q.P12 / T) * adjoint.b;
}

/* The curve at the missing samples between the first two known ones: the cubic through both. */
static void join_two(const struct sweep sweep)
{
    const struct smoother_run *run = sweep.run;
    const size_t second = sweep.gains->second, end = second * run->width;
    const double T = time_to_second(run, second);
    const double way = sweep.x[end] - sweep.x[0];
    double time = 0;
    for (size_t i = 1; i < second; i++) {
        const size_t at = i * run->width;
        time += run->T[i];
        const double u = time / T, left = 1 - u;
        const double v0 = sweep.velocity[0] * T, v1 = sweep.velocity[end] * T;
        sweep.x[at] = sweep.x[0] + u * u * (3 - 2 * u) * way + u * left * (left * v0 - u * v1);
        sweep.velocity[at] = (6 * u * left * way + left * (1 - 3 * u) * v0 + u * (3 * u - 2) * v1) / T;
        sweep.bend[at] = u * sweep.bend[end];
    }
}

/* The curve of a single sample. */
static void stand_still(const struct smoother_run *run, const struct smoother_curve *curve)
{
    for (size_t c = 0; c < run->n * run->width; c++) {
        curve->x[c] = run->value[c % run->width];
        curve->bend[c] = 0;
        if (curve->velocity)
            curve->velocity[c] = 0;
    }
}

void smoother_smooth(const struct smoother_run *run, const struct smoother_gains *gains,
                     const struct smoother_curve *curve)
{
    if (gains->second >= run->n) {
        stand_still(run, curve);
        return;
    }
    for (size_t c = 0; c < run->width; c++) {
        const struct sweep sweep = { run,
                                     gains,
                                     run->value + c,
                                     curve->x + c,
                                     curve->velocity ? curve->velocity + c : NULL,
                                     curve->bend + c };
        sweep_forward(sweep);
        end_with_two(sweep, sweep_backward(sweep));
        if (sweep.velocity)
            join_two(sweep);
    }
}

/* --- the gain --- */

double smoother_gain_at(double a2, double step, double angle)
{
    const double half = 2 * sin(angle / 2), q = half * half, square = step * step;
    return 1 / (1 + a2 * q * q / (square * square * (1 - q / 6)));
}

/* On even rows the trace is the mean of the gain over all angles from row to row. */
static double mean_gain(double a2, double step)
{
    enum { ANGLES = 200 };
    const double square = step * step, stiff = a2 / (square * square), cutoff = pow(1 / stiff, 0.25);
    const double first = fmin(cutoff, M_PI) / 30; /* below, the gain is 1 */
    const double ratio = pow(M_PI / first, 1.0 / ANGLES);
    double sum = first, angle = first, gain = 1;
    for (int i = 0; i < ANGLES; i++) {
        const double next = angle * ratio, there = smoother_gain_at(stiff, 1, fmin(next, M_PI));
        sum += (next - angle) * (gain + there) / 2;
        angle = next;
        gain = there;
    }
    return sum / M_PI;
}

double smoother_trace(const struct smoother_run *run, const struct smoother_gains *gains)
{
    if (gains->second >= run->n)
        return 1;
    if (run->even)
        return mean_gain(run->a2, run->n > 1 ? run->T[1] : 1) * (double)run->n;
    double l11 = 0, l12 = 0, l22 = 0, trace = 0; /* the covariance of the adjoint */
    for (size_t i = run->n; i-- > gains->second;) {
        const struct smoother_gain *gain = gain_of(gains, i);
        const double left = 1 - gain->K1, T = run->T[i];
        const double m12 = left * l12 - gain->K2 * l22;
        const double m11 = left * (left * l11 - 2 * gain->K2 * l12) + gain->K2 * gain->K2 * l22 + gain->per_s;
        const double taken = gain->P11 * gain->P11 * m11 + 2 * gain->P11 * gain->P12 * m12 +
                             gain->P12 * gain->P12 * l22;
        trace += run->weight[i] * (gain->P11 - taken);
        l22 = l22 + T * (2 * m12 + T * m11);
        l12 = m12 + T * m11;
        l11 = m11;
    }
    return trace + 1; /* of the first sample, nearly */
}
