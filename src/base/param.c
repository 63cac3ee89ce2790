/* Values of options: sets the field of a row from an argument as typed, and checks what the row states.
 * Relations between options are checked by the code that owns the settings. */
#include "base/param.h"

#include "base/array.h"
#include "base/suggest.h"
#include "base/text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXNUMBERS = 100000 };

static void *field(const struct param *param, void *settings)
{
    return (char *)settings + param->offset;
}

bool param_is(const struct param *param, const char *name, size_t n, int letter)
{
    return (letter && param->letter == letter) ||
           (n && strncmp(param->name, name, n) == 0 && param->name[n] == 0);
}

const struct param *param_find(const struct param *params, size_t nparam, const char *name, size_t n,
                               int letter)
{
    for (const struct param *param = params; param < params + nparam; param++)
        if (param_is(param, name, n, letter))
            return param;
    return NULL;
}

/* The numbers that each range accepts. */
static const struct {
    const char *words;  /* what messages and help say after "must be" */
    double least, most; /* the least and the greatest number that is accepted */
} ranges[] = {
    [RANGE_ANY] = { "", -DBL_MAX, DBL_MAX },
    [RANGE_POSITIVE] = { "greater than 0", DBL_TRUE_MIN, DBL_MAX },
    [RANGE_NOT_NEGATIVE] = { "at least 0", 0, DBL_MAX },
    [RANGE_FRACTION] = { "from 0 to 1", 0, 1 },
    [RANGE_INSIDE] = { "greater than 0 and less than 1", DBL_TRUE_MIN, 1 - DBL_EPSILON / 2 },
};

void param_range_text(const struct param *param, char *buf, size_t maxbuf)
{
    bool number = param->kind == PARAM_NUMBER || param->kind == PARAM_NUMBERS || param->kind == PARAM_COUNT;
    buf[0] = 0;
    if (param->choices)
        text_list(param->choices, " or ", buf, maxbuf);
    else if (number && param->range == RANGE_LIMITS)
        snprintf(buf, maxbuf, "from %g to %g", param->min, param->max);
    else if (number)
        text_append(buf, maxbuf, "%s", ranges[param->range].words);
    if (param->word)
        text_append(buf, maxbuf, " or %s", param->word);
}

/* The error that text[ntext] is not a value of the option. what: "a number", or "" for a number outside the
 * range and for choices. */
static bool refuse_value(const struct param *param, const char *what, const char *text, size_t ntext,
                         struct error *e)
{
    char range[256];
    param_range_text(param, range, sizeof range);
    error_usage(e, "--%s: must be %s%s%s", param->name, what, what[0] && range[0] ? " " : "", range);
    error_excerpt(e, text, ntext);
    if (param->choices && param->fallback)
        return error_hint(e, "%s is the default: leave the option out, or see sprung help --%s",
                          param->fallback, param->name);
    return error_hint(e, "%s (sprung help --%s)", param->help, param->name);
}

/* Is x, the number that text[ntext] spells, in the range of the option, and can it be squared? */
static bool check_range(const struct param *param, const char *text, size_t ntext, double x, struct error *e)
{
    const bool limits = param->range == RANGE_LIMITS;
    const double least = limits ? param->min : ranges[param->range].least;
    const double most = limits ? param->max : ranges[param->range].most;
    if (!limits && x != 0 && !(fabs(x) >= PARAM_LEAST && fabs(x) <= PARAM_MOST)) {
        error_usage(e, "--%s: out of range", param->name);
        error_excerpt(e, text, ntext);
        return error_hint(e, "the valid range is %g to %g", PARAM_LEAST, PARAM_MOST);
    }
    return (x >= least && x <= most) || refuse_value(param, "", text, ntext, e);
}

/* A row's value, the word that help shows for the argument ("S", "HZ"), is the option's unit. */
static const struct number_unit {
    const char *name;     /* as typed after a number */
    const char *argument; /* the member `value` of the rows whose options take the unit */
    double factor;        /* 1 of this unit in the option's unit */
} units[] = {
    { "s", "S", 1 },    { "ms", "S", 1e-3 }, { "us", "S", 1e-6 }, { "ns", "S", 1e-9 },  { "min", "S", 60 },
    { "h", "S", 3600 }, { "Hz", "HZ", 1 },   { "hz", "HZ", 1 },   { "kHz", "HZ", 1e3 }, { "mHz", "HZ", 1e-3 },
};
enum { UNITS = sizeof units / sizeof *units };

