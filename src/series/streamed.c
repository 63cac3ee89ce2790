/* The rows of a group are filtered chunk by chunk, as they come. With look-ahead the last row of a group
 * waits as the first row of the group's next chunk. See streamed.h. */
#include "series/streamed.h"

#include "base/array.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_FADE = 512 }; /* rows of a group between two resets of faded state to 0 */

/* --- the operator's own memory --- */

static bool open_coefficients(struct series *series, struct error *e)
{
    struct coefficients *coefficients = &streamed_of(series)->coefficients;
    const size_t nstep = series->shape.nstep;
    *coefficients = (struct coefficients){ .filter = series->config.filter,
                                           .settings = series->config.settings,
                                           .nstep = nstep };
    return arrays_make(e, ARRAY(coefficients->cache, COEFFICIENTS_CACHE * nstep),
                       ARRAY(coefficients->step, series->maxrow * nstep));
}

static bool open_outputs(struct series *series, struct error *e)
{
    struct chunk_outputs *out = &streamed_of(series)->out;
    const struct series_settings *settings = series->config.in.settings;
    size_t nchannel = series->nchannel;
    if (!arrays_make(e, ARRAY(out->own, nchannel * series->wanted.n * series->maxrow),
                     ARRAY(out->scratch, series->maxrow), ARRAY(out->at, nchannel * series->shape.nout),
                     ARRAY(out->start, nchannel),
                     ARRAY(out->per_radian, series->config.filter->settings_size)))
        return false;
    for (size_t i = 0; i < nchannel; i++)
        out->start[i] = settings->start.value;
    return true;
}

bool streamed_open(struct series *series, struct error *e)
{
    const struct series_config *config = &series->config;
    struct streamed *streamed;
    if (!arrays_make(e, ARRAY(streamed, 1)))
        return false;
    series->own = streamed;
    series->operator.ahead = config->filter->ahead> 0 || !isnan(config->detect);
    return open_coefficients(series, e) && open_outputs(series, e) && row_flags_open(series, e);
}

static void close_streamed(struct operator* operator)
{
    struct series *series = series_of(operator);
    struct streamed *streamed = streamed_of(series);
    if (streamed) {
        row_flags_close(series);
        free(streamed->out.own);
        free(streamed->coefficients.cache);
    }
    free(streamed);
    series_free(series);
}

/* --- outputs --- */

/* Says where the filter's outputs go: the block's columns, the chunk's own, or nowhere. */
static void place_outputs(struct series *series, const struct chunk *chunk)
{
    struct streamed *streamed = streamed_of(series);
    struct chunk_outputs *out = &streamed->out;
    size_t nout = series->shape.nout;
    for (size_t c = 0; c < series->nchannel; c++) {
        for (size_t k = 0; k < nout; k++)
            out->at[c * nout + k] = out->scratch;
        for (size_t k = 0; k < series->wanted.n; k++) {
            size_t column = c * series->wanted.n + k;
            double *own = out->own + column * series->maxrow;
            out->at[c * nout + series->wanted.output[k]] = chunk->direct ? block_out(chunk->block, column) +
                                                                               chunk->first
                                                                         : own;
        }
    }
}

/* Finishes wanted output k of channel c in the first nrun rows, row by row. flags: [nrun] of the channel;
 * NULL: all are 0. Returns nrun, or the first row with a number that is not finite and is printed. */
static size_t finish_rows(const struct series *series, size_t k, const unsigned char *flags, double *out,
                          size_t nrun, double *last)
{
    const struct gap_way *way = gaps_way(series->config.in.settings->gaps);
    for (size_t p = 0; p < nrun; p++) {
        out[p] = gaps_print(way, flags ? flags[p] : 0, out[p], last);
        if (!isfinite(*last) && series->wanted.prints[k])
            return p;
    }
    return nrun;
}

/* Takes the first nrun values of an angle, filtered or predicted, to the turns of the input. */
static void turn_back(const struct series *series, const struct filter_group *group,
                      const struct chunk *chunk, size_t c, double *out, size_t nrun)
{
    const double *turns = streamed_of(series)->targets.turns + c * series->maxrow;
    const double period = units_of(series->config.in.units, c)->period;
    for (size_t p = 0; p < nrun; p++) {
        const struct spot row = chunk_row(group, chunk, p);
        out[p] = angles_wrap(out[p], block_goal(row.block, c)[row.row], turns[p], period);
    }
}

/* After the filter: rows without a time step repeat the outputs of the previous row, except what the filter's
 * same_time gave; outputs in gaps become NaN; angles go to the turn of the input. False: the series ends at a
 * number that is not finite. */
