/* Rows of binary files: reading their samples, and storing new ones at the same places. See binary.h. A
 * block's text is the numbers of its rows in the file, so that rows that others put together (--resample) are
 * found again. */
#include "formats/binary/binary.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 16 * 1024, /* samples that one load aims at, */
    LEAST = 64,        /* and its least rows */
    PIECE = 64 * 1024, /* least room for a read */
    MAXPOINT = 4,      /* columns of a point */
    PART = 40          /* bits of a row's number below that of its part */
};

#define INLINE inline __attribute__((always_inline))

/* True for the most common samples, which have code of their own, where this is known when it is compiled. */
static inline bool is_common(const struct binary_column *c)
{
    return c->type == SAMPLE_FLOAT && !c->big && !c->fold && c->normal == 0;
}

/* --- samples --- */

static const struct {
    size_t width;
    double least, most; /* of integers */
} types[] = {
    [SAMPLE_INT8] = { 1, INT8_MIN, INT8_MAX },
    [SAMPLE_UINT8] = { 1, 0, UINT8_MAX },
    [SAMPLE_INT16] = { 2, INT16_MIN, INT16_MAX },
    [SAMPLE_UINT16] = { 2, 0, UINT16_MAX },
    [SAMPLE_FLOAT] = { 4, 0, 0 },
    [SAMPLE_FLOAT_DEC] = { 4, 0, 0 },
};

size_t sample_width(enum sample_type type)
{
    return types[type].width;
}

/* Byte i of a sample, in order of significance from the least on, is its byte i ^ flip. A DEC float is two
 * words of 16 bits, the more significant one first. */
static INLINE size_t flip_of(enum sample_type type, bool big)
{
    return type == SAMPLE_FLOAT_DEC ? 2 : big ? types[type].width - 1 : 0;
}

/* VAX Architecture Reference Manual, F_floating: a sign, 8 bits of an exponent with an excess of 128, and 23
 * bits of a fraction 0.1...; with an exponent of 0 it is 0, or with a sign no number. */
static double dec_number(uint32_t bits)
{
    int exponent = bits >> 23 & 255;
    bool negative = bits >> 31;
    double x = ldexp(0x800000 | (bits & 0x7FFFFF), exponent - 128 - 24);
    return exponent == 0 ? negative ? (double)NAN : 0 : negative ? -x : x;
}

INLINE double sample_get(const unsigned char *at, enum sample_type type, bool big)
{
    size_t flip = flip_of(type, big);
    uint32_t bits = at[flip];
    float x;
    if (types[type].width > 1)
        bits |= (uint32_t)at[1 ^ flip] << 8;
    if (types[type].width > 2)
        bits |= (uint32_t)at[2 ^ flip] << 16 | (uint32_t)at[3 ^ flip] << 24;
    memcpy(&x, &bits, sizeof x);
    return type == SAMPLE_FLOAT       ? (double)x
           : type == SAMPLE_INT16     ? (int16_t)bits
           : type == SAMPLE_INT8      ? (int8_t)bits
           : type == SAMPLE_FLOAT_DEC ? dec_number(bits)
                                      : bits;
}

INLINE bool sample_put(unsigned char *at, enum sample_type type, bool big, double x)
{
    uint32_t bits;
    if (type >= SAMPLE_FLOAT) {
        const float most = type == SAMPLE_FLOAT ? FLT_MAX : 0x1.fffffep126f;
        float rounded = (float)x + 0; /* never -0 */
        if (!(fabsf(rounded) <= most))
            return false;
        memcpy(&bits, &rounded, sizeof bits);
        if (type == SAMPLE_FLOAT_DEC) /* IEEE 754 has the exponent less 2; what has none there becomes 0 */
            bits = bits & 0x7F800000 ? bits + (2U << 23) : 0;
    } else {
        x = nearbyint(x);
        if (!(x >= types[type].least && x <= types[type].most))
            return false;
        bits = (uint32_t)(int32_t)x;
    }
    for (size_t i = 0, flip = flip_of(type, big); i < 4 && i < types[type].width; i++)
        at[i ^ flip] = (unsigned char)(bits >> 8 * i);
    return true;
}

/* --- reading --- */

bool binary_open(struct reader *r, size_t size, struct error *e)
{
    struct binary *x = r->state = calloc(1, size);
    size_t max = 0;
    if (!x)
        return error_memory(e);
    r->columns.named = true;
    r->columns.owns_time = true;
    for (size_t got = 1; got > 0; x->nbyte += got)
        if (!array_reserve(&x->bytes, x->nbyte + PIECE, &max, 1, e) ||
            !source_read(r->source, (char *)x->bytes + x->nbyte, max - x->nbyte, &got, e))
            return false;
    return x->nbyte > 0 || error_data(e, "the file is empty");
}

