/* json and jsonl: descriptors, sniffing, opening, cells. Data flow: open finds the first record and reads no
 * further than needed, so that a stream is live; shape.c makes a tree of it and marks what is wanted; load.c
 * cuts blocks, json_rows.c parses, json_write.c prints, with added members in the style of the first record
 * (insert.c). cJSON only writes reports (base/json_out.c): it gives no value's place in the text and no line
 * of a fault, keeps 64-bit numbers as doubles, and accepts `01`, 1e400 and text after the end. Invariant:
 * what is written of a record depends on that record and the first one only. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* --- by the first bytes --- */

/* The first bytes of the input, with zeros behind, and the value that begins with these bytes. */
struct head {
    char text[SOURCE_HEAD + JSON_SLACK];
    struct json_scan s;
    const char *p;    /* begin of the value */
    const char *last; /* end of the value; NULL: the value goes on behind the first bytes, or has a fault */
    bool one_line;    /* no line ends inside the value, as far as the first bytes show */
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

/* True if the object at p has a number under the name of a time, or no array. */
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

/* One record a line: the first line is a whole record or array, and either a second line begins alike, or the
 * members are the members of a record. */
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

/* --- the first record --- */

/* Waits for a byte at rest[*at] that is not blank. */
static bool next_byte(struct reader *r, size_t *at, struct error *e)
{
    struct json *j = r->state;
    for (;;) {
        *at = (size_t)(json_space(j->rest + *at) - j->rest);
        if (*at < j->nrest || j->ended)
            return true;
        if (!json_fill(r, e))
            return false;
    }
}

/* Keeps the first record and makes the shape. Of a bare number only the kind is read: a number, or null. */
static bool open_first(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    char prefix[sizeof j->prefix + 8];
    const bool bare = j->rows == JSON_NUMBERS && !j->lines;
    if (!bare && !json_await_row(r, e))
        return false;
    struct json_scan s = json_scan_rest(j);
    s.more = false;
    const char *p = j->rest + j->nhead;
    if (bare)
        p = *p == 'n' ? "null" : "0";
    const char *end = bare ? p + strlen(p) : json_value(p, j->walk->depth, &s);
    if ((!j->lines || json_in_line(p, end, &s)) && end) {
        size_t n = (size_t)(end - p);
        j->first = calloc(n + JSON_SLACK, 1);
        if (!j->first)
            return error_memory(e);
        if (!json_shape(r, memcpy(j->first, p, n), e))
            return false;
        if (r->columns.ncolumn > 0)
            return true;
        json_fail_showing(&s, p, 0, "the first record has no value in it, and its values are the columns",
                          "give it every member that shall be filtered, null where the value is missing");
    }
    if (!end && s.at == s.end && !j->ended)
        return error_data(e, "the first record is longer than 64 MiB");
    snprintf(prefix, sizeof prefix, j->lines ? "%s" : "%s[0]", j->prefix);
    return json_explain(&s, j->rest, p, prefix, e);
}

bool json_open_rows(struct reader *r, size_t at, struct error *e)
{
    struct json *j = r->state;
    if (!next_byte(r, &at, e))
        return false;
    char c = j->rest[at];
    j->nhead = j->split.n = j->split.last = at;
    j->split.most = 1; /* the number of cells of a row is not known yet */
    j->tail = c == ']' && !j->lines;
    if (j->tail)
        return true;
    j->walk->level[j->walk->depth].state = JSON_AT_NEXT;
    j->rows = JSON_NUMBERS;
    j->split.row_end = JSON_COMMAS;
    if (c == '{' || c == '[') {
        j->rows = c == '{' ? JSON_RECORDS : JSON_ARRAYS;
        j->split.row_end = JSON_BRACKETS;
    }
    if (j->lines)
        j->split.row_end = JSON_LINES;
    r->columns.named = j->rows == JSON_RECORDS;
    /* Between bare numbers there is no place for derivatives. */
    r->columns.stacked = j->rows == JSON_NUMBERS;
    if (c != 0 && (strchr("{[-n", c) || json_digit(c)))
        return open_first(r, e);
    struct json_scan s = json_scan_rest(j);
    json_fail(&s, j->rest + at, "expected a record, an array or a number");
    return json_explain(&s, j->rest, NULL, j->prefix, e);
}

/* --- the JSON Pointer of --records --- */

static bool read_pointer(struct json *j, const struct input_options *options, struct error *e)
{
    const char *text = options->records;
    strcpy(j->prefix, "$");
    if (!text || !*text)
        return true;
    if (j->lines)
        return error_usage(e, "--records: names an array inside a document, and jsonl is one record a line");
    size_t max = strlen(text) + 1;
    char *to = NULL;
    if (!arrays_make(e, ARRAY(j->pointer, max), ARRAY(to, max)))
        return false;
    for (; *text; to++) {
        char *part = j->pointer[j->npointer++] = to;
        for (text++; *text && *text != '/'; text++) {
            bool escape = *text == '~' && (text[1] == '0' || text[1] == '1');
            text += escape;
            *to = *text;
            if (escape)
                *to = *text == '0' ? '~' : '/';
            to++;
        }
        bool index = *part && strspn(part, "0123456789") == strlen(part);
        text_append(j->prefix, sizeof j->prefix, index ? "[%s]" : ".%s", part);
    }
    return true;
}

bool json_is_part(const struct json_items *items, size_t index, const char *part)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", index);
    return items->object ? json_compare_name(items->key, items->nkey, part, strlen(part)) == 0
                         : strcmp(part, text) == 0;
}

