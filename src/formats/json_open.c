/* Finding the records: the document's shape, the way of --records to them, the first of them. Reads no
 * further than it must, so that a stream is live from its first record on. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>

bool json_fill(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    size_t aim = j->nrest > FORMAT_BLOCK ? j->nrest : FORMAT_BLOCK, got = 0,
           max = j->nrest + aim + JSON_SLACK;
    if (max > j->maxrest) {
        char *grown = realloc(j->rest, max);
        if (!grown)
            return error_memory(e);
        j->rest = grown;
        j->maxrest = max;
    }
    if (!j->ended && !source_read(r->source, j->rest + j->nrest, aim, &got, e))
        return false;
    j->nrest += got;
    j->ended = got == 0;
    memset(j->rest + j->nrest, 0, JSON_SLACK);
    return true;
}

/* A scan of rest as far as it was read. */
static struct json_scan scan_rest(const struct json *j)
{
    return (struct json_scan){ .end = j->rest + j->nrest, .more = !j->ended };
}

/* The fault in rest, which has lines and a document before it. */
static bool explain(const struct json *j, const struct json_scan *s, const char *top, const char *prefix, struct error *e)
{
    /* What was read of what follows is chance: one byte is shown. */
    struct json_scan shown = *s;
    shown.nexcerpt = s->more ? 1 : s->nexcerpt;
    json_explain(&shown, j->rest, top, prefix, e);
    for (size_t i = 0; i < j->nhead; i++)
        e->line += j->head[i] == '\n';
    return false;
}

/* --- --records
 * ---------------------------------------------------------------------------------------------------- */

/* One part of the pointer, of n bytes, as a key is written: ~1 is /, ~0 is ~, and what needs it gets an
 * escape. */
static char *pointer_part(const char *text, size_t n)
{
    char *part = malloc(6 * n + 1), *to = part;
    for (size_t i = 0; part && i < n; i++) {
        char c = text[i];
        if (c == '~' && i + 1 < n && (text[i + 1] == '0' || text[i + 1] == '1'))
            c = text[++i] == '0' ? '~' : '/';
        if (c == '"' || c == '\\')
            *to++ = '\\';
        if ((unsigned char)c < 0x20)
            to += sprintf(to, "\\u%04x", (unsigned)c);
        else
            *to++ = c;
    }
    if (part)
        *to = 0;
    return part;
}

static bool read_pointer(struct json *j, const char *text, struct error *e)
{
    strcpy(j->prefix, "$");
    if (!text || !*text)
        return true;
    if (*text != '/') {
        error_usage(e, "--records: takes a JSON Pointer, which begins with /");
        error_excerpt(e, text, strlen(text));
        return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
    }
    if (j->lines)
        return error_usage(e, "--records: names an array inside a document, and jsonl is one record a line");
    for (const char *p = text; *p;) {
        size_t n = strcspn(++p, "/");
        char **grown = realloc(j->pointer, (j->npointer + 1) * sizeof *grown);
        if (!grown)
            return error_memory(e);
        j->pointer = grown;
        grown[j->npointer] = pointer_part(p, n);
        if (!grown[j->npointer])
            return error_memory(e);
        j->npointer++;
        p += n;
        size_t used = strlen(j->prefix);
        const char *part = grown[j->npointer - 1];
        bool index = *part && strspn(part, "0123456789") == strlen(part);
        snprintf(j->prefix + used, sizeof j->prefix - used, index ? "[%s]" : ".%s", part);
    }
    if (j->npointer > JSON_DEPTH - 1)
        return error_usage(e, "--records: more than 1000 levels");
    return true;
}

/* How far the way to the records has been walked. */
struct way {
    size_t at;      /* in rest: the next token */
    size_t level;   /* parts of the pointer whose array or object was entered */
    size_t index;   /* elements passed in that array */
    bool key, here; /* the next value is that of the next part; and now it comes */
    bool missing;
};

/* Is the element that begins now the one that the pointer's part names? */
static bool is_element(const char *part, size_t index)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", index);
    return strcmp(part, text) == 0;
}

/* Walks as far as rest goes. Returns the value at the end of the pointer; NULL: a fault, or missing. */
static const char *walk_on(struct json *j, struct way *way, struct json_scan *s)
{
    struct json_walk *w = &j->walk;
    for (const char *p = json_space(j->rest + way->at), *q;; p = json_space(q)) {
        way->at = (size_t)(p - j->rest);
        if (way->here) {
            if (p == s->end)
                return json_fail(s, p, "expected a value");
            if (way->level == j->npointer)
                return p;
            way->here = false;
            way->missing = *p != '{' && *p != '[';
            way->level++;
            way->index = 0;
            q = way->missing ? NULL : json_enter(w, p, s);
        } else {
            bool level = w->depth == way->level, object = json_in_object(w);
            bool element = level && !object && *p != ']' &&
                           (w->state == JSON_AT_VALUE || w->state == JSON_AT_FIRST_VALUE) && p != s->end;
            if (element && is_element(j->pointer[way->level - 1], way->index++)) {
                way->here = true;
                q = p;
                continue;
            }
            bool name = level && object && (w->state == JSON_AT_KEY || w->state == JSON_AT_FIRST_KEY);
            q = json_step(w, p, s);
            way->index -= element && !q;
            way->missing = w->depth < way->level;
            if (q && name && w->state == JSON_AT_COLON) {
                const char *part = j->pointer[way->level - 1];
                way->key = json_same_key(p + 1, (size_t)(q - p) - 2, part, strlen(part));
            } else if (q && level && w->state == JSON_AT_VALUE && object) {
                way->here = way->key;
            }
        }
        if (!q || way->missing)
            return NULL;
    }
}

