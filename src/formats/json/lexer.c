/* JSON, token by token, strictly by RFC 8259; every fault of the grammar is found here. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <stdlib.h>

const char *json_fail_showing(struct json_scan *scan, const char *at, size_t n, const char *what,
                              const char *hint)
{
    const size_t left = (size_t)(scan->end - at);
    *scan = (struct json_scan){ scan->end, scan->more, at, what, hint, left < n ? left : n };
    return NULL;
}

const char *json_fail(struct json_scan *scan, const char *at, const char *what)
{
    return json_fail_showing(scan, at, 1, what, NULL);
}

/* --- strings --- */

/* Reads the four hexadecimal digits at p into *unit. */
static const char *hex4(const char *p, uint32_t *unit, struct json_scan *scan)
{
    const char digits[] = { p[0], p[1], p[2], p[3], 0 };
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    *unit = (uint32_t)strtoul(digits, NULL, 16);
    return n == 4 ? p + 4 : json_fail(scan, p + n, "\\u needs four hexadecimal digits");
}

/* Reads the escape at p, and sets *code to the code point. */
static const char *escape(const char *p, uint32_t *code, struct json_scan *scan)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *letter = p[1] ? strchr(from, p[1]) : NULL;
    uint32_t low;
    if (letter) {
        *code = (unsigned char)to[letter - from];
        return p + 2;
    }
    if (p[1] != 'u')
        return json_fail(scan, p + 1, "unknown escape in a string");
    const char *q = hex4(p + 2, code, scan);
    if (!q || *code < 0xD800 || *code > 0xDFFF)
        return q;
    if (*code < 0xDC00 && *q == '\\' && q[1] == 'u') {
        const char *last = hex4(q + 2, &low, scan);
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
        if (!last || (low >= 0xDC00 && low <= 0xDFFF))
            return last;
    } else if (q == scan->end || (*q == '\\' && q + 1 == scan->end)) {
        return json_fail(scan, scan->end, "this string is never closed");
    }
    return json_fail_showing(scan, p, 6, "unpaired surrogate in a string", NULL);
}

/* Reads the character at p, which is not ASCII. */
static const char *character(const char *p, struct json_scan *scan)
{
    uint32_t code;
    unsigned char first = (unsigned char)*p;
    long length = 1 + (first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0);
    long n = (long)utf8_decode(p, 4, &code);
    if (n > 0)
        return p + n;
    for (n = 1; utf8_continues(p[n]); n++)
        ;
    if (p + n == scan->end && n < length)
        return json_fail(scan, scan->end, "this string is never closed");
    return json_fail_showing(scan, p, 1, "a byte that is not UTF-8", NULL);
}

/* Reads the string that begins with the quote at p. */
static const char *string(const char *p, struct json_scan *scan)
{
    uint32_t code;
    for (p++;;) {
        p = json_plain(p);
        if (*p == '"')
            return p + 1;
        if (*p == '\\')
            p = escape(p, &code, scan);
        else if ((unsigned char)*p >= 0x80)
            p = character(p, scan);
        else
            p = json_fail(scan, p,
                          p == scan->end ? "this string is never closed" : "a control character in a string");
        if (!p)
            return NULL;
    }
}

/* Sets `bytes` to the first byte of p inside a valid string, or to the *n bytes of the character that an
 * escape at p means. Returns the place after the byte or the escape. */
static const char *unescaped(const char *p, char bytes[4], size_t *n)
{
    struct json_scan scan = { .end = NULL };
    uint32_t code;
    *n = 1;
    bytes[0] = *p;
    if (*p != '\\')
        return p + 1;
    p = escape(p, &code, &scan);
    *n = 1 + (size_t)(code >= 0x80) + (size_t)(code >= 0x800) + (size_t)(code >= 0x10000);
    for (size_t i = *n - 1; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(*n == 1 ? code : (0xF00u >> *n & 0xF0) | code);
    return p;
}

size_t json_unescape(const char *p, size_t n, char *buf)
{
    size_t k = 0, nbyte;
    char bytes[4];
    for (const char *end = p + n; p < end; k += nbyte) {
        p = unescaped(p, bytes, &nbyte);
        memcpy(buf + k, bytes, nbyte);
    }
    return k;
}

/* --- numbers and words --- */

/* The fault of a number that is not spelled as in JSON. */
static const char *no_number(const char *p, struct json_scan *scan)
{
    size_t n = strcspn(p, ",]} \t\r\n\"");
    return json_fail_showing(
        scan, p, n ? n : 1, "not a JSON number",
        "write it like 12, -0.5 or 1e-3: no leading +, no leading zeros, digits on both sides of the point");
}

/* The byte after the digits at p. Sets *good to whether there is a digit. */
static const char *digits(const char *p, bool *good)
{
    *good = json_digit(*p);
    while (json_digit(*p))
        p++;
    return p;
}

/* Reads the number at p. */
static const char *number(const char *p, struct json_scan *scan)
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
    if (p == scan->end && (!good || scan->more))
        return json_fail(scan, p, "this number is cut off");
    good &= *p != '.' && *p != '+' && *p != '-' && (*p | 0x20) != 'e';
    return good ? p : no_number(start, scan);
}

