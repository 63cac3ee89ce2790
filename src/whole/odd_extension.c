/* Both passes over a periodic series. See odd_extension.h.
 *
 * The extended run is a periodic series: a period leads from the near end of the run to the far end and back.
 * With uneven steps, and of rotations, filtering forward and then backward is not the same as backward and
 * then forward: the result is the mean of both orders.
 *
 * A pass counts its rows down to row 0, at which it enters the run; rows 1, 2 and on are the reflected rows
 * before it, and rows -1, -2 and on lead through the run and out of it. A pass begins so many rows before the
 * run (its lead-in) that the filter has forgotten its initial state, but at most one period. A filter that
 * remembers longer than a period has the same state at the end of a period as at the beginning, since the
 * series repeats itself: that state is the solution of a few equations. Rotations follow the same equations
 * where they are near their targets, and a few rounds of solving these find their state. */
#include "whole/odd_extension.h"

#include "base/array.h"
#include "springs/coefficients.h"
#include "springs/rotation.h"
#include <stdlib.h>

enum {
    ROWS = 512,        /* rows that are filtered at once */
    LEAST_LEAD_IN = 32 /* rows; a shorter period is one lead-in */
};

/* The reflected rows that a pass is filtered over before it enters the run. */
struct lead_in {
    ptrdiff_t nrow;
    double left[FILTER_MAXSTATE * FILTER_MAXSTATE]; /* what these rows leave of a state: column i holds what
                                                       becomes of double i */
    bool forgotten;                                 /* nothing is left of a state after these rows */
    bool still;                                     /* the filter hardly moves in a period */
};

struct odd_extension {
    const struct filter *filter;
    struct shape shape;
    struct coefficients coefficients;
    bool same;                 /* run and settings are those that lead_in was found for */
    struct odd_run run;        /* the run under way */
    bool backward;             /* the backward pass is the first; rows are counted from the end of the run */
    struct lead_in lead_in[2]; /* of the pass forward in time, and of the pass backward */
    double *value; /* [last + 1] samples, the result; after them 2 * last reflected rows of the second pass */
    double *other; /* [last + 1] samples, the result of the other order, where both are needed */
    double *T;     /* [ROWS] steps of the rows under way */
    double *chunk; /* [ROWS] their targets */
    double *result;  /* [ROWS] what becomes of them */
    double *scratch; /* [ROWS] outputs that are not kept */
};

/* Linear filters have no lists of values: their shape depends on no settings. */
struct odd_extension *odd_extension_make(const struct filter *filter, size_t most, size_t width,
                                         struct error *e)
{
    struct odd_extension *x;
    struct coefficients set = { .filter = filter, .nstep = filter->shape.nstep };
    double *value, *other, *T, *chunk, *result, *scratch;
    if (!arrays_make(e, ARRAY(x, 1), ARRAY(value, 3 * width * most), ARRAY(other, width * most),
                     ARRAY(T, ROWS), ARRAY(chunk, ROWS * width), ARRAY(result, ROWS * width),
                     ARRAY(scratch, ROWS), ARRAY(set.cache, COEFFICIENTS_CACHE * set.nstep),
                     ARRAY(set.step, ROWS * set.nstep)))
        return NULL;
    *x = (struct odd_extension){
        .filter = filter,
        .shape = filter->shape,
        .coefficients = set,
        .value = value,
        .other = other,
        .T = T,
        .chunk = chunk,
        .result = result,
        .scratch = scratch,
    };
    return x;
}

void odd_extension_free(struct odd_extension *x)
{
    free(x);
}

void odd_extension_use(struct odd_extension *x, const void *settings)
{
    x->coefficients.settings = settings;
    x->same = false;
    coefficients_forget(&x->coefficients);
}

double *odd_extension_value(const struct odd_extension *x)
{
    return x->value;
}

enum { FIRST_ROUNDS = 6 }; /* of Newton's method, in which changes may grow */

/* Step response after a period below which two passes leave less than 1e-9 of anything that repeats itself
 * after it. What is left is then lost in rounding errors, which grow with the time that the filter takes. */
#define STILL 1e-4

/* As a power of two: a filter that remembers about a million periods takes so many to forget. Rounding errors
 * grow with that number, and are then about 1e-9 of the range. */
enum { MOST_PERIODS = 26 };
#define FORGOTTEN 0x1p-140 /* the square of what is left of a state */

/* --- the state that returns; matrices are those of n doubles in struct lead_in --- */

