/* What the harnesses of text formats share: a source in memory, and one input through a reader into a writer,
 * without the driver. The first byte of the data chooses options, the second how much one read gives; the
 * rest is the input. What must hold of every format: nothing but an error or rows; when no cell is replaced,
 * the output is the input up to the fault; and reading in small pieces gives the same bytes and the same
 * error. Build: clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE tests/fuzz/fuzz_csv.c (or
 * another) and src without source.c, main.c; -lcjson */
#ifndef SPRUNG_FUZZ_FLOW_H
#define SPRUNG_FUZZ_FLOW_H

#include "formats/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* --- a source in memory, chunk bytes at a time: it stands in for source.c --- */

static const uint8_t *input;
static size_t ninput, chunk;

bool source_read(struct source *s, char *buf, size_t max, size_t *n, struct error *e)
{
    (void)s, (void)e;
    *n = ninput < chunk ? ninput : chunk;
    *n = *n < max ? *n : max;
    if (*n)
        memcpy(buf, input, *n);
    input += *n;
    ninput -= *n;
    return true;
}

bool source_open(struct source *s, const char *name, struct error *e)
{
    (void)s, (void)name;
    return error_data(e, "no files here");
}

void source_close(struct source *s)
{
    (void)s;
}

bool source_peek(struct source *s, size_t atleast, struct error *e)
{
    (void)s, (void)atleast;
    return error_data(e, "no files here");
}

bool source_ready(const struct source *s)
{
    (void)s;
    return true;
}

/* --- one input --- */

struct result {
    char *bytes;
    size_t n;
    struct error error;
};

/* The harness's own: options by how, then flow. replace: filtered cells are written anew, as they were
 * read. */
static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece);

static inline void require(bool good)
{
    if (!good)
        abort();
}

static inline void take(struct result *out, struct block *b)
{
    out->bytes = realloc(out->bytes, out->n + b->nbyte + 1);
    if (b->nbyte)
        memcpy(out->bytes + out->n, b->bytes, b->nbyte);
    out->n += b->nbyte;
    out->bytes[out->n] = 0;
    b->nbyte = 0;
}

/* Every out column of a channel is the channel itself. */
static inline void copy_values(const struct reader *r, struct block *b)
{
    size_t each = r->table.nchannel ? r->nout / r->table.nchannel : 0;
    for (size_t c = 0; c < r->table.nchannel; c++)
        for (size_t o = 0; o < each; o++)
            memcpy(block_out(b, c * each + o), block_value(b, c), b->nrow * sizeof(double));
}

static inline void pump(struct reader *r, struct writer *w, struct result *out)
{
    struct block b;
    uint64_t line = r->nline, nrow = 0;
    b = (struct block){ 0 };
    if ((!w->format->accept || w->format->accept(w, &out->error)) &&
        (!w->format->begin || w->format->begin(w, &b, &out->error)))
        take(out, &b);
    while (out->error.kind == ERROR_NONE && r->format->load(r, &b, &out->error) == LOAD_ROWS) {
        format_parse(r, &b);
        struct error fault = b.error;
        require(block_leave_out(&b, &fault));
        copy_values(r, &b);
        b.error.kind = ERROR_NONE;
        b.firstrow = nrow;
        nrow += b.nrow;
        w->format->print(w, &b);
        take(out, &b);                  /* after an error the rows before it */
        if (b.error.kind != ERROR_NONE) /* in a row before that of the fault */
            fault = b.error;
        if (fault.kind != ERROR_NONE) {
            out->error = fault;
            out->error.line += line;
        }
        line += b.nline;
    }
    if (out->error.kind == ERROR_NONE && w->format->finish && w->format->finish(w, &b, &out->error))
        take(out, &b);
    if (w->format->end)
        w->format->end(w);
    block_free(&b);
}

/* One out column a channel, and a derivative with add. */
static inline void lay_out(struct output_columns *l, const struct table *table, bool replace, bool add)
{
    const struct table *t = table;
    l->replace = malloc((t->ncolumn + 1) * sizeof *l->replace);
    l->added = malloc((t->ncolumn + 1) * sizeof *l->added);
    for (size_t i = 0; i < t->ncolumn; i++) {
        l->replace[i] = COLUMN_NONE;
        if (!table_filters(table, i))
            continue;
        size_t out = l->nout++;
        l->replace[i] = replace ? out : COLUMN_NONE;
        if (replace && add) {
            char *name = malloc(strlen(t->column[i].name) + 5);
            sprintf(name, "%s_vel", t->column[i].name);
            l->added[l->nadded++] = (struct added){
                .column = i, .out = l->nout++, .name = name, .derivative = 1, .suffix = "_vel"
            };
        }
    }
}

