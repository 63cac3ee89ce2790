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

/* --- flags for the filter --- */

/* Times are differences from the first one, rounded once: the rounding never makes a gap too long. */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow)
{
    if (limit->kind == GAP_UNLIMITED)
        return false;
    if (limit->kind == GAP_ROWS)
        return (double)nrow > limit->most;
    return now - since - 2 * DBL_EPSILON * fabs(now) > limit->most;
}

bool gap_misses(const struct gap_samples *samples, size_t i)
{
    bool misses = false;
    for (size_t k = 0; k < samples->nraw; k++)
        misses = misses || isnan(samples->raw[k][i]);
    return misses;
}

/* Is the gap that begins with sample i too long, by all samples that are known? */
static bool begins_long_gap(const struct channel_gap *gap, const struct series_settings *settings,
                            const struct gap_samples *samples, size_t i)
{
    uint64_t nrow = 0;
    bool missing = true;
    for (size_t j = i; j < samples->nknown && missing; j++) {
        missing = gap_misses(samples, j);
        nrow += missing;
        if (gap_exceeds(&settings->max_gap, gap->since, samples->t[j], nrow))
            return true;
    }
    return false;
}

/* The flags of a missing sample. */
static unsigned take_missing(struct channel_gap *gap, const struct series_settings *settings,
                             const struct gap_samples *samples, size_t i)
{
    if (!gap->open) {
        *gap = (struct channel_gap){ .running = gap->running && !gap_ends_run(settings->gaps), .open = true };
        gap->since = i > 0 ? samples->t[i - 1] : samples->before;
        if (settings->gaps == GAPS_FILL && begins_long_gap(gap, settings, samples, i))
            gap->running = false;
    }
    gap->nrow++;
    return gap->running ? FLAG_GAP : FLAG_NO_VALUE;
}

/* The flags of the first sample, or of one after a gap. After a short gap the filter continues, and sees the
 * sample as the first one after a cut. */
static unsigned take_first(struct channel_gap *gap, const struct series_settings *settings, double now)
{
    const bool goes_on = gap->running && !gap_exceeds(&settings->max_gap, gap->since, now, gap->nrow);
    *gap = (struct channel_gap){ .running = true };
    return goes_on ? FLAG_CUT : FLAG_START;
}

size_t flags_set(struct channel_gap *gap, const struct series_settings *settings,
                 const struct gap_samples *samples, double *last)
{
    double *goal = samples->goal;
    size_t nmissing = 0;
    for (size_t i = 0; i < samples->n; i++) {
        const bool missing = isnan(goal[i]), cut = samples->cut && samples->cut[i];
        unsigned here = 0;
        if (missing)
            here = take_missing(gap, settings, samples, i);
        else if (!gap->running || gap->open)
            here = take_first(gap, settings, samples->t[i]);
        if (cut && !(here & (FLAG_START | FLAG_NO_VALUE)))
            here |= FLAG_CUT;
        nmissing += missing;
        if (missing)
            goal[i] = here & FLAG_GAP ? *last : 0;
        else
            *last = goal[i];
        samples->flag[i] = (unsigned char)here;
    }
    return nmissing;
}
