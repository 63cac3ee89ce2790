/* A fault as an error: in words, with its line and its path, `$.tracks[3].x[17]`. Faults are rare: the path
 * is found by a second walk over the text. */
#include "formats/json/json.h"

#include <ctype.h>
#include <stdlib.h>

static void put_key(struct text *path, const char *key, size_t nkey)
{
    bool word = nkey > 0 && !json_digit(*key);
    for (size_t i = 0; i < nkey && word; i++)
        word = (unsigned char)key[i] >= 0x80 || key[i] == '_' || isalnum((unsigned char)key[i]);
    text_put(path, word ? "." : "[\"");
    text_add(path, key, nkey);
    text_put(path, word ? "" : "\"]");
}

/* Writes the path from the value at top to the byte at. The text between them has no fault. */
static void put_path(struct text *path, const char *top, const char *at, const struct json_scan *scan)
{
    struct {
        const char *key;
        size_t nkey, index; /* index: SIZE_MAX in an object */
    } level[JSON_DEPTH];
    struct json_walk w = { .state = JSON_AT_VALUE };
    struct json_scan s = *scan;
    const char *p = json_space(memcmp(top, "\xEF\xBB\xBF", 3) == 0 ? top + 3 : top);
    for (const char *q; p < at && (w.depth > 0 || w.state == JSON_AT_VALUE); p = json_space(q)) {
        q = json_step(&w, p, &s);
        if (!q)
            break;
        if (w.first) {
            level[w.depth - 1].key = NULL;
            level[w.depth - 1].index = *p == '{' ? SIZE_MAX : 0;
        } else if (w.state == JSON_AT_COLON) {
            level[w.depth - 1].key = p + 1;
            level[w.depth - 1].nkey = (size_t)(q - p) - 2;
        } else if (w.state == JSON_AT_KEY) {
            level[w.depth - 1].key = NULL;
        } else if (*p == ',') {
            level[w.depth - 1].index++;
        }
    }
    for (size_t i = 0; i < w.depth; i++)
        if (level[i].index != SIZE_MAX)
            text_put(path, "[%zu]", level[i].index);
        else if (level[i].key)
            put_key(path, level[i].key, level[i].nkey);
}

/* Adds the bytes at the fault: those that were asked for, or a word. */
static void show(const struct json_scan *s, struct error *e)
{
    /* How much of what follows was read depends on the pieces in which it came. */
    size_t left = (size_t)(s->end - s->at), n = s->more ? 1 : s->nexcerpt;
    if (n == 0)
        while (n < 20 && (isalnum((unsigned char)s->at[n]) || (s->at[n] && strchr("+-._", s->at[n]))))
            n++;
    if (n <= 1)
        n = (unsigned char)*s->at > ' ' && *s->at != '"';
    if (n > 0)
        error_excerpt(e, s->at, left < n ? left : n);
}

bool json_explain(const struct json_scan *s, const char *text, const char *top, const char *prefix,
                  struct error *e)
{
    struct text path = { 0 };
    if (s->at >= s->end)
        error_data(e, "the text ends too early: %s", s->what);
    else if (*s->at == 0)
        error_data(e, "a NUL byte, where text should be");
    else
        error_data(e, "%s", s->what);
    if (s->at < s->end && *s->at)
        show(s, e);
    if (s->hint)
        error_hint(e, "%s", s->hint);
    uint64_t line = 1;
    const char *start = text;
    for (const char *p = text; (p = memchr(p, '\n', (size_t)(s->at - p))); start = ++p)
        line++;
    text_add(&path, prefix, strlen(prefix));
    if (top)
        put_path(&path, top, s->at, s);
    error_column(e, path.failed ? prefix : path.bytes);
    free(path.bytes);
    return error_place(e, line, (uint64_t)(s->at - start) + 1);
}
