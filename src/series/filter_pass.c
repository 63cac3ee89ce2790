/* From knots to the filter and back. See filter_pass.h. */
#include "series/filter_pass.h"

#include "base/array.h"
#include "series/curve_points.h"
#include "series/points.h"
#include "springs/filter_words.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    FADE_ROWS = 512,          /* samples between two resets of faded state to 0; most samples at a time */
    MOST_DOUBLES = 128 * 1024 /* in all arrays of the samples at work, unless a few samples take more */
};

static struct filter_series *series_of_state(const struct filter_pass *pass, void *state)
{
    char *bytes = state;
    struct filter_series *series = state;
    series->channel = (struct channel_state *)(bytes + pass->channel);
    series->detect = (struct detect_state *)(bytes + pass->detector);
    series->rotation = (struct rotation_memory *)(bytes + pass->rotation);
    series->state = (double *)(bytes + pass->state);
    series->result = (double *)(bytes + pass->result);
    return series;
}

/* --- outputs --- */

/* Says where the outputs of the filter go: to the knots, or nowhere. */
static void place_outputs(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const size_t nout = pass->shape.nout;
    for (size_t i = 0; i < pass->core->nchannel * nout && wanted->n < nout; i++)
        pass->out_at[i] = pass->scratch;
    for (size_t c = 0; c < pass->core->nchannel; c++)
        for (size_t k = 0; k < wanted->n; k++)
            pass->out_at[c * nout + wanted->output[k]] = chunk->knots->out[c * wanted->n + k] + chunk->at;
}

/* Turns an angle back, filtered or predicted: into the turn that is nearest to its goal as it was read, or in
 * a gap to what was printed last. printed: what was printed before. Returns what was printed last. */
static double turn_back(const struct filter_pass *pass, const struct chunk *chunk, size_t c, double printed,
                        double *out)
{
    const double period = units_of(pass->core->input.units, c)->period;
    const double *read = chunk->knots->goal[c] + chunk->at;
    const double *turns = pass->turns + c * (pass->maxrow + 1);
    for (size_t sample = 0; sample < chunk->n; sample++) {
        if (isnan(out[sample]))
            continue;
        if (isnan(read[sample]))
            out[sample] = printed + remainder(out[sample] - printed, period);
        else
            out[sample] = angles_wrap(out[sample], read[sample], turns[sample], period);
        printed = out[sample];
    }
    return printed;
}

static void turn_angle_back(const struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    struct channel_state *channel = &chunk->memory->channel[c];
    const double before = channel->printed;
    for (size_t k = 0; k < pass->shape.nout; k++) {
        if (!filter_gives_value(pass->core->filter, pass->core->settings, k))
            continue;
        const double last = turn_back(pass, chunk, c, before, pass->out_at[c * pass->shape.nout + k]);
        channel->printed = k == 0 ? last : channel->printed;
    }
}

/* Makes gaps in the results of an output. Returns the first sample whose number is not finite; n: no such
 * sample. */
static size_t finish_output(const struct filter_pass *pass, const struct chunk *chunk,
                            const unsigned char *flag, double *out)
{
    const struct gap_way *way = gaps_way(pass->core->input.settings->gaps);
    for (size_t sample = 0; sample < chunk->n; sample++) {
        if (flag && (flag[sample] & FLAG_NO_VALUE || (flag[sample] & FLAG_GAP && !way->printed)))
            out[sample] = (double)NAN;
        else if (!isfinite(out[sample]))
            return sample;
    }
    return chunk->n;
}

/* Returns the first sample of a channel with a result that does not fit a double, or n. */
static size_t finish_channel(struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const struct unit *unit = units_of(pass->core->input.units, c);
    const unsigned char *flag = pass->flag_at[c];
    size_t good = chunk->n;
    if (!flag && !pass->refuses && unit->kind != UNIT_ANGLE)
        return good;
    for (size_t k = 0; k < wanted->n; k++) {
        double *out = pass->out_at[c * pass->shape.nout + wanted->output[k]];
        if (!flag && array_is_finite(out, chunk->n))
            continue;
        const size_t bad = finish_output(pass, chunk, flag, out);
        good = bad < good && wanted->prints[k] ? bad : good;
    }
    if (unit->kind == UNIT_ANGLE && !pass->core->filter->other_unit)
        turn_angle_back(pass, chunk, c);
    return good;
}