bool binary_add_column(struct reader *r, const char *name, size_t nname, struct binary_column where,
                       struct error *e)
{
    struct binary *x = r->state;
    size_t n = r->columns.ncolumn;
    if (!array_reserve(&x->column, n + 1, &x->maxcolumn, sizeof *x->column, e) ||
        !columns_add(&r->columns, name, nname, e))
        return false;
    x->column[n] = where;
    r->columns.column[n].first = CELL_NUMBER;
    return true;
}

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
    return true;
}

enum loaded binary_load(struct reader *r, struct block *b, struct error *e)
{
    const struct columns *t = &r->columns;
    struct binary *x = r->state;
    size_t n = BLOCK / (t->ncolumn ? t->ncolumn : 1);
    n = n < LEAST ? LEAST : n;
    n = x->nrow - x->atrow < n ? (size_t)(x->nrow - x->atrow) : n;
    if (!block_reserve_text(b, (n + 1) * sizeof(uint64_t), e) ||
        !block_reserve(b, n, t->ncell, t->nvalue, r->nout, t->time != COLUMN_NONE, e))
        return LOAD_ERROR;
    for (size_t i = 0; i < n; i++) {
        b->row[i] = (struct span){ 0, 0 };
        memcpy(b->text + i * sizeof(uint64_t), &(uint64_t){ (uint64_t)x->part << PART | (x->atrow + i) },
               sizeof(uint64_t));
    }
    for (size_t i = 0; i < n * b->ncell; i++)
        b->cell[i] = (struct span){ 0, NUMBER_MAX };
    b->ntext = n * sizeof(uint64_t);
    b->nrow = n;
    b->nline = 0;
    x->atrow += n;
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

/* The row's number in its part of the file; *part: which one it is. */
static inline uint64_t file_row(const struct block *b, size_t row, size_t *part)
{
    uint64_t number;
    memcpy(&number, b->text + row * sizeof number, sizeof number);
    *part = number >> PART;
    return number & (((uint64_t)1 << PART) - 1);
}

/* Bytes from row 0 to that row. */
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
    if (c->normal != 0)
        return fmax(sample_get(c->first + at, c->type, c->big) / c->normal, -1);
    return is_missing(c, at) ? (double)NAN
                             : (sample_get(c->first + at, c->type, c->big) - c->offset) * c->scale;
}

/* The error of a number; it ends the block's rows. */
static void refuse_number(const struct reader *r, struct block *b, size_t column, size_t row,
                          const char *what, const char *hint)
{
    const struct binary *x = r->state;
    size_t part;
    error_data(&b->error, "%s %llu: %s", x->row, (unsigned long long)(x->firstrow + file_row(b, row, &part)),
               what);
    error_column(&b->error, r->columns.column[column].name);
    error_hint(&b->error, "%s", hint);
    b->nrow = row;
}

static INLINE void parse_column(const struct reader *r, struct block *b, size_t column,
                                struct binary_column c)
{
    double *value = block_value(b, r->columns.column[column].value);
    for (size_t row = 0; row < b->nrow; row++) {
        double x = number_at(&c, r->columns.rate, b, row);
        if (isinf(x) && !r->lenient)
            refuse_number(r, b, column, row, "the sample is infinite", "");
        value[row] = isinf(x) ? (double)NAN : x;
    }
}

/* Where a column's numbers are in that row. */
static const struct binary_column *column_of(const struct binary *x, const struct block *b, size_t row,
                                             size_t column)
{
    size_t part;
    file_row(b, row, &part);
    return column == 0 && x->time ? &x->time[part] : &x->column[column];
}

void binary_parse(const struct reader *r, struct block *b)
{
    const struct columns *t = &r->columns;
    const struct binary *x = r->state;
    for (size_t i = 0; i < t->ncolumn && b->nrow > 0; i++) {
        const struct binary_column *c = column_of(x, b, 0, i); /* rows of a block are of one part */
        if (t->column[i].value != COLUMN_NONE && is_common(c))
            parse_column(r, b, i, *c);
        else if (t->column[i].value != COLUMN_NONE)
            parse_column(r, b, i, *c);
    }
    for (size_t row = 0; t->time != COLUMN_NONE && row < b->nrow; row++)
        b->time[row] = (struct timestamp){ .t = number_at(column_of(x, b, row, t->time), t->rate, b, row) };
}

