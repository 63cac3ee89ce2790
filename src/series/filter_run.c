/* Samples through the filter: numbers, vectors and rotations, predictions, and points between samples. See
 * filter_pass.h. */
#include "series/filter_pass.h"

#include "base/array.h"

#include <string.h>

/* Samples as the filter takes them; the pass has the goals. */
struct rows {
    struct filter_series *memory;
    const double *T, *step; /* as in struct run */
    size_t step_stride, n;
    unsigned char *const *flag; /* [nchannel] each NULL: no sample has a flag */
    double *const *out;         /* [nchannel * shape.nout] where the outputs go */
};

/* Filters n channels together, all with flags or all without: numbers, or, sized, the components of a vector
 * whose lengths the filter takes. */
static void run_channels(const struct filter_pass *pass, const struct rows *rows, size_t place, size_t n,
                         bool sized)
{
    const struct core *core = pass->core;
    const struct filter *filter = core->filter;
    const unsigned char *const *flag = (const unsigned char *const *)rows->flag;
    const struct run run = {
        .settings = core->settings,
        .shape = &pass->shape,
        .nrow = rows->n,
        .nchannel = n,
        .T = rows->T,
        .step = rows->step,
        .step_stride = rows->step_stride,
        .goal = pass->goal_at + place,
        .flags = rows->flag[place] ? flag + place : NULL,
        .out = rows->out + place * pass->shape.nout,
        .value_only = core->wanted.n == 1 && core->wanted.output[0] == 0,
        .state = rows->memory->state + place * pass->shape.nstate,
        .origin = core->input.settings->start.given ? pass->start : NULL,
        .ahead = filter->ahead,
        .sizes = sized ? filter->sizes : NULL,
    };
    filter->run(&run);
}

/* The flags of sample i. */
static unsigned char flags_of(const struct rows *rows, size_t place, size_t i)
{
    return rows->flag[place] ? rows->flag[place][i] : 0;
}

/* Sets the outputs of sample i of a rotation: of the numbers that mean one rotation those nearest to the
 * goal's, and in a gap to the numbers printed before. The last three components have the x, y and z of
 * velocity and acceleration. */
