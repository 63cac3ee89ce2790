/* Samples of a rotation through the filter. See filter_pass.h. */
#include "series/filter_pass.h"

#include <math.h>
#include <string.h>

/* A sample that has passed the filter. */
struct rotated {
    size_t p;           /* in the chunk */
    const double *read; /* numbers of the goal */
    const struct rotation_state *state;
    const struct rotation_result *result;
};

/* The outputs of component k of a unit. The last three components have the x, y and z of velocity and
 * acceleration. */
static double *const *outputs(const struct filter_pass *pass, const struct unit *unit, size_t k)
{
    return pass->out_at + unit->channel[k] * pass->shape.nout;
}

/* Sets the outputs of a sample. last: the numbers printed before, replaced by those of this sample: of the
 * numbers that mean one rotation the nearest to `last` are printed in a gap, else the nearest to the goal's.
 */
static void print_sample(const struct filter_pass *pass, const struct unit *unit,
                         const struct rotated *sample, double last[4])
{
    const struct rotation_result *result = sample->result;
    const bool gap = pass->flag_at[unit->channel[0]][sample->p] & FLAG_GAP;
    double print[4], velocity[4], acceleration[4];
    unit_print(unit, gap && !result->at_goal ? last : sample->read, result->x, result->at_goal, print);
    memcpy(last, print, unit->n * sizeof *last);
    unit_rates(unit, result->velocity, velocity);
    unit_rates(unit, result->acceleration, acceleration);
    for (size_t k = 0; k < unit->n; k++) {
        double *const *out = outputs(pass, unit, k);
        out[0][sample->p] = print[k];
        out[1][sample->p] = velocity[k];
        out[2][sample->p] = acceleration[k];
    }
}

/* Sets the predictions of a sample. */
static void predict(const struct filter_pass *pass, const struct unit *unit,
                    const struct rotation_filter *filter, const struct rotated *sample)
{
    const struct filter *f = filter->filter;
    const struct numbers *seconds = filter_values(f, filter->settings);
    double step[FILTER_MAXSTEP], print[4], velocity[4];
    for (size_t i = 0; i < seconds->nvalue; i++) {
        const double S = seconds->value[i];
        struct rotation_result later = { 0 };
        f->step(filter->settings, S, step);
        rotation_predict(filter, sample->state, S, step, &later);
        unit_print(unit, sample->read, later.x, later.at_goal, print);
        unit_rates(unit, later.velocity, velocity);
        for (size_t k = 0; k < unit->n; k++) {
            double *const *out = outputs(pass, unit, k) + f->shape.nout + 2 * i;
            out[0][sample->p] = print[k];
            out[1][sample->p] = velocity[k];
        }
    }
}

/* The filter's settings for a rotation: of Euler angles a copy per radian, which is valid until the next
 * call. */
static const void *settings_of(const struct filter_pass *pass, const struct unit *unit)
{
    const struct filter *filter = pass->core->filter;
    if (unit->kind != UNIT_EULER)
        return pass->core->settings;
    char *own = pass->per_radian;
    memcpy(own, pass->core->settings, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        if (filter->params[i].in_unit)
            *(double *)(own + filter->params[i].offset) /= unit_radian(unit);
    return own;
}

void rotation_rows_run(struct filter_pass *pass, const struct chunk *chunk, const struct unit *unit)
{
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    const struct core *core = pass->core;
    struct rotation_memory *memory = &chunk->memory->rotation[unit->rotation];
    const unsigned char *flag = pass->flag_at[unit->channel[0]];
    const struct rotation_filter filter = {
        .filter = core->filter,
        .settings = settings_of(pass, unit),
        .shape = &core->filter->shape,
        .derivatives = pass->derivatives,
    };
    struct rotation_row row = { .origin = core->input.settings->start.given ? identity : NULL };
    struct rotation_result result = { 0 };
    double read[4], next[4];
    for (size_t p = 0; p < chunk->n; p++) {
        row.flags = flag[p];
        if (row.flags & FLAG_NO_VALUE)
            continue;
        filter_goals(pass, unit, p, read);
        unit_target(unit, read, row.goal);
        if (rotation_sees_next(&filter, row.flags)) {
            filter_goals(pass, unit, p + 1, next);
            unit_target(unit, next, row.next);
        }
        row.T = chunk->knots->T + chunk->at + p;
        row.step = pass->coefficients.step + p * pass->coefficients.stride;
        rotation_step(&filter, &memory->state, &row, &result);
        const struct rotated sample = { p, read, &memory->state, &result };
        print_sample(pass, unit, &sample, memory->print);
        if (filter_predicts(core->filter, filter.settings))
            predict(pass, unit, &filter, &sample);
    }
}
