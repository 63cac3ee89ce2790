/* json and jsonl: descriptors, sniffing, opening, cells. Data flow: open finds the first record with a
 * channel and reads no further, so that a stream is live; shape.c makes a tree of the record and marks what
 * is wanted; load.c cuts blocks, json_rows.c parses, json_write.c prints. A document without records is
 * read whole, as an object of columns. cJSON only writes reports (base/json_out.c): it gives no value's place
 * in the text, keeps 64-bit numbers as doubles, and accepts `01`, 1e400 and text after the end.
 * Invariant: what is written of a record depends on the record itself and on the first record alone. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* --- by the first bytes --- */

/* What the first bytes look like. GUESS_UNSURE: JSON, but more bytes may show records of jsonl, as a first
 * line that has not ended may become a record, and one that has ended may be followed by others. */
enum guess { GUESS_OTHER, GUESS_JSON, GUESS_UNSURE, GUESS_LINES };

static enum guess guess_by(const unsigned char *bytes, size_t n)
{
    char text[SOURCE_HEAD + JSON_SLACK];
    n = n < SOURCE_HEAD ? n : SOURCE_HEAD;
    memset(text + n, 0, JSON_SLACK);
    memcpy(text, bytes, n);
    struct json_scan scan = { .end = text + n };
    const char *p = json_start(text), *inside = json_space(p + 1);
    const bool object = *p == '{';
    const char *starts = object ? "\"}" : "[]{-n\"0123456789";
    if ((!object && *p != '[') || (inside < scan.end && !strchr(starts, *inside)))
        return GUESS_OTHER;
    const char *last = json_value(p, &scan), *next = last ? json_space(last) : scan.end;
    const bool line = last && !memchr(p, '\n', (size_t)(last - p));
    if (next < scan.end)
        return line && *next == *p && memchr(last, '\n', (size_t)(next - last)) ? GUESS_LINES : GUESS_JSON;
    if (line && object && next > last && !memchr(p, '[', (size_t)(last - p)))
        return GUESS_LINES;
    const bool live = !object && (*inside == '{' || *inside == '['); /* rows in an array need not wait */
    return live ? GUESS_JSON : GUESS_UNSURE;
}

static bool sniff(const unsigned char *bytes, size_t n)
{
    return guess_by(bytes, n) != GUESS_OTHER;
}

static bool sniff_lines(const unsigned char *bytes, size_t n)
{
    return guess_by(bytes, n) == GUESS_LINES;
}

static bool is_unsure(const unsigned char *bytes, size_t n)
{
    return guess_by(bytes, n) == GUESS_UNSURE;
}

/* --- the first record --- */

/* Waits for a byte at rest[*at] that is not blank. */
static bool next_byte(struct reader *reader, size_t *at, struct error *e)
{
    struct json *json = reader->state;
    for (;;) {
        *at = (size_t)(json_space(json->rest + *at) - json->rest);
        if (*at < json->nrest || json->ended)
            return true;
        if (!json_fill(reader, e))
            return false;
    }
}

/* True if the valid value at p, under the key of `name`, has a number, or a null in its place, that is
 * neither a time nor a count by its name. */
static bool holds_channel(const char *p, const struct json_items *name)
{
    struct json_items items = { .count = 0 };
    if (*p != '{' && *p != '[')
        return (*p == 'n' || json_is_number(p)) && !columns_name_means(name->key, name->nkey, NAME_TIME) &&
               !columns_name_means(name->key, name->nkey, NAME_FRAMES);
    for (const char *value = p; (value = json_each(&items, value));)
        if (holds_channel(value, items.object ? &items : name))
            return true;
    return false;
}

bool json_explain_record(const struct reader *reader, const struct json_scan *scan, const char *p, uint64_t i,
                         struct error *e)
{
    const struct json *json = reader->state;
    char prefix[sizeof json->prefix + 32];
    snprintf(prefix, sizeof prefix, json->split.lines ? "%s" : "%s[%llu]", json->prefix,
             (unsigned long long)i);
    json_explain(scan, p, prefix, e);
    if (scan->leaf)
        format_hint_cell(reader, scan->leaf->column, scan->at, scan->nexcerpt, e);
    if (json->split.lines && reader->options->bad_rows == BAD_ROWS_STOP)
        text_append(e->hint, sizeof e->hint, "%sto leave such rows out: --bad-rows skip",
                    *e->hint ? "; " : "");
    return false;
}

