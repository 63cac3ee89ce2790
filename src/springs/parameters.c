/* Options in words. See parameters.h. */
#include "springs/parameters.h"

#include "base/text.h"
#include "springs/filter_words.h"

/* Appends `sep` and the parameter's name and value, if the parameter has a value. */
static void put_parameter(const struct param *param, const void *settings, const char *sep,
                          char line[PARAMETERS_LINE])
{
    const void *field = (const char *)settings + param->offset;
    if (filter_automatic(settings) == param) {
        text_append(line, PARAMETERS_LINE, "%s%s %s", sep, param->name, param->word);
    } else if (param->kind == PARAM_NUMBER && !isnan(*(const double *)field)) {
        char number[NUMBER_MAX];
        int n = (int)number_print(number, *(const double *)field, &number_shortest);
        text_append(line, PARAMETERS_LINE, "%s%s %.*s", sep, param->name, n, number);
    } else if (param->kind == PARAM_COUNT && *(const long *)field >= 0) {
        text_append(line, PARAMETERS_LINE, "%s%s %ld", sep, param->name, *(const long *)field);
    } else if (param->kind == PARAM_CHOICE && *(const int *)field >= 0) {
        text_append(line, PARAMETERS_LINE, "%s%s %s", sep, param->name, param->choices[*(const int *)field]);
    } else if (param->kind == PARAM_NUMBERS && ((const struct numbers *)field)->nvalue) {
        text_append(line, PARAMETERS_LINE, "%s%s (%zu)", sep, param->name,
                    ((const struct numbers *)field)->nvalue);
    }
}

void parameters_given(const struct filter *filter, const void *settings, char line[PARAMETERS_LINE])
{
    size_t n = strlen(strcpy(line, filter->name));
    for (size_t i = 0; i < filter->nparam; i++)
        put_parameter(&filter->params[i], settings, line[n] ? ", " : ": ", line);
}

bool parameters_equivalent(const void *settings, bool zero_phase, double row_lag, char line[PARAMETERS_LINE])
{
    struct equivalent all[MAXEQUIVALENT];
    size_t n = filter_equivalents(settings, zero_phase, all), nshown = 0;
    strcpy(line, "equivalent to ");
    for (size_t i = 0; i < n; i++) {
        const bool lag = strcmp(all[i].name, "lag") == 0;
        /* The lag of the first pass is no lag of the result. */
        if (!isfinite(all[i].value) || (lag && zero_phase))
            continue;
        text_append(line, PARAMETERS_LINE, "%s%s %.6g%s", nshown++ ? ", " : "", all[i].name, all[i].value,
                    all[i].unit);
        if (lag && !isnan(row_lag))
            text_append(line, PARAMETERS_LINE, " (%.6g s at this row rate)", row_lag);
    }
    return nshown > 0;
}
