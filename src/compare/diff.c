/* Two series side by side: reading in lockstep and pairing rows. See diff.h.
 *
 * Rows pair by order, or by ascending keys as in a merge: the smaller key's row is alone. Keys pair within
 * the tolerance; where it spans several rows, a row pairs with the nearer of the next two, so that one
 * missing row does not shift all that follow. */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>

/* --- reading --- */

static struct block *current(struct diff_side *s)
{
    return &s->block[s->current];
}

static struct block *other(struct diff_side *s)
{
    return &s->block[!s->current];
}

/* Loads the block after the current one; s->ahead tells whether there is one. */
static bool look_ahead(struct diff_side *s, struct error *e)
{
    if (s->ahead || s->ended)
        return true;
    enum loaded loaded = input_load(&s->in, other(s), e);
    s->ahead = loaded == LOAD_ROWS;
    s->ended = loaded == LOAD_END;
    return loaded != LOAD_ERROR;
}

/* Sees to it that the current block has a row left; *more: it has. */
static bool ready(struct diff_side *s, bool *more, struct error *e)
{
    struct block *b = current(s);
    *more = s->row < b->nrow;
    if (*more)
        return true;
    if (!look_ahead(s, e))
        return false;
    s->nrow += b->nrow;
    b->nrow = 0;
    s->row = 0;
    if (s->ahead)
        s->current = !s->current;
    *more = s->ahead;
    s->ahead = false;
    return true;
}

/* --- pairing --- */

static double key_of(struct diff_side *s, size_t i)
{
    return diff_number(s, current(s), s->key, i);
}

/* The row where a side stands has no partner. */
static void leave_alone(struct diff_side *s)
{
    if (s->alone.nrow++ == 0) {
        s->alone.row = s->nrow + s->row + 1;
        s->alone.key = s->shown == COLUMN_NONE ? (double)NAN : diff_number(s, current(s), s->shown, s->row);
    }
    if (s->key != COLUMN_NONE)
        s->last_key = key_of(s, s->row);
    s->row++;
}

/* Is there a key in the next row, and does it come after the one before? */
static bool check_key(struct diff_side *s, struct error *e)
{
    double key = key_of(s, s->row);
    if (isnan(key))
        error_data(e, "the key is missing in row %llu", (unsigned long long)(s->nrow + s->row + 1));
    else if (key < s->last_key)
        error_data(e, "keys go backward: %.17g after %.17g", key, s->last_key);
    else
        return true;
    error_hint(e, "rows pair by key where keys ascend; without --key they pair by their order");
    error_column(e, s->in.reader.columns.column[s->key].name);
    return error_place(e, diff_line(current(s), s->row), 0);
}

/* The key of the row after the one where a side stands; NaN: there is none. */
static bool next_key(struct diff_side *s, double *key, struct error *e)
{
    *key = (double)NAN;
    if (s->row + 1 < current(s)->nrow) {
        *key = key_of(s, s->row + 1);
        return true;
    }
    if (!look_ahead(s, e))
        return false;
    if (s->ahead)
        *key = diff_number(s, other(s), s->key, 0);
    return true;
}

/* Which side's row has no partner here? DIFF_SIDES: the two rows are a pair; -1: error, on side *at. */
static int odd_one(struct diff *d, int *at, struct error *e)
{
    struct diff_side *a = &d->side[DIFF_EXPECTED], *b = &d->side[DIFF_ACTUAL];
    double x = key_of(a, a->row), y = key_of(b, b->row), apart = fabs(x - y), next;
    for (*at = 0; *at < DIFF_SIDES; ++*at)
        if (!check_key(&d->side[*at], e))
            return -1;
    if (apart == 0)
        return DIFF_SIDES;
    if (!diff_agree(d, x, y, apart))
        return x < y ? DIFF_EXPECTED : DIFF_ACTUAL;
    *at = x < y ? DIFF_EXPECTED : DIFF_ACTUAL;
    if (!next_key(&d->side[*at], &next, e))
        return -1;
    return fabs(next - (x < y ? y : x)) < apart ? *at : DIFF_SIDES;
}

