/* Runs the filter over the rows of a chunk. Channels without flags are filtered in the columns of the block,
 * side by side; the components of a rotation, and of a vector whose components run together, are filtered
 * together. */
#include "series/streamed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A row of a rotation that has passed the filter. */
struct rotated_row {
    size_t p;           /* of the chunk */
    const double *read; /* numbers of the target */
    const struct rotation_state *state;
    const struct rotation_result *result;
};

/* Sets the outputs of a rotation in a row. The outputs of the last three components are the x, y and z of
 * velocity and acceleration. last: the numbers printed in the previous row, replaced by the numbers of this
 * row; of the numbers that mean one rotation, the nearest to last are printed in a gap, else the nearest to
 * the target's. */
static void print_row(struct series *series, const struct unit *unit, const struct rotated_row *row,
                      double last[4])
{
    const struct streamed *streamed = streamed_of(series);
    const struct rotation_result *result = row->result;
    size_t nout = series->shape.nout, p = row->p;
    double print[4], velocity[4], acceleration[4];
    bool gap = streamed->targets.flags[unit->channel[0]][p] & FLAG_GAP;
    unit_print(unit, gap && !result->at_goal ? last : row->read, result->x, result->at_goal, print);
    memcpy(last, print, unit->n * sizeof *last);
    unit_rates(unit, result->velocity, velocity);
    unit_rates(unit, result->acceleration, acceleration);
    for (size_t k = 0; k < unit->n; k++) {
        double *const *out = streamed->out.at + unit->channel[k] * nout;
        out[0][p] = print[k];
        out[1][p] = velocity[k];
        out[2][p] = acceleration[k];
    }
}

/* Sets the predictions of a rotation. */
static void predict_rotation(struct series *series, const struct unit *unit,
                             const struct rotation_filter *filter, const struct rotated_row *row)
{
    const struct filter *f = filter->filter;
    const struct numbers *seconds = filter_values(f, filter->settings);
    double step[FILTER_MAXSTEP], print[4], velocity[4];
    for (size_t i = 0; i < seconds->nvalue; i++) {
        double S = seconds->value[i];
        struct rotation_result later = { 0 };
        f->step(filter->settings, S, step);
        rotation_predict(filter, row->state, S, step, &later);
        unit_print(unit, row->read, later.x, later.at_goal, print);
        unit_rates(unit, later.velocity, velocity);
        for (size_t k = 0; k < unit->n; k++) {
            double *const *out = streamed_of(series)->out.at + unit->channel[k] * series->shape.nout +
                                 f->shape.nout + 2 * i;
            out[0][row->p] = print[k];
            out[1][row->p] = velocity[k];
        }
    }
}

/* The settings of a rotation, of Euler angles a copy per
 * radian, which is valid until the next call. */
