/* The JSON Pointer of --records. The text that was read is in rest, which grows; the walk stops where the
 * value begins that the pointer names, so that no more input than that is waited for. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* A part of the pointer, of n bytes, spelled as a key: ~1 is /, ~0 is ~; quotes, backslashes and control
 * characters are escaped. */
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
        if (!array_reserve(&j->pointer, j->npointer + 1, &j->maxpointer, sizeof *j->pointer, e))
            return false;
        char *part = j->pointer[j->npointer] = pointer_part(p, n);
        if (!part)
            return error_memory(e);
        j->npointer++;
        p += n;
        size_t used = strlen(j->prefix);
        bool index = *part && strspn(part, "0123456789") == strlen(part);
        snprintf(j->prefix + used, sizeof j->prefix - used, index ? "[%s]" : ".%s", part);
    }
    if (j->npointer > JSON_DEPTH - 1)
        return error_usage(e, "--records: more than 1000 levels");
    return true;
}

/* How far the search has come. */
struct search {
    size_t at;    /* in rest: the next token */
    size_t level; /* parts of the pointer whose array or object was entered */
    size_t index; /* elements before, in that array */
    bool match;   /* the next value in it is the one that the next part names */
    bool missing; /* there is none */
};

static bool is_index(const char *part, size_t index)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", index);
    return strcmp(part, text) == 0;
}

/* Goes on as far as rest goes. Returns the value that the pointer names; NULL: a fault, or missing. */
static const char *search_on(struct json *j, struct search *f, struct json_scan *s)
{
    struct json_walk *w = &j->walk;
    for (const char *p = json_space(j->rest + f->at), *q;; p = json_space(q)) {
        f->at = (size_t)(p - j->rest);
        bool here = w->depth == f->level, object = json_in_object(w);
        bool value = w->state == JSON_AT_VALUE || (w->state == JSON_AT_FIRST_VALUE && *p != ']');
        const char *part = f->level > 0 ? j->pointer[f->level - 1] : "";
        if (here && value && p == s->end)
            return json_fail(s, p, "expected a value");
        if (here && value && (object || f->level == 0 ? f->match : is_index(part, f->index))) {
            if (f->level == j->npointer)
                return p;
            f->missing = *p != '{' && *p != '[';
            f->match = false;
            f->level++;
            f->index = 0;
            value = false;
        }
        q = f->missing ? NULL : json_step(w, p, s);
        f->missing |= q && w->depth < f->level;
        if (!q || f->missing)
            return NULL;
        f->index += here && value;
        if (here && w->state == JSON_AT_COLON)
            f->match = json_same_key(p + 1, (size_t)(q - p) - 2, part, strlen(part));
    }
}

bool json_find_records(struct reader *r, size_t *at, struct error *e)
{
    struct json *j = r->state;
    struct search search = { .at = *at, .match = true };
    for (;;) {
        struct json_scan s = json_scan_rest(j);
        const char *p = search_on(j, &search, &s);
        if (p) {
            *at = (size_t)(p - j->rest);
            return true;
        }
        if (search.missing) {
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
