/* The first rows of a table as plain arrays, sorted by series. See table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "series/groups.h"
#include "whole/choose_cutoff.h"
#include "whole/kinds/mixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_COLUMNS = 8 /* most columns of labels, and of states, that are looked at */ };

struct reading {
    struct inspect_rows *rows;
    const struct reader *reader;
    const struct table *columns;  /* of the reader */
    struct timestamp first, last; /* the times of the first and of the last row */
    size_t nlabel; /* columns of labels, which may distinguish the series; with --group-by 1, of the groups */
    size_t label_column[LABEL_COLUMNS];
    struct groups groups[LABEL_COLUMNS]; /* [nlabel] a group for each label */
    uint32_t *label;       /* [nlabel][maxrow] the number of the group, in the allocation of rows->value */
    uint32_t *state;       /* [maxrow] likewise: the numbers of a column of states, as labels */
    double *room;          /* [maxrow] likewise: for mixed_by */
    struct cell_text cell; /* the cell that was looked at last; owns its room */
};

/* The numbers of the labels in column k, by row. */
static uint32_t *labels_of(const struct reading *reading, size_t k)
{
    return reading->label + k * reading->rows->maxrow;
}

/* The time of row n of rows without times. */
static double counted_time(const struct reading *reading, size_t n)
{
    const double rate = reading->columns->row_rate;
    return (double)n / (rate > 0 ? rate : 1);
}

/* --- reading --- */

/* Makes the arrays. Columns of text and of marks may distinguish the series. */
static bool open_rows(struct reading *reading, struct error *e)
{
    const struct table *columns = reading->columns;
    struct inspect_rows *rows = reading->rows;
    const size_t nvalue = columns->nvalue + 1, most = INSPECT_NUMBERS / nvalue;
    rows->maxrow = most > INSPECT_ROWS ? INSPECT_ROWS : most + (most == 0);
    rows->nvalue = columns->nvalue;
    rows->grouped = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = columns->time != COLUMN_NONE || columns->row_rate > 0;
    reading->nlabel = columns->ngroup > 0 ? 1 : 0;
    for (size_t i = 0; i < columns->ncolumn && columns->ngroup == 0 && reading->nlabel < LABEL_COLUMNS; i++) {
        const struct column *column = &columns->column[i];
        if ((column->why == why_text || column->why == why_mark) && column->cell != COLUMN_NONE)
            reading->label_column[reading->nlabel++] = i;
    }
    return arrays_make(e, ARRAY(rows->value, rows->maxrow * nvalue), ARRAY(rows->texts, nvalue),
                       ARRAY(rows->time, rows->maxrow), ARRAY(rows->number, rows->maxrow),
                       ARRAY(rows->begins, rows->maxrow),
                       ARRAY(reading->label, rows->maxrow * reading->nlabel),
                       ARRAY(reading->state, rows->maxrow), ARRAY(reading->room, rows->maxrow));
}

/* Takes the time of a row of a block as that of the next row. */
static void take_time(struct reading *reading, const struct block *block, size_t row)
{
    const struct table *columns = reading->columns;
    struct inspect_rows *rows = reading->rows;
    const size_t n = rows->nrow;
    rows->time[n] = counted_time(reading, n);
    rows->number[n] = (uint32_t)n + 1;
    if (columns->time == COLUMN_NONE)
        return;
    struct timestamp now = block->time[row];
    if (columns->form == TIMESTAMP_CLOCK && n > 0)
        timestamp_pass_midnight(&now, &reading->last);
    reading->first = n > 0 ? reading->first : now;
    reading->last = now;
    rows->time[n] = timestamp_between(&reading->first, &now, columns->time_unit);
    rows->whole_times = rows->whole_times && now.t == floor(now.t);
}

/* Takes the blanks around the last cell away. */
static void trim(struct cell_text *cell)
{
    const char blanks[] = " \t";
    for (; cell->n > 0 && strchr(blanks, *cell->text); cell->n--)
        cell->text++;
    while (cell->n > 0 && strchr(blanks, cell->text[cell->n - 1]))
        cell->n--;
}

/* The group of a row by its label in column k. NULL: out of memory. */
static struct group *find_label(struct reading *reading, const struct block *block, size_t row, size_t k)
{
    if (!format_cell_text(reading->reader, block, row, reading->label_column[k], &reading->cell))
        return NULL;
    trim(&reading->cell);
    return groups_get(&reading->groups[k], reading->cell.n > 0 ? reading->cell.text : "", reading->cell.n);
}