static const void *rotation_settings(const struct series *series, const struct unit *unit)
{
    const void *settings = series->config.settings;
    const struct filter *filter = series->config.filter;
    char *own = streamed_of(series)->out.per_radian;
    if (unit->kind != UNIT_EULER)
        return settings;
    memcpy(own, settings, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        if (filter->params[i].in_unit)
            *(double *)(own + filter->params[i].offset) /= unit_radian(unit);
    return own;
}

static void filter_rotation(struct series *series, struct filter_group *group, const struct chunk *chunk,
                            const struct unit *unit)
{
    const struct streamed *streamed = streamed_of(series);
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    struct group_rotation *kept = &group->rotation[unit->rotation];
    const struct coefficients *coefficients = &streamed->coefficients;
    struct rotation_filter filter = {
        .filter = series->config.filter,
        .settings = rotation_settings(series, unit),
        .shape = &series->config.filter->shape,
        .derivatives = series->config.derivatives.computed,
    };
    struct rotation_row row = { .origin = series->config.in.settings->start.given ? identity : NULL };
    struct rotation_result result = { 0 };
    double read[4], next[4];
    struct rotated_row rotated = { .read = read, .state = &kept->state, .result = &result };
    for (size_t p = 0; p < chunk->nrun; p++) {
        row.flags = streamed->targets.flags[unit->channel[0]][p];
        chunk_targets(series, unit, p, read);
        unit_target(unit, read, row.goal);
        if (rotation_sees_next(&filter, row.flags)) {
            chunk_targets(series, unit, p + 1, next);
            unit_target(unit, next, row.next);
        }
        row.T = series->T + p;
        row.step = coefficients->step + p * coefficients->stride;
        if (!rotation_take(&filter, &kept->state, &row, &result))
            continue;
        rotated.p = p;
        print_row(series, unit, &rotated, kept->print);
        if (filter_predicts(series->config.filter, filter.settings) && !(row.flags & FLAG_ZERO_DT))
            predict_rotation(series, unit, &filter, &rotated);
    }
}

/* Are the components of a vector filtered together? */
static bool is_sized(const struct series *series)
{
    return ((const struct filter_common *)series->config.settings)->sized;
}

/* Is the channel not filtered as a number: a component of a rotation, or of a vector whose components run
 * together? */
static bool runs_apart(const struct series *series, size_t c)
{
    const struct unit *unit = units_of(series->config.in.units, c);
    return unit_is_rotation(unit) || (unit->kind == UNIT_VECTOR && is_sized(series));
}

/* Begins the description of a run of n channels over the rows of a chunk: what depends on the settings and
 * the rows alone. */
static struct run start_run(const struct series *series, const struct chunk *chunk, size_t n)
{
    const struct filter *filter = series->config.filter;
    const struct coefficients *coefficients = &streamed_of(series)->coefficients;
    return (struct run){
        .settings = coefficients->settings,
        .shape = &series->shape,
        .nrow = chunk->nrun,
        .nchannel = n,
        .T = series->T,
        .step = coefficients->step,
        .step_stride = coefficients->stride,
        .ahead = filter->ahead,
        .predicts = filter_predicts(filter, coefficients->settings),
    };
}

/* Filters the components of a vector, which may stand anywhere among the channels. */
static void filter_vector(struct series *series, struct filter_group *group, const struct chunk *chunk,
                          const struct unit *vector)
{
    const struct streamed *streamed = streamed_of(series);
    static const unsigned char no_flags[CHUNK_ROWS + 1];
    const struct series_settings *settings = series->config.in.settings;
    size_t nstate = series->shape.nstate, nout = series->shape.nout, n = vector->n;
    const double *goal[3];
    const unsigned char *flags[3];
    double *out[3 * RUN_MAXANY], state[3 * FILTER_MAXSTATE], origin[3];
    for (size_t k = 0; k < n; k++) {
        size_t c = vector->channel[k];
        goal[k] = streamed->targets.goal_at[c];
        flags[k] = streamed->targets.flags[c] ? streamed->targets.flags[c] : no_flags;
        origin[k] = streamed->out.start[c];
        memcpy(out + k * nout, streamed->out.at + c * nout, nout * sizeof *out);
        memcpy(state + k * nstate, group->state + c * nstate, nstate * sizeof *state);
    }
    struct run run = start_run(series, chunk, n);
    run.goal = goal;
    run.flags = flags;
    run.out = out;
    run.state = state;
    run.origin = settings->start.given ? origin : NULL;
    run.sizes = series->config.filter->sizes;
    series->config.filter->run(&run);
    for (size_t k = 0; k < n; k++)
        memcpy(group->state + vector->channel[k] * nstate, state + k * nstate, nstate * sizeof *state);
}

/* Can channel `other` be filtered in the same run as channel c? */
static bool share_run(const struct series *series, size_t c, size_t other)
{
    const struct row_targets *targets = &streamed_of(series)->targets;
    return !targets->flags[other] == !targets->flags[c] && !runs_apart(series, other);
}

/* Neighbouring numbers are filtered together. */
void chunk_run(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct streamed *streamed = streamed_of(series);
    const unsigned char *const *flags = (const unsigned char *const *)streamed->targets.flags;
    const struct series_settings *settings = series->config.in.settings;
    for (size_t c = 0, n; c < series->nchannel; c += n) {
        n = 1;
        if (runs_apart(series, c))
            continue;
        while (c + n < series->nchannel && share_run(series, c, c + n))
            n++;
        struct run run = start_run(series, chunk, n);
        run.goal = streamed->targets.goal_at + c;
        run.flags = flags[c] ? flags + c : NULL;
        run.out = streamed->out.at + c * series->shape.nout;
        run.value_only = series->wanted.n == 1 && series->wanted.output[0] == 0;
        run.state = group->state + c * series->shape.nstate;
        run.origin = settings->start.given ? streamed->out.start + c : NULL;
        series->config.filter->run(&run);
    }
    const struct units *all = series->config.in.units;
    for (size_t i = 0; all->nrotation + all->nvector > 0 && i < all->n; i++) {
        const struct unit *unit = &all->at[i];
        if (unit_is_rotation(unit))
            filter_rotation(series, group, chunk, unit);
        if (unit->kind == UNIT_VECTOR && is_sized(series))
            filter_vector(series, group, chunk, unit);
    }
}
