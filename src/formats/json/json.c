/* json and jsonl: descriptors, sniffing, cells. Data flow: open.c finds the first record, shape.c makes a
 * tree of it and marks what is wanted; load.c cuts blocks, fast.c, rows.c and columns.c parse, write.c
 * prints, with added members in the style of the first record (insert.c). cJSON only writes reports
 * (base/json_out.c): it gives no value's place in the text and no line of a fault, keeps 64-bit numbers as
 * doubles, and accepts `01`, 1e400 and text after the end. Invariant: what is written of a record depends on
 * that record and the first one only. */
#include "formats/json/json.h"

/* --- by the first bytes --- */

/* Copies the first bytes with zeros after them; returns the first byte that is not blank. */
static const char *copy_head(const unsigned char *head, size_t nhead, char text[SOURCE_HEAD + JSON_SLACK],
                             const char **end)
{
    size_t n = nhead < SOURCE_HEAD ? nhead : SOURCE_HEAD;
    memset(text + n, 0, JSON_SLACK);
    memcpy(text, head, n);
    *end = text + n;
    return json_space(text + (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0));
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    char text[SOURCE_HEAD + JSON_SLACK];
    const char *end, *p = copy_head(head, nhead, text, &end), *next = *p ? json_space(p + 1) : p;
    if (*p == '{')
        return *next == '"' || *next == '}' || next == end;
    return *p == '[' && (next == end || json_digit(*next) || strchr("[]{-n\"", *next));
}

static bool is_time(const char *key, size_t nkey)
{
    static const char *const names[] = { "t", "time", "timestamp", "seconds" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == nkey && strncasecmp(key, names[i], nkey) == 0)
            return true;
    return false;
}

/* True if the object at p has a number with the name of a time, or no array at all. */
static bool is_record(const char *p, struct json_scan *s)
{
    struct json_items items = { .object = true };
    bool arrays = false;
    while ((p = json_next(&items, p, s))) {
        if (is_time(items.key, items.nkey) && (json_digit(*p) || *p == '-'))
            return true;
        arrays |= *p == '[';
        p = json_value(p, 0, s);
    }
    return !arrays;
}

/* One record a line: the first line is a whole record or array, and either another follows or its members are
 * those of a record. */
static bool sniff_lines(const unsigned char *head, size_t nhead)
{
    char text[SOURCE_HEAD + JSON_SLACK];
    const char *end, *p = copy_head(head, nhead, text, &end);
    struct json_scan s = { .end = end };
    const char *last = *p == '{' || *p == '[' ? json_value(p, 0, &s) : NULL;
    if (!last || memchr(p, '\n', (size_t)(last - p)))
        return false;
    const char *next = json_space(last);
    if (next < end)
        return *next == *p && memchr(last, '\n', (size_t)(next - last));
    return *p == '{' && next > last && is_record(p, &s);
}

/* A line that has not ended may be a record, and a first line that has ended may be one of many. */
static bool unsure(const unsigned char *head, size_t nhead)
{
    char text[SOURCE_HEAD + JSON_SLACK];
    const char *end, *p = copy_head(head, nhead, text, &end), *next = json_space(p + 1);
    struct json_scan s = { .end = end };
    if (*p == '[' && (*next == '{' || *next == '['))
        return false; /* rows, which may be live */
    const char *last = json_value(p, 0, &s);
    return !memchr(p, '\n', (size_t)((last ? last : end) - p)) && (!last || json_space(last) >= end);
}

static bool open_document(struct reader *r, struct error *e)
{
    return json_open(r, false, e);
}

static bool open_lines(struct reader *r, struct error *e)
{
    return json_open(r, true, e);
}

/* --- cells --- */

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct column *c = &r->columns.column[column];
    *ntext = 0;
    if (c->cell == COLUMN_NONE)
        return NULL;
    struct span span = b->cell[row * b->ncell + c->cell];
    const char *text = b->text + span.at;
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
    *ntext = json_unescape(text, span.n, buf, maxbuf);
    return buf;
}

/* --- descriptors --- */

static const char *const json_suffixes[] = { ".json", NULL };
static const char *const jsonl_suffixes[] = { ".jsonl", ".ndjson", NULL };

/* All but name, suffixes, summary, sniff and open. */
#define JSON                                                                                                 \
    .check = json_check, .bind = json_bind, .load = json_load, .parse = json_parse, .cell = cell,            \
    .close = json_close, .accept = json_accept, .begin = json_begin, .print = json_print,                    \
    .finish = json_finish, .end = json_end

const struct format format_json = {
    .name = "json",
    .suffixes = json_suffixes,
    .summary = "an array of records, of arrays or of numbers, or an object of columns; also inside a "
               "document (--records)",
    .sniff = sniff,
    .unsure = unsure,
    .open = open_document,
    .document = true,
    JSON,
};

const struct format format_jsonl = {
    .name = "jsonl",
    .suffixes = jsonl_suffixes,
    .summary = "one record, array or number a line",
    .sniff = sniff_lines,
    .open = open_lines,
    JSON,
};
