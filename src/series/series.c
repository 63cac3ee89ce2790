/* The state of a series. Two operators filter: streamed.c filters rows as they come, and whole_series.c
 * smooths them. This file has what both share. See series.h. */
#include "base/array.h"
#include "series/series_state.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"

#include <math.h>
#include <stdlib.h>

static bool parse_start(const struct param *param, const char *value, void *field, struct error *e)
{
    struct start_position *start = field;
    const char *end = value + strlen(value);
    *start = (struct start_position){ .given = strcmp(value, "first") != 0 };
    if (!start->given || strcmp(value, "zero") == 0)
        return true;
    if (number_read(value, end, '.', &start->value) == end && isfinite(start->value))
        return true;
    error_usage(e, "--%s must be first, zero or a number", param->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type series_start_type = { .size = sizeof(struct start_position), .parse = parse_start };

/* Is the cutoff a frequency that rows can show? Only where the rate is known. */
static bool check_cutoff(const struct series_config *config, struct error *e)
{
    const struct filter_common *common = config->settings;
    return !(config->in.rate > 0) || filter_automatic(common) ||
           cutoff_check(common->cutoff, config->in.rate, e);
}

static bool wanted_open(struct series *series, struct error *e)
{
    const struct series_config *config = &series->config;
    struct wanted_outputs *wanted = &series->wanted;
    size_t nout = series->shape.nout;
    if (!arrays_make(e, ARRAY(wanted->output, nout), ARRAY(wanted->prints, nout)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        int derivative = filter_output(config->filter, config->settings, o).derivative;
        wanted->prints[wanted->n] = derivative <= config->derivatives.printed;
        wanted->output[wanted->n] = o;
        wanted->n += derivative <= config->derivatives.computed;
    }
    return true;
}

/* --- groups --- */

/* Makes room in the state of groups, after the kind was opened. */
static void reserve_group(struct series *series)
{
    const struct series_config *config = &series->config;
    struct filter_group_places *places = &series->places;
    size_t size = sizeof(struct filter_group), n = series->nchannel;
    places->channel = array_place(&size, n, sizeof(struct channel));
    places->detect = array_place(&size, isnan(config->detect) ? 0 : n, sizeof(struct detect));
    places->rotation = array_place(&size, config->in.units->nrotation, sizeof(struct group_rotation));
    places->state = array_place(&size, n * series->shape.nstate, sizeof(double));
    places->last_out = array_place(&size, n * series->wanted.n, sizeof(double));
    places->own = array_place(&size, series->nown, 1);
    places->self = groups_reserve(config->in.groups, size);
}

struct filter_group *series_group(const struct series *series, const struct group *group)
{
    const struct filter_group_places *places = &series->places;
    unsigned char *bytes = group_state(group, places->self);
    struct filter_group *own = (struct filter_group *)bytes;
    if (own->group)
        return own;
    *own = (struct filter_group){
        .group = group,
        .rows = operator_rows_of(&series->operator, group),
        .channel = (struct channel *)(bytes + places->channel),
        .detect = (struct detect *)(bytes + places->detect),
        .rotation = (struct group_rotation *)(bytes + places->rotation),
        .state = (double *)(bytes + places->state),
        .last_out = (double *)(bytes + places->last_out),
        .own = bytes + places->own,
    };
    return own;
}

/* --- opening --- */

struct operator* series_open(const struct series_config *config, struct error *e)
{
    const bool smooths = config->zero_phase;
    bool (*open_own)(struct series *, struct error *) = smooths ? smoothed_open : streamed_open;
    struct series *series;
    if (!check_cutoff(config, e) || !arrays_make(e, ARRAY(series, 1)))
        return NULL;
    series->config = *config;
    series->shape = filter_shape(config->filter, config->settings);
    series->nchannel = config->in.plan->nchannel;
    operator_open(&series->operator, smooths ? &series_smoothed : & series_streamed, config->in.groups);
    /* Wide series and long steps take fewer rows at once: a chunk's memory does not grow with them. */
    size_t most = CHUNK_DOUBLES / (series->shape.nstep + series->nchannel * (series->shape.nout + 1) + 1);
    most = most < 8 ? 8 : most;
    series->maxrow = 1 + (most > CHUNK_ROWS ? CHUNK_ROWS : most);
    if (!arrays_make(e, ARRAY(series->count.channel_cuts, series->nchannel)) || !wanted_open(series, e) ||
        !steps_open(series, e) || !open_own(series, e) || !warnings_open(series, e)) {
        operator_close(&series->operator);
        return NULL;
    }
    reserve_group(series);
    return &series->operator;
}

void series_free(struct series *series)
{
    warnings_close(series);
    steps_close(series);
    free(series->wanted.output);
    free(series->count.channel_cuts);
    free(series);
}

struct series_count series_counted(const struct operator* series)
{
    return ((const struct series *)series)->count;
}

#define ROUNDED_STEPS                                                                                        \
    0.1 /* relative difference of steps that are even but for rounding, as of 16 and 17 ms */

double series_row_rate(const struct operator* series)
{
    const struct steps_taken *taken = &((const struct series *)series)->taken;
    const bool even = taken->n > 0 && taken->longest - taken->shortest <= ROUNDED_STEPS * taken->longest;
    return even ? (double)taken->n / taken->sum : (double)NAN;
}

void series_too_large(const struct series *series, size_t c, struct error *e)
{
    filter_too_large(e);
    error_column(e, plan_channel(series->config.in.plan, c)->name);
    error_hint(e, "%sscale the input down",
               series_has_steps(series)
                   ? "if the filter is unstable at this time step, try --method exact; otherwise "
                   : "");
}

void series_pass(const struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    size_t n = chunk->n - chunk->nwaiting;
    group->last = steps_time(series, group, chunk, n - 1);
    group->nseen += n;
}

void series_prepare(struct series *series, struct block *block)
{
    series->count.rows += block->nrow;
    for (size_t i = 0; block->marks & MARK_POINT && i < block->nrow; i++)
        series->count.rows -= !block_row_read(block, i);
}

struct filter_group *series_begin_group(struct series *series, const struct group_rows *rows)
{
    struct filter_group *group = series_group(series, rows->group);
    series->count.groups += group->nseen == 0;
    return group;
}

void series_show_warnings(struct operator* operator, struct block * block)
{
    warnings_take_rows(series_of(operator), block);
}

void series_finish_warnings(struct operator* operator)
{
    warnings_finish(series_of(operator));
}
