/* Rows of arrays as knots, and results as rows. See array_core.h. */
#include "library/array_core.h"

#include "base/array.h"
#include "series/filter_pass.h"
#include "springs/filter_words.h"

#include <stdlib.h>
#include <string.h>

/* --- opening --- */

/* Lists the channels and units of an input without names. */
static bool make_units(struct array_core *arrays, struct error *e)
{
    const size_t components = arrays->rotations ? 4 : 1, nunit = arrays->n / components;
    struct units *units = &arrays->units;
    if (!arrays_make(e, ARRAY(arrays->count, arrays->n), ARRAY(arrays->reader.table.channel, arrays->n),
                     ARRAY(units->at, nunit), ARRAY(units->of, arrays->n)))
        return false;
    units->n = nunit;
    units->nrotation = arrays->rotations ? nunit : 0;
    for (size_t i = 0; i < nunit; i++)
        units->at[i] = (struct unit){ .kind = arrays->rotations ? UNIT_QUATERNION : UNIT_NUMBER,
                                      .n = components,
                                      .rotation = i };
    for (size_t c = 0; c < arrays->n; c++) {
        units->of[c] = c / components;
        units->at[c / components].channel[c % components] = c;
    }
    arrays->column.name = "";
    arrays->reader.table.column = &arrays->column;
    arrays->reader.table.ncolumn = 1;
    arrays->reader.table.nchannel = arrays->n;
    arrays->reader.source = &arrays->source;
    return true;
}

static bool make_core(struct array_core *arrays, bool whole, struct error *e)
{
    const struct core_config config = {
        .in = {
            .reader = &arrays->reader,
            .table = &arrays->reader.table,
            .settings = &arrays->settings,
            .units = &arrays->units,
            .groups = &arrays->groups,
        },
        .filter = arrays->filter.filter,
        .settings = arrays->filter.settings,
        .derivatives = { .computed = 2, .printed = -1 }, /* no result is refused as too large */
        .despike = (double)NAN,
        .detect = (double)NAN,
        .resample = (double)NAN,
        .lookahead = (double)NAN,
        .zero_phase = whole,
        .count = arrays->count,
    };
    return core_open(&arrays->core, &config, e);
}

/* The number of an output of each channel. */
static size_t output_of(const struct array_core *arrays, int derivative)
{
    const struct library_filter *filter = &arrays->filter;
    const struct wanted_outputs *wanted = &arrays->core.wanted;
    for (size_t k = 0; k < wanted->n; k++)
        if (filter_output(filter->filter, filter->settings, wanted->output[k]).derivative == derivative)
            return k;
    return wanted->n;
}

bool array_core_open(struct array_core *arrays, const struct array_config *config, struct error *e)
{
    if (config->n == 0)
        return error_usage(e, "a filter needs at least one channel");
    if (!settings_read(&arrays->filter, config->filter, config->settings, config->use, e))
        return false;
    if (config->rotations && !arrays->filter.filter->rotations)
        return error_usage(e, "%s cannot filter rotations", arrays->filter.filter->name);
    if (config->n > SIZE_MAX / 4)
        return error_memory(e);
    arrays->most = config->rows;
    arrays->rotations = config->rotations;
    arrays->n = config->rotations ? 4 * config->n : config->n;
    if (!make_units(arrays, e) || !make_core(arrays, config->use == LIBRARY_WHOLE, e) ||
        !knots_reserve(&arrays->core, core_knots(&arrays->core, &arrays->series), config->rows + 2, e) ||
        !arrays_make(e, ARRAY(arrays->state, arrays->groups.nstate),
                     ARRAY(arrays->kept, arrays->groups.nstate), ARRAY(arrays->goal, arrays->n)))
        return false;
    for (int derivative = 0; derivative < 3; derivative++)
        arrays->output[derivative] = output_of(arrays, derivative);
    array_core_reset(arrays);
    return true;
}

