/* Both passes over a periodic series. See odd_extension.h.
 *
 * The extended run is a periodic series: a period leads from the near end of the run to the far end and back.
 * With uneven steps, and with rotations, filtering forward and then backward is not the same as backward and
 * then forward: the result is the mean of both orders.
 *
 * A pass counts its rows down to row 0, at which it enters the run; rows 1, 2 and on are the reflected rows
 * before the run, and rows -1, -2 and on lead through the run and beyond. A pass begins so many rows before
 * the run (the lead-in) that the filter has forgotten its initial state, but at most one period. A filter
 * that remembers longer than a period has the same state at the end of a period as at the beginning, since
 * the series repeats itself (periodic_state.h). Near their targets rotations follow the same equations, and a
 * few rounds of solving the equations find the state of a rotation. */
#include "whole/odd_extension.h"

#include "base/array.h"
#include "springs/coefficients.h"
#include "springs/rotation.h"
#include "whole/periodic_state.h"

#include <stdlib.h>

enum {
    ROWS = 512,         /* most rows that are filtered at once */
    LEAST_LEAD_IN = 32, /* rows of the shortest lead-in, unless the period is shorter */
    FIRST_ROUNDS = 6    /* first rounds of Newton's method, in which changes may grow */
};

/* Where the step response stays below this for a period, two passes leave less than 1e-9 of a series that
 * repeats after a period. The rest is lost in rounding errors, which grow with the time constant of the
 * filter. */
#define STILL 1e-4

/* The reflected rows that a pass goes over before the run. */
struct lead_in {
    ptrdiff_t nrow;
    double left[FILTER_MAXSTATE * FILTER_MAXSTATE]; /* transition matrix of the lead-in (periodic_state.h) */
    bool forgotten;                                 /* the lead-in leaves nothing of a state */
    bool still;                                     /* the step response stays below STILL for a period */
};

/* Rows of a pass that are filtered together, and their targets. */
struct row_span {
    bool second;         /* rows of the second pass, whose targets are the results of the first pass */
    const double *still; /* the number that all targets are; NULL: the targets of the pass */
    ptrdiff_t from, to;  /* first and last row, from >= to */
    size_t nchannel;     /* channels with the same targets, 1 without still */
};

struct odd_extension {
    const struct filter *filter;
    struct shape shape;
    struct coefficients coefficients;
    bool lead_in_found; /* lead_in belongs to `run` and to the settings of coefficients */
    struct odd_run run; /* the run under way */
    bool backward;      /* the first pass goes backward in time; rows are counted from the end of the run */
    struct lead_in lead_in[2]; /* 0: of the pass forward in time; 1: of the pass backward */
    /* All arrays below and in coefficients are in the allocation of this struct. */
    double *value;   /* [last + 1] samples of the result, and 2 * last reflected rows for the second pass */
    double *other;   /* [last + 1] samples: the result of the other order of the passes, where both orders are
                        needed */
    double *T;       /* [ROWS] steps of the rows under way in seconds */
    double *goal;    /* [ROWS * width] targets of the rows under way */
    double *result;  /* [ROWS * width] results of the rows under way */
    double *scratch; /* [ROWS] outputs that are not kept */
};

/* Linear filters have no lists of values: their shape depends on no settings. */
struct odd_extension *odd_extension_make(const struct filter *filter, size_t most, size_t width,
                                         struct error *e)
{
    struct odd_extension *odd;
    struct coefficients set = { .filter = filter, .nstep = filter->shape.nstep };
    double *value, *other, *T, *goal, *result, *scratch;
    if (!arrays_make(e, ARRAY(odd, 1), ARRAY(value, 3 * width * most), ARRAY(other, width * most),
                     ARRAY(T, ROWS), ARRAY(goal, ROWS * width), ARRAY(result, ROWS * width),
                     ARRAY(scratch, ROWS), ARRAY(set.cache, COEFFICIENTS_CACHE * set.nstep),
                     ARRAY(set.step, ROWS * set.nstep)))
        return NULL;
    *odd = (struct odd_extension){
        .filter = filter,
        .shape = filter->shape,
        .coefficients = set,
        .value = value,
        .other = other,
        .T = T,
        .goal = goal,
        .result = result,
        .scratch = scratch,
    };
    return odd;
}

