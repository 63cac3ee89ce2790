/* The state of a series: takes blocks, sorts their rows by group, and filters each group window by window
 * (window.c), or all of it when no more rows come (zero_phase.c). */
#include "series/series.h"

#include "series/chunk.h"
#include "offline/zero_phase.h"
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

struct series *series_open(const struct series_config *config, struct error *e)
{
    struct series *s = calloc(1, sizeof *s);
    if (!s) {
        error_memory(e);
        return NULL;
    }
    s->c = *config;
    s->shape = config->filter->shape(config->overrides->settings[0]);
    s->nchannel = config->columns->nchannel;
    s->ahead = config->filter->ahead > 0 || !isnan(config->detect);
    s->unit = -3 * config->settings->time_unit;
    s->origin = config->settings->start;
    s->end = UINT64_MAX;
    /* Wide series and long steps take fewer rows at once, so that a window's memory does not grow with
     * them. */
    s->window = CHUNK_DOUBLES / (s->shape.nstep * config->overrides->n + s->nchannel * (s->shape.nout + 1) + 1);
    s->window = s->window > CHUNK_ROWS ? CHUNK_ROWS : s->window < 8 ? 8 : s->window;
    if (!chunk_make(s)) {
        error_memory(e);
        series_close(s);
        return NULL;
    }
    for (size_t i = 0; i < s->nchannel; i++)
        s->origin_at[i] = s->origin;
    for (size_t o = 0; o < s->shape.nout; o++) {
        int derivative = output_columns_output(s->c.filter, s->c.overrides->settings[0], o).derivative;
        if (derivative > s->c.derivatives.computed)
            continue;
        s->prints[s->nwant] = derivative <= s->c.derivatives.printed;
        s->want[s->nwant++] = o;
    }
    s->groups.nchannel = s->nchannel;
    s->groups.nstate = s->shape.nstate;
    s->groups.nwant = s->nwant;
    return s;
}

void series_close(struct series *s)
{
    if (!s)
        return;
    groups_free(&s->groups);
    free(s->block);
    chunk_free(s);
    free(s->key.room);
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
        given -= !q || q->channel[0] == c ? s->found[c] : 0;
    }
    for (size_t c = 0; c < s->nchannel; c++)
        cuts[c] = given + s->found[c];
}

/* An error that says why a row is bad: from there on no row stands. Of several the first one's is told,
 * however they came. */
static void blame(struct series *s, struct spot bad, const struct error *why, struct block **faulty,
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

/* The rows of one group in a block. On false *bad is the first row that is not good. */
static bool take_group(struct series *s, struct group *g, struct block *b, const size_t *index, size_t nrow,
                       struct spot *bad, struct error *e)
{
    bool ahead = s->ahead, good = true;
    for (size_t first = 0, n; first < nrow && good; first += n) {
        struct rows rows = { b, index, first };
        /* A group's first row is special, and stands alone, so that those after it need not be. */
        size_t most = g->begun ? s->window : 1, fade = CHUNK_FADE - g->nseen % CHUNK_FADE, taken;
        most = fade < most ? fade : most;
        taken = n = nrow - first < most ? nrow - first : most;
        struct chunk w = { &rows, ahead && g->held, 0, 0, !ahead && !index };
        s->T[0] = g->held_T;
        good = chunk_times(s, g, &rows, s->T + w.nheld, &taken, e);
        if (!good)
            *bad = (struct spot){ b, rows_at(&rows, taken) };
        w.n = w.nheld + taken;
        w.nrun = ahead && w.n ? w.n - 1 : w.n;
        if (taken == 0)
            break;
        if (s->c.whole && !zero_phase_take(s, g, &rows, taken, e)) {
            *bad = (struct spot){ b, rows_at(&rows, 0) };
            return false;
        }
        if (!s->c.whole && !chunk_run(s, g, &w, bad, e))
            good = false;
        if (ahead) {
            g->held = b;
            g->held_row = rows_at(&rows, taken - 1);
        }
        g->last = chunk_stamp(s, g, &rows, taken - 1);
        g->begun = true;
        g->nseen += taken;
        if (g->nseen % CHUNK_FADE == 0)
            chunk_fade(s, g);
    }
    return good;
}

/* Sorts the block's rows by group. What the cell says counts, not how it is spelled: rows are in the same
 * groups in every format. A gap is a group as well, that of the empty cell. */
static bool take_keys(struct series *s, struct block *b, struct error *e)
{
    size_t column = s->c.columns->group, cell = s->c.columns->column[column].cell;
    struct span last = { 0, 0 };
    struct group *g = NULL;
    for (size_t i = 0; i < b->nrow; i++) {
        struct span key = b->cell[i * b->ncell + cell];
        bool same = key.n > 0 && key.n == last.n && memcmp(b->text + key.at, b->text + last.at, key.n) == 0;
        if (!same) {
            if (!format_plain(s->c.reader, b, i, column, &s->key, e))
                return false;
            g = groups_get(&s->groups, s->key.text ? s->key.text : "", s->key.n);
        }
        if (!g || !groups_touch(&s->groups, g, i))
            return error_memory(e);
        last = key;
    }
    return true;
}

/* --gaps error: the rows before the first gap are good. */
static bool refuse_gaps(const struct series *s, struct block *b, struct error *e)
{
    const struct columns *t = s->c.columns;
    size_t culprit = COLUMN_NONE;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL) {
            const double *value = block_value(b, t->column[i].value);
            for (size_t j = 0; j < b->nrow; j++)
                if (isnan(value[j])) {
                    b->nrow = j;
                    culprit = i;
                }
        }
    if (culprit == COLUMN_NONE)
        return true;
    error_data(e, "a value is missing");
    error_column(e, t->column[culprit].name);
    error_place(e, block_line(b, b->nrow), 0);
    return error_hint(e, "--gaps keep, fill or restart allows gaps");
}

