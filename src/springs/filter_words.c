/* What a filter takes, and its equivalent options. See filter_words.h. */
#include "springs/filter_words.h"

#include "base/text.h"
#include <math.h>

struct output filter_output(const struct filter *filter, const void *settings, size_t o)
{
    static const struct output outputs[] = { { "", 0 }, { "_vel", 1 }, { "_acc", 2 } };
    const struct numbers *values = filter_values(settings);
    if (o < filter->shape.nout)
        return outputs[o];
    size_t more = o - filter->shape.nout, each = filter->each.nout;
    char text[NUMBER_MAX];
    size_t length = number_print(text, values->value[more / each], &number_shortest);
    struct output output = outputs[more % each];
    text_append(output.suffix, sizeof output.suffix, "@%.*s", (int)length, text);
    return output;
}

bool filter_equivalents(const void *settings, bool zero_phase, struct equivalents *to)
{
    const struct continuous q = ((const struct filter_common *)settings)->equation;
    if (q.count == 0 || filter_automatic(settings))
        return false;
    const double w = sqrt(q.s), z = q.d / 2 / w;
    to->halflife = 4 * M_LN2 * q.count / q.d;
    to->lag = q.count * (1 - q.feed) * q.d / q.s;
    to->cutoff = w / (2 * M_PI) * filter_cutoff(z, q.feed, q.count, zero_phase);
    return true;
}

bool filter_check_zero_phase(const struct filter *filter, const void *settings, struct error *e)
{
    struct equivalents equal;
    const double given = ((const struct filter_common *)settings)->cutoff;
    if (filter->zero_phase)
        return true;
    error_usage(e, "--zero-phase works only with butterworth");
    if (!filter_equivalents(settings, true, &equal))
        return error_hint(e, "try sprung butterworth --cutoff auto --zero-phase");
    return error_hint(e, "try sprung butterworth --cutoff %.3g --zero-phase",
                      given > 0 ? given : equal.cutoff);
}

/* --- options in words --- */

/* Appends `sep` and the parameter's name and value, if the parameter has a value. */
static void put_parameter(const struct param *param, const void *settings, const char *sep,
                          char line[PARAMETERS_LINE])
{
    const void *field = (const char *)settings + param->offset;
    if (param->kind == PARAM_NUMBER && isinf(*(const double *)field)) {
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

bool parameters_equivalent(const struct filter *filter, const void *settings, bool zero_phase,
                           char line[PARAMETERS_LINE])
{
    struct equivalents equal;
    if (!filter_equivalents(settings, zero_phase, &equal))
        return false;
    strcpy(line, "equivalent to ");
    if (isfinite(equal.halflife) && filter_option(filter, "halflife")) /* the spring is damped */
        text_append(line, PARAMETERS_LINE, "halflife %.6g s, ", equal.halflife);
    if (!zero_phase)
        text_append(line, PARAMETERS_LINE, "lag %.6g s, ", equal.lag);
    text_append(line, PARAMETERS_LINE, "cutoff %.6g Hz%s", equal.cutoff, zero_phase ? " of both passes" : "");
    return true;
}
