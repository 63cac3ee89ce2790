/* Checks which options of a list were given, and whether the values can be used. */
#include "springs/option_groups.h"

#include "base/text.h"

enum { METHODS_MAX = 8 }; /* of a filter */

/* The option row of the settings' filter with this name. */
static const struct param *row_of(const void *settings, const char *option)
{
    return filter_option(((const struct filter_common *)settings)->filter, option);
}

static const char *filter_name(const void *settings)
{
    return ((const struct filter_common *)settings)->filter->name;
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
static void add_name(char *text, size_t max, const char *option)
{
    text_append(text, max, "%s--%s", text[0] ? ", " : "", option);
}

/* Is a PARAM_NUMBER or PARAM_NUMBERS given? */
static bool is_given(const struct param *option, const void *settings)
{
    const struct numbers *list = (const void *)((const char *)settings + option->offset);
    return option->kind == PARAM_NUMBERS ? list->nvalue > 0 : param_is_given(option, settings);
}

static bool option_is_given(const void *settings, const char *option)
{
    return is_given(row_of(settings, option), settings);
}

/* Appends the names of the options of the list that are given; all: of every option of the list. */
static void add_names(char *text, size_t max, const struct alternative *list, const void *settings, bool all)
{
    for (const struct alternative *each = list; each->option; each++)
        if (all || option_is_given(settings, each->option))
            add_name(text, max, each->option);
}

/* The first option of the list that is given, or the end of the list. */
static const struct alternative *first_given(const struct alternative *list, const void *settings)
{
    while (list->option && !option_is_given(settings, list->option))
        list++;
    return list;
}

bool option_group_optional(const void *settings, const struct alternative *list,
                           const struct alternative **given, struct error *e)
{
    *given = first_given(list, settings);
    if (!(*given)->option || !first_given(*given + 1, settings)->option)
        return true;
    char all[200] = "", others[200] = "";
    add_names(all, sizeof all, list, settings, true);
    add_names(others, sizeof others, *given + 1, settings, false);
    error_usage(e, "%s: --%s cannot be combined with %s", filter_name(settings), (*given)->option, others);
    return error_hint(e, "give only one of %s", all);
}

bool option_group_one(const void *settings, const struct alternative *list, double *to, struct error *e)
{
    const struct alternative *given;
    if (!option_group_optional(settings, list, &given, e))
        return false;
    if (given->option) {
        *to = given->coefficient;
        return option_in_range(settings, given->option, *to, e);
    }
    char all[200] = "";
    add_names(all, sizeof all, list, settings, true);
    error_usage(e, "%s needs %s%s", filter_name(settings), strchr(all, ',') ? "one of " : "", all);
    return add_hint(row_of(settings, list->option), e);
}

/* The option --method; NULL: the filter has none. */
static const struct param *method_row(const void *settings)
{
    return row_of(settings, "method");
}

bool option_needed(const void *settings, const char *option, struct error *e)
{
    if (option_is_given(settings, option))
        return true;
    const struct param *method = method_row(settings);
    const int chosen = method ? choice(method, settings) : 0;
    if (chosen > 0)
        error_usage(e, "%s --method %s needs --%s", filter_name(settings), method->choices[chosen], option);
    else
        error_usage(e, "%s needs --%s", filter_name(settings), option);
    return add_hint(row_of(settings, option), e);
}

bool option_group_none(const void *settings, const char *who, const char *const *list, struct error *e)
{
    char given[200] = "";
    for (; *list; list++)
        if (option_is_given(settings, *list))
            add_name(given, sizeof given, *list);
    return !given[0] || error_usage(e, "%s cannot be combined with %s", who, given);
}

bool option_squares(double coefficient)
{
    double square = coefficient * coefficient;
    return coefficient > 0 && square > 0 && isfinite(square) && isfinite(1 / square);
}

bool option_in_range(const void *settings, const char *option, double coefficient, struct error *e)
{
    return isnan(coefficient) || option_squares(coefficient) || option_out_of_range(settings, option, e);
}

bool option_out_of_range(const void *settings, const char *option, struct error *e)
{
    const char *field = (const char *)settings + row_of(settings, option)->offset;
    return option_refuse(option, *(const double *)(const void *)field, e);
}

bool option_refuse(const char *option, double value, struct error *e)
{
    error_usage(e, "--%s %g is out of range", option, value);
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
    const bool chooses = option->kind == PARAM_CHOICE;
    bool chosen = chooses && choice(option, settings) >= 0 &&
                  !(option->with_all >> choice(option, settings) & 1);
    if (chosen || (!chooses && is_given(option, settings)))
        add_name(text, max, option->name);
    if (chosen)
        text_append(text, max, " %s", option->choices[choice(option, settings)]);
}

/* The error that the options `given` do not go with a method; the hint names the methods of the first. */
static bool refuse_method(const void *settings, const char *given, const struct param *first, struct error *e)
{
    const struct param *method = method_row(settings);
    const char *const *names = method->choices;
    const char *taken_by[METHODS_MAX + 1] = { NULL };
    char list[200];
    size_t n = 0;
    for (size_t i = 0; names[i] && n < METHODS_MAX; i++)
        if (first->methods & METHOD(i))
            taken_by[n++] = names[i];
    text_list(taken_by, " or ", list, sizeof list);
    error_usage(e, "%s --method %s cannot be combined with %s", filter_name(settings),
                names[choice(method, settings)], given);
    return error_hint(e, "%.*s needs --method %s", (int)strcspn(given, ","), given, list);
}

bool option_method_check(const void *settings, struct error *e)
{
    const struct filter *filter = ((const struct filter_common *)settings)->filter;
    const struct param *first = NULL;
    const int method = choice(method_row(settings), settings);
    char given[200] = "";
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *option = &filter->params[i];
        if (option->methods != EACH_METHOD && !(option->methods & METHOD(method)))
            add_given(given, sizeof given, option, settings);
        if (given[0] && !first)
            first = option;
    }
    return !first || refuse_method(settings, given, first, e);
}

bool halflife_check(struct halflife_settings *set, int n, struct error *e)
{
    if (!option_needed(set, "halflife", e))
        return false;
    set->y = n * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return option_in_range(set, "halflife", set->y, e);
}