static void fail(struct core *core, struct series *series, uint64_t knot, size_t c)
{
    struct error e;
    filter_too_large(&e);
    error_column(&e, table_channel(core->input.table, c)->name);
    error_hint(
        &e,
        "if the filter is unstable at this time step, try --method exact; otherwise scale the input down");
    core_fail(core, series, knot, &e);
}

/* --- running the filter --- */

/* A run of n channels over the samples at work, but for goals, flags, outputs and state. */
static struct run start_run(const struct filter_pass *pass, const struct chunk *chunk, size_t n)
{
    const struct filter *filter = pass->core->filter;
    return (struct run){
        .settings = pass->core->settings,
        .shape = &pass->shape,
        .nrow = chunk->n,
        .nchannel = n,
        .T = chunk->knots->T + chunk->at,
        .step = pass->coefficients.step,
        .step_stride = pass->coefficients.stride,
        .ahead = filter->ahead,
        .predicts = pass->predicts,
    };
}

/* Is a channel filtered as a component of a vector whose lengths the filter takes? */
static bool is_sized(const struct filter_pass *pass, const struct unit *unit)
{
    const struct filter_common *common = pass->core->settings;
    return unit->kind == UNIT_VECTOR && common->sized;
}

static bool runs_alone(const struct filter_pass *pass, size_t c)
{
    const struct unit *unit = units_of(pass->core->input.units, c);
    return !unit_is_rotation(unit) && !is_sized(pass, unit);
}

/* Filters the components of a vector, which may be anywhere among the channels. */
static void run_vector_rows(struct filter_pass *pass, const struct chunk *chunk, const struct unit *vector)
{
    static const unsigned char no_flags[FADE_ROWS + 1];
    const size_t nstate = pass->shape.nstate, nout = pass->shape.nout;
    const double *goal[3];
    const unsigned char *flag[3];
    double *out[3 * RUN_MAXANY], state[3 * FILTER_MAXSTATE], origin[3];
    for (size_t k = 0; k < vector->n; k++) {
        const size_t c = vector->channel[k];
        goal[k] = pass->goal_at[c];
        flag[k] = pass->flag_at[c] ? pass->flag_at[c] : no_flags;
        origin[k] = pass->start[c];
        memcpy(out + k * nout, pass->out_at + c * nout, nout * sizeof *out);
        memcpy(state + k * nstate, chunk->memory->state + c * nstate, nstate * sizeof *state);
    }
    struct run run = start_run(pass, chunk, vector->n);
    run.goal = goal;
    run.flags = flag;
    run.out = out;
    run.state = state;
    run.origin = pass->core->input.settings->start.given ? origin : NULL;
    run.sizes = pass->core->filter->sizes;
    pass->core->filter->run(&run);
    for (size_t k = 0; k < vector->n; k++)
        memcpy(chunk->memory->state + vector->channel[k] * nstate, state + k * nstate,
               nstate * sizeof *state);
}

/* Filters numbers: neighbouring channels together, as long as all of them have flags or none has. */
static void run_numbers(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const size_t nchannel = pass->core->nchannel;
    for (size_t c = 0, n; c < nchannel; c += n) {
        n = 1;
        if (!runs_alone(pass, c))
            continue;
        while (c + n < nchannel && runs_alone(pass, c + n) && !pass->flag_at[c + n] == !pass->flag_at[c])
            n++;
        struct run run = start_run(pass, chunk, n);
        run.goal = pass->goal_at + c;
        run.flags = pass->flag_at[c] ? (const unsigned char *const *)pass->flag_at + c : NULL;
        run.out = pass->out_at + c * pass->shape.nout;
        run.value_only = wanted->n == 1 && wanted->output[0] == 0;
        run.state = chunk->memory->state + c * pass->shape.nstate;
        run.origin = pass->core->input.settings->start.given ? pass->start + c : NULL;
        pass->core->filter->run(&run);
    }
}

