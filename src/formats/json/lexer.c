/* JSON, token by token, strictly by RFC 8259; every fault of the grammar is found here. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>

const char *json_fail_showing(struct json_scan *s, const char *at, size_t n, const char *what,
                              const char *hint)
{
    size_t left = (size_t)(s->end - at);
    s->at = at;
    s->what = what;
    s->hint = hint;
    s->nexcerpt = left < n ? left : n;
    return NULL;
}

const char *json_fail(struct json_scan *s, const char *at, const char *what)
{
    return json_fail_showing(s, at, 0, what, NULL);
}

/* --- strings --- */

/* Reads the four hexadecimal digits at p into *unit. */
static const char *hex4(const char *p, uint32_t *unit, struct json_scan *s)
{
    const char digits[] = { p[0], p[1], p[2], p[3], 0 };
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    *unit = (uint32_t)strtoul(digits, NULL, 16);
    return n == 4 ? p + 4 : json_fail(s, p + n, "\\u needs four hexadecimal digits");
}

/* Reads the escape at p; *code: the code point. */
static const char *escape(const char *p, uint32_t *code, struct json_scan *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *letter = p[1] ? strchr(from, p[1]) : NULL;
    uint32_t low;
    if (letter) {
        *code = (unsigned char)to[letter - from];
        return p + 2;
    }
    if (p[1] != 'u')
        return json_fail(s, p + 1, "no such escape in a string");
    const char *q = hex4(p + 2, code, s);
    if (!q || *code < 0xD800 || *code > 0xDFFF)
        return q;
    if (*code < 0xDC00 && *q == '\\' && q[1] == 'u') {
        const char *last = hex4(q + 2, &low, s);
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
        if (!last || (low >= 0xDC00 && low <= 0xDFFF))
            return last;
    } else if (q == s->end || (*q == '\\' && q + 1 == s->end)) {
        return json_fail(s, s->end, "a string is not closed");
    }
    return json_fail_showing(s, p, 6, "half a surrogate pair in a string", NULL);
}

/* Reads the character at p, which is not ASCII. */
static const char *character(const char *p, struct json_scan *s)
{
    uint32_t code;
    unsigned char first = (unsigned char)*p;
    long length = 1 + (first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0);
    long n = (long)utf8_decode(p, 4, &code);
    if (n > 0)
        return p + n;
    for (n = 1; utf8_continues(p[n]); n++)
        ;
    if (p + n == s->end && n < length)
        return json_fail(s, s->end, "a string is not closed");
    return json_fail_showing(s, p, 1, "a byte that is not UTF-8", NULL);
}

/* Reads the string that begins with the quote at p. */
static const char *string(const char *p, struct json_scan *s)
{
    const char *open = p++;
    uint32_t code;
    for (;;) {
        p = json_plain(p);
        if (*p == '"') {
            if (p - open > FORMAT_MAXCELL && !s->long_strings)
                return json_fail_showing(s, open, 40, "a string longer than 1 MiB", NULL);
            return p + 1;
        }
        if (*p == '\\')
            p = escape(p, &code, s);
        else if ((unsigned char)*p >= 0x80)
            p = character(p, s);
        else
            p = json_fail(s, p, p == s->end ? "a string is not closed" : "a control character in a string");
        if (!p)
            return NULL;
    }
}

/* The first character inside a valid string: one byte of the text, or the *n bytes that an escape stands for.
 * Returns the byte after the character or escape. */
static const char *unescaped(const char *p, char one[4], size_t *n)
{
    struct json_scan s = { .end = NULL };
    uint32_t code;
    *n = 1;
    one[0] = *p;
    if (*p != '\\')
        return p + 1;
    p = escape(p, &code, &s);
    *n = 1 + (size_t)(code >= 0x80) + (size_t)(code >= 0x800) + (size_t)(code >= 0x10000);
    for (size_t i = *n - 1; i > 0; i--, code >>= 6)
        one[i] = (char)(0x80 | (code & 0x3F));
    one[0] = (char)(*n == 1 ? code : (0xF00u >> *n & 0xF0) | code);
    return p;
}

size_t json_unescape(const char *p, size_t n, char *buf)
{
    size_t k = 0, nbyte;
    char one[4];
    for (const char *end = p + n; p < end; k += nbyte) {
        p = unescaped(p, one, &nbyte);
        memcpy(buf + k, one, nbyte);
    }
    return k;
}

int json_compare_name(const char *key, size_t nkey, const char *name, size_t nname)
{
    const char *end = name + nname;
    char one[4];
    size_t n;
    for (const char *p = key; p < key + nkey; name += n) {
        p = unescaped(p, one, &n);
        size_t left = (size_t)(end - name);
        int order = memcmp(one, name, n < left ? n : left);
        if (order != 0 || left < n)
            return order != 0 ? order : 1;
    }
    return name < end ? -1 : 0;
}

/* --- numbers and words --- */

static const char *no_number(const char *p, struct json_scan *s)
{
    size_t n = strcspn(p, ",]} \t\r\n\"");
    return json_fail_showing(
        s, p, n ? n : 1, "this is no JSON number",
        "it is written like 12, -0.5 or 1e-3: no sign +, no zeros in front, digits around the point");
}

/* The byte after one or more digits. *good: there is a digit. */
static const char *digits(const char *p, bool *good)
{
    *good = json_digit(*p);
    while (json_digit(*p))
        p++;
    return p;
}

