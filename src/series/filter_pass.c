/* From knots to the filter and back. See filter_pass.h. */
#include "series/filter_pass.h"

#include "base/array.h"
#include "whole/sample_grid.h"

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

void filter_set_outputs(struct filter_pass *pass, struct knot_columns out)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const size_t nout = pass->shape.nout, each = pass->core->filter->each.nout,
                 nchannel = pass->core->nchannel;
    for (size_t k = 0; k < wanted->n; k++) {
        const size_t output = wanted->output[k];
        const size_t run = output < nout ? 0 : 1 + (output - nout) / each;
        double **out_at = pass->out_at + run * nchannel * nout;
        out_at += run == 0 ? output : (output - nout) % each;
        for (size_t c = 0; c < nchannel; c++)
            out_at[pass->place[c] * nout] = knots_column(out, c * wanted->n + k);
    }
}

/* Turns an angle back, filtered or predicted: into the turn that is nearest to its goal as it was read, or in
 * a gap to what was printed last. The filtered value comes last, and is what was printed. */
static void turn_back(const struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    const struct wanted_outputs *wanted = &pass->core->wanted;
    const struct knots *knots = &chunk->series->knots;
    const double period = units_of(pass->core->input.units, c)->period;
    const double *read = knots_column(knots->goal, c) + chunk->at;
    double *printed = &chunk->memory->channel[pass->place[c]].printed;
    const double before = *printed;
    for (size_t k = wanted->n; k-- > 0;) {
        double *out = knots_column(knots->out, c * wanted->n + k) + chunk->at;
        if (!filter_gives_value(pass->core->filter, pass->core->settings, wanted->output[k]))
            continue;
        *printed = before;
        for (size_t i = 0; i < chunk->n; i++)
            if (!isnan(out[i]))
                *printed = out[i] = angle_near(out[i], isnan(read[i]) ? *printed : read[i], period);
    }
}