void filter_pass_run(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct units *units = pass->core->input.units;
    run_numbers(pass, chunk);
    for (size_t i = 0; units->nrotation + units->nvector > 0 && i < units->n; i++) {
        if (unit_is_rotation(&units->at[i]))
            rotation_rows_run(pass, chunk, &units->at[i]);
        else if (is_sized(pass, &units->at[i]))
            run_vector_rows(pass, chunk, &units->at[i]);
    }
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

/* Do points that are states of the filter lie before the first sample? */
static bool begins_after_points(const struct filter_pass *pass, const struct chunk *chunk)
{
    const struct filter_series *memory = chunk->memory;
    return pass->hz > 0 && !pass->curves && memory->at > 0 &&
           points_between(memory->t, chunk->knots->t[chunk->at], pass->hz);
}

/* Records the points on curves between the samples of a chunk that has passed the filter, and before it. */
static void record_curves(struct filter_pass *pass, struct core *core, struct series *series,
                          const struct chunk *chunk)
{
    const struct knots *knots = chunk->knots;
    struct filter_series *memory = chunk->memory;
    for (size_t i = chunk->at; i < chunk->at + chunk->n; i++) {
        if (memory->at + i > chunk->at && points_between(memory->t, knots->t[i], pass->hz))
            curve_points_record(core, series, i, memory->result, pass->record);
        memory->t = knots->t[i];
        for (size_t k = 0; k < core->nchannel * core->wanted.n; k++)
            memory->result[k] = knots->out[k][i];
    }
}

/* Takes samples through the filter. Returns the number of good ones. */
static size_t take_chunk(struct core *core, struct series *series, const struct chunk *chunk, size_t *channel)
{
    struct filter_pass *pass = core->filter_pass;
    const size_t distinct = core->input.rate > 0 && chunk->n > 3 ? 3 : chunk->n;
    const bool points = begins_after_points(pass, chunk);
    size_t good = chunk->n;
    if (points)
        points_begin(pass, chunk);
    coefficients_find(&pass->coefficients, chunk->knots->T + chunk->at, chunk->n, distinct);
    channel_rows_take(pass, chunk);
    if (points)
        points_end(pass, core, series, chunk);
    place_outputs(pass, chunk);
    filter_pass_run(pass, chunk);
    for (size_t c = 0; c < pass->core->nchannel; c++) {
        const size_t bad = finish_channel(pass, chunk, c);
        *channel = bad < good ? c : *channel;
        good = bad < good ? bad : good;
    }
    return good;
}

/* The next samples before `end`. The first one of a series is taken alone, as it has flags; one after points
 * of
 * --resample begins a chunk. known: end of the samples whose goals are known. */
static struct chunk next_chunk(struct core *core, struct series *series, struct filter_series *memory,
                               uint64_t end, uint64_t known)
{
    const struct filter_pass *pass = core->filter_pass;
    const struct knots *knots = core_knots(core, series);
    const uint64_t fade = FADE_ROWS - memory->at % FADE_ROWS, most = memory->at == 0 ? 1 : pass->maxrow;
    uint64_t n = end - memory->at;
    n = n < fade ? n : fade;
    n = n < most ? n : most;
    struct chunk chunk = { memory, knots, knots_at(knots, memory->at), (size_t)n, (size_t)n, 0, series };
    chunk.nread = knots->n - chunk.at;
    for (size_t i = 1; i < chunk.n && pass->hz > 0; i++)
        if (!pass->curves && points_between(knots->t[chunk.at + i - 1], knots->t[chunk.at + i], pass->hz))
            chunk.n = i;
    chunk.nknown = chunk.n + (pass->ahead && memory->at + chunk.n < known);
    return chunk;
}

/* Takes samples up to `end`. False: a result is too large. */
static bool take_until(struct core *core, struct series *series, struct filter_series *memory, uint64_t end,
                       uint64_t known)
{
    struct filter_pass *pass = core->filter_pass;
    while (memory->at < end) {
        const struct chunk chunk = next_chunk(core, series, memory, end, known);
        size_t channel = 0;
        const size_t good = take_chunk(core, series, &chunk, &channel);
        if (good < chunk.n) {
            fail(core, series, memory->at + good, channel);
            return false;
        }
        if (pass->curves)
            record_curves(pass, core, series, &chunk);
        memory->t = chunk.knots->t[chunk.at + chunk.n - 1];
        memory->at += chunk.n;
        if (memory->at % FADE_ROWS == 0) {
            drop_faded(pass, memory->state, core->nchannel);
            for (size_t i = 0; i < core->input.units->nrotation; i++)
                drop_faded(pass, memory->rotation[i].state.state, 3);
        }
    }
    return true;
}

/* The last knot may still get numbers from rows of its time: it is taken, printed, and taken back. */
static bool take_for_now(struct core *core, struct series *series, struct filter_series *memory, uint64_t n)
{
    struct filter_pass *pass = core->filter_pass;
    memcpy(pass->saved, memory, pass->nbyte);
    pass->for_now = true;
    const bool good = take_until(core, series, memory, n, n);
    pass->for_now = false;
    memcpy(memory, pass->saved, pass->nbyte);
    return good;
}

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct filter_series *memory = series_of_state(core->filter_pass, state);
    const bool ahead = core->filter_pass->ahead, last = n == series->n;
    const bool may_grow = last && !end && core->joins && !series->whole && !core->waits;
    if (core->end != UINT64_MAX && memory->failed)
        return n;
    uint64_t until = n;
    if (n > memory->at && ((ahead && !(end && last)) || may_grow))
        until--;
    bool good = take_until(core, series, memory, until, n);
    if (good && may_grow && memory->at < n)
        good = take_for_now(core, series, memory, n);
    memory->failed = !good;
    return !good || may_grow ? n : memory->at;
}