static const char *number(const char *p, struct json_scan *s)
{
    const char *start = p;
    p += *p == '-';
    bool good = *p != '0' || !json_digit(p[1]);
    if (good)
        p = digits(p, &good);
    if (good && *p == '.')
        p = digits(p + 1, &good);
    if (good && (*p == 'e' || *p == 'E'))
        p = digits(p + 1 + (p[1] == '+' || p[1] == '-'), &good);
    if (good && p - start > FORMAT_MAXCELL)
        return json_fail_showing(s, start, 40, "a number longer than 1 MiB", NULL);
    if (p == s->end && (!good || s->more))
        return json_fail(s, p, "a number is not whole");
    good &= *p != '.' && *p != '+' && *p != '-' && (*p | 0x20) != 'e';
    return good ? p : no_number(start, s);
}

static const char *word(const char *p, struct json_scan *s)
{
    static const char *const words[] = { "true", "false",    "null",      "NaN", "nan",
                                         "inf",  "Infinity", "-Infinity", "-inf" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = 0;
        while (words[i][n] && p[n] == words[i][n])
            n++;
        if (!words[i][n])
            return i < 3 ? p + n
                         : json_fail_showing(s, p, n, "this is no JSON number", "a gap is written null");
        if (n > 0 && p + n == s->end)
            return json_fail(s, s->end, "expected a value");
    }
    return json_fail(s, p, "expected a value");
}

static const char *scalar(const char *p, struct json_scan *s)
{
    if (*p == '"')
        return string(p, s);
    if (json_digit(*p) || (*p == '-' && (p[1] | 0x20) != 'i'))
        return number(p, s);
    return *p == '+' || *p == '.' ? no_number(p, s) : word(p, s);
}

/* --- nested values --- */

static bool is_closed(const struct json_items *items, const char *p)
{
    return *p == (items->object ? '}' : ']') &&
           (items->state == JSON_AT_FIRST || items->state == JSON_AT_NEXT);
}

bool json_at_value(const struct json_items *items)
{
    return items->state == JSON_AT_VALUE || (items->state == JSON_AT_FIRST && !items->object);
}

/* Reads the separator before a value: a comma, or a name and a colon. */
static const char *separator(struct json_items *items, const char *p, struct json_scan *s)
{
    if (items->state == JSON_AT_NEXT) {
        if (*p != ',')
            return json_fail(s, p, items->object ? "expected ',' or '}'" : "expected ',' or ']'");
        items->state = items->object ? JSON_AT_KEY : JSON_AT_VALUE;
        items->key = NULL;
        return p + 1;
    }
    if (*p != '"')
        return json_fail(s, p,
                         items->state == JSON_AT_FIRST ? "expected a name in quotes, or '}'"
                                                       : "expected a name in quotes");
    const char *end = string(p, s);
    if (!end)
        return NULL;
    items->key = p + 1;
    items->nkey = (size_t)(end - p) - 2;
    end = json_space(end);
    if (*end != ':')
        return json_fail(s, end, "expected ':'");
    items->state = JSON_AT_VALUE;
    return end + 1;
}

const char *json_next(struct json_items *items, const char *p, struct json_scan *s)
{
    p = json_space(p + (items->state == JSON_AT_FIRST));
    if (is_closed(items, p)) {
        items->end = p + 1;
        return NULL;
    }
    while (!json_at_value(items)) {
        p = separator(items, p, s);
        if (!p)
            return NULL;
        p = json_space(p);
    }
    items->state = JSON_AT_NEXT;
    items->count++;
    return p;
}

const char *json_step(struct json_walk *w, const char *p, struct json_scan *s)
{
    struct json_items *items = &w->level[w->depth];
    const bool bracket = *p == '{' || *p == '[';
    if (is_closed(items, p)) {
        w->depth--;
        return p + 1;
    }
    if (!json_at_value(items))
        return separator(items, p, s);
    if (bracket && w->depth == JSON_DEPTH)
        return json_fail(s, p, "more than 1000 arrays and objects in each other");
    const char *end = bracket ? p + 1 : scalar(p, s);
    if (!end)
        return NULL;
    items->state = JSON_AT_NEXT;
    items->count++;
    if (bracket)
        w->level[++w->depth] = (struct json_items){ .object = *p == '{' };
    return end;
}

const char *json_value(const char *p, size_t depth, struct json_scan *s)
{
    if (*p != '{' && *p != '[')
        return scalar(p, s);
    struct json_walk w;
    w.depth = depth;
    w.level[depth] = (struct json_items){ .state = JSON_AT_VALUE };
    do
        p = json_step(&w, json_space(p), s);
    while (p && w.depth > depth);
    return p;
}

/* --- a fault as an error; a second walk over the text finds the path --- */

static void put_key(struct text *path, const char *key, size_t nkey)
{
    bool word = nkey > 0 && !json_digit(*key);
    for (size_t i = 0; i < nkey && word; i++)
        word = (unsigned char)key[i] >= 0x80 || key[i] == '_' || isalnum((unsigned char)key[i]);
    text_put(path, word ? "." : "[\"");
    text_add(path, key, nkey);
    text_put(path, word ? "" : "\"]");
}

/* Writes the path from the value at top to the byte `at`; the text from top to `at` has no fault. */
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

/* Adds the bytes at the fault: s->nexcerpt bytes, or a word. */
static void show(const struct json_scan *s, struct error *e)
{
    /* With s->more the number of further bytes depends on the pieces in which the input came. */
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
    else
        error_data(e, "%s", *s->at ? s->what : "a NUL byte, where text should be");
    if (s->at < s->end && *s->at)
        show(s, e);
    if (s->hint)
        error_hint(e, "%s", s->hint);
    text_add(&path, prefix, strlen(prefix));
    if (top)
        put_path(&path, top, s->at, *s);
    error_column(e, path.failed ? prefix : path.bytes);
    free(path.bytes);
    return error_place(e, 1 + block_count(text, (size_t)(s->at - text), '\n'));
}
