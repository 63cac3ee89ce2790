/* Values of options: one argument, as typed, into the field of its row, and all checks that a single row
 * states. Relations between options are checked by the code that owns the settings. */
#include "base/param.h"

#include "base/array.h"
#include "base/suggest.h"
#include "base/text.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXNUMBERS = 100000 };

static void *field(const struct param *p, void *settings)
{
    return (char *)settings + p->offset;
}

bool param_is(const struct param *p, const char *name, size_t n, int letter)
{
    return (letter && p->letter == letter) || (n && strncmp(p->name, name, n) == 0 && p->name[n] == 0);
}

const struct param *param_find(const struct param *params, size_t nparam, const char *name, size_t n,
                               int letter)
{
    for (const struct param *p = params; p < params + nparam; p++)
        if (param_is(p, name, n, letter))
            return p;
    return NULL;
}

/* What each range accepts, both limits included. */
static const struct {
    const char *words;
    double least, most;
} ranges[] = {
    [RANGE_ANY] = { "", -DBL_MAX, DBL_MAX },
    [RANGE_POSITIVE] = { "greater than 0", DBL_TRUE_MIN, DBL_MAX },
    [RANGE_NOT_NEGATIVE] = { "at least 0", 0, DBL_MAX },
    [RANGE_FRACTION] = { "from 0 to 1", 0, 1 },
    [RANGE_INSIDE] = { "more than 0 and less than 1", DBL_TRUE_MIN, 1 - DBL_EPSILON / 2 },
};

/* "a, b or c" with last " or "; cut when it is long. */
static void list_choices(const char *const *choices, const char *last, char *buf, size_t maxbuf)
{
    buf[0] = 0;
    for (size_t i = 0; choices[i]; i++)
        text_append(buf, maxbuf, "%s%s", i == 0 ? "" : choices[i + 1] ? ", " : last, choices[i]);
}

void param_range_text(const struct param *p, char *buf, size_t maxbuf)
{
    bool number = p->kind == PARAM_NUMBER || p->kind == PARAM_NUMBERS || p->kind == PARAM_COUNT;
    buf[0] = 0;
    if (p->kind == PARAM_CHOICE)
        list_choices(p->choices, " or ", buf, maxbuf);
    else if (number && p->range == RANGE_LIMITS)
        snprintf(buf, maxbuf, "from %g to %g", p->min, p->max);
    else if (number)
        text_append(buf, maxbuf, "%s", ranges[p->range].words);
    if (p->word)
        text_append(buf, maxbuf, " or %s", p->word);
}

/* Says that text is no such value; what: "a number", "" when only the range is missed. */
static bool refuse(const struct param *p, const char *what, const char *text, size_t ntext, struct error *e)
{
    char range[128];
    param_range_text(p, range, sizeof range);
    error_usage(e, "--%s: must be %s%s%s", p->name, what, what[0] && range[0] ? " " : "", range);
    return error_excerpt(e, text, ntext);
}

/* Is x, which the text holds, in the range? Infinite: too large for the type of the field. */
static bool check(const struct param *p, const char *text, size_t ntext, double x, struct error *e)
{
    bool own = p->range == RANGE_LIMITS;
    if (x >= (own ? p->min : ranges[p->range].least) && x <= (own ? p->max : ranges[p->range].most))
        return true;
    if (!isinf(x))
        return refuse(p, "", text, ntext, e);
    error_usage(e, "--%s: too large for a number", p->name);
    return error_excerpt(e, text, ntext);
}

/* --- units ---
 *
 * What help shows for an argument ("S", "HZ", "ROWS") tells its unit. */

struct unit {
    const char *name;     /* as it is typed after a number */
    const char *argument; /* of the options that take the unit */
    int power;            /* the unit is 10 to this power, in the option's own unit, */
    double factor;        /* times this */
};

