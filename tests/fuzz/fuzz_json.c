/* json and jsonl from any bytes. The first byte chooses options, the second how much one read gives; the rest
 * is the input. What must hold: nothing but an error or rows; what is read without an error is JSON to cJSON
 * as well, and so is what comes out; when no cell is replaced, the output is the input up to the fault; and
 * reading in small pieces gives the same bytes and the same error. Build: clang -g -O1
 * -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE tests/fuzz/fuzz_json.c and src without source.c, main.c;
 * -lcjson */
#include "../../src/formats/format.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1, ADD = 2, POINTER = 4, MISSING = 8, TIME = 16, GROUP = 32, OTHER = 64, LENIENT = 128 };

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
    out->bytes[out->n] = 0;
    b->nbyte = 0;
}

static void flow(struct reader *r, struct writer *w, struct result *out)
{
    struct block b;
    uint64_t line = r->nline, nrow = 0;
    size_t each = r->table.nchannel ? w->layout->nout / r->table.nchannel : 0;
    enum loaded loaded = LOAD_END;
    block_init(&b);
    if ((!w->format->accept || w->format->accept(w, &out->error)) && w->format->begin(w, &b, &out->error))
        take(out, &b);
    while (out->error.kind == ERROR_NONE && (loaded = r->format->load(r, &b, &out->error)) == LOAD_ROWS) {
        r->format->parse(r, &b);
        b.firstrow = nrow;
        nrow += b.nrow;
        for (size_t c = 0; c < r->table.nchannel; c++)
            for (size_t o = 0; o < each; o++)
                memcpy(block_out(&b, c * each + o), block_value(&b, c), b.nrow * sizeof(double));
        struct error fault = b.error;
        b.error.kind = ERROR_NONE;
        w->format->print(w, &b);
        if (b.error.kind == ERROR_NONE)
            take(out, &b);
        if (fault.kind == ERROR_NONE)
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

/* One out column a channel, and a derivative with ADD. */
static void lay_out(struct layout *l, const struct table *t, bool replace, bool add)
{
    l->replace = malloc((t->ncolumn + 1) * sizeof *l->replace);
    l->added = malloc((t->ncolumn + 1) * sizeof *l->added);
    for (size_t i = 0; i < t->ncolumn; i++) {
        l->replace[i] = TABLE_NONE;
        if (t->column[i].role != ROLE_CHANNEL)
            continue;
        size_t out = l->nout++;
        l->replace[i] = replace ? out : TABLE_NONE;
        if (replace && add) {
            char *name = malloc(strlen(t->column[i].name) + 5);
            sprintf(name, "%s_vel", t->column[i].name);
            l->added[l->nadded++] = (struct added){ i, l->nout++, name, strlen(t->column[i].name), "_vel" };
        }
    }
}

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct result out = { calloc(1, 1), 0, { .kind = ERROR_NONE } };
    struct input_options options = { .records = how & POINTER ? "/a/0" : NULL,
                                     .missing = how & MISSING ? "0,b" : NULL };
    struct table_choice choice = { .rate_given = !(how & TIME),
                                   .group = how & GROUP ? "1" : NULL,
                                   .all_cells = replace && how & OTHER };
    struct source source = { .fd = -1 };
    struct reader r = { .format = format_find(how & LINES ? "jsonl" : "json"),
                        .source = &source,
                        .options = &options,
                        .lenient = how & LENIENT };
    struct layout layout = { 0 };
    struct writer w = { .format = r.format, .reader = &r, .layout = &layout };
    if (choice.all_cells)
        w.format = format_find(how & GROUP ? "csv" : how & LINES ? "json" : "jsonl");
    w.number = (struct number_format){ NUMBER_SHORTEST, 0, '.' };
    input = data, ninput = n, chunk = piece;
    if (r.format->open(&r, &out.error)) {
        if (table_select(&r.table, &choice, &out.error) && r.format->plan(&r, &out.error)) {
            lay_out(&layout, &r.table, replace, how & ADD);
            r.nout = layout.nout;
            flow(&r, &w, &out);
        }
        r.format->close(&r);
    }
    table_free(&r.table);
    for (size_t i = 0; i < layout.nadded; i++)
        free(layout.added[i].name);
    free(layout.added);
    free(layout.replace);
    return out;
}

static void require(bool good)
{
    if (!good)
        abort();
}

/* cJSON takes more than JSON, but it must take all of it. One value, or one a line. */
static void require_json(const char *text, size_t n, bool lines)
{
    const char *end = text + n;
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    while (text < end) {
        const char *eol = lines ? memchr(text, '\n', (size_t)(end - text)) : NULL,
                   *stop = eol ? eol + 1 : end;
        const char *p = text;
        while (p < stop && strchr(" \t\r\n", *p))
            p++;
        if (p < stop) {
            char *copy = strndup(p, (size_t)(stop - p));
            cJSON *value = cJSON_ParseWithLengthOpts(copy, (size_t)(stop - p) + 1, NULL, 1);
            /* Its own limit is 1000 levels as well, but it counts one less. */
            require(value || cJSON_GetErrorPtr() - copy >= 999);
            cJSON_Delete(value);
            free(copy);
        }
        text = stop;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2)
        return 0;
    unsigned how = data[0];
    struct result same = run(data + 2, n - 2, how, false, SIZE_MAX);
    require(same.n <= n - 2 && (!same.n || memcmp(same.bytes, data + 2, same.n) == 0));
    require(same.error.kind != ERROR_NONE || same.n == n - 2);
    if (same.error.kind == ERROR_NONE)
        require_json((const char *)data + 2, n - 2, how & LINES);
    struct result whole = run(data + 2, n - 2, how, true, SIZE_MAX);
    struct result part = run(data + 2, n - 2, how, true, data[1] % 16 + 1);
    require(whole.n == part.n && (!whole.n || memcmp(whole.bytes, part.bytes, whole.n) == 0));
    bool lines = how & OTHER ? !(how & LINES) : how & LINES;
    if (whole.error.kind == ERROR_NONE && (how & (OTHER | GROUP)) != (OTHER | GROUP))
        require_json(whole.bytes, whole.n, lines);
    char a[2048], b[2048];
    require(whole.error.kind == part.error.kind);
    if (whole.error.kind != ERROR_NONE) {
        error_format(&whole.error, "-", a, sizeof a);
        error_format(&part.error, "-", b, sizeof b);
        require(strcmp(a, b) == 0 && whole.error.line == part.error.line);
    }
    free(same.bytes);
    free(whole.bytes);
    free(part.bytes);
    return 0;
}
