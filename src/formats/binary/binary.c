/* Rows of binary files: reading samples, and storing new samples at the same places. See binary.h. The text
 * of a block holds the number that each row has in the file, so that the places of a row's samples are known
 * also where --resample put rows of several blocks together. */
#include "formats/binary/binary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    BLOCK = 16 * 1024,  /* samples of a block, about */
    LEAST = 64,         /* rows of a block, at least, but of the last block */
    PIECE = 64 * 1024,  /* least room for a read, in bytes */
    MAXPOINT = 4,       /* columns of a point */
    PART_SHIFT = 40,    /* bits of a row's number in the text of a block; the table's number stands above */
    MAXNAMES = 64 << 20 /* names of columns take at most so many bytes more than the file */
};

#define INLINE inline __attribute__((always_inline))

/* Is the sample a little-endian float without jumps and divisor? For these most common samples the compiler
 * makes a loop of its own, from a call in which the answer is constant. */
static inline bool is_common(const struct binary_column *c)
{
    return c->type == SAMPLE_FLOAT && !c->big && !c->fold && c->divisor == 0;
}

/* --- reading --- */

/* Makes room for a regular file at once, for no more bytes than the file has. */
static bool reserve_file(const struct source *source, struct binary *file, size_t *max, struct error *e)
{
    struct stat st;
    if (!source->regular || fstat(source->fd, &st) != 0 || st.st_size <= 0)
        return true;
    file->bytes = malloc((size_t)st.st_size + 1); /* a byte more, for the read that finds the end */
    *max = file->bytes ? (size_t)st.st_size + 1 : 0;
    return file->bytes || error_memory(e);
}

bool binary_open(struct reader *r, size_t size, struct error *e)
{
    struct binary *file = r->state = calloc(1, size);
    size_t max = 0;
    if (!file)
        return error_memory(e);
    r->columns.named = true;
    r->columns.owns_time = true;
    if (!reserve_file(r->source, file, &max, e))
        return false;
    for (size_t got = 1; got > 0; file->nbyte += got)
        if ((file->nbyte == max && !array_reserve(&file->bytes, file->nbyte + PIECE, &max, 1, e)) ||
            !source_read(r->source, (char *)file->bytes + file->nbyte, max - file->nbyte, &got, e))
            return false;
    return file->nbyte > 0 || error_data(e, "the file is empty");
}

