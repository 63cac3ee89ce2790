/* Which of several options were given, and whether their values can be used. */
#include "filters/filter.h"

#include "base/text.h"

#include <math.h>

/* "--halflife, --lag, --frequency" of those given (or of all) into buf. */
static const char *names(const struct given_option *option, size_t n, bool all, char *buf, size_t maxbuf)
{
    buf[0] = 0;
    for (size_t i = 0; i < n; i++)
        if (all || !isnan(option[i].value))
            text_append(buf, maxbuf, "%s--%s", buf[0] ? ", " : "", option[i].name);
    return buf;
}

bool option_group_optional(const char *filter, const struct given_option *option, size_t n, size_t *which,
                           struct error *e)
{
    char all[200], others[200];
    size_t first = 0;
    while (first < n && isnan(option[first].value))
        first++;
    *which = first;
    if (first == n || !names(option + first + 1, n - first - 1, false, others, sizeof others)[0])
        return true;
    error_usage(e, "%s: --%s cannot be combined with %s", filter, option[first].name, others);
    return error_hint(e, "give only one of %s", names(option, n, true, all, sizeof all));
}

bool option_group_one(const char *filter, const struct given_option *option, size_t n, size_t *which,
                      struct error *e)
{
    char all[200];
    if (!option_group_optional(filter, option, n, which, e))
        return false;
    if (*which < n)
        return true;
    error_usage(e, "%s needs one of %s", filter, names(option, n, true, all, sizeof all));
    return error_hint(e, "each of them alone sets its speed");
}

bool option_group_all(const char *who, const struct given_option *option, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(option[i].value))
            return error_usage(e, "%s needs --%s", who, option[i].name);
    return true;
}

bool option_group_none(const char *who, const struct given_option *option, size_t n, struct error *e)
{
    char given[200];
    return !names(option, n, false, given, sizeof given)[0] ||
           error_usage(e, "%s does not take %s", who, given);
}

bool option_in_range(const struct given_option *option, double derived, struct error *e)
{
    double square = derived * derived;
    if (derived > 0 && square > 0 && isfinite(square) && isfinite(1 / square))
        return true;
    error_usage(e, "--%s %g is out of range", option->name, option->value);
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
    struct given_option needed = { "halflife", set->halflife };
    if (!option_group_all(filter, &needed, 1, e))
        return error_hint(e, "%s", hint);
    set->y = n * M_LN2 / set->halflife;
    return option_in_range(&needed, set->y, e);
}

double halflife_lag(const void *settings)
{
    const struct halflife_settings *set = settings;
    return 2 / set->y;
}
