/* The smoothing spline as a Kalman filter forward and its adjoint backward. See smooth.h.
 *
 * The curve of least penalty is the most probable path of a motion
 *
 *     x'' = -k x' + white noise of density 1/a2,     k = sqrt(a1/a2)     (a2 = 0: x' = white noise of density
 * 1/a1)
 *
 * whose samples have independent errors of variance 1/weight. (G. Wahba, "Improper priors, spline smoothing
 * and the problem of guarding against model errors in regression", 1978; R. Kohn and C. F. Ansley, "A fast
 * algorithm for signal extraction, influence and cross-validation in state space models", Biometrika 76,
 * 1989.) The state is x and x'. Forward, from row to row, with the transition F, the covariance Q of the
 * noise in the step, and H = 1, 0:
 *
 *     xp = F x     Pp = F P F' + Q     e = g - xp     s = Pp11 + 1/weight     K = Pp H' / s     x = xp + K e
 *     P = (I - K H) Pp
 *
 * Backward, with the adjoint l, 0 behind the last row (A. E. Bryson and M. Frazier, "Smoothing for linear and
 * nonlinear dynamic systems", 1963):
 *
 *     smoothed = x - P l     m = (I - K H)' l - H' e / s     l = F' m
 *
 * x and P are those behind the row's sample: with the prediction instead, xp - Pp m, digits are lost where
 * the samples count far more than the penalty.
 *
 * The noise of the smoothest path is -m2 / a2 at the row, so that x'' = -k x' - m2 / a2. As a band matrix of
 * differences the same curve loses four digits for every tenfold of the row rate over the cutoff; this loses
 * none.
 */
#include "whole/smooth.h"

#include <math.h>
#include <string.h>

/* Below this k T the series of Q are used, where the closed forms lose digits. */
#define SERIES_BELOW 0.5

/* The covariance has settled when it changes by less than this part from row to row. */
#define SETTLED 1e-15

/* The covariance of the state. */
struct spread {
    double P11, P12, P22;
};

static double rate_of(struct smooth_penalty penalty)
{
    return penalty.a2 > 0 ? sqrt(penalty.a1 / penalty.a2) : 0;
}

/* The sum over n of (-u)^(n-2) (2^n - 2) / (n! (n + 1)), n from 2 on: the integral of (1 - exp(-u t))^2 / u^2
 * for t from 0 to 1. */
static double squared_rise(double u)
{
    double sum = 0, power = 1, factorial = 2, two = 4;
    for (int n = 2; n < 30; n++) {
        sum += power * (two - 2) / (factorial * (n + 1));
        power *= -u;
        factorial *= n + 1;
        two *= 2;
    }
    return sum;
}

struct smooth_step smooth_step(struct smooth_penalty penalty, double T, double scale)
{
    double k = rate_of(penalty), u = k * T;
    if (penalty.a2 == 0)
        return (struct smooth_step){ 0, 1, T / (penalty.a1 * scale), 0, 0 };
    double density = 1 / (penalty.a2 * scale);
    if (u == 0)
        return (struct smooth_step){ T, 1, T * T * T / 3 * density, T * T / 2 * density, T * density };
    double fade = exp(-u), lost = -expm1(-u), lost2 = -expm1(-2 * u);
    double rise = u < SERIES_BELOW ? T * T * T * squared_rise(u) : (u - 2 * lost + lost2 / 2) / (k * k * k);
    return (struct smooth_step){
        .F12 = lost / k,
        .F22 = fade,
        .Q11 = rise * density,
        .Q12 = lost * lost / (2 * k * k) * density,
        .Q22 = lost2 / (2 * k) * density,
    };
}

/* The step to a row. */
static struct smooth_step step_to(struct smooth_penalty penalty, const struct smooth_rows *rows, size_t row)
{
    return smooth_step(penalty, rows->T[row], rows->ease ? rows->ease[row] : 1);
}

/* The covariance after a step. */
static struct spread spread_after(struct spread P, const struct smooth_step *step)
{
    double across = P.P12 + step->F12 * P.P22;
    return (struct spread){
        P.P11 + step->F12 * (P.P12 + across) + step->Q11,
        step->F22 * across + step->Q12,
        step->F22 * step->F22 * P.P22 + step->Q22,
    };
}

