/* JSON, token by token, strictly by RFC 8259; every fault of the grammar is found here. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <stdlib.h>

const char *json_fail_showing(struct json_scan *scan, const char *at, size_t n, const char *what,
                              const char *hint)
{
    const size_t left = (size_t)(scan->end - at);
    scan->at = at;
    scan->what = what;
    scan->hint = hint;
    scan->nexcerpt = left < n ? left : n;
    scan->leaf = NULL;
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
    }
    return json_fail_showing(scan, p, 6, "unpaired surrogate in a string", NULL);
}

/* Reads the string that begins with the quote at p. */
static const char *string(const char *p, struct json_scan *scan)
{
    uint32_t code;
    for (p++;;) {
        p = json_plain(p);
        if (*p == '"')
            return p + 1;
        const size_t n = (unsigned char)*p >= 0x80 ? utf8_decode(p, 4, &code) : 0;
        if (*p == '\\')
            p = escape(p, &code, scan);
        else if ((unsigned char)*p >= 0x80)
            p = n > 0 ? p + n : json_fail(scan, p, "a byte that is not UTF-8");
        else
            p = json_fail(scan, p,
                          p == scan->end ? "this string is never closed" : "a control character in a string");
        if (!p)
            return NULL;
    }
}

/* Writes the code point as UTF-8 to `to`. Returns the end. */
static char *put_code(char *to, uint32_t code)
{
    const int n = 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    for (int i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    *to = (char)(n == 1 ? code : (0xF00u >> n & 0xF0) | code);
    return to + n;
}

size_t json_unescape(const char *p, size_t n, char *buf)
{
    struct json_scan scan = { .end = NULL };
    char *to = buf;
    uint32_t code;
    for (const char *end = p + n; p < end;)
        if (*p != '\\') {
            *to++ = *p++;
        } else {
            p = escape(p, &code, &scan);
            to = put_code(to, code);
        }
    return (size_t)(to - buf);
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
    static const char *const words[] = { "true", "false", "null", "NaN", "nan", "Infinity", "-Infinity" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = 0;
        while (words[i][n] && p[n] == words[i][n])
            n++;
        if (!words[i][n])
            return i < 3 ? p + n : json_fail_showing(scan, p, n, "not a JSON number", "write a gap as null");
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

/* Reads the name at p and the colon. */
static const char *read_key(struct json_items *items, const char *p, struct json_scan *scan)
{
    if (*p != '"')
        return json_fail(
            scan, p, items->count == 0 ? "expected a name in quotes, or '}'" : "expected a name in quotes");
    const char *end = string(p, scan);
    if (!end)
        return NULL;
    if (end - p > JSON_MAXNAME)
        return json_fail_showing(scan, p, 40, "a name longer than 4096 bytes", NULL);
    items->key = p + 1;
    items->nkey = (size_t)(end - p) - 2;
    end = json_space(end);
    return *end == ':' ? end + 1 : json_fail(scan, end, "expected ':'");
}

const char *json_next(struct json_items *items, const char *p, struct json_scan *scan)
{
    const bool first = items->count == 0;
    if (first)
        items->object = *p == '{';
    p = json_space(p + first);
    if (*p == (items->object ? '}' : ']')) {
        items->end = p + 1;
        return NULL;
    }
    if (!first && *p != ',')
        return json_fail(scan, p, items->object ? "expected ',' or '}'" : "expected ',' or ']'");
    p = first ? p : json_space(p + 1);
    items->key = NULL;
    if (items->object && !(p = read_key(items, p, scan)))
        return NULL;
    items->count++;
    return json_space(p);
}

/* Reads the value at p, inside of `depth` arrays and objects. */
static const char *read_value(const char *p, size_t depth, struct json_scan *scan)
{
    struct json_items items = { .count = 0 };
    if (*p != '{' && *p != '[')
        return scalar(p, scan);
    if (depth == JSON_DEPTH)
        return json_fail(scan, p, "arrays and objects are nested more than 1000 deep");
    while ((p = json_next(&items, p, scan)))
        if (!(p = read_value(p, depth + 1, scan)))
            return NULL;
    return items.end;
}

const char *json_value(const char *p, struct json_scan *scan)
{
    return read_value(p, 0, scan);
}

/* --- text that was checked before --- */

const char *json_each(struct json_items *items, const char *p)
{
    struct json_scan scan = { .end = NULL };
    return json_next(items, items->count == 0 ? p : json_value(p, &scan), &scan);
}

const char *json_member(const char *object, const char *name)
{
    struct json_items items = { .count = 0 };
    if (!object || *object != '{')
        return NULL;
    for (const char *p = object; (p = json_each(&items, p));)
        if (items.nkey == strlen(name) && memcmp(items.key, name, items.nkey) == 0)
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
    return inside && n == strlen(word) && memcmp(inside, word, n) == 0;
}

/* --- paths --- */

void json_put_step(struct text *path, const struct json_items *items, char sign)
{
    char name[JSON_MAXNAME];
    const bool pointer = sign == '/', nested = pointer || path->n > 0;
    const size_t n = items->object ? json_unescape(items->key, items->nkey, name) : 0;
    if (nested)
        text_add(path, &sign, 1);
    if (!items->object)
        text_put(path, "%zu", items->count - nested);
    for (size_t i = 0; i < n; i++)
        if (pointer && (name[i] == '~' || name[i] == '/'))
            text_put(path, "~%c", name[i] == '~' ? '0' : '1');
        else
            text_add(path, name + i, 1);
}

/* --- a fault as an error; a second look at the text finds the path --- */

/* Writes the path from the value at top to the byte `at`; the text from top to `at` has no fault. */
static void put_path(struct text *path, const char *top, const char *at, struct json_scan scan)
{
    const char *outer = json_start(top), *inside;
    for (; outer && outer < at && (*outer == '{' || *outer == '['); outer = inside) {
        struct json_items items = { .object = *outer == '{' };
        inside = NULL; /* the value with the byte */
        for (const char *p = outer; p && json_space(p + (items.count == 0)) < at;) {
            inside = json_next(&items, p, &scan);
            p = inside && inside < at ? json_value(inside, &scan) : NULL;
            if (p && p <= at)
                inside = NULL;
        }
        if (items.end)
            return;
        if (!items.object)
            text_put(path, "[%zu]", items.count - (items.count > 0));
        else if (items.key && items.key < at)
            text_put(path, ".%.*s", (int)items.nkey, items.key);
    }
}

bool json_place(const struct json_scan *scan, const char *top, const char *prefix, struct error *e)
{
    struct text path = { 0 };
    text_add(&path, prefix, strlen(prefix));
    if (top)
        put_path(&path, top, scan->at, *scan);
    error_column(e, path.failed ? prefix : path.bytes);
    free(path.bytes);
    return error_place(e, 1 + block_count(scan->text, (size_t)(scan->at - scan->text), '\n'));
}

bool json_explain(const struct json_scan *scan, const char *top, const char *prefix, struct error *e)
{
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
    return json_place(scan, top, prefix, e);
}
