/* The first rows of a table as plain arrays, sorted by series. See table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "series/groups.h"
#include "whole/kinds/mixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct inspect_rows *rows;
    const struct reader *reader;
    const struct table *columns;        /* of the reader */
    struct timestamp first, last;       /* the times of the first and of the last row */
    struct groups groups;               /* of --group-by */
    struct mixed mixed;                 /* without --group-by: columns that may distinguish the series */
    size_t mixed_column[MIXED_COLUMNS]; /* [mixed.ncolumn] */
    uint32_t *label[MIXED_COLUMNS];     /* [mixed.ncolumn][maxrow] the number of the text in each row; with
                                           --group-by label[0] the number of the group; owned */
    struct cell_text cell;              /* the cell that was looked at last; owns its room */
};

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
    struct mixed *mixed = &reading->mixed;
    const size_t nvalue = columns->nvalue + 1, most = INSPECT_NUMBERS / nvalue;
    rows->maxrow = most > INSPECT_ROWS ? INSPECT_ROWS : most;
    rows->maxrow = most < INSPECT_LEAST_ROWS ? INSPECT_LEAST_ROWS : rows->maxrow;
    rows->nvalue = columns->nvalue;
    rows->grouped = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = columns->time != COLUMN_NONE || columns->row_rate > 0;
    for (size_t i = 0; i < columns->ncolumn && columns->ngroup == 0 && mixed->ncolumn < MIXED_COLUMNS; i++) {
        const struct column *column = &columns->column[i];
        if ((column->why == why_text || column->why == why_mark) && column->cell != COLUMN_NONE)
            reading->mixed_column[mixed->ncolumn++] = i;
    }
    /* Zeroing room for the most rows would be most of the time of a small table. */
    rows->value = malloc(rows->maxrow * nvalue * sizeof *rows->value);
    rows->texts = calloc(nvalue, sizeof *rows->texts);
    rows->time = malloc(rows->maxrow * sizeof *rows->time);
    rows->number = malloc(rows->maxrow * sizeof *rows->number);
    rows->begins = malloc(rows->maxrow * sizeof *rows->begins);
    bool good = rows->value && rows->texts && rows->time && rows->number && rows->begins;
    for (size_t k = 0; k < MIXED_COLUMNS && (k < mixed->ncolumn || k < columns->ngroup); k++) {
        reading->label[k] = malloc(rows->maxrow * sizeof *reading->label[k]);
        good = good && reading->label[k];
    }
    return good || error_memory(e);
}

/* The error of a row whose time is no number. */
static bool refuse_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const size_t time = reading->columns->time;
    if (!format_cell_text(reading->reader, block, row, time, &reading->cell))
        return error_memory(e);
    error_data(e, reading->cell.n > 0 ? "the time is not a number" : "the time is missing");
    error_column(e, reading->columns->column[time].name);
    if (reading->cell.n > 0)
        error_excerpt(e, reading->cell.text, reading->cell.n);
    if (block->nline > 0)
        error_place(e, block->firstline - 1 + block_line(block, row));
    return false;
}

/* Takes the time of a row of a block as that of the next row. */
static bool take_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct table *columns = reading->columns;
    struct inspect_rows *rows = reading->rows;
    const size_t n = rows->nrow;
    rows->time[n] = counted_time(reading, n);
    rows->number[n] = (uint32_t)n + 1;
    if (columns->time == COLUMN_NONE)
        return true;
    struct timestamp now = block->time[row];
    if (isnan(now.t))
        return refuse_time(reading, block, row, e);
    if (columns->form == TIMESTAMP_CLOCK && n > 0)
        timestamp_pass_midnight(&now, &reading->last);
    reading->first = n > 0 ? reading->first : now;
    reading->last = now;
    rows->time[n] = timestamp_between(&reading->first, &now, columns->time_unit);
    rows->whole_times = rows->whole_times && now.t == floor(now.t);
    return true;
}

/* Takes the labels of the next row, whose time is taken. */
static bool take_labels(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const size_t n = reading->rows->nrow;
    uint64_t label[MIXED_COLUMNS] = { 0 };
    if (reading->columns->ngroup > 0) {
        const struct group *group = groups_find(&reading->groups, reading->reader, block, row, e);
        if (group)
            reading->label[0][n] = (uint32_t)group->number;
        return group != NULL;
    }
    for (size_t k = 0; k < reading->mixed.ncolumn; k++) {
        if (!format_cell_text(reading->reader, block, row, reading->mixed_column[k], &reading->cell))
            return error_memory(e);
        label[k] = mixed_label(reading->cell.text, reading->cell.n);
    }
    if (!mixed_take(&reading->mixed, reading->rows->time[n], label, e))
        return false;
    for (size_t k = 0; k < reading->mixed.ncolumn; k++)
        reading->label[k][n] = reading->mixed.column[k].now;
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
    const char *text = reading->cell.text;
    size_t n = text ? reading->cell.n : 0;
    for (; n > 0 && (*text == ' ' || *text == '\t'); n--)
        text++;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (n == 0 || format_gap(reading->reader, text, n))
        return true;
    error_escape(text, n, shown, sizeof shown);
    if (texts->n++ == 0) {
        memcpy(texts->first, shown, sizeof shown);
        texts->row = number;
        texts->differ = n >= sizeof shown;
    }
    texts->differ = texts->differ || strcmp(texts->first, shown) != 0;
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
        reading->groups.last = NULL;
        for (taken = 0; loaded == LOAD_ROWS && taken < block.nrow && rows->nrow < rows->maxrow; taken++) {
            good = take_time(reading, &block, taken, e) && take_labels(reading, &block, taken, e);
            if (!good)
                break;
            rows->nrow++;
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

/* Sorts the rows by the groups of --group-by, or by the column that distinguishes mixed series. Rows without
 * times are numbered in each series. */
static bool find_series(struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const bool given = reading->columns->ngroup > 0;
    const size_t k = given ? 0 : mixed_judge(&reading->mixed);
    size_t first = 0;
    memset(rows->begins, false, rows->nrow * sizeof *rows->begins);
    if (k == MIXED_COLUMNS)
        return true;
    rows->grouped = given ? COLUMN_NONE : reading->mixed_column[k];
    if (!sort_rows(rows, reading->label[k], given ? reading->groups.ngroup : reading->mixed.column[k].nlabel,
                   e))
        return false;
    for (size_t i = 0; i < rows->nrow && reading->columns->time == COLUMN_NONE; i++) {
        first = rows->begins[i] ? i : first;
        rows->time[i] = counted_time(reading, i - first);
    }
    return true;
}

bool inspect_rows_read(struct inspect_rows *rows, struct input *in, struct error *e)
{
    struct reading reading = { .rows = rows, .reader = &in->reader, .columns = &in->reader.table };
    struct error ignored;
    bool good = open_rows(&reading, e);
    if (good) {
        good = read_blocks(&reading, in, e);
        good = find_series(&reading, good ? e : &ignored) && good;
        for (size_t i = 0; i < rows->nrow; i++)
            rows->begins[i] = rows->begins[i] || i == 0 || rows->time[i] < rows->time[i - 1];
    }
    for (size_t k = 0; k < MIXED_COLUMNS; k++)
        free(reading.label[k]);
    mixed_free(&reading.mixed);
    groups_free(&reading.groups);
    free(reading.cell.room);
    return good;
}

void inspect_rows_free(struct inspect_rows *rows)
{
    free(rows->value);
    free(rows->texts);
    free(rows->time);
    free(rows->number);
    free(rows->begins);
}
