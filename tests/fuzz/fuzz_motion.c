/* bvh, trc and sto from any bytes. The first byte chooses format and options, the second how much one read
 * gives; the rest is the input. What must hold: nothing but an error or rows; when no cell is replaced, the
 * output is the input up to the fault; and reading in small pieces gives the same bytes and the same error.
 * Build: clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE tests/fuzz/fuzz_motion.c and src
 * without source.c, main.c */
#include "../../src/formats/format.h"
#include "../../src/spool.h"

#include <stdlib.h>
#include <string.h>

/* Stands in for source.c: memory, chunk bytes at a time. */
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

/* Stand in for what of source.c no format calls here. */
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

struct result {
    char *bytes;
    size_t n;
    struct error error;
};

static void take(struct result *out, struct block *b)
{
    out->bytes = realloc(out->bytes, out->n + b->nbyte + 1);
    if (b->nbyte)
        memcpy(out->bytes + out->n, b->bytes, b->nbyte);
    out->n += b->nbyte;
    b->nbyte = 0;
}

static void flow(struct reader *r, struct writer *w, struct result *out)
{
    struct block b;
    uint64_t line = r->nline, row = 0;
    enum loaded loaded;
    block_init(&b);
    if (w->format->begin(w, &b, &out->error))
        take(out, &b);
    while (out->error.kind == ERROR_NONE && (loaded = r->format->load(r, &b, &out->error)) == LOAD_ROWS) {
        r->format->parse(r, &b);
        for (size_t c = 0; c < r->table.nchannel && r->nout; c++)
            memcpy(block_out(&b, c), block_value(&b, c), b.nrow * sizeof(double));
        struct error fault = b.error;
        b.error.kind = ERROR_NONE;
        b.firstrow = row;
        row += b.nrow;
        w->format->print(w, &b);
        take(out, &b);
        if (fault.kind != ERROR_NONE) {
            out->error = fault;
            out->error.line += line;
        }
        line += b.nline;
    }
    block_free(&b);
}

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    static const char *const formats[] = { "bvh", "trc", "sto", "mot" };
    struct result out = { NULL, 0, { .kind = ERROR_NONE } };
    struct input_options options = { .decimal = how & 4 ? "," : NULL, .missing = how & 8 ? "0,b" : NULL };
    struct table_choice choice = { .rate_given = how & 16,
                                   .all_cells = how & 32,
                                   .columns = how & 64 ? "2" : NULL };
    struct source source = { .fd = -1 };
    struct reader r = {
        .format = format_find(formats[how & 3]), .source = &source, .options = &options, .lenient = how & 128
    };
    struct layout layout = { 0 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .reader = &r,
                        .layout = &layout,
                        .fd = -1 };
    w.number = (struct number_format){ NUMBER_SHORTEST, 0, how & 4 ? ',' : '.' };
    input = data, ninput = n, chunk = piece;
    if (r.format->open(&r, &out.error) && table_select(&r.table, &choice, &out.error) &&
        r.format->plan(&r, &out.error)) {
        layout.replace = malloc((r.table.ncolumn + 1) * sizeof *layout.replace);
        for (size_t i = 0; i < r.table.ncolumn; i++)
            layout.replace[i] = r.table.column[i].role == ROLE_CHANNEL && replace ? layout.nout++
                                                                                  : TABLE_NONE;
        r.nout = layout.nout;
        if (!w.format->accept || w.format->accept(&w, &out.error))
            flow(&r, &w, &out);
    }
    if (w.format->end)
        w.format->end(&w);
    r.format->close(&r);
    table_free(&r.table);
    free(layout.replace);
    return out;
}

static void require(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2)
        return 0;
    struct result same = run(data + 2, n - 2, data[0], false, SIZE_MAX);
    require(same.n <= n - 2 && (!same.n || memcmp(same.bytes, data + 2, same.n) == 0));
    require(same.error.kind != ERROR_NONE || same.n == n - 2);
    struct result whole = run(data + 2, n - 2, data[0], true, SIZE_MAX);
    struct result part = run(data + 2, n - 2, data[0], true, data[1] % 16 + 1);
    require(whole.n == part.n && (!whole.n || memcmp(whole.bytes, part.bytes, whole.n) == 0));
    char a[2048], b[2048];
    require(whole.error.kind == part.error.kind);
    if (whole.error.kind != ERROR_NONE) {
        error_format(&whole.error, "-", a, sizeof a);
        error_format(&part.error, "-", b, sizeof b);
        require(strcmp(a, b) == 0 && whole.error.line == part.error.line && whole.error.at == part.error.at);
    }
    free(same.bytes);
    free(whole.bytes);
    free(part.bytes);
    return 0;
}
