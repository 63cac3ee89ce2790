/* The parameters of a filter in words. See parameters.h. */
#include "series/parameters.h"

#include "base/text.h"

enum { ROOM_FOR_CHANNELS = 400 }; /* bytes of a line */

/* Appends sep and "name value" if the parameter has a value. */
static void put_parameter(const struct param *p, const void *settings, const char *sep,
                          char line[PARAMETERS_LINE])
{
    const void *field = (const char *)settings + p->offset;
    if (p->kind == PARAM_NUMBER && isinf(*(const double *)field)) {
        text_append(line, PARAMETERS_LINE, "%s%s auto", sep, p->name);
    } else if (p->kind == PARAM_NUMBER && !isnan(*(const double *)field)) {
        char number[NUMBER_MAX];
        int n = (int)number_print(number, *(const double *)field, &number_shortest);
        text_append(line, PARAMETERS_LINE, "%s%s %.*s", sep, p->name, n, number);
    } else if (p->kind == PARAM_COUNT && *(const long *)field >= 0) {
        text_append(line, PARAMETERS_LINE, "%s%s %ld", sep, p->name, *(const long *)field);
    } else if (p->kind == PARAM_CHOICE && *(const int *)field >= 0) {
        text_append(line, PARAMETERS_LINE, "%s%s %s", sep, p->name, p->choices[*(const int *)field]);
    } else if (p->kind == PARAM_NUMBERS && ((const struct numbers *)field)->nvalue) {
        text_append(line, PARAMETERS_LINE, "%s%s (%zu)", sep, p->name,
                    ((const struct numbers *)field)->nvalue);
    }
}

/* Appends "; channels …", those with set k, if there are several sets. */
static void put_channels(const struct overrides *sets, const struct columns *t, size_t k,
                         char line[PARAMETERS_LINE])
{
    size_t n = 0, nshown = 0, most = strlen(line) + ROOM_FOR_CHANNELS;
    for (size_t i = 0; i < t->ncolumn && sets->n > 1; i++) {
        const struct column *c = &t->column[i];
        if (c->role != ROLE_CHANNEL || sets->of[c->value] != k || n++ > nshown ||
            strlen(line) + strlen(c->name) + 30 > most)
            continue;
        text_append(line, PARAMETERS_LINE, "%s\"%s\"", nshown++ ? ", " : "; channels ", c->name);
    }
    if (nshown < n)
        text_append(line, PARAMETERS_LINE, "%s%zu", nshown ? " and more, in all " : "; channels: ", n);
    if (n == 0 && sets->n > 1)
        text_append(line, PARAMETERS_LINE, "; no channel");
}

void parameters_given(const struct filter *filter, const struct overrides *sets, const struct columns *t,
                      size_t k, char line[PARAMETERS_LINE])
{
    size_t n = strlen(strcpy(line, filter->name));
    for (size_t i = 0; i < filter->nparam; i++)
        put_parameter(&filter->params[i], sets->settings[k], line[n] ? ", " : ": ", line);
    put_channels(sets, t, k, line);
}

bool parameters_equivalent(const struct filter *filter, const struct overrides *sets, const struct columns *t,
                           size_t k, char line[PARAMETERS_LINE])
{
    struct equivalent all[MAXEQUIVALENT];
    size_t n = filter_equivalents(filter, sets->settings[k], NAN, all), nshown = 0;
    strcpy(line, "equivalent to ");
    for (size_t i = 0; i < n; i++)
        if (isfinite(all[i].value))
            text_append(line, PARAMETERS_LINE, "%s%s %.6g%s", nshown++ ? ", " : "", all[i].name, all[i].value,
                        all[i].unit);
    put_channels(sets, t, k, line);
    return nshown > 0;
}
