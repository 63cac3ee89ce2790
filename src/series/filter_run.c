/* Samples through the filter: numbers, vectors and rotations, and predictions. See filter_pass.h. */
#include "series/filter_pass.h"

#include <string.h>

static bool has_flags(const struct rows *rows, size_t c)
{
    return rows->flag && rows->flag[c];
}

/* Filters n channels together, all with flags or all without: numbers side by side, or, sized, the components
 * of a vector whose lengths the filter takes. */
static void run_channels(const struct filter_pass *pass, const struct rows *rows, const size_t *channel,
                         size_t n, bool sized)
{
    const struct core *core = pass->core;
    const struct filter *filter = core->filter;
    const struct shape *shape = pass->predicts ? &filter->shape : &pass->shape;
    const size_t nstate = shape->nstate, nout = shape->nout;
    double *const states = rows->memory->state, together[3 * FILTER_MAXSTATE];
    const bool as_placed = !sized && !pass->predicts;
    for (size_t k = 0; k < n && !as_placed; k++) {
        const size_t c = channel[k];
        pass->run_goal[k] = pass->goal_at[c];
        pass->run_flag[k] = rows->flag ? rows->flag[c] : NULL;
        for (size_t o = 0; o < nout; o++)
            pass->run_out[k * nout + o] = o < rows->nout ? pass->out_at[c * pass->shape.nout + rows->from + o]
                                                         : pass->scratch;
    }
    for (size_t k = 0; k < n && sized; k++)
        memcpy(together + k * nstate, states + channel[k] * nstate, nstate * sizeof *states);
    struct run run = {
        .settings = core->settings,
        .shape = shape,
        .nrow = rows->n,
        .nchannel = n,
        .T = rows->T,
        .step = rows->step,
        .step_stride = rows->step_stride,
        .goal = pass->goal_at + channel[0],
        .out = pass->out_at + channel[0] * nout,
        .value_only = core->wanted.n == 1 && core->wanted.output[0] == 0,
        .state = states + channel[0] * nstate,
        .ahead = filter->ahead,
    };
    const bool flags = has_flags(rows, channel[0]);
    if (flags)
        run.flags = (const unsigned char *const *)rows->flag + channel[0];
    if (!as_placed) {
        run.goal = pass->run_goal;
        run.out = pass->run_out;
        run.flags = flags ? pass->run_flag : NULL;
    }
    if (sized) {
        run.state = together;
        run.sizes = filter->sizes;
    }
    if (core->input.settings->start.given)
        run.origin = pass->start;
    filter->run(&run);
    for (size_t k = 0; k < n && sized; k++)
        memcpy(states + channel[k] * nstate, together + k * nstate, nstate * sizeof *states);
}

/* The flags of sample i. */
static unsigned char flags_of(const struct rows *rows, size_t channel, size_t i)
{
    return has_flags(rows, channel) ? rows->flag[channel][i] : 0;
}

/* Sets the outputs of sample i of a rotation: of the numbers that mean one rotation those nearest to the
 * goal's, and in a gap to the numbers printed before. The last three components have the x, y and z of
 * velocity and acceleration. */
static void print_rotation(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit,
                           size_t i, const struct rotation_result *result)
{
    double *last = rows->memory->rotation[unit->rotation].print;
    double print[3][4], near[4];
    filter_goals(pass, unit, i, near);
    if (flags_of(rows, unit->channel[0], i) & FLAG_GAP && !result->at_goal)
        memcpy(near, last, sizeof near);
    unit_print(unit, near, result->x, result->at_goal, print[0]);
    memcpy(last, print[0], unit->n * sizeof *last);
    unit_rates(unit, result->velocity, print[1]);
    unit_rates(unit, result->acceleration, print[2]);
    for (size_t k = 0; k < unit->n; k++) {
        double *const *out = pass->out_at + unit->channel[k] * pass->shape.nout + rows->from;
        for (size_t o = 0; o < rows->nout; o++)
            out[o][i] = print[o][k];
    }
}

/* The filter's settings for a rotation: of Euler angles a copy per radian, which is valid until the next
 * call. */