static void print_rotation(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit,
                           size_t i, const struct rotation_result *result)
{
    const size_t place = filter_place_of(pass, unit), nout = pass->shape.nout;
    double *last = rows->memory->rotation[unit->rotation].print;
    double print[3][4], near[4];
    filter_goals(pass, unit, i, near);
    if (flags_of(rows, place, i) & FLAG_GAP && !result->at_goal)
        memcpy(near, last, sizeof near);
    unit_print(unit, near, result->x, result->at_goal, print[0]);
    memcpy(last, print[0], unit->n * sizeof *last);
    unit_rates(unit, result->velocity, print[1]);
    unit_rates(unit, result->acceleration, print[2]);
    for (size_t k = 0; k < unit->n; k++)
        for (size_t o = 0; o < nout; o++)
            rows->out[(place + k) * nout + o][i] = print[o][k];
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
        row.flags = flags_of(rows, filter_place_of(pass, unit), i);
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

/* Is the channel in a place filtered as a number? */
static bool runs_alone(const struct filter_pass *pass, size_t place)
{
    const struct filter_common *common = pass->core->settings;
    const struct unit *unit = units_of(pass->core->input.units, pass->channel_at[place]);
    return !unit_is_rotation(unit) && (unit->n == 1 || !common->sized);
}

/* Filters every unit: neighbouring numbers together, as long as all of them have flags or none has. */
static void run_units(const struct filter_pass *pass, const struct rows *rows)
{
    const size_t nchannel = pass->core->nchannel;
    for (size_t place = 0, n; place < nchannel; place += n) {
        const struct unit *unit = units_of(pass->core->input.units, pass->channel_at[place]);
        const bool alone = runs_alone(pass, place), flags = rows->flag[place] != NULL;
        n = alone ? 1 : unit->n;
        while (alone && place + n < nchannel && runs_alone(pass, place + n) &&
               (rows->flag[place + n] != NULL) == flags)
            n++;
        if (unit_is_rotation(unit))
            run_rotation(pass, rows, unit);
        else
            run_channels(pass, rows, place, n, !alone);
    }
}

void filter_run(const struct filter_pass *pass, struct filter_series *memory, const double *T, size_t n)
{
    const struct filter *filter = pass->core->filter;
    const struct numbers *seconds = filter_values(pass->core->settings);
    const size_t nout = pass->core->nchannel * pass->shape.nout;
    const struct coefficients *found = &pass->coefficients;
    const struct rows rows = { memory, T, found->step, found->stride, n, pass->flag_at, pass->out_at };
    run_units(pass, &rows);
    for (size_t p = 0; p < pass->npredict; p++) {
        double step[FILTER_MAXSTEP];
        memcpy(pass->later, memory, pass->nbyte);
        filter->step(pass->core->settings, seconds->value[p], step);
        const struct rows later = {
            .memory = filter_memory(pass, pass->later),
            .T = &seconds->value[p],
            .step = step,
            .n = 1,
            .flag = pass->unflagged,
            .out = pass->out_at + (1 + p) * nout,
        };
        run_units(pass, &later);
    }
}

/* --- points between samples --- */

/* A record: the memory of the filter before the sample after the points, then these. */
struct record {
    double *T;           /* of the step */
    double *goal;        /* [nchannel] of that sample, by place in the pass */
    unsigned char *flag; /* [nchannel] enum row_flag, likewise */
};

static struct record record_at(const struct filter_pass *pass, void *bytes)
{
    double *numbers = (double *)((char *)bytes + pass->nbyte);
    return (struct record){ numbers, numbers + 1, (unsigned char *)(numbers + 1 + pass->core->nchannel) };
}

size_t points_size(const struct filter_pass *pass)
{
    const size_t n = pass->core->nchannel, flags = (n + sizeof(double) - 1) / sizeof(double);
    return pass->nbyte + (1 + n + flags) * sizeof(double);
}

void points_keep(struct core *core, const struct chunk *chunk)
{
    const struct filter_pass *pass = core->filter_pass;
    struct series *series = chunk->series;
    const struct record record = record_at(pass, pass->record);
    const size_t n = points_size(pass);
    struct error e;
    *record.T = series->knots.T[chunk->at];
    for (size_t c = 0; c < core->nchannel; c++) {
        record.goal[c] = pass->goal_at[c][0];
        record.flag[c] = pass->flag_at[c] ? pass->flag_at[c][0] : 0;
    }
    if (series->firstrecord > 0) {
        series->nrecord -= series->firstrecord;
        memmove(series->record, series->record + series->firstrecord, series->nrecord);
        series->firstrecord = 0;
    }
    if (!array_reserve(&series->record, series->nrecord + n, &series->maxrecord, 1, &e)) {
        core_fail(core, series, chunk->memory->at, &e);
        return;
    }
    memcpy(series->record + series->nrecord, pass->record, n);
    series->nrecord += n;
}

void points_drop(const struct core *core, struct series *series)
{
    series->firstrecord += points_size(core->filter_pass);
}

/* Sets the goals of a unit at a part of the step. The goal jumps to that of the sample after the points at
 * the begin of the step, or moves there at constant speed. */
static void set_goals(struct filter_pass *pass, const struct filter_series *memory,
                      const struct record *record, const struct unit *unit, double part)
{
    const struct filter_common *common = pass->core->settings;
    double before[4], goal[4], from[4], to[4], way[3];
    const size_t place = filter_place_of(pass, unit);
    for (size_t k = 0; k < unit->n; k++) {
        before[k] = memory->channel[place + k].goal;
        goal[k] = record->goal[place + k];
    }
    if (common->moves) {
        unit_target(unit, before, from);
        unit_target(unit, goal, to);
        unit_way(unit, from, to, way);
        unit_move(unit, from, way, part);
        unit_print(unit, goal, from, false, goal);
    }
    for (size_t k = 0; k < unit->n; k++)
        *filter_own_goals(pass, place + k) = goal[k];
}

void points_of_states(struct core *core, const struct series *series, double part, struct knot_columns out)
{
    struct filter_pass *pass = core->filter_pass;
    const size_t nwant = core->wanted.n;
    const bool printed = core->input.settings->gaps == GAPS_FILL;
    memcpy(pass->record, series->record + series->firstrecord, points_size(pass));
    struct filter_series *memory = filter_memory(pass, pass->record);
    const struct record record = record_at(pass, pass->record);
    const double T = *record.T * part;
    coefficients_find(&pass->coefficients, &T, 1, 1);
    for (size_t i = 0; i < core->input.units->n; i++)
        set_goals(pass, memory, &record, &core->input.units->at[i], part);
    for (size_t c = 0; c < core->nchannel; c++) {
        pass->goal_at[c] = filter_own_goals(pass, c);
        pass->flag_at[c] = pass->flag + c * (pass->maxrow + 1);
        pass->flag_at[c][0] = record.flag[c] & FLAG_GAP;
    }
    filter_set_outputs(pass, out);
    filter_run(pass, memory, &T, 1);
    for (size_t c = 0; c < core->nchannel; c++) {
        const struct unit *unit = units_of(core->input.units, c);
        const struct channel_state *before = &memory->channel[pass->place[c]];
        const unsigned char flag = record.flag[pass->place[c]];
        const bool missing = before->open || flag & (FLAG_GAP | FLAG_CUT);
        double *value = knots_column(out, c * nwant);
        if (unit->period > 0 && core->wanted.output[0] == 0)
            *value = angle_near(*value, before->printed, unit->period);
        if (flag & (FLAG_START | FLAG_NO_VALUE) || (missing && !printed))
            for (size_t k = 0; k < nwant; k++)
                value[k * out.stride] = (double)NAN;
    }
}
