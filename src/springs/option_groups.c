/* Checks which options of a list were given, and whether they go together. */
#include "springs/option_groups.h"

#include "base/text.h"

/* The option row of a filter by its name; NULL: none. */
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
    const void *field = (const char *)settings + option->offset;
    if (option->kind == PARAM_NUMBERS)
        return ((const struct numbers *)field)->nvalue > 0;
    return option->kind == PARAM_CHOICE ? *(const int *)field >= 0 : !isnan(*(const double *)field);
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

bool option_group_one(const void *settings, const struct alternative *list, double *to, struct error *e)
{
    char all[200];
    const struct alternative *given;
    if (!option_group_optional(settings, list, &given, e))
        return false;
    *to = given->coefficient;
    if (given->option)
        return true;
    name_all(list, all, sizeof all);
    error_usage(e, "%s needs %s", filter_name(settings), all);
    return error_hint(e, "for example --%s 0.1", list->option);
}

/* Checks a list, whose row is the option: no value twice, and not too many. */
static bool check_list(const void *settings, const struct param *option, struct error *e)
{
    const struct filter *filter = ((const struct filter_common *)settings)->filter;
    const struct numbers *list = filter_values(settings);
    const size_t most = (RUN_MAXANY - filter->shape.nout) / filter->each.nout;
    if (list->nvalue > most)
        return error_usage(e, "--%s accepts at most %zu values, not %zu", option->name, most, list->nvalue);
    for (size_t i = 0; i < list->nvalue; i++)
        for (size_t j = 0; j < i; j++)
            if (list->value[i] == list->value[j])
                return error_usage(e, "--%s has the value %g twice", option->name, list->value[i]);
    return true;
}

static bool check_option(const void *settings, const struct param *option, struct error *e)
{
    const struct param *method = row_of(settings, "method");
    const bool needed = option->if_missing, with_each = option->methods == EACH_METHOD;
    const bool goes = with_each || option->methods & METHOD(choice(method, settings));
    if (!goes && is_given(option, settings)) {
        error_usage(e, "%s --method %s cannot be combined with --%s", filter_name(settings),
                    method->choices[choice(method, settings)], option->name);
        return error_hint(e, "try --method %s", method->choices[__builtin_ctz(option->methods)]);
    }
    if (needed && goes && !is_given(option, settings)) {
        error_usage(e, "%s needs --%s", filter_name(settings), option->name);
        return error_hint(e, "%s", option->if_missing);
    }
    return option->kind != PARAM_NUMBERS || check_list(settings, option, e);
}

bool option_check(const void *settings, struct error *e)
{
    const struct filter *filter = ((const struct filter_common *)settings)->filter;
    bool good = true;
    for (size_t i = 0; i < filter->nparam && good; i++)
        good = check_option(settings, &filter->params[i], e);
    return good;
}
