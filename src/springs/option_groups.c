/* Checks which options of a list were given, and whether the values can be used. */
#include "springs/option_groups.h"

#include "base/text.h"

static double value(const struct param *option, const void *settings)
{
    return *(const double *)(const void *)((const char *)settings + option->offset);
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
static bool refuse_more(const char *who, const struct alternative *list, const struct alternative *first,
                        const void *settings, struct error *e)
{
    char all[200] = "", others[200] = "";
    add_names(all, sizeof all, list, settings, true);
    add_names(others, sizeof others, first + 1, settings, false);
    error_usage(e, "%s: --%s cannot be combined with %s", who, first->option->name, others);
    return error_hint(e, "give only one of %s", all);
}

/* The first option of the list that is given, or the end of the list. */
static const struct alternative *first_given(const struct alternative *list, const void *settings)
{
    while (list->option && !param_is_given(list->option, settings))
        list++;
    return list;
}

/* Makes no text unless there is an error, since with @COLUMN the settings of each row are checked. */
bool option_group_optional(const char *who, const struct alternative *list, const void *settings,
                           const struct alternative **given, struct error *e)
{
    *given = first_given(list, settings);
    if (!(*given)->option || !first_given(*given + 1, settings)->option)
        return true;
    return refuse_more(who, list, *given, settings, e);
}

bool option_group_one(const char *who, const struct alternative *list, const void *settings, double *to,
                      struct error *e)
{
    const struct alternative *given;
    if (!option_group_optional(who, list, settings, &given, e))
        return false;
    if (given->option) {
        *to = given->coefficient;
        return option_in_range(given->option, settings, *to, e);
    }
    char all[200] = "";
    add_names(all, sizeof all, list, settings, true);
    error_usage(e, "%s needs %s%s", who, strchr(all, ',') ? "one of " : "", all);
    return error_hint(e, "for example --%s 0.1", list->option->name);
}

bool option_group_all(const char *who, const struct param *const *list, const void *settings, struct error *e)
{
    for (; *list; list++)
        if (!param_is_given(*list, settings))
            return error_usage(e, "%s needs --%s", who, (*list)->name);
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

bool option_predict_check(const char *filter, const char *method, bool exact, const struct numbers *predict,
                          struct error *e)
{
    enum { MOST = (RUN_MAXANY - FILTER_MAXOUT) / 2 };
    if (predict->nvalue > 0 && !exact) {
        error_usage(e, "--predict does not work with %s --method %s", filter, method);
        return error_hint(e, "use --method exact");
    }
    return option_list_check("predict", predict, MOST, e);
}

bool halflife_check(const char *filter, struct halflife_settings *set, int n, const char *hint,
                    struct error *e)
{
    static const struct param row = { .name = "halflife",
                                      .offset = offsetof(struct halflife_settings, halflife) };
    static const struct param *const needed[] = { &row, NULL };
    if (!option_group_all(filter, needed, set, e))
        return error_hint(e, "%s", hint);
    set->y = n * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return option_in_range(&row, set, set->y, e);
}