/* The gain of a row whose sample has this weight. */
static struct smooth_gain gain_of(struct spread P, double weight, const struct smooth_step *step)
{
    struct smooth_gain gain = {
        .P11 = P.P11, .P12 = P.P12, .P22 = P.P22, .left = 1, .F12 = step->F12, .F22 = step->F22
    };
    if (weight > 0) {
        gain.per_s = weight / (P.P11 * weight + 1);
        gain.K1 = P.P11 * gain.per_s;
        gain.K2 = P.P12 * gain.per_s;
        gain.left = gain.per_s / weight;
    }
    return gain;
}

/* The covariance when the row's sample is known. */
static struct spread spread_known(const struct smooth_gain *gain)
{
    return (struct spread){
        gain->P11 * gain->left,
        gain->P12 * gain->left,
        gain->P22 - gain->K2 * gain->P12,
    };
}

/* With a1 > 0 the end values are given. The curve is that of the series beyond both ends by odd reflection
 * about the end values, again and again: it goes through the values, and beyond them nothing counts. The
 * model expects more than that: of the penalty, x'^2 / (2 variance) at either end. */
static bool is_fixed(struct smooth_penalty penalty)
{
    return penalty.a1 > 0;
}

/* The variance of x' at a given end value with which the model has no penalty beyond the end. */
static double end_variance(struct smooth_penalty penalty)
{
    return penalty.a2 > 0 ? 1 / sqrt(penalty.a1 * penalty.a2) : 0;
}

/* The covariance of the free curve at the second sample, `row`, when it is known: the two samples alone set
 * value and velocity. step: from the first row to the second sample. */
static struct spread spread_of_two(const struct smooth_rows *rows, size_t row, double T,
                                   const struct smooth_step *step)
{
    double before = 1 / rows->weight[0], here = 1 / rows->weight[row];
    return (struct spread){
        here,
        here / T,
        (before + here + step->Q11) / (T * T) - 2 * step->Q12 / T + step->Q22,
    };
}

/* The first row behind row 0 with a sample; rows->n: there is none. */
static size_t second_sample(const struct smooth_rows *rows)
{
    size_t row = 1;
    while (row < rows->n && !(rows->weight[row] > 0))
        row++;
    return row;
}

/* Seconds from row 0 to a row. */
static double time_of(const struct smooth_rows *rows, size_t row)
{
    double time = 0;
    for (size_t i = 1; i <= row; i++)
        time += rows->T[i];
    return time;
}

static bool is_settled(struct spread P, struct spread before)
{
    return fabs(P.P11 - before.P11) <= SETTLED * P.P11 && fabs(P.P12 - before.P12) <= SETTLED * fabs(P.P12) &&
           fabs(P.P22 - before.P22) <= SETTLED * P.P22;
}

/* Are steps and weights of all rows from a row on those of this row? */
static bool is_even_from(const struct smooth_rows *rows, size_t row)
{
    for (size_t i = row + 1; i < rows->n; i++)
        if (rows->T[i] != rows->T[row] || rows->weight[i] != rows->weight[row])
            return false;
    return true;
}

/* Goes on with the gains from row `row` on; P: the covariance in the row before. Returns their number. */
static size_t go_on(struct smooth_penalty penalty, const struct smooth_rows *rows, struct smooth_gain *gain,
                    size_t row, struct spread P)
{
    struct smooth_step step = { 0 };
    bool settled = false, looked = false; /* looked: for the end of the stretch of equal rows */
    for (size_t i = row; i < rows->n; i++) {
        bool same = i > row && rows->T[i] == rows->T[i - 1] && !rows->ease;
        if (settled && same && rows->weight[i] == rows->weight[i - 1]) {
            if (!looked && is_even_from(rows, i))
                return i;
            looked = true;
            gain[i] = gain[i - 1];
            continue;
        }
        looked = false;
        if (!same)
            step = step_to(penalty, rows, i);
        gain[i] = gain_of(spread_after(P, &step), rows->weight[i], &step);
        struct spread known = spread_known(&gain[i]);
        settled = same && is_settled(known, P);
        P = known;
    }
    return rows->n;
}