/* Makes gaps in the results of a channel, and turns an angle back. */
static void finish_channel(const struct filter_pass *pass, const struct chunk *chunk, size_t c)
{
    const size_t nwant = pass->core->wanted.n;
    const bool printed = pass->core->input.settings->gaps == GAPS_FILL;
    const unsigned gaps = printed ? FLAG_NO_VALUE : FLAG_NO_VALUE | FLAG_GAP;
    const unsigned char *flag = pass->flag_at[pass->place[c]];
    const struct knot_columns out = knots_from(chunk->series->knots.out, chunk->at);
    for (size_t sample = 0; flag && sample < chunk->n; sample++)
        for (size_t k = 0; k < nwant && flag[sample] & gaps; k++)
            knots_column(out, c * nwant + k)[sample] = (double)NAN;
    if (units_of(pass->core->input.units, c)->period > 0 && !pass->core->filter->other_unit)
        turn_back(pass, chunk, c);
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

/* Do points of --resample lie between the knots at index i - 1 and i? */
static bool points_between(const struct core *core, const struct knots *knots, size_t i)
{
    return floor(sample_grid_at(core->hz, knots->t[i - 1])) + 1 < sample_grid_at(core->hz, knots->t[i]);
}

/* Takes samples through the filter. */
static void take_chunk(struct core *core, const struct chunk *chunk)
{
    struct filter_pass *pass = core->filter_pass;
    const struct knots *knots = &chunk->series->knots;
    const double *T = knots->T + chunk->at;
    const size_t distinct = core->input.rate > 0 && chunk->n > 3 ? 3 : chunk->n;
    const bool points = core->hz > 0 && !core->curves && chunk->memory->at > 0 &&
                        points_between(core, knots, chunk->at);
    if (points)
        memcpy(pass->record, chunk->memory, pass->nbyte);
    coefficients_find(&pass->coefficients, T, chunk->n, distinct);
    channel_rows_take(pass, chunk);
    if (points)
        points_keep(core, chunk);
    filter_set_outputs(pass, knots_from(knots->out, chunk->at));
    filter_run(pass, chunk->memory, T, chunk->n);
    for (size_t c = 0; c < core->nchannel; c++)
        finish_channel(pass, chunk, c);
}

/* The next samples before `end`. One after points of --resample begins a chunk. known: end of the samples
 * whose goals are known. */
static struct chunk next_chunk(struct core *core, struct series *series, struct filter_series *memory,
                               uint64_t end, uint64_t known)
{
    const struct filter_pass *pass = core->filter_pass;
    const struct knots *knots = &series->knots;
    const uint64_t fade = FADE_ROWS - memory->at % FADE_ROWS;
    uint64_t n = end - memory->at;
    n = n < fade ? n : fade;
    n = n < pass->maxrow ? n : pass->maxrow;
    struct chunk chunk = { series, memory, knots_at(knots, memory->at), (size_t)n, (size_t)n };
    for (size_t i = 1; i < chunk.n && core->hz > 0 && !core->curves; i++)
        if (points_between(core, knots, chunk.at + i))
            chunk.n = i;
    chunk.nknown = chunk.n + (core->ahead && memory->at + chunk.n < known);
    return chunk;
}

/* Takes samples up to `end`. */
static void take_until(struct core *core, struct series *series, struct filter_series *memory, uint64_t end,
                       uint64_t known)
{
    struct filter_pass *pass = core->filter_pass;
    while (memory->at < end) {
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

/* A last knot that may still get numbers from rows of its time is taken, printed, and taken back. */
static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct filter_pass *pass = core->filter_pass;
    struct filter_series *memory = filter_memory(pass, state);
    const bool last = n == series->n, for_now = last && series->grows;
    const bool waits = core->ahead && !(end && last);
    take_until(core, series, memory, n - (n > memory->at && (waits || for_now)), n);
    if (for_now && memory->at < n) {
        memcpy(pass->record, memory, pass->nbyte); /* free, as no points follow */
        take_until(core, series, memory, n, n);
        memcpy(memory, pass->record, pass->nbyte);
    }
    return for_now ? n : memory->at;
}

/* --- opening --- */

static void close_pass(struct core *core)
{
    struct filter_pass *pass = core->filter_pass;
    free(pass->goal);
    free(pass);
}

static void find_places(struct filter_pass *pass)
{
    const struct units *units = pass->core->input.units;
    size_t n = 0;
    for (size_t u = 0; u < units->n; u++)
        for (size_t k = 0; k < units->at[u].n; k++, n++) {
            pass->channel_at[n] = units->at[u].channel[k];
            pass->place[pass->channel_at[n]] = n;
        }
}

static bool make_arrays(struct filter_pass *pass, struct error *e)
{
    const struct core *core = pass->core;
    const size_t n = core->nchannel, wide = n * (pass->maxrow + 1), nstep = pass->shape.nstep;
    const size_t nout = (1 + pass->npredict) * n * pass->shape.nout;
    struct coefficients *coefficients = &pass->coefficients;
    coefficients->filter = core->filter;
    coefficients->settings = core->settings;
    coefficients->nstep = nstep;
    char *per_radian;
    if (!arrays_make(e, ARRAY(pass->goal, wide), ARRAY(coefficients->cache, COEFFICIENTS_CACHE * nstep),
                     ARRAY(coefficients->step, pass->maxrow * nstep), ARRAY(pass->scratch, pass->maxrow),
                     ARRAY(pass->goal_at, n), ARRAY(pass->flag_at, n), ARRAY(pass->unflagged, n),
                     ARRAY(pass->out_at, nout), ARRAY(pass->place, n), ARRAY(pass->channel_at, n),
                     ARRAY(pass->start, n), ARRAY(per_radian, core->filter->settings_size),
                     ARRAY(pass->later, pass->nbyte), ARRAY(pass->record, points_size(pass)),
                     ARRAY(pass->flag, wide)))
        return false;
    pass->per_radian = per_radian;
    for (size_t c = 0; c < n; c++)
        pass->start[c] = core->input.settings->start.value;
    for (size_t i = 0; i < nout; i++)
        pass->out_at[i] = pass->scratch;
    find_places(pass);
    return true;
}

bool filter_pass_open(struct core *core, struct error *e)
{
    struct filter_pass *pass;
    if (!arrays_make(e, ARRAY(pass, 1)))
        return false;
    core->filter_pass = pass;
    pass->core = core;
    pass->shape = filter_shape(core->filter, core->settings);
    if (filter_predicts(core->filter, core->settings)) {
        pass->npredict = filter_values(core->settings)->nvalue;
        pass->shape = core->filter->shape;
    }
    const size_t n = core->nchannel;
    size_t most = MOST_DOUBLES / (pass->shape.nstep + n * (pass->shape.nout + 1) + 1);
    most = most < 8 ? 8 : most;
    pass->maxrow = most < FADE_ROWS ? most : FADE_ROWS;
    pass->maxrow = pass->npredict > 0 ? 1 : pass->maxrow;
    size_t size = sizeof(struct filter_series);
    pass->channel = array_place(&size, n, sizeof(struct channel_state));
    pass->detector = array_place(&size, isnan(core->detect) ? 0 : core->input.units->n,
                                 sizeof(struct detect_state));
    pass->rotation = array_place(&size, core->input.units->nrotation, sizeof(struct rotation_memory));
    pass->state = array_place(&size, n * pass->shape.nstate, sizeof(double));
    pass->nbyte = size;
    core_add_pass(core, (struct pass){ .run = run, .close = close_pass }, size);
    return make_arrays(pass, e);
}
