/* One input through a format's reader into a writer, without the driver: for unit tests only. Every input is
 * read whole, in pieces of 1, 2, 3 and 7 bytes, and by the format's careful path where it has one; what comes
 * out and what is complained of must not differ. Filtered cells come out doubled, added columns hold the
 * value itself. */
#ifndef SPRUNG_TEST_READ_WRITE_H
#define SPRUNG_TEST_READ_WRITE_H

#include "formats/format.h"
#include "io/tempfile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the tests of a format have in common; a test may define it with values of its own. */
struct tested {
    const char *from; /* the format, where an input does not name it */
    bool apostrophes; /* in texts ' stands for " */
    bool excerpt;     /* a fault shows it as well */
    /* After plan: makes the reader go without its quick way. NULL: it has none. */
    void (*careful)(struct reader *r);
};
static const struct tested tested;

struct input {
    const char *text;
    size_t ntext;          /* 0: strlen */
    const char *from, *to; /* to NULL: as from */
    bool lenient;
    struct input_options options;
    struct column_choice choice;
    size_t added; /* derivatives per channel */
    double rate;  /* --rate; 0: not given */
    int unit;     /* exponent of --time-unit */
};

struct output {
    char *bytes;
    size_t n;
    struct error error; /* its line counted from the start of the input */
    char names[4096];   /* of columns; behind an angle's its period, as @360 */
    double rate;
};

static inline char *quoted(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = tested.apostrophes && text[i] == '\'' ? '"' : text[i];
    copy[n] = 0;
    return copy;
}

/* A descriptor of a file with n bytes, at its start. */
static inline int text_file(const char *text, size_t n)
{
    int fd = memfd_create("input", 0);
    assert_true(fd >= 0 && write(fd, text, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* A descriptor from which each read takes chunk bytes; a child writes to it where the socket cannot hold them
 * all. From FORMAT_BLOCK on it is a file, and a read takes as many bytes as it asks for: a long row that
 * arrives in pieces makes its reader enlarge its buffer at each, and under AddressSanitizer that copies it.
 */
static inline int feed(const char *text, size_t n, size_t chunk, pid_t *child)
{
    int fd[2];
    *child = -1;
    if (chunk >= FORMAT_BLOCK)
        return text_file(text, n);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
    *child = n / chunk > 200 || n > 100000 ? fork() : -1;
    if (*child == 0)
        close(fd[0]);
    for (size_t i = 0; *child <= 0 && i < n; i += chunk)
        if (send(fd[1], text + i, n - i < chunk ? n - i : chunk, MSG_NOSIGNAL) < 0)
            break;
    if (*child == 0)
        _exit(0);
    close(fd[1]);
    return fd[0];
}

static inline void make_layout(struct output_columns *l, const struct table *table, size_t added)
{
    const struct table *t = table;
    l->replace = calloc(t->ncolumn + 1, sizeof *l->replace);
    l->added = calloc(table->nchannel * added + 1, sizeof *l->added);
    for (size_t i = 0; i < t->ncolumn; i++) {
        l->replace[i] = COLUMN_NONE;
        if (table_column(table, i)->role != ROLE_CHANNEL)
            continue;
        l->replace[i] = l->nout++;
        for (size_t d = 0; d < added; d++) {
            char name[300];
            snprintf(name, sizeof name, "%s%s", t->column[i].name, d ? "_acc" : "_vel");
            struct added *a = &l->added[l->nadded++];
            *a = (struct added){ .column = i, .out = l->nout++, .name = strdup(name), .derivative = 1 };
            strcpy(a->suffix, d ? "_acc" : "_vel");
        }
    }
}

static inline void double_values(struct block *b, const struct reader *r, size_t added)
{
    for (size_t c = 0; c < r->table.nchannel; c++)
        for (size_t d = 0; d <= added; d++)
            for (size_t i = 0; i < b->nrow; i++)
                block_out(b, c * (added + 1) + d)[i] = block_value(b, c)[i] * (d == 0 ? 2 : 1);
}

static inline bool give(struct writer *w, struct block *b, struct error *e)
{
    bool good = w->format->store ? w->format->store(w, b, e) : tempfile_put(w->fd, b->bytes, b->nbyte, e);
    b->nbyte = 0;
    return good;
}

static inline bool edge(struct writer *w, bool (*make)(struct writer *, struct block *, struct error *),
                        struct error *e)
{
    struct block b;
    b = (struct block){ 0 };
    bool good = !make || (make(w, &b, e) && give(w, &b, e));
    block_free(&b);
    return good;
}

/* The pipeline in its simplest form. */
static inline bool flow(struct reader *r, struct writer *w, struct block *b, size_t added, struct error *e)
{
    uint64_t line = r->nline, row = 0;
    if (!edge(w, w->format->begin, e))
        return false;
    for (;;) {
        b->error.kind = ERROR_NONE;
        enum loaded loaded = r->format->load(r, b, e);
        if (loaded != LOAD_ROWS)
            return loaded == LOAD_END && edge(w, w->format->finish, e);
        format_parse(r, b);
        double_values(b, r, added);
        struct error fault = b->error;
        b->error.kind = ERROR_NONE;
        b->firstrow = row;
        row += b->nrow;
        w->format->print(w, b);
        if (b->error.kind != ERROR_NONE)
            fault = b->error;
        else if (!give(w, b, e))
            return false;
        if (fault.kind != ERROR_NONE) {
            *e = fault;
            e->line += e->line ? line : 0;
            return false;
        }
        line += b->nline;
    }
}

static inline void list_names(const struct table *t, struct output *o)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        size_t n = strlen(o->names);
        const struct column *c = &t->column[i];
        n += (size_t)snprintf(o->names + n, sizeof o->names - n, "%s%s", i ? "|" : "", c->name);
        if (c->period != 0)
            snprintf(o->names + n, sizeof o->names - n, "@%g", c->period);
    }
    o->rate = t->rate;
}

static inline void take_file(struct output *o, int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    o->n = (size_t)size;
    o->bytes = calloc(o->n + 1, 1);
    assert_int_equal(pread(fd, o->bytes, o->n, 0), size);
    close(fd);
}

static inline struct output run(const struct input *in, size_t chunk, bool careful)
{
    struct output o = { .error = { .kind = ERROR_NONE } };
    pid_t child;
    size_t n = in->ntext ? in->ntext : strlen(in->text);
    char *text = quoted(in->text, n);
    struct source source = { .fd = feed(text, n, chunk, &child), .name = "test.csv" };
    struct reader r = { .format = format_find(in->from ? in->from : tested.from),
                        .source = &source,
                        .options = &in->options,
                        .lenient = in->lenient };
    struct output_columns layout = { 0 };
    struct block b;
    b = (struct block){ 0 };
    struct writer w = { .format = in->to ? format_find(in->to) : r.format,
                        .reader = &r,
                        .layout = &layout,
                        .fd = memfd_create("test", 0) };
    w.number = (struct number_format){ NUMBER_SHORTEST, in->options.decimal ? *in->options.decimal : '.' };
    struct column_choice choice = in->choice;
    choice.all_cells = w.format != r.format;
    choice.time_unit = in->unit ? -in->unit / 3 : -1;
    choice.rate = in->rate > 0 ? in->rate : choice.rate;
    if (format_check(&in->options, &o.error) && r.format->open(&r, &o.error)) {
        list_names(&r.table, &o);
        w.rate = in->rate > 0 ? in->rate : r.table.rate;
        if (table_plan(&r.table, &choice, &o.error) && (!r.format->bind || r.format->bind(&r, &o.error))) {
            make_layout(&layout, &r.table, in->added);
            r.nout = layout.nout;
            if (careful)
                tested.careful(&r);
            if ((!w.format->accept || w.format->accept(&w, &o.error)) &&
                flow(&r, &w, &b, in->added, &o.error))
                o.error.kind = ERROR_NONE;
        }
    }
    if (w.format->end)
        w.format->end(&w);
    r.format->close(&r);
    take_file(&o, w.fd);
    table_free(&r.table);
    for (size_t i = 0; i < layout.nadded; i++)
        free(layout.added[i].name);
    free(layout.added);
    free(layout.replace);
    block_free(&b);
    free(text);
    close(source.fd);
    if (child > 0)
        waitpid(child, NULL, 0);
    return o;
}

static inline void assert_same(const struct output *part, const struct output *whole)
{
    assert_int_equal(part->n, whole->n);
    assert_memory_equal(part->bytes, whole->bytes, whole->n);
    assert_string_equal(part->names, whole->names);
    assert_int_equal(part->error.kind, whole->error.kind);
    if (whole->error.kind == ERROR_NONE)
        return;
    char a[2000], b[2000];
    error_what(&part->error, a, sizeof a);
    error_what(&whole->error, b, sizeof b);
    assert_string_equal(a, b);
}

enum { WHOLE = 16384 }; /* bytes that one read gives at most */

/* Runs the input whole, compares with pieces and care; returns what came out (to be freed). */
static inline struct output run_all(const struct input *in)
{
    static const size_t chunks[] = { 1, 2, 3, 7, WHOLE };
    struct output whole = run(in, WHOLE, false);
    for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
        bool careful = chunks[k] == WHOLE;
        if (careful && !tested.careful)
            continue;
        struct output part = run(in, chunks[k], careful);
        assert_same(&part, &whole);
        free(part.bytes);
    }
    return whole;
}