void smooth_find_gains(struct smooth_penalty penalty, const struct smooth_rows *rows,
                       struct smooth_gains *gains)
{
    struct smooth_gain *gain = gains->row;
    if (is_fixed(penalty)) {
        const struct smooth_step still = { 0, 1, 0, 0, 0 };
        const struct spread P = { 0, 0, end_variance(penalty) };
        gain[0] = gain_of(P, 0, &still);
        gains->n = go_on(penalty, rows, gain, 1, P);
        return;
    }
    size_t second = second_sample(rows);
    memset(gain, 0, (second < rows->n ? second + 1 : rows->n) * sizeof *gain);
    gains->n = rows->n;
    if (second == rows->n)
        return;
    double T = time_of(rows, second);
    struct smooth_step step = smooth_step(penalty, T, rows->ease ? rows->ease[second] : 1);
    struct spread P = spread_of_two(rows, second, T, &step);
    gain[second] = (struct smooth_gain){ .P11 = P.P11, .P12 = P.P12, .P22 = P.P22, .left = 1, .F22 = 1 };
    gains->n = go_on(penalty, rows, gain, second + 1, P);
}

/* --- some channels side by side --- */

#define INLINE static inline __attribute__((always_inline))

enum {
    LANES = 4 /* channels that are run side by side, so that a sum does not wait for the sum before */
};

/* Neighbouring channels of a run, and their state, which goes from row to row. */
struct lanes {
    const struct smooth_rows *rows;
    const struct smooth_gains *gains;
    const struct smooth_curve *curve;
    size_t n;            /* number of these channels */
    size_t first;        /* the first of them */
    double value[LANES]; /* of the state: forward the curve, backward its adjoint */
    double velocity[LANES];
};

/* Index of the first of the channels in a row. */
static size_t index_of(const struct lanes *lanes, size_t row)
{
    return row * lanes->rows->nchannel + lanes->first;
}

/* Goes forward over the rows behind row `from`, from prediction to prediction. The curve keeps the prediction
 * of each row and the innovation over its variance for the way back. n: lanes->n, as a constant.
 *
 * The processor waits for each sum on the way from row to row, and x + K e followed by F x has more of them
 * than one sum with the gain F K. */
INLINE void go_forward(struct lanes *lanes, size_t from, size_t n)
{
    const struct smooth_rows *rows = lanes->rows;
    const struct smooth_curve *curve = lanes->curve;
    double x[LANES], v[LANES]; /* the prediction */
    memcpy(x, lanes->value, sizeof x);
    memcpy(v, lanes->velocity, sizeof v);
    struct smooth_gain gain = *smooth_gain_of(lanes->gains, from + 1);
    for (size_t c = 0; c < n; c++) {
        x[c] += gain.F12 * v[c];
        v[c] *= gain.F22;
    }
    for (size_t row = from + 1; row < rows->n; row++) {
        const struct smooth_gain next = *smooth_gain_of(lanes->gains, row + 1);
        double K1 = gain.K1 + next.F12 * gain.K2, K2 = next.F22 * gain.K2;
        size_t at = index_of(lanes, row);
        for (size_t c = 0; c < n; c++) {
            double e = gain.per_s > 0 ? rows->value[at + c] - x[c] : 0;
            curve->value[at + c] = x[c];
            curve->velocity[at + c] = v[c];
            curve->acceleration[at + c] = e * gain.per_s;
            x[c] = (x[c] + next.F12 * v[c]) + K1 * e;
            v[c] = next.F22 * v[c] + K2 * e;
        }
        gain = next;
    }
}

/* How the acceleration follows from the adjoint: curvature times the adjoint, less k times the velocity. */
struct bending {
    double curvature, k;
};

/* The penalty's scale at a row: the mean of both steps beside it. */
static double ease_at(const struct smooth_rows *rows, size_t row)
{
    if (!rows->ease)
        return 1;
    if (row == 0)
        return rows->ease[rows->n > 1];
    return row + 1 < rows->n ? (rows->ease[row] + rows->ease[row + 1]) / 2 : rows->ease[row];
}

/* Goes backward over a row: from the prediction and the innovation to the curve, and the adjoint to the row
 * before. n: lanes->n, as a constant. */
