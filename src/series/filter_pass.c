/* From knots to the filter and back. See filter_pass.h. */
#include "series/filter_pass.h"

#include "base/array.h"
#include "series/points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    FADE_ROWS = 512,          /* samples between two resets of faded state to 0; most samples at a time */
    MOST_DOUBLES = 128 * 1024 /* in all arrays of the samples at work, unless a few samples take more */
};

struct filter_series *filter_memory(const struct filter_pass *pass, void *bytes)
{
    char *at = bytes;
    struct filter_series *series = bytes;
    series->channel = (struct channel_state *)(at + pass->channel);
    series->detect = (struct detect_state *)(at + pass->detector);
    series->rotation = (struct rotation_memory *)(at + pass->rotation);
    series->state = (double *)(at + pass->state);
    return series;
}

/* --- outputs --- */

/* Has the wanted outputs of the filter go to the knots. */
static void place_outputs(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    double *const *knot = chunk->knots->out;
    for (size_t c = 0; c < pass->core->nchannel; c++) {
        double **own = pass->out_at + c * pass->shape.nout;
        for (size_t k = 0; k < wanted->n; k++)
            own[wanted->output[k]] = *knot++ + chunk->at;
    }
}

/* Turns an angle back, filtered or predicted: into the turn that is nearest to its goal as it was read, or in
 * a gap to what was printed last. The filtered value comes last, and is what was printed. */
static void turn_back(const struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    const double period = units_of(pass->core->input.units, c)->period;
    const double *read = chunk->knots->goal[c] + chunk->at;
    double *printed = &chunk->memory->channel[c].printed;
    const double before = *printed;
    for (size_t k = pass->shape.nout; k-- > 0;) {
        double *out = pass->out_at[c * pass->shape.nout + k];
        if (!filter_gives_value(pass->core->filter, pass->core->settings, k))
            continue;
        *printed = before;
        for (size_t i = 0; i < chunk->n; i++)
            if (!isnan(out[i]))
                *printed = out[i] = angle_near(out[i], isnan(read[i]) ? *printed : read[i], period);
    }
}

/* Makes gaps in the results of an output, up to the first one that does not fit a double. */
static void finish_output(const struct filter_pass *pass, const struct chunk *chunk, size_t c, double *out)
{
    const bool printed = pass->core->input.settings->gaps == GAPS_FILL;
    const unsigned char *flag = pass->flag_at[c];
    for (size_t sample = 0; sample < chunk->n; sample++) {
        if (flag && (flag[sample] & FLAG_NO_VALUE || (flag[sample] & FLAG_GAP && !printed))) {
            out[sample] = (double)NAN;
        } else if (pass->refuses && !isfinite(out[sample])) {
            core_fail_too_large(pass->core, chunk->series, chunk->memory->at + sample, c);
            return;
        }
    }
}

static void finish_channel(struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const struct unit *unit = units_of(pass->core->input.units, c);
    const bool flags = pass->flag_at[c] != NULL;
    for (size_t k = 0; k < wanted->n && (flags || pass->refuses); k++) {
        double *out = pass->out_at[c * pass->shape.nout + wanted->output[k]];
        if (flags || !array_is_finite(out, chunk->n))
            finish_output(pass, chunk, c, out);
    }
    if (unit->kind == UNIT_ANGLE && !pass->core->filter->other_unit)
        turn_back(pass, chunk, c);
}

/* --- running the filter --- */

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
        .goal = as_placed ? pass->goal_at + channel[0] : pass->run_goal,
        .out = as_placed ? pass->out_at + channel[0] * nout : pass->run_out,
        .value_only = core->wanted.n == 1 && core->wanted.output[0] == 0,
        .state = together,
        .ahead = filter->ahead,
        .sizes = sized ? filter->sizes : NULL,
    };
    if (!sized)
        run.state = states + channel[0] * nstate;
    if (rows->flag && rows->flag[channel[0]])
        run.flags = as_placed ? (const unsigned char *const *)rows->flag + channel[0] : pass->run_flag;
    if (core->input.settings->start.given)
        run.origin = pass->start;
    filter->run(&run);
    for (size_t k = 0; k < n && sized; k++)
        memcpy(states + channel[k] * nstate, together + k * nstate, nstate * sizeof *states);
}

/* The flags of sample i. */
static unsigned char flags_of(const struct rows *rows, size_t channel, size_t i)
{
    return rows->flag && rows->flag[channel] ? rows->flag[channel][i] : 0;
}

/* Sets the outputs of sample i of a rotation. read: numbers of the goal. last: the numbers printed before,
 * replaced by those of this sample: of the numbers that mean one rotation the nearest to `last` are printed
 * in a gap, else the nearest to the goal's. The last three components have the x, y and z of velocity and
 * acceleration. */
