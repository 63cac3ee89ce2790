/* csv from any bytes. The first byte chooses options, the second how much one read gives; the rest is the
 * input. What must hold: nothing but an error or rows; when no cell is replaced, the output is the input up
 * to the fault; and reading in small pieces gives the same bytes and the same error. Build: clang -g -O1
 * -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE tests/fuzz/fuzz_csv.c and src without source.c, main.c */
#include "../../src/formats/format.h"

#include <math.h>
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
    uint64_t line = r->nline;
    enum loaded loaded;
    block_init(&b);
    if (w->format->begin(w, &b, &out->error))
        take(out, &b);
    while (out->error.kind == ERROR_NONE && (loaded = r->format->load(r, &b, &out->error)) == LOAD_ROWS) {
        r->format->parse(r, &b);
        for (size_t c = 0; c < r->table.nchannel; c++)
            memcpy(block_out(&b, c), block_value(&b, c), b.nrow * sizeof(double));
        struct error fault = b.error;
        b.error.kind = ERROR_NONE;
        w->format->print(w, &b);
        take(out, &b);
        if (fault.kind != ERROR_NONE) {
            out->error = fault;
            out->error.line += line;
        }
        line += b.nline;
    }
    w->format->end(w);
    block_free(&b);
}

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct result out = { NULL, 0, { .kind = ERROR_NONE } };
    struct input_options options = { .comment = how & 1 ? "#" : NULL,
                                     .decimal = how & 2 ? "," : NULL,
                                     .header = how & 4 ? "1,2" : NULL,
                                     .no_header = (how & 12) == 8,
                                     .missing = how & 16 ? "0,b" : NULL };
    struct table_choice choice = { .rate_given = how & 32,
                                   .group = how & 64 ? "1" : NULL,
                                   .all_cells = how & 128 };
    struct source source = { .fd = -1 };
    struct reader r = {
        .format = format_find("csv"), .source = &source, .options = &options, .lenient = how & 128
    };
    struct layout layout = { 0 };
    struct writer w = { .format = format_find(how & 128 && replace ? "tsv" : "csv"),
                        .reader = &r,
                        .layout = &layout };
    w.number = (struct number_format){ NUMBER_SHORTEST, 0, how & 2 ? ',' : '.' };
    input = data, ninput = n, chunk = piece;
    if (r.format->open(&r, &out.error)) {
        if (table_select(&r.table, &choice, &out.error) && r.format->plan(&r, &out.error)) {
            layout.replace = malloc((r.table.ncolumn + 1) * sizeof *layout.replace);
            for (size_t i = 0; i < r.table.ncolumn; i++)
                layout.replace[i] = r.table.column[i].role == ROLE_CHANNEL && replace ? layout.nout++
                                                                                      : TABLE_NONE;
            r.nout = replace ? layout.nout : r.table.nchannel;
            flow(&r, &w, &out);
        }
        r.format->close(&r);
    }
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
