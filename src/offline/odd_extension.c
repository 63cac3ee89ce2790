/* Both passes over a mirrored run. See mirror.h.
 *
 * A pass counts its rows down to row 0, with which it enters the run; rows 1, 2 and on are the mirrored ones
 * before it, and rows -1, -2 and on lead through the run and out of it. It begins so early that the filter
 * has forgotten how it began, but no more than a period early, which is to the far end and back. As the
 * mirrored series repeats itself after that, a filter that remembers longer must come back with the state it
 * set out with, and as it is linear, that state is the solution of a few equations. */
#include "offline/odd_extension.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_LOOK = 32, MOST_PERIODS = 45 }; /* the second as a power of two: rounding hides what is slower */
#define FORGOTTEN 0x1p-140                   /* the square of what is left of a state */

/* Goal j of the mirrored series. */
static double goal_at(const struct odd_extension *m, ptrdiff_t j)
{
    ptrdiff_t n = m->last, period = 2 * n, at = j % period;
    if (j >= 0 && j <= n)
        return m->goal[j];
    at += at < 0 ? period : 0;
    return at <= n ? m->goal[at] : 0 - m->goal[period - at];
}

/* The time from row j - 1 of the mirrored series to row j. */
static double step_at(const struct odd_extension *m, ptrdiff_t j)
{
    ptrdiff_t n = m->last, period = 2 * n, at = (j - 1) % period;
    at += at < 0 ? period + 1 : 1;
    return m->T[at <= n ? at : period + 1 - at];
}

/* Row k of a pass: its goal, and its step. */
static double pass_goal(const struct odd_extension *m, bool back, ptrdiff_t k)
{
    return back ? m->way[m->last + k] : goal_at(m, -k);
}

static double pass_step(const struct odd_extension *m, bool back, ptrdiff_t k)
{
    return step_at(m, back ? m->last + k + 1 : -k);
}

/* Filters rows k down to k - n + 1 of a pass, no more than a window, or with still as many rows of goal 0 for
 * nstate channels. Outputs are columns. */
static void filter_rows(struct odd_extension *m, bool back, bool still, ptrdiff_t k, size_t n, double *state,
                        double *const *out, bool value_only)
{
    struct series *s = m->s;
    const double *goals[FILTER_MAXSTATE];
    for (size_t i = 0; i < FILTER_MAXSTATE; i++)
        goals[i] = s->goal;
    for (size_t i = 0; i < n; i++) {
        s->T[i] = pass_step(m, back, k - (ptrdiff_t)i);
        s->goal[i] = still ? 0 : pass_goal(m, back, k - (ptrdiff_t)i);
    }
    struct run run = {
        .settings = m->tuning->settings,
        .shape = &s->shape,
        .nrow = n,
        .nchannel = still ? s->shape.nstate : 1,
        .T = s->T,
        .step_stride = chunk_coefficients(s, m->tuning, s->T, n),
        .step = m->tuning->step,
        .goal = goals,
        .out = out,
        .value_only = value_only,
        .state = state,
    };
    s->c.filter->run(&run);
}

/* Rows from down to to, of which only the state is wanted. */
static void filter_past(struct odd_extension *m, bool back, bool still, ptrdiff_t from, ptrdiff_t to, double *state)
{
    double *nowhere[FILTER_MAXSTATE * FILTER_MAXOUT];
    for (size_t i = 0; i < FILTER_MAXSTATE * FILTER_MAXOUT; i++)
        nowhere[i] = m->s->scratch;
    for (ptrdiff_t k = from, n; k >= to; k -= n) {
        n = k - to + 1 < (ptrdiff_t)m->s->window ? k - to + 1 : (ptrdiff_t)m->s->window;
        filter_rows(m, back, still, k, (size_t)n, state, nowhere, true);
    }
}

/* Is nothing left? Elements have units, their products with those across the diagonal have none. */
static bool forgotten(const double *A, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!(fabs(A[i * n + j] * A[j * n + i]) < FORGOTTEN))
                return false;
    return true;
}

/* Finds how early a pass begins: twice as early each time, a period at most. */
static void find_entry(struct odd_extension *m, bool back, struct entry *entry)
{
    size_t nstate = m->s->shape.nstate;
    ptrdiff_t period = 2 * m->last;
    entry->forgotten = false;
    for (ptrdiff_t n = FIRST_LOOK; !entry->forgotten; n *= 2) {
        entry->nrow = n < period ? n : period;
        for (size_t i = 0; i < nstate * nstate; i++)
            entry->left[i] = i % (nstate + 1) == 0;
        filter_past(m, back, true, entry->nrow, 1, entry->left);
        entry->forgotten = forgotten(entry->left, nstate);
        if (entry->nrow == period)
            break;
    }
}