const char *binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct binary *x = r->state;
    double number = number_at(column_of(x, b, row, column), r->columns.rate, b, row);
    struct number_format format = number_shortest;
    format.point = r->options->decimal ? *r->options->decimal : '.';
    (void)maxbuf; /* a number has room */
    if (!isfinite(number))
        return NULL;
    *ntext = number_print(buf, number, &format);
    return buf;
}

void binary_close(struct reader *r)
{
    struct binary *x = r->state;
    if (x) {
        free(x->bytes);
        free(x->column);
    }
    free(x);
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
    if (!w->resampled && w->layout->nadded == 0)
        return true;
    error_usage(e, "a %s file keeps its %s: there is no room for %s", name, w->resampled ? "rows" : "columns",
                w->resampled ? "those of --resample" : "those that are added");
    return error_hint(e, "%s--to csv has room",
                      w->resampled ? "" : "leave out derivatives with --derivatives 0; ");
}

/* The columns of a point, or a column alone, in a block. */
struct point {
    size_t column, n;
    const double *out[MAXPOINT], *held[MAXPOINT]; /* numbers; out is NULL where the column is not filtered */
};

/* False if the samples of a point stay as they are, as it was or becomes a missing one. whole: all of its
 * numbers are there. Corrects the residual. */
static bool settle_point(const struct writer *w, struct block *b, const struct point *p,
                         const struct binary_column *c, size_t row, bool whole)
{
    size_t part, at = distance(c, file_row(b, row, &part));
    bool lost = false, missing = is_missing(c, at);
    for (size_t i = 0; i < p->n; i++)
        lost = lost || (p->out[i] && isnan(p->out[i][row]) &&
                        writer_lost(b, row, w->reader->columns.column[p->column + i].value));
    if (lost && !c->residual)
        refuse_number(w->reader, b, p->column, row, "a gap, and there is no way to write one here",
                      "--gaps fill or linear puts a number there; --to csv keeps gaps");
    else if (c->residual && (lost || (missing && whole)))
        sample_put(c->residual + at, c->type, c->big, lost ? -1 : 0);
    return !lost && (whole || !missing);
}

/* Stores the numbers of a point, up to the first error. */
static INLINE void print_point(const struct writer *w, struct block *b, const struct point *p,
                               const struct binary_column *first, struct binary_column c)
{
    for (size_t row = 0; row < b->nrow; row++) {
        size_t part, at = distance(&c, file_row(b, row, &part));
        bool whole = true;
        for (size_t i = 0; i < p->n; i++)
            whole = whole && p->out[i] && !isnan(p->out[i][row]);
        if ((!whole || is_missing(&c, at)) && !settle_point(w, b, p, &c, row, whole))
            continue;
        for (size_t i = 0; i < p->n; i++) {
            double x = p->out[i] ? p->out[i][row] : (double)NAN;
            if (isnan(x) || x == p->held[i][row] ||
                sample_put(first[i].first + at, c.type, c.big,
                           c.normal != 0 ? x * c.normal : x / c.scale + c.offset))
                continue;
            char what[80];
            snprintf(what, sizeof what, "%g does not fit into a sample of %zu bits", x,
                     8 * types[c.type].width);
            refuse_number(w->reader, b, p->column + i, row, what, "--to csv holds any number");
            break;
        }
    }
}

/* Rows are printed up to the first error of all columns. */
void binary_print(const struct writer *w, struct block *b)
{
    const struct binary *x = w->reader->state;
    const struct columns *t = &w->reader->columns;
    struct point p = { 0 };
    for (; p.column < t->ncolumn; p.column += p.n) {
        const struct binary_column *c = &x->column[p.column];
        bool any = false;
        p.n = 0;
        do {
            size_t column = p.column + p.n, out = w->layout->replace[column];
            p.out[p.n] = out == COLUMN_NONE ? NULL : block_out(b, out);
            p.held[p.n] = out == COLUMN_NONE ? NULL : block_value(b, t->column[column].value);
            any = any || p.out[p.n];
        } while (++p.n < MAXPOINT && p.column + p.n < t->ncolumn && c->residual &&
                 c[p.n].residual == c->residual);
        if (any && is_common(c))
            print_point(w, b, &p, c, *c);
        else if (any)
            print_point(w, b, &p, c, *c);
    }
}

bool binary_finish(struct writer *w, struct block *b, struct error *e)
{
    struct binary *x = w->reader->state;
    (void)e;
    free(b->bytes);
    b->bytes = (char *)x->bytes;
    b->nbyte = b->maxbyte = x->nbyte;
    x->bytes = NULL;
    return true;
}