bool binary_add_column(struct reader *r, const char *name, size_t nname, struct binary_column where,
                       struct error *e)
{
    struct binary *file = r->state;
    size_t n = r->columns.ncolumn;
    file->nname += nname;
    if (file->nname > MAXNAMES + file->nbyte)
        return error_data(e, "the names of what the columns animate make too long names of columns");
    if (!array_reserve(&file->column, n + 1, &file->maxcolumn, sizeof *file->column, e) ||
        !columns_add(&r->columns, name, nname, e))
        return false;
    file->column[n] = where;
    r->columns.column[n].first = CELL_NUMBER;
    if (n > 0 && where.part < file->npart) {
        struct binary_part *part = &file->part[where.part];
        part->first = part->end ? part->first : n;
        part->end = n + 1;
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

static struct name_key times_key(const struct binary_part *part)
{
    return (struct name_key){ (const char *)part->times, part->ntimes, part->animation };
}

bool binary_find_part(struct binary *file, const struct binary_part *like, size_t *part, struct error *e)
{
    *part = name_table_find(&file->part_by_times, times_key(like));
    if (*part != NAME_TABLE_NONE)
        return true;
    *part = file->npart;
    if (!array_reserve(&file->part, file->npart + 1, &file->maxpart, sizeof *file->part, e) ||
        !name_table_put(&file->part_by_times, times_key(like), file->npart, e))
        return false;
    file->part[file->npart] = *like;
    file->part[file->npart].time.part = file->npart;
    file->npart++;
    return true;
}

/* The first table after the current table that has a channel, or npart. */
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

enum loaded binary_next(struct reader *r)
{
    struct binary *file = r->state;
    size_t part = next_selected(file);
    if (file->npart < 2 || part == file->npart)
        return LOAD_END;
    choose(file, part);
    columns_choose_table(&r->columns, file->part[part].first, file->part[part].end);
    r->npart = 0;
    r->part = file->part[part].name;
    return LOAD_ROWS;
}

/* Notes which tables have a channel. */
static void select_parts(struct reader *r)
{
    struct binary *file = r->state;
    file->atpart = file->npart;
    if (file->npart == 1)
        choose(file, 0);
    for (size_t i = 1; i < r->columns.ncolumn; i++)
        if (r->columns.column[i].role == ROLE_CHANNEL) {
            struct binary_part *part = &file->part[file->column[i].part];
            r->npart += file->npart > 1 && !part->selected;
            part->selected = true;
        }
}

/* --- rows --- */

bool binary_bind(struct reader *r, struct error *e)
{
    struct columns *t = &r->columns;
    if (!format_owns_time(r, e))
        return false;
    if (isnan(t->rate)) {
        error_data(e, "the header tells no rate that can be used");
        return error_hint(e, "give it with --rate HZ");
    }
    t->time = t->rate > 0 ? COLUMN_NONE : t->time;
    struct binary *file = r->state;
    if (file->npart > 0 && !t->partial)
        select_parts(r);
    return true;
}

/* Fills the block with the next rows of the current table. */
static enum loaded load_rows(struct reader *r, struct block *b, struct error *e)
{
    const struct columns *t = &r->columns;
    struct binary *file = r->state;
    size_t n = BLOCK / (t->ncolumn ? t->ncolumn : 1);
    if (n < LEAST)
        n = LEAST;
    if (file->nrow - file->atrow < n)
        n = (size_t)(file->nrow - file->atrow);
    if (!block_reserve_text(b, (n + 1) * sizeof(uint64_t), e) || !block_reserve(b, n, reader_shape(r), e))
        return LOAD_ERROR;
    for (size_t i = 0; i < n; i++) {
        b->row[i] = (struct span){ 0, 0 };
        uint64_t number = (uint64_t)file->atpart << PART_SHIFT | (file->atrow + i);
        memcpy(b->text + i * sizeof number, &number, sizeof number);
    }
    /* With own_columns, binary_parse fills the spans of the table's columns. */
    for (size_t i = 0; !r->own_columns && i < n * b->ncell; i++)
        b->cell[i] = (struct span){ 0, NUMBER_MAX };
    b->ntext = n * sizeof(uint64_t);
    b->nrow = n;
    b->nline = 0;
    file->atrow += n;
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

enum loaded binary_load(struct reader *r, struct block *b, struct error *e)
{
    struct binary *file = r->state;
    if (file->npart > 0 && file->atpart == file->npart)
        choose(file, 0);
    enum loaded loaded = load_rows(r, b, e);
    if (loaded != LOAD_END || r->part || file->npart == 0 || file->atpart + 1 == file->npart)
        return loaded;
    choose(file, file->atpart + 1);
    return load_rows(r, b, e);
}

/* The number that a row of the block has in its table; *part is the index of the table. */
static inline uint64_t file_row(const struct block *b, size_t row, size_t *part)
{
    uint64_t number;
    memcpy(&number, b->text + row * sizeof number, sizeof number);
    *part = number >> PART_SHIFT;
    return number & (((uint64_t)1 << PART_SHIFT) - 1);
}

/* Bytes from row 0 to a row. */
static inline size_t distance(const struct binary_column *c, uint64_t row)
{
    return (size_t)(row * c->stride + (c->fold ? row / c->fold * c->jump : 0));
}

static inline bool is_missing(const struct binary_column *c, size_t at)
{
    return c->residual && sample_get(c->residual + at, c->type, c->big) < 0;
}

static INLINE double number_at(const struct binary_column *c, double rate, const struct block *b,
                               size_t at_row)
{
    size_t part;
    uint64_t row = file_row(b, at_row, &part);
    if (c->part != part)
        return (double)NAN;
    if (!c->first)
        return (double)row / rate;
    size_t at = distance(c, row);
    if (c->divisor != 0 && c->type == SAMPLE_INT64)
        return sample_get(c->first + at, c->type, c->big) / c->divisor;
    if (c->divisor != 0)
        return fmax(sample_get(c->first + at, c->type, c->big) / c->divisor, -1);
    return is_missing(c, at) ? (double)NAN
                             : (sample_get(c->first + at, c->type, c->big) - c->offset) * c->scale;
}

/* Ends the rows of the block before `row` with an error about the number in that row. The caller may add a
 * hint. */
static void refuse_number(const struct reader *r, struct block *b, size_t column, size_t row,
                          const char *what)
{
    const struct binary *file = r->state;
    size_t part;
    error_data(&b->error, "%s %llu: %s", file->row,
               (unsigned long long)(file->firstrow + file_row(b, row, &part)), what);
    error_column(&b->error, r->columns.column[column].name);
    b->nrow = row;
}

static INLINE void parse_column(const struct reader *r, struct block *b, size_t column,
                                struct binary_column c)
{
    double *value = block_value(b, r->columns.column[column].value);
    for (size_t row = 0; row < b->nrow; row++) {
        double x = number_at(&c, r->columns.rate, b, row);
        if (isinf(x) && !r->lenient)
            refuse_number(r, b, column, row, "the sample is infinite");
        value[row] = isinf(x) ? (double)NAN : x;
    }
}

/* Where the samples of a column are in the table of a row. */
static const struct binary_column *column_of(const struct binary *file, const struct block *b, size_t row,
                                             size_t column)
{
    size_t part;
    file_row(b, row, &part);
    return column == 0 && file->part ? &file->part[part].time : &file->column[column];
}

/* The columns that the rows of a block may have are, besides the time, the returned one to *end - 1: all
 * columns, or where tables are filtered one by one or compared, the columns of the block's table. */
static size_t first_column(const struct reader *r, const struct block *b, size_t *end)
{
    const struct binary *file = r->state;
    size_t part;
    *end = r->columns.ncolumn;
    bool one_table = r->columns.partial || (r->own_columns && file->npart > 0);
    if (!one_table || b->nrow == 0)
        return 1;
    file_row(b, 0, &part);
    *end = file->part[part].end;
    return file->part[part].first;
}

static void parse_numbers(const struct reader *r, struct block *b, size_t column)
{
    if (r->columns.column[column].value == COLUMN_NONE || b->nrow == 0)
        return;
    /* All rows of a block belong to the same table. */
    const struct binary_column *c = column_of(r->state, b, 0, column);
    if (is_common(c))
        parse_column(r, b, column, *c);
    else
        parse_column(r, b, column, *c);
}

/* Gives the cells of a column the most bytes that a printed number takes. */
static void fill_spans(const struct reader *r, struct block *b, size_t column)
{
    size_t cell = r->columns.column[column].cell;
    for (size_t row = 0; cell != COLUMN_NONE && row < b->nrow; row++)
        b->cell[row * b->ncell + cell] = (struct span){ 0, NUMBER_MAX };
}

void binary_parse(const struct reader *r, struct block *b)
{
    const struct columns *t = &r->columns;
    const struct binary *file = r->state;
    size_t end, first = first_column(r, b, &end);
    parse_numbers(r, b, 0);
    for (size_t i = first; i < end; i++)
        parse_numbers(r, b, i);
    if (r->own_columns)
        fill_spans(r, b, 0);
    for (size_t i = first; r->own_columns && i < end; i++)
        fill_spans(r, b, i);
    b->firstcolumn = first;
    b->endcolumn = end;
    for (size_t row = 0; t->time != COLUMN_NONE && row < b->nrow; row++)
        b->time[row] = (struct timestamp){ .t = number_at(column_of(file, b, row, t->time), t->rate, b,
                                                          row) };
}

void binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column,
                 struct cell_text *cell)
{
    const struct binary *file = r->state;
    double number = number_at(column_of(file, b, row, column), r->columns.rate, b, row);
    struct number_format format = number_shortest;
    format.point = reader_point(r);
    cell->text = isfinite(number) ? cell->room : NULL;
    cell->n = isfinite(number) ? number_print(cell->room, number, &format) : 0;
}

void binary_close(struct reader *r)
{
    struct binary *file = r->state;
    if (file) {
        free(file->bytes);
        free(file->column);
        free(file->part);
        name_table_free(&file->part_by_times);
        for (size_t i = 0; i < file->nkept; i++)
            free(file->kept[i]);
        free(file->kept);
    }
    free(file);
    r->state = NULL;
}

/* --- writing --- */

bool binary_accept(struct writer *w, struct error *e)
{
    const char *name = w->format->name;
    if (w->format != w->reader->format) {
        error_usage(e, "--to %s needs a %s input: new samples are stored in a copy of it", name, name);
        return error_hint(e, "use --to csv or --to json, or --to trc for markers");
    }
    if (w->resampled) {
        error_usage(e, "a %s file keeps its rows: there is no room for those of --resample", name);
        return error_hint(e, "--to csv has room");
    }
    if (w->layout->nadded == 0)
        return true;
    error_usage(e, "a %s file keeps its columns: there is no room for those that are added", name);
    return error_hint(e, "leave out derivatives with --derivatives 0; --to csv has room");
}

/* The columns of a point, or a single column, in a block. */
struct point {
    size_t column;                     /* number of the first column */
    size_t n;                          /* number of columns */
    const struct binary_column *where; /* [n] */
    const double *out[MAXPOINT];       /* new numbers by row; NULL: the column is not filtered */
    const double *held[MAXPOINT];      /* numbers as read, by row; NULL: the column is not filtered */
};

/* Corrects the residual of a point. whole: all columns of the point have numbers. False: the samples of the
 * point stay, because the point was missing and is not whole, or becomes missing. */
static bool settle_point(const struct writer *w, struct block *b, const struct point *p, size_t row,
                         bool whole)
{
    const struct binary_column *c = p->where;
    size_t part, at = distance(c, file_row(b, row, &part));
    bool lost = false, missing = is_missing(c, at);
    for (size_t i = 0; i < p->n; i++)
        lost = lost || (p->out[i] && isnan(p->out[i][row]) &&
                        writer_lost(b, row, w->reader->columns.column[p->column + i].value));
    if (lost && !c->residual) {
        refuse_number(w->reader, b, p->column, row, "a gap, and there is no way to write one here");
        error_hint(&b->error, "--gaps fill or linear puts a number there; --to csv keeps gaps");
    } else if (c->residual && (lost || (missing && whole)))
        sample_put(c->residual + at, c->type, c->big, lost ? -1 : 0);
    return !lost && (whole || !missing);
}

/* Stores the numbers of a point, up to the first error. c: *p->where, of which the compiler may know more. */
static INLINE void print_point(const struct writer *w, struct block *b, const struct point *p,
                               struct binary_column c)
{
    for (size_t row = 0; row < b->nrow; row++) {
        size_t part, at = distance(&c, file_row(b, row, &part));
        bool whole = true;
        for (size_t i = 0; i < p->n; i++)
            whole = whole && p->out[i] && !isnan(p->out[i][row]);
        if ((!whole || is_missing(&c, at)) && !settle_point(w, b, p, row, whole))
            continue;
        for (size_t i = 0; i < p->n; i++) {
            double x = p->out[i] ? p->out[i][row] : (double)NAN;
            if (isnan(x) || x == p->held[i][row])
                continue;
            double scaled = c.divisor != 0 ? x * c.divisor : x / c.scale + c.offset;
            if (sample_put(p->where[i].first + at, c.type, c.big, scaled))
                continue;
            char what[80];
            snprintf(what, sizeof what, "%g does not fit into a sample of %zu bits", x,
                     8 * sample_width(c.type));
            refuse_number(w->reader, b, p->column + i, row, what);
            error_hint(&b->error, "--to csv holds any number");
            break;
        }
    }
}

/* Rows are printed up to the first error of all columns. */
void binary_print(const struct writer *w, struct block *b)
{
    const struct binary *file = w->reader->state;
    const struct columns *t = &w->reader->columns;
    struct point p = { 0 };
    size_t end;
    for (p.column = first_column(w->reader, b, &end); p.column < end; p.column += p.n) {
        const struct binary_column *c = &file->column[p.column];
        bool any = false;
        p.n = 0;
        p.where = c;
        do {
            size_t column = p.column + p.n, out = w->layout->replace[column];
            p.out[p.n] = out == COLUMN_NONE ? NULL : block_out(b, out);
            p.held[p.n] = out == COLUMN_NONE ? NULL : block_value(b, t->column[column].value);
            any = any || p.out[p.n];
        } while (++p.n < MAXPOINT && p.column + p.n < end && c->residual && c[p.n].residual == c->residual);
        if (any && is_common(c))
            print_point(w, b, &p, *c);
        else if (any)
            print_point(w, b, &p, *c);
    }
}

bool binary_finish(struct writer *w, struct block *b, struct error *e)
{
    struct binary *file = w->reader->state;
    (void)e;
    if (binary_more(file))
        return true;
    free(b->bytes);
    b->bytes = (char *)file->bytes;
    b->nbyte = b->maxbyte = file->nbyte;
    file->bytes = NULL;
    return true;
}
