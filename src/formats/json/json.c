/* json and jsonl: descriptors, sniffing, cells. A scanner of our own (json_scan.c) finds records and the
 * spans of their values; all else stays text. The way of the data: json_open.c finds the first record,
 * json_tree.c makes a tree of it, json_bind.c marks what is wanted; json_load.c cuts blocks, json_parse.c (or
 * json_columns.c) parses, json_write.c prints, in the style that json_style.c sees in the first record.
 * Nothing is read with cJSON, which writes reports (report.c): it gives no value's place in the text, nor the
 * line of a fault, keeps numbers of 64 bits as doubles, and takes `01`, 1e400 and text after the end. Fuzzing
 * holds the scanner against it (tests/fuzz/fuzz_json.c).
 * Invariant: what is written of a record depends on that record and the first one only. */
#include "formats/json/json.h"

/* --- by the first bytes --- */

/* The first bytes as text, with 0 behind it; returns where it begins. */
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

/* Has the object that begins at p a scalar member with the name of a time, or no array at all? */
static bool is_record(const char *p, struct json_scan *s)
{
    bool arrays = false;
    for (p = json_space(p + 1); *p == '"'; p = json_space(p + (*p == ','))) {
        const char *key = p + 1, *value;
        size_t nkey = (size_t)((p = json_string(p, s)) - key) - 1;
        value = json_space(json_space(p) + 1);
        bool time = (nkey == 1 && (*key | 0x20) == 't') || (nkey == 4 && strncasecmp(key, "time", 4) == 0) ||
                    (nkey == 9 && strncasecmp(key, "timestamp", 9) == 0) ||
                    (nkey == 7 && strncasecmp(key, "seconds", 7) == 0);
        if (time && (json_digit(*value) || *value == '-'))
            return true;
        arrays |= *value == '[';
        p = json_space(json_value(value, 0, s));
    }
    return !arrays;
}

/* One record a line: the first line is a whole record or array, and another follows; or it is a record by its
 * members. */
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

/* A line that has not ended may be a record, and one that has may be the first of many. */
static bool unsure(const unsigned char *head, size_t nhead)
{
    char text[SOURCE_HEAD + JSON_SLACK];
    const char *end, *p = copy_head(head, nhead, text, &end), *next = json_space(p + 1);
    struct json_scan s = { .end = end };
    if (*p == '[' && (*next == '{' || *next == '['))
        return false; /* rows, that may be live */
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
    .family = FAMILY_JSON, .check = json_check, .bind = json_bind, .load = json_load, .parse = json_parse, .cell = cell,            \
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