/* Reads true, false or null. */
static const char *word(const char *p, struct json_scan *scan)
{
    static const char *const words[] = { "true", "false",    "null",      "NaN", "nan",
                                         "inf",  "Infinity", "-Infinity", "-inf" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = 0;
        while (words[i][n] && p[n] == words[i][n])
            n++;
        if (!words[i][n])
            return i < 3 ? p + n : json_fail_showing(scan, p, n, "not a JSON number", "write a gap as null");
        if (n > 0 && p + n == scan->end)
            return json_fail(scan, scan->end, "expected a value");
    }
    return json_fail(scan, p, "expected a value");
}

static const char *scalar(const char *p, struct json_scan *scan)
{
    if (*p == '"')
        return string(p, scan);
    if (json_digit(*p) || (*p == '-' && (p[1] | 0x20) != 'i'))
        return number(p, scan);
    return *p == '+' || *p == '.' ? no_number(p, scan) : word(p, scan);
}

/* --- nested values --- */

/* Does p hold the closing bracket of items, where one may come? */
static bool is_closed(const struct json_items *items, const char *p)
{
    return *p == (items->object ? '}' : ']') &&
           (items->state == JSON_AT_FIRST || items->state == JSON_AT_NEXT);
}

/* Must the next token be a value? In an empty array the closing bracket is there. */
static bool is_at_value(const struct json_items *items)
{
    return items->state == JSON_AT_VALUE || (items->state == JSON_AT_FIRST && !items->object);
}

/* Reads the separator before a value: a comma, or a name and a colon. */
static const char *separator(struct json_items *items, const char *p, struct json_scan *scan)
{
    if (items->state == JSON_AT_NEXT) {
        if (*p != ',')
            return json_fail(scan, p, items->object ? "expected ',' or '}'" : "expected ',' or ']'");
        items->state = items->object ? JSON_AT_KEY : JSON_AT_VALUE;
        items->key = NULL;
        return p + 1;
    }
    if (*p != '"')
        return json_fail(scan, p,
                         items->state == JSON_AT_FIRST ? "expected a name in quotes, or '}'"
                                                       : "expected a name in quotes");
    const char *end = string(p, scan);
    if (!end)
        return NULL;
    if (end - p > JSON_MAXNAME)
        return json_fail_showing(scan, p, 40, "a name longer than 4096 bytes", NULL);
    items->key = p + 1;
    items->nkey = (size_t)(end - p) - 2;
    end = json_space(end);
    if (*end != ':')
        return json_fail(scan, end, "expected ':'");
    items->state = JSON_AT_VALUE;
    return end + 1;
}

const char *json_next(struct json_items *items, const char *p, struct json_scan *scan)
{
    p = json_space(p + (items->state == JSON_AT_FIRST));
    if (is_closed(items, p)) {
        items->end = p + 1;
        return NULL;
    }
    while (!is_at_value(items)) {
        p = separator(items, p, scan);
        if (!p)
            return NULL;
        p = json_space(p);
    }
    items->state = JSON_AT_NEXT;
    items->count++;
    return p;
}

/* A walk through nested values. It begins with depth 0 and level[0].state JSON_AT_VALUE. */
struct walk {
    size_t depth;                            /* number of open arrays and objects */
    struct json_items level[JSON_DEPTH + 1]; /* [1] to [depth]: the open arrays and objects */
};