/* Does the option's argument, or each number of a list ("S,S,..."), take the unit? */
static bool takes_unit(const struct param *param, const struct number_unit *unit)
{
    size_t n = param->value ? strcspn(param->value, ",") : 0;
    return strlen(unit->argument) == n && strncmp(unit->argument, param->value, n) == 0;
}

/* The unit that the option takes whose name is text[n]; NULL: no unit. */
static const struct number_unit *find_unit(const struct param *param, const char *text, size_t n)
{
    for (const struct number_unit *unit = units; unit < units + UNITS; unit++)
        if (takes_unit(param, unit) && strlen(unit->name) == n && strncmp(unit->name, text, n) == 0)
            return unit;
    return NULL;
}

/* The error that something after a number is no unit of the option; the hint has values with units. */
static bool refuse_unit(const struct param *param, const char *text, size_t n, struct error *e)
{
    const bool seconds = takes_unit(param, &units[0]), hertz = takes_unit(param, &units[UNITS - 1]);
    const char *comma = memchr(text, ',', n);
    refuse_value(param, "a number", text, n, e);
    if (comma)
        return error_hint(e, "numbers have a decimal point: %.*s.%.*s", (int)(comma - text), text,
                          (int)strspn(comma + 1, "0123456789"), comma + 1);
    if (seconds)
        return error_hint(e, "give a time, such as 0.1, 0.1s or 100ms");
    return hertz && error_hint(e, "give a frequency, such as 6, 6Hz or 0.006kHz");
}

/* Reads all of text[n] as one number. After the number a unit that the option takes may follow, with or
 * without a blank between them. */
static bool read_number(const struct param *param, const char *text, size_t n, double *x, struct error *e)
{
    const char *end = text + n, *after_number = number_read(text, end, '.', x), *unit_name = after_number;
    if (!after_number) {
        refuse_value(param, "a number", text, n, e);
        const bool automatic = n == 4 && memcmp(text, "auto", 4) == 0;
        return automatic && error_hint(e, "try sprung butterworth --cutoff auto --zero-phase");
    }
    while (unit_name < end && *unit_name == ' ')
        unit_name++;
    const struct number_unit *unit = find_unit(param, unit_name, (size_t)(end - unit_name));
    if (after_number < end && !unit)
        return refuse_unit(param, text, n, e);
    if (after_number < end && unit->factor != 1)
        *x = number_round(*x * unit->factor, 15); /* 0.3ms is the double nearest to 0.0003 */
    return check_range(param, text, n, *x, e);
}

bool param_seconds(const char *text, double *x)
{
    static const struct param seconds = { .name = "", .kind = PARAM_NUMBER, .value = "S", .help = "" };
    struct error ignored;
    return read_number(&seconds, text, strlen(text), x, &ignored);
}

static bool read_count(const struct param *param, const char *text, size_t n, long *x, struct error *e)
{
    size_t sign = text[0] == '-' || text[0] == '+';
    if (n == sign || strspn(text + sign, "0123456789") < n - sign)
        return refuse_value(param, "a whole number", text, n, e);
    errno = 0;
    *x = strtol(text, NULL, 10); /* digits only: the locale does not matter */
    return check_range(param, text, n, errno ? (double)INFINITY : (double)*x, e);
}

static bool set_choice(const struct param *param, int *choice, const char *value, struct error *e)
{
    struct suggestion near = { .word = value };
    for (int i = 0; param->choices[i]; i++) {
        suggest_offer(&near, param->choices[i]);
        if (strcmp(param->choices[i], value) == 0) {
            *choice = i;
            return true;
        }
    }
    refuse_value(param, "", value, strlen(value), e);
    return near.best ? error_hint(e, "did you mean %s?", near.best) : false;
}

/* Reads LO:HI:N as the N numbers LO * (HI / LO)^(i / (N - 1)), rounded to 15 digits, so that 1:1000:4 is 1,
 * 10, 100, 1000 in column names, too. */
