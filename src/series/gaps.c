/* Gaps and their limit. See gaps.h. */
#include "series/gaps.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool parse_limit(const struct param *p, const char *value, void *field, struct error *e)
{
    struct gap_limit *limit = field;
    const char *end = value + strlen(value), *rest = number_read(value, end, '.', &limit->most);
    bool rows = rest && strcmp(rest, "rows") == 0;
    limit->kind = rows ? GAP_ROWS : GAP_SECONDS;
    if ((rows ? limit->most == floor(limit->most) : rest == end) && limit->most >= 0 && isfinite(limit->most))
        return true;
    error_usage(e, "--%s: takes a time in seconds, such as 0.25, or a number of rows, such as 10rows",
                p->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type gap_limit_type = { .size = sizeof(struct gap_limit), .parse = parse_limit };

bool gap_exceeds(const struct gap_limit *limit, uint64_t nrow, const struct timestamp *a,
                 const struct timestamp *b, struct time_unit unit)
{
    if (limit->kind != GAP_SECONDS)
        return limit->kind == GAP_ROWS && (double)nrow > limit->most;
    bool exact = a->decimal.exact && b->decimal.exact;
    struct timestamp error = { .t = exact ? 0 : 2 * DBL_EPSILON * fmax(fabs(a->t), fabs(b->t)) };
    return timestamp_between(a, b, unit) - timestamp_between(NULL, &error, unit) > limit->most;
}