void array_core_close(struct array_core *arrays)
{
    struct core *core = &arrays->core;
    for (size_t i = 0; i < core->npass && arrays->state; i++)
        if (core->pass[i].forget)
            core->pass[i].forget(core, arrays->state + core->pass[i].place);
    knots_free(&arrays->series.own);
    core_close(core);
    free(arrays->state);
    free(arrays->count);
    settings_free(&arrays->filter);
}

void array_core_reset(struct array_core *arrays)
{
    struct knots *knots = core_knots(&arrays->core, &arrays->series);
    memset(arrays->state, 0, arrays->groups.nstate);
    arrays->group.key = "";
    arrays->series = (struct series){ .group = &arrays->group,
                                      .own = arrays->series.own,
                                      .ref = &arrays->ref };
    arrays->ref = (struct ref){ .block = &arrays->block, .n = SIZE_MAX };
    knots->n = 0;
    knots->first = 0;
}

/* --- rows to knots --- */

/* Runs the pass over the new knots. */
static void run(struct array_core *arrays, bool end)
{
    struct core *core = &arrays->core;
    const struct pass *pass = &core->pass[0];
    pass->run(core, &arrays->series, arrays->state + pass->place, arrays->series.n, end);
}

/* Is a number missing in the last knot? */
static void find_whole(struct array_core *arrays)
{
    const struct knots *knots = core_knots(&arrays->core, &arrays->series);
    arrays->series.whole = true;
    for (size_t c = 0; c < arrays->n; c++)
        arrays->series.whole &= !isnan(knots->x[c][knots->n - 1]);
}

/* The cut before a row. */
static bool is_cut(const struct array_rows *rows, size_t i)
{
    return rows->cut && rows->cut[i] != 0;
}

/* Lets go of the knots that the pass has taken, but for a last one that may still get a number. */
static void drop(struct array_core *arrays)
{
    struct knots *knots = core_knots(&arrays->core, &arrays->series);
    const bool settled = knots->n == 0 || arrays->series.whole || arrays->core.waits;
    const size_t last = knots->n - 1;
    for (size_t c = 0; c < arrays->n && !settled; c++)
        knots->x[c][0] = knots->x[c][last];
    if (!settled) {
        knots->T[0] = knots->T[last];
        knots->cut[0] = knots->cut[last];
    }
    knots->n = settled ? 0 : 1;
    knots->first = arrays->series.n - knots->n;
}

/* Adds the rows from `from` to end - 1, each at a new time. */
static void add_knots(struct array_core *arrays, const struct array_rows *rows, size_t from, size_t end)
{
    struct knots *knots = core_knots(&arrays->core, &arrays->series);
    struct series *series = &arrays->series;
    for (size_t c = 0; c < arrays->n; c++)
        for (size_t i = from; i < end; i++)
            knots->x[c][knots->n + i - from] = rows->goal[i * arrays->n + c];
    for (size_t i = from; i < end; i++, knots->n++, series->n++) {
        knots->T[knots->n] = series->n > 0 ? rows->step[i] : 0;
        knots->t[knots->n] = rows->time ? rows->time[i] - rows->time[0] : 0;
        knots->cut[knots->n] = is_cut(rows, i) || series->cut;
        series->cut = false;
    }
    find_whole(arrays);
}

/* Is a component of a rotation, or a number, missing? */
static bool is_missing(const double *number, size_t n)
{
    bool missing = false;
    for (size_t k = 0; k < n; k++)
        missing = missing || isnan(number[k]);
    return missing;
}

/* Joins the units of a row, arrays->goal, to the last knot. Returns whether the knot had missed one. */
static bool join_row(struct array_core *arrays)
{
    const struct knots *knots = core_knots(&arrays->core, &arrays->series);
    bool brings = false;
    for (size_t i = 0; i < arrays->units.n && !arrays->series.whole; i++) {
        const struct unit *unit = &arrays->units.at[i];
        const double *row = arrays->goal + unit->channel[0];
        double last[4];
        for (size_t k = 0; k < unit->n; k++)
            last[k] = knots->x[unit->channel[k]][knots->n - 1];
        if (!is_missing(last, unit->n) || is_missing(row, unit->n))
            continue;
        for (size_t k = 0; k < unit->n; k++)
            knots->x[unit->channel[k]][knots->n - 1] = row[k];
        brings = true;
    }
    find_whole(arrays);
    return brings;
}

