/* Both passes over a run with odd reflection. See odd_extension.h.
 *
 * A pass counts its rows down to row 0, at which it enters the run; rows 1, 2 and on are the reflected ones
 * before it, and rows -1, -2 and on lead through the run and out of it. It begins so many rows before the run
 * that the filter has forgotten its initial state, but at most one period, which is to the far end and back.
 * The series repeats itself after a period: a filter that remembers longer has the state at the end of a
 * period that it had at the beginning, and as it is linear, that state is the solution of a few equations. */
#include "offline/odd_extension.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_LEAD_IN = 32, MOST_PERIODS = 45 }; /* the second as a power of two: rounding hides more */
#define FORGOTTEN 0x1p-140                      /* the square of what is left of a state */

/* Row j of the periodic series as a row of one period. */
static ptrdiff_t within(ptrdiff_t j, ptrdiff_t period)
{
    if (j < 0 || j >= period)
        j %= period;
    return j < 0 ? j + period : j;
}

/* Target j of the periodic series. */
static double goal_at(const struct both_ways *m, ptrdiff_t j)
{
    ptrdiff_t n = m->last, at = within(j, 2 * n), row = at <= n ? at : 2 * n - at;
    double goal = m->goal ? m->goal[m->order == BACKWARD_FIRST ? n - row : row] : row == n / 2;
    return at <= n ? goal : 0 - goal;
}

/* The time from row j - 1 of the periodic series to row j. */
static double step_at(const struct both_ways *m, ptrdiff_t j)
{
    if (!m->T)
        return m->step;
    ptrdiff_t n = m->last, at = within(j - 1, 2 * n), step = at < n ? at + 1 : 2 * n - at;
    return m->T[m->order == BACKWARD_FIRST ? n + 1 - step : step];
}

/* Does a pass go forward (0) or backward (1) in time? */
static int direction(const struct both_ways *m, bool second)
{
    return second != (m->order == BACKWARD_FIRST);
}

/* How many of n rows are filtered at once. */
static ptrdiff_t chunk_of(const struct both_ways *m, ptrdiff_t n)
{
    ptrdiff_t most = (ptrdiff_t)m->steps->maxrow;
    return n < most ? n : most;
}

/* Filters rows k down to k - n + 1 of a pass, a chunk at most; with still, as many rows of target 0, for
 * nstate channels. out: columns. */