static bool read_geometric(const struct param *param, const char *text, struct numbers *numbers,
                           struct error *e)
{
    double low, high, count = 0;
    const char *high_at = strchr(text, ':') + 1, *high_end = high_at + strcspn(high_at, ":");
    const char *end = text + strlen(text);
    if (!read_number(param, text, (size_t)(high_at - 1 - text), &low, e) ||
        !read_number(param, high_at, (size_t)(high_end - high_at), &high, e))
        return false;
    bool whole = *high_end && number_read(high_end + 1, end, '.', &count) == end && count == floor(count);
    if (!whole || count < 2 || count > MAXNUMBERS || low >= high) {
        error_usage(e, "--%s: must be LO:HI:N with LO < HI and N from 2 to %d", param->name, MAXNUMBERS);
        return error_excerpt(e, text, strlen(text));
    }
    numbers->nvalue = (size_t)count;
    numbers->value = malloc(numbers->nvalue * sizeof *numbers->value);
    if (!numbers->value)
        return error_memory(e);
    for (size_t i = 0; i < numbers->nvalue; i++) {
        double part = (double)i / (count - 1);
        numbers->value[i] = number_round(pow(low, 1 - part) * pow(high, part), 15);
    }
    return true;
}

static bool read_list(const struct param *param, const char *text, struct numbers *numbers, struct error *e)
{
    size_t max = 0;
    for (const char *c = text;; c++) {
        size_t n = strcspn(c, ",");
        if (numbers->nvalue == MAXNUMBERS)
            return error_usage(e, "--%s accepts at most %d numbers", param->name, MAXNUMBERS);
        if (!array_reserve(&numbers->value, numbers->nvalue + 1, &max, sizeof *numbers->value, e) ||
            !read_number(param, c, n, &numbers->value[numbers->nvalue++], e))
            return false;
        c += n;
        if (*c == 0)
            return true;
    }
}

static bool set_numbers(const struct param *param, struct numbers *numbers, const char *value,
                        struct error *e)
{
    struct numbers fresh = { 0 };
    const bool geometric = param->range == RANGE_POSITIVE && strchr(value, ':');
    bool good = (geometric ? read_geometric : read_list)(param, value, &fresh, e);
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

bool param_set(const struct param *param, void *settings, const char *value, struct error *e)
{
    void *at = field(param, settings);
    bool word = param->word && value && strcmp(value, param->word) == 0;
    bool needs_text = param->kind == PARAM_TEXT || param->kind == PARAM_TEXTS || param->kind == PARAM_PARSED;
    if (needs_text && !value[0])
        return error_usage(e, "--%s: the value is empty", param->name);
    switch (param->kind) {
    case PARAM_FLAG:
        *(bool *)at = true;
        return true;
    case PARAM_NUMBER:
        *(double *)at = (double)INFINITY;
        return word || read_number(param, value, strlen(value), at, e);
    case PARAM_COUNT:
        *(long *)at = PARAM_WORD;
        return word || read_count(param, value, strlen(value), at, e);
    case PARAM_CHOICE:
        return set_choice(param, at, value, e);
    case PARAM_TEXT:
        *(const char **)at = value;
        return true;
    case PARAM_OPTIONAL_TEXT:
        *(const char **)at = value ? value : "";
        return !value || !param->choices || set_choice(param, &(int){ 0 }, value, e);
    case PARAM_NUMBERS:
        return set_numbers(param, at, value, e);
    case PARAM_TEXTS:
        return texts_add(at, value, e);
    case PARAM_PARSED:
        return param->type->parse(param, value, at, e);
    }
    return false;
}

bool param_default(const struct param *param, void *settings, struct error *e)
{
    void *at = field(param, settings);
    if (param->kind == PARAM_NUMBER)
        *(double *)at = (double)NAN;
    else if (param->kind == PARAM_COUNT)
        *(long *)at = -1;
    else if (param->kind == PARAM_CHOICE)
        *(int *)at = -1;
    return !param->fallback || param_set(param, settings, param->fallback, e);
}

void param_free(const struct param *params, size_t nparam, void *settings)
{
    for (const struct param *param = params; param < params + nparam; param++)
        if (param->kind == PARAM_NUMBERS)
            free(((struct numbers *)field(param, settings))->value);
        else if (param->kind == PARAM_TEXTS)
            free(((struct texts *)field(param, settings))->text);
        else if (param->kind == PARAM_PARSED && param->type->free)
            param->type->free(field(param, settings));
}