static bool take_labels(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    for (size_t k = 0; k < reading->nlabel; k++) {
        const struct group *group = reading->columns->ngroup > 0
                                        ? groups_find(&reading->groups[k], reading->reader, block, row, e)
                                        : find_label(reading, block, row, k);
        if (!group)
            return error_memory(e);
        labels_of(reading, k)[reading->rows->nrow] = (uint32_t)group->number;
    }
    return true;
}

/* Counts a cell of row `number` without a number if it holds a text. */
static bool take_text(struct reading *reading, const struct block *block, size_t row, size_t column,
                      size_t number, struct error *e)
{
    struct inspect_texts *texts = &reading->rows->texts[reading->columns->column[column].value];
    char shown[sizeof texts->first];
    if (!format_cell_text(reading->reader, block, row, column, &reading->cell))
        return error_memory(e);
    trim(&reading->cell);
    const char *text = reading->cell.text;
    const size_t n = reading->cell.n;
    if (n == 0 || format_gap(reading->reader, text, n) || reading->reader->options->bad_rows == BAD_ROWS_SKIP)
        return true;
    error_escape(text, n, shown, sizeof shown);
    if (texts->n++ == 0) {
        memcpy(texts->first, shown, sizeof shown);
        texts->row = number;
    }
    return true;
}

/* Takes the numbers of a block's first n rows as those from row `first` on. */
static bool take_values(struct reading *reading, const struct block *block, size_t first, size_t n,
                        struct error *e)
{
    for (size_t i = 0; n > 0 && i < reading->columns->ncolumn; i++) {
        const size_t k = reading->columns->column[i].value;
        if (k == COLUMN_NONE)
            continue;
        const double *from = block_value(block, k);
        double *to = inspect_value(reading->rows, k) + first;
        for (size_t row = 0; row < n; row++) {
            to[row] = isfinite(from[row]) ? from[row] : (double)NAN;
            if (!isfinite(from[row]) && !take_text(reading, block, row, i, first + row + 1, e))
                return false;
        }
    }
    return true;
}

static bool read_blocks(struct reading *reading, struct input *in, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    struct block block = { 0 };
    enum loaded loaded = LOAD_ROWS;
    bool good = true;
    size_t taken = 0;
    while (good && loaded == LOAD_ROWS && taken == block.nrow) {
        const size_t first = rows->nrow;
        loaded = input_load(in, &block, e);
        const bool parsed = loaded == LOAD_ROWS || block.error.kind != ERROR_NONE;
        if (parsed && !block_leave_out(&block, e))
            return block_free(&block), false;
        reading->groups[0].last = NULL;
        for (taken = 0; parsed && good && taken < block.nrow && rows->nrow < rows->maxrow; taken++) {
            take_time(reading, &block, taken);
            good = take_labels(reading, &block, taken, e);
            rows->nrow += good;
        }
        good = take_values(reading, &block, first, taken, good ? e : &(struct error){ 0 }) && good;
    }
    rows->whole = loaded == LOAD_END;
    block_free(&block);
    return good && loaded != LOAD_ERROR;
}

/* --- series --- */

/* Sorts the rows by label; rows with the same label stay in order. */
static bool sort_rows(struct inspect_rows *rows, const uint32_t *label, size_t nlabel, struct error *e)
{
    const size_t n = rows->nrow;
    size_t *place, *start;
    double *copy;
    if (!arrays_make(e, ARRAY(place, n + 1), ARRAY(copy, n + 1), ARRAY(start, nlabel + 1)))
        return false;
    for (size_t i = 0; i < n; i++)
        start[label[i] + 1]++;
    for (size_t k = 0; k < nlabel; k++)
        start[k + 1] += start[k];
    for (size_t k = 0; k < nlabel; k++)
        rows->begins[start[k]] = true;
    for (size_t i = 0; i < n; i++)
        place[i] = start[label[i]]++;
    for (size_t k = 0; k <= rows->nvalue; k++) {
        double *column = k < rows->nvalue ? inspect_value(rows, k) : rows->time;
        memcpy(copy, column, n * sizeof *copy);
        for (size_t i = 0; i < n; i++)
            column[place[i]] = copy[i];
    }
    for (size_t i = 0; i < n; i++)
        rows->number[place[i]] = (uint32_t)i + 1;
    rows->nseries = nlabel;
    free(place);
    return true;
}

/* Which column of labels distinguishes the series, of several the one with the most labels: a device rather
 * than its version. nlabel: none does. */
