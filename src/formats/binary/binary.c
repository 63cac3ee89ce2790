/* Rows of binary files: reading their samples, and storing new samples at the same places. See binary.h. The
 * text of a block is the numbers of its rows in the file, so that the places of a row's samples are known
 * also where --resample put rows of several blocks together. */
#include "formats/binary/binary.h"

#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    BLOCK = 16 * 1024,  /* samples that one load aims at */
    LEAST = 64,         /* rows of one load at least */
    PIECE = 64 * 1024,  /* least room for a read */
    MAXPOINT = 4,       /* columns of a point */
    PART_SHIFT = 40,    /* bits of a row's number in the text of a block; the table's number stands above */
    MAXNAMES = 64 << 20 /* bytes that the names of columns may take besides the bytes of the file */
};

#define INLINE inline __attribute__((always_inline))

/* True for the most common samples, which have code of their own, where this is known when it is compiled. */
static inline bool is_common(const struct binary_column *c)
{
    return c->type == SAMPLE_FLOAT && !c->big && !c->fold && c->divisor == 0;
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
    [SAMPLE_INT64] = { 8, 0, 0 },
};

size_t sample_width(enum sample_type type)
{
    return types[type].width;
}

/* Byte i of a sample, in order of significance from the least on, is its byte i ^ flip. A DEC float is two
 * words of 16 bits, the more significant one first. */
static INLINE size_t flip_of(enum sample_type type, bool big)
{
    if (type == SAMPLE_FLOAT_DEC)
        return 2;
    return big ? types[type].width - 1 : 0;
}

/* VAX Architecture Reference Manual, F_floating: a sign, 8 bits of an exponent with an excess of 128, and 23
 * bits of a fraction 0.1...; an exponent of 0 means 0, or, with the sign, no number. */
static double dec_number(uint32_t bits)
{
    int exponent = bits >> 23 & 255;
    bool negative = bits >> 31;
    if (exponent == 0)
        return negative ? (double)NAN : 0;
    double magnitude = ldexp(0x800000 | (bits & 0x7FFFFF), exponent - 128 - 24);
    return negative ? -magnitude : magnitude;
}

INLINE double sample_get(const unsigned char *at, enum sample_type type, bool big)
{
    size_t flip = flip_of(type, big);
    uint32_t bits = at[flip];
    float x;
    if (type == SAMPLE_INT64) {
        uint64_t long_bits = 0;
        for (size_t i = 0; i < 8; i++)
            long_bits |= (uint64_t)at[i ^ flip] << 8 * i;
        return (double)(int64_t)long_bits;
    }
    if (types[type].width > 1)
        bits |= (uint32_t)at[1 ^ flip] << 8;
    if (types[type].width > 2)
        bits |= (uint32_t)at[2 ^ flip] << 16 | (uint32_t)at[3 ^ flip] << 24;
    memcpy(&x, &bits, sizeof x);
    if (type == SAMPLE_FLOAT)
        return (double)x;
    if (type == SAMPLE_FLOAT_DEC)
        return dec_number(bits);
    if (type == SAMPLE_INT16)
        return (int16_t)bits;
    if (type == SAMPLE_INT8)
        return (int8_t)bits;
    return bits;
}

