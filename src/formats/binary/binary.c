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
    LEAST = 64,         /* least rows of a block, except of the last block of a table */
    PIECE = 64 * 1024,  /* growth of the buffer for a file from a pipe, in bytes */
    MAXPOINT = 4,       /* most columns of a point */
    PART_SHIFT = 40,    /* bits of a row's number in the text of a block; the table's number is above */
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
        if ((file->nbyte == max && !array_reserve(&file->bytes, file->nbyte + PIECE, &max, 1, e)) ||
            !source_read(reader->source, (char *)file->bytes + file->nbyte, max - file->nbyte, &got, e))
            return false;
    return file->nbyte > 0 || error_data(e, "the file is empty");
}

bool binary_add_column(struct binary *file, struct binary_column column, struct error *e)
{
    if (!column.name)
        return error_memory(e);
    if (!array_reserve(&file->column, file->ncolumn + 1, &file->maxcolumn, sizeof *file->column, e)) {
        free(column.name);
        return false;
    }
    column.order = file->ncolumn;
    file->column[file->ncolumn++] = column;
    file->nname += strlen(column.name);
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
        struct binary_column *from = &file->column[i];
        if (!columns_add(table, from->name, strlen(from->name), e))
            return false;
        free(from->name);
        from->name = NULL;
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

bool binary_find_part(struct binary *file, const struct binary_part *like, size_t *part, struct error *e)
{
    for (*part = 0; *part < file->npart; ++*part) {
        const struct binary_part *known = &file->part[*part];
        if (known->animation == like->animation && known->ntimes == like->ntimes &&
            memcmp(known->times, like->times, like->ntimes) == 0)
            return true;
    }
    if (!array_reserve(&file->part, file->npart + 1, &file->maxpart, sizeof *file->part, e))
        return false;
    file->part[file->npart] = *like;
    file->part[file->npart].time.part = file->npart;
    file->npart++;
    return true;
}

/* The first table after the current table that has a channel; npart: no later table has one. */
static size_t next_selected(const struct binary *file)
{
    size_t part = file->atpart == file->npart ? 0 : file->atpart + 1;
    while (part < file->npart && !file->part[part].selected)
        part++;
    return part;
}

bool binary_more(const struct binary *file)
{
    return next_selected(file) < file->npart;
}

/* Makes a table the current table. */
static void choose(struct binary *file, size_t part)
{
    file->atpart = part;
    file->nrow = file->part[part].nrow;
    file->atrow = 0;
}

enum loaded binary_next(const struct reader *input, struct reader *part, struct error *e)
{
    struct binary *file = input->state;
    const size_t next = next_selected(file);
    if (file->npart < 2 || next == file->npart)
        return LOAD_END;
    choose(file, next);
    const struct binary_part *chosen = &file->part[next];
    return reader_of_part(input, part, chosen->name, chosen->first, chosen->end, e) ? LOAD_ROWS : LOAD_ERROR;
}

/* Notes which tables have a channel. */
static void select_parts(struct reader *reader)
{
    struct binary *file = reader->state;
    file->atpart = file->npart;
    if (file->npart == 1)
        choose(file, 0);
    const struct table *table = &reader->table;
    for (size_t i = 1; i < reader->table.ncolumn; i++)
        if (table_column(table, i)->role == ROLE_CHANNEL) {
            struct binary_part *part = &file->part[file->column[i].part];
            reader->npart += file->npart > 1 && !part->selected;
            part->selected = true;
        }
}

/* --- rows --- */

bool binary_bind(struct reader *reader, struct error *e)
{
    const struct table *table = &reader->table;
    if (!format_owns_time(reader, e))
        return false;
    if (reader->table.even && table->rate == 0) {
        error_data(e, "the header has no usable row rate");
        return error_hint(e, "give it with --rate HZ");
    }
    struct binary *file = reader->state;
    if (file->npart > 0 && !reader->part)
        select_parts(reader);
    return true;
}

/* Fills the block with the next rows of the current table. */
static enum loaded load_rows(struct reader *reader, struct block *block, struct error *e)
{
    const struct table *table = &reader->table;
    struct binary *file = reader->state;
    size_t n = BLOCK / (table->ncolumn ? table->ncolumn : 1);
    if (n < LEAST)
        n = LEAST;
    if (file->nrow - file->atrow < n)
        n = (size_t)(file->nrow - file->atrow);
    if (!block_reserve_text(block, (n + 1) * sizeof(uint64_t), e) ||
        !format_make_frames(reader, block, n, sizeof(uint64_t), e))
        return LOAD_ERROR;
    for (size_t i = 0; i < n; i++) {
        uint64_t number = (uint64_t)file->atpart << PART_SHIFT | (file->atrow + i);
        memcpy(block->text + i * sizeof number, &number, sizeof number);
    }
    block->nline = 0;
    file->atrow += n;
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

enum loaded binary_load(struct reader *reader, struct block *block, struct error *e)
{
    struct binary *file = reader->state;
    if (file->npart > 0 && file->atpart == file->npart)
        choose(file, 0);
    enum loaded loaded = load_rows(reader, block, e);
    if (loaded != LOAD_END || reader->part || file->npart == 0 || file->atpart + 1 == file->npart)
        return loaded;
    choose(file, file->atpart + 1);
    return load_rows(reader, block, e);
}

/* The number that a row of the block has in its table; *part is the index of the table. */
static inline uint64_t file_row(const struct block *block, size_t row, size_t *part)
{
    uint64_t number;
    memcpy(&number, block->text + row * sizeof number, sizeof number);
    *part = number >> PART_SHIFT;
    return number & (((uint64_t)1 << PART_SHIFT) - 1);
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

/* The number of a column in row at_row of a block; NaN: the value is missing, or the row is of another
 * table. */
static double number_at(const struct binary_column *column, double rate, const struct block *block,
                        size_t at_row)
{
    size_t part;
    uint64_t row = file_row(block, at_row, &part);
    if (column->part != part)
        return (double)NAN;
    if (!column->first)
        return (double)row / rate;
    size_t at = distance(column, row);
    double sample = sample_get(column->first + at, column->type);
    if (column->divisor != 0 && column->type.width == sizeof(int64_t))
        return sample / column->divisor;
    if (column->divisor != 0)
        return fmax(sample / column->divisor, -1);
    if (is_missing(column, at))
        return (double)NAN;
    return (sample - column->offset) * column->scale;
}

void binary_refuse(const struct reader *reader, struct block *block, size_t column, size_t row,
                   const char *what)
{
    const struct binary *file = reader->state;
    size_t part;
    error_data(&block->error, "%s %llu: %s", file->row,
               (unsigned long long)(file->firstrow + file_row(block, row, &part)), what);
    error_column(&block->error, reader->table.column[column].name);
    block_end_before(block, row);
}

/* Where the samples of a column of the reader are, whose columns may be those of one table. */
static const struct binary_column *column_at(const struct reader *reader, size_t column)
{
    const struct binary *file = reader->state;
    return &file->column[table_column(&reader->table, column)->position - 1];
}

/* Where the samples of a column are in the table of a row. */
static const struct binary_column *column_of(const struct reader *reader, const struct block *block,
                                             size_t row, size_t column)
{
    const struct binary *file = reader->state;
    size_t part;
    file_row(block, row, &part);
    return column == 0 && file->part ? &file->part[part].time : column_at(reader, column);
}

static void parse_column(const struct reader *reader, struct block *block, size_t column)
{
    const size_t k = table_column(&reader->table, column)->value;
    if (k == COLUMN_NONE || block->nrow == 0)
        return;
    /* All rows of a block belong to the same table. */
    const struct binary_column where = *column_of(reader, block, 0, column);
    double *value = block_value(block, k);
    for (size_t row = 0; row < block->nrow; row++) {
        const double x = number_at(&where, reader->table.rate, block, row);
        if (isinf(x) && !reader->lenient)
            binary_refuse(reader, block, column, row, "the sample is infinite");
        value[row] = isinf(x) ? (double)NAN : x;
    }
}

void binary_parse(const struct reader *reader, struct block *block)
{
    const struct table *table = &reader->table;
    const struct binary *file = reader->state;
    block->firstcolumn = 1;
    block->endcolumn = table->ncolumn;
    if (file->npart > 0 && !reader->part && block->nrow > 0) {
        size_t part;
        file_row(block, 0, &part);
        block->firstcolumn = file->part[part].first;
        block->endcolumn = file->part[part].end;
    }
    parse_column(reader, block, 0);
    for (size_t i = block->firstcolumn; i < block->endcolumn; i++)
        parse_column(reader, block, i);
    for (size_t row = 0; table->time != COLUMN_NONE && row < block->nrow; row++)
        block->time[row] = (struct timestamp){ .t = binary_number(reader, block, row, table->time) };
}

double binary_number(const struct reader *reader, const struct block *block, size_t row, size_t column)
{
    return number_at(column_of(reader, block, row, column), reader->table.rate, block, row);
}

void binary_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell)
{
    format_number_cell(reader, binary_number(reader, block, row, column), cell);
}

void binary_close(struct reader *reader)
{
    struct binary *file = reader->state;
    if (file) {
        for (size_t i = 0; i < file->ncolumn; i++)
            free(file->column[i].name);
        free(file->bytes);
        free(file->column);
        free(file->part);
        for (size_t i = 0; i < file->nkept; i++)
            free(file->kept[i]);
        free(file->kept);
    }
    free(file);
    reader->state = NULL;
}

/* --- writing --- */

bool binary_accept(struct writer *writer, struct error *e)
{
    const char *name = writer->format->name;
    if (writer->format != writer->reader->format) {
        error_usage(e, "--to %s needs a %s input: the output is a copy of it with new samples", name, name);
        return error_hint(e, "use --to csv");
    }
    if (writer->resampled) {
        error_usage(e, "--resample cannot add rows to a %s file", name);
        return error_hint(e, "use --to csv");
    }
    if (writer->layout->nadded == 0)
        return true;
    error_usage(e, "columns cannot be added to a %s file", name);
    return error_hint(e, "add --derivatives 0, or use --to csv");
}

/* The columns of a point, or a single column, in a block. */
struct point {
    size_t column;                     /* number of the first column */
    size_t n;                          /* number of columns */
    const struct binary_column *where; /* [n] */
    const double *out[MAXPOINT];       /* new numbers by row; NULL: the column is not filtered */
    const double *held[MAXPOINT];      /* numbers as read, by row; NULL: the column is not filtered */
};

/* Corrects the residual of a point in a row. whole: all columns of the point have numbers. False: the samples
 * of the point stay, because the point was missing and is not whole, or because the point becomes missing, or
 * is an error. */
static bool correct_residual(const struct writer *writer, struct block *block, const struct point *point,
                             size_t row, bool whole)
{
    const struct binary_column *column = point->where;
    size_t part, at = distance(column, file_row(block, row, &part));
    bool lost = false, missing = is_missing(column, at);
    for (size_t i = 0; i < point->n; i++)
        lost = lost ||
               (point->out[i] && isnan(point->out[i][row]) &&
                writer_lost(block, row, table_column(&writer->reader->table, point->column + i)->value));
    if (lost && !column->residual) {
        binary_refuse(writer->reader, block, point->column, row, "this format cannot hold a gap");
        error_hint(&block->error, "fill it with --gaps linear, or keep it with --to csv");
    } else if (column->residual && (lost || (missing && whole)))
        sample_put(column->residual + at, column->type, lost ? -1 : 0);
    return !lost && (whole || !missing);
}

/* Stores the numbers of a point, up to the first error. */
static void print_point(const struct writer *writer, struct block *block, const struct point *point)
{
    const struct binary_column column = *point->where;
    for (size_t row = 0; row < block->nrow; row++) {
        size_t part, at = distance(&column, file_row(block, row, &part));
        bool whole = true;
        for (size_t i = 0; i < point->n; i++)
            whole = whole && point->out[i] && !isnan(point->out[i][row]);
        if ((!whole || is_missing(&column, at)) && !correct_residual(writer, block, point, row, whole))
            continue;
        for (size_t i = 0; i < point->n; i++) {
            double x = point->out[i] ? point->out[i][row] : (double)NAN;
            if (isnan(x) || x == point->held[i][row])
                continue;
            double scaled = column.divisor != 0 ? x * column.divisor : x / column.scale + column.offset;
            if (sample_put(point->where[i].first + at, column.type, scaled))
                continue;
            char what[80];
            snprintf(what, sizeof what, "%g does not fit into a sample of %u bits", x, 8 * column.type.width);
            binary_refuse(writer->reader, block, point->column + i, row, what);
            error_hint(&block->error, "use --to csv");
            break;
        }
    }
}

/* An error in a column ends the rows of the columns after it: the first error of all rows remains. */
void binary_print(const struct writer *writer, struct block *block)
{
    const struct table *table = &writer->reader->table;
    struct point point = { 0 };
    const size_t end = table->ncolumn;
    for (point.column = 1; point.column < end; point.column += point.n) {
        const struct binary_column *binary_column = column_at(writer->reader, point.column);
        bool filtered = false;
        point.n = 0;
        point.where = binary_column;
        do {
            size_t column = point.column + point.n, out = writer->layout->replace[column];
            point.out[point.n] = out == COLUMN_NONE ? NULL : block_out(block, out);
            point.held[point.n] = out == COLUMN_NONE ? NULL
                                                     : block_value(block, table_column(table, column)->value);
            filtered = filtered || point.out[point.n];
        } while (++point.n < MAXPOINT && point.column + point.n < end && binary_column->residual &&
                 binary_column[point.n].residual == binary_column->residual);
        if (filtered)
            print_point(writer, block, &point);
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
