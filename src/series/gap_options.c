/* --gaps, --max-gap and --start. See gap_options.h. */
#include "series/gap_options.h"

#include "number/number.h"

#include <float.h>
#include <math.h>

const char *const gap_names[] = { "keep", "fill", "linear", "restart", NULL };

static bool parse_limit(const struct param *param, const char *value, void *field, struct error *e)
{
    struct gap_limit *limit = field;
    const char *end = value + strlen(value), *rest = number_read(value, end, '.', &limit->most);
    bool rows = rest && strcmp(rest, "rows") == 0;
    limit->kind = rows ? GAP_ROWS : GAP_SECONDS;
    bool good = rows ? limit->most == floor(limit->most) : param_seconds(value, &limit->most);
    if (good && limit->most >= 0 && isfinite(limit->most))
        return true;
    error_usage(e, "--%s must be a time in seconds, such as 0.25, or a number of rows, such as 10rows",
                param->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type gap_limit_type = { .parse = parse_limit };

static bool parse_start(const struct param *param, const char *value, void *field, struct error *e)
{
    struct start_position *start = field;
    const char *end = value + strlen(value);
    *start = (struct start_position){ .given = strcmp(value, "first") != 0 };
    if (!start->given || strcmp(value, "zero") == 0)
        return true;
    if (number_read(value, end, '.', &start->value) == end && isfinite(start->value))
        return true;
    error_usage(e, "--%s must be first, zero or a number", param->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type series_start_type = { .parse = parse_start };

/* Times are differences from the first one, rounded once: the rounding never makes a gap too long. */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow)
{
    if (limit->kind == GAP_UNLIMITED)
        return false;
    if (limit->kind == GAP_ROWS)
        return (double)nrow > limit->most;
    return now - since - 2 * DBL_EPSILON * fabs(now) > limit->most;
}
