/* Which of several options were given, and whether their values can be used. */
#include "springs/filter.h"

#include "base/text.h"

static double value(const struct param *option, const void *settings)
{
    return *(const double *)(const void *)((const char *)settings + option->offset);
}

/* "--halflife, --lag, --frequency" of those given (of all without settings) into buf. */
static const char *names(const struct param *option, size_t n, const void *settings, char *buf, size_t maxbuf)
{
    buf[0] = 0;
    for (size_t i = 0; i < n; i++)
        if (!settings || !isnan(value(&option[i], settings)))
            text_append(buf, maxbuf, "%s--%s", buf[0] ? ", " : "", option[i].name);
    return buf;
}

bool option_group_optional(const char *filter, const struct param *option, size_t n, const void *settings,
                           size_t *which, struct error *e)
{
    char all[200], others[200];
    size_t first = 0;
    while (first < n && isnan(value(&option[first], settings)))
        first++;
    *which = first;
    if (first == n || !names(option + first + 1, n - first - 1, settings, others, sizeof others)[0])
        return true;
    error_usage(e, "%s: --%s cannot be combined with %s", filter, option[first].name, others);
    return error_hint(e, "give only one of %s", names(option, n, NULL, all, sizeof all));
}

bool option_group_one(const char *filter, const struct param *option, size_t n, const void *settings,
                      const double *derived, double *to, struct error *e)
{
    char all[200];
    size_t which;
    if (!option_group_optional(filter, option, n, settings, &which, e))
        return false;
    if (which < n)
        return option_in_range(&option[which], settings, *to = derived[which], e);
    error_usage(e, "%s needs one of %s", filter, names(option, n, NULL, all, sizeof all));
    return error_hint(e, "each of them alone sets its speed");
}

bool option_group_all(const char *who, const struct param *option, size_t n, const void *settings,
                      struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(value(&option[i], settings)))
            return error_usage(e, "%s needs --%s", who, option[i].name);
    return true;
}

bool option_group_none(const char *who, const struct param *option, size_t n, const void *settings,
                       struct error *e)
{
    char given[200];
    return !names(option, n, settings, given, sizeof given)[0] ||
           error_usage(e, "%s does not take %s", who, given);
}

bool option_in_range(const struct param *option, const void *settings, double derived, struct error *e)
{
    double square = derived * derived;
    if (derived > 0 && square > 0 && isfinite(square) && isfinite(1 / square))
        return true;
    error_usage(e, "--%s %g is out of range", option->name, value(option, settings));
    return error_hint(e, "values from about 1e-150 to 1e150 can be computed");
}

bool option_list_check(const char *name, const struct numbers *list, size_t most, struct error *e)
{
    if (list->nvalue > most)
        return error_usage(e, "--%s takes at most %zu values, not %zu", name, most, list->nvalue);
    for (size_t i = 0; i < list->nvalue; i++)
        for (size_t j = 0; j < i; j++)
            if (list->value[i] == list->value[j])
                return error_usage(e, "--%s has the value %g twice", name, list->value[i]);
    return true;
}

bool halflife_check(const char *filter, struct halflife_settings *set, int n, const char *hint,
                    struct error *e)
{
    static const struct param row = { .name = "halflife",
                                      .offset = offsetof(struct halflife_settings, halflife) };
    if (!option_group_all(filter, &row, 1, set, e))
        return error_hint(e, "%s", hint);
    set->y = n * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return option_in_range(&row, set, set->y, e);
}
