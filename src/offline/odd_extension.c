/* Both passes over a run with odd reflection. See odd_extension.h.
 *
 * A pass counts its rows down to row 0, at which it enters the run; rows 1, 2 and on are the reflected ones
 * before it, and rows -1, -2 and on lead through the run and out of it. It begins so many rows before the run
 * that the filter has forgotten its initial state, but at most one period, which is to the far end and back.
 * The series repeats itself after a period: a filter that remembers longer has the state at the end of a
 * period that it had at the beginning, and as it is linear, that state is the solution of a few equations. */
#include "offline/odd_extension.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIRST_LEAD_IN = 32,
    MOST_PERIODS = 45
};                         /* the second as a power of two: rounding hides what is slower */
#define FORGOTTEN 0x1p-140 /* the square of what is left of a state */

/* Target j of the periodic series. */
static double goal_at(const struct both_ways *m, ptrdiff_t j)
{
    ptrdiff_t n = m->last, period = 2 * n, at = j % period;
    if (j >= 0 && j <= n)
        return m->goal[j];
    at += at < 0 ? period : 0;
    return at <= n ? m->goal[at] : 0 - m->goal[period - at];
}

/* The time from row j - 1 of the periodic series to row j. */
static double step_at(const struct both_ways *m, ptrdiff_t j)
{
    ptrdiff_t n = m->last, period = 2 * n, at = (j - 1) % period;
    at += at < 0 ? period + 1 : 1;
    return m->T[at <= n ? at : period + 1 - at];
}

/* Row k of a pass: its target, and its step. */
static double pass_goal(const struct both_ways *m, bool back, ptrdiff_t k)
{
    return back ? m->value[m->last + k] : goal_at(m, -k);
}

static double pass_step(const struct both_ways *m, bool back, ptrdiff_t k)
{
    return step_at(m, back ? m->last + k + 1 : -k);
}

/* How many of n rows are filtered at once. */
static ptrdiff_t chunk_of(const struct both_ways *m, ptrdiff_t n)
{
    ptrdiff_t most = (ptrdiff_t)m->steps->maxrow;
    return n < most ? n : most;
}

/* Filters rows k down to k - n + 1 of a pass, a chunk at most; with still, as many rows of target 0, for
 * nstate channels. out: columns. */
static void filter_rows(struct both_ways *m, bool back, bool still, ptrdiff_t k, size_t n, double *state,
                        double *const *out)
{
    double *T = m->steps->T;
    const double *goals[FILTER_MAXSTATE];
    for (size_t i = 0; i < FILTER_MAXSTATE; i++)
        goals[i] = m->chunk;
    for (size_t i = 0; i < n; i++) {
        T[i] = pass_step(m, back, k - (ptrdiff_t)i);
        m->chunk[i] = still ? 0 : pass_goal(m, back, k - (ptrdiff_t)i);
    }
    struct run run = {
        .settings = m->set->settings,
        .shape = m->shape,
        .nrow = n,
        .nchannel = still ? m->shape->nstate : 1,
        .T = T,
        .step_stride = steps_coefficients(m->steps, m->set, T, n),
        .step = m->set->step,
        .goal = goals,
        .out = out,
        .value_only = true,
        .state = state,
    };
    m->steps->config->filter->run(&run);
}

/* Filters rows from down to to, for the state alone. */
static void filter_state(struct both_ways *m, bool back, bool still, ptrdiff_t from, ptrdiff_t to,
                         double *state)
{
    double *out[FILTER_MAXSTATE * FILTER_MAXOUT];
    for (size_t i = 0; i < FILTER_MAXSTATE * FILTER_MAXOUT; i++)
        out[i] = m->unused;
    for (ptrdiff_t k = from, n; k >= to; k -= n) {
        n = chunk_of(m, k - to + 1);
        filter_rows(m, back, still, k, (size_t)n, state, out);
    }
}

/* True if the matrix is negligible. Elements have units; their products with the elements across the diagonal
 * have none. */
static bool negligible(const double *A, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!(fabs(A[i * n + j] * A[j * n + i]) < FORGOTTEN))
                return false;
    return true;
}

/* Finds how long the lead-in of a pass is: twice as long each time, a period at most. */
static void find_lead_in(struct both_ways *m, bool back, struct lead_in *lead)
{
    size_t nstate = m->shape->nstate;
    ptrdiff_t period = 2 * m->last;
    lead->forgotten = false;
    for (ptrdiff_t n = FIRST_LEAD_IN; !lead->forgotten; n *= 2) {
        lead->nrow = n < period ? n : period;
        for (size_t i = 0; i < nstate * nstate; i++)
            lead->left[i] = i % (nstate + 1) == 0;
        filter_state(m, back, true, lead->nrow, 1, lead->left);
        lead->forgotten = negligible(lead->left, nstate);
        if (lead->nrow == period)
            break;
    }
}

