/* Two series side by side: reads them in step and pairs their rows. See diff.h.
 *
 * Rows pair by order, or by ascending keys as in a merge: keys within the tolerance pair, else the row with
 * the smaller key is alone. */
#include "compare/diff.h"

#include "base/port.h"
#include "io/source.h"

#include <math.h>
#include <stdlib.h>

/* If the block has no row left, loads the next block. */
static bool find_row(struct diff_side *side, struct error *e)
{
    enum loaded loaded = LOAD_ROWS;
    while (loaded == LOAD_ROWS && side->row == side->block.nrow && !side->ended) {
        side->nrow += side->block.nrow;
        side->block.nrow = side->row = 0;
        loaded = input_load(&side->in, &side->block, e);
        side->ended = loaded == LOAD_END;
    }
    return loaded != LOAD_ERROR;
}

/* Moves past n > 0 rows of the current block. */
static void advance(struct diff_side *side, size_t n)
{
    side->last_key = diff_number(side, side->key, n - 1);
    side->row += n;
}

/* Counts the current row as a row without a partner. */
static void leave_alone(struct diff_side *side)
{
    if (side->nalone++ == 0) {
        side->alone = side->nrow + side->row + 1;
        side->alone_key = diff_number(side, side->shown, 0);
    }
    advance(side, 1);
}

/* Checks that the current row of a side has a key, and that the key is not less than the key before. */
static bool check_key(struct diff *diff, int number, struct error *e)
{
    const struct diff_side *side = &diff->side[number];
    double key = diff_number(side, side->key, 0);
    if (isnan(key))
        error_data(e, "row %llu has no key", (unsigned long long)(side->nrow + side->row + 1));
    else if (key < side->last_key)
        error_data(e, "keys go backward: %.15g after %.15g", key, side->last_key);
    else
        return true;
    error_hint(e, "sort the rows by key, or leave out --key to pair rows in order");
    error_column(e, side->table->column[side->key].name);
    error_place(e, diff_line(side, 0));
    diff->fault = number;
    return false;
}

/* Compares n rows in all pairs of columns. A pair with its columns in neither current block is a gap on both
 * sides in each row. */
static void compare_columns(struct diff *diff, size_t n)
{
    for (size_t i = 0; i < diff->ncolumn; i++) {
        const size_t *column = diff->column[i].column;
        if (block_has_column(&diff->side[DIFF_EXPECTED].block, column[DIFF_EXPECTED]) ||
            block_has_column(&diff->side[DIFF_ACTUAL].block, column[DIFF_ACTUAL]))
            diff_compare(diff, &diff->column[i], n);
    }
}

static bool pair_rows(struct diff *diff, size_t n, struct error *e)
{
    compare_columns(diff, n);
    diff->compared += n;
    for (int i = 0; i < DIFF_SIDES; i++)
        advance(&diff->side[i], n);
    return !diff->failed || error_memory(e);
}

/* Pairs the current rows if the keys agree; otherwise the row with the smaller key is alone. */
static bool pair_by_key(struct diff *diff, struct error *e)
{
    size_t column[DIFF_SIDES];
    double key[DIFF_SIDES];
    for (int i = 0; i < DIFF_SIDES; i++) {
        if (!check_key(diff, i, e))
            return false;
        column[i] = diff->side[i].key;
        key[i] = diff_number(&diff->side[i], column[i], 0);
    }
    if (diff_times_agree(diff, column, key, diff->key_abs, 0))
        return pair_rows(diff, 1, e);
    leave_alone(&diff->side[key[0] < key[1] ? DIFF_EXPECTED : DIFF_ACTUAL]);
    return true;
}

/* Pairs rows, or leaves a row alone. *done: both sides are at their ends. */
static bool next_rows(struct diff *diff, bool keys, bool *done, struct error *e)
{
    size_t left[DIFF_SIDES]; /* in the blocks */
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        diff->fault = i;
        if (!find_row(side, e))
            return false;
        left[i] = side->block.nrow - side->row;
    }
    diff->fault = DIFF_SIDES;
    *done = left[0] == 0 && left[1] == 0;
    if (*done)
        return true;
    if (left[0] && left[1]) {
        size_t in_both = left[0] < left[1] ? left[0] : left[1];
        return keys ? pair_by_key(diff, e) : pair_rows(diff, in_both, e);
    }
    int remaining = left[0] ? DIFF_EXPECTED : DIFF_ACTUAL;
    if (keys && !check_key(diff, remaining, e))
        return false;
    leave_alone(&diff->side[remaining]);
    return true;
}

bool diff_run(struct diff *diff, struct error *e)
{
    const struct diff_side *a = &diff->side[DIFF_EXPECTED], *b = &diff->side[DIFF_ACTUAL];
    for (bool done = diff->no_series; !done;)
        if (!next_rows(diff, a->key != COLUMN_NONE, &done, e))
            return false;
    for (size_t i = 0; i < diff->ncolumn; i++)
        diff->agreeing += diff->column[i].beyond == 0;
    diff->same = diff->agreeing == diff->ntotal && a->nalone == 0 && b->nalone == 0;
    return true;
}

/* True if two regular files hold the same bytes. False: also files that cannot be read. */
static bool same_bytes(const char *const name[DIFF_SIDES])
{
    enum { PIECE = 1 << 14 };
    struct source source[DIFF_SIDES] = { { .fd = -1 }, { .fd = -1 } };
    char piece[DIFF_SIDES][PIECE];
    size_t n[DIFF_SIDES] = { 1, 1 };
    struct port_status st;
    struct error ignored;
    bool same = true;
    for (int i = 0; same && i < DIFF_SIDES; i++)
        same = port_status_of(name[i], &st) == 0 && st.kind == PORT_REGULAR &&
               source_open(&source[i], name[i], &ignored);
    while (same && n[0] > 0) {
        for (int i = 0; i < DIFF_SIDES; i++) {
            source[i].whole = true;
            same = same && source_read(&source[i], piece[i], PIECE, &n[i], &ignored);
        }
        same = same && n[0] == n[1] && memcmp(piece[0], piece[1], n[0]) == 0;
    }
    source_close(&source[0]);
    source_close(&source[1]);
    return same;
}

static bool open_sides(struct diff *diff, const struct input_options *input,
                       const char *const name[DIFF_SIDES], struct error *e)
{
    struct column_choice choice = { .compare = true };
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        diff->fault = i;
        struct reader *reader = &side->in.reader;
        if (!input_open(&side->in, name[i], input, e) || !table_plan(&reader->table, &choice, e))
            return false;
        reader->lenient = true;
        reader->table.uses = diff->options->uses;
        if (!reader_bind(reader, e))
            return false;
    }
    return true;
}

bool diff_open(struct diff *diff, const struct diff_options *options, const struct input_options *input,
               const char *const name[DIFF_SIDES], struct error *e)
{
    diff->options = options;
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        side->name = source_shown(name[i]);
        side->last_key = -INFINITY;
        side->table = &side->in.reader.table;
    }
    if (open_sides(diff, input, name, e))
        return diff_pair_columns(diff, e) && diff_give_tolerances(diff, e);
    diff->no_series = e->unfilterable && same_bytes(name);
    return diff->no_series;
}

void diff_close(struct diff *diff)
{
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        block_free(&side->block);
        free(side->cell.room);
        input_close(&side->in);
    }
    free(diff->column);
    free(diff->rotation);
}
