/* Writing motion capture. Rows of the same format are written as the text of the input with numbers in place
 * of cells, below the input's header. Rows of other formats are composed: the time and a number per column,
 * between tabs. The header holds the number of rows, so composed rows wait in a temporary file until the
 * number of rows is known. */
#include "formats/motion/motion.h"

#include <math.h>
#include <stdlib.h>

/* --- the header --- */

void motion_put_added_names(const struct writer *writer, struct text *text)
{
    const struct motion_writer *motion_writer = writer->state;
    for (size_t i = 0; i < writer->layout->nadded; i++)
        text_put(text, "%c%s", motion_writer->csv.delimiter, writer->layout->added[i].name);
}

/* Puts the header of the input with the names of added columns and the new number of columns; after
 * --resample with the new number of rows and the new rate; for joined inputs with the number of all rows. */
static bool put_input_head(const struct writer *writer, struct text *text, struct error *e)
{
    const struct motion_writer *motion_writer = writer->state;
    const struct motion *motion = writer->reader->state;
    uint64_t ncolumn = writer->reader->columns.ncolumn + writer->layout->nadded;
    size_t from = 0;
    (void)e;
    for (size_t at = 0; at <= motion->csv.nhead; at++)
        for (unsigned f = 0; f < MOTION_NFIELD; f++) {
            bool changed = f > MOTION_COLUMNS ? writer->resampled : writer->layout->nadded > 0;
            changed |= f == MOTION_ROWS && writer->reader->joined;
            if (!changed || motion->field[f].at != at || (f != MOTION_NAMES && motion->field[f].n == 0))
                continue;
            text_add(text, motion->csv.head + from, at - from);
            from = at + motion->field[f].n;
            if (f == MOTION_NAMES)
                motion_put_added_names(writer, text);
            else if (f == MOTION_RATE)
                text_number(text, motion->seconds > 0 ? 1 / writer->rate : writer->rate, &number_shortest);
            else
                text_put(text, "%llu",
                         (unsigned long long)(f == MOTION_ROWS ? motion_writer->nrow : ncolumn));
        }
    text_add(text, motion->csv.head + from, motion->csv.nhead - from);
    return true;
}

static bool put_head(const struct writer *writer, struct block *block, struct error *e)
{
    const struct motion_writer *motion_writer = writer->state;
    struct text head = { 0 };
    bool good = motion_writer->csv.same ? put_input_head(writer, &head, e)
                                        : motion_writer->kind->put_head(writer, &head, e);
    if (good && (head.failed || !block_put(block, head.bytes, head.n)))
        good = error_memory(e);
    free(head.bytes);
    return good;
}

/* --- what can be written --- */

/* Lists the columns of composed rows. An error if the rows have no time, or are not a single series of
 * numbers. */
static bool list_columns(struct writer *writer, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    const struct columns *columns = &writer->reader->columns;
    const struct column_plan *plan = writer->reader->plan;
    motion_writer->column = malloc((columns->ncolumn + 1) * sizeof *motion_writer->column);
    if (!motion_writer->column)
        return error_memory(e);
    if (plan->time == COLUMN_NONE && motion_rate(writer) == 0) {
        error_data(e, "this format needs times, but the input has none");
        return error_hint(e, "name the time column with -t");
    }
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        const struct column_use *use = plan_use(plan, i);
        if (use->role == ROLE_TIME || (i == plan->unused_time && use->role == ROLE_PASS))
            continue;
        /* A format with frame numbers takes a column of row numbers unfiltered as frame numbers, even if the
         * column is a channel. Other formats leave out the frame numbers of the input. */
        if ((motion_writer->kind->framed || column->frame) && columns_counts_rows(column)) {
            motion_writer->frame = motion_writer->frame == COLUMN_NONE ? i : motion_writer->frame;
            continue;
        }
        if (!format_takes_numbers(writer->format->name, plan, i, e))
            return false;
        if (strpbrk(column->name, "\t\r\n")) {
            error_data(e, "%s cannot hold this name", writer->format->name);
            error_column(e, column->name);
            return error_hint(e, "use --to csv or --to json, or remove the column from the input");
        }
        motion_writer->column[motion_writer->ncolumn++] = i;
    }
    return true;
}