/* True if the filter comes to rest after any number of periods: twice as many each time. */
static bool comes_to_rest(const double *left, size_t n)
{
    double A[ODD_EXTENSION_MATRIX], square[ODD_EXTENSION_MATRIX];
    memcpy(A, left, n * n * sizeof *A);
    for (int i = 0; i < MOST_PERIODS && !negligible(A, n); i++) {
        for (size_t c = 0; c < n; c++)
            for (size_t r = 0; r < n; r++) {
                square[c * n + r] = 0;
                for (size_t k = 0; k < n; k++)
                    square[c * n + r] += A[k * n + r] * A[c * n + k];
            }
        memcpy(A, square, n * n * sizeof *A);
    }
    return negligible(A, n);
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
static void solve_periodic_state(const double *left, double *state, size_t n)
{
    double A[ODD_EXTENSION_MATRIX];
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

/* The state of a pass before its row 0. */
static bool enter(struct both_ways *m, bool back, const struct lead_in *lead, double *state, struct error *e)
{
    size_t nstate = m->shape->nstate;
    memset(state, 0, nstate * sizeof *state);
    filter_state(m, back, false, lead->nrow, 1, state);
    if (lead->forgotten)
        return true;
    if (!comes_to_rest(lead->left, nstate)) {
        error_data(e, "--zero-phase takes a filter that comes to rest, and with these settings it does not");
        return error_hint(e, "more damping brings it to rest, and --method euler needs short steps");
    }
    solve_periodic_state(lead->left, state, nstate);
    return true;
}

/* Checks that rows [0, n) are finite. *bad: the first that is not, or the last one of the run, which comes
 * before it. */
static bool check_finite(const struct both_ways *m, ptrdiff_t n, size_t *bad, struct error *e)
{
    for (ptrdiff_t j = 0; j < n; j++)
        if (!isfinite(m->value[j])) {
            *bad = (size_t)(j < m->last ? j : m->last);
            return error_data(e, "the filtered value is too large for a number here");
        }
    return true;
}

/* The forward pass also goes over the lead-in of the backward pass: n rows in all. */
static bool pass_forward(struct both_ways *m, ptrdiff_t n, size_t *bad, struct error *e)
{
    double state[FILTER_MAXSTATE], *out[FILTER_MAXOUT] = { NULL, m->unused, m->unused };
    if (!enter(m, false, &m->forward, state, e))
        return false;
    for (ptrdiff_t j = 0, some; j < n; j += some) {
        some = chunk_of(m, n - j);
        out[0] = m->value + j;
        filter_rows(m, false, false, -j, (size_t)some, state, out);
    }
    return check_finite(m, n, bad, e);
}

/* The backward pass replaces each row by its result. */
static bool pass_backward(struct both_ways *m, size_t *bad, struct error *e)
{
    double state[FILTER_MAXSTATE], *out[FILTER_MAXOUT] = { m->result, m->unused, m->unused };
    if (!enter(m, true, &m->backward, state, e))
        return false;
    for (ptrdiff_t j = m->last, some; j >= 0; j -= some) {
        some = chunk_of(m, j + 1);
        filter_rows(m, true, false, j - m->last, (size_t)some, state, out);
        for (ptrdiff_t i = 0; i < some; i++)
            m->value[j - i] = m->result[i];
    }
    return check_finite(m, m->last + 1, bad, e);
}

static bool reserve_values(struct both_ways *m, size_t n, struct error *e)
{
    if (n <= m->maxvalue)
        return true;
    free(m->value);
    m->value = malloc(n * sizeof *m->value);
    m->maxvalue = m->value ? n : 0;
    return m->value || error_memory(e);
}

bool odd_extension_open(struct both_ways *m, struct steps *steps, const struct shape *shape, struct error *e)
{
    *m = (struct both_ways){ .steps = steps, .shape = shape };
    m->chunk = calloc(3 * steps->maxrow, sizeof *m->chunk);
    if (!m->chunk)
        return error_memory(e);
    m->result = m->chunk + steps->maxrow;
    m->unused = m->result + steps->maxrow;
    return true;
}

bool odd_extension_filter(struct both_ways *m, struct coefficients *set, const double *T, const double *goal,
                          size_t last, size_t *bad, struct error *e)
{
    bool same = m->set == set && m->T == T && m->last == (ptrdiff_t)last;
    m->set = set;
    m->T = T;
    m->goal = goal;
    m->last = (ptrdiff_t)last;
    *bad = 0;
    if (last > 0 && !same) {
        find_lead_in(m, false, &m->forward);
        find_lead_in(m, true, &m->backward);
    }
    ptrdiff_t n = last > 0 ? m->last + m->backward.nrow + 1 : 1;
    if (!reserve_values(m, (size_t)n, e))
        return false;
    m->value[0] = 0;
    return last == 0 || (pass_forward(m, n, bad, e) && pass_backward(m, bad, e));
}

void odd_extension_forget(struct both_ways *m)
{
    m->T = NULL;
}

void odd_extension_close(struct both_ways *m)
{
    free(m->value);
    free(m->chunk);
}