static inline void check_input(struct input in, const char *expected)
{
    struct output o = run_all(&in);
    if (o.error.kind != ERROR_NONE)
        fail_msg("%s (line %d, %s): for %s", o.error.text, (int)o.error.line, o.error.column, in.text);
    char *text = quoted(expected, strlen(expected));
    assert_string_equal(o.bytes, text);
    free(text);
    free(o.bytes);
}

static inline void check_names(struct input in, const char *names)
{
    struct output o = run_all(&in);
    assert_string_equal(o.names, names);
    free(o.bytes);
}

/* Out comes what stands before the fault, then "LINE:COLUMN:what:EXCERPT" (see struct tested). */
static inline void check_fault(struct input in, const char *expected)
{
    struct output o = run_all(&in);
    char *all = malloc(o.n + 1000), *to;
    const struct error *e = &o.error;
    assert_int_not_equal(e->kind, ERROR_NONE);
    to = all + sprintf(all, "%s%d:", o.bytes, (int)e->line);
    to += sprintf(to, "%s:%s", e->column, e->text);
    if (tested.excerpt)
        sprintf(to, ":%.*s", (int)e->nexcerpt, e->excerpt);
    for (char *p = all; tested.apostrophes && *p; p++)
        *p = *p == '"' ? '\'' : *p;
    assert_string_equal(all, expected);
    free(all);
    free(o.bytes);
}

/* First bytes, and the format that they belong to. */
struct guess {
    const char *text, *format;
};

static inline void check_guesses(const struct guess *guess, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *text = quoted(guess[i].text, strlen(guess[i].text));
        assert_string_equal(format_by_bytes((unsigned char *)text, strlen(text))->name, guess[i].format);
        free(text);
    }
}

#define CHECK(expected, ...) check_input((struct input){ .text = __VA_ARGS__ }, expected)
#define NAMES(names, ...)    check_names((struct input){ .text = __VA_ARGS__ }, names)
#define FAULT(expected, ...) check_fault((struct input){ .text = __VA_ARGS__ }, expected)

#endif
