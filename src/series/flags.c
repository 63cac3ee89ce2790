/* The flags of samples. See flags.h. */
#include "series/flags.h"

#include "number/number.h"

#include <float.h>
#include <math.h>

/* --- the options --- */

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

/* --- flags for the filter --- */

size_t flags_set(struct channel_gap *gap, bool every, const struct gap_samples *samples, double *last)
{
    double *goal = samples->goal;
    size_t nmissing = 0;
    for (size_t i = 0; i < samples->n; i++) {
        const bool missing = isnan(goal[i]), cut = samples->cut && samples->cut[i];
        unsigned here = 0;
        if ((missing && every) || (samples->ends && samples->ends[i]))
            gap->running = false;
        if (missing)
            here = gap->running ? FLAG_GAP : FLAG_NO_VALUE;
        else if (!gap->running)
            here = FLAG_START;
        else if (cut || gap->open) /* the sample after a short gap is as one after a cut */
            here = FLAG_CUT;
        if (cut && here == FLAG_GAP)
            here |= FLAG_CUT;
        gap->running |= !missing;
        gap->open = missing;
        nmissing += missing;
        if (missing)
            goal[i] = here & FLAG_GAP ? *last : 0;
        else
            *last = goal[i];
        samples->flag[i] = (unsigned char)here;
    }
    return nmissing;
}
