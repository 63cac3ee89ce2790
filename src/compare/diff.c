/* Two series side by side: reads them in step and pairs their rows. See diff.h.
 *
 * Rows pair by order, or by ascending keys as in a merge: the row with the smaller key is alone. Keys pair
 * within the tolerance; where several rows are within it, a row pairs with the nearer of the next two, so
 * that one missing row does not shift all later ones. */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>

/* If the current block has no row left, moves to the next one, and loads the one after it. */
static bool find_row(struct diff_side *s, struct error *e)
{
    enum loaded loaded = LOAD_ROWS;
    while (loaded != LOAD_ERROR && s->row == s->block[s->current].nrow &&
           (!s->ended || s->block[!s->current].nrow > 0)) {
        struct block *last = &s->block[s->current];
        s->nrow += last->nrow;
        last->nrow = s->row = 0;
        s->current ^= 1;
        loaded = s->ended ? LOAD_END : input_load(&s->in, last, e);
        s->ended = loaded == LOAD_END;
    }
    return loaded != LOAD_ERROR;
}

/* Moves past n > 0 rows of the current block. */
static void advance(struct diff_side *s, size_t n)
{
    s->last_key = diff_number(s, s->key, n - 1);
    s->row += n;
}

/* Counts the current row as one without a partner. */
static void leave_alone(struct diff_side *s)
{
    if (s->nalone++ == 0) {
        s->alone = s->nrow + s->row + 1;
        s->alone_key = diff_number(s, s->shown, 0);
    }
    advance(s, 1);
}

/* Checks that the current row has a key, which is not less than the last one. */
static bool check_key(const struct diff_side *s, struct error *e)
{
    double key = diff_number(s, s->key, 0);
    if (isnan(key))
        error_data(e, "the key is missing in row %llu", (unsigned long long)(s->nrow + s->row + 1));
    else if (key < s->last_key)
        error_data(e, "keys go backward: %.17g after %.17g", key, s->last_key);
    else
        return true;
    error_hint(e, "rows pair by key where keys ascend; without --key they pair by their order");
    error_column(e, s->columns->column[s->key].name);
    return error_place(e, diff_line(s, 0));
}

static bool pair_rows(struct diff *d, size_t n, struct error *e)
{
    for (size_t i = 0; i < d->ncolumn; i++)
        diff_compare(d, &d->column[i], n);
    d->compared += n;
    for (int i = 0; i < DIFF_SIDES; i++)
        advance(&d->side[i], n);
    return !d->failed || error_memory(e);
}

/* Pairs the current rows if their keys agree; otherwise the one with the smaller key is alone. */
static bool pair_by_key(struct diff *d, struct error *e)
{
    const struct diff_side *a = &d->side[DIFF_EXPECTED], *b = &d->side[DIFF_ACTUAL];
    double x = diff_number(a, a->key, 0), y = diff_number(b, b->key, 0), apart = fabs(x - y);
    for (d->fault = 0; d->fault < DIFF_SIDES; d->fault++)
        if (!check_key(&d->side[d->fault], e))
            return false;
    d->fault = x < y ? DIFF_EXPECTED : DIFF_ACTUAL;
    struct diff_side *smaller = &d->side[d->fault];
    bool pair = apart == 0;
    const size_t key[] = { a->key, b->key };
    if (!pair && diff_times_agree(d, key, (const double[]){ x, y }, 0))
        pair = !(fabs(diff_number(smaller, smaller->key, 1) - fmax(x, y)) < apart);
    d->fault = DIFF_SIDES;
    if (pair)
        return pair_rows(d, 1, e);
    leave_alone(smaller);
    return true;
}

/* Pairs rows, or leaves one alone. *done: there are no more. */
static bool next_rows(struct diff *d, bool keys, bool *done, struct error *e)
{
    size_t left[DIFF_SIDES]; /* in the current blocks */
    for (d->fault = 0; d->fault < DIFF_SIDES; d->fault++) {
        struct diff_side *s = &d->side[d->fault];
        if (!find_row(s, e))
            return false;
        left[d->fault] = diff_block(s)->nrow - s->row;
    }
    *done = left[0] == 0 && left[1] == 0;
    if (*done)
        return true;
    if (left[0] && left[1])
        return keys ? pair_by_key(d, e) : pair_rows(d, left[0] < left[1] ? left[0] : left[1], e);
    d->fault = left[0] ? DIFF_EXPECTED : DIFF_ACTUAL;
    if (keys && !check_key(&d->side[d->fault], e))
        return false;
    leave_alone(&d->side[d->fault]);
    return true;
}

bool diff_run(struct diff *d, struct error *e)
{
    const struct diff_side *a = &d->side[DIFF_EXPECTED], *b = &d->side[DIFF_ACTUAL];
    for (bool done = false; !done;)
        if (!next_rows(d, a->key != COLUMN_NONE, &done, e))
            return false;
    for (size_t i = 0; i < d->ncolumn; i++)
        d->agreeing += d->column[i].beyond == 0;
    d->same = d->agreeing == d->all && a->nalone == 0 && b->nalone == 0;
    return true;
}

bool diff_open(struct diff *d, const struct diff_options *options, const struct input_options *input,
               const char *const name[DIFF_SIDES], struct error *e)
{
    struct column_choice choice = { .compare = true };
    d->options = options;
    for (d->fault = 0; d->fault < DIFF_SIDES; d->fault++) {
        struct diff_side *s = &d->side[d->fault];
        s->name = strcmp(name[d->fault], "-") ? name[d->fault] : "(standard input)";
        s->last_key = -INFINITY;
        s->columns = &s->in.reader.columns;
        if (!input_open(&s->in, name[d->fault], input, e) ||
            !columns_select(&s->in.reader.columns, &choice, e))
            return false;
        s->in.reader.lenient = true;
        if (s->in.reader.format->bind && !s->in.reader.format->bind(&s->in.reader, e))
            return false;
    }
    return diff_pair_columns(d, e) && diff_give_tolerances(d, e);
}

void diff_close(struct diff *d)
{
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *s = &d->side[i];
        block_free(&s->block[0]);
        block_free(&s->block[1]);
        free(s->cell.room);
        input_close(&s->in);
    }
    free(d->column);
    free(d->rotation);
}
