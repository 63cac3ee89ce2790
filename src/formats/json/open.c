/* Finding the records: the document's shape, the way of --records to them, the first of them. Reads no
 * further than it must, so that a stream is live from its first record on. */
#include "formats/json/json.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the first record --- */

/* Takes n bytes off the front of rest as the head. */
static bool take_head(struct reader *r, size_t n, struct error *e)
{
    struct json *j = r->state;
    j->head = malloc(n + 1);
    if (!j->head)
        return error_memory(e);
    memcpy(j->head, j->rest, n);
    j->nhead = n;
    j->nrest -= n;
    memmove(j->rest, j->rest + n, j->nrest + JSON_SLACK);
    r->nline += block_count(j->head, n, '\n');
    return true;
}

/* Makes the tree of the first record, n good bytes at text. */
static bool take_first(struct reader *r, const char *text, size_t n, struct error *e)
{
    struct json *j = r->state;
    struct json_scan s = { .end = NULL };
    j->first = calloc(n + JSON_SLACK, 1);
    if (!j->first)
        return error_memory(e);
    memcpy(j->first, text, n);
    j->root = json_tree(&r->columns, j->first, false, &s, e);
    return j->root != NULL;
}

/* The shape of an array whose first element begins with c. */
static bool choose_shape(struct reader *r, char c)
{
    struct json *j = r->state;
    j->shape = c == '{' ? JSON_RECORDS : c == '[' ? JSON_ARRAYS : JSON_NUMBERS;
    r->columns.named = j->shape == JSON_RECORDS;
    /* Between bare numbers there is no place for derivatives. */
    r->columns.stacked = j->shape == JSON_NUMBERS;
    return strchr("{[-n", c) || json_digit(c);
}

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

/* Waits for the whole first record. */
static bool await_first(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    struct json_cut cut = { .rows = j->cut.rows };
    for (;;) {
        size_t blank = (size_t)(json_space(j->rest) - j->rest);
        cut.nrow = 0;
        json_cut(&cut, j->rest, j->nrest);
        if (cut.closed || cut.last > blank || (cut.n == j->nrest && (j->ended || j->nrest > FORMAT_MAXROW)))
            return true;
        if (cut.n == j->nrest && !json_fill(r, e))
            return false;
    }
}

/* In jsonl a record ends with its line, from p on. */
static bool one_line(const char *p, const char *to, struct json_scan *s)
{
    const char *eol = memchr(p, '\n', (size_t)(to - p));
    if (!eol)
        return true;
    json_fail(s, eol, "a record is not whole at the end of its line");
    s->hint = "--from json reads a document of many lines";
    return false;
}

static bool open_first(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    char prefix[sizeof j->prefix + 8];
    if (j->shape == JSON_NUMBERS && !j->lines)
        return take_first(r, *j->rest == 'n' ? "null" : "0", *j->rest == 'n' ? 4 : 1, e);
    if (!await_first(r, e))
        return false;
    struct json_scan s = json_scan_rest(j);
    s.more = false;
    const char *p = json_space(j->rest), *end = json_value(p, j->depth, &s);
    if ((!j->lines || one_line(p, end ? end : s.at, &s)) && end) {
        if (!take_first(r, p, (size_t)(end - p), e) || r->columns.ncolumn > 0)
            return j->root != NULL;
        json_fail(&s, p, "the first record has no value in it, and its values are the columns");
        s.hint = "give it every member that shall be filtered, null where the value is missing";
    }
    if (!end && s.at == s.end && !j->ended)
        return error_data(e, "the first record is longer than 64 MiB");
    snprintf(prefix, sizeof prefix, j->lines ? "%s" : "%s[0]", j->prefix);
    return json_explain_rest(j, &s, p, prefix, e);
}

/* --- documents --- */

/* The way to the first array of records in an object, as --records takes it. */
static bool put_way(const struct json_node *n, char *way, size_t max)
{
    size_t used = strlen(way);
    for (size_t i = 0; i < n->nchild; i++) {
        const struct json_node *child = n->child[i];
        snprintf(way + used, max - used, "/%.*s", (int)child->nkey, child->key);
        if (child->kind == JSON_OBJECT ? put_way(child, way, max) : *child->at == '[')
            return true;
    }
    way[used] = 0;
    return false;
}

/* An object of columns: the whole document stays in rest. start is where it begins, at where the object
 * does. */