static const void *settings_of(const struct filter_pass *pass, const struct unit *unit)
{
    const struct filter *filter = pass->core->filter;
    if (unit_radian(unit) == 1)
        return pass->core->settings;
    char *own = pass->per_radian;
    memcpy(own, pass->core->settings, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        if (filter->params[i].in_unit)
            *(double *)(own + filter->params[i].offset) /= unit_radian(unit);
    return own;
}

/* Runs the filter over the samples of a rotation. */
static void run_rotation(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit)
{
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    const struct core *core = pass->core;
    struct rotation_memory *memory = &rows->memory->rotation[unit->rotation];
    const struct rotation_filter filter = {
        .filter = core->filter,
        .settings = settings_of(pass, unit),
        .shape = &core->filter->shape,
        .derivatives = core->derivatives.computed,
    };
    struct rotation_row row = { .origin = core->input.settings->start.given ? identity : NULL };
    struct rotation_result result = { 0 };
    double number[4];
    for (size_t i = 0; i < rows->n; i++) {
        row.flags = flags_of(rows, unit->channel[0], i);
        if (row.flags & FLAG_NO_VALUE)
            continue;
        filter_goals(pass, unit, i, number);
        unit_target(unit, number, row.goal);
        if (rotation_sees_next(&filter, row.flags)) {
            filter_goals(pass, unit, i + 1, number);
            unit_target(unit, number, row.next);
        }
        row.T = rows->T + i;
        row.step = rows->step + i * rows->step_stride;
        rotation_step(&filter, &memory->state, &row, &result);
        print_rotation(pass, rows, unit, i, &result);
    }
}

/* Is a channel filtered as a number? */
static bool runs_alone(const struct filter_pass *pass, size_t c)
{
    const struct filter_common *common = pass->core->settings;
    const struct unit *unit = units_of(pass->core->input.units, c);
    return !unit_is_rotation(unit) && (unit->n == 1 || !common->sized);
}

/* Filters every unit: neighbouring numbers together, as long as all of them have flags or none has. */
static void run_units(const struct filter_pass *pass, const struct rows *rows)
{
    const struct units *units = pass->core->input.units;
    const size_t nchannel = pass->core->nchannel;
    for (size_t c = 0, n; c < nchannel; c += n) {
        n = 1;
        if (!runs_alone(pass, c))
            continue;
        while (c + n < nchannel && runs_alone(pass, c + n) && has_flags(rows, c + n) == has_flags(rows, c))
            n++;
        run_channels(pass, rows, pass->channel_at + c, n, false);
    }
    for (size_t i = 0; units->nrotation + units->nvector > 0 && i < units->n; i++) {
        const struct unit *unit = &units->at[i];
        if (unit_is_rotation(unit))
            run_rotation(pass, rows, unit);
        else if (!runs_alone(pass, unit->channel[0]))
            run_channels(pass, rows, unit->channel, unit->n, true);
    }
}

/* Predicts after a sample: each prediction is one more sample in a copy of what is remembered, S seconds
 * later, with the goal where it is. No filter that looks ahead predicts. */
static void predict(const struct filter_pass *pass, const struct rows *row)
{
    const struct filter *filter = pass->core->filter;
    const struct numbers *seconds = filter_values(pass->core->settings);
    for (size_t p = 0; p < seconds->nvalue; p++) {
        double step[FILTER_MAXSTEP];
        memcpy(pass->later, row->memory, pass->nbyte);
        filter->step(pass->core->settings, seconds->value[p], step);
        const struct rows later = {
            .memory = filter_memory(pass, pass->later),
            .T = &seconds->value[p],
            .step = step,
            .n = 1,
            .from = filter->shape.nout + p * filter->each.nout,
            .nout = filter->each.nout,
        };
        run_units(pass, &later);
    }
}

struct rows filter_samples(const struct filter_pass *pass, struct filter_series *memory, const double *T,
                           size_t n)
{
    const struct coefficients *found = &pass->coefficients;
    const size_t nout = pass->predicts ? pass->core->filter->shape.nout : pass->shape.nout;
    return (struct rows){
        .memory = memory,
        .T = T,
        .step = found->step,
        .step_stride = found->stride,
        .n = n,
        .flag = pass->flag_at,
        .nout = nout,
    };
}

void filter_run(const struct filter_pass *pass, const struct rows *rows)
{
    run_units(pass, rows);
    if (pass->predicts)
        predict(pass, rows);
}
