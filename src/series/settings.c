/* Options of a series as values: the times of cuts, and where a series starts. See series.h. */
#include "series/series.h"

#include "base/array.h"
#include "number/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the times, without repeated ones. */
static void sort(struct cuts *cuts)
{
    size_t n = 0;
    qsort(cuts->time, cuts->ncut, sizeof *cuts->time, ascending);
    for (size_t i = 0; i < cuts->ncut; i++)
        if (n == 0 || cuts->time[i] != cuts->time[n - 1])
            cuts->time[n++] = cuts->time[i];
    cuts->ncut = n;
}

static bool parse_times(const struct param *param, const char *list, void *field, struct error *e)
{
    struct cuts *cuts = field;
    const char *end = list + strlen(list);
    cuts->ncut = 0;
    for (const char *at = list;; at++) {
        double t;
        at = number_read(at, end, '.', &t);
        if (!at || (*at && *at != ',') || !isfinite(t)) {
            error_usage(e, "--%s must be times in seconds separated by commas, such as 1.5,7", param->name);
            return error_excerpt(e, list, strlen(list));
        }
        if (!array_reserve(&cuts->time, cuts->ncut + 1, &cuts->maxcut, sizeof *cuts->time, e))
            return false;
        cuts->time[cuts->ncut++] = t;
        if (at == end)
            break;
    }
    sort(cuts);
    return true;
}

static void free_times(void *field)
{
    free(((struct cuts *)field)->time);
}

const struct param_type cuts_type = { parse_times, free_times };

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
