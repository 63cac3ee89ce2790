/* The way to the records. What was read stands in rest, which grows; a walk along it stops where the value
 * that --records names begins, so that nothing more is waited for. */
#include "formats/json/json.h"

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

struct json_scan json_scan_rest(const struct json *j)
{
    return (struct json_scan){ .end = j->rest + j->nrest, .more = !j->ended };
}

bool json_explain_rest(const struct json *j, const struct json_scan *s, const char *top, const char *prefix,
                       struct error *e)
{
    /* What was read of what follows is chance: one byte is shown. */
    struct json_scan shown = *s;
    shown.nexcerpt = s->more ? 1 : s->nexcerpt;
    json_explain(&shown, j->rest, top, prefix, e);
    e->line += j->nhead ? block_count(j->head, j->nhead, '\n') : 0;
    return false;
}

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

bool json_check(const struct input_options *o, struct error *e)
{
    const char *text = o->records;
    if (!text || !*text || *text == '/')
        return true;
    error_usage(e, "--records: takes a JSON Pointer, which begins with /");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, "members are joined with /, elements are counted from 0: /tracks/0/samples");
}

bool json_read_pointer(struct json *j, const struct input_options *options, struct error *e)
{
    const char *text = options->records;
    strcpy(j->prefix, "$");
    if (!json_check(options, e))
        return false;
    if (!text || !*text)
        return true;
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

bool json_find_records(struct reader *r, size_t *at, struct error *e)
{
    struct json *j = r->state;
    struct way way = { .at = *at, .here = true };
    for (;;) {
        struct json_scan s = json_scan_rest(j);
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
            return json_explain_rest(j, &s, j->rest + *at, "$", e);
        if (j->nrest > FORMAT_MAXROW)
            return error_data(e, "--records: more than 64 MiB stand before %s", r->options->records);
        if (!json_fill(r, e))
            return false;
    }
}
