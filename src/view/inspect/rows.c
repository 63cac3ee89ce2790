/* The first rows of a table as plain arrays, sorted by series. See table.h. */
#include "view/inspect/table.h"

#include "series/groups.h"
#include "whole/kinds/mixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct inspect_rows *rows;
    struct input *in;
    double rate;                        /* rows per second where rows have no times; 0: not known */
    struct timestamp first, last;       /* the times of the first and of the last row */
    size_t *column;                     /* [nvalue] the column of each column of numbers; owned */
    struct groups groups;               /* of --group-by */
    struct mixed mixed;                 /* without --group-by: columns that may distinguish the series */
    size_t mixed_column[MIXED_COLUMNS]; /* [mixed.ncolumn] */
    uint32_t *label[MIXED_COLUMNS];     /* [mixed.ncolumn][maxrow] the number of the text in each row; with
                                           --group-by     label[0] the number of the group; owned */
    struct cell_text cell;              /* the cell that was looked at last; owns its room */
};

/* --- reading --- */

/* Lists the columns of text and of marks, which may distinguish the series. */
static bool open_labels(struct reading *reading, struct error *e)
{
    const struct table *columns = &reading->in->reader.table;
    size_t n = 0;
    for (size_t i = 0; i < columns->ncolumn && n < MIXED_COLUMNS && columns->ngroup == 0; i++) {
        const struct column *column = &columns->column[i];
        if ((column->why == why_text || column->why == why_mark) && column->cell != COLUMN_NONE)
            reading->mixed_column[n++] = i;
    }
    reading->mixed.ncolumn = n;
    for (size_t k = 0; k < n || (k == 0 && columns->ngroup > 0); k++) {
        reading->label[k] = malloc(reading->rows->maxrow * sizeof *reading->label[k]);
        if (!reading->label[k])
            return error_memory(e);
    }
    return true;
}

static bool open_rows(struct reading *reading, struct error *e)
{
    const struct table *columns = &reading->in->reader.table;
    struct inspect_rows *rows = reading->rows;
    size_t most = INSPECT_NUMBERS / (columns->nvalue + 1);
    most = most > INSPECT_ROWS ? INSPECT_ROWS : most;
    rows->maxrow = most < INSPECT_LEAST_ROWS ? INSPECT_LEAST_ROWS : most;
    rows->nvalue = columns->nvalue;
    rows->grouped = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = columns->time != COLUMN_NONE || reading->rate > 0;
    /* Zeroing room for the most rows would be most of the time of a small table. */
    rows->value = malloc(rows->maxrow * (columns->nvalue + 1) * sizeof *rows->value);
    rows->texts = calloc(columns->nvalue + 1, sizeof *rows->texts);
    rows->time = malloc(rows->maxrow * sizeof *rows->time);
    rows->number = malloc(rows->maxrow * sizeof *rows->number);
    rows->begins = malloc(rows->maxrow * sizeof *rows->begins);
    reading->column = calloc(columns->nvalue + 1, sizeof *reading->column);
    if (!rows->value || !rows->texts || !rows->time || !rows->number || !rows->begins || !reading->column)
        return error_memory(e);
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (table_column(columns, i)->value != COLUMN_NONE)
            reading->column[table_column(columns, i)->value] = i;
    return open_labels(reading, e);
}

/* The error of a row whose time is no number. */
static bool refuse_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct table *columns = &reading->in->reader.table;
    if (!format_cell_text(&reading->in->reader, block, row, columns->time, &reading->cell))
        return error_memory(e);
    error_data(e, reading->cell.n > 0 ? "the time is not a number" : "the time is missing");
    error_column(e, table_column(columns, columns->time)->name);
    if (reading->cell.n > 0)
        error_excerpt(e, reading->cell.text, reading->cell.n);
    if (block->nline > 0)
        error_place(e, block->firstline - 1 + block_line(block, row));
    return false;
}

/* Sets the time of the next row from a row of a block. */
static bool take_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct table *columns = &reading->in->reader.table;
    struct inspect_rows *rows = reading->rows;
    if (columns->time == COLUMN_NONE) {
        rows->time[rows->nrow] = (double)rows->nrow / (reading->rate > 0 ? reading->rate : 1);
        return true;
    }
    struct timestamp now = block->time[row];
    if (isnan(now.t))
        return refuse_time(reading, block, row, e);
    if (columns->form == TIMESTAMP_CLOCK && rows->nrow > 0)
        timestamp_pass_midnight(&now, &reading->last);
    if (rows->nrow == 0)
        reading->first = now;
    reading->last = now;
    rows->time[rows->nrow] = timestamp_between(&reading->first, &now, columns->time_unit);
    rows->whole_times = rows->whole_times && now.t == floor(now.t);
    return true;
}