static const struct unit units[] = {
    { "s", "S", 0, 1 },     { "ms", "S", -3, 1 },  { "us", "S", -6, 1 },     { "ns", "S", -9, 1 },
    { "min", "S", 0, 60 },  { "h", "S", 0, 3600 }, { "Hz", "HZ", 0, 1 },     { "kHz", "HZ", 3, 1 },
    { "mHz", "HZ", -3, 1 }, { "hz", "HZ", 0, 1 },  { "rows", "ROWS", 0, 1 }, { "row", "ROWS", 0, 1 },
};
enum { UNITS = sizeof units / sizeof *units };

/* The unit that text[n] spells, or NULL. */
static const struct unit *find_unit(const char *text, size_t n)
{
    for (const struct unit *unit = units; unit < units + UNITS; unit++)
        if (strlen(unit->name) == n && strncmp(unit->name, text, n) == 0)
            return unit;
    return NULL;
}

/* Is this the unit of the option's argument, or of each number of its list ("S,S,...")? */
static bool takes_unit(const struct param *p, const struct unit *unit)
{
    size_t n = p->value ? strcspn(p->value, ",") : 0;
    return n > 0 && strlen(unit->argument) == n && strncmp(unit->argument, p->value, n) == 0;
}

/* Multiplies *x, which the text holds, by the unit. A power of ten is appended to the text, since 0.3 ms is
 * the number nearest to 0.0003, which 0.3 / 1000 is not always. */
static void apply_unit(const struct unit *unit, const char *text, size_t n, double *x)
{
    char scaled[64];
    bool exponent = memchr(text, 'e', n) || memchr(text, 'E', n);
    if (unit->power != 0 && !exponent && n < sizeof scaled - 8) {
        int length = snprintf(scaled, sizeof scaled, "%.*se%d", (int)n, text, unit->power);
        number_read(scaled, scaled + length, '.', x);
    } else {
        *x *= pow(10, unit->power);
    }
    *x *= unit->factor;
}

/* Says that the option takes another unit, or none. */
static bool refuse_unit(const struct param *p, const struct unit *unit, const char *text, size_t n,
                        struct error *e)
{
    char list[64] = "";
    for (const struct unit *own = units; own < units + UNITS; own++)
        if (takes_unit(p, own) && strcmp(own->name, "hz") != 0 && strcmp(own->name, "row") != 0)
            text_append(list, sizeof list, "%s%s", list[0] ? ", " : "", own->name);
    if (list[0])
        error_usage(e, "--%s: takes %s, not %s", p->name, list, unit->name);
    else
        error_usage(e, "--%s: takes a number without a unit", p->name);
    return error_excerpt(e, text, n);
}

/* One number, all of text[n], perhaps with a unit of the option, a blank or none before it. */
static bool read_number(const struct param *p, const char *text, size_t n, double *x, struct error *e)
{
    const char *end = text + n, *rest = number_read(text, end, '.', x), *name = rest;
    if (!rest)
        return refuse(p, "a number", text, n, e);
    while (name < end && *name == ' ')
        name++;
    if (rest < end) {
        const struct unit *unit = find_unit(name, (size_t)(end - name));
        if (!unit)
            return refuse(p, "a number", text, n, e);
        if (!takes_unit(p, unit))
            return refuse_unit(p, unit, text, n, e);
        apply_unit(unit, text, (size_t)(rest - text), x);
    }
    return check(p, text, n, *x, e);
}

bool param_seconds(const char *text, double *x)
{
    static const struct param seconds = { .name = "", .kind = PARAM_NUMBER, .value = "S" };
    struct error ignored;
    return read_number(&seconds, text, strlen(text), x, &ignored);
}

static bool read_count(const struct param *p, const char *text, size_t n, long *x, struct error *e)
{
    const char *name = text + strspn(text, "+-0123456789");
    const struct unit *unit = find_unit(name + strspn(name, " "), strlen(name + strspn(name, " ")));
    if (unit && name > text) {
        if (!takes_unit(p, unit))
            return refuse_unit(p, unit, text, n, e);
        n = (size_t)(name - text);
    }
    size_t sign = text[0] == '-' || text[0] == '+';
    if (n == sign || strspn(text + sign, "0123456789") < n - sign)
        return refuse(p, "a whole number", text, n, e);
    errno = 0;
    *x = strtol(text, NULL, 10); /* digits only: no locale has a say */
    return check(p, text, n, errno ? (double)INFINITY : (double)*x, e);
}