/* --- results to rows --- */

/* Numbers of a row: rotations have rates about the axes x, y and z. */
static size_t result_width(const struct array_core *arrays, int derivative)
{
    return arrays->rotations && derivative > 0 ? 3 * arrays->units.n : arrays->n;
}

/* The channel with number k of a row. The rates of a quaternion are results of its components x, y and z. */
static size_t result_channel(const struct array_core *arrays, int derivative, size_t k)
{
    return arrays->rotations && derivative > 0 ? k / 3 * 4 + k % 3 + 1 : k;
}

/* Copies n results of a channel into rows of `width` numbers. */
static void put(const double *out, size_t n, size_t width, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i * width] = out ? out[i] : (double)NAN;
}

/* Gives n rows, from `from` on, the results of the last n knots. */
static void give(struct array_core *arrays, const struct array_rows *rows, size_t from, size_t n)
{
    const struct knots *knots = core_knots(&arrays->core, &arrays->series);
    const size_t nwant = arrays->core.wanted.n, at = knots->n - n;
    for (int derivative = 0; derivative < 3; derivative++) {
        const size_t output = arrays->output[derivative], width = result_width(arrays, derivative);
        double *to = rows->result[derivative];
        for (size_t k = 0; k < width && to; k++) {
            double *const *out = knots->out + result_channel(arrays, derivative, k) * nwant + output;
            put(output < nwant ? *out + at : NULL, n, width, to + from * width + k);
        }
    }
}

/* Makes the results of row i missing where arrays->goal, the numbers of the row, are. */
static void clear_missing(const struct array_core *arrays, const struct array_rows *rows, size_t i)
{
    const size_t components = arrays->rotations ? 4 : 1;
    for (int derivative = 0; derivative < 3; derivative++) {
        const size_t width = result_width(arrays, derivative);
        double *to = rows->result[derivative];
        for (size_t k = 0; k < width && to; k++) {
            const size_t unit = result_channel(arrays, derivative, k) / components;
            if (is_missing(arrays->goal + unit * components, components))
                to[i * width + k] = (double)NAN;
        }
    }
}

/* --- taking --- */

/* The first row from `from` on that has a time step; rows->n: none. */
static size_t next_time(const struct array_rows *rows, size_t from)
{
    while (from < rows->n && rows->step[from] == 0)
        from++;
    return from;
}

/* Runs the pass over the last knots. A filter that looks ahead sees the next time of these rows. */
static void run_seeing(struct array_core *arrays, const struct array_rows *rows, size_t end)
{
    const size_t next = arrays->core.waits ? next_time(rows, end) : rows->n;
    if (next == rows->n) {
        run(arrays, arrays->core.waits);
        return;
    }
    add_knots(arrays, rows, next, next + 1);
    run(arrays, false);
    core_knots(&arrays->core, &arrays->series)->n--;
    arrays->series.n--;
    find_whole(arrays);
}

/* Takes row i, which has the time of the last knot. */
static void take_joined(struct array_core *arrays, const struct array_rows *rows, size_t i)
{
    memcpy(arrays->goal, rows->goal + i * arrays->n, arrays->n * sizeof *arrays->goal);
    if (join_row(arrays))
        run(arrays, false);
    arrays->series.cut = arrays->series.cut || is_cut(rows, i);
    give(arrays, rows, i, 1);
    clear_missing(arrays, rows, i);
}

/* Takes rows from `from` to end - 1, each at a new time. */
static void take_times(struct array_core *arrays, const struct array_rows *rows, size_t from, size_t end)
{
    drop(arrays);
    add_knots(arrays, rows, from, end);
    run_seeing(arrays, rows, end);
    give(arrays, rows, from, end - from);
}