void odd_extension_free(struct odd_extension *odd)
{
    free(odd);
}

void odd_extension_use(struct odd_extension *odd, const void *settings)
{
    odd->coefficients.settings = settings;
    odd->lead_in_found = false;
    coefficients_forget(&odd->coefficients);
}

double *odd_extension_value(const struct odd_extension *odd)
{
    return odd->value;
}

/* --- rows --- */

/* Row j of the periodic series as a row of the first period: j modulo period. */
static ptrdiff_t row_of_period(ptrdiff_t j, ptrdiff_t period)
{
    if (j < 0 || j >= period)
        j %= period;
    return j < 0 ? j + period : j;
}

/* Sets goal[width] to target j of the periodic series. */
static void goal_at(const struct odd_extension *odd, ptrdiff_t j, double *goal)
{
    ptrdiff_t n = odd->run.last, at = row_of_period(j, 2 * n), row = at <= n ? at : 2 * n - at;
    row = odd->backward ? n - row : row;
    for (ptrdiff_t i = 0; i < odd->run.width; i++) {
        double x = odd->run.goal ? odd->run.goal[row * odd->run.width + i] : row == n / 2;
        goal[i] = at > n && (i > 0 || odd->run.width == 1) ? 0 - x : x;
    }
    if (at > n && odd->run.reflection && (row < odd->run.nbent[0] || row > n - odd->run.nbent[1]))
        memcpy(goal, odd->run.reflection + row * odd->run.width, (size_t)odd->run.width * sizeof *goal);
}

/* The time from row j - 1 of the periodic series to row j. */
static double step_at(const struct odd_extension *odd, ptrdiff_t j)
{
    if (!odd->run.T)
        return odd->run.step;
    ptrdiff_t n = odd->run.last, at = row_of_period(j - 1, 2 * n), step = at < n ? at + 1 : 2 * n - at;
    return odd->run.T[odd->backward ? n + 1 - step : step];
}

/* Finds the steps, coefficients and targets of rows k down to k - n + 1 of a pass, n <= ROWS. Returns the
 * stride of the coefficients. */
static size_t take_rows(struct odd_extension *odd, const struct row_span *span, ptrdiff_t k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t row = k - (ptrdiff_t)i;
        double *goal = odd->goal + i * (size_t)odd->run.width;
        odd->T[i] = step_at(odd, span->second ? odd->run.last + row + 1 : -row);
        if (span->still)
            odd->goal[i] = *span->still;
        else if (span->second)
            memcpy(goal, odd->value + odd->run.width * (odd->run.last + row),
                   (size_t)odd->run.width * sizeof *goal);
        else
            goal_at(odd, -row, goal);
    }
    return coefficients_find(&odd->coefficients, odd->T, n, odd->run.T ? n : 1);
}

/* Filters n rows of numbers after take_rows. states: [nchannel] states of channels with the same targets;
 * only the value of the first channel is kept, in result. */
static void filter_numbers(const struct odd_extension *odd, size_t n, size_t stride, size_t nchannel,
                           double *states)
{
    const double *goals[FILTER_MAXSTATE];
    double *out[FILTER_MAXSTATE * FILTER_MAXOUT];
    for (size_t i = 0; i < FILTER_MAXSTATE; i++)
        goals[i] = odd->goal;
    for (size_t i = 0; i < FILTER_MAXSTATE * FILTER_MAXOUT; i++)
        out[i] = i ? odd->scratch : odd->result;
    struct run run = {
        .settings = odd->coefficients.settings,
        .shape = &odd->shape,
        .nrow = n,
        .nchannel = nchannel,
        .T = odd->T,
        .step_stride = stride,
        .step = odd->coefficients.step,
        .goal = goals,
        .out = out,
        .value_only = true,
        .state = states,
    };
    odd->filter->run(&run);
}