INLINE void step_backward(const struct lanes *lanes, const struct smooth_gain *gain, struct bending bending,
                          size_t row, double *l1, double *l2, size_t n)
{
    const struct smooth_curve *curve = lanes->curve;
    size_t at = index_of(lanes, row);
    struct spread P = spread_known(gain);
    for (size_t c = 0; c < n; c++) {
        double es = curve->acceleration[at + c], m2 = l2[c];
        double velocity = curve->velocity[at + c] + (gain->P12 * es - (P.P12 * l1[c] + P.P22 * m2));
        curve->value[at + c] += gain->P11 * es - (P.P11 * l1[c] + P.P12 * m2);
        curve->velocity[at + c] = velocity;
        curve->acceleration[at + c] = -bending.curvature * m2 - bending.k * velocity;
        l2[c] = (gain->F12 * gain->left * l1[c] - gain->F12 * es) + (gain->F22 - gain->F12 * gain->K2) * m2;
        l1[c] = (gain->left * l1[c] - es) - gain->K2 * m2;
    }
}

/* Goes backward from row end - 1 to row `to`. n: lanes->n, as a constant. */
INLINE void go_backward(struct lanes *lanes, struct bending bending, size_t end, size_t to, size_t n)
{
    double l1[LANES], l2[LANES];
    memcpy(l1, lanes->value, sizeof l1);
    memcpy(l2, lanes->velocity, sizeof l2);
    for (size_t row = end; row-- > to;) {
        const struct bending here = { bending.curvature / ease_at(lanes->rows, row), bending.k };
        const struct smooth_gain gain = *smooth_gain_of(lanes->gains, row);
        step_backward(lanes, &gain, here, row, l1, l2, n);
    }
    memcpy(lanes->value, l1, sizeof l1);
    memcpy(lanes->velocity, l2, sizeof l2);
}

static void run_forward(struct lanes *lanes, size_t from)
{
    switch (lanes->n) {
    case 1:
        go_forward(lanes, from, 1);
        break;
    case 2:
        go_forward(lanes, from, 2);
        break;
    case 3:
        go_forward(lanes, from, 3);
        break;
    default:
        go_forward(lanes, from, LANES);
    }
}

static void run_backward(struct lanes *lanes, struct bending bending, size_t end, size_t to)
{
    switch (lanes->n) {
    case 1:
        go_backward(lanes, bending, end, to, 1);
        break;
    case 2:
        go_backward(lanes, bending, end, to, 2);
        break;
    case 3:
        go_backward(lanes, bending, end, to, 3);
        break;
    default:
        go_backward(lanes, bending, end, to, LANES);
    }
}

/* --- both ends --- */

/* The curve that two samples at the beginning set, before the rest is known: at the second sample its value,
 * and the slope between both. */
static void begin_with_two(struct lanes *lanes, size_t second)
{
    const struct smooth_rows *rows = lanes->rows;
    double T = time_of(rows, second);
    size_t at = index_of(lanes, second);
    for (size_t c = 0; c < lanes->n; c++) {
        double from = rows->value[lanes->first + c], to = rows->value[at + c];
        lanes->curve->value[at + c] = lanes->value[c] = to;
        lanes->curve->velocity[at + c] = lanes->velocity[c] = (to - from) / T;
        lanes->curve->acceleration[at + c] = 0; /* no innovation */
    }
}

/* Begins at the given values, at rest. */
static void begin_at_value(struct lanes *lanes)
{
    for (size_t c = 0; c < lanes->n; c++) {
        size_t at = lanes->first + c;
        lanes->curve->value[at] = lanes->value[c] = lanes->rows->first[at];
        lanes->curve->velocity[at] = lanes->velocity[c] = lanes->curve->acceleration[at] = 0;
    }
}

/* The curve at the first row, from its adjoint at the second sample: by the covariance of both states. T:
 * seconds from the first row to the second sample. */