void array_core_take(struct array_core *arrays, const struct array_rows *rows)
{
    for (size_t from = 0, end; from < rows->n; from = end) {
        end = from + 1;
        if (arrays->series.n > 0 && rows->step[from] == 0) {
            take_joined(arrays, rows, from);
            continue;
        }
        while (end < rows->n && end - from < arrays->most && rows->step[end] > 0)
            end++;
        take_times(arrays, rows, from, end);
    }
}

bool array_core_take_all(struct array_core *arrays, const struct array_rows *rows, struct error *e)
{
    add_knots(arrays, rows, 0, rows->n);
    run(arrays, true);
    if (arrays->core.end != UINT64_MAX) {
        *e = arrays->block.error;
        return false;
    }
    give(arrays, rows, 0, rows->n);
    return true;
}

/* --- states --- */

/* The part of the memory of the filter that begins at a place of filter_pass.h. */
static void *memory_at(struct array_core *arrays, size_t place)
{
    return arrays->state + arrays->core.pass[0].place + place;
}

static void start_number(struct array_core *arrays, size_t c, double position, double velocity)
{
    const struct filter *filter = arrays->filter.filter;
    const struct filter_pass *pass = arrays->core.filter_pass;
    const struct first_row first = { .goal = position, .x = position, .velocity = velocity, .moving = true };
    double *state = memory_at(arrays, pass->state), out[RUN_MAXANY];
    filter->start(arrays->filter.settings, &first, state + c * pass->shape.nstate, out);
    for (size_t k = 0; k < arrays->core.wanted.n; k++)
        arrays->core.shared.out[c * arrays->core.wanted.n + k][0] = out[arrays->core.wanted.output[k]];
}

/* The filter says which doubles of the state hold the velocity of the output. */
static void start_rotation(struct array_core *arrays, size_t number, const double velocity[3])
{
    const struct filter *filter = arrays->filter.filter;
    struct rotation_memory *memory = memory_at(arrays, arrays->core.filter_pass->rotation);
    struct rotation_state *state = &memory[number].state;
    const size_t nstate = filter->shape.nstate, nwant = arrays->core.wanted.n;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < nstate; i++)
            if (filter->rotations[i] == 'v')
                state->state[k * nstate + i] = velocity[k];
        state->velocity[k] = velocity[k];
        if (arrays->output[1] < nwant)
            arrays->core.shared.out[(4 * number + 1 + k) * nwant + arrays->output[1]][0] = velocity[k];
    }
}

void array_core_start(struct array_core *arrays, const double *position, const double *velocity)
{
    const double step = 0;
    const struct array_rows row = { .n = 1, .step = &step, .goal = position };
    array_core_reset(arrays);
    array_core_take(arrays, &row);
    for (size_t c = 0; c < arrays->n && !arrays->rotations; c++)
        start_number(arrays, c, position[c], velocity ? velocity[c] : 0);
    for (size_t i = 0; i < arrays->units.nrotation && velocity; i++)
        start_rotation(arrays, i, velocity + 3 * i);
}

void array_core_predict(struct array_core *arrays, double seconds, double *value, double *velocity)
{
    struct knots *knots = &arrays->core.shared;
    const struct channel_state *channel = memory_at(arrays, arrays->core.filter_pass->channel);
    const struct array_rows row = {
        .n = 1, .step = &seconds, .goal = arrays->goal, .result = { value, velocity }
    };
    const struct series series = arrays->series;
    const size_t nknot = knots->n;
    memcpy(arrays->kept, arrays->state, arrays->groups.nstate);
    run(arrays, true); /* takes a last knot that may still get a number */
    for (size_t c = 0; c < arrays->n; c++)
        arrays->goal[c] = channel[c].gap.running ? channel[c].goal : (double)NAN;
    add_knots(arrays, &row, 0, 1);
    run(arrays, true);
    give(arrays, &row, 0, 1);
    memcpy(arrays->state, arrays->kept, arrays->groups.nstate);
    arrays->series = series;
    knots->n = nknot;
}
