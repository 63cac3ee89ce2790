/* What a filter takes, and its equivalent options. See filter_words.h. */
#include "springs/filter_words.h"

#include "base/text.h"
#include <math.h>

const char *const filter_abilities[FILTER_ABILITIES] = {
    [FILTER_ZERO_PHASE] = "zero-phase",
    [FILTER_ROTATIONS] = "rotations",
    [FILTER_CUTS] = "cuts",
};

bool filter_takes(const struct filter *filter, enum filter_ability ability)
{
    const bool takes[FILTER_ABILITIES] = {
        [FILTER_ZERO_PHASE] = filter->zero_phase,
        [FILTER_ROTATIONS] = filter->rotations,
        [FILTER_CUTS] = filter->cuts,
    };
    return takes[ability];
}

size_t filter_equivalents(const void *settings, bool zero_phase, struct equivalent *to)
{
    const struct continuous q = ((const struct filter_common *)settings)->equation;
    size_t n = 0;
    if (q.count == 0 || filter_automatic(settings))
        return 0;
    double w = sqrt(q.s), z = q.d / 2 / w;
    to[n++] = (struct equivalent){ "halflife", " s", 4 * M_LN2 * q.count / q.d };
    to[n++] = (struct equivalent){ "lag", " s", q.count * (1 - q.feed) * q.d / q.s };
    to[n++] = (struct equivalent){ "cutoff", zero_phase ? " Hz of both passes" : " Hz",
                                   w / (2 * M_PI) * filter_cutoff(z, q.feed, q.count, zero_phase) };
    if (q.count >= 1) {
        to[n++] = (struct equivalent){ "frequency", " Hz", w / (2 * M_PI) };
        to[n++] = (struct equivalent){ "damping-ratio", "", z };
        to[n++] = (struct equivalent){ "stiffness", " 1/s^2", q.s };
        to[n++] = (struct equivalent){ "damping", " 1/s", q.d };
    }
    if (q.count == 1) {
        to[n++] = (struct equivalent){ "response", "", 2 * q.feed };
        to[n++] = (struct equivalent){ "k1", " s", q.d / q.s };
        to[n++] = (struct equivalent){ "k2", " s^2", 1 / q.s };
        to[n++] = (struct equivalent){ "k3", " s", q.feed * q.d / q.s };
    }
    return n;
}

bool filter_check_zero_phase(const struct filter *filter, const void *settings, struct error *e)
{
    struct equivalent equivalent[MAXEQUIVALENT];
    double cutoff = ((const struct filter_common *)settings)->cutoff;
    if (filter->zero_phase)
        return true;
    error_usage(e, "--zero-phase works only with butterworth");
    if (filter_equivalents(settings, true, equivalent) == 0)
        return error_hint(e, "try sprung butterworth --cutoff auto --zero-phase");
    if (cutoff == 0)
        cutoff = equivalent[EQUIVALENT_CUTOFF].value;
    return error_hint(e, "try sprung butterworth --cutoff %.3g --zero-phase", cutoff);
}

bool filter_too_large(struct error *e)
{
    return error_data(e, "the filtered value is too large (over 1.8e308)");
}

/* --- options in words --- */

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
