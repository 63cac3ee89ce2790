/* JSON, token by token, strictly by RFC 8259: what is wrong is found here and said here. See json.h. */
#include "formats/json/json.h"

#include <stdio.h>

const char *json_fail(struct json_scan *s, const char *at, const char *what)
{
    s->at = at;
    s->what = what;
    s->hint = NULL;
    s->nexcerpt = 0;
    return NULL;
}

/* Fails with bytes to show. */
static const char *fail_showing(struct json_scan *s, const char *at, size_t n, const char *what,
                                const char *hint)
{
    json_fail(s, at, what);
    s->nexcerpt = (size_t)(s->end - at) < n ? (size_t)(s->end - at) : n;
    s->hint = hint;
    return NULL;
}

/* --- strings --- */

static int hex_digit(char c)
{
    return json_digit(c)          ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four digits at p into *unit. */
static const char *hex4(const char *p, unsigned *unit, struct json_scan *s)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, p++) {
        int digit = hex_digit(*p);
        if (digit < 0)
            return json_fail(s, p, "\\u needs four hexadecimal digits");
        *unit = *unit * 16 + (unsigned)digit;
    }
    return p;
}

/* The escape at p. */
static const char *escape(const char *p, struct json_scan *s)
{
    unsigned unit, low;
    if (p[1] != 'u')
        return p[1] && strchr("\"\\/bfnrt", p[1]) ? p + 2 : json_fail(s, p + 1, "no such escape in a string");
    const char *q = hex4(p + 2, &unit, s);
    if (!q || unit < 0xD800 || unit > 0xDFFF)
        return q;
    if (unit < 0xDC00 && *q == '\\' && q[1] == 'u') {
        const char *last = hex4(q + 2, &low, s);
        if (!last || (low >= 0xDC00 && low <= 0xDFFF))
            return last;
    } else if (q == s->end || (*q == '\\' && q + 1 == s->end)) {
        return json_fail(s, s->end, "a string is not closed");
    }
    return fail_showing(s, p, 6, "half a surrogate pair in a string", NULL);
}

/* The UTF-8 sequence at p, by table 3-7 of the Unicode standard. */
static const char *utf8(const char *p, struct json_scan *s)
{
    const unsigned char *u = (const unsigned char *)p;
    unsigned least = 0x80, most = 0xBF, n = *u >= 0xF0 ? 4 : *u >= 0xE0 ? 3 : 2;
    least = *u == 0xE0 ? 0xA0 : *u == 0xF0 ? 0x90 : least;
    most = *u == 0xED ? 0x9F : *u == 0xF4 ? 0x8F : most;
    if (*u < 0xC2 || *u > 0xF4)
        return fail_showing(s, p, 1, "a byte that is not UTF-8", NULL);
    for (unsigned i = 1; i < n; i++, least = 0x80, most = 0xBF)
        if (u[i] < least || u[i] > most)
            return p + i == s->end ? json_fail(s, s->end, "a string is not closed")
                                   : fail_showing(s, p, 1, "a byte that is not UTF-8", NULL);
    return p + n;
}

const char *json_string(const char *p, struct json_scan *s)
{
    const char *open = p++;
    for (;;) {
        p = json_plain(p);
        if (*p == '"') {
            if (p - open > FORMAT_MAXCELL)
                return fail_showing(s, open, 40, "a string longer than 1 MiB", NULL);
            return p + 1;
        }
        if (*p == '\\')
            p = escape(p, s);
        else if ((unsigned char)*p >= 0x80)
            p = utf8(p, s);
        else
            p = json_fail(s, p, p == s->end ? "a string is not closed" : "a control character in a string");
        if (!p)
            return NULL;
    }
}

const char *json_character(const char *p, char one[4], size_t *n)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    struct json_scan s = { .end = NULL };
    unsigned unit, low;
    *n = 1;
    one[0] = *p;
    if (*p != '\\')
        return p + 1;
    if (p[1] != 'u') {
        one[0] = to[strchr(from, p[1]) - from];
        return p + 2;
    }
    p = hex4(p + 2, &unit, &s);
    if (unit >= 0xD800 && unit < 0xDC00) {
        p = hex4(p + 2, &low, &s);
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    *n = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4;
    for (size_t i = *n - 1; i > 0; i--, unit >>= 6)
        one[i] = (char)(0x80 | (unit & 0x3F));
    one[0] = (char)(*n == 1 ? unit : (0xF00u >> *n & 0xF0) | unit);
    return p;
}

size_t json_unescape(const char *p, size_t n, char *buf, size_t max)
{
    const char *end = p + n;
    size_t k = 0, none;
    char one[4];
    for (; p < end; k += none) {
        p = json_character(p, one, &none);
        if (k + none > max)
            break;
        memcpy(buf + k, one, none);
    }
    return k;
}

/* --- numbers and words --- */

static const char *no_number(const char *p, struct json_scan *s)
{
    size_t n = strcspn(p, ",]} \t\r\n\"");
    return fail_showing(
        s, p, n ? n : 1, "this is no JSON number",
        "it is written like 12, -0.5 or 1e-3: no sign +, no zeros in front, digits around the point");
}