static void end_with_two(struct smooth_penalty penalty, const struct lanes *lanes, size_t second, double T)
{
    const struct smooth_rows *rows = lanes->rows;
    double before = 1 / rows->weight[0], here = 1 / rows->weight[second];
    struct smooth_step step = smooth_step(penalty, T, rows->ease ? rows->ease[second] : 1);
    double by1 = here / T, by2 = (before + here + step.Q11) / (T * T) - step.Q12 / T;
    for (size_t c = 0; c < lanes->n; c++) {
        size_t at = lanes->first + c;
        double x = rows->value[at], v = (rows->value[index_of(lanes, second) + c] - x) / T;
        lanes->curve->value[at] = x + before / T * lanes->velocity[c];
        lanes->curve->velocity[at] = v - by1 * lanes->value[c] - by2 * lanes->velocity[c];
        lanes->curve->acceleration[at] = 0;
    }
}

/* The curve at the rows between the first row and the second sample: the cubic through both. */
static void join_two(const struct lanes *lanes, size_t second, double T)
{
    const struct smooth_curve *curve = lanes->curve;
    double time = 0;
    for (size_t row = 1; row < second; row++) {
        time += lanes->rows->T[row];
        double u = time / T, rest = 1 - u;
        for (size_t c = 0; c < lanes->n; c++) {
            size_t from = lanes->first + c, to = index_of(lanes, second) + c, at = index_of(lanes, row) + c;
            double v0 = curve->velocity[from] * T, v1 = curve->velocity[to] * T;
            double x0 = curve->value[from], way = curve->value[to] - x0;
            curve->value[at] = x0 + u * u * (3 - 2 * u) * way + u * rest * (rest * v0 - u * v1);
            curve->velocity[at] = (6 * u * rest * way + rest * (1 - 3 * u) * v0 + u * (3 * u - 2) * v1) / T;
            curve->acceleration[at] = ((6 - 12 * u) * way + (6 * u - 4) * v0 + (6 * u - 2) * v1) / (T * T);
        }
    }
}

/* Holds the curve at a given last value: the gain of a sample without error there. */
static void hold_gain(struct smooth_gain *gain)
{
    gain->per_s = 1 / gain->P11;
    gain->K1 = 1;
    gain->left = 0;
    gain->K2 = gain->P12 / gain->P11;
}

/* Goes backward over the last row, where the curve is held at a given value: by the gain of a sample without
 * error, and with the adjoint of the velocity that takes the penalty beyond the end off again. */
static void hold_last(struct smooth_penalty penalty, struct lanes *lanes, struct bending bending)
{
    size_t row = lanes->rows->n - 1;
    struct smooth_gain gain = *smooth_gain_of(lanes->gains, row);
    if (gain.P11 > 0) { /* not the only row */
        hold_gain(&gain);
        for (size_t c = 0; c < lanes->n; c++) {
            size_t at = index_of(lanes, row) + c;
            double e = lanes->rows->last[lanes->first + c] - lanes->curve->value[at];
            lanes->curve->acceleration[at] = e * gain.per_s;
            if (penalty.a2 > 0)
                lanes->velocity[c] = (lanes->curve->velocity[at] + gain.K2 * e) /
                                     (gain.P22 - gain.K2 * gain.P12 - end_variance(penalty));
        }
    }
    bending.curvature /= ease_at(lanes->rows, row);
    step_backward(lanes, &gain, bending, row, lanes->value, lanes->velocity, lanes->n);
}

/* The curve of a single sample. */
static void stand_still(const struct smooth_rows *rows, const struct smooth_curve *curve)
{
    for (size_t i = 0; i < rows->n * rows->nchannel; i++) {
        curve->value[i] = rows->value[i % rows->nchannel];
        curve->velocity[i] = curve->acceleration[i] = 0;
    }
}

static void run_between(struct smooth_penalty penalty, struct lanes *lanes, struct bending bending)
{
    begin_at_value(lanes);
    run_forward(lanes, 0);
    memset(lanes->value, 0, sizeof lanes->value);
    memset(lanes->velocity, 0, sizeof lanes->velocity);
    hold_last(penalty, lanes, bending);
    run_backward(lanes, bending, lanes->rows->n - 1, 0);
}