/* Is nothing left? Elements have units; their products with the elements across the diagonal have none. */
static bool is_forgotten(const double *A, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!(fabs(A[i * n + j] * A[j * n + i]) < FORGOTTEN))
                return false;
    return true;
}

/* Is nothing left after as many periods as the state can be computed for? Twice as many each time. */
static bool rests(const double *left, size_t n)
{
    double A[FILTER_MAXSTATE * FILTER_MAXSTATE], square[FILTER_MAXSTATE * FILTER_MAXSTATE];
    memcpy(A, left, n * n * sizeof *A);
    for (int i = 0; i < MOST_PERIODS && !is_forgotten(A, n); i++) {
        for (size_t c = 0; c < n; c++)
            for (size_t r = 0; r < n; r++) {
                square[c * n + r] = 0;
                for (size_t k = 0; k < n; k++)
                    square[c * n + r] += A[k * n + r] * A[c * n + k];
            }
        memcpy(A, square, n * n * sizeof *A);
    }
    return is_forgotten(A, n);
}

/* The pivot row of column c: the one where it is largest relative to the rest of its row, as rows have
 * different units. */
static size_t pivot(const double *A, size_t n, size_t c)
{
    size_t best = c;
    double most = -1;
    for (size_t r = c; r < n; r++) {
        double row = 0;
        for (size_t k = c; k < n; k++)
            row = fmax(row, fabs(A[k * n + r]));
        if (row > 0 && fabs(A[c * n + r]) / row > most) {
            most = fabs(A[c * n + r]) / row;
            best = r;
        }
    }
    return best;
}

/* A period that began with the state 0 ended with `state`, and of a state s it leaves A s. Solves (I - A) s =
 * state for the periodic state s, by elimination. */
static void solve(const double *left, double *state, size_t n)
{
    double A[FILTER_MAXSTATE * FILTER_MAXSTATE];
    for (size_t i = 0; i < n * n; i++)
        A[i] = (i % (n + 1) == 0) - left[i];
    for (size_t c = 0; c < n; c++) {
        size_t p = pivot(A, n, c);
        for (size_t k = 0; k <= n; k++) {
            double *at = k < n ? &A[k * n] : state, swap = at[c];
            at[c] = at[p];
            at[p] = swap;
        }
        for (size_t r = c + 1; r < n; r++) {
            double part = A[c * n + r] / A[c * n + c];
            for (size_t k = c; k < n; k++)
                A[k * n + r] -= part * A[k * n + c];
            state[r] -= part * state[c];
        }
    }
    for (size_t c = n; c-- > 0;) {
        state[c] /= A[c * n + c];
        for (size_t r = 0; r < c; r++)
            state[r] -= A[c * n + r] * state[c];
    }
}

/* --- rows --- */

/* Row j of the periodic series as a row of one period. */
static ptrdiff_t within(ptrdiff_t j, ptrdiff_t period)
{
    if (j < 0 || j >= period)
        j %= period;
    return j < 0 ? j + period : j;
}

/* Target j of the periodic series, m->run.width numbers. */
static void goal_at(const struct odd_extension *m, ptrdiff_t j, double *goal)
{
    ptrdiff_t n = m->run.last, at = within(j, 2 * n), row = at <= n ? at : 2 * n - at;
    row = m->backward ? n - row : row;
    for (ptrdiff_t i = 0; i < m->run.width; i++) {
        double x = m->run.goal ? m->run.goal[row * m->run.width + i] : row == n / 2;
        goal[i] = at > n && (i > 0 || m->run.width == 1) ? 0 - x : x;
    }
}

/* The time from row j - 1 of the periodic series to row j. */
static double step_at(const struct odd_extension *m, ptrdiff_t j)
{
    if (!m->run.T)
        return m->run.step;
    ptrdiff_t n = m->run.last, at = within(j - 1, 2 * n), step = at < n ? at + 1 : 2 * n - at;
    return m->run.T[m->backward ? n + 1 - step : step];
}

/* Takes rows k down to k - n + 1 of a pass, a chunk at most: their steps, coefficients and targets; still:
 * all targets are that number. Returns the stride of the coefficients. */
static size_t take_rows(struct odd_extension *m, bool second, const double *still, ptrdiff_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t row = k - (ptrdiff_t)i;
        double *goal = m->chunk + i * (size_t)m->run.width;
        m->T[i] = step_at(m, second ? m->run.last + row + 1 : -row);
        if (still)
            m->chunk[i] = *still;
        else if (second)
            memcpy(goal, m->value + m->run.width * (m->run.last + row), (size_t)m->run.width * sizeof *goal);
        else
            goal_at(m, -row, goal);
    }
    return coefficients_find(&m->coefficients, m->T, n, m->run.T ? n : 1);
}