static bool set_choice(const struct param *p, int *choice, const char *value, struct error *e)
{
    struct suggestion near = { .word = value };
    for (int i = 0; p->choices[i]; i++) {
        suggest_offer(&near, p->choices[i]);
        if (strcmp(p->choices[i], value) == 0) {
            *choice = i;
            return true;
        }
    }
    enum { SHOWN = 48 };
    char shown[4 * SHOWN + 1], list[256];
    size_t nvalue = strlen(value);
    error_escape(value, nvalue < SHOWN ? nvalue : SHOWN, shown, sizeof shown);
    list_choices(p->choices, ", ", list, sizeof list);
    error_usage(e, "--%s: \"%s%s\" is none of %s", p->name, shown, nvalue > SHOWN ? "…" : "", list);
    return near.best ? error_hint(e, "did you mean %s?", near.best) : false;
}

/* LO:HI:N, where the row takes positive numbers only. Steps are rounded to 15 digits, so that 1:1000:4 is 1,
 * 10, 100, 1000 in column names, too. */
static bool read_geometric(const struct param *p, const char *text, struct numbers *numbers, struct error *e)
{
    double lo, hi, n = 0;
    const char *hi_at = strchr(text, ':') + 1, *n_at = strchr(hi_at, ':'), *end = text + strlen(text);
    if (p->range != RANGE_POSITIVE)
        return refuse(p, "a list of numbers", text, strlen(text), e);
    if (!read_number(p, text, (size_t)(hi_at - 1 - text), &lo, e) ||
        !read_number(p, hi_at, (size_t)((n_at ? n_at : end) - hi_at), &hi, e))
        return false;
    bool whole = n_at && number_read(n_at + 1, end, '.', &n) == end && n == floor(n);
    if (!whole || n < 2 || n > MAXNUMBERS || lo >= hi) {
        error_usage(e, "--%s: must be LO:HI:N with LO < HI and N from 2 to %d", p->name, MAXNUMBERS);
        return error_excerpt(e, text, strlen(text));
    }
    numbers->nvalue = (size_t)n;
    numbers->value = malloc(numbers->nvalue * sizeof *numbers->value);
    if (!numbers->value)
        return error_memory(e);
    for (size_t i = 0; i < numbers->nvalue; i++) {
        double part = (double)i / (n - 1);
        numbers->value[i] = number_round(pow(lo, 1 - part) * pow(hi, part), 15);
    }
    numbers->value[0] = lo;
    numbers->value[numbers->nvalue - 1] = hi;
    return true;
}

static bool read_list(const struct param *p, const char *text, struct numbers *numbers, struct error *e)
{
    size_t max = 0;
    for (const char *c = text;; c++) {
        size_t n = strcspn(c, ",");
        if (numbers->nvalue == MAXNUMBERS)
            return error_usage(e, "--%s: more than %d numbers", p->name, MAXNUMBERS);
        if (!array_reserve(&numbers->value, numbers->nvalue + 1, &max, sizeof *numbers->value, e) ||
            !read_number(p, c, n, &numbers->value[numbers->nvalue++], e))
            return false;
        c += n;
        if (*c == 0)
            return true;
    }
}

static bool set_numbers(const struct param *p, struct numbers *numbers, const char *value, struct error *e)
{
    struct numbers fresh = { 0 };
    bool good = (strchr(value, ':') ? read_geometric : read_list)(p, value, &fresh, e);
    free(good ? numbers->value : fresh.value);
    if (good)
        *numbers = fresh;
    return good;
}

bool texts_add(struct texts *texts, const char *text, struct error *e)
{
    const char **grown = realloc(texts->text, (texts->ntext + 1) * sizeof *grown);
    if (!grown)
        return error_memory(e);
    texts->text = grown;
    grown[texts->ntext++] = text;
    return true;
}