static void filter_rotations(const struct odd_extension *odd, size_t n, size_t stride,
                             struct rotation_state *state)
{
    const struct rotation_filter filter = { .filter = odd->filter,
                                            .settings = odd->coefficients.settings,
                                            .shape = &odd->shape };
    for (size_t i = 0; i < n; i++) {
        struct rotation_row row = { .T = odd->T + i, .step = odd->coefficients.step + i * stride };
        struct rotation_result result;
        memcpy(row.goal, odd->goal + 4 * i, sizeof row.goal);
        rotation_step(&filter, state, &row, &result);
        memcpy(odd->result + 4 * i, result.x, sizeof result.x);
    }
}

/* Filters the rows of a span. Results of the rows 0 and below go into odd->value, where results of the second
 * pass replace results of the first pass. state: a struct rotation_state, of which numbers use the member
 * state; with span->still the states of span->nchannel channels. Returns with span->still the largest
 * absolute output of the first channel, else 0. */
static double filter_span(struct odd_extension *odd, const struct row_span *span, void *state)
{
    size_t width = (size_t)odd->run.width;
    double most = 0;
    for (ptrdiff_t k = span->from, n; k >= span->to; k -= n) {
        n = k - span->to < ROWS ? k - span->to + 1 : ROWS;
        size_t stride = take_rows(odd, span, k, (size_t)n);
        if (span->still)
            filter_numbers(odd, (size_t)n, stride, span->nchannel, state);
        else if (width == SAMPLE_ROTATION)
            filter_rotations(odd, (size_t)n, stride, state);
        else
            filter_numbers(odd, (size_t)n, stride, 1, ((struct rotation_state *)state)->state);
        for (ptrdiff_t i = 0; i < n && span->still; i++)
            most = fmax(most, fabs(odd->result[i]));
        for (ptrdiff_t i = 0; i < n && k <= 0; i++) {
            ptrdiff_t row = span->second ? odd->run.last + k - i : i - k;
            memcpy(odd->value + row * odd->run.width, odd->result + i * odd->run.width,
                   width * sizeof(double));
        }
    }
    return most;
}

/* Finds the lead-in of a pass: tries twice as many rows each time, up to a period. */
static void find_lead_in(struct odd_extension *odd, bool second)
{
    const double zero = 0, one = 1;
    struct lead_in *lead = &odd->lead_in[second != odd->backward];
    size_t nstate = odd->shape.nstate;
    double state[FILTER_MAXSTATE] = { 0 };
    ptrdiff_t period = 2 * odd->run.last;
    lead->nrow = LEAST_LEAD_IN / 2;
    do {
        lead->nrow = lead->nrow < period / 2 ? 2 * lead->nrow : period;
        for (size_t i = 0; i < nstate * nstate; i++)
            lead->left[i] = i % (nstate + 1) == 0;
        const struct row_span lead_in = { second, &zero, lead->nrow, 1, nstate };
        filter_span(odd, &lead_in, lead->left);
        lead->forgotten = periodic_state_forgotten(lead->left, nstate);
    } while (!lead->forgotten && lead->nrow < period);
    const struct row_span whole_period = { second, &one, period, 1, 1 };
    lead->still = !lead->forgotten && filter_span(odd, &whole_period, state) < STILL;
}

/* Finds the state of a rotation that a period reproduces, by Newton's method, as long as the changes shrink.
 * Far from the solution the changes of the first rounds may grow. */
static void solve_rotation(struct odd_extension *odd, bool second, struct rotation_state *state)
{
    const struct lead_in *lead = &odd->lead_in[second != odd->backward];
    size_t n = odd->shape.nstate;
    double most = INFINITY, limit, y[3];
    int round = 0;
    do {
        struct rotation_state before = *state;
        limit = most / 2;
        most = 0;
        filter_span(odd, &(struct row_span){ second, NULL, lead->nrow, 1, 1 }, state);
        for (size_t c = 0; c < 3; c++) {
            double change[FILTER_MAXSTATE];
            for (size_t i = 0; i < n; i++)
                change[i] = state->state[c * n + i] - before.state[c * n + i];
            periodic_state_solve(lead->left, change, n);
            for (size_t i = 0; i < n; i++) {
                state->state[c * n + i] = before.state[c * n + i] + change[i];
                if (odd->filter->errors >> i & 1) {
                    y[c] = state->state[c * n + i];
                    most = fmax(most, fabs(change[i]));
                }
            }
        }
        rotation_point_exp(y, &state->at);
        round++;
    } while (most > 0 && (most < limit || round < FIRST_ROUNDS));
}

