/* The state of a series: takes blocks, sorts their rows by group, and filters each group chunk by chunk
 * (chunk.c), or all of it when no more rows come. See series.h. */
#include "series/series.h"

#include "base/array.h"
#include "series/chunk.h"
#include "series/quaternion_rows.h"

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

/* Wide series and long steps take fewer rows at once, so that a chunk's memory does not grow with them. */
static size_t choose_maxrow(const struct series *s)
{
    size_t n = CHUNK_DOUBLES / (s->shape.nstep * s->c.overrides->n + s->nchannel * (s->shape.nout + 1) + 1);
    return n > CHUNK_ROWS ? CHUNK_ROWS : n < 8 ? 8 : n;
}

struct series *series_open(const struct series_config *config, struct error *e)
{
    struct series *s = calloc(1, sizeof *s);
    if (!s) {
        error_memory(e);
        return NULL;
    }
    s->c = *config;
    s->shape = filter_shape(config->filter, config->overrides->settings[0]);
    s->nchannel = config->columns->nchannel;
    s->ahead = config->filter->ahead > 0 || !isnan(config->detect);
    s->end = UINT64_MAX;
    s->maxrow = choose_maxrow(s);
    if (!chunk_open(s)) {
        error_memory(e);
        series_close(s);
        return NULL;
    }
    for (size_t o = 0; o < s->shape.nout; o++) {
        int derivative = output_columns_output(s->c.filter, s->c.overrides->settings[0], o).derivative;
        if (derivative > s->c.derivatives.computed)
            continue;
        s->out.prints[s->out.nwant] = derivative <= s->c.derivatives.printed;
        s->out.want[s->out.nwant++] = o;
    }
    s->groups.nchannel = s->nchannel;
    s->groups.nstate = s->shape.nstate;
    s->groups.nwant = s->out.nwant;
    return s;
}

void series_close(struct series *s)
{
    if (!s)
        return;
    groups_free(&s->groups);
    chunk_close(s);
    free(s->block);
    free(s);
}

struct series_count series_counted(const struct series *s)
{
    struct series_count count = s->count;
    count.groups = s->groups.ngroup;
    return count;
}

void series_cuts(const struct series *s, uint64_t *cuts)
{
    uint64_t given = s->count.cuts;
    for (size_t c = 0; c < s->nchannel; c++) {
        const struct quaternion *q = quaternions_of(s->c.quaternions, c);
        given -= !q || q->channel[0] == c ? s->flags.found[c] : 0;
    }
    for (size_t c = 0; c < s->nchannel; c++)
        cuts[c] = given + s->flags.found[c];
}

/* Ends the series before a bad row, with the error of it; of several bad rows the first one counts, in
 * whatever order they are found. */
static void end_before(struct series *s, struct spot bad, const struct error *why, struct block **faulty,
                       struct error *e)
{
    uint64_t number = bad.block->firstrow + bad.row;
    if (number >= s->end)
        return;
    s->end = number;
    bad.block->nrow = bad.row;
    *faulty = bad.block;
    *e = *why;
    e->line += e->line ? bad.block->firstline - 1 : 0;
}

/* Keeps n rows of a group whose steps are in s->steps.T, for a series that is held whole. */
static bool hold_rows(struct series *s, struct group *g, const struct group_rows *r, size_t n,
                      struct error *e)
{
    size_t max = g->maxplace;
    if (!array_reserve(&g->place, g->nplace + n, &max, sizeof *g->place, e) ||
        !array_reserve(&g->place_T, g->nplace + n, &g->maxplace, sizeof *g->place_T, e))
        return false;
    for (size_t j = 0; j < n; j++) {
        g->place[g->nplace + j] = (struct place){ (uint32_t)(s->nblock - 1), (uint32_t)group_row(r, j) };
        g->place_T[g->nplace + j] = s->steps.T[j];
    }
    g->nplace += n;
    return true;
}