/* Reads on until the value that --records names begins; its place in rest in *at. */
static bool find_records(struct reader *r, size_t *at, struct error *e)
{
    struct json *j = r->state;
    struct way way = { .at = *at, .here = true };
    for (;;) {
        struct json_scan s = scan_rest(j);
        const char *p = walk_on(j, &way, &s);
        if (p) {
            *at = (size_t)(p - j->rest);
            return true;
        }
        if (way.missing) {
            error_data(e, "--records: the document has no %s", r->options->records);
            return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
        }
        if (s.at != s.end || j->ended)
            return explain(j, &s, j->rest + *at, "$", e);
        if (j->nrest > FORMAT_MAXROW)
            return error_data(e, "--records: more than 64 MiB stand before %s", r->options->records);
        if (!json_fill(r, e))
            return false;
    }
}

/* --- the first record
 * --------------------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < n; i++)
        r->nline += j->head[i] == '\n';
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
    j->root = json_tree(&r->table, j->first, false, &s, e);
    return j->root != NULL;
}

/* The shape of an array whose first element begins with c. */
static bool choose_shape(struct reader *r, char c)
{
    struct json *j = r->state;
    j->shape = c == '{' ? JSON_RECORDS : c == '[' ? JSON_ARRAYS : JSON_NUMBERS;
    r->table.named = j->shape == JSON_RECORDS;
    /* Between bare numbers there is no place for derivatives. */
    r->table.stacked = j->shape == JSON_NUMBERS;
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
        json_cut(&cut, j->rest, j->nrest);
        if (cut.closed || cut.last > blank || j->ended || j->nrest > FORMAT_MAXROW)
            return true;
        if (!json_fill(r, e))
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
    struct json_scan s = scan_rest(j);
    s.more = false;
    const char *p = json_space(j->rest), *end = json_value(p, j->depth, &s);
    if ((!j->lines || one_line(p, end ? end : s.at, &s)) && end)
        return take_first(r, p, (size_t)(end - p), e);
    if (!end && s.at == s.end && !j->ended)
        return error_data(e, "the first record is longer than 64 MiB");
    snprintf(prefix, sizeof prefix, j->lines ? "%s" : "%s[0]", j->prefix);
    return explain(j, &s, p, prefix, e);
}

/* --- documents
 * ---------------------------------------------------------------------------------------------------- */

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

/* An object of columns: the whole document stays in rest. start is where it begins, at where the object does.
 */
static bool open_columns(struct reader *r, size_t start, size_t at, struct error *e)
{
    struct json *j = r->state;
    while (!j->ended)
        if (!json_fill(r, e))
            return false;
    struct json_scan s = scan_rest(j);
    const char *end = json_value(j->rest + start, 0, &s);
    end = end ? json_space(end) : NULL;
    if (end && end != s.end) {
        end = json_fail(&s, end, "text after the end of the document");
        s.hint = "--from jsonl reads one record a line";
    }
    if (!end)
        return explain(j, &s, j->rest + start, "$", e);
    if (j->nrest > UINT32_MAX - FORMAT_MAXCELL)
        return error_data(e, "an object of columns is held whole, and this one is larger than 4 GiB");
    j->shape = JSON_COLUMNS;
    j->whole = j->nrest;
    r->table.named = true;
    j->root = json_tree(&r->table, j->rest + at, true, &s, e);
    if (!j->root)
        return false;
    if (r->table.ncolumn > 0)
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
    struct json_scan s = scan_rest(j);
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
    s = scan_rest(j);
    if (c == 0 || !choose_shape(r, c)) {
        json_fail(&s, j->rest, "expected a record, an array or a number");
        return explain(j, &s, NULL, j->prefix, e);
    }
    return open_first(r, e);
}

static bool open_document(struct reader *r, size_t start, struct error *e)
{
    struct json *j = r->state;
    size_t at = start;
    if (!find_records(r, &at, e))
        return false;
    if (j->rest[at] == '{')
        return open_columns(r, start, at, e);
    if (j->rest[at] == '[')
        return open_array(r, at, e);
    struct json_scan s = scan_rest(j);
    json_fail(&s, j->rest + at,
              j->npointer ? "--records names neither an array nor an object of columns"
                          : "expected an array or an object");
    return explain(j, &s, j->rest + start, "$", e);
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
        struct json_scan s = scan_rest(j);
        json_fail(&s, j->rest + at - start, "expected a record, an array or a number");
        return explain(j, &s, NULL, "$", e);
    }
    return open_first(r, e);
}

static bool open_with(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    size_t start = 0;
    while (j->nrest < 3 && !j->ended)
        if (!json_fill(r, e))
            return false;
    const char *p = j->rest;
    if (j->nrest > 1 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0 || !p[0] != !p[1])) {
        error_data(e, "this is UTF-16, and only UTF-8 is read");
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
    if (read_pointer(j, r->options->records, e) && open_with(r, e))
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