static bool finish_channel(struct series *series, struct filter_group *group, const struct chunk *chunk,
                           size_t c)
{
    const struct streamed *streamed = streamed_of(series);
    const unsigned char *flags = streamed->targets.flags[c];
    double *const *at = streamed->out.at + c * series->shape.nout;
    const struct unit *unit = units_of(series->config.in.units, c);
    size_t nrun = chunk->nrun;
    struct error e;
    for (size_t k = 0; k < series->wanted.n; k++) {
        double *out = at[series->wanted.output[k]], *last = &group->last_out[c * series->wanted.n + k];
        if (!flags && nrun && (!series->wanted.prints[k] || array_is_finite(out, nrun)))
            *last = out[nrun - 1];
        else
            nrun = finish_rows(series, k, flags, out, nrun, last);
    }
    const bool angle = unit->kind == UNIT_ANGLE && !series->config.filter->other_unit;
    for (size_t k = 0; angle && k < series->shape.nout; k++)
        if (filter_gives_value(series->config.filter, series->config.settings, k))
            turn_back(series, group, chunk, c, at[k], nrun);
    if (nrun == chunk->nrun)
        return true;
    series_too_large(series, c, &e);
    return operator_fail(&series->operator, chunk_row(group, chunk, nrun), chunk_row(group, chunk, nrun), &e);
}

/* Copies the outputs of a chunk from out.own to the blocks of its rows. */
static void scatter(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct streamed *streamed = streamed_of(series);
    for (size_t column = 0; column < series->nchannel * series->wanted.n; column++) {
        for (size_t p = 0; p < chunk->nrun; p++) {
            struct spot to = chunk_row(group, chunk, p);
            block_out(to.block, column)[to.row] = streamed->out.own[column * series->maxrow + p];
        }
    }
}

/* --- rows --- */

static bool filter_chunk(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    struct streamed *streamed = streamed_of(series);
    bool good = true;
    coefficients_find(&streamed->coefficients, series->T, chunk->nrun, steps_distinct(series, chunk->nrun));
    row_flags_prepare(series, group, chunk);
    place_outputs(series, chunk);
    chunk_run(series, group, chunk);
    for (size_t c = 0; c < series->nchannel; c++)
        good &= finish_channel(series, group, chunk, c);
    if (!chunk->direct)
        scatter(series, group, chunk);
    return good;
}

/* Sets to 0 each decaying state, of n channels or components, that has become less than the normal numbers:
 * processors are a hundred times slower on subnormal numbers, for as long as the input stands still. */
static void drop_faded(const struct series *series, double *state, size_t n)
{
    size_t nstate = series->shape.nstate;
    for (size_t i = 0; i < n * nstate; i++)
        if (fabs(state[i]) < DBL_MIN)
            state[i] = 0;
}

static void drop_faded_of_group(const struct series *series, struct filter_group *group)
{
    for (size_t i = 0; i < series->config.in.units->nrotation; i++)
        drop_faded(series, group->rotation[i].state.state, 3);
    drop_faded(series, group->state, series->nchannel);
}

/* The next chunk of a group's rows, from row `first` of them on. A chunk ends where the number of the group's
 * rows is a multiple of CHUNK_FADE, wherever blocks end. The group's first row is a chunk by itself, as it
 * has flags that the rows after it do not have. */
static struct chunk next_chunk(const struct series *series, const struct filter_group *group,
                               const struct group_rows *rows, size_t first)
{
    bool ahead = series->operator.ahead;
    size_t n = group->nseen > 0 ? series->maxrow - 1 : 1, fade = CHUNK_FADE - group->nseen % CHUNK_FADE;
    struct chunk chunk = chunk_from(rows, first);
    n = n < chunk.n ? n : chunk.n;
    n = n < fade ? n : fade;
    chunk.nwaiting = ahead && group->nseen > 0 ? 1 : 0;
    chunk.n = chunk.nwaiting + n;
    chunk.direct = !ahead && !rows->index;
    return chunk;
}

/* With look-ahead the last row of the group is not final. */
static uint64_t filter_rows(struct operator* operator, const struct group_rows * rows)
{
    struct series *series = series_of(operator);
    struct filter_group *group = series_begin_group(series, rows);
    const bool ahead = operator->ahead;
    bool good = true;
    for (size_t first = 0, n; first < rows->n && good; first += n) {
        struct chunk chunk = next_chunk(series, group, rows, first);
        steps_take(series, group, &chunk);
        n = chunk.n - chunk.nwaiting;
        chunk.nrun = ahead ? chunk.n - 1 : chunk.n;
        warnings_take_chunk(series, group, &chunk);
        good = filter_chunk(series, group, &chunk);
        series_pass(series, group, &chunk);
        if (group->nseen % CHUNK_FADE == 0)
            drop_faded_of_group(series, group);
    }
    return ahead ? group->nseen - 1 : group->nseen;
}

/* Decides the row of a group that waited for a next row, which does not come. */
static uint64_t end_group(struct operator* operator, struct group * of)
{
    struct series *series = series_of(operator);
    struct filter_group *group = series_group(series, of);
    if (!operator->ahead)
        return group->rows->ntaken;
    struct chunk last = {
        .block = operator_spot(group->rows, group->nseen - 1).block, .nwaiting = 1, .n = 1, .nrun = 1
    };
    series->T = series->own_T;
    series->own_T[0] = group->waiting_T;
    filter_chunk(series, group, &last);
    return group->rows->ntaken;
}

static void prepare(struct operator* operator, struct block * block)
{
    series_prepare(series_of(operator), block);
}

const struct operator_kind series_streamed = {
    .steps = true,
    .prepare = prepare,
    .take = filter_rows,
    .end = end_group,
    .pass = series_show_warnings,
    .finish = series_finish_warnings,
    .close = close_streamed,
};
