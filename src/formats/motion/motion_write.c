/* Writing motion capture. Rows of the same format are written as the text of the input with numbers in place
 * of cells, below the input's header. Rows of other formats are composed: the time and a number per column,
 * between tabs. The header holds the number of rows, so composed rows wait in a temporary file until the
 * number of rows is known. */
#include "formats/motion/motion.h"

#include <math.h>
#include <stdlib.h>

/* --- the header --- */

void motion_put_added_names(const struct writer *w, struct text *t)
{
    const struct motion_writer *writer = w->state;
    for (size_t i = 0; i < w->layout->nadded; i++)
        text_put(t, "%c%s", writer->csv.delimiter, w->layout->added[i].name);
}

/* Puts the header of the input with the names of added columns, the new number of columns, after resampling
 * the new number of rows and rate, and of joined inputs the number of all rows. */
static bool put_input_head(const struct writer *w, struct text *t, struct error *e)
{
    const struct motion_writer *writer = w->state;
    const struct motion *motion = w->reader->state;
    uint64_t ncolumn = w->reader->columns.ncolumn + w->layout->nadded;
    size_t from = 0;
    (void)e;
    for (size_t at = 0; at <= motion->csv.nhead; at++)
        for (unsigned f = 0; f < MOTION_NFIELD; f++) {
            bool changed = f > MOTION_COLUMNS ? w->resampled : w->layout->nadded > 0;
            changed |= f == MOTION_ROWS && w->joined;
            if (!changed || motion->field[f].at != at || (f != MOTION_NAMES && motion->field[f].n == 0))
                continue;
            text_add(t, motion->csv.head + from, at - from);
            from = at + motion->field[f].n;
            if (f == MOTION_NAMES)
                motion_put_added_names(w, t);
            else if (f == MOTION_RATE)
                text_number(t, motion->seconds > 0 ? 1 / w->rate : w->rate, &number_shortest);
            else
                text_put(t, "%llu", (unsigned long long)(f == MOTION_ROWS ? writer->nrow : ncolumn));
        }
    text_add(t, motion->csv.head + from, motion->csv.nhead - from);
    return true;
}

static bool put_head(const struct writer *w, struct block *b, struct error *e)
{
    const struct motion_writer *writer = w->state;
    struct text head = { 0 };
    bool good = (writer->csv.same ? put_input_head : writer->kind->put_head)(w, &head, e) &&
                ((!head.failed && block_put(b, head.bytes, head.n)) || error_memory(e));
    free(head.bytes);
    return good;
}

/* --- what can be written --- */

/* Lists the columns of composed rows. An error if the rows have no time, or are not a single series of
 * numbers. */
static bool list_columns(struct writer *w, struct error *e)
{
    struct motion_writer *writer = w->state;
    const struct columns *t = &w->reader->columns;
    writer->column = malloc((t->ncolumn + 1) * sizeof *writer->column);
    if (!writer->column)
        return error_memory(e);
    if (t->time == COLUMN_NONE && motion_rate(w) == 0) {
        error_data(e, "there is no time to write");
        return error_hint(e, "name its column with --time");
    }
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_TIME || c->role == ROLE_ABSENT || (i == t->passed && c->role == ROLE_PASS))
            continue;
        /* A format with frame numbers takes a column of row numbers unfiltered as frame numbers, even if the
         * column is a channel. Other formats leave out the frame numbers of the input. */
        if ((writer->kind->framed || c->frame) && columns_counts_rows(c)) {
            writer->frame = writer->frame == COLUMN_NONE ? i : writer->frame;
            continue;
        }
        if (!format_takes_numbers(w->format->name, c, e))
            return false;
        if (strpbrk(c->name, "\t\r\n")) {
            error_data(e, "%s has no way to write this name", w->format->name);
            error_column(e, c->name);
            return error_hint(e, "use --to csv or --to json, or take the column out of the input");
        }
        writer->column[writer->ncolumn++] = i;
    }
    return true;
}

double motion_rate(const struct writer *w)
{
    const struct motion_writer *writer = w->state;
    if (w->rate > 0 || w->reader->columns.rate > 0)
        return w->rate > 0 ? w->rate : w->reader->columns.rate;
    double elapsed = writer->nrow > 1
                         ? timestamp_between(&writer->first, &writer->last, w->reader->columns.unit)
                         : 0;
    return elapsed > 0 ? (double)(writer->nrow - 1) / elapsed : 0;
}

/* --- composed rows --- */

/* Puts a cell of the input: the text, or for a number with a decimal comma, or a time in another unit, the
 * number. */
static bool put_text(const struct writer *w, struct block *b, size_t row, size_t column,
                     const struct cell_text *cell)
{
    const struct csv_writer *c = w->state;
    const struct reader *r = w->reader;
    struct time_unit unit = column == r->columns.time ? r->columns.unit : (struct time_unit){ 0 };
    char point = reader_point(r);
    struct timestamp s;
    if (!cell->text || format_gap(r->options, cell->text, cell->n))
        return block_put(b, c->splice.gap, strlen(c->splice.gap));
    const char *end = cell->text + cell->n;
    if (number_read_decimal(cell->text, end, point, &s.t, &s.decimal) == end && isfinite(s.t)) {
        bool same = unit.exp10 == 0 && unit.rate == 0 && !unit.multiple;
        if (same && point == '.')
            return block_put(b, cell->text, cell->n);
        return block_put_number(b, same ? s.t : timestamp_between(NULL, &s, unit), &number_shortest);
    }
    error_data(&b->error, "%s holds numbers, and this is none", w->format->name);
    error_excerpt(&b->error, cell->text, cell->n);
    error_column(&b->error, r->columns.column[column].name);
    error_hint(&b->error, "use --to csv or --to json, or take the column out of the input");
    return error_place(&b->error, block_line(b, row));
}