static void run_free(struct smooth_penalty penalty, struct lanes *lanes, struct bending bending,
                     size_t second)
{
    double T = time_of(lanes->rows, second);
    begin_with_two(lanes, second);
    run_forward(lanes, second);
    memset(lanes->value, 0, sizeof lanes->value);
    memset(lanes->velocity, 0, sizeof lanes->velocity);
    run_backward(lanes, bending, lanes->rows->n, second);
    end_with_two(penalty, lanes, second, T);
    join_two(lanes, second, T);
}

void smooth_run(struct smooth_penalty penalty, const struct smooth_rows *rows,
                const struct smooth_gains *gains, const struct smooth_curve *curve)
{
    const struct bending bending = { penalty.a2 > 0 ? 1 / penalty.a2 : 0, rate_of(penalty) };
    size_t second = is_fixed(penalty) ? 0 : second_sample(rows);
    if (second == rows->n) {
        stand_still(rows, curve);
        return;
    }
    for (size_t first = 0; first < rows->nchannel; first += LANES) {
        struct lanes lanes = { .rows = rows, .gains = gains, .curve = curve, .first = first };
        lanes.n = rows->nchannel - first < LANES ? rows->nchannel - first : LANES;
        if (is_fixed(penalty))
            run_between(penalty, &lanes, bending);
        else
            run_free(penalty, &lanes, bending, second);
    }
}

/* --- leverage --- */

/* The information that the later samples add, backward over a row: N <- (I - K H)' N (I - K H) + H' H / s. */
static struct spread add_information(struct spread N, const struct smooth_gain *gain)
{
    double left = gain->left, across = left * N.P12 - gain->K2 * N.P22;
    return (struct spread){
        left * (left * N.P11 - gain->K2 * N.P12) - gain->K2 * across + gain->per_s,
        across,
        N.P22,
    };
}

/* N <- F' N F. */
static struct spread information_before(struct spread N, const struct smooth_gain *gain)
{
    double across = gain->F12 * N.P11 + gain->F22 * N.P12;
    return (struct spread){
        N.P11,
        across,
        gain->F12 * (across + gain->F22 * N.P12) + gain->F22 * gain->F22 * N.P22,
    };
}

/* The variance of the curve at a row: (P - P N P)11. N: of the rows behind. */
static double variance_of(const struct smooth_gain *gain, struct spread N)
{
    double P1 = gain->P11 * gain->left, P2 = gain->P12 * gain->left;
    return P1 - P1 * P1 * N.P11 - 2 * P1 * P2 * N.P12 - P2 * P2 * N.P22;
}

/* Do two rows do the same to the curve? */
static bool is_same(const struct smooth_gain *a, const struct smooth_gain *b)
{
    return a == b || (a->P11 == b->P11 && a->P12 == b->P12 && a->P22 == b->P22 && a->per_s == b->per_s &&
                      a->F12 == b->F12 && a->F22 == b->F22);
}

double smooth_trace(struct smooth_penalty penalty, const struct smooth_rows *rows,
                    const struct smooth_gains *gains)
{
    struct spread N = { 0, 0, 0 };
    size_t n = rows->n, first = is_fixed(penalty) ? 0 : second_sample(rows);
    const struct smooth_gain *behind = NULL; /* of the row behind */
    double sum = 0, leverage = 0;
    bool settled = false;
    if (first == n)
        return 1;
    for (size_t row = n; row-- > first;) {
        const struct smooth_gain *gain = smooth_gain_of(gains, row);
        bool same = behind && is_same(gain, behind);
        struct smooth_gain here = *gain;
        behind = gain;
        if (same && settled && row > first) {
            sum += leverage;
            continue;
        }
        if (row == n - 1 && is_fixed(penalty) && here.P11 > 0) {
            hold_gain(&here);
            if (penalty.a2 > 0)
                N.P22 = 1 / (here.P22 - here.K2 * here.P12 - end_variance(penalty));
        }
        double variance = variance_of(&here, N);
        leverage = variance > 0 ? rows->weight[row] * variance : 0;
        sum += leverage;
        struct spread before = N;
        N = add_information(N, &here);
        if (row > first)
            N = information_before(N, &here);
        settled = same && is_settled(N, before);
    }
    if (is_fixed(penalty))
        return sum;
    double T = time_of(rows, first);
    return sum + 1 - N.P22 / (T * T * rows->weight[0]);
}
