/* Rows of binary files: reading samples, and storing new samples at the same places. See binary.h. The text
 * of a block holds the number that each row has in the file, so that the places of a row's samples are known
 * also where --resample put rows of several blocks together. */
#include "formats/binary/binary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 16 * 1024,  /* samples that a load aims at */
    PIECE = 64 * 1024,  /* growth of the buffer for a file from a pipe, in bytes */
    POINT = 3,          /* columns of a point */
    MAXNAMES = 64 << 20 /* names of columns take at most MAXNAMES bytes more than the file has */
};

/* --- reading --- */

bool binary_open(struct reader *reader, size_t size, struct error *e)
{
    struct binary *file = reader->state = calloc(1, size);
    size_t max = 0;
    if (!file)
        return error_memory(e);
    reader->table.named = true;
    reader->table.owns_time = true;
    for (size_t got = 1; got > 0; file->nbyte += got)
        if (!array_reserve(&file->bytes, file->nbyte + PIECE, &max, 1, e) ||
            !source_read(reader->source, (char *)file->bytes + file->nbyte, max - BINARY_ZEROS - file->nbyte,
                         &got, e))
            return false;
    memset(file->bytes + file->nbyte, 0, BINARY_ZEROS);
    return file->nbyte > 0 || error_data(e, "the file is empty");
}

bool binary_add_column(struct binary *file, struct binary_column column, char *name, struct error *e)
{
    if (!binary_keep(file, name, e) ||
        !array_reserve(&file->column, file->ncolumn + 1, &file->maxcolumn, sizeof *file->column, e))
        return false;
    column.name = name;
    column.order = file->ncolumn;
    file->column[file->ncolumn++] = column;
    file->nname += strlen(name);
    return file->nname <= MAXNAMES + file->nbyte ||
           error_data(e, "the column names are too long: they repeat long object names");
}

