/* Checks which options of a list were given, and whether the values can be used. */
#include "springs/option_groups.h"

#include "base/text.h"

enum { METHODS_MAX = 8 }; /* of a filter */

static double value(const struct param *option, const void *settings)
{
    return *(const double *)(const void *)((const char *)settings + option->offset);
}

/* The index of the choice of a PARAM_CHOICE. */
static int choice(const struct param *option, const void *settings)
{
    return *(const int *)(const void *)((const char *)settings + option->offset);
}

/* Adds the hint of the option's row, if it has one. Returns false. */
static bool add_hint(const struct param *option, struct error *e)
{
    return option->if_missing ? error_hint(e, "%s", option->if_missing) : false;
}

/* Appends "--halflife" to a list of names in text. */
static void add_name(char *text, size_t max, const struct param *option)
{
    text_append(text, max, "%s--%s", text[0] ? ", " : "", option->name);
}

/* Appends the names of the options of the list that are given; all: of every option of the list. */
static void add_names(char *text, size_t max, const struct alternative *list, const void *settings, bool all)
{
    for (const struct alternative *each = list; each->option; each++)
        if (all || param_is_given(each->option, settings))
            add_name(text, max, each->option);
}

/* The error that further options of the list are given beside `first`. */
static bool refuse_more(const struct filter *filter, const struct alternative *list,
                        const struct alternative *first, const void *settings, struct error *e)
{
    char all[200] = "", others[200] = "";
    add_names(all, sizeof all, list, settings, true);
    add_names(others, sizeof others, first + 1, settings, false);
    error_usage(e, "%s: --%s cannot be combined with %s", filter->name, first->option->name, others);
    return error_hint(e, "give only one of %s", all);
}

/* The first option of the list that is given, or the end of the list. */
static const struct alternative *first_given(const struct alternative *list, const void *settings)
{
    while (list->option && !param_is_given(list->option, settings))
        list++;
    return list;
}

bool option_group_optional(const struct filter *filter, const struct alternative *list, const void *settings,
                           const struct alternative **given, struct error *e)
{
    *given = first_given(list, settings);
    if (!(*given)->option || !first_given(*given + 1, settings)->option)
        return true;
    return refuse_more(filter, list, *given, settings, e);
}

bool option_group_one(const struct filter *filter, const struct alternative *list, const void *settings,
                      double *to, struct error *e)
{
    const struct alternative *given;
    if (!option_group_optional(filter, list, settings, &given, e))
        return false;
    if (given->option) {
        *to = given->coefficient;
        return option_in_range(given->option, settings, *to, e);
    }
    char all[200] = "";
    add_names(all, sizeof all, list, settings, true);
    error_usage(e, "%s needs %s%s", filter->name, strchr(all, ',') ? "one of " : "", all);
    return add_hint(list->option, e);
}

/* The choice of --method; -1: the filter has no such option, or it is not given. */
static int method_of(const struct filter *filter, const void *settings)
{
    const struct param *option = filter_option(filter, "method");
    return option ? choice(option, settings) : -1;
}

bool option_missing(const struct filter *filter, const void *settings, const struct param *option,
                    struct error *e)
{
    int method = method_of(filter, settings);
    if (method > 0)
        error_usage(e, "%s --method %s needs --%s", filter->name,
                    filter_option(filter, "method")->choices[method], option->name);
    else
        error_usage(e, "%s needs --%s", filter->name, option->name);
    return add_hint(option, e);
}

bool option_group_all(const struct filter *filter, const struct param *const *list, const void *settings,
                      struct error *e)
{
    for (; *list; list++)
        if (!param_is_given(*list, settings))
            return option_missing(filter, settings, *list, e);
    return true;
}

bool option_group_none(const char *who, const struct param *const *list, const void *settings,
                       struct error *e)
{
    while (*list && !param_is_given(*list, settings))
        list++;
    if (!*list)
        return true;
    char given[200] = "";
    for (; *list; list++)
        if (param_is_given(*list, settings))
            add_name(given, sizeof given, *list);
    return error_usage(e, "%s cannot be combined with %s", who, given);
}

bool option_in_range(const struct param *option, const void *settings, double coefficient, struct error *e)
{
    double square = coefficient * coefficient;
    bool good = coefficient > 0 && square > 0 && isfinite(square) && isfinite(1 / square);
    return good || isnan(coefficient) || option_out_of_range(option, settings, e);
}

bool option_out_of_range(const struct param *option, const void *settings, struct error *e)
{
    error_usage(e, "--%s %g is out of range", option->name, value(option, settings));
    return error_hint(e, "the valid range is about 1e-150 to 1e150");
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

/* Appends the option, and its choice, to a list of names in text, if it is given: a PARAM_NUMBER,
 * PARAM_NUMBERS or PARAM_CHOICE. */
static void add_given(char *text, size_t max, const struct param *option, const void *settings)
{
    const struct numbers *list = (const void *)((const char *)settings + option->offset);
    bool number = option->kind == PARAM_NUMBER && param_is_given(option, settings);
    bool numbers = option->kind == PARAM_NUMBERS && list->nvalue > 0;
    bool chosen = option->kind == PARAM_CHOICE && choice(option, settings) >= 0 &&
                  !(option->with_all >> choice(option, settings) & 1);
    if (number || numbers || chosen)
        add_name(text, max, option);
    if (chosen)
        text_append(text, max, " %s", option->choices[choice(option, settings)]);
}

/* The error that the options `given` do not go with a method; the hint names the methods of the first. */
static bool refuse_method(const struct filter *filter, const char *method, const char *given,
                          const struct param *first, struct error *e)
{
    const char *const *names = filter_option(filter, "method")->choices;
    const char *taken_by[METHODS_MAX + 1] = { NULL };
    char list[200];
    size_t n = 0;
    for (size_t i = 0; names[i] && n < METHODS_MAX; i++)
        if (first->methods & METHOD(i))
            taken_by[n++] = names[i];
    text_list(taken_by, " or ", list, sizeof list);
    error_usage(e, "%s --method %s cannot be combined with %s", filter->name, method, given);
    return error_hint(e, "%.*s needs --method %s", (int)strcspn(given, ","), given, list);
}

bool option_method_check(const struct filter *filter, const void *settings, struct error *e)
{
    const struct param *first = NULL;
    int method = method_of(filter, settings);
    char given[200] = "";
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *option = &filter->params[i];
        if (option->methods != EACH_METHOD && !(option->methods & METHOD(method)))
            add_given(given, sizeof given, option, settings);
        if (given[0] && !first)
            first = option;
    }
    return !first || refuse_method(filter, filter_option(filter, "method")->choices[method], given, first, e);
}

bool halflife_check(const struct filter *filter, struct halflife_settings *set, int n, struct error *e)
{
    const struct param *option = filter_option(filter, "halflife");
    if (isnan(set->halflife))
        return option_missing(filter, set, option, e);
    set->y = n * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return option_in_range(option, set, set->y, e);
}