static bool put_time(const struct writer *w, struct block *b, size_t row)
{
    const struct columns *t = &w->reader->columns;
    size_t out = t->time == COLUMN_NONE ? COLUMN_NONE : w->layout->replace[t->time];
    char text[NUMBER_MAX];
    if (t->time == COLUMN_NONE)
        return block_put_number(b, (double)(b->firstrow + row) / motion_rate(w), &number_shortest);
    struct timestamp s = b->time[row];
    if (out == COLUMN_NONE)
        return t->form == TIMESTAMP_NUMBER ? csv_put_unfiltered(w, b, row, t->time)
                                           : block_put(b, text, timestamp_print(text, &s));
    /* Seconds come from the exact decimal, so that no digit is lost. */
    if (s.decimal.exact && !t->unit.multiple) {
        s.decimal.exp10 += t->unit.exp10;
        return block_put(b, text, number_print_decimal(text, &s.decimal, '.'));
    }
    size_t n = number_print(text, block_out(b, out)[row], &number_shortest);
    number_read_decimal(text, text + n, '.', &s.t, &s.decimal);
    return block_put_number(b, timestamp_between(NULL, &s, t->unit), &number_shortest);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct motion_writer *writer = w->state;
    bool numbered = writer->frame == COLUMN_NONE || w->resampled;
    if (writer->kind->framed &&
        !((numbered ? block_put_number(b, (double)(b->firstrow + row + 1), &number_shortest)
                    : csv_put_unfiltered(w, b, row, writer->frame)) &&
          csv_put_delimiter(w, b)))
        return false;
    bool good = put_time(w, b, row);
    for (size_t i = 0; good && i < writer->ncolumn; i++)
        good = csv_put_delimiter(w, b) && csv_put_cell(w, b, row, writer->column[i]);
    return good && csv_put_added(w, b, row) && block_put(b, "\n", 1);
}

/* --- the writer --- */

bool motion_accept(struct writer *w, struct error *e)
{
    const struct motion_kind *kind = w->format->kind;
    const struct motion *motion = w->reader->state;
    const bool same = w->reader->format->kind == kind;
    struct motion_writer *writer = w->state = calloc(1, sizeof *writer);
    if (!writer)
        return error_memory(e);
    writer->kind = kind;
    writer->held.fd = -1;
    writer->frame = COLUMN_NONE;
    writer->csv = (struct csv_writer){
        .delimiter = '\t', .splice.gap = kind->gap, .same = same, .compose = compose_row, .put_text = put_text
    };
    if (!same)
        w->number.point = '.';
    if (same && (!motion->csv.runs || !memchr(motion->csv.head, '\t', motion->csv.nhead)))
        writer->csv.delimiter = motion->csv.delimiter;
    if (!same && !kind->put_head) {
        error_usage(e, "--to %s needs a %s input, whose header is kept", w->format->name, w->format->name);
        return error_hint(e, "--to mot keeps time and channels of any input, and so does --to csv");
    }
    const char *no_added = same && motion->csv.vector ? "cells of several numbers have no place for them"
                                                      : kind->no_added;
    if (no_added && w->layout->nadded > 0) {
        bool derived = format_derived(w->layout);
        error_usage(e, "%s: %s", derived ? "derivatives" : "columns that the filter adds", no_added);
        return error_hint(e, "%swrite them with --to csv",
                          derived ? "leave them out with --derivatives 0, or " : "");
    }
    return same || (list_columns(w, e) && (!kind->check || kind->check(w, e)));
}

bool motion_begin(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *writer = w->state;
    if (writer->csv.same && !csv_splice(w, e))
        return false;
    if (writer->csv.same && !w->resampled && !w->joined)
        return put_head(w, b, e);
    return writer->waiting = tempfile_open(&writer->held, -1, e);
}

bool motion_store(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *writer = w->state;
    if (!writer->waiting)
        return tempfile_put(w->fd, b->bytes, b->nbyte, e);
    if (b->nrow > 0 && b->time && w->reader->columns.time != COLUMN_NONE) {
        writer->first = writer->nrow == 0 ? b->time[0] : writer->first;
        writer->last = b->time[b->nrow - 1];
    }
    writer->nrow += b->nrow;
    return writer->waiting = tempfile_write(&writer->held, writer->held.size, b->bytes, b->nbyte, e);
}

/* Writes the header and then the waiting rows. */
bool motion_finish(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *writer = w->state;
    if (!writer->waiting)
        return true;
    writer->waiting = false;
    writer->held.out = w->fd;
    bool good = put_head(w, b, e) && tempfile_put(w->fd, b->bytes, b->nbyte, e) &&
                tempfile_finish(&writer->held, e);
    b->nbyte = 0;
    return good;
}

void motion_end(struct writer *w)
{
    struct motion_writer *writer = w->state;
    struct error ignored;
    struct block head = { 0 };
    if (!writer)
        return;
    /* After an error in the input the rows before the error still make a complete file. */
    motion_finish(w, &head, &ignored);
    block_free(&head);
    tempfile_close(&writer->held);
    free(writer->column);
    csv_end(w);
}