/* Pairs rows from where both sides stand, which have one each; compares them, or leaves one alone. */
static bool pair_by_key(struct diff *d, int *at, struct error *e)
{
    int odd = odd_one(d, at, e);
    if (odd < 0)
        return false;
    if (odd < DIFF_SIDES) {
        leave_alone(&d->side[odd]);
        return true;
    }
    e->kind = ERROR_NONE;
    diff_rows(d, 1, e);
    for (int i = 0; i < DIFF_SIDES; i++) {
        d->side[i].last_key = key_of(&d->side[i], d->side[i].row);
        d->side[i].row++;
    }
    *at = DIFF_SIDES;
    return e->kind == ERROR_NONE;
}

static bool pair_by_order(struct diff *d, int *at, struct error *e)
{
    struct diff_side *a = &d->side[DIFF_EXPECTED], *b = &d->side[DIFF_ACTUAL];
    size_t n = current(a)->nrow - a->row, m = current(b)->nrow - b->row;
    n = n < m ? n : m;
    e->kind = ERROR_NONE;
    diff_rows(d, n, e);
    a->row += n;
    b->row += n;
    *at = DIFF_SIDES;
    return e->kind == ERROR_NONE;
}

bool diff_run(struct diff *d, int *at, struct error *e)
{
    bool more[DIFF_SIDES], keys = d->side[DIFF_EXPECTED].key != COLUMN_NONE;
    for (;;) {
        for (*at = 0; *at < DIFF_SIDES; ++*at)
            if (!ready(&d->side[*at], &more[*at], e))
                return false;
        if (!more[DIFF_EXPECTED] && !more[DIFF_ACTUAL])
            return true;
        if (more[DIFF_EXPECTED] && more[DIFF_ACTUAL]) {
            if (!(keys ? pair_by_key : pair_by_order)(d, at, e))
                return false;
            continue;
        }
        *at = more[DIFF_EXPECTED] ? DIFF_EXPECTED : DIFF_ACTUAL;
        if (keys && !check_key(&d->side[*at], e))
            return false;
        leave_alone(&d->side[*at]);
    }
}

/* --- opening, closing, judging --- */

bool diff_open(struct diff *d, const struct diff_options *options, const struct input_options *input,
               const char *const name[DIFF_SIDES], int *at, struct error *e)
{
    struct column_choice choice = { .compare = true };
    d->options = options;
    d->abs = isnan(options->abs) ? 0 : options->abs;
    d->rel = options->exact ? 0 : isnan(options->rel) ? 1e-9 : options->rel;
    for (int i = 0; i < DIFF_SIDES; i++) {
        d->side[i].in.source.fd = -1;
        d->side[i].name = strcmp(name[i], "-") ? name[i] : "(standard input)";
        d->side[i].last_key = -INFINITY;
        d->side[i].key = d->side[i].shown = COLUMN_NONE;
    }
    for (*at = 0; *at < DIFF_SIDES; ++*at) {
        struct diff_side *s = &d->side[*at];
        if (!input_open(&s->in, name[*at], options->from, input, e) ||
            !columns_select(&s->in.reader.columns, &choice, e))
            return false;
        s->in.reader.lenient = true;
        if (s->in.reader.format->bind && !s->in.reader.format->bind(&s->in.reader, e))
            return false;
    }
    return diff_pair_columns(d, at, e);
}

void diff_close(struct diff *d)
{
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *s = &d->side[i];
        block_free(&s->block[0]);
        block_free(&s->block[1]);
        free(s->only);
        free(s->cell.room);
        input_close(&s->in);
    }
    free(d->column);
    free(d->rotation);
}

size_t diff_columns(const struct diff *d)
{
    return d->ncolumn + d->side[DIFF_EXPECTED].nonly + d->side[DIFF_ACTUAL].nonly;
}

size_t diff_agreeing(const struct diff *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->ncolumn; i++)
        n += d->column[i].beyond == 0;
    return n;
}

bool diff_same(const struct diff *d)
{
    return diff_agreeing(d) == diff_columns(d) && d->side[DIFF_EXPECTED].alone.nrow == 0 &&
           d->side[DIFF_ACTUAL].alone.nrow == 0;
}