/* Does the filter come to rest, if ever so late? Twice as many periods each time. */
static bool rests(const double *left, size_t n)
{
    double A[MIRROR_MATRIX], square[MIRROR_MATRIX];
    memcpy(A, left, n * n * sizeof *A);
    for (int i = 0; i < MOST_PERIODS && !forgotten(A, n); i++) {
        for (size_t c = 0; c < n; c++)
            for (size_t r = 0; r < n; r++) {
                square[c * n + r] = 0;
                for (size_t k = 0; k < n; k++)
                    square[c * n + r] += A[k * n + r] * A[c * n + k];
            }
        memcpy(A, square, n * n * sizeof *A);
    }
    return forgotten(A, n);
}

/* The row to take column c from next: the one where it is largest beside the rest of its row, as rows have
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

/* A period that began with the state 0 ended with this one, and of a state s it leaves A s: finds the state
 * that comes back as itself, state + A s = s, by elimination. */
static void close_period(const double *left, double *state, size_t n)
{
    double A[MIRROR_MATRIX];
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
static bool enter(struct odd_extension *m, bool back, const struct entry *entry, double *state, struct error *e)
{
    size_t nstate = m->s->shape.nstate;
    memset(state, 0, nstate * sizeof *state);
    filter_past(m, back, false, entry->nrow, 1, state);
    if (entry->forgotten)
        return true;
    if (!rests(entry->left, nstate)) {
        error_data(e, "--zero-phase takes a filter that comes to rest, and with these settings it does not");
        return error_hint(e, "more damping brings it to rest, and --method euler needs short steps");
    }
    close_period(entry->left, state, nstate);
    return true;
}

static bool reserve_way(struct odd_extension *m, size_t n, struct error *e)
{
    if (n <= m->maxway)
        return true;
    free(m->way);
    m->maxway = n;
    m->way = malloc(n * sizeof *m->way);
    m->maxway = m->way ? n : 0;
    return m->way || error_memory(e);
}

/* Are rows [0, n) finite? *bad: the first that is not, or the last one of the run, which comes before it. */
static bool is_finite(const struct odd_extension *m, ptrdiff_t n, size_t *bad, struct error *e)
{
    for (ptrdiff_t j = 0; j < n; j++)
        if (!isfinite(m->way[j])) {
            *bad = (size_t)(j < m->last ? j : m->last);
            return error_data(e, "the filtered value is too large for a number here");
        }
    return true;
}

static bool pass_forward(struct odd_extension *m, ptrdiff_t n, double *state, size_t *bad, struct error *e)
{
    double *out[FILTER_MAXOUT] = { NULL, m->s->scratch, m->s->scratch };
    if (!enter(m, false, &m->forward, state, e))
        return false;
    for (ptrdiff_t j = 0, some; j < n; j += some) {
        some = n - j < (ptrdiff_t)m->s->window ? n - j : (ptrdiff_t)m->s->window;
        out[0] = m->way + j;
        filter_rows(m, false, false, -j, (size_t)some, state, out, true);
    }
    return is_finite(m, n, bad, e);
}

/* Each row takes the place of the one that it is made of. */
static bool pass_backward(struct odd_extension *m, double *state, size_t *bad, struct error *e)
{
    double *out[FILTER_MAXOUT] = { m->s->out, m->s->scratch, m->s->scratch };
    if (!enter(m, true, &m->backward, state, e))
        return false;
    for (ptrdiff_t j = m->last, some; j >= 0; j -= some) {
        some = j + 1 < (ptrdiff_t)m->s->window ? j + 1 : (ptrdiff_t)m->s->window;
        filter_rows(m, true, false, j - m->last, (size_t)some, state, out, true);
        for (ptrdiff_t i = 0; i < some; i++)
            m->way[j - i] = out[0][i];
    }
    return is_finite(m, m->last + 1, bad, e);
}

bool odd_extension_filter(struct odd_extension *m, bool alike, size_t *bad, struct error *e)
{
    double state[FILTER_MAXSTATE];
    *bad = 0;
    if (m->last == 0) {
        if (!reserve_way(m, 1, e))
            return false;
        m->way[0] = 0;
        return true;
    }
    if (!alike) {
        find_entry(m, false, &m->forward);
        find_entry(m, true, &m->backward);
    }
    ptrdiff_t n = m->last + m->backward.nrow + 1;
    return reserve_way(m, (size_t)n, e) && pass_forward(m, n, state, bad, e) &&
           pass_backward(m, state, bad, e);
}

void odd_extension_free(struct odd_extension *m)
{
    free(m->way);
}