/* The rows of one group in a block. On false *bad is the first row that is not good. */
static bool take_group(struct series *s, struct group *g, struct block *b, const size_t *index, size_t nrow,
                       struct spot *bad, struct error *e)
{
    bool ahead = s->ahead, good = true;
    for (size_t first = 0, n; first < nrow && good; first += n) {
        struct group_rows rows = { b, index, first };
        /* A group's first row is filtered alone, as it has flags that the rows after it do not have. */
        size_t most = g->begun ? s->maxrow : 1, fade = CHUNK_FADE - g->nseen % CHUNK_FADE, taken;
        most = fade < most ? fade : most;
        taken = n = nrow - first < most ? nrow - first : most;
        struct chunk c = { &rows, ahead && g->held.block, 0, 0, !ahead && !index };
        s->steps.T[0] = g->held.T;
        good = steps_take(&s->steps, g, &rows, s->steps.T + c.nheld, &taken, e);
        if (!good)
            *bad = (struct spot){ b, group_row(&rows, taken) };
        c.n = c.nheld + taken;
        c.nrun = ahead && c.n ? c.n - 1 : c.n;
        if (taken == 0)
            break;
        if (s->c.filter_whole && !hold_rows(s, g, &rows, taken, e)) {
            *bad = (struct spot){ b, group_row(&rows, 0) };
            return false;
        }
        if (!s->c.filter_whole && !chunk_run(s, g, &c, bad, e))
            good = false;
        if (ahead) {
            g->held.block = b;
            g->held.row = group_row(&rows, taken - 1);
        }
        g->last = steps_time(&s->steps, g, &rows, taken - 1);
        g->begun = true;
        g->nseen += taken;
        if (g->nseen % CHUNK_FADE == 0)
            chunk_fade(s, g);
    }
    return good;
}

/* --gaps error: cuts b->nrow to the rows before the first gap; false: there is one. */
static bool refuse_gaps(const struct series *s, struct block *b, struct error *e)
{
    const struct column *culprit = NULL;
    for (size_t c = 0; c < s->nchannel; c++) {
        const double *value = block_value(b, c);
        for (size_t j = 0; j < b->nrow; j++)
            if (isnan(value[j])) {
                b->nrow = j;
                culprit = columns_channel(s->c.columns, c);
            }
    }
    if (!culprit)
        return true;
    error_data(e, "a value is missing");
    error_column(e, culprit->name);
    error_place(e, block_line(b, b->nrow), 0);
    return error_hint(e, "--gaps keep, fill or restart allows gaps");
}

/* The rows of a block, group by group. False: memory is out. */
static bool take_groups(struct series *s, struct block *b, struct block **faulty, struct error *e)
{
    struct spot bad;
    struct error why;
    struct group *only = NULL;
    b->pending = 0;
    if (s->c.columns->group == COLUMN_NONE ? !(only = groups_find(&s->groups, NULL, NULL, 0, e))
                                           : !groups_sort(&s->groups, s->c.reader, b, e))
        return false;
    size_t nrow = b->nrow;
    for (size_t i = 0; i < (only ? 1 : s->groups.ntouched); i++) {
        struct group *g = only ? only : s->groups.touched[i];
        if (!take_group(s, g, b, only ? NULL : g->row, only ? nrow : g->nrow, &bad, &why))
            end_before(s, bad, &why, faulty, e);
        b->pending += g->held.block == b;
    }
    return true;
}

/* Memory is out: no row of the block counts. */
static bool drop_rows(struct block *b, struct block **faulty)
{
    if (b->nrow > 0)
        *faulty = b;
    b->nrow = 0;
    return false;
}

static bool hold_block(struct series *s, struct block *b, struct error *e)
{
    if (!array_reserve(&s->block, s->nblock + 1, &s->maxblock, sizeof *s->block, e))
        return false;
    block_trim(b);
    s->block[s->nblock++] = b;
    return true;
}

bool series_take(struct series *s, struct block *b, struct block **faulty, struct error *e)
{
    struct error why;
    *faulty = NULL;
    if (s->c.filter_whole && !hold_block(s, b, e))
        return drop_rows(b, faulty);
    bool good = s->c.settings->gaps != GAPS_ERROR || refuse_gaps(s, b, &why);
    good = quaternion_rows_check(s, b, &why) && good;
    s->count.rows += b->nrow;
    if (!good)
        end_before(s, (struct spot){ b, b->nrow }, &why, faulty, e);
    if (!take_groups(s, b, faulty, e))
        return drop_rows(b, faulty);
    if (s->c.filter_whole)
        b->pending = b->nrow;
    return !*faulty;
}

bool series_finish(struct series *s, struct block **faulty, struct error *e)
{
    *faulty = NULL;
    if (s->c.filter_whole)
        return s->c.filter_whole(s, faulty, e);
    struct group_rows none = { NULL, NULL, 0 };
    struct chunk c = { &none, 1, 1, 1, false };
    for (struct group *g = groups_each(&s->groups, NULL); g; g = groups_each(&s->groups, g)) {
        struct spot bad;
        struct error why;
        if (!g->held.block)
            continue;
        s->steps.T[0] = g->held.T;
        if (!chunk_run(s, g, &c, &bad, &why))
            end_before(s, bad, &why, faulty, e);
        g->held.block = NULL;
    }
    return !*faulty;
}