static bool open_columns(struct reader *r, size_t start, size_t at, struct error *e)
{
    struct json *j = r->state;
    while (!j->ended)
        if (!json_fill(r, e))
            return false;
    struct json_scan s = json_scan_rest(j);
    const char *end = json_value(j->rest + start, 0, &s);
    end = end ? json_space(end) : NULL;
    if (end && end != s.end) {
        end = json_fail(&s, end, "text after the end of the document");
        s.hint = "--from jsonl reads one record a line";
    }
    if (!end)
        return json_explain_rest(j, &s, j->rest + start, "$", e);
    if (j->nrest > UINT32_MAX - FORMAT_MAXCELL)
        return error_data(e, "an object of columns is held whole, and this one is larger than 4 GiB");
    j->shape = JSON_COLUMNS;
    j->whole = j->nrest;
    r->columns.named = true;
    j->root = json_tree(&r->columns, j->rest + at, true, &s, e);
    if (!j->root)
        return false;
    if (r->columns.ncolumn > 0)
        return true;
    char way[200] = "";
    error_data(e, "this object has no member that is a column: an array of numbers");
    return put_way(j->root, way, sizeof way) ? error_hint(e, "--records %s%s reads the array inside it",
                                                          j->npointer ? r->options->records : "", way)
                                             : error_hint(e, "--from jsonl reads one record a line");
}

static bool open_array(struct reader *r, size_t at, struct error *e)
{
    struct json *j = r->state;
    struct json_scan s = json_scan_rest(j);
    json_enter(&j->walk, j->rest + at, &s);
    at++;
    if (!next_byte(r, &at, e))
        return false;
    char c = j->rest[at];
    if (!take_head(r, at, e))
        return false;
    if (c == ']') {
        j->shape = JSON_NO_ROWS;
        j->tail = true;
        return true;
    }
    j->cut.rows = c == '{' || c == '[' ? JSON_BRACKETS : JSON_COMMAS;
    j->walk.state = JSON_AT_NEXT;
    j->depth = j->walk.depth;
    s = json_scan_rest(j);
    if (c == 0 || !choose_shape(r, c)) {
        json_fail(&s, j->rest, "expected a record, an array or a number");
        return json_explain_rest(j, &s, NULL, j->prefix, e);
    }
    return open_first(r, e);
}

static bool open_document(struct reader *r, size_t start, struct error *e)
{
    struct json *j = r->state;
    size_t at = start;
    if (!json_find_records(r, &at, e))
        return false;
    if (j->rest[at] == '{')
        return open_columns(r, start, at, e);
    if (j->rest[at] == '[')
        return open_array(r, at, e);
    struct json_scan s = json_scan_rest(j);
    json_fail(&s, j->rest + at,
              j->npointer ? "--records names neither an array nor an object of columns"
                          : "expected an array or an object");
    return json_explain_rest(j, &s, j->rest + start, "$", e);
}

static bool open_lines(struct reader *r, size_t start, struct error *e)
{
    struct json *j = r->state;
    size_t at = start;
    if (!next_byte(r, &at, e))
        return false;
    char c = j->rest[at];
    j->cut.rows = JSON_LINES;
    if (!take_head(r, start, e))
        return false;
    if (c == 0 || !choose_shape(r, c)) {
        struct json_scan s = json_scan_rest(j);
        json_fail(&s, j->rest + at - start, "expected a record, an array or a number");
        return json_explain_rest(j, &s, NULL, "$", e);
    }
    return open_first(r, e);
}

static bool open_with(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    size_t start = 0;
    /* A first record may have two bytes; a mark of three begins as no record does. */
    while ((j->nrest < 2 || (j->nrest < 3 && (unsigned char)*j->rest == 0xEF)) && !j->ended)
        if (!json_fill(r, e))
            return false;
    const char *p = j->rest;
    if (j->nrest > 1 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0 || !p[0] != !p[1])) {
        error_data(e, "this is UTF-16, which is not read");
        return error_hint(e, "convert it: iconv -f UTF-16 -t UTF-8");
    }
    if (j->nrest >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        start = 3;
    size_t at = start;
    if (!next_byte(r, &at, e))
        return false;
    if (at == j->nrest)
        return error_data(e, "the file is empty");
    return j->lines ? open_lines(r, start, e) : open_document(r, start, e);
}

bool json_open(struct reader *r, bool lines, struct error *e)
{
    struct json *j = r->state = calloc(1, sizeof *j);
    if (!j)
        return error_memory(e);
    j->lines = lines;
    j->missing = r->options->missing != NULL;
    if (json_read_pointer(j, r->options, e) && open_with(r, e))
        return true;
    json_close(r);
    return false;
}

void json_close(struct reader *r)
{
    struct json *j = r->state;
    if (!j)
        return;
    for (size_t i = 0; i < j->npointer; i++)
        free(j->pointer[i]);
    free(j->pointer);
    json_tree_free(j->root);
    free(j->slot);
    free(j->first);
    free(j->head);
    free(j->rest);
    free(j);
    r->state = NULL;
}
