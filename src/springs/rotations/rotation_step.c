/* One rotation through a filter, row by row: three channels whose target is 0.
 *
 * A row's chart is the rotation vectors about its target g: the output is x = exp(y) g, and the filter moves
 * the three components of y by its own equations. Between rows the target moves, and the chart with it.
 * Invariant: what the filter keeps means the same in the next chart: its output is the same rotation, and
 * velocities are the same angular velocities in the world frame (filter.rotations). Errors relative to a
 * target that the output moves along with stay as they are. */
#include "springs/rotations/rotation.h"

#include <math.h>

/* v[k] = double i of component k of the filter's state; each of the three components has n doubles. */
static void get_vector(const double *state, size_t n, size_t i, double v[3])
{
    for (size_t k = 0; k < 3; k++)
        v[k] = state[k * n + i];
}

static void set_vector(double *state, size_t n, size_t i, const double v[3])
{
    for (size_t k = 0; k < 3; k++)
        state[k * n + i] = v[k];
}

/* The chart of the new row; it expresses the old target and the old output. */
struct chart {
    double target[3];         /* rotation vector from the new target to the old target */
    double output[3];         /* rotation vector of the old output, as the filter's position */
    struct rotation_point at; /* the old output relative to the target where it was then */
    double drift[3];          /* angular velocity of the new target that the output moves along with */
};

/* Expresses the filter's state in the new chart, as the letters of filter.rotations say: an output becomes
 * chart->output, an error chart->output - chart->target, and a velocity, which the old chart holds at
 * state->at with state->drift, the rate of the same angular velocity. */
static void move_state(const struct filter *filter, struct rotation_state *state, size_t nstate,
                       const struct chart *chart)
{
    set_vector(state->state, nstate, 0, chart->target);
    for (size_t i = 1; i < nstate; i++) {
        const char letter = filter->rotations[i];
        double vector[3], velocity[3];
        get_vector(state->state, nstate, i, vector);
        for (size_t k = 0; k < 3; k++) {
            if (letter == 'x')
                vector[k] = chart->output[k];
            else if (letter == 'e')
                vector[k] = chart->output[k] - chart->target[k];
        }
        if (letter == 'v') {
            rotation_velocity(&state->at, vector, state->drift, velocity);
            rotation_rate(&chart->at, velocity, chart->drift, vector);
        }
        set_vector(state->state, nstate, i, vector);
    }
}

/* Expresses the state relative to the row's target. A target that drifts had another place at the last row,
 * the new target less drift T; the output and the velocity of the last row are taken relative to that place.
 * In the usual row of a filter with a drift the place is the old target; where the target does not move, the
 * place is the new target. An output more than half a turn from its target continues by the shorter way. */
static void change_chart(const struct rotation_filter *rotation_filter, struct rotation_state *state,
                         const struct rotation_row *row, const double next[3])
{
    const struct filter *filter = rotation_filter->filter;
    size_t nstate = rotation_filter->shape->nstate;
    struct chart chart = { .at = state->at };
    double way[4], output[4], T = row->T[0];
    /* True while the old chart may stay: the output moves along with the target, at most half a turn away. */
    bool along = state->at.square <= M_PI * M_PI, moves = false;
    rotation_between(state->goal, row->goal, way);
    rotation_log(way, chart.target);
    for (size_t k = 0; k < 3; k++) {
        struct sample sample = { .next = next[k], .next_T = row->T[filter->ahead], .flags = row->flags };
        double slope = (0 - chart.target[k]) / T;
        if (filter->drift)
            chart.drift[k] = filter->drift(rotation_filter->settings, state->state + k * nstate, &sample,
                                           slope);
        along &= chart.drift[k] == slope;
        moves |= chart.target[k] != 0 || chart.drift[k] != state->drift[k];
    }
    if (along && !moves)
        return;
    if (!along) {
        rotation_multiply(state->at.q, way, output);
        if (filter->drift) {
            const double moved[3] = { chart.drift[0] * T, chart.drift[1] * T, chart.drift[2] * T };
            struct rotation_point drifted;
            double relative[4];
            rotation_point_exp(moved, &drifted);
            rotation_multiply(output, drifted.q, relative);
            memcpy(output, relative, sizeof output);
        }
        rotation_point_log(output, &chart.at);
    }
    for (size_t k = 0; k < 3; k++)
        chart.output[k] = chart.at.y[k] - chart.drift[k] * T;
    move_state(filter, state, nstate, &chart);
    memcpy(state->drift, chart.drift, sizeof state->drift);
}