static size_t find_mixed(const struct reading *reading)
{
    const struct inspect_rows *rows = reading->rows;
    size_t most = 0, found = reading->nlabel;
    for (size_t k = 0; k < reading->nlabel; k++) {
        const size_t nlabel = reading->groups[k].ngroup;
        if (nlabel > most && mixed_by(rows->time, labels_of(reading, k), rows->nrow, nlabel, reading->room)) {
            most = nlabel;
            found = k;
        }
    }
    return found;
}

/* Sorts the rows by the groups of --group-by, or by the column that distinguishes mixed series. Rows without
 * times are numbered in each series. */
static bool find_series(struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const bool given = reading->columns->ngroup > 0;
    const size_t k = given ? 0 : find_mixed(reading);
    size_t first = 0;
    memset(rows->begins, false, rows->nrow * sizeof *rows->begins);
    if (k == reading->nlabel)
        return true;
    rows->grouped = given ? COLUMN_NONE : reading->label_column[k];
    if (!sort_rows(rows, labels_of(reading, k), reading->groups[k].ngroup, e))
        return false;
    for (size_t i = 0; i < rows->nrow && reading->columns->time == COLUMN_NONE; i++) {
        first = rows->begins[i] ? i : first;
        rows->time[i] = counted_time(reading, i - first);
    }
    return true;
}

/* Finds the channel that jumps where the label in a column changes: the rows may be those of joined takes,
 * or, where a tenth of them changes, those of series that alternate. */
static void find_jumps(const struct reading *reading, const uint32_t *label, size_t column)
{
    struct inspect_rows *rows = reading->rows;
    const bool often = 10 * mixed_changes(label, rows->nrow) > rows->nrow;
    for (size_t c = 0; c < reading->columns->nchannel && rows->joined_row == 0; c++) {
        const bool other = column != reading->columns->channel[c];
        rows->joined = column;
        rows->joined_row = other ? mixed_seam(inspect_value(rows, c), label, rows->nrow) : 0;
        rows->alternate = rows->joined_row > 0 && often;
    }
}

/* Looks for jumps where a label changes, or a state, which may be the number of a take; states beyond 1e9 are
 * one. */
static void find_joined(const struct reading *reading)
{
    const struct inspect_rows *rows = reading->rows;
    for (size_t k = 0; k < reading->nlabel; k++)
        find_jumps(reading, labels_of(reading, k), reading->label_column[k]);
    size_t nstate = 0;
    for (size_t c = 0; c < reading->columns->nchannel && nstate < LABEL_COLUMNS; c++) {
        const double *x = inspect_value(rows, c);
        if (!choose_are_states(x, rows->nrow))
            continue;
        nstate++;
        for (size_t i = 0; i < rows->nrow; i++)
            reading->state[i] = (uint32_t)(int64_t)fmax(-1e9, fmin(x[i], 1e9));
        find_jumps(reading, reading->state, reading->columns->channel[c]);
    }
}

/* Where time goes backward, a series begins. */
static void find_backward(struct inspect_rows *rows)
{
    for (size_t i = 0; i < rows->nrow; i++) {
        const bool first = i == 0 || rows->begins[i], backward = !first && rows->time[i] < rows->time[i - 1];
        rows->begins[i] = first || backward;
        if (backward && rows->nbackward++ == 0)
            rows->backward_row = rows->number[i];
    }
}

/* --bad-rows skip: a row whose time is before that of an earlier row has no values. */
static void hide_late(struct inspect_rows *rows)
{
    for (size_t i = 1; i < rows->nrow; i++) {
        const bool late = !rows->begins[i] && rows->time[i] < rows->time[i - 1];
        rows->time[i] = late ? rows->time[i - 1] : rows->time[i];
        for (size_t k = 0; late && k < rows->nvalue; k++)
            inspect_value(rows, k)[i] = (double)NAN;
    }
}

bool inspect_rows_read(struct inspect_rows *rows, struct input *in, struct error *e)
{
    struct reading reading = { .rows = rows, .reader = &in->reader, .columns = &in->reader.table };
    const bool skips = in->reader.options->bad_rows == BAD_ROWS_SKIP;
    struct error ignored;
    bool good = open_rows(&reading, e);
    if (good) {
        good = read_blocks(&reading, in, e);
        if (skips && reading.columns->ngroup == 0)
            hide_late(rows);
        good = find_series(&reading, good ? e : &ignored) && good;
        if (skips)
            hide_late(rows);
        find_backward(rows);
        if (rows->nseries == 1 && reading.columns->ngroup == 0)
            find_joined(&reading);
    }
    for (size_t k = 0; k < reading.nlabel; k++)
        groups_free(&reading.groups[k]);
    free(reading.cell.room);
    return good;
}