bool param_set(const struct param *p, void *settings, const char *value, struct error *e)
{
    void *at = field(p, settings);
    bool some = p->kind == PARAM_TEXT || p->kind == PARAM_TEXTS || p->kind == PARAM_PARSED;
    if (some && !value[0])
        return error_usage(e, "--%s: its value is empty", p->name);
    bool word = p->word && strcmp(value, p->word) == 0;
    switch (p->kind) {
    case PARAM_FLAG:
        *(bool *)at = true;
        return true;
    case PARAM_NUMBER:
        *(double *)at = INFINITY;
        return word || read_number(p, value, strlen(value), at, e);
    case PARAM_COUNT:
        *(long *)at = LONG_MAX;
        return word || read_count(p, value, strlen(value), at, e);
    case PARAM_CHOICE:
        return set_choice(p, at, value, e);
    case PARAM_TEXT:
        *(const char **)at = value;
        return true;
    case PARAM_OPTIONAL_TEXT:
        *(const char **)at = value ? value : "";
        return !value || !p->choices || set_choice(p, &(int){ 0 }, value, e);
    case PARAM_NUMBERS:
        return set_numbers(p, at, value, e);
    case PARAM_TEXTS:
        return texts_add(at, value, e);
    case PARAM_PARSED:
        return p->type->parse(p, value, at, e);
    }
    return false;
}

/* The fields: their size, and what they hold when not given, all bytes 0 where absent is NULL. */
static const struct {
    size_t size;
    const void *absent;
} kinds[] = {
    [PARAM_FLAG] = { sizeof(bool), NULL },
    [PARAM_NUMBER] = { sizeof(double), &(const double){ NAN } },
    [PARAM_COUNT] = { sizeof(long), &(const long){ -1 } },
    [PARAM_CHOICE] = { sizeof(int), &(const int){ -1 } },
    [PARAM_TEXT] = { sizeof(const char *), NULL },
    [PARAM_OPTIONAL_TEXT] = { sizeof(const char *), NULL },
    [PARAM_NUMBERS] = { sizeof(struct numbers), NULL },
    [PARAM_TEXTS] = { sizeof(struct texts), NULL },
    [PARAM_PARSED] = { 0, NULL }, /* the size is the type's */
};

bool param_default(const struct param *p, void *settings, struct error *e)
{
    if (kinds[p->kind].absent)
        memcpy(field(p, settings), kinds[p->kind].absent, kinds[p->kind].size);
    else
        memset(field(p, settings), 0, p->type ? p->type->size : kinds[p->kind].size);
    return !p->fallback || param_set(p, settings, p->fallback, e);
}

void param_copy(const struct param *p, void *to, const void *from)
{
    memcpy(field(p, to), (const char *)from + p->offset, kinds[p->kind].size);
}

static bool numbers_equal(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

bool param_equal(const struct param *p, const void *a, const void *b)
{
    const void *x = (const char *)a + p->offset, *y = (const char *)b + p->offset;
    const struct numbers *list = x, *other = y;
    const char *const *text = x, *const *word = y;
    switch (p->kind) {
    case PARAM_FLAG:
        return *(const bool *)x == *(const bool *)y;
    case PARAM_NUMBER:
        return numbers_equal(x, y, 1);
    case PARAM_COUNT:
        return *(const long *)x == *(const long *)y;
    case PARAM_CHOICE:
        return *(const int *)x == *(const int *)y;
    case PARAM_TEXT:
    case PARAM_OPTIONAL_TEXT:
        return *text == *word || (*text && *word && strcmp(*text, *word) == 0);
    case PARAM_NUMBERS:
        return list->nvalue == other->nvalue && numbers_equal(list->value, other->value, list->nvalue);
    default:
        return false;
    }
}

void param_free(const struct param *params, size_t nparam, void *settings)
{
    for (const struct param *p = params; p < params + nparam; p++)
        if (p->kind == PARAM_NUMBERS)
            free(((struct numbers *)field(p, settings))->value);
        else if (p->kind == PARAM_TEXTS)
            free(((struct texts *)field(p, settings))->text);
        else if (p->kind == PARAM_PARSED && p->type->free)
            p->type->free(field(p, settings));
}
