/* Rows of binary files: reading their samples, and storing new ones at the same places. See binary.h. A
 * block's text is the numbers of its rows in the file, so that rows that others put together (--resample) are
 * found again. */
#include "formats/binary/binary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16 * 1024, LEAST = 64, PIECE = 64 * 1024 }; /* samples and rows of a load; bytes of a read */

/* --- samples --- */

static const struct {
    size_t width;
    double least, most; /* of integers */
    const char *name;
} samples[] = {
    [SAMPLE_INT8] = { 1, -128, 127, "an integer of 8 bits" },
    [SAMPLE_UINT8] = { 1, 0, 255, "an unsigned integer of 8 bits" },
    [SAMPLE_INT16] = { 2, -32768, 32767, "an integer of 16 bits" },
    [SAMPLE_UINT16] = { 2, 0, 65535, "an unsigned integer of 16 bits" },
    [SAMPLE_FLOAT] = { 4, 0, 0, "a float" },
    [SAMPLE_FLOAT_DEC] = { 4, 0, 0, "a float of DEC" },
};

size_t sample_width(enum sample_type type)
{
    return samples[type].width;
}

/* The most significant byte of a DEC float is the second, then come the first, the fourth and the third. */
static inline uint32_t get_bits(const unsigned char *p, enum sample_type type, bool big)
{
    switch (samples[type].width) {
    case 1:
        return p[0];
    case 2:
        return big ? p[0] * 256U + p[1] : p[1] * 256U + p[0];
    default:
        break;
    }
    if (type == SAMPLE_FLOAT_DEC)
        return (uint32_t)p[1] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[3] << 8 | p[2];
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void put_bits(unsigned char *p, enum sample_type type, bool big, uint32_t bits)
{
    size_t n = samples[type].width;
    for (size_t i = 0; i < n; i++)
        p[type == SAMPLE_FLOAT_DEC ? i ^ 2 : big ? n - 1 - i : i] = (unsigned char)(bits >> 8 * i);
}

/* VAX Architecture Reference Manual, F_floating: sign, exponent of 8 bits with an excess of 128, 23 bits of a
 * fraction 0.1...; exponent 0 is 0, or with a sign no number. */
static double get_dec(uint32_t bits)
{
    int exponent = bits >> 23 & 255;
    if (exponent == 0)
        return bits >> 31 ? (double)NAN : 0;
    double x = ldexp((bits & 0x7FFFFF) | 0x800000, exponent - 128 - 24);
    return bits >> 31 ? -x : x;
}

static bool dec_bits(double x, uint32_t *bits)
{
    int exponent;
    double fraction = nearbyint(ldexp(frexp(fabs(x), &exponent), 24));
    if (fraction == 1 << 24) {
        fraction /= 2;
        exponent++;
    }
    *bits = (uint32_t)signbit(x) << 31 | (uint32_t)(exponent + 128) << 23 | ((uint32_t)fraction & 0x7FFFFF);
    if (x == 0 || exponent < -127)
        *bits = 0;
    return exponent <= 127;
}

double sample_get(const unsigned char *at, enum sample_type type, bool big)
{
    uint32_t bits = get_bits(at, type, big);
    float x;
    switch (type) {
    case SAMPLE_INT8:
        return (int8_t)bits;
    case SAMPLE_INT16:
        return (int16_t)bits;
    case SAMPLE_FLOAT:
        memcpy(&x, &bits, sizeof x);
        return (double)x;
    case SAMPLE_FLOAT_DEC:
        return get_dec(bits);
    default:
        return bits;
    }
}

bool sample_put(unsigned char *at, enum sample_type type, bool big, double x)
{
    uint32_t bits;
    if (!isfinite(x))
        return false;
    if (type == SAMPLE_FLOAT) {
        float y = (float)x + 0; /* never -0 */
        if (isinf(y))
            return false;
        memcpy(&bits, &y, sizeof bits);
    } else if (type == SAMPLE_FLOAT_DEC) {
        if (!dec_bits(x, &bits))
            return false;
    } else {
        x = nearbyint(x);
        if (x < samples[type].least || x > samples[type].most)
            return false;
        bits = (uint32_t)(int32_t)x;
    }
    put_bits(at, type, big, bits);
    return true;
}

/* --- reading --- */

bool binary_open(struct reader *r, struct error *e)
{
    struct binary *x = r->state = calloc(1, sizeof *x);
    size_t max = 0;
    if (!x)
        return error_memory(e);
    x->row = "frame";
    r->columns.named = true;
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

bool binary_place(struct binary_column *c, unsigned char *bytes, size_t nbyte, uint64_t at, uint64_t nrow)
{
    uint64_t row = nrow > 0 ? nrow - 1 : 0, far, jumped;
    if (at > nbyte || __builtin_mul_overflow(row, c->stride, &far) ||
        __builtin_mul_overflow(c->fold ? row / c->fold : 0, c->jump, &jumped) ||
        __builtin_add_overflow(far, jumped, &far) || far > nbyte - at ||
        (nrow > 0 && samples[c->type].width > nbyte - at - far))
        return false;
    c->first = bytes + at;
    return true;
}

bool binary_bind(struct reader *r, struct error *e)
{
    struct columns *t = &r->columns;
    size_t time = t->time != COLUMN_NONE ? t->time : t->passed;
    if (t->group != COLUMN_NONE || (time != COLUMN_NONE && time != 0)) {
        error_usage(e, "%s: a %s file has its own time, and one series",
                    t->group != COLUMN_NONE ? "--group-by" : "--time", r->format->name);
        return error_hint(e, "convert it with --to csv first");
    }
    if (isnan(t->rate)) {
        error_data(e, "the header tells no rate that can be used");
        return error_hint(e, "give it with --rate HZ");
    }
    if (t->cut == 0)
        return error_usage(e, "--cut-column: it is the time");
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
        memcpy(b->text + i * sizeof(uint64_t), &(uint64_t){ x->atrow + i }, sizeof(uint64_t));
    }
    for (size_t i = 0; i < n * b->ncell; i++)
        b->cell[i] = (struct span){ 0, NUMBER_MAX };
    b->ntext = n * sizeof(uint64_t);
    b->nrow = n;
    b->nline = 0;
    x->atrow += n;
    if (x->nrow > 0)
        r->source->nread = (uint64_t)((double)x->nbyte / (double)x->nrow * (double)x->atrow);
    return n > 0 ? LOAD_ROWS : LOAD_END;
}

static inline uint64_t file_row(const struct block *b, size_t row)
{
    uint64_t number;
    memcpy(&number, b->text + row * sizeof number, sizeof number);
    return number;
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

static inline double number_at(const struct reader *r, size_t column, uint64_t row)
{
    const struct binary *x = r->state;
    const struct binary_column *c = &x->column[column];
    if (!c->first)
        return (double)row / r->columns.rate;
    size_t at = distance(c, row);
    return is_missing(c, at) ? (double)NAN
                             : (sample_get(c->first + at, c->type, c->big) - c->offset) * c->scale;
}

static unsigned long long row_in_messages(const struct binary *x, const struct block *b, size_t row)
{
    return x->firstrow + file_row(b, row);
}

/* An infinite sample is an error; with lenient it is a gap. */
static void check_number(const struct reader *r, struct block *b, size_t column, size_t row, double *value)
{
    const struct binary *x = r->state;
    if (!isinf(*value))
        return;
    *value = (double)NAN;
    if (r->lenient)
        return;
    error_data(&b->error, "the sample of %s %llu is infinite", x->row, row_in_messages(x, b, row));
    error_column(&b->error, r->columns.column[column].name);
    b->nrow = row;
}

void binary_parse(const struct reader *r, struct block *b)
{
    const struct columns *t = &r->columns;
    for (size_t i = 0; i < t->ncolumn; i++) {
        double *value = t->column[i].value == COLUMN_NONE ? NULL : block_value(b, t->column[i].value);
        for (size_t row = 0; value && row < b->nrow; row++) {
            value[row] = number_at(r, i, file_row(b, row));
            check_number(r, b, i, row, &value[row]);
        }
    }
    for (size_t row = 0; t->time != COLUMN_NONE && row < b->nrow; row++)
        b->time[row] = (struct timestamp){ .t = number_at(r, t->time, file_row(b, row)) };
}

const char *binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    char text[NUMBER_MAX];
    double x = number_at(r, column, file_row(b, row));
    if (!isfinite(x))
        return NULL;
    size_t n = number_print(text, x, &number_shortest);
    *ntext = n < maxbuf ? n : maxbuf;
    memcpy(buf, text, *ntext);
    return buf;
}

void binary_close(struct reader *r)
{
    struct binary *x = r->state;
    if (!x)
        return;
    free(x->bytes);
    free(x->column);
    free(x);
    r->state = NULL;
}

/* --- writing --- */

bool binary_accept(struct writer *w, struct error *e)
{
    const char *name = w->format->name;
    bool derived = format_derived(w->layout);
    if (w->format != w->reader->format) {
        error_usage(e, "--to %s needs a %s input: new samples are stored in a copy of it", name, name);
        return error_hint(e, "use --to csv or --to json, or --to trc for markers");
    }
    if (w->resampled) {
        error_usage(e, "--resample: a %s file keeps its rows and their times", name);
        return error_hint(e, "use --to csv");
    }
    if (w->layout->nadded == 0)
        return true;
    error_usage(e, "%s: a %s file has no place for them",
                derived ? "derivatives" : "columns that the filter adds", name);
    return error_hint(e, "%swrite them with --to csv",
                      derived ? "leave them out with --derivatives 0, or " : "");
}

/* A number that its sample cannot hold, or a gap (NaN). */
static void refuse_number(const struct writer *w, struct block *b, size_t column, size_t row, double number)
{
    const struct binary *x = w->reader->state;
    unsigned long long n = row_in_messages(x, b, row);
    if (isnan(number)) {
        error_data(&b->error, "a gap at %s %llu, and %s has no way to write one here", x->row, n,
                   w->format->name);
        error_hint(&b->error, "--gaps fill or linear puts a value there; --to csv keeps gaps");
    } else {
        error_data(&b->error, "%g at %s %llu does not fit into %s", number, x->row, n,
                   samples[x->column[column].type].name);
        error_hint(&b->error, "--to csv holds any number");
    }
    error_column(&b->error, w->reader->columns.column[column].name);
    b->nrow = row;
}

/* Stores the numbers of a point, whose columns are i to end - 1, or of a single column. */
static void print_point(const struct writer *w, struct block *b, size_t i, size_t end, size_t row)
{
    const struct binary *x = w->reader->state;
    const struct column *column = w->reader->columns.column;
    const size_t *replace = w->layout->replace;
    const struct binary_column *c = &x->column[i];
    size_t at = distance(c, file_row(b, row));
    bool missing = is_missing(c, at), lost = false, whole = true;
    for (size_t k = i; k < end; k++) {
        bool number = replace[k] != COLUMN_NONE && !isnan(block_out(b, replace[k])[row]);
        lost = lost || (replace[k] != COLUMN_NONE && !number && writer_lost(b, row, column[k].value));
        whole = whole && number;
    }
    if (lost && !c->residual)
        refuse_number(w, b, i, row, (double)NAN);
    else if (c->residual && (lost || (missing && whole)))
        sample_put(c->residual + at, c->type, c->big, lost ? -1 : 0);
    for (size_t k = i; k < end && !lost && (whole || !missing); k++) {
        double number = replace[k] == COLUMN_NONE ? (double)NAN : block_out(b, replace[k])[row];
        c = &x->column[k];
        if (!isnan(number) && number != block_value(b, column[k].value)[row] &&
            !sample_put(c->first + at, c->type, c->big, number / c->scale + c->offset)) {
            refuse_number(w, b, k, row, number);
            return;
        }
    }
}

/* Rows are printed up to the first error of all columns. */
void binary_print(const struct writer *w, struct block *b)
{
    const struct binary *x = w->reader->state;
    size_t n = w->reader->columns.ncolumn;
    for (size_t i = 0, end; i < n; i = end) {
        bool any = w->layout->replace[i] != COLUMN_NONE;
        const unsigned char *residual = x->column[i].residual;
        for (end = i + 1; residual && end < n && x->column[end].residual == residual; end++)
            any = any || w->layout->replace[end] != COLUMN_NONE;
        for (size_t row = 0; any && row < b->nrow; row++)
            print_point(w, b, i, end, row);
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