/* Finds the record that decides the columns, from rest[at] on: the first with a channel, else the first. */
static bool find_first(struct reader *reader, size_t at, struct error *e)
{
    enum { MOST = 1000 }; /* records that are looked at */
    struct json *json = reader->state;
    const bool skips = json->split.lines && reader->options->bad_rows == BAD_ROWS_SKIP;
    size_t first = 0, nfirst = 0; /* place and length of the record in rest; 0: none yet */
    bool channel = false;
    json->split.most = 1;
    for (size_t i = 0; i < MOST && !channel; i++, at = json->split.last) {
        json->split.nrow = 0;
        if (!json_await_row(reader, e))
            return false;
        const char *p = json_space(json->rest + at);
        p = json_space(p + (i > 0 && *p == ','));
        if (i > 0 && p >= json->rest + json->split.last) /* an empty line, or the end */
            continue;
        struct json_scan scan = json_scan_rest(json);
        const char *end = json_value(p, &scan);
        if (json->split.lines)
            end = json_end_line(&scan, p, end);
        if (!end && skips)
            continue;
        if (!end && nfirst == 0)
            return json_explain_record(reader, &scan, p, 0, e);
        if (!end)
            break;
        channel = holds_channel(p, &(struct json_items){ .key = "" });
        if (nfirst > 0 && !channel)
            continue;
        first = (size_t)(p - json->rest);
        nfirst = (size_t)(end - p);
    }
    if (nfirst == 0)
        return error_data(e, "no line is JSON");
    json->first = calloc(nfirst + JSON_SLACK, 1);
    if (!json->first)
        return error_memory(e);
    memcpy(json->first, json->rest + first, nfirst);
    return true;
}

/* Reads the whole document into rest, and checks that it is JSON. */
static bool hold_document(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    while (!json->ended)
        if (!json_fill(reader, e))
            return false;
    struct json_scan scan = json_scan_rest(json);
    const char *end = json_value(json_start(json->rest), &scan);
    json->held = end && json_ends(json_space(end), &scan);
    return json->held || json_explain(&scan, json->rest, "$", e);
}

/* Opens the object of columns, {"time": [0, 1], "hip": {"x": [2, 3]}}, or the array of numbers, which is a
 * column without a name, at p in rest, which holds the document. */
static bool open_columns(struct reader *reader, const char *p, struct error *e)
{
    struct json *json = reader->state;
    if (json->nrest > UINT32_MAX - FORMAT_MAXCELL)
        return error_data(e, "columns can be at most 4 GiB, as they are held in memory");
    json->columns = true;
    json->nhead = (size_t)(p - json->rest);
    return json_shape(reader, p, e);
}

/* Opens the records, or the array of numbers, whose first value begins at or after rest[at]; array: the place
 * of the bracket before them. */
static bool open_rows(struct reader *reader, size_t array, struct error *e)
{
    struct json *json = reader->state;
    size_t at = array + !json->split.lines;
    if (!next_byte(reader, &at, e))
        return false;
    const char *first = json->rest + at;
    json->nhead = json->split.n = json->split.last = at;
    json->split.closed = *first == ']' && !json->split.lines;
    if (json->split.closed)
        return true;
    if (!json->split.lines && (*first == 'n' || json_is_number(first)))
        return (json->held || hold_document(reader, e)) && open_columns(reader, json->rest + array, e);
    const struct json_split begin = json->split;
    if (!find_first(reader, at, e))
        return false;
    json->split = begin;
    return json_shape(reader, json->first, e);
}

/* --- documents --- */

/* The value that the JSON Pointer of --records names, from the value at p; NULL: there is none. */
static const char *follow(const char *p, const char *pointer)
{
    struct text step = { 0 };
    for (size_t n; p && *pointer; pointer += n) {
        struct json_items items = { .count = 0 };
        n = 1 + strcspn(pointer + 1, "/");
        p = *p == '{' || *p == '[' ? json_each(&items, p) : NULL;
        for (; p; p = json_each(&items, p)) {
            step.n = 0;
            json_put_step(&step, &items, '/');
            if (step.n == n && memcmp(step.bytes, pointer, n) == 0)
                break;
        }
    }
    free(step.bytes);
    return p;
}

/* What an object has. */
struct find {
    struct text path;        /* JSON Pointer of the value that is looked at */
    bool times;              /* an array of something else has the name of a time */
    size_t n;                /* arrays of records, which begin with an object */
    const char *first;       /* the first of them */
    char pointer[TEXT_WORD]; /* its JSON Pointer */
};

static void find_arrays(struct find *find, const char *object)
{
    struct json_items items = { .count = 0 };
    const size_t npath = find->path.n;
    for (const char *p = object; (p = json_each(&items, p)); find->path.n = npath) {
        const bool records = *p == '[' && *json_space(p + 1) == '{';
        json_put_step(&find->path, &items, '/');
        find->times |= *p == '[' && !records && columns_name_means(items.key, items.nkey, NAME_TIME);
        if (*p == '{')
            find_arrays(find, p);
        if (records && !find->path.failed && find->n++ == 0) {
            find->first = p;
            snprintf(find->pointer, sizeof find->pointer, "%s", find->path.bytes);
        }
    }
}

