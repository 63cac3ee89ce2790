/* Other parameters for some channels, and parameters in words. See overrides.h.
 *
 * Each --set is applied, in order, to the settings of the channels it names, and clears the options of its
 * exclusive group there. The result may conflict with other options of the command line: the spring needs two
 * of three. Then the command line's options with an exclusive group are dropped for the channel, and only the
 * sets count. */
#include "series/overrides.h"

#include "base/array.h"
#include "base/suggest.h"
#include "base/text.h"
#include "springs/filter_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The error that the filter has no option name[n]. Returns false. */
static bool unknown(const struct filter *filter, const char *name, size_t n, struct error *e)
{
    char word[64];
    error_escape(name, n, word, sizeof word);
    error_usage(e, "--set: %s has no option \"%s\"", filter->name, word);
    struct suggestion near = { .word = word };
    for (size_t i = 0; i < filter->nparam; i++)
        suggest_offer(&near, filter->params[i].name);
    return near.best
               ? error_hint(e, "did you mean %s?", near.best)
               : error_hint(e, "--set accepts only the filter's own options: sprung help %s", filter->name);
}

/* Parses LIST:option=value. A column's name in LIST may have colons and equals signs, so the value begins
 * after the last equals sign, and the option after the last colon before that sign. */
static bool parse(struct override *override, const struct filter *filter, const char *text, struct error *e)
{
    const char *equals = strrchr(text, '='), *colon = equals;
    while (colon && colon > text && *colon != ':')
        colon--;
    if (!colon || colon == text || colon + 1 == equals) {
        error_usage(e, "--set must be LIST:option=value");
        error_excerpt(e, text, strlen(text));
        return error_hint(e, "for example --set 'Hips*:halflife=0.3'");
    }
    size_t n = (size_t)(equals - colon - 1);
    override->param = param_find(filter->params, filter->nparam, colon + 1, n, n == 1 ? colon[1] : 0);
    if (!override->param)
        return unknown(filter, colon + 1, n, e);
    const char *name = override->param->name;
    if (override->param->kind == PARAM_NUMBERS) {
        error_usage(e, "--set: --%s adds columns, so it must be the same for all channels", name);
        return error_hint(e, "give --%s without --set, or filter these channels in a separate run", name);
    }
    override->list = text_copy(text, (size_t)(colon - text));
    return override->list ? param_set(override->param, override->value, equals + 1, e) : error_memory(e);
}

bool override_list_parse(struct override_list *list, const struct filter *filter, const struct texts *sets,
                         const void *settings, struct error *e)
{
    size_t size = filter->settings_size;
    char *value;
    bool good = arrays_make(e, ARRAY(list->at, sets->ntext), ARRAY(value, sets->ntext * size),
                            (struct array_part){ &list->given, 1, size });
    if (good)
        memcpy(list->given, settings, size);
    for (; good && list->n < sets->ntext; list->n++) {
        list->at[list->n].value = value + list->n * size;
        good = parse(&list->at[list->n], filter, sets->text[list->n], e);
    }
    return good;
}

void override_list_free(struct override_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i].list);
    free(list->at);
    *list = (struct override_list){ 0 };
}

/* Gives options their defaults again: the other options of the exclusive group of `set`; with set NULL all
 * options that have an exclusive group. */
static bool clear_options(const struct filter *filter, const struct param *set, void *settings,
                          struct error *e)
{
    for (const struct param *param = filter->params; param < filter->params + filter->nparam; param++) {
        bool other = !set || (param != set && param->exclusive_group == set->exclusive_group);
        if (param->exclusive_group && other && !param_default(param, settings, e))
            return false;
    }
    return true;
}

/* Makes the settings of one channel, and checks them: the options of the command line, then every override
 * that names the channel, which clears the other options of its exclusive group. alone: of the command line
 * only the options without an exclusive group count. named[i * nchannel]: override i names the channel. */
static bool make_settings(const struct overrides *overrides, const struct override_list *list,
                          const bool *named, bool alone, void *settings, struct error *e)
{
    const struct filter *filter = overrides->filter;
    memcpy(settings, list->given, filter->settings_size);
    if (alone && !clear_options(filter, NULL, settings, e))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const struct override *override = &list->at[i];
        if (!named[i * overrides->plan->nchannel])
            continue;
        if (!clear_options(filter, override->param, settings, e))
            return false;
        param_copy(override->param, settings, override->value);
    }
    return filter_check(filter, settings, overrides->zero_phase, e);
}

/* Makes settings for channel c, and shares the settings of an earlier channel that are equal. named: as for
 * make_settings. */
static bool override_channel(struct overrides *overrides, const struct override_list *list, const bool *named,
                             size_t c, struct error *e)
{
    struct error ignored;
    void *own = (void *)overrides->settings[overrides->n];
    if (!make_settings(overrides, list, named, false, own, e) &&
        !make_settings(overrides, list, named, true, own, &ignored)) {
        const struct error first = *e;
        snprintf(e->text, sizeof e->text, "--set: %.300s", first.text);
        return false;
    }
    struct shape shape = filter_shape(overrides->filter, overrides->settings[0]),
                 own_shape = filter_shape(overrides->filter, own);
    size_t i = 0;
    while (memcmp(overrides->settings[i], own, overrides->filter->settings_size) != 0)
        i++;
    overrides->of[c] = i;
    overrides->n += i == overrides->n;
    return (own_shape.nout == shape.nout && own_shape.nstate == shape.nstate &&
            own_shape.nstep == shape.nstep) ||
           error_usage(e, "--set: all channels of one run must get the same added columns");
}

