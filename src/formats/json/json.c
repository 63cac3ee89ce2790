/* json and jsonl: descriptors, sniffing, cells. Data flow: open.c finds the first record, shape.c makes a
 * tree of it and marks what is wanted; load.c cuts blocks, rows.c parses, write.c prints, with added members
 * in the style of the first record (insert.c). cJSON only writes reports (base/json_out.c): it gives no
 * value's place in the text and no line of a fault, keeps 64-bit numbers as doubles, and accepts `01`, 1e400
 * and text after the end. Invariant: what is written of a record depends on that record and the first one
 * only. */
#include "formats/json/json.h"

/* --- by the first bytes --- */

/* The first bytes with zeros after them, and the value that begins there. */
struct head {
    char text[SOURCE_HEAD + JSON_SLACK];
    struct json_scan s;
    const char *p, *last; /* the value, and its end: NULL if it has none there, or a fault */
    bool one_line;        /* no line ends in the value as far as it goes */
};

static void read_head(const unsigned char *bytes, size_t n, struct head *h)
{
    n = n < SOURCE_HEAD ? n : SOURCE_HEAD;
    memset(h->text + n, 0, JSON_SLACK);
    memcpy(h->text, bytes, n);
    h->s = (struct json_scan){ .end = h->text + n };
    h->p = json_start(h->text);
    h->last = json_value(h->p, 0, &h->s);
    h->one_line = !memchr(h->p, '\n', (size_t)((h->last ? h->last : h->s.end) - h->p));
}

static bool sniff(const unsigned char *bytes, size_t n)
{
    struct head h;
    read_head(bytes, n, &h);
    const char *p = h.p, *next = *p ? json_space(p + 1) : p;
    if (*p == '{')
        return *next == '"' || *next == '}' || next == h.s.end;
    return *p == '[' && (next == h.s.end || json_digit(*next) || strchr("[]{-n\"", *next));
}

/* True if the object at p has a number with the name of a time, or no array at all. */
static bool is_record(const char *p, struct json_scan *s)
{
    struct json_items items = { .object = true };
    bool arrays = false;
    while ((p = json_next(&items, p, s))) {
        if (columns_means_time(items.key, items.nkey) && (json_digit(*p) || *p == '-'))
            return true;
        arrays |= *p == '[';
        p = json_value(p, 0, s);
    }
    return !arrays;
}

/* One record a line: the first line is a whole record or array, and either another follows or its members are
 * those of a record. */
static bool sniff_lines(const unsigned char *bytes, size_t n)
{
    struct head h;
    read_head(bytes, n, &h);
    if (!h.last || !h.one_line || (*h.p != '{' && *h.p != '['))
        return false;
    const char *next = json_space(h.last);
    if (next < h.s.end)
        return *next == *h.p && memchr(h.last, '\n', (size_t)(next - h.last));
    return *h.p == '{' && next > h.last && is_record(h.p, &h.s);
}

/* A line that has not ended may be a record, and a first line that has ended may be one of many. */
static bool unsure(const unsigned char *bytes, size_t n)
{
    struct head h;
    read_head(bytes, n, &h);
    const char *next = json_space(h.p + 1);
    if (*h.p == '[' && (*next == '{' || *next == '['))
        return false; /* rows, which may be live */
    return h.one_line && (!h.last || json_space(h.last) >= h.s.end);
}

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    (void)maxbuf;
    const struct column *c = &r->columns.column[column];
    struct span span = b->cell[row * b->ncell + c->cell];
    const char *text = b->text + span.at;
    *ntext = 0;
    if (span.n == 0 || *text == 'n')
        return NULL;
    bool string = *text == '"';
    text += string;
    span.n -= 2 * string;
    if (c->value != COLUMN_NONE && format_gap(r->options, text, span.n))
        return NULL;
    *ntext = span.n;
    if (!string || !memchr(text, '\\', span.n))
        return text;
    *ntext = json_unescape(text, span.n, buf);
    return buf;
}

/* --- descriptors --- */

static bool check(const struct input_options *o, struct error *e)
{
    const char *text = o->records;
    if (!text || !*text || *text == '/')
        return true;
    error_usage(e, "--records: takes a JSON Pointer, which begins with /");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
}

/* All but name, suffixes, summary and sniff. */
#define JSON                                                                                                 \
    .keeps = "Keeps everything but filtered numbers; derivatives are added behind them.",                    \
    .family = FAMILY_JSON, .check = check, .open = json_open, .bind = json_bind, .load = json_load,          \
    .parse = json_parse, .cell = cell, .close = json_close, .accept = json_accept, .begin = json_begin,      \
    .print = json_print, .finish = json_finish, .end = json_end

const struct format format_json = {
    .name = "json",
    .suffixes = (const char *const[]){ ".json", NULL },
    .summary = "an array of records, of arrays or of numbers, or an object of columns; also inside a "
               "document (--records)",
    .sniff = sniff,
    .unsure = unsure,
    .document = true,
    JSON,
};

const struct format format_jsonl = {
    .name = "jsonl",
    .suffixes = (const char *const[]){ ".jsonl", ".ndjson", NULL },
    .summary = "one record, array or number a line",
    .sniff = sniff_lines,
    JSON,
};