static int compare_columns(const void *one, const void *other)
{
    const struct binary_column *a = one, *b = other;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

bool binary_make_columns(struct reader *reader, struct error *e)
{
    struct binary *file = reader->state;
    struct table *table = &reader->table;
    qsort(file->column, file->ncolumn, sizeof *file->column, compare_columns);
    for (size_t i = 0; i < file->ncolumn; i++) {
        const struct binary_column *from = &file->column[i];
        if (!columns_add(table, from->name, strlen(from->name), e))
            return false;
        struct column *column = &table->column[i];
        column->first = CELL_NUMBER;
        column->vector = from->vector;
        column->joint = from->joint;
        column->axis = from->axis;
        column->turn = from->turn;
        column->period = from->period;
        if (i == 0 || file->npart == 0)
            continue;
        struct binary_part *part = &file->part[from->part];
        part->first = part->end > 0 ? part->first : i;
        part->end = i + 1;
    }
    return true;
}

void *binary_keep(struct binary *file, void *p, struct error *e)
{
    if (p && array_reserve(&file->kept, file->nkept + 1, &file->maxkept, sizeof *file->kept, e))
        return file->kept[file->nkept++] = p;
    free(p);
    error_memory(e);
    return NULL;
}

/* --- tables --- */

bool binary_same_times(const struct binary_part *a, const struct binary_part *b)
{
    return a->nrow == b->nrow && memcmp(a->time.first, b->time.first, (size_t)a->nrow * a->time.stride) == 0;
}

bool binary_find_part(struct binary *file, const struct binary_part *like, const char *name, size_t *part,
                      struct error *e)
{
    size_t n = 1; /* number of the table in its animation */
    for (*part = 0; *part < file->npart; ++*part) {
        const struct binary_part *known = &file->part[*part];
        if (known->animation != like->animation)
            continue;
        if (binary_same_times(known, like))
            return true;
        n++;
    }
    if (!array_reserve(&file->part, file->npart + 1, &file->maxpart, sizeof *file->part, e))
        return false;
    struct binary_part *added = &file->part[file->npart++];
    *added = *like;
    added->name = n > 1 ? text_format("%s, table %zu", name, n) : text_format("%s", name);
    added->name = binary_keep(file, added->name, e);
    return added->name;
}

/* Makes the next table the current one. */
static bool choose_next(struct binary *file)
{
    if (!binary_more(file))
        return false;
    file->nrow = file->part[file->nextpart++].nrow;
    file->atrow = 0;
    return true;
}

enum loaded binary_next(const struct reader *input, struct reader *part, struct error *e)
{
    struct binary *file = input->state;
    if (input->npart == 0 || !choose_next(file))
        return LOAD_END;
    const struct binary_part *chosen = &file->part[file->nextpart - 1];
    return reader_of_part(input, part, chosen->name, chosen->first, chosen->end, e) ? LOAD_ROWS : LOAD_ERROR;
}

/* --- rows --- */

/* Keeps only the tables with a channel. */
static void select_parts(struct reader *reader)
{
    struct binary *file = reader->state;
    const size_t npart = file->npart;
    for (size_t i = 1; npart > 0 && i < reader->table.ncolumn; i++) {
        const bool selected = table_filters(&reader->table, i);
        file->part[file->column[i].part].selected |= selected;
    }
    file->npart = 0;
    for (size_t i = 0; i < npart; i++)
        if (file->part[i].selected)
            file->part[file->npart++] = file->part[i];
    reader->npart = npart > 1 ? file->npart : 0;
}

bool binary_bind(struct reader *reader, struct error *e)
{
    const struct table *table = &reader->table;
    if (!format_owns_time(reader, e))
        return false;
    if (table->even && table->rate == 0) {
        error_data(e, "the header has no usable row rate");
        return error_hint(e, "give it with --rate HZ");
    }
    if (!reader->part)
        select_parts(reader);
    return true;
}

/* Fills the block with the next rows of the current table. */
static enum loaded load_rows(struct reader *reader, struct block *block, struct error *e)
{
    struct binary *file = reader->state;
    const uint64_t left = file->nrow - file->atrow;
    const size_t most = BLOCK / reader->table.ncolumn + 1, n = left < most ? (size_t)left : most;
    if (!block_reserve_text(block, (n + 1) * sizeof(uint64_t), e) ||
        !format_make_frames(reader, block, n, sizeof(uint64_t), e))
        return LOAD_ERROR;
    for (size_t i = 0; i < n; i++)
        ((uint64_t *)(void *)block->text)[i] = file->atrow + i;
    block->part = file->nextpart - 1;
    file->atrow += n;
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

enum loaded binary_load(struct reader *reader, struct block *block, struct error *e)
{
    const enum loaded loaded = load_rows(reader, block, e);
    if (loaded != LOAD_END || reader->part || !choose_next(reader->state))
        return loaded;
    return load_rows(reader, block, e);
}

/* The number that a row of the block has in its table. */
static inline uint64_t file_row(const struct block *block, size_t row)
{
    return ((const uint64_t *)(const void *)block->text)[row];
}

/* Bytes from row 0 to a row. */
static inline size_t distance(const struct binary_column *column, uint64_t row)
{
    return (size_t)(row * column->stride + (column->fold ? row / column->fold * column->jump : 0));
}

static inline bool is_missing(const struct binary_column *column, size_t at)
{
    return column->residual && sample_get(column->residual + at, column->type) < 0;
}

/* The number of a column in a row of its table; NaN: the value is missing. */
static double number_at(const struct binary_column *column, double rate, uint64_t row)
{
    if (!column->first)
        return (double)row / rate;
    const size_t at = distance(column, row);
    const double sample = sample_get(column->first + at, column->type);
    const double x = (sample - column->offset) * column->scale / column->divisor;
    if (is_missing(column, at))
        return (double)NAN;
    return column->normalized ? fmax(x, -1) : x;
}

/* Ends the rows of the block before `row` with an error about the number in that row. The caller may add a
 * hint. */
static void refuse(const struct reader *reader, struct block *block, size_t column, size_t row,
                   const char *what)
{
    error_data(&block->error, "row %llu: %s", (unsigned long long)file_row(block, row) + 1, what);
    error_column(&block->error, reader->table.column[column].name);
    block_end_before(block, row);
}

/* The table of a block's rows. Blocks of --resample have no block.part, but are of the reader's part. */
static const struct binary_part *part_of(const struct reader *reader, const struct block *block)
{
    const struct binary *file = reader->state;
    return &file->part[reader->part ? file->nextpart - 1 : block->part];
}

/* Where the samples of a column of the reader are in the rows of a block. */
static const struct binary_column *column_at(const struct reader *reader, const struct block *block,
                                             size_t column)
{
    const struct binary *file = reader->state;
    if (column == 0 && file->npart > 0)
        return &part_of(reader, block)->time;
    return &file->column[table_column(&reader->table, column)->position - 1];
}

/* The number of a column in a row of a block; NaN: a gap. */
static double number_of(const struct reader *reader, const struct block *block, size_t row, size_t column)
{
    return number_at(column_at(reader, block, column), reader->table.rate, file_row(block, row));
}

static void parse_column(const struct reader *reader, struct block *block, size_t column)
{
    const size_t k = table_column(&reader->table, column)->value;
    if (k == COLUMN_NONE || block->nrow == 0)
        return;
    const struct binary_column where = *column_at(reader, block, column);
    double *value = block_value(block, k);
    for (size_t row = 0; row < block->nrow; row++) {
        const double x = number_at(&where, reader->table.rate, file_row(block, row));
        if (isinf(x) && !reader->lenient)
            refuse(reader, block, column, row, "the sample is infinite");
        value[row] = isinf(x) ? (double)NAN : x;
    }
}

void binary_parse(const struct reader *reader, struct block *block)
{
    const struct table *table = &reader->table;
    const struct binary *file = reader->state;
    if (file->npart > 0 && !reader->part) {
        block->firstcolumn = part_of(reader, block)->first;
        block->endcolumn = part_of(reader, block)->end;
    }
    parse_column(reader, block, 0);
    for (size_t i = block->firstcolumn; i < block->endcolumn; i++)
        parse_column(reader, block, i);
    for (size_t row = 0; table->time != COLUMN_NONE && row < block->nrow; row++) {
        block->time[row] = (struct timestamp){ .t = number_of(reader, block, row, table->time) };
        if (!isfinite(block->time[row].t))
            refuse(reader, block, table->time, row, "the time is not a number");
    }
}

void binary_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell)
{
    format_number_cell(reader, number_of(reader, block, row, column), cell);
}

void binary_close(struct reader *reader)
{
    struct binary *file = reader->state;
    if (!file)
        return;
    for (size_t i = 0; i < file->nkept; i++)
        free(file->kept[i]);
    free(file->kept);
    free(file->edit);
    free(file->part);
    free(file->column);
    free(file->bytes);
    free(file);
    reader->state = NULL;
}

/* --- writing --- */

bool binary_accept(struct writer *writer, struct error *e)
{
    const char *name = writer->format->name, *way_out = "use --to csv";
    if (writer->format != writer->reader->format)
        error_usage(e, "--to %s needs %s input: the output is a copy of it with new samples", name, name);
    else if (writer->resampled)
        error_usage(e, "--resample cannot add rows to %s files", name);
    else if (writer->layout->nadded > 0) {
        error_usage(e, "columns cannot be added to %s files", name);
        way_out = "add --derivatives 0, or write csv: -o FILE.csv";
    } else
        return true;
    return error_hint(e, "%s", way_out);
}

/* The new numbers of a column by row; NULL: the column is not filtered. */
static const double *new_numbers(const struct writer *writer, const struct block *block, size_t column)
{
    const size_t out = writer->layout->replace[column];
    return out == COLUMN_NONE ? NULL : block_out(block, out);
}

/* The POINT columns from `first` on are a point: it becomes missing in rows where a column has lost a value,
 * and valid where every column has a number. */
static void settle_points(const struct writer *writer, struct block *block, size_t first)
{
    const struct binary_column *where = column_at(writer->reader, block, first);
    for (size_t row = 0; row < block->nrow; row++) {
        const size_t at = distance(where, file_row(block, row));
        bool whole = true, lost = false;
        for (size_t i = first; i < first + POINT; i++) {
            const double *out = new_numbers(writer, block, i);
            const bool held = out && !isnan(out[row]);
            whole = whole && held;
            lost = lost || (!held && writer_replaces(writer, block, row, i));
        }
        if (lost || (whole && is_missing(where, at)))
            sample_put(where->residual + at, where->type, lost ? -1 : 0);
    }
}

/* The error of a number that a sample cannot hold. */
static void refuse_number(const struct reader *reader, struct block *block, size_t column, size_t row,
                          double x)
{
    char what[80];
    const unsigned bits = 8 * column_at(reader, block, column)->type.width;
    if (isnan(x)) {
        refuse(reader, block, column, row, "this format cannot hold a gap");
        error_hint(&block->error, "fill it with --gaps linear, or keep it with --to csv");
        return;
    }
    snprintf(what, sizeof what, "%g does not fit into a sample of %u bits", x, bits);
    refuse(reader, block, column, row, what);
    error_hint(&block->error, "use --to csv");
}

/* Stores the new numbers of a column, except those of missing points. */
static void print_column(const struct writer *writer, struct block *block, size_t column, const double *out)
{
    const struct binary_column *where = column_at(writer->reader, block, column);
    const size_t value = table_column(&writer->reader->table, column)->value;
    const double *read = block_value(block, value);
    for (size_t row = 0; row < block->nrow; row++) {
        const double x = out[row];
        const size_t at = distance(where, file_row(block, row));
        const bool keeps = x == read[row] || (isnan(x) && !writer_lost(block, row, value));
        if (keeps || is_missing(where, at))
            continue;
        const double sample = x * where->divisor / where->scale + where->offset;
        const bool can = !isnan(x) || where->nan;
        if (!can || !sample_put(where->first + at, where->type, sample))
            refuse_number(writer->reader, block, column, row, x);
    }
}

/* An error in a column ends the rows of the columns after it: the first error of all rows remains. */
void binary_print(const struct writer *writer, struct block *block)
{
    const size_t ncolumn = writer->reader->table.ncolumn;
    for (size_t first = 1; first + POINT <= ncolumn; first += POINT)
        if (column_at(writer->reader, block, first)->residual)
            settle_points(writer, block, first);
    for (size_t column = 0; column < ncolumn; column++) {
        const double *out = new_numbers(writer, block, column);
        if (out)
            print_column(writer, block, column, out);
    }
}

bool binary_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct binary *file = writer->reader->state;
    (void)e;
    if (binary_more(file))
        return true;
    free(block->bytes);
    block->bytes = (char *)file->bytes;
    block->nbyte = block->maxbyte = file->nbyte;
    file->bytes = NULL;
    return true;
}