double motion_rate(const struct writer *writer)
{
    const struct motion_writer *motion_writer = writer->state;
    if (writer->rate > 0 || writer->reader->plan->rate > 0)
        return writer->rate > 0 ? writer->rate : writer->reader->plan->rate;
    double elapsed = motion_writer->nrow > 1 ? timestamp_between(&motion_writer->first, &motion_writer->last,
                                                                 writer->reader->plan->unit)
                                             : 0;
    return elapsed > 0 ? (double)(motion_writer->nrow - 1) / elapsed : 0;
}

/* --- composed rows --- */

/* Puts an unfiltered cell of the input with the same text; a number with a decimal comma, or a time in
 * another unit than seconds, is printed anew. */
static bool put_text(const struct writer *writer, struct block *block, size_t row, size_t column,
                     const struct cell_text *cell)
{
    const struct csv_writer *csv_writer = writer->state;
    const struct reader *reader = writer->reader;
    struct time_unit unit = column == reader->plan->time ? reader->plan->unit : (struct time_unit){ 0 };
    char point = reader_point(reader);
    struct timestamp s;
    if (!cell->text || format_gap(reader->options, cell->text, cell->n))
        return block_put(block, csv_writer->splice.gap, strlen(csv_writer->splice.gap));
    const char *end = cell->text + cell->n;
    if (number_read_decimal(cell->text, end, point, &s.t, &s.decimal) == end && isfinite(s.t)) {
        bool same = unit.exp10 == 0 && unit.rate == 0 && !unit.multiple;
        if (same && point == '.')
            return block_put(block, cell->text, cell->n);
        return block_put_number(block, same ? s.t : timestamp_between(NULL, &s, unit), &number_shortest);
    }
    error_data(&block->error, "%s can hold only numbers, and this is not a number", writer->format->name);
    error_excerpt(&block->error, cell->text, cell->n);
    error_column(&block->error, reader->columns.column[column].name);
    error_hint(&block->error, "use --to csv or --to json, or remove the column from the input");
    return error_place(&block->error, block_line(block, row));
}

/* Puts the time of a row in seconds. */
static bool put_time(const struct writer *writer, struct block *block, size_t row)
{
    const struct column_plan *plan = writer->reader->plan;
    size_t out = plan->time == COLUMN_NONE ? COLUMN_NONE : writer->layout->replace[plan->time];
    char text[NUMBER_MAX];
    if (plan->time == COLUMN_NONE)
        return block_put_number(block, (double)(block->firstrow + row) / motion_rate(writer),
                                &number_shortest);
    struct timestamp s = block->time[row];
    if (out == COLUMN_NONE)
        return plan->form == TIMESTAMP_NUMBER ? csv_put_unfiltered(writer, block, row, plan->time)
                                              : block_put(block, text, timestamp_print(text, &s));
    /* Seconds come from the exact decimal, so that no digit is lost. */
    if (s.decimal.exact && !plan->unit.multiple) {
        s.decimal.exp10 += plan->unit.exp10;
        return block_put(block, text, number_print_decimal(text, &s.decimal, '.'));
    }
    size_t n = number_print(text, block_out(block, out)[row], &number_shortest);
    number_read_decimal(text, text + n, '.', &s.t, &s.decimal);
    return block_put_number(block, timestamp_between(NULL, &s, plan->unit), &number_shortest);
}

/* Puts the number of a row: of the column with the numbers of rows, or counted from 1. */
static bool put_frame(const struct writer *writer, struct block *block, size_t row)
{
    const struct motion_writer *motion_writer = writer->state;
    if (motion_writer->frame == COLUMN_NONE || writer->resampled)
        return block_put_number(block, (double)(block->firstrow + row + 1), &number_shortest);
    return csv_put_unfiltered(writer, block, row, motion_writer->frame);
}