INLINE bool sample_put(unsigned char *at, enum sample_type type, bool big, double x)
{
    uint32_t bits;
    if (type == SAMPLE_INT64)
        return false;
    if (type >= SAMPLE_FLOAT) {
        const float most = type == SAMPLE_FLOAT ? FLT_MAX : 0x1.fffffep126f;
        float rounded = (float)x + 0; /* never -0 */
        if (!(fabsf(rounded) <= most))
            return false;
        memcpy(&bits, &rounded, sizeof bits);
        /* The exponent of IEEE 754 is 2 less; a number without a normal exponent becomes 0. */
        if (type == SAMPLE_FLOAT_DEC)
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

/* Makes room for a regular file at once, so that it takes no more memory than its bytes. */
static bool reserve_file(const struct source *source, struct binary *x, size_t *max, struct error *e)
{
    struct stat st;
    if (!source->regular || fstat(source->fd, &st) != 0 || st.st_size <= 0)
        return true;
    x->bytes = malloc((size_t)st.st_size + 1); /* one more, for the read that finds the end */
    *max = x->bytes ? (size_t)st.st_size + 1 : 0;
    return x->bytes || error_memory(e);
}

bool binary_open(struct reader *r, size_t size, struct error *e)
{
    struct binary *x = r->state = calloc(1, size);
    size_t max = 0;
    if (!x)
        return error_memory(e);
    r->columns.named = true;
    r->columns.owns_time = true;
    if (!reserve_file(r->source, x, &max, e))
        return false;
    for (size_t got = 1; got > 0; x->nbyte += got)
        if ((x->nbyte == max && !array_reserve(&x->bytes, x->nbyte + PIECE, &max, 1, e)) ||
            !source_read(r->source, (char *)x->bytes + x->nbyte, max - x->nbyte, &got, e))
            return false;
    return x->nbyte > 0 || error_data(e, "the file is empty");
}

bool binary_add_column(struct reader *r, const char *name, size_t nname, struct binary_column where,
                       struct error *e)
{
    struct binary *x = r->state;
    size_t n = r->columns.ncolumn;
    x->nname += nname;
    if (x->nname > MAXNAMES + x->nbyte)
        return error_data(e, "the names of what the columns animate make too long names of columns");
    if (!array_reserve(&x->column, n + 1, &x->maxcolumn, sizeof *x->column, e) ||
        !columns_add(&r->columns, name, nname, e))
        return false;
    x->column[n] = where;
    r->columns.column[n].first = CELL_NUMBER;
    if (n > 0 && where.part < x->npart) {
        struct binary_part *part = &x->part[where.part];
        part->first = part->end ? part->first : n;
        part->end = n + 1;
    }
    return true;
}

void *binary_keep(struct binary *x, void *p, struct error *e)
{
    if (p && array_reserve(&x->kept, x->nkept + 1, &x->maxkept, sizeof *x->kept, e))
        return x->kept[x->nkept++] = p;
    free(p);
    error_memory(e);
    return NULL;
}

/* --- tables --- */

/* The slot of a table like this one: the number of the table, from 1, or 0. There is always an empty slot. */
static size_t *find_slot(const struct binary *x, const struct binary_part *like)
{
    size_t i = (size_t)hash_bytes((const char *)like->times, like->ntimes) + like->animation;
    for (i &= x->nslot - 1; x->slot[i]; i = (i + 1) & (x->nslot - 1)) {
        const struct binary_part *part = &x->part[x->slot[i] - 1];
        if (part->animation == like->animation && part->ntimes == like->ntimes &&
            memcmp(part->times, like->times, like->ntimes) == 0)
            break;
    }
    return &x->slot[i];
}

/* Makes room for one more table in the slots, whose number is a power of two. */
static bool grow_slots(struct binary *x, struct error *e)
{
    if (x->npart < x->nslot / 2)
        return true;
    size_t nslot = x->nslot ? 2 * x->nslot : 64, *slot = calloc(nslot, sizeof *slot);
    if (!slot)
        return error_memory(e);
    free(x->slot);
    x->slot = slot;
    x->nslot = nslot;
    for (size_t i = 0; i < x->npart; i++)
        *find_slot(x, &x->part[i]) = i + 1;
    return true;
}

bool binary_find_part(struct binary *x, const struct binary_part *like, size_t *part, struct error *e)
{
    if (!grow_slots(x, e))
        return false;
    size_t *slot = find_slot(x, like);
    if (*slot == 0) {
        if (!array_reserve(&x->part, x->npart + 1, &x->maxpart, sizeof *x->part, e))
            return false;
        x->part[x->npart] = *like;
        x->part[x->npart].time.part = x->npart;
        *slot = ++x->npart;
    }
    *part = *slot - 1;
    return true;
}

/* The first table with a channel after the one whose rows are loaded; npart: there is no other. */
static size_t next_selected(const struct binary *x)
{
    size_t part = x->atpart == x->npart ? 0 : x->atpart + 1;
    while (part < x->npart && !x->part[part].selected)
        part++;
    return part;
}

bool binary_more(const struct binary *x)
{
    return next_selected(x) < x->npart;
}

/* The rows of a table are loaded from now on. */
static void choose(struct binary *x, size_t part)
{
    x->atpart = part;
    x->nrow = x->part[part].nrow;
    x->atrow = 0;
}

enum loaded binary_next(struct reader *r)
{
    struct binary *x = r->state;
    size_t part = next_selected(x);
    if (x->npart < 2 || part == x->npart)
        return LOAD_END;
    choose(x, part);
    columns_choose_table(&r->columns, x->part[part].first, x->part[part].end);
    r->npart = 0;
    r->part = x->part[part].name;
    return LOAD_ROWS;
}

/* Notes which tables have a channel. */
static void select_parts(struct reader *r)
{
    struct binary *x = r->state;
    x->atpart = x->npart;
    if (x->npart == 1)
        choose(x, 0);
    for (size_t i = 1; i < r->columns.ncolumn; i++)
        if (r->columns.column[i].role == ROLE_CHANNEL) {
            struct binary_part *part = &x->part[x->column[i].part];
            r->npart += x->npart > 1 && !part->selected;
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
    struct binary *x = r->state;
    if (x->npart > 0 && !t->partial)
        select_parts(r);
    return true;
}

/* Gives the next rows of the table that is loaded. */
static enum loaded load_rows(struct reader *r, struct block *b, struct error *e)
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
        uint64_t number = (uint64_t)x->atpart << PART_SHIFT | (x->atrow + i);
        memcpy(b->text + i * sizeof number, &number, sizeof number);
    }
    for (size_t i = 0; i < n * b->ncell; i++)
        b->cell[i] = (struct span){ 0, NUMBER_MAX };
    b->ntext = n * sizeof(uint64_t);
    b->nrow = n;
    b->nline = 0;
    x->atrow += n;
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

enum loaded binary_load(struct reader *r, struct block *b, struct error *e)
{
    struct binary *x = r->state;
    if (x->npart > 0 && x->atpart == x->npart)
        choose(x, 0);
    enum loaded loaded = load_rows(r, b, e);
    if (loaded != LOAD_END || r->part || x->npart == 0 || x->atpart + 1 == x->npart)
        return loaded;
    choose(x, x->atpart + 1);
    return load_rows(r, b, e);
}

/* The number of a row of the block in its table; *part: the table. */
static inline uint64_t file_row(const struct block *b, size_t row, size_t *part)
{
    uint64_t number;
    memcpy(&number, b->text + row * sizeof number, sizeof number);
    *part = number >> PART_SHIFT;
    return number & (((uint64_t)1 << PART_SHIFT) - 1);
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
    if (c->divisor != 0 && c->type == SAMPLE_INT64)
        return sample_get(c->first + at, c->type, c->big) / c->divisor;
    if (c->divisor != 0)
        return fmax(sample_get(c->first + at, c->type, c->big) / c->divisor, -1);
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

/* Where the numbers of a column are in the table of that row. */
static const struct binary_column *column_of(const struct binary *x, const struct block *b, size_t row,
                                             size_t column)
{
    size_t part;
    file_row(b, row, &part);
    return column == 0 && x->part ? &x->part[part].time : &x->column[column];
}

/* The columns after the time that the rows of a block may have: from the one returned on, up to *end. Where
 * the rows of one table are filtered, these are the columns of the table. */
static size_t first_column(const struct reader *r, const struct block *b, size_t *end)
{
    const struct binary *x = r->state;
    size_t part;
    *end = r->columns.ncolumn;
    if (!r->columns.partial || b->nrow == 0)
        return 1;
    file_row(b, 0, &part);
    *end = x->part[part].end;
    return x->part[part].first;
}

static void parse_numbers(const struct reader *r, struct block *b, size_t column)
{
    if (r->columns.column[column].value == COLUMN_NONE || b->nrow == 0)
        return;
    const struct binary_column *c = column_of(r->state, b, 0, column); /* rows of a block are of one table */
    if (is_common(c))
        parse_column(r, b, column, *c);
    else
        parse_column(r, b, column, *c);
}

void binary_parse(const struct reader *r, struct block *b)
{
    const struct columns *t = &r->columns;
    const struct binary *x = r->state;
    size_t end, first = first_column(r, b, &end);
    parse_numbers(r, b, 0);
    for (size_t i = first; i < end; i++)
        parse_numbers(r, b, i);
    for (size_t row = 0; t->time != COLUMN_NONE && row < b->nrow; row++)
        b->time[row] = (struct timestamp){ .t = number_at(column_of(x, b, row, t->time), t->rate, b, row) };
}

const char *binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct binary *x = r->state;
    double number = number_at(column_of(x, b, row, column), r->columns.rate, b, row);
    struct number_format format = number_shortest;
    format.point = reader_point(r);
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
        free(x->part);
        free(x->slot);
        for (size_t i = 0; i < x->nkept; i++)
            free(x->kept[i]);
        free(x->kept);
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

/* Corrects the residual of a point. False if the samples of the point stay as they are, because the point was
 * missing or becomes missing. whole: all numbers of the point are there. */
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
                           c.divisor != 0 ? x * c.divisor : x / c.scale + c.offset))
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
    size_t end;
    for (p.column = first_column(w->reader, b, &end); p.column < end; p.column += p.n) {
        const struct binary_column *c = &x->column[p.column];
        bool any = false;
        p.n = 0;
        do {
            size_t column = p.column + p.n, out = w->layout->replace[column];
            p.out[p.n] = out == COLUMN_NONE ? NULL : block_out(b, out);
            p.held[p.n] = out == COLUMN_NONE ? NULL : block_value(b, t->column[column].value);
            any = any || p.out[p.n];
        } while (++p.n < MAXPOINT && p.column + p.n < end && c->residual && c[p.n].residual == c->residual);
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
    if (binary_more(x))
        return true;
    free(b->bytes);
    b->bytes = (char *)x->bytes;
    b->nbyte = b->maxbyte = x->nbyte;
    x->bytes = NULL;
    return true;
}