/* The rows of a block, group by group. False: memory is out. */
static bool take_groups(struct series *s, struct block *b, struct block **faulty, struct error *e)
{
    size_t nrow = b->nrow;
    struct spot bad;
    struct error why;
    b->pending = 0;
    if (s->c.columns->group == COLUMN_NONE) {
        struct group *g = groups_get(&s->groups, "", 0);
        if (!g)
            return error_memory(e);
        if (!take_group(s, g, b, NULL, nrow, &bad, &why))
            blame(s, bad, &why, faulty, e);
        b->pending = g->held == b;
        return true;
    }
    if (!take_keys(s, b, e))
        return false;
    for (size_t i = 0; i < s->groups.ntouched; i++) {
        struct group *g = s->groups.touched[i];
        if (!take_group(s, g, b, g->row, g->nrow, &bad, &why))
            blame(s, bad, &why, faulty, e);
        b->pending += g->held == b;
    }
    groups_rest(&s->groups);
    return true;
}

/* Memory is out: none of the block's rows stands. */
static bool give_up(struct block *b, struct block **faulty)
{
    if (b->nrow > 0)
        *faulty = b;
    b->nrow = 0;
    return false;
}

bool series_take(struct series *s, struct block *b, struct block **faulty, struct error *e)
{
    struct error why;
    *faulty = NULL;
    if (s->c.whole && !zero_phase_hold(s, b, e))
        return give_up(b, faulty);
    bool good = s->c.settings->gaps != GAPS_ERROR || refuse_gaps(s, b, &why);
    good = chunk_refuse_rotations(s, b, &why) && good;
    s->count.rows += b->nrow;
    if (!good)
        blame(s, (struct spot){ b, b->nrow }, &why, faulty, e);
    if (!take_groups(s, b, faulty, e))
        return give_up(b, faulty);
    if (s->c.whole)
        b->pending = b->nrow;
    return !*faulty;
}

bool series_finish(struct series *s, struct block **faulty, struct error *e)
{
    *faulty = NULL;
    if (s->c.whole)
        return zero_phase_finish(s, faulty, e);
    struct rows none = { NULL, NULL, 0 };
    struct chunk w = { &none, 1, 1, 1, false };
    for (size_t i = 0; i < s->groups.nbucket; i++)
        for (struct group *g = s->groups.bucket[i]; g; g = g->next) {
            struct spot bad;
            struct error why;
            if (!g->held)
                continue;
            s->T[0] = g->held_T;
            if (!chunk_run(s, g, &w, &bad, &why))
                blame(s, bad, &why, faulty, e);
            g->held = NULL;
        }
    return !*faulty;
}