/* Filters n rows that are taken; states: of channels that have the same targets, whose outputs beyond the
 * first one's value are not kept. */
static void filter_numbers(const struct odd_extension *m, size_t n, size_t stride, size_t nchannel,
                           double *states)
{
    const double *goals[FILTER_MAXSTATE];
    double *out[FILTER_MAXSTATE * FILTER_MAXOUT];
    for (size_t i = 0; i < FILTER_MAXSTATE; i++)
        goals[i] = m->chunk;
    for (size_t i = 0; i < FILTER_MAXSTATE * FILTER_MAXOUT; i++)
        out[i] = i ? m->scratch : m->result;
    struct run run = {
        .settings = m->coefficients.settings,
        .shape = &m->shape,
        .nrow = n,
        .nchannel = nchannel,
        .T = m->T,
        .step_stride = stride,
        .step = m->coefficients.step,
        .goal = goals,
        .out = out,
        .value_only = true,
        .state = states,
    };
    m->filter->run(&run);
}

static void filter_rotations(const struct odd_extension *m, size_t n, size_t stride,
                             struct rotation_state *state)
{
    const struct rotation_filter filter = { m->filter, m->coefficients.settings, &m->shape, 0 };
    for (size_t i = 0; i < n; i++) {
        struct rotation_row row = { .T = m->T + i, .step = m->coefficients.step + i * stride };
        struct rotation_result result;
        memcpy(row.goal, m->chunk + 4 * i, sizeof row.goal);
        rotation_step(&filter, state, &row, &result);
        memcpy(m->result + 4 * i, result.x, sizeof result.x);
    }
}

/* Filters rows `from` down to `to` of a pass. Results of the run and beyond, in rows 0 and below, go into
 * m->value: those of the second pass replace the ones of the first. state: a struct rotation_state, of
 * numbers its state; with still the states of nchannel channels, whose targets are all that number. Returns
 * the largest output of the first. */
static double filter_span(struct odd_extension *m, bool second, const double *still, ptrdiff_t from,
                          ptrdiff_t to, size_t nchannel, void *state)
{
    double most = 0;
    for (ptrdiff_t k = from, n; k >= to; k -= n) {
        n = k - to < ROWS ? k - to + 1 : ROWS;
        size_t stride = take_rows(m, second, still, k, (size_t)n);
        if (m->run.width == 4 && !still)
            filter_rotations(m, (size_t)n, stride, state);
        else
            filter_numbers(m, (size_t)n, stride, nchannel,
                           still ? state : ((struct rotation_state *)state)->state);
        for (ptrdiff_t i = 0; i < n && still; i++)
            most = fmax(most, fabs(m->result[i]));
        for (ptrdiff_t i = 0; i < n && k <= 0; i++)
            memcpy(m->value + (second ? m->run.last + k - i : i - k) * m->run.width,
                   m->result + i * m->run.width, (size_t)m->run.width * sizeof(double));
    }
    return most;
}

/* Finds how long the lead-in of a pass is: twice as long each time, a period at most. */
static void find_lead_in(struct odd_extension *m, bool second)
{
    const double zero = 0, one = 1;
    struct lead_in *lead = &m->lead_in[second != m->backward];
    size_t nstate = m->shape.nstate;
    double state[FILTER_MAXSTATE] = { 0 };
    ptrdiff_t period = 2 * m->run.last;
    lead->nrow = LEAST_LEAD_IN / 2;
    do {
        lead->nrow = lead->nrow < period / 2 ? 2 * lead->nrow : period;
        for (size_t i = 0; i < nstate * nstate; i++)
            lead->left[i] = i % (nstate + 1) == 0;
        filter_span(m, second, &zero, lead->nrow, 1, nstate, lead->left);
        lead->forgotten = is_forgotten(lead->left, nstate);
    } while (!lead->forgotten && lead->nrow < period);
    lead->still = !lead->forgotten && filter_span(m, second, &one, period, 1, 1, state) < STILL;
}

/* Changes the state of a rotation until it is the same after a period, by Newton's method: as long as the
 * changes shrink, which far from the solution they need not do at once. */
