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

#include <string.h>

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
    size_t n;            /* number of channels that run side by side */
    size_t first;        /* the first channel */
    size_t derived;      /* the rows before have velocity and acceleration */
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
    if (row == 0 && !rows->before)
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
    struct smooth_spread P = smooth_spread_known(gain);
    for (size_t c = 0; c < n; c++) {
        double es = curve->acceleration[at + c], m2 = l2[c];
        curve->value[at + c] += gain->P11 * es - (P.P11 * l1[c] + P.P12 * m2);
        if (row < lanes->derived) {
            double velocity = curve->velocity[at + c] + (gain->P12 * es - (P.P12 * l1[c] + P.P22 * m2));
            curve->velocity[at + c] = velocity;
            curve->acceleration[at + c] = -(bending.curvature / ease_at(lanes->rows, row)) * m2 -
                                          bending.k * velocity;
        }
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
        const struct smooth_gain gain = *smooth_gain_of(lanes->gains, row);
        step_backward(lanes, &gain, bending, row, l1, l2, n);
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
    double T = smooth_time_of(rows, second);
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

/* Begins with the sample of row 0, whose prediction and innovation are known. */
static void begin_behind(struct lanes *lanes)
{
    const struct smooth_curve *before = lanes->rows->before, *curve = lanes->curve;
    const struct smooth_gain *gain = smooth_gain_of(lanes->gains, 0);
    for (size_t c = 0; c < lanes->n; c++) {
        size_t at = lanes->first + c;
        double es = curve->acceleration[at] = before->acceleration[at];
        curve->value[at] = before->value[at];
        curve->velocity[at] = before->velocity[at];
        lanes->value[c] = before->value[at] + gain->P11 * es;
        lanes->velocity[c] = before->velocity[at] + gain->P12 * es;
    }
}

/* Turns round behind the last row, with the adjoint there. */
static void turn_back(struct lanes *lanes)
{
    const double *adjoint = lanes->curve->adjoint;
    for (size_t c = 0; c < lanes->n; c++) {
        lanes->value[c] = adjoint ? adjoint[lanes->first + c] : 0;
        lanes->velocity[c] = adjoint ? adjoint[lanes->rows->nchannel + lanes->first + c] : 0;
    }
}

static void keep_adjoint(const struct lanes *lanes)
{
    double *adjoint = lanes->curve->adjoint;
    for (size_t c = 0; c < lanes->n && adjoint; c++) {
        adjoint[lanes->first + c] = lanes->value[c];
        adjoint[lanes->rows->nchannel + lanes->first + c] = lanes->velocity[c];
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

/* Goes backward over the last row, where the curve is held at a given value: by the gain of a sample without
 * error, and with the adjoint of the velocity that takes the penalty beyond the end off again. */
static void hold_last(struct smooth_penalty penalty, struct lanes *lanes, struct bending bending)
{
    size_t row = lanes->rows->n - 1;
    struct smooth_gain gain = *smooth_gain_of(lanes->gains, row);
    if (gain.P11 > 0) { /* not the only row */
        smooth_gain_hold(&gain);
        for (size_t c = 0; c < lanes->n; c++) {
            size_t at = index_of(lanes, row) + c;
            double e = lanes->rows->last[lanes->first + c] - lanes->curve->value[at];
            lanes->curve->acceleration[at] = e * gain.per_s;
            if (penalty.a2 > 0)
                lanes->velocity[c] = (lanes->curve->velocity[at] + gain.K2 * e) /
                                     (gain.P22 - gain.K2 * gain.P12 - smooth_end_variance(penalty));
        }
    }
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
    turn_back(lanes);
    hold_last(penalty, lanes, bending);
    run_backward(lanes, bending, lanes->rows->n - 1, lanes->curve->from);
}

static void run_behind(struct lanes *lanes, struct bending bending)
{
    begin_behind(lanes);
    run_forward(lanes, 0);
    turn_back(lanes);
    run_backward(lanes, bending, lanes->rows->n, lanes->curve->from);
    keep_adjoint(lanes);
}

static void run_free(struct smooth_penalty penalty, struct lanes *lanes, struct bending bending,
                     size_t second)
{
    double T = smooth_time_of(lanes->rows, second);
    size_t from = lanes->curve->from;
    begin_with_two(lanes, second);
    run_forward(lanes, second);
    turn_back(lanes);
    if (from <= second && lanes->derived <= second) /* join_two needs the velocity */
        lanes->derived = second + 1;
    run_backward(lanes, bending, lanes->rows->n, from > second ? from : second);
    if (from > second)
        return;
    end_with_two(penalty, lanes, second, T);
    join_two(lanes, second, T);
}

void smooth_run(struct smooth_penalty penalty, const struct smooth_rows *rows,
                const struct smooth_gains *gains, const struct smooth_curve *curve)
{
    const struct bending bending = { penalty.a2 > 0 ? 1 / penalty.a2 : 0, smooth_rate(penalty) };
    bool starts = !smooth_is_fixed(penalty) && !rows->before;
    size_t second = starts ? smooth_second_sample(rows) : 0;
    if (second == rows->n) {
        stand_still(rows, curve);
        return;
    }
    for (size_t first = 0; first < rows->nchannel; first += LANES) {
        struct lanes lanes = { .rows = rows, .gains = gains, .curve = curve, .first = first };
        lanes.n = rows->nchannel - first < LANES ? rows->nchannel - first : LANES;
        lanes.derived = rows->n - curve->value_rows;
        if (smooth_is_fixed(penalty))
            run_between(penalty, &lanes, bending);
        else if (rows->before)
            run_behind(&lanes, bending);
        else
            run_free(penalty, &lanes, bending, second);
    }
}