static void print_rotation(const struct filter_pass *pass, const struct rows *rows, const struct unit *unit,
                           size_t i, const double read[4], const struct rotation_result *result,
                           double last[4])
{
    const bool gap = flags_of(rows, unit->channel[0], i) & FLAG_GAP;
    double print[3][4];
    unit_print(unit, gap && !result->at_goal ? last : read, result->x, result->at_goal, print[0]);
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
    if (unit->kind != UNIT_EULER)
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
        .derivatives = pass->derivatives,
    };
    struct rotation_row row = { .origin = core->input.settings->start.given ? identity : NULL };
    struct rotation_result result = { 0 };
    double read[4], next[4];
    for (size_t i = 0; i < rows->n; i++) {
        row.flags = flags_of(rows, unit->channel[0], i);
        if (row.flags & FLAG_NO_VALUE)
            continue;
        filter_goals(pass, unit, i, read);
        unit_target(unit, read, row.goal);
        if (rotation_sees_next(&filter, row.flags)) {
            filter_goals(pass, unit, i + 1, next);
            unit_target(unit, next, row.next);
        }
        row.T = rows->T + i;
        row.step = rows->step + i * rows->step_stride;
        rotation_step(&filter, &memory->state, &row, &result);
        print_rotation(pass, rows, unit, i, read, &result, memory->print);
    }
}

/* Is a channel filtered as a number? */
static bool runs_alone(const struct filter_pass *pass, size_t c)
{
    const struct filter_common *common = pass->core->settings;
    const struct unit *unit = units_of(pass->core->input.units, c);
    return !unit_is_rotation(unit) && !(unit->kind == UNIT_VECTOR && common->sized);
}

static bool has_flags(const struct rows *rows, size_t c)
{
    return rows->flag && rows->flag[c];
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

/* --- samples --- */

/* Sets to 0 what has decayed below the normal numbers: processors are a hundred times slower on subnormal
 * numbers, while the input does not move. */
static void drop_faded(const struct filter_pass *pass, double *state, size_t n)
{
    const size_t nstate = pass->shape.nstate;
    for (size_t i = 0; i < n * nstate; i++)
        if (fabs(state[i]) < DBL_MIN)
            state[i] = 0;
}

/* Takes samples through the filter. */
static void take_chunk(struct core *core, const struct chunk *chunk)
{
    struct filter_pass *pass = core->filter_pass;
    const size_t distinct = core->input.rate > 0 && chunk->n > 3 ? 3 : chunk->n;
    const bool points = core->hz > 0 && !core->curves && chunk->memory->at > 0 &&
                        points_between(core, chunk->knots, chunk->at);
    if (points)
        points_begin(pass, chunk);
    coefficients_find(&pass->coefficients, chunk->knots->T + chunk->at, chunk->n, distinct);
    channel_rows_take(pass, chunk);
    if (points)
        points_end(pass, core, chunk);
    place_outputs(pass, chunk);
    const struct rows rows = filter_samples(pass, chunk->memory, chunk->knots->T + chunk->at, chunk->n);
    filter_run(pass, &rows);
    for (size_t c = 0; c < core->nchannel; c++)
        finish_channel(pass, chunk, c);
}

/* The next samples before `end`. The first one of a series is taken alone, as it has flags; one after points
 * of --resample begins a chunk. known: end of the samples whose goals are known. */
static struct chunk next_chunk(struct core *core, struct series *series, struct filter_series *memory,
                               uint64_t end, uint64_t known)
{
    const struct filter_pass *pass = core->filter_pass;
    const struct knots *knots = &series->knots;
    const uint64_t fade = FADE_ROWS - memory->at % FADE_ROWS, most = memory->at == 0 ? 1 : pass->maxrow;
    uint64_t n = end - memory->at;
    n = n < fade ? n : fade;
    n = n < most ? n : most;
    struct chunk chunk = { memory, knots, knots_at(knots, memory->at), (size_t)n, (size_t)n, series };
    for (size_t i = 1; i < chunk.n && core->hz > 0 && !core->curves; i++)
        if (points_between(core, knots, chunk.at + i))
            chunk.n = i;
    chunk.nknown = chunk.n + (pass->ahead && memory->at + chunk.n < known);
    return chunk;
}

/* Takes samples up to `end`, or until a result is too large. */
static void take_until(struct core *core, struct series *series, struct filter_series *memory, uint64_t end,
                       uint64_t known)
{
    struct filter_pass *pass = core->filter_pass;
    while (memory->at < end && !series->failed) {
        const struct chunk chunk = next_chunk(core, series, memory, end, known);
        take_chunk(core, &chunk);
        memory->at += chunk.n;
        if (memory->at % FADE_ROWS == 0) {
            drop_faded(pass, memory->state, core->nchannel);
            for (size_t i = 0; i < core->input.units->nrotation; i++)
                drop_faded(pass, memory->rotation[i].state.state, 3);
        }
    }
}

/* The last knot may still get numbers from rows of its time: it is taken, printed, and taken back. */
static void take_for_now(struct core *core, struct series *series, struct filter_series *memory, uint64_t n)
{
    struct filter_pass *pass = core->filter_pass;
    memcpy(pass->saved, memory, pass->nbyte);
    pass->for_now = true;
    take_until(core, series, memory, n, n);
    pass->for_now = false;
    memcpy(memory, pass->saved, pass->nbyte);
}

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct filter_series *memory = filter_memory(core->filter_pass, state);
    const bool ahead = core->filter_pass->ahead, last = n == series->n;
    const bool may_grow = last && !end && core->joins && !core->waits && series_misses(core, series);
    if (core->filter_pass->refuses && memory->at <= 1 && series->n > 1)
        core_check_cutoff(core, series, CORE_RATE_STEPS);
    if (series->failed)
        return n;
    uint64_t until = n;
    if (n > memory->at && ((ahead && !(end && last)) || may_grow))
        until--;
    take_until(core, series, memory, until, n);
    if (may_grow && memory->at < n)
        take_for_now(core, series, memory, n);
    memory->keep = memory->at > 0 ? memory->at - 1 : 0;
    return series->failed || may_grow ? n : memory->at;
}

