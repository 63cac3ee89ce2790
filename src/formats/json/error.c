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
static void put_path(struct text *path, const char *top, const char *at, struct json_scan s)
{
    struct json_walk w;
    w.depth = 0;
    w.level[0] = (struct json_items){ .state = JSON_AT_VALUE };
    const char *p = json_start(top);
    while (p && p < at && (w.depth > 0 || w.level[0].count == 0)) {
        p = json_step(&w, p, &s);
        p = p ? json_space(p) : NULL;
    }
    for (struct json_items *level = w.level + 1; level <= w.level + w.depth; level++)
        if (!level->object)
            text_put(path, "[%zu]", level->count - (level->state == JSON_AT_NEXT));
        else if (level->key)
            put_key(path, level->key, level->nkey);
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
    text_add(&path, prefix, strlen(prefix));
    if (top)
        put_path(&path, top, s->at, *s);
    error_column(e, path.failed ? prefix : path.bytes);
    free(path.bytes);
    return error_place(e, 1 + block_count(text, (size_t)(s->at - text), '\n'), 0);
}
