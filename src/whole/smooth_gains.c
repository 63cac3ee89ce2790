/* The gains of the rows of a curve, and its trace. See smooth_gains.h; the model and its formulas stand in
 * smooth.c. */
#include "whole/smooth_gains.h"

#include <math.h>
#include <string.h>

/* Below this k T the series of Q are used, where the closed forms lose digits. */
#define SERIES_BELOW 0.5

/* The covariance has settled when it changes by less than this part from row to row. */
#define SETTLED 1e-15

double smooth_rate(struct smooth_penalty penalty)
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
    double k = smooth_rate(penalty), u = k * T;
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
static struct smooth_spread spread_after(struct smooth_spread P, const struct smooth_step *step)
{
    double across = P.P12 + step->F12 * P.P22;
    return (struct smooth_spread){
        P.P11 + step->F12 * (P.P12 + across) + step->Q11,
        step->F22 * across + step->Q12,
        step->F22 * step->F22 * P.P22 + step->Q22,
    };
}

/* The gain of a row whose sample has this weight. */
static struct smooth_gain gain_of(struct smooth_spread P, double weight, const struct smooth_step *step)
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

double smooth_end_variance(struct smooth_penalty penalty)
{
    return penalty.a2 > 0 ? 1 / sqrt(penalty.a1 * penalty.a2) : 0;
}

/* The covariance of the free curve at the second sample, `row`, when it is known: the two samples alone set
 * value and velocity. step: from the first row to the second sample. */
static struct smooth_spread spread_of_two(const struct smooth_rows *rows, size_t row, double T,
                                          const struct smooth_step *step)
{
    double before = 1 / rows->weight[0], here = 1 / rows->weight[row];
    return (struct smooth_spread){
        here,
        here / T,
        (before + here + step->Q11) / (T * T) - 2 * step->Q12 / T + step->Q22,
    };
}

size_t smooth_second_sample(const struct smooth_rows *rows)
{
    size_t row = 1;
    while (row < rows->n && !(rows->weight[row] > 0))
        row++;
    return row;
}

double smooth_time_of(const struct smooth_rows *rows, size_t row)
{
    double time = 0;
    for (size_t i = 1; i <= row; i++)
        time += rows->T[i];
    return time;
}

static bool is_settled(struct smooth_spread P, struct smooth_spread before)
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
                    size_t row, struct smooth_spread P)
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
        struct smooth_spread known = smooth_spread_known(&gain[i]);
        settled = same && is_settled(known, P);
        P = known;
    }
    return rows->n;
}

void smooth_find_gains(struct smooth_penalty penalty, const struct smooth_rows *rows,
                       struct smooth_gains *gains)
{
    struct smooth_gain *gain = gains->row;
    if (rows->before) {
        gains->n = go_on(penalty, rows, gain, 1, smooth_spread_known(&gain[0]));
        return;
    }
    if (smooth_is_fixed(penalty)) {
        const struct smooth_step still = { 0, 1, 0, 0, 0 };
        const struct smooth_spread P = { 0, 0, smooth_end_variance(penalty) };
        gain[0] = gain_of(P, 0, &still);
        gains->n = go_on(penalty, rows, gain, 1, P);
        return;
    }
    size_t second = smooth_second_sample(rows);
    memset(gain, 0, (second < rows->n ? second + 1 : rows->n) * sizeof *gain);
    gains->n = rows->n;
    if (second == rows->n)
        return;
    double T = smooth_time_of(rows, second);
    struct smooth_step step = smooth_step(penalty, T, rows->ease ? rows->ease[second] : 1);
    struct smooth_spread P = spread_of_two(rows, second, T, &step);
    gain[second] = (struct smooth_gain){ .P11 = P.P11, .P12 = P.P12, .P22 = P.P22, .left = 1, .F22 = 1 };
    gains->n = go_on(penalty, rows, gain, second + 1, P);
}

void smooth_gain_hold(struct smooth_gain *gain)
{
    gain->per_s = 1 / gain->P11;
    gain->K1 = 1;
    gain->left = 0;
    gain->K2 = gain->P12 / gain->P11;
}

/* --- leverage --- */

/* The information that the later samples add, backward over a row: N <- (I - K H)' N (I - K H) + H' H / s. */
static struct smooth_spread add_information(struct smooth_spread N, const struct smooth_gain *gain)
{
    double left = gain->left, across = left * N.P12 - gain->K2 * N.P22;
    return (struct smooth_spread){
        left * (left * N.P11 - gain->K2 * N.P12) - gain->K2 * across + gain->per_s,
        across,
        N.P22,
    };
}

/* N <- F' N F. */
static struct smooth_spread information_before(struct smooth_spread N, const struct smooth_gain *gain)
{
    double across = gain->F12 * N.P11 + gain->F22 * N.P12;
    return (struct smooth_spread){
        N.P11,
        across,
        gain->F12 * (across + gain->F22 * N.P12) + gain->F22 * gain->F22 * N.P22,
    };
}

/* The variance of the curve at a row: (P - P N P)11. N: of the rows behind. */
static double variance_of(const struct smooth_gain *gain, struct smooth_spread N)
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
    struct smooth_spread N = { 0, 0, 0 };
    size_t n = rows->n, first = smooth_is_fixed(penalty) ? 0 : smooth_second_sample(rows);
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
        if (same && settled && row >= gains->n) { /* and so are all rows down to row gains->n */
            sum += leverage * (double)(row + 1 - gains->n);
            row = gains->n;
            continue;
        }
        if (same && settled && row > first) {
            sum += leverage;
            continue;
        }
        if (row == n - 1 && smooth_is_fixed(penalty) && here.P11 > 0) {
            smooth_gain_hold(&here);
            if (penalty.a2 > 0)
                N.P22 = 1 / (here.P22 - here.K2 * here.P12 - smooth_end_variance(penalty));
        }
        double variance = variance_of(&here, N);
        leverage = variance > 0 ? rows->weight[row] * variance : 0;
        sum += leverage;
        struct smooth_spread before = N;
        N = add_information(N, &here);
        if (row > first)
            N = information_before(N, &here);
        settled = same && is_settled(N, before);
    }
    if (smooth_is_fixed(penalty))
        return sum;
    double T = smooth_time_of(rows, first);
    return sum + 1 - N.P22 / (T * T * rows->weight[0]);
}