bool json_on_pointer(const struct json *j)
{
    const struct json_items *items = &j->walk->level[j->walk->depth];
    if (j->walk->depth != j->level || j->level - 1 >= j->npointer || !json_at_value(items))
        return false;
    return json_is_part(items, items->count, j->pointer[j->level - 1]);
}

/* Reads on until the value begins that --records names. The search begins at rest[*at]; *at becomes the place
 * of the value. j->level: number of parts of the pointer that were found. */
static bool find_records(struct reader *r, size_t *at, struct error *e)
{
    struct json *j = r->state;
    struct json_walk *w = j->walk;
    for (bool match = true;;) { /* the next value is the one to find */
        struct json_scan s = json_scan_rest(j);
        const char *p = json_space(j->rest + *at);
        bool empty = *p == ']' && w->level[w->depth].state == JSON_AT_FIRST;
        bool found = match && p < s.end && !empty;
        *at = (size_t)(p - j->rest);
        if (found && j->level == j->npointer)
            return true;
        const char *end = json_step(w, p, &s);
        if (end) {
            *at = (size_t)(end - j->rest);
            j->level += found;
            match = json_on_pointer(j);
            if (w->depth >= j->level)
                continue;
            error_data(e, "--records: the document has no %s", r->options->records);
            return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
        }
        if (s.at != s.end || j->ended)
            return json_explain(&s, j->rest, j->rest, "$", e);
        if (j->nrest > FORMAT_MAXROW)
            return error_data(e, "--records: more than 64 MiB stand before %s", r->options->records);
        if (!json_fill(r, e))
            return false;
    }
}

/* --- documents --- */

/* Appends the JSON Pointer of a node, as --records takes pointers. */
static void put_pointer(const struct json_node *n, char *pointer, size_t max)
{
    if (!n->parent)
        return;
    put_pointer(n->parent, pointer, max);
    text_append(pointer, max, "/%.*s", (int)n->nkey, n->key);
}

bool json_open_columns(struct reader *r, size_t at, struct error *e)
{
    struct json *j = r->state;
    j->rows = JSON_COLUMNS;
    j->base = j->rest;
    r->columns.named = true;
    return json_shape(r, j->rest + at, e);
}

/* True if the first element of the array at p is an object of columns with times. */
static bool holds_tables(const char *p)
{
    size_t ntime;
    p = json_space(p + 1);
    return *p == '{' && json_times(p, &ntime);
}

bool json_hold_document(struct reader *r, const char *what, struct error *e)
{
    struct json *j = r->state;
    while (!j->ended)
        if (!json_fill(r, e))
            return false;
    struct json_scan s = json_scan_rest(j);
    const char *end = json_value(json_start(j->rest), 0, &s);
    if (!end || !json_ends(json_space(end), &s))
        return json_explain(&s, j->rest, j->rest, "$", e);
    if (j->nrest > UINT32_MAX - FORMAT_MAXCELL)
        return error_data(e, "%s is held whole, and this one is larger than 4 GiB", what);
    return true;
}

/* An object of columns at rest[at]; the whole document stays in rest. */
static bool open_columns(struct reader *r, size_t at, struct error *e)
{
    struct json *j = r->state;
    if (!json_hold_document(r, "an object of columns", e) || !json_open_columns(r, at, e))
        return false;
    if (r->columns.ncolumn > 0)
        return true;
    char pointer[200] = "";
    error_data(e, "this object has no member that is a column: an array of numbers");
    bool tables = false;
    for (size_t i = 0; i < j->nnode && !*pointer; i++)
        if (*j->node[i]->at == '[') {
            put_pointer(j->node[i], pointer, sizeof pointer);
            tables = holds_tables(j->node[i]->at);
        }
    const char *outer = j->npointer ? r->options->records : "";
    if (!*pointer)
        return error_hint(e, "--from jsonl reads one record a line");
    if (tables)
        return error_hint(e, "--records '%s%s/*' reads the tables inside it", outer, pointer);
    return error_hint(e, "--records %s%s reads the array inside it", outer, pointer);
}

static bool open_document(struct reader *r, size_t at, struct error *e)
{
    struct json *j = r->state;
    if (!find_records(r, &at, e))
        return false;
    const char *p = j->rest + at;
    struct json_scan s = json_scan_rest(j);
    if (*p == '{')
        return open_columns(r, at, e);
    if (*p == '[' && json_step(j->walk, p, &s)) {
        j->level = j->walk->depth;
        return json_open_rows(r, at + 1, e);
    }
    if (*p != '[')
        json_fail(&s, p,
                  j->npointer ? "--records names neither an array nor an object of columns"
                              : "expected an array or an object");
    json_explain(&s, j->rest, j->rest, "$", e);
    return j->npointer ? false : error_hint(e, "--from csv reads CSV, whatever the name of the file");
}