const char *json_number(const char *p, struct json_scan *s)
{
    const char *start = p;
    p += *p == '-';
    if (!json_digit(*p) || (*p == '0' && json_digit(p[1])))
        return p == s->end ? json_fail(s, p, "a number is not whole") : no_number(start, s);
    while (json_digit(*p))
        p++;
    if (*p == '.') {
        if (!json_digit(*++p))
            return p == s->end ? json_fail(s, p, "a number is not whole") : no_number(start, s);
        while (json_digit(*p))
            p++;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        if (!json_digit(*p))
            return p == s->end ? json_fail(s, p, "a number is not whole") : no_number(start, s);
        while (json_digit(*p))
            p++;
    }
    if (p - start > FORMAT_MAXCELL)
        return fail_showing(s, start, 40, "a number longer than 1 MiB", NULL);
    if (p == s->end && s->more)
        return json_fail(s, p, "a number is not whole");
    return *p == '.' || *p == '+' || *p == '-' || (*p | 0x20) == 'e' ? no_number(start, s) : p;
}

static const char *word(const char *p, const char *text, struct json_scan *s)
{
    const char *start = p;
    for (; *text; p++, text++)
        if (*p != *text)
            return p == s->end ? json_fail(s, p, "expected a value")
                               : json_fail(s, start, "expected a value");
    return p;
}

static const char *no_value(const char *p, struct json_scan *s)
{
    static const char *const numbers[] = { "NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", NULL };
    for (size_t i = 0; numbers[i]; i++) {
        size_t n = 0;
        while (numbers[i][n] && p[n] == numbers[i][n])
            n++;
        if (n > 0 && numbers[i][n] && p + n == s->end)
            return json_fail(s, s->end, "expected a value");
        if (!numbers[i][n])
            return fail_showing(s, p, strlen(numbers[i]), "this is no JSON number", "a gap is written null");
    }
    return *p == '+' || *p == '.' ? no_number(p, s) : json_fail(s, p, "expected a value");
}

static const char *scalar(const char *p, struct json_scan *s)
{
    switch (*p) {
    case '"':
        return json_string(p, s);
    case 't':
        return word(p, "true", s);
    case 'f':
        return word(p, "false", s);
    case 'n':
        return p[1] == 'a' ? no_value(p, s) : word(p, "null", s);
    case '-':
        return p[1] == 'i' || p[1] == 'I' ? no_value(p, s) : json_number(p, s);
    default:
        return json_digit(*p) ? json_number(p, s) : no_value(p, s);
    }
}

/* --- nested values --- */

const char *json_enter(struct json_walk *w, const char *p, struct json_scan *s)
{
    if (w->depth == JSON_DEPTH)
        return json_fail(s, p, "more than 1000 arrays and objects in each other");
    uint64_t bit = (uint64_t)1 << w->depth % 64;
    if (*p == '{')
        w->object[w->depth / 64] |= bit;
    else
        w->object[w->depth / 64] &= ~bit;
    w->state = *p == '{' ? JSON_AT_FIRST_KEY : JSON_AT_FIRST_VALUE;
    w->depth++;
    return p + 1;
}

bool json_in_object(const struct json_walk *w)
{
    return w->depth > 0 && w->object[(w->depth - 1) / 64] >> (w->depth - 1) % 64 & 1;
}

static const char *leave(struct json_walk *w, const char *p)
{
    w->depth--;
    w->state = JSON_AT_NEXT;
    return p + 1;
}

static const char *key(struct json_walk *w, const char *p, struct json_scan *s)
{
    if (*p != '"')
        return json_fail(s, p,
                         w->state == JSON_AT_KEY ? "expected a name in quotes"
                                                 : "expected a name in quotes, or '}'");
    const char *q = json_string(p, s);
    if (q && w->key && !w->key(w, p + 1, (size_t)(q - p) - 2, s))
        return NULL;
    w->state = q ? JSON_AT_COLON : w->state;
    return q;
}

static const char *value(struct json_walk *w, const char *p, struct json_scan *s)
{
    if (*p == '{' || *p == '[')
        return json_enter(w, p, s);
    p = scalar(p, s);
    w->state = p ? JSON_AT_NEXT : w->state;
    return p;
}

const char *json_step(struct json_walk *w, const char *p, struct json_scan *s)
{
    bool object = json_in_object(w);
    switch (w->state) {
    case JSON_AT_FIRST_VALUE:
        return *p == ']' ? leave(w, p) : value(w, p, s);
    case JSON_AT_VALUE:
        return value(w, p, s);
    case JSON_AT_FIRST_KEY:
        return *p == '}' ? leave(w, p) : key(w, p, s);
    case JSON_AT_KEY:
        return key(w, p, s);
    case JSON_AT_COLON:
        if (*p != ':')
            return json_fail(s, p, "expected ':'");
        w->state = JSON_AT_VALUE;
        return p + 1;
    case JSON_AT_NEXT:
        if (*p == (object ? '}' : ']'))
            return leave(w, p);
        if (*p != ',')
            return json_fail(s, p, object ? "expected ',' or '}'" : "expected ',' or ']'");
        w->state = object ? JSON_AT_KEY : JSON_AT_VALUE;
        return p + 1;
    }
    return NULL;
}

const char *json_walk(struct json_walk *w, const char *p, size_t depth, struct json_scan *s)
{
    do {
        w->token = p = json_space(p);
        p = json_step(w, p, s);
        if (!p)
            return NULL;
        w->least = w->depth < w->least ? w->depth : w->least;
    } while (w->depth > depth || w->state != JSON_AT_NEXT);
    w->token = p;
    return p;
}

const char *json_value(const char *p, size_t depth, struct json_scan *s)
{
    if (*p != '{' && *p != '[')
        return scalar(p, s);
    struct json_walk w;
    w.depth = depth;
    w.state = JSON_AT_VALUE;
    w.key = NULL;
    w.least = 0;
    return json_walk(&w, p, depth, s);
}
