/* Samples of a rotation through the filter. See filter_pass.h. */
#include "series/filter_pass.h"

#include <math.h>
#include <string.h>

/* Sets the outputs of sample p. read: numbers of the goal. last: the numbers printed before, replaced by
 * those of this sample: of the numbers that mean one rotation the nearest to `last` are printed in a gap,
 * else the nearest to the goal's. The last three components have the x, y and z of velocity and acceleration.
 */
static void print_sample(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit,
                         size_t p, const double read[4], const struct rotation_result *result, double last[4])
{
    const bool gap = rows->flag[unit->channel[0]][p] & FLAG_GAP;
    double print[3][4];
    unit_print(unit, gap && !result->at_goal ? last : read, result->x, result->at_goal, print[0]);
    memcpy(last, print[0], unit->n * sizeof *last);
    unit_rates(unit, result->velocity, print[1]);
    unit_rates(unit, result->acceleration, print[2]);
    for (size_t k = 0; k < unit->n; k++) {
        double *const *out = pass->out_at + unit->channel[k] * pass->shape.nout + rows->from;
        for (size_t o = 0; o < rows->nout; o++)
            out[o][p] = print[o][k];
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

void rotation_rows_run(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit)
{
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    const struct core *core = pass->core;
    struct rotation_memory *memory = &rows->memory->rotation[unit->rotation];
    const struct rotation_filter filter = {
        .filter = core->filter,
        .settings = settings_of(pass, unit),
        .shape = &core->filter->shape,
        .derivatives = pass->derivatives,
    };
    struct rotation_row row = { .origin = core->input.settings->start.given ? identity : NULL };
    struct rotation_result result = { 0 };
    double read[4], next[4];
    for (size_t i = 0; i < rows->n; i++) {
        const size_t p = rows->first + i;
        row.flags = rows->flag[unit->channel[0]][p];
        if (row.flags & FLAG_NO_VALUE)
            continue;
        filter_goals(pass, unit, p, read);
        unit_target(unit, read, row.goal);
        if (rotation_sees_next(&filter, row.flags)) {
            filter_goals(pass, unit, p + 1, next);
            unit_target(unit, next, row.next);
        }
        row.T = rows->T + i;
        row.step = rows->step + i * rows->step_stride;
        rotation_step(&filter, &memory->state, &row, &result);
        print_sample(pass, rows, unit, p, read, &result, memory->print);
    }
}
