/* Checks which options of a list were given, and whether they go together. */
#include "springs/option_groups.h"

#include "base/text.h"

#include <stdio.h>

enum { METHODS_MAX = 8 }; /* of a filter */

/* The filter's option row with this name; NULL: none. */
static const struct param *row_of(const void *settings, const char *option)
{
    return filter_option(((const struct filter_common *)settings)->filter, option);
}

static const char *filter_name(const void *settings)
{
    return ((const struct filter_common *)settings)->filter->name;
}

/* The index of the choice of a PARAM_CHOICE; -1: not given. */
static int choice(const struct param *option, const void *settings)
{
    return *(const int *)(const void *)((const char *)settings + option->offset);
}

/* Is a PARAM_NUMBER, PARAM_NUMBERS or PARAM_CHOICE given? */
static bool is_given(const struct param *option, const void *settings)
{
    const struct numbers *list = (const void *)((const char *)settings + option->offset);
    if (option->kind == PARAM_NUMBERS)
        return list->nvalue > 0;
    return option->kind == PARAM_CHOICE ? choice(option, settings) >= 0 : param_is_given(option, settings);
}

/* The first option of the list that is given, or the end of the list. */
static const struct alternative *first_given(const struct alternative *list, const void *settings)
{
    while (list->option && !is_given(row_of(settings, list->option), settings))
        list++;
    return list;
}

/* Writes the names of the options of a list: "--halflife, --lag or --cutoff". */
static void name_all(const struct alternative *list, char *text, size_t max)
{
    text[0] = 0;
    for (const struct alternative *each = list; each->option; each++) {
        const char *between = each[1].option ? ", " : " or ";
        text_append(text, max, "%s--%s", each > list ? between : "", each->option);
    }
}

bool option_group_optional(const void *settings, const struct alternative *list,
                           const struct alternative **given, struct error *e)
{
    char all[200];
    *given = first_given(list, settings);
    const struct alternative *second = (*given)->option ? first_given(*given + 1, settings) : *given;
    if (!second->option)
        return true;
    name_all(list, all, sizeof all);
    error_usage(e, "%s: --%s cannot be combined with --%s", filter_name(settings), (*given)->option,
                second->option);
    return error_hint(e, "give only one of %s", all);
}

/* The error that an option is missing. Returns false. */
static bool refuse_missing(const void *settings, const struct param *option, const char *names,
                           struct error *e)
{
    error_usage(e, "%s needs %s", filter_name(settings), names);
    return option->if_missing ? error_hint(e, "%s", option->if_missing) : false;
}

bool option_group_one(const void *settings, const struct alternative *list, double *to, struct error *e)
{
    char all[200];
    const struct alternative *given;
    if (!option_group_optional(settings, list, &given, e))
        return false;
    name_all(list, all, sizeof all);
    *to = given->coefficient;
    return given->option || refuse_missing(settings, row_of(settings, list->option), all, e);
}

bool option_needed(const void *settings, const char *option, struct error *e)
{
    char name[40];
    const struct param *row = row_of(settings, option);
    snprintf(name, sizeof name, "--%s", option);
    return is_given(row, settings) || refuse_missing(settings, row, name, e);
}

bool option_list_check(const char *name, const struct numbers *list, size_t most, struct error *e)
{
    if (list->nvalue > most)
        return error_usage(e, "--%s accepts at most %zu values, not %zu", name, most, list->nvalue);
    for (size_t i = 0; i < list->nvalue; i++)
        for (size_t j = 0; j < i; j++)
            if (list->value[i] == list->value[j])
                return error_usage(e, "--%s has the value %g twice", name, list->value[i]);
    return true;
}

bool option_predict_check(const struct numbers *predict, struct error *e)
{
    enum { MOST = (RUN_MAXANY - FILTER_MAXOUT) / 2 };
    return option_list_check("predict", predict, MOST, e);
}

/* Does a given option go with the method? */
static bool goes_with(const struct param *option, const void *settings, int method)
{
    const bool with_all = option->kind == PARAM_CHOICE && option->with_all >> choice(option, settings) & 1;
    return option->methods == EACH_METHOD || with_all || (option->methods & METHOD(method));
}

/* The error that an option does not go with the method; the hint names the methods that it goes with. */
static bool refuse_method(const void *settings, const struct param *option, const struct param *method,
                          struct error *e)
{
    const char *const *names = method->choices;
    const char *taken_by[METHODS_MAX + 1] = { NULL };
    char list[200];
    size_t n = 0;
    for (size_t i = 0; names[i] && n < METHODS_MAX; i++)
        if (option->methods & METHOD(i))
            taken_by[n++] = names[i];
    text_list(taken_by, " or ", list, sizeof list);
    error_usage(e, "%s --method %s cannot be combined with --%s", filter_name(settings),
                names[choice(method, settings)], option->name);
    return error_hint(e, "--%s needs --method %s", option->name, list);
}

bool option_method_check(const void *settings, struct error *e)
{
    const struct filter *filter = ((const struct filter_common *)settings)->filter;
    const struct param *method = row_of(settings, "method");
    for (const struct param *option = filter->params; option < filter->params + filter->nparam; option++)
        if (option->methods != EACH_METHOD && is_given(option, settings) &&
            !goes_with(option, settings, choice(method, settings)))
            return refuse_method(settings, option, method, e);
    return true;
}

bool halflife_check(struct halflife_settings *set, int n, struct error *e)
{
    set->y = n * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return option_needed(set, "halflife", e);
}