bool rotation_sees_next(const struct rotation_filter *filter, unsigned flags)
{
    return filter->filter->ahead && !(flags & (FLAG_NO_NEXT | FLAG_START));
}

/* Takes the three components through the filter. from: the initial position relative to the target, read only
 * in a row with FLAG_START. */
static void run_filter(const struct rotation_filter *filter, struct rotation_state *state,
                       const struct rotation_row *row, const double from[3], const double next[3],
                       double out[3 * FILTER_MAXOUT])
{
    const double goals[3][2] = { { 0, next[0] }, { 0, next[1] }, { 0, next[2] } };
    const double *const goal[3] = { goals[0], goals[1], goals[2] };
    const unsigned char *const flags[3] = { &row->flags, &row->flags, &row->flags };
    double *column[3 * FILTER_MAXOUT];
    for (size_t i = 0; i < 3 * filter->shape->nout; i++)
        column[i] = &out[i];
    struct run run = {
        .settings = filter->settings,
        .shape = filter->shape,
        .nrow = 1,
        .nchannel = 3,
        .T = row->T,
        .step = row->step,
        .goal = goal,
        .flags = row->flags ? flags : NULL,
        .out = column,
        .value_only = filter->derivatives == 0,
        .state = state->state,
        .origin = from,
        .ahead = filter->filter->ahead,
    };
    filter->filter->run(&run);
}

/* Sets the velocity and the acceleration. A filter without drift gives the acceleration by its equation; a
 * filter whose output moves along with the target has the change of the velocity as acceleration. */
static void give_derivatives(const struct rotation_filter *filter, struct rotation_state *state,
                             const struct rotation_row *row, const double *out,
                             struct rotation_result *result)
{
    double rate[3], change[3];
    get_vector(out, filter->shape->nout, 1, rate);
    rotation_velocity(&state->at, rate, state->drift, result->velocity);
    if (filter->derivatives < 2)
        return;
    get_vector(out, filter->shape->nout, 2, change);
    if (filter->filter->drift && !(row->flags & FLAG_START))
        for (size_t k = 0; k < 3; k++)
            result->acceleration[k] = (result->velocity[k] - state->velocity[k]) / row->T[0];
    else
        rotation_acceleration(&state->at, rate, change, result->acceleration);
    memcpy(state->velocity, result->velocity, sizeof state->velocity);
}

/* Sets x and at_goal: the output that is state->at from the goal. */
static void give_output(const struct rotation_state *state, const double goal[4],
                        struct rotation_result *result)
{
    double x[4];
    rotation_multiply(state->at.q, goal, x);
    result->at_goal = state->at.y[0] == 0 && state->at.y[1] == 0 && state->at.y[2] == 0;
    bool finite = rotation_unit(x);
    for (size_t k = 0; k < 4; k++) {
        double nearer = state->at.q[0] < 0 ? -x[k] : x[k];
        result->x[k] = result->at_goal ? goal[k] : nearer;
        if (!finite)
            result->x[k] = (double)NAN;
    }
}

void rotation_step(const struct rotation_filter *filter, struct rotation_state *state,
                   const struct rotation_row *row, struct rotation_result *result)
{
    double from[3] = { 0 }, next[3] = { 0 }, out[3 * FILTER_MAXOUT], y[3];
    if (rotation_sees_next(filter, row->flags))
        rotation_vector(row->next, row->goal, next);
    if (!(row->flags & FLAG_START)) {
        change_chart(filter, state, row, next);
    } else {
        memset(state->drift, 0, sizeof state->drift);
        if (row->origin)
            rotation_vector(row->origin, row->goal, from);
    }
    run_filter(filter, state, row, from, next, out);
    memcpy(state->goal, row->goal, sizeof state->goal);
    get_vector(out, filter->shape->nout, 0, y);
    rotation_point_exp(y, &state->at);
    give_output(state, row->goal, result);
    if (filter->derivatives > 0)
        give_derivatives(filter, state, row, out, result);
}