static uint64_t keep(const struct core *core, const void *state)
{
    (void)core;
    return ((const struct filter_series *)state)->at;
}

/* --- opening --- */

static void close_pass(struct core *core)
{
    struct filter_pass *pass = core->filter_pass;
    free(pass->goal);
    free(pass->coefficients.cache);
    free(pass->counts.of_channel);
    free(pass->record);
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
                     ARRAY(coefficients->step, pass->maxrow * nstep)) ||
        !arrays_make(e, ARRAY(pass->counts.of_channel, n)))
        return false;
    char *per_radian, *record;
    const size_t nrecord = pass->curves ? curve_points_size(core) : points_size(pass);
    if (!arrays_make(e, ARRAY(record, nrecord)))
        return false;
    pass->record = record;
    if (!arrays_make(e, ARRAY(pass->goal, wide), ARRAY(pass->turns, wide), ARRAY(pass->scratch, pass->maxrow),
                     ARRAY(pass->start, n), ARRAY(pass->goal_at, n), ARRAY(pass->flag_at, n),
                     ARRAY(pass->out_at, n * pass->shape.nout),
                     ARRAY(per_radian, core->filter->settings_size), ARRAY(pass->saved, pass->nbyte),
                     ARRAY(pass->flag, wide)))
        return false;
    pass->per_radian = per_radian;
    for (size_t c = 0; c < n; c++)
        pass->start[c] = core->input.settings->start.value;
    return true;
}

struct filter_pass *filter_pass_open(struct core *core, const struct filter_pass_config *config,
                                     struct error *e)
{
    struct filter_pass *pass;
    if (!arrays_make(e, ARRAY(pass, 1)))
        return NULL;
    core->filter_pass = pass;
    core->points_read = core->filter->cuts ? curve_points_read : points_read;
    pass->core = core;
    pass->shape = filter_shape(core->filter, core->settings);
    pass->detect = config->detect;
    pass->hz = config->hz;
    pass->verbose = config->verbose;
    pass->curves = pass->hz > 0 && core->filter->cuts;
    pass->derivatives = config->derivatives;
    pass->predicts = filter_predicts(core->filter, core->settings);
    pass->refuses = memchr(core->wanted.prints, true, core->wanted.n);
    pass->ahead = core->filter->ahead > 0 || !isnan(config->detect);
    const size_t n = core->nchannel;
    size_t most = MOST_DOUBLES / (pass->shape.nstep + n * (pass->shape.nout + 1) + 1);
    most = most < 8 ? 8 : most;
    pass->maxrow = most < FADE_ROWS ? most : FADE_ROWS;
    size_t size = sizeof(struct filter_series);
    pass->channel = array_place(&size, n, sizeof(struct channel_state));
    pass->detector = array_place(&size, isnan(config->detect) ? 0 : n, sizeof(struct detect_state));
    pass->rotation = array_place(&size, core->input.units->nrotation, sizeof(struct rotation_memory));
    pass->state = array_place(&size, n * pass->shape.nstate, sizeof(double));
    pass->result = array_place(&size, pass->curves ? n * core->wanted.n : 0, sizeof(double));
    pass->nbyte = size;
    core->pass[core->npass++] = (struct pass){
        .run = run,
        .keep = keep,
        .close = close_pass,
        .place = groups_reserve(core->input.groups, size),
    };
    return make_arrays(pass, e) ? pass : NULL;
}