/* Takes a cell that holds no number: counts the cell if it holds a text. */
static void take_missing(const struct reading *reading, const struct cell_text *cell,
                         struct inspect_texts *texts)
{
    const char *text = cell->text;
    size_t n = cell->n;
    if (!text)
        return;
    for (; n > 0 && (*text == ' ' || *text == '\t'); n--)
        text++;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (format_gap(&reading->in->reader, text, n))
        return;
    char shown[sizeof texts->first];
    error_escape(text, n, shown, sizeof shown);
    if (texts->n++ == 0) {
        memcpy(texts->first, shown, sizeof shown);
        texts->row = reading->rows->nrow + 1;
        texts->differ = n >= sizeof shown;
    } else if (strcmp(texts->first, shown) != 0) {
        texts->differ = true;
    }
}

/* Takes a number of the next row. */
static bool take_value(struct reading *reading, const struct block *block, size_t row, size_t k,
                       struct error *e)
{
    const double x = block_value(block, k)[row];
    inspect_value(reading->rows, k)[reading->rows->nrow] = isfinite(x) ? x : (double)NAN;
    if (isfinite(x))
        return true;
    if (!format_cell_text(&reading->in->reader, block, row, reading->column[k], &reading->cell))
        return error_memory(e);
    take_missing(reading, &reading->cell, &reading->rows->texts[k]);
    return true;
}

/* Takes the labels of the next row, whose time and values are taken. */
static bool take_labels(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct inspect_rows *rows = reading->rows;
    const struct reader *reader = &reading->in->reader;
    uint64_t label[MIXED_COLUMNS] = { 0 };
    if (reader->table.ngroup > 0) {
        const struct group *group = groups_find(&reading->groups, reader, block, row, e);
        if (group)
            reading->label[0][rows->nrow] = (uint32_t)group->number;
        return group != NULL;
    }
    for (size_t k = 0; k < reading->mixed.ncolumn; k++) {
        if (!format_cell_text(reader, block, row, reading->mixed_column[k], &reading->cell))
            return error_memory(e);
        label[k] = mixed_label(reading->cell.text, reading->cell.n);
    }
    if (!mixed_take(&reading->mixed, rows->time[rows->nrow], label, e))
        return false;
    for (size_t k = 0; k < reading->mixed.ncolumn; k++)
        reading->label[k][rows->nrow] = reading->mixed.column[k].now;
    return true;
}

static bool take_row(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    if (!take_time(reading, block, row, e))
        return false;
    for (size_t k = 0; k < rows->nvalue; k++)
        if (!take_value(reading, block, row, k, e))
            return false;
    if (!take_labels(reading, block, row, e))
        return false;
    rows->number[rows->nrow] = (uint32_t)rows->nrow + 1;
    rows->nrow++;
    return true;
}

static bool read_blocks(struct reading *reading, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ROWS;
    bool good = true;
    size_t taken = 0;
    do {
        loaded = input_load(reading->in, &block, e);
        reading->groups.last = NULL;
        for (taken = 0; loaded == LOAD_ROWS && good && taken < block.nrow; taken++) {
            if (reading->rows->nrow == reading->rows->maxrow)
                break;
            good = take_row(reading, &block, taken, e);
        }
    } while (good && loaded == LOAD_ROWS && taken == block.nrow);
    reading->rows->whole = loaded == LOAD_END;
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

/* Rows without times are numbered in each series. */
static void number_series(struct inspect_rows *rows, double rate)
{
    size_t first = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        first = rows->begins[i] ? i : first;
        rows->time[i] = (double)(i - first) / (rate > 0 ? rate : 1);
    }
}

/* Sorts the rows by the groups of --group-by, or by the column that distinguishes mixed series. */
static bool find_series(struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const bool given = reading->in->reader.table.ngroup > 0;
    const size_t k = given ? 0 : mixed_judge(&reading->mixed);
    if (k == MIXED_COLUMNS)
        return true;
    rows->grouped = given ? COLUMN_NONE : reading->mixed_column[k];
    const size_t nlabel = given ? reading->groups.ngroup : reading->mixed.column[k].nlabel;
    if (!sort_rows(rows, reading->label[k], nlabel, e))
        return false;
    if (reading->in->reader.table.time == COLUMN_NONE)
        number_series(rows, reading->rate);
    return true;
}

bool inspect_rows_read(struct inspect_rows *rows, struct input *in, double rate, struct error *e)
{
    struct reading reading = { .rows = rows, .in = in, .rate = rate };
    struct error ignored;
    bool good = open_rows(&reading, e);
    if (good) {
        good = read_blocks(&reading, e);
        for (size_t i = 0; i < rows->nrow; i++)
            rows->begins[i] = false;
        if (!find_series(&reading, good ? e : &ignored))
            good = false;
    }
    for (size_t i = 0; rows->begins && i < rows->nrow; i++)
        rows->begins[i] = rows->begins[i] || i == 0 || rows->time[i] < rows->time[i - 1];
    for (size_t k = 0; k < MIXED_COLUMNS; k++)
        free(reading.label[k]);
    mixed_free(&reading.mixed);
    groups_free(&reading.groups);
    free(reading.column);
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
    *rows = (struct inspect_rows){ 0 };
}