/* The rows of the input, or of one of its tables, through r into w. */
static inline void flow_table(struct reader *r, struct writer *w, bool replace, bool add, struct result *out)
{
    struct output_columns layout = { 0 };
    w->layout = &layout;
    lay_out(&layout, &r->table, replace, add);
    r->nout = layout.nout;
    pump(r, w, out);
    for (size_t i = 0; i < layout.nadded; i++)
        free(layout.added[i].name);
    free(layout.added);
    free(layout.replace);
}

/* Makes *part the reader of the next part, and binds it. False at the end of the parts and on an error. */
static inline bool next_part(const struct reader *r, struct reader *part, struct error *e)
{
    return r->format->next(r, part, e) == LOAD_ROWS && reader_bind(part, e);
}

/* The data, piece bytes at a time, through r into w, whose formats and options are set. */
static inline struct result flow(const uint8_t *data, size_t n, size_t piece, struct reader *r,
                                 struct writer *w, const struct column_choice *choice, bool replace, bool add)
{
    struct result out = { calloc(1, 1), 0, { .kind = ERROR_NONE } };
    struct source source = { .name = "-" };
    struct reader part = { 0 };
    input = data, ninput = n, chunk = piece;
    r->source = &source;
    w->reader = r;
    w->fd = -1;
    if (r->format->open(r, &out.error) && table_plan(&r->table, choice, &out.error) &&
        reader_bind(r, &out.error)) {
        if (r->npart == 0)
            flow_table(r, w, replace, add, &out);
        w->reader = r->npart == 0 ? r : &part;
        while (r->npart > 0 && out.error.kind == ERROR_NONE && next_part(r, &part, &out.error))
            flow_table(&part, w, replace, add, &out);
    }
    r->format->close(r);
    table_free(&part.table);
    table_free(&r->table);
    return out;
}

/* --- what must hold --- */

static inline void require_same(const struct result *a, const struct result *b)
{
    char x[2048], y[2048];
    require(a->n == b->n && (!a->n || memcmp(a->bytes, b->bytes, a->n) == 0));
    require(a->error.kind == b->error.kind);
    if (a->error.kind == ERROR_NONE)
        return;
    error_what(&a->error, x, sizeof x);
    error_what(&b->error, y, sizeof y);
    require(strcmp(x, y) == 0 && a->error.line == b->error.line);
}

/* With no cell replaced the output is the input. corrects: the format corrects numbers of the head that are
 * wrong, so that the output, if it can be read, comes out of itself as it is. */
static inline bool keeps_bytes(const uint8_t *data, size_t n, unsigned how, bool corrects)
{
    struct result same = run(data, n, how, false, SIZE_MAX);
    const bool good = same.error.kind == ERROR_NONE;
    if (good && corrects) {
        struct result again = run((const uint8_t *)same.bytes, same.n, how, false, SIZE_MAX);
        if (again.error.kind == ERROR_NONE)
            require_same(&same, &again);
        free(again.bytes);
    } else if (!corrects) {
        require(same.n <= n && (!same.n || memcmp(same.bytes, data, same.n) == 0));
        require(!good || same.n == n);
    }
    free(same.bytes);
    return good;
}

/* Returns what comes out with cells replaced, read whole and in small pieces, to be freed. */
static inline struct result try_pieces(const uint8_t *data, size_t n)
{
    struct result whole = run(data + 2, n - 2, data[0], true, SIZE_MAX);
    struct result part = run(data + 2, n - 2, data[0], true, data[1] % 16 + 1);
    require_same(&whole, &part);
    free(part.bytes);
    return whole;
}

/* As try_pieces, and without cells replaced. *good: nothing is wrong with the input. corrects: as in
 * keeps_bytes. */
static inline struct result try_all(const uint8_t *data, size_t n, bool corrects, bool *good)
{
    *good = keeps_bytes(data + 2, n - 2, data[0], corrects);
    return try_pieces(data, n);
}

#endif