/* The only array of records in the object at p, or the object: if it has no array of records, or columns with
 * times. NULL: an error. */
static const char *choose_value(struct reader *reader, const char *p, struct error *e)
{
    struct json *json = reader->state;
    struct find find = { .first = p };
    char word[TEXT_WORD];
    find_arrays(&find, p);
    free(find.path.bytes);
    if (find.path.failed && !error_memory(e))
        return NULL;
    if (find.times || find.n == 0)
        return p;
    text_quoted(word, find.pointer);
    if (find.n > 1) {
        error_data(e, "the object has several arrays of records");
        error_hint(e, "try --records %s, or another of them", word);
        return NULL;
    }
    text_append(json->prefix, sizeof json->prefix, "%s", find.pointer);
    reader_tell(reader, "uses the only array of records (--records %s; the object itself: --records /)",
                word);
    return find.first;
}

/* Opens the held document, or the part of it that --records names. */
static bool open_document(struct reader *reader, const char *pointer, struct error *e)
{
    struct json *json = reader->state;
    const char *path = !pointer || strcmp(pointer, "/") == 0 ? "" : pointer; /* / is the document itself */
    const char *p = follow(json_start(json->rest), path);
    text_append(json->prefix, sizeof json->prefix, "%s", path);
    if (!p || (*p != '[' && *p != '{')) {
        error_data(e, "--records: the document has no array and no object at %s", pointer);
        return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
    }
    if (json_member(json_member(p, "asset"), "version") && json_member(p, "accessors")) {
        error_data(e, "this is a glTF file");
        return error_hint(e, "try --from gltf");
    }
    if (!pointer)
        p = choose_value(reader, p, e);
    if (p && *p == '[')
        return open_rows(reader, (size_t)(p - json->rest), e);
    return p && open_columns(reader, p, e);
}

bool json_open(struct reader *reader, struct error *e)
{
    struct json *json = calloc(1, sizeof *json);
    const char *pointer = reader->options->records;
    reader->state = json;
    if (!json)
        return error_memory(e);
    json->split.lines = !reader->format->document;
    strcpy(json->prefix, "$");
    do /* a byte order mark has three bytes */
        if (!json_fill(reader, e))
            return false;
    while (!json->ended && json->nrest < 3 && (unsigned char)*json->rest == 0xEF);
    size_t at = (size_t)(json_start(json->rest) - json->rest);
    if (!next_byte(reader, &at, e))
        return false;
    if (at == json->nrest)
        return error_data(e, "the file is empty");
    const char first = json->rest[at];
    if (json->split.lines || (first == '[' && !pointer))
        return open_rows(reader, at, e);
    if (first == '{' || first == '[')
        return hold_document(reader, e) && open_document(reader, pointer, e);
    struct json_scan scan = json_scan_rest(json);
    json_fail(&scan, json->rest + at, "expected an array or an object");
    json_explain(&scan, json->rest, "$", e);
    return error_hint(e, "if it is CSV, try --from csv");
}

void json_close(struct reader *reader)
{
    struct json *json = reader->state;
    if (!json)
        return;
    name_table_free(&json->members);
    for (size_t i = 0; i < json->nnode; i++)
        free(json->node[i]);
    free(json->node);
    free(json->first);
    free(json->text);
    free(json);
    reader->state = NULL;
}

static void cell_text(const struct reader *reader, const struct block *block, size_t row, size_t column,
                      struct cell_text *cell)
{
    const struct column *use = table_column(&reader->table, column);
    struct span span = block->cell[row * block->ncell + use->cell];
    const char *text = block->text + span.at;
    cell->text = NULL;
    cell->n = 0;
    if (span.n == 0 || *text == 'n')
        return;
    bool string = *text == '"';
    text += string;
    span.n -= 2 * string;
    if (use->value != COLUMN_NONE && format_gap(reader, text, span.n))
        return;
    cell->text = text;
    cell->n = span.n;
    if (string && span.n <= cell->maxroom && memchr(text, '\\', span.n)) {
        cell->text = cell->room;
        cell->n = json_unescape(text, span.n, cell->room);
    }
}

/* --- descriptors --- */

/* All but name, suffixes and sniff. */
#define JSON                                                                                                 \
    .family = FAMILY_JSON, .open = json_open, .bind = json_bind, .load = json_load, .parse = json_parse,     \
    .cell = cell_text, .close = json_close, .accept = json_accept, .begin = json_begin, .print = json_print, \
    .finish = json_finish, .end = json_end

const struct format format_json = {
    .name = "json",
    .suffixes = (const char *const[]){ ".json", NULL },
    .sniff = sniff,
    .unsure = is_unsure,
    .document = true,
    JSON,
};

const struct format format_jsonl = {
    .name = "jsonl",
    .suffixes = (const char *const[]){ ".jsonl", ".ndjson", NULL },
    .sniff = sniff_lines,
    JSON,
};