static void filter_rows(struct both_ways *m, bool second, bool still, ptrdiff_t k, size_t n, double *state,
                        double *const *out)
{
    double *T = m->steps->T;
    const double *goals[FILTER_MAXSTATE];
    for (size_t i = 0; i < FILTER_MAXSTATE; i++)
        goals[i] = m->chunk;
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t row = k - (ptrdiff_t)i;
        T[i] = step_at(m, second ? m->last + row + 1 : -row);
        m->chunk[i] = still ? 0 : second ? m->value[m->last + row] : goal_at(m, -row);
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
static void filter_state(struct both_ways *m, bool second, bool still, ptrdiff_t from, ptrdiff_t to,
                         double *state)
{
    double *out[FILTER_MAXSTATE * FILTER_MAXOUT];
    for (size_t i = 0; i < FILTER_MAXSTATE * FILTER_MAXOUT; i++)
        out[i] = m->unused;
    for (ptrdiff_t k = from, n; k >= to; k -= n) {
        n = chunk_of(m, k - to + 1);
        filter_rows(m, second, still, k, (size_t)n, state, out);
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
static void find_lead_in(struct both_ways *m, bool second)
{
    struct lead_in *lead = &m->lead_in[direction(m, second)];
    size_t nstate = m->shape->nstate;
    ptrdiff_t period = 2 * m->last;
    lead->forgotten = false;
    for (ptrdiff_t n = FIRST_LEAD_IN; !lead->forgotten; n *= 2) {
        lead->nrow = n < period ? n : period;
        for (size_t i = 0; i < nstate * nstate; i++)
            lead->left[i] = i % (nstate + 1) == 0;
        filter_state(m, second, true, lead->nrow, 1, lead->left);
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
static bool enter(struct both_ways *m, bool second, double *state, struct error *e)
{
    const struct lead_in *lead = &m->lead_in[direction(m, second)];
    size_t nstate = m->shape->nstate;
    memset(state, 0, nstate * sizeof *state);
    filter_state(m, second, false, lead->nrow, 1, state);
    if (lead->forgotten)
        return true;
    if (!comes_to_rest(lead->left, nstate)) {
        error_data(e, "--zero-phase takes a filter that comes to rest, and with these settings it does not");
        return error_hint(e, "more damping brings it to rest, and --method euler needs short steps");
    }
    solve_periodic_state(lead->left, state, nstate);
    return true;
}

/* Filters n rows from the one on at which a pass enters the run. The first pass also goes over the lead-in of
 * the second one, which replaces each row by its result. On false *bad is the first row that is not finite,
 * or the last one of the run, which comes before it. */
static bool filter_pass(struct both_ways *m, bool second, ptrdiff_t n, size_t *bad, struct error *e)
{
    double state[FILTER_MAXSTATE], *out[FILTER_MAXOUT] = { NULL, m->unused, m->unused };
    if (!enter(m, second, state, e))
        return false;
    for (ptrdiff_t j = 0, some; j < n; j += some) {
        some = chunk_of(m, n - j);
        out[0] = second ? m->result : m->value + j;
        filter_rows(m, second, false, -j, (size_t)some, state, out);
        for (ptrdiff_t i = 0; second && i < some; i++)
            m->value[m->last - j - i] = m->result[i];
    }
    for (ptrdiff_t j = 0; j < n; j++)
        if (!isfinite(m->value[j])) {
            ptrdiff_t row = j < m->last ? j : m->last;
            *bad = (size_t)(m->order == BACKWARD_FIRST ? m->last - row : row);
            return error_data(e, "the filtered value is too large for a number here");
        }
    return true;
}

/* Both passes, the result in m->value. */
static bool filter_in_order(struct both_ways *m, enum order order, size_t *bad, struct error *e)
{
    m->order = order;
    ptrdiff_t n = m->last > 0 ? m->last + m->lead_in[direction(m, true)].nrow + 1 : 1;
    if (!array_reserve(&m->value, (size_t)n, &m->maxvalue, sizeof *m->value, e))
        return false;
    m->value[0] = 0;
    return m->last == 0 || (filter_pass(m, false, n, bad, e) && filter_pass(m, true, m->last + 1, bad, e));
}

bool odd_extension_open(struct both_ways *m, struct steps *steps, const struct shape *shape, struct error *e)
{
    size_t n = steps->maxrow;
    *m = (struct both_ways){ .steps = steps, .shape = shape };
    return arrays_make(e, ARRAY(m->chunk, n), ARRAY(m->result, n), ARRAY(m->unused, n));
}

bool odd_extension_filter(struct both_ways *m, struct coefficients *set, const double *T, double step,
                          const double *goal, size_t last, size_t *bad, struct error *e)
{
    bool same = m->set == set && m->T == T && (T || m->step == step) && m->last == (ptrdiff_t)last;
    m->set = set;
    m->T = T;
    m->step = step;
    m->goal = goal;
    m->last = (ptrdiff_t)last;
    m->order = FORWARD_FIRST;
    *bad = 0;
    for (int second = 0; second < 2 && last > 0 && !same; second++)
        find_lead_in(m, second);
    if (!T || last == 0)
        return filter_in_order(m, FORWARD_FIRST, bad, e);
    if (!filter_in_order(m, BACKWARD_FIRST, bad, e) ||
        !array_reserve(&m->other, last + 1, &m->maxother, sizeof *m->other, e))
        return false;
    memcpy(m->other, m->value, (last + 1) * sizeof *m->other);
    if (!filter_in_order(m, FORWARD_FIRST, bad, e))
        return false;
    for (size_t k = 0; k <= last; k++)
        m->value[k] = m->value[k] / 2 + m->other[last - k] / 2;
    return true;
}

void odd_extension_close(struct both_ways *m)
{
    free(m->value);
    free(m->other);
    free(m->chunk);
}