/* Sets named[c], [nchannel] zeroed before, to whether the list of the override names channel c. A list that
 * names no channel is an error, or with several inputs a note. */
static bool find_channels(const struct overrides_source *source, struct override *override, bool *named,
                          struct error *e)
{
    const struct column_plan *plan = source->plan;
    const size_t n = plan->nchannel;
    bool found = plan_pick_channels(plan, override->list, "--set", named, e) &&
                 (memchr(named, true, n) ||
                  error_data(e, "--set: no filtered column matches \"%s\"", override->list));
    if (found) {
        override->used = true;
        return true;
    }
    if (e->kind != ERROR_DATA)
        return false;
    memset(named, 0, n * sizeof *named);
    if (plan_allows_none(plan, e))
        return true;
    if (source->several)
        messages_add(source->messages, source->file,
                     "--set '%s:%s' has no effect: no filtered column matches", override->list,
                     override->param->name);
    return source->several;
}

bool overrides_collect(struct overrides *overrides, const struct overrides_source *source, struct error *e)
{
    const struct column_plan *plan = source->plan;
    const struct override_list *list = source->list;
    size_t n = plan->nchannel, most = list->n > 0 ? n + 1 : 1, size = source->filter->settings_size;
    bool *named; /* [list->n][n] is channel c in the list of override i? */
    char *own;   /* [most] settings made for single channels, of `size` bytes each */
    overrides->filter = source->filter;
    overrides->zero_phase = source->zero_phase;
    overrides->plan = plan;
    if (!arrays_make(e, ARRAY(overrides->settings, most + 1), ARRAY(overrides->of, n),
                     ARRAY(named, list->n * n), (struct array_part){ &own, most, size }))
        return false;
    for (size_t i = 0; i < most; i++)
        overrides->settings[i + 1] = own + i * size;
    overrides->settings[overrides->n++] = source->settings;
    for (size_t i = 0; i < list->n; i++)
        if (!find_channels(source, &list->at[i], named + i * n, e))
            return false;
    for (size_t c = 0; c < n; c++) {
        bool any = false;
        for (size_t i = 0; i < list->n; i++)
            any |= named[i * n + c];
        if (any && !override_channel(overrides, list, named + c, c, e))
            return error_column(e, plan_channel(plan, c)->name);
    }
    return true;
}

/* --- in words --- */

enum { ROOM_FOR_CHANNELS = 400 }; /* bytes of a line that the names of channels may take */

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

/* Appends "; channels …", the channels with settings k, if there are several settings. */
static void put_channels(const struct overrides *sets, size_t k, char line[PARAMETERS_LINE])
{
    const struct column_plan *plan = sets->plan;
    const struct columns *columns = plan->columns;
    size_t n = 0, nshown = 0, most = strlen(line) + ROOM_FOR_CHANNELS;
    for (size_t i = 0; i < columns->ncolumn && sets->n > 1; i++) {
        const struct column *column = &columns->column[i];
        const struct column_use *use = plan_use(plan, i);
        if (use->role != ROLE_CHANNEL || sets->of[use->value] != k)
            continue;
        if (n == nshown && strlen(line) + strlen(column->name) + 30 <= most) {
            text_append(line, PARAMETERS_LINE, "%s\"%s\"", nshown > 0 ? ", " : "; channels ", column->name);
            nshown++;
        }
        n++;
    }
    if (nshown < n)
        text_append(line, PARAMETERS_LINE, "%s%zu", nshown ? " and more, total: " : "; channels: ", n);
    if (n == 0 && sets->n > 1)
        text_append(line, PARAMETERS_LINE, "; no channels");
}

void parameters_given(const struct overrides *sets, size_t k, char line[PARAMETERS_LINE])
{
    const struct filter *filter = sets->filter;
    size_t n = strlen(strcpy(line, filter->name));
    for (size_t i = 0; i < filter->nparam; i++)
        put_parameter(&filter->params[i], sets->settings[k], line[n] ? ", " : ": ", line);
    put_channels(sets, k, line);
}

bool parameters_equivalent(const struct overrides *sets, size_t k, double row_lag, char line[PARAMETERS_LINE])
{
    struct equivalent all[MAXEQUIVALENT];
    size_t n = filter_equivalents(sets->settings[k], sets->zero_phase, all), nshown = 0;
    strcpy(line, "equivalent to ");
    for (size_t i = 0; i < n; i++) {
        const bool lag = strcmp(all[i].name, "lag") == 0;
        /* The lag of the first pass is no lag of the result. */
        if (!isfinite(all[i].value) || (lag && sets->zero_phase))
            continue;
        text_append(line, PARAMETERS_LINE, "%s%s %.6g%s", nshown++ ? ", " : "", all[i].name, all[i].value,
                    all[i].unit);
        if (lag && !isnan(row_lag))
            text_append(line, PARAMETERS_LINE, " (%.6g s at this row rate)", row_lag);
    }
    put_channels(sets, k, line);
    return nshown > 0;
}