/* Reads one token, or a name with the colon; p is at no blank. */
static const char *step(struct walk *walk, const char *p, struct json_scan *scan)
{
    struct json_items *items = &walk->level[walk->depth];
    const bool bracket = *p == '{' || *p == '[';
    if (is_closed(items, p)) {
        walk->depth--;
        return p + 1;
    }
    if (!is_at_value(items))
        return separator(items, p, scan);
    if (bracket && walk->depth == JSON_DEPTH)
        return json_fail(scan, p, "arrays and objects are nested more than 1000 deep");
    const char *end = bracket ? p + 1 : scalar(p, scan);
    if (!end)
        return NULL;
    items->state = JSON_AT_NEXT;
    items->count++;
    if (bracket)
        walk->level[++walk->depth] = (struct json_items){ .object = *p == '{' };
    return end;
}

const char *json_value(const char *p, struct json_scan *scan)
{
    if (*p != '{' && *p != '[')
        return scalar(p, scan);
    struct walk walk;
    walk.depth = 0;
    walk.level[0] = (struct json_items){ .state = JSON_AT_VALUE };
    do
        p = step(&walk, json_space(p), scan);
    while (p && walk.depth > 0);
    return p;
}

/* --- text that was checked before --- */

const char *json_each(struct json_items *items, const char *p)
{
    struct json_scan scan = { .end = NULL };
    if (items->state == JSON_AT_FIRST)
        items->object = *p == '{';
    return json_next(items, items->state == JSON_AT_FIRST ? p : json_value(p, &scan), &scan);
}

/* Do the n bytes inside the quotes of a string mean the word? */
static bool means(const char *inside, size_t n, const char *word)
{
    char bytes[4];
    size_t nbyte, nword = strlen(word);
    for (const char *p = inside; p < inside + n; word += nbyte, nword -= nbyte) {
        p = unescaped(p, bytes, &nbyte);
        if (nbyte > nword || memcmp(bytes, word, nbyte) != 0)
            return false;
    }
    return nword == 0;
}

const char *json_member(const char *object, const char *name)
{
    struct json_items items = { .count = 0 };
    if (!object || *object != '{')
        return NULL;
    for (const char *p = object; (p = json_each(&items, p));)
        if (means(items.key, items.nkey, name))
            return p;
    return NULL;
}

const char *json_inside(const char *value, size_t *n)
{
    if (!value || *value != '"')
        return NULL;
    *n = (size_t)(string(value, &(struct json_scan){ .end = NULL }) - value) - 2;
    return value + 1;
}

bool json_is(const char *value, const char *word)
{
    size_t n;
    const char *inside = json_inside(value, &n);
    return inside && means(inside, n, word);
}

/* --- a fault as an error; a second walk over the text finds the path --- */

/* Writes the path from the value at top to the byte `at`; the text from top to `at` has no fault. */
static void put_path(struct text *path, const char *top, const char *at, struct json_scan scan)
{
    struct walk walk;
    walk.depth = 0;
    walk.level[0] = (struct json_items){ .state = JSON_AT_VALUE };
    const char *p = json_start(top);
    while (p && p < at && (walk.depth > 0 || walk.level[0].count == 0)) {
        p = step(&walk, p, &scan);
        p = p ? json_space(p) : NULL;
    }
    for (struct json_items *level = walk.level + 1; level <= walk.level + walk.depth; level++)
        if (!level->object)
            text_put(path, "[%zu]", level->count - (level->state == JSON_AT_NEXT));
        else if (level->key)
            text_put(path, ".%.*s", (int)level->nkey, level->key);
}

bool json_explain(const struct json_scan *scan, const char *text, const char *top, const char *prefix,
                  struct error *e)
{
    struct text path = { 0 };
    const bool early = scan->at >= scan->end, nul = !early && !*scan->at;
    if (early)
        error_data(e, "the file ends too early: %s", scan->what);
    else
        error_data(e, "%s", nul ? "a NUL byte in a text file" : scan->what);
    /* With scan->more, how many bytes follow depends on how the input was cut into pieces. */
    const size_t nexcerpt = scan->more ? 1 : scan->nexcerpt;
    if (!early && (nexcerpt > 1 || ((unsigned char)*scan->at > ' ' && *scan->at != '"')))
        error_excerpt(e, scan->at, nexcerpt);
    if (scan->hint || early)
        error_hint(e, "%s", scan->hint ? scan->hint : "the file seems truncated: copy or export it again");
    text_add(&path, prefix, strlen(prefix));
    if (top)
        put_path(&path, top, scan->at, *scan);
    error_column(e, path.failed ? prefix : path.bytes);
    free(path.bytes);
    return error_place(e, 1 + block_count(text, (size_t)(scan->at - text), '\n'));
}