bool json_open(struct reader *r, struct error *e)
{
    struct json *j = r->state = calloc(1, sizeof *j);
    if (!j)
        return error_memory(e);
    j->walk = calloc(1, sizeof *j->walk);
    if (!j->walk)
        return error_memory(e);
    j->walk->level[0].state = JSON_AT_VALUE;
    j->lines = !r->format->document;
    if (!read_pointer(j, r->options, e))
        return false;
    /* A first record may have two bytes only; a byte order mark has three. */
    while (!j->ended && (j->nrest < 2 || (j->nrest < 3 && (unsigned char)*j->rest == 0xEF)))
        if (!json_fill(r, e))
            return false;
    const char *p = j->rest;
    if (j->nrest > 1 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0 || !p[0] != !p[1])) {
        error_data(e, "this is UTF-16, which is not read");
        return error_hint(e, "convert it: iconv -f UTF-16 -t UTF-8");
    }
    size_t at = (size_t)(json_start(p) - p);
    if (!next_byte(r, &at, e))
        return false;
    if (at == j->nrest)
        return error_data(e, "the file is empty");
    if (j->lines)
        return json_open_rows(r, at, e);
    return json_has_star(j) ? json_open_tables(r, e) : open_document(r, at, e);
}

void json_free(struct json *j)
{
    free(j->pointer);
    name_table_free(&j->members);
    for (size_t i = 0; i < j->nnode; i++)
        free(j->node[i]);
    free(j->node);
    free(j->first);
    if (j->rest)
        free(j->rest - j->ngiven);
}

void json_close(struct reader *r)
{
    struct json *j = r->state;
    if (j && j->tables) {
        json_close_tables(j->tables);
    } else if (j) {
        json_free(j);
        free(j->walk);
        free(j);
    }
    r->state = NULL;
}

/* --- several inputs as one: jsonl --- */

static bool joinable(const struct reader *r, const struct reader *next, struct error *e)
{
    const struct json *first = r->state, *own = next->state;
    return own->rows == first->rows ||
           error_data(e, "its lines are not all records or all arrays, as those of %s are", r->source->name);
}

/* The first record of the first input stays the shape of all records. */
static void join(struct reader *r, struct reader *next)
{
    struct json *first = r->state, *own = next->state;
    char *rest = first->rest - first->ngiven;
    size_t maxrest = first->maxrest;
    memmove(own->rest, own->rest + own->nhead, own->nrest - own->nhead + JSON_SLACK);
    first->ngiven = 0;
    first->rest = own->rest;
    first->nrest = own->nrest - own->nhead;
    first->maxrest = own->maxrest;
    first->ended = own->ended;
    first->split = (struct json_split){ .row_end = JSON_LINES, .most = 1 };
    own->rest = rest;
    own->nrest = 0;
    own->maxrest = maxrest;
}

static void cell_text(const struct reader *r, const struct block *b, size_t row, size_t column,
                      struct cell_text *cell)
{
    const struct column *c = &r->columns.column[column];
    struct span span = b->cell[row * b->ncell + c->cell];
    const char *text = b->text + span.at;
    cell->text = NULL;
    cell->n = 0;
    if (span.n == 0 || *text == 'n')
        return;
    bool string = *text == '"';
    text += string;
    span.n -= 2 * string;
    if (c->value != COLUMN_NONE && format_gap(r->options, text, span.n))
        return;
    cell->text = text;
    cell->n = span.n;
    if (string && span.n <= cell->maxroom && memchr(text, '\\', span.n)) {
        cell->text = cell->room;
        cell->n = json_unescape(text, span.n, cell->room);
    }
}

/* --- descriptors --- */

static bool check(const struct input_options *o, struct error *e)
{
    const char *text = o->records;
    if (!text || !*text || *text == '/')
        return true;
    error_usage(e, "--records: takes a JSON Pointer, which begins with /");
    error_excerpt(e, text, strlen(text));
    return error_hint(e,
                      "members are joined with /, elements are counted from 0, * is each: /tracks/*/samples");
}

/* All but name, suffixes, summary and sniff. */
#define JSON                                                                                                 \
    .keeps = "Keeps everything but filtered numbers; derivatives are added behind them.",                    \
    .family = FAMILY_JSON, .check = check, .open = json_open, .bind = json_bind, .load = json_load,          \
    .next = json_next_table, .parse = json_parse, .cell = cell_text, .close = json_close,                    \
    .accept = json_accept, .begin = json_begin, .print = json_print, .finish = json_finish, .end = json_end

const struct format format_json = {
    .name = "json",
    .suffixes = (const char *const[]){ ".json", NULL },
    .summary = "records, arrays or columns, also inside a document (--records)",
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
    .joinable = joinable,
    .join = join,
    JSON,
};