/* Filters n rows, the first of which is the row at which a pass enters the run. The first pass also goes over
 * the lead-in of the second pass. The fault is at the first row that is not finite; a row behind the run
 * counts as the last row of the run. */
static struct zero_phase_fault filter_pass(struct odd_extension *odd, bool second, ptrdiff_t n)
{
    const struct lead_in *lead = &odd->lead_in[second != odd->backward];
    static const double zero[3];
    struct rotation_state state = { .goal = { 1 } };
    rotation_point_exp(zero, &state.at);
    filter_span(odd, &(struct row_span){ second, NULL, lead->nrow, 1, 1 }, &state);
    if (!lead->forgotten && !periodic_state_comes_to_rest(lead->left, odd->shape.nstate))
        return (struct zero_phase_fault){ ZERO_PHASE_NO_REST, 0 };
    if (!lead->forgotten && odd->run.width == SAMPLE_NUMBER)
        periodic_state_solve(lead->left, state.state, odd->shape.nstate);
    else if (!lead->forgotten)
        solve_rotation(odd, second, &state);
    filter_span(odd, &(struct row_span){ second, NULL, 0, 1 - n, 1 }, &state);
    for (ptrdiff_t j = 0; j < n; j++)
        if (!isfinite(odd->value[j * odd->run.width])) {
            ptrdiff_t row = j < odd->run.last ? j : odd->run.last;
            row = odd->backward ? odd->run.last - row : row;
            return (struct zero_phase_fault){ ZERO_PHASE_TOO_LARGE, (size_t)row };
        }
    return (struct zero_phase_fault){ ZERO_PHASE_GOOD, 0 };
}

/* Filters both passes, the backward pass first if `backward`. odd->value has the result. */
static struct zero_phase_fault filter_in_order(struct odd_extension *odd, bool backward)
{
    ptrdiff_t n = odd->run.last + 1;
    odd->backward = backward;
    struct zero_phase_fault fault = filter_pass(odd, false, n + odd->lead_in[!backward].nrow);
    return fault.reason == ZERO_PHASE_GOOD ? filter_pass(odd, true, n) : fault;
}

/* Sets odd->value to the mean of the results of both orders; of rotations the rotation half way between. */
static void average_orders(struct odd_extension *odd)
{
    size_t n = (size_t)odd->run.last + 1, width = (size_t)odd->run.width;
    for (size_t k = 0; k < n; k++) {
        double *a = odd->value + k * width, *b = odd->other + (n - 1 - k) * width, dot = 1;
        if (width == 4)
            dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        for (size_t i = 0; i < width; i++)
            a[i] = a[i] / 2 + (dot < 0 ? 0 - b[i] : b[i]) / 2;
        if (width == 4)
            rotation_unit(a);
    }
}

struct zero_phase_fault odd_extension_filter(struct odd_extension *odd, const struct odd_run *run)
{
    const struct odd_run *before = &odd->run;
    bool same_steps = odd->lead_in_found && before->T == run->T && before->last == run->last;
    same_steps &= run->T || before->step == run->step;
    odd->lead_in_found = true;
    odd->run = *run;
    odd->backward = false;
    for (int second = 0; second < 2 && run->last > 0 && !same_steps; second++)
        find_lead_in(odd, second);
    size_t n = (size_t)((run->last + 1) * run->width);
    if (run->last == 0 || (odd->lead_in[0].still && odd->lead_in[1].still)) {
        for (size_t i = 0; i < n; i++)
            odd->value[i] = run->width == SAMPLE_ROTATION && i % 4 == 0;
        return (struct zero_phase_fault){ ZERO_PHASE_GOOD, 0 };
    }
    if (!run->T && run->width == SAMPLE_NUMBER)
        return filter_in_order(odd, false);
    struct zero_phase_fault fault = filter_in_order(odd, true);
    if (fault.reason != ZERO_PHASE_GOOD)
        return fault;
    memcpy(odd->other, odd->value, n * sizeof *odd->other);
    fault = filter_in_order(odd, false);
    if (fault.reason == ZERO_PHASE_GOOD)
        average_orders(odd);
    return fault;
}