/* --- opening --- */

static void close_pass(struct core *core)
{
    struct filter_pass *pass = core->filter_pass;
    free(pass->goal);
    free(pass->coefficients.cache);
    free(pass);
}

static bool make_arrays(struct filter_pass *pass, struct error *e)
{
    const struct core *core = pass->core;
    const size_t n = core->nchannel, wide = n * (pass->maxrow + 1), nstep = pass->shape.nstep;
    struct coefficients *coefficients = &pass->coefficients;
    coefficients->filter = core->filter;
    coefficients->settings = core->settings;
    coefficients->nstep = nstep;
    if (!arrays_make(e, ARRAY(coefficients->cache, COEFFICIENTS_CACHE * nstep),
                     ARRAY(coefficients->step, pass->maxrow * nstep)))
        return false;
    char *per_radian;
    if (!arrays_make(e, ARRAY(pass->goal, wide), ARRAY(pass->scratch, pass->maxrow), ARRAY(pass->goal_at, n),
                     ARRAY(pass->flag_at, n), ARRAY(pass->out_at, n * pass->shape.nout),
                     ARRAY(pass->channel_at, n), ARRAY(pass->start, n), ARRAY(pass->run_goal, n),
                     ARRAY(pass->run_flag, n), ARRAY(pass->run_out, n * pass->shape.nout),
                     ARRAY(per_radian, core->filter->settings_size), ARRAY(pass->saved, pass->nbyte),
                     ARRAY(pass->later, pass->nbyte), ARRAY(pass->record, points_size(pass)),
                     ARRAY(pass->flag, wide)))
        return false;
    pass->per_radian = per_radian;
    for (size_t c = 0; c < n; c++) {
        pass->channel_at[c] = c;
        pass->start[c] = core->input.settings->start.value;
    }
    for (size_t i = 0; i < n * pass->shape.nout; i++)
        pass->out_at[i] = pass->scratch;
    return true;
}

struct filter_pass *filter_pass_open(struct core *core, const struct core_config *config, struct error *e)
{
    struct filter_pass *pass;
    if (!arrays_make(e, ARRAY(pass, 1)))
        return NULL;
    core->filter_pass = pass;
    pass->core = core;
    pass->shape = filter_shape(core->filter, core->settings);
    pass->detect = config->detect;
    pass->verbose = config->verbose;
    pass->derivatives = config->derivatives.computed;
    pass->refuses = config->derivatives.printed >= 0;
    pass->predicts = filter_predicts(core->filter, core->settings) != NULL;
    pass->ahead = core->filter->ahead > 0 || !isnan(config->detect);
    const size_t n = core->nchannel;
    size_t most = MOST_DOUBLES / (pass->shape.nstep + n * (pass->shape.nout + 1) + 1);
    most = most < 8 ? 8 : most;
    pass->maxrow = most < FADE_ROWS ? most : FADE_ROWS;
    pass->maxrow = pass->predicts ? 1 : pass->maxrow;
    size_t size = sizeof(struct filter_series);
    pass->channel = array_place(&size, n, sizeof(struct channel_state));
    pass->detector = array_place(&size, isnan(config->detect) ? 0 : n, sizeof(struct detect_state));
    pass->rotation = array_place(&size, core->input.units->nrotation, sizeof(struct rotation_memory));
    pass->state = array_place(&size, n * pass->shape.nstate, sizeof(double));
    pass->nbyte = size;
    core->pass[core->npass++] = (struct pass){
        .run = run,
        .close = close_pass,
        .place = groups_reserve(core->input.groups, size),
    };
    return make_arrays(pass, e) ? pass : NULL;
}