static void solve_rotation(struct odd_extension *m, bool second, struct rotation_state *s)
{
    const struct lead_in *lead = &m->lead_in[second != m->backward];
    size_t n = m->shape.nstate;
    double most = INFINITY, limit, y[3];
    int round = 0;
    do {
        struct rotation_state before = *s;
        limit = most / 2;
        most = 0;
        filter_span(m, second, NULL, lead->nrow, 1, 1, s);
        for (size_t c = 0; c < 3; c++) {
            double change[FILTER_MAXSTATE];
            for (size_t i = 0; i < n; i++)
                change[i] = s->state[c * n + i] - before.state[c * n + i];
            solve(lead->left, change, n);
            for (size_t i = 0; i < n; i++) {
                s->state[c * n + i] = before.state[c * n + i] + change[i];
                if (m->filter->errors >> i & 1) {
                    y[c] = s->state[c * n + i];
                    most = fmax(most, fabs(change[i]));
                }
            }
        }
        rotation_point_exp(y, &s->at);
        round++;
    } while (most > 0 && (most < limit || round < FIRST_ROUNDS));
}

/* Filters n rows, the first of which is the row at which a pass enters the run. The first pass also goes over
 * the lead-in of the second one. The fault is at the first row that is not finite; a row behind the run
 * counts as the last row of the run. */
static struct zero_phase_fault filter_pass(struct odd_extension *m, bool second, ptrdiff_t n)
{
    const struct lead_in *lead = &m->lead_in[second != m->backward];
    static const double zero[3];
    struct rotation_state state = { .goal = { 1 } };
    rotation_point_exp(zero, &state.at);
    filter_span(m, second, NULL, lead->nrow, 1, 1, &state);
    if (!lead->forgotten && !rests(lead->left, m->shape.nstate))
        return (struct zero_phase_fault){ ZERO_PHASE_NO_REST, 0 };
    if (!lead->forgotten && m->run.width == SAMPLE_NUMBER)
        solve(lead->left, state.state, m->shape.nstate);
    else if (!lead->forgotten)
        solve_rotation(m, second, &state);
    filter_span(m, second, NULL, 0, 1 - n, 1, &state);
    for (ptrdiff_t j = 0; j < n; j++)
        if (!isfinite(m->value[j * m->run.width])) {
            ptrdiff_t row = j < m->run.last ? j : m->run.last;
            row = m->backward ? m->run.last - row : row;
            return (struct zero_phase_fault){ ZERO_PHASE_TOO_LARGE, (size_t)row };
        }
    return (struct zero_phase_fault){ ZERO_PHASE_GOOD, 0 };
}

/* Both passes, the result in m->value. */
static struct zero_phase_fault filter_in_order(struct odd_extension *m, bool backward)
{
    ptrdiff_t n = m->run.last + 1;
    m->backward = backward;
    struct zero_phase_fault fault = filter_pass(m, false, n + m->lead_in[!backward].nrow);
    return fault.reason == ZERO_PHASE_GOOD ? filter_pass(m, true, n) : fault;
}

/* The mean of both orders; of rotations the one half way between. */
static void take_mean(struct odd_extension *m)
{
    size_t n = (size_t)m->run.last + 1, width = (size_t)m->run.width;
    for (size_t k = 0; k < n; k++) {
        double *a = m->value + k * width, *b = m->other + (n - 1 - k) * width, dot = 1;
        if (width == 4)
            dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        for (size_t i = 0; i < width; i++)
            a[i] = a[i] / 2 + (dot < 0 ? 0 - b[i] : b[i]) / 2;
        if (width == 4)
            rotation_unit(a);
    }
}

struct zero_phase_fault odd_extension_filter(struct odd_extension *m, const struct odd_run *run)
{
    const struct odd_run *known = &m->run; /* lead_in was found for it */
    bool same = m->same && known->T == run->T && known->last == run->last;
    same &= run->T || known->step == run->step;
    m->same = true;
    m->run = *run;
    m->backward = false;
    for (int second = 0; second < 2 && run->last > 0 && !same; second++)
        find_lead_in(m, second);
    size_t n = (size_t)((run->last + 1) * run->width);
    if (run->last == 0 || (m->lead_in[0].still && m->lead_in[1].still)) {
        for (size_t i = 0; i < n; i++)
            m->value[i] = run->width == SAMPLE_ROTATION && i % 4 == 0;
        return (struct zero_phase_fault){ ZERO_PHASE_GOOD, 0 };
    }
    if (!run->T && run->width == SAMPLE_NUMBER)
        return filter_in_order(m, false);
    struct zero_phase_fault fault = filter_in_order(m, true);
    if (fault.reason != ZERO_PHASE_GOOD)
        return fault;
    memcpy(m->other, m->value, n * sizeof *m->other);
    fault = filter_in_order(m, false);
    if (fault.reason == ZERO_PHASE_GOOD)
        take_mean(m);
    return fault;
}
