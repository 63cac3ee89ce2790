/* The state of a series: takes blocks, sorts their rows by group, and filters each group chunk by chunk
 * (chunk.c), or holds them and filters them when no more rows come (whole_series.c). See series.h. */
#include "base/array.h"
#include "base/text.h"
#include "series/chunk.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static bool parse_start(const struct param *p, const char *value, void *field, struct error *e)
{
    double *start = field;
    const char *end = value + strlen(value);
    if (strcmp(value, "first") == 0)
        *start = (double)NAN;
    else if (strcmp(value, "zero") == 0)
        *start = 0;
    else if (number_read(value, end, '.', start) != end || !isfinite(*start)) {
        error_usage(e, "--%s: takes first, zero or a number", p->name);
        return error_excerpt(e, value, strlen(value));
    }
    return true;
}

const struct param_type series_start_type = { .size = sizeof(double), .parse = parse_start };

static bool parse_start_velocity(const struct param *p, const char *value, void *field, struct error *e)
{
    struct start_velocity *velocity = field;
    const char *end = value + strlen(value);
    *velocity = (struct start_velocity){ .kind = START_VELOCITY_FIRST };
    if (strcmp(value, "first") == 0)
        return true;
    velocity->kind = START_VELOCITY_NUMBER;
    if (number_read(value, end, '.', &velocity->value) == end && isfinite(velocity->value))
        return true;
    error_usage(e, "--%s: takes first or a number", p->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type series_start_velocity_type = { .size = sizeof(struct start_velocity),
                                                       .parse = parse_start_velocity };

bool series_check_start_velocity(const struct filter *filter, const struct start_velocity *given,
                                 struct error *e)
{
    if (given->kind == START_VELOCITY_NOT_GIVEN)
        return true;
    if (filter->no_start_velocity) {
        char able[200] = "";
        for (const struct filter *const *f = filter_list; *f; f++)
            if (!(*f)->no_start_velocity)
                text_append(able, sizeof able, "%s%s", able[0] ? ", " : "", (*f)->name);
        error_usage(e, "--start-velocity: %s has no initial velocity: %s", filter->name,
                    filter->no_start_velocity);
        return error_hint(e, "these have: %s", able);
    }
    if (given->kind == START_VELOCITY_FIRST && filter->other_unit) {
        error_usage(e, "--start-velocity first: the input of %s is a velocity, and its first difference none",
                    filter->name);
        return error_hint(e, "give the initial velocity as a number");
    }
    return true;
}

static bool parse_limit(const struct param *p, const char *value, void *field, struct error *e)
{
    struct gap_limit *limit = field;
    const char *end = value + strlen(value), *rest = number_read(value, end, '.', &limit->most);
    bool rows = rest && strcmp(rest, "rows") == 0;
    limit->kind = rows ? GAP_ROWS : GAP_SECONDS;
    bool good = rows ? limit->most == floor(limit->most) : param_seconds(value, &limit->most);
    if (good && limit->most >= 0 && isfinite(limit->most))
        return true;
    error_usage(e, "--%s: takes a time in seconds, such as 0.25, or a number of rows, such as 10rows",
                p->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type gap_limit_type = { .size = sizeof(struct gap_limit), .parse = parse_limit };

/* Is the cutoff of all settings a frequency that rows can show? Only where the rate is known. */
static bool check_cutoff(const struct series_config *config, struct error *e)
{
    for (size_t i = 0; i < config->overrides->n && config->in.rate > 0; i++) {
        const struct filter_common *common = config->overrides->settings[i];
        if (common->cutoff > config->in.rate / 2)
            return error_usage(e, "--cutoff %g: above half of the row rate, %g Hz, rows show no waves",
                               common->cutoff, config->in.rate / 2);
    }
    return true;
}

struct series *series_open(const struct series_config *config, struct error *e)
{
    struct series *s;
    if (!check_cutoff(config, e) || !arrays_make(e, ARRAY(s, 1)))
        return NULL;
    s->c = *config;
    s->mode = config->zero_phase ? &series_held : &series_streamed;
    s->shape = filter_shape(config->filter, config->overrides->settings[0]);
    s->nchannel = config->in.columns->nchannel;
    s->ahead = config->filter->ahead > 0 || !isnan(config->detect) ||
               config->in.settings->start_velocity.kind == START_VELOCITY_FIRST;
    s->end = UINT64_MAX;
    /* Wide series and long steps take fewer rows at once: a chunk's memory does not grow with them. */
    size_t most = CHUNK_DOUBLES /
                  (s->shape.nstep * config->overrides->n + s->nchannel * (s->shape.nout + 1) + 1);
    most = most < 8 ? 8 : most;
    s->maxrow = 1 + (most > CHUNK_ROWS ? CHUNK_ROWS : most);
    if (!arrays_make(e, ARRAY(s->count.channel_cuts, s->nchannel)) ||
        (s->mode->open && !s->mode->open(s, e)) || !parameters_open(s, e) || !steps_open(s, e) ||
        !chunk_outputs_open(s, e) || !row_flags_open(s, e) || !idle_open(s, e) || !warnings_open(s, e)) {
        series_close(s);
        return NULL;
    }
    s->groups = (struct groups){ .nchannel = s->nchannel,
                                 .nstate = s->shape.nstate,
                                 .nwant = s->out.nwant,
                                 .nrotation = config->in.rotations->n,
                                 .nidle = idle_words(s),
                                 .nextra = s->mode->group_bytes + parameters_group_bytes(s),
                                 .detects = !isnan(config->detect),
                                 .watched = WATCHED_GROUPS,
                                 .forget = isnan(config->in.settings->forget) ? 0
                                                                              : config->in.settings->forget,
                                 .free_extra = s->mode->free_group };
    return s;
}

void series_close(struct series *s)
{
    if (!s)
        return;
    groups_free(&s->groups);
    warnings_close(s);
    row_flags_close(s);
    chunk_outputs_close(s);
    idle_close(s);
    steps_close(s);
    parameters_close(s);
    free(s->count.channel_cuts);
    free(s->own);
    free(s);
}

struct series_count series_counted(const struct series *s)
{
    return s->count;
}

bool series_fail(struct series *s, struct spot from, struct spot at, const struct error *e)
{
    uint64_t number = from.block->firstrow + from.row;
    if (number >= s->end)
        return false;
    s->end = number;
    s->faulty = from.block;
    from.block->nrow = from.row;
    from.block->error = *e;
    if (e->kind != ERROR_DATA)
        return false;
    uint64_t line = block_line(at.block, at.row);
    return error_place(&from.block->error, line ? at.block->firstline + line - from.block->firstline : 0);
}

/* Sets to 0 each decaying state, of n channels or components, that has become less than the normal numbers.
 */
static void drop_faded(const struct series *s, double *state, size_t n)
{
    size_t nstate = s->shape.nstate;
    for (size_t i = 0; i < n * nstate; i++)
        if (fabs(state[i]) < DBL_MIN && s->c.filter->fading >> (i % nstate < 31 ? i % nstate : 31) & 1)
            state[i] = 0;
}

/* Takes the rows of one group in a block. index: numbers of the rows; NULL: rows 0 to nrow - 1. Every
 * CHUNK_FADE rows of the group, wherever blocks end, faded states are set to 0: processors are a hundred
 * times slower on subnormal numbers, for as long as the input stands still. */
static void take_group(struct series *s, struct group *g, struct block *b, const size_t *index, size_t nrow)
{
    bool good = true;
    idle_choose(s, g, b);
    for (size_t first = 0, n; first < nrow && good; first += n) {
        /* A group's first row is filtered alone, as it has flags that the rows after it do not have. */
        size_t most = g->begun ? s->maxrow - 1 : 1, fade = CHUNK_FADE - g->nseen % CHUNK_FADE;
        struct chunk w = { .block = b, .index = index, .first = first };
        n = nrow - first < most ? nrow - first : most;
        n = fade < n ? fade : n;
        w.nheld = s->ahead && g->held.block;
        w.n = w.nheld + n;
        w.direct = !s->ahead && !index;
        s->steps.T[0] = g->held_T;
        good = steps_take(s, g, &w);
        good &= parameters_take(s, g, &w);
        n = w.n - w.nheld;
        if (n == 0)
            break;
        w.nrun = w.n - s->ahead;
        warnings_take_steps(s, g, &w);
        column_warnings_take(s, g, &w);
        good &= s->mode->take(s, g, &w);
        if (s->ahead)
            g->held = (struct spot){ b, new_row(&w, n - 1) };
        g->last = steps_time(s, g, &w, n - 1);
        g->begun = true;
        g->nseen += n;
        for (size_t i = 0; i < s->groups.nrotation && g->nseen % CHUNK_FADE == 0; i++)
            drop_faded(s, g->rotation[i].state.state, 3);
        for (size_t i = 0; i < s->busy.n && g->nseen % CHUNK_FADE == 0; i++)
            drop_faded(s, g->state + s->busy.channel[i] * s->shape.nstate, 1);
    }
}

/* --gaps error: ends the series before the first gap of a block. */
static void refuse_gaps(struct series *s, struct block *b)
{
    for (size_t c = 0; c < s->nchannel; c++) {
        const double *value = block_goal(b, c);
        for (size_t j = 0; j < b->nrow && !series_leaves(s, c); j++) {
            struct spot here = { b, j };
            struct error e;
            if (!isnan(value[j]))
                continue;
            error_data(&e, isnan(block_value(b, c)[j])
                               ? "a value is missing"
                               : "the value is masked, or a spike that cannot be bridged");
            error_column(&e, columns_channel(s->c.in.columns, c)->name);
            error_hint(&e, "--gaps keep, fill, linear, cubic or restart allows gaps");
            series_fail(s, here, here, &e);
        }
    }
}

/* Ends the series before the first row of a block whose numbers are no rotation. */
static void check_rotations(struct series *s, struct block *b)
{
    const struct rotations *all = s->c.in.rotations;
    for (size_t i = 0; i < all->n; i++) {
        const struct rotation *q = &all->at[i];
        bool judged = q->ncolumn == 4 && !series_leaves(s, q->channel[0]);
        for (size_t j = 0; j < b->nrow && judged; j++) {
            struct spot here = { b, j };
            struct error e;
            double most = 0;
            bool gap = false;
            for (size_t k = 0; k < 4; k++) {
                double x = block_goal(b, q->channel[k])[j];
                most = fmax(most, fabs(x));
                gap |= isnan(x);
            }
            if (gap || (most > 0 && isfinite(most)))
                continue;
            error_data(&e, "this is no rotation: the four components are 0, or not finite");
            error_column(&e, s->c.in.columns->column[q->column[0]].name);
            error_hint(&e, "a rotation that is not known is a gap: empty cells");
            series_fail(s, here, here, &e);
        }
    }
}

static void finish_group(void *state, struct group *g)
{
    struct series *s = state;
    s->mode->finish_group(s, g);
}

/* Takes the rows of a block, group by group. False: memory is out. */
static bool take_groups(struct series *s, struct block *b, struct error *e)
{
    struct groups *all = &s->groups;
    if (!groups_sort(all, &s->c.in, b, e))
        return false;
    for (size_t i = 0; i < all->ntouched; i++) {
        struct group *g = all->touched[i];
        const size_t *row = groups_rows(all, g);
        const struct spot first = { b, row[0] };
        warnings_take_group(s, g, first);
        take_group(s, g, b, row, g->nrow);
        b->pending += g->held.block == b;
    }
    groups_release(all, &s->c.in, finish_group, s);
    return true;
}

/* Takes the rows of a block without --group-by. False: memory is out. */
static bool take_rows(struct series *s, struct block *b, struct error *e)
{
    struct group *g = groups_find(&s->groups, NULL, NULL, 0, e);
    if (!g)
        return false;
    take_group(s, g, b, NULL, b->nrow);
    b->pending += g->held.block == b;
    return true;
}

struct block *series_take(struct series *s, struct block *b)
{
    const struct spot first = { b, 0 };
    struct error e;
    s->faulty = NULL;
    b->pending = 0;
    if (s->mode->holds && b->nrow > 0)
        block_trim(b);
    if (s->c.in.settings->gaps == GAPS_ERROR)
        refuse_gaps(s, b);
    check_rotations(s, b);
    s->count.rows += b->nrow;
    for (size_t i = 0; b->grid && i < b->nrow; i++)
        s->count.rows -= !block_row_read(b, i);
    bool good = s->c.in.columns->ngroup > 0 ? take_groups(s, b, &e) : take_rows(s, b, &e);
    s->count.groups = s->groups.nmade;
    if (good)
        b->pending = s->mode->holds ? b->nrow : b->pending;
    else if (b->nrow > 0)
        series_fail(s, first, first, &e);
    warnings_take_rows(s, b);
    return s->faulty;
}

struct block *series_finish(struct series *s)
{
    s->faulty = NULL;
    s->mode->finish(s);
    warnings_finish(s);
    return s->faulty;
}