static bool compose_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct motion_writer *motion_writer = writer->state;
    if (motion_writer->kind->framed && (!put_frame(writer, block, row) || !csv_put_delimiter(writer, block)))
        return false;
    bool good = put_time(writer, block, row);
    for (size_t i = 0; good && i < motion_writer->ncolumn; i++)
        good = csv_put_delimiter(writer, block) && csv_put_cell(writer, block, row, motion_writer->column[i]);
    return good && csv_put_added(writer, block, row) && block_put(block, "\n", 1);
}

/* --- the writer --- */

bool motion_accept(struct writer *writer, struct error *e)
{
    const struct motion_kind *kind = writer->format->kind;
    const struct motion *motion = writer->reader->state;
    const bool same = writer->reader->format->kind == kind;
    struct motion_writer *motion_writer = calloc(1, sizeof *motion_writer);
    writer->state = motion_writer;
    if (!motion_writer)
        return error_memory(e);
    motion_writer->kind = kind;
    motion_writer->held.fd = -1;
    motion_writer->frame = COLUMN_NONE;
    motion_writer->csv = (struct csv_writer){
        .delimiter = '\t', .splice.gap = kind->gap, .same = same, .compose = compose_row, .put_text = put_text
    };
    if (!same)
        writer->number.point = '.';
    if (same && (!motion->csv.runs || !memchr(motion->csv.head, '\t', motion->csv.nhead)))
        motion_writer->csv.delimiter = motion->csv.delimiter;
    if (!same && !kind->put_head) {
        error_usage(e, "--to %s needs a %s input: the output copies its header", writer->format->name,
                    writer->format->name);
        return error_hint(e, "use --to mot or --to csv, which work with any input");
    }
    const char *no_added = same && motion->csv.vector ? "cells of several numbers cannot hold them"
                                                      : kind->no_added;
    if (no_added && writer->layout->nadded > 0) {
        bool derived = format_derived(writer->layout);
        error_usage(e, "%s: %s", derived ? "derivatives" : "columns that the filter adds", no_added);
        return error_hint(e, "%swrite them with --to csv",
                          derived ? "leave them out with --derivatives 0, or " : "");
    }
    return same || (list_columns(writer, e) && (!kind->check || kind->check(writer, e)));
}

bool motion_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    if (motion_writer->csv.same && !csv_splice(writer, e))
        return false;
    if (motion_writer->csv.same && !writer->resampled && !writer->reader->joined)
        return put_head(writer, block, e);
    motion_writer->waiting = tempfile_open(&motion_writer->held, -1, e);
    return motion_writer->waiting;
}

bool motion_store(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    if (!motion_writer->waiting)
        return tempfile_put(writer->fd, block->bytes, block->nbyte, e);
    if (block->nrow > 0 && block->time && writer->reader->plan->time != COLUMN_NONE) {
        if (motion_writer->nrow == 0)
            motion_writer->first = block->time[0];
        motion_writer->last = block->time[block->nrow - 1];
    }
    motion_writer->nrow += block->nrow;
    motion_writer->waiting = tempfile_write(&motion_writer->held, motion_writer->held.size, block->bytes,
                                            block->nbyte, e);
    return motion_writer->waiting;
}

/* Writes the header and then the waiting rows. */
bool motion_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    if (!motion_writer->waiting)
        return true;
    motion_writer->waiting = false;
    motion_writer->held.out = writer->fd;
    bool good = put_head(writer, block, e) && tempfile_put(writer->fd, block->bytes, block->nbyte, e) &&
                tempfile_finish(&motion_writer->held, e);
    block->nbyte = 0;
    return good;
}

void motion_end(struct writer *writer)
{
    struct motion_writer *motion_writer = writer->state;
    struct error ignored;
    struct block head = { 0 };
    if (!motion_writer)
        return;
    /* After an error in the input the rows before the error still make a complete file. */
    motion_finish(writer, &head, &ignored);
    block_free(&head);
    tempfile_close(&motion_writer->held);
    free(motion_writer->column);
    csv_end(writer);
}
