/* The spikes of each unit that is filtered, by the function of --despike. See table.h. */
#include "whole/noise/spikes.h"

#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdlib.h>

enum { TOGETHER = 4 /* units whose curves are weighed together */ };

struct judging {
    struct inspect_table *table;
    const struct unit *unit[TOGETHER]; /* [n] */
    size_t n;
    unsigned char *mark[TOGETHER]; /* [n][nrow], all in one allocation with: */
    double *target[TOGETHER];      /* [n][nrow][SPIKES_COMPONENTS] of rotations */
};

/* Has a series of a unit values enough for --cutoff auto? Rows of one time are one sample. */
static bool has_enough(const struct inspect_rows *rows, const struct unit *unit, size_t first, size_t end)
{
    const double *x = inspect_value(rows, unit->channel[0]);
    size_t known = 0;
    for (size_t i = first; i < end; i++)
        known += !isnan(x[i]) && (i == first || rows->time[i] > rows->time[i - 1]);
    return known >= CHOOSE_LEAST;
}

/* Counts the spikes of a series of a unit. Rows of one time are one sample. */
static void count_spikes(struct inspect_table *table, const struct unit *unit, const unsigned char *mark,
                         size_t first, size_t end)
{
    const struct inspect_rows *rows = &table->rows;
    for (size_t i = first; i < end; i++) {
        const bool counted = i > first && mark[i - 1] == SPIKE && rows->time[i] == rows->time[i - 1];
        for (size_t k = 0; k < unit->n && mark[i] == SPIKE && !counted; k++) {
            struct inspect_channel *channel = &table->channel[unit->channel[k]];
            if (channel->nspike++ == 0)
                channel->spike_row = rows->number[i];
        }
    }
}

/* Judges a series of the units. */
static bool judge_series(const struct judging *judging, size_t first, size_t end, struct error *e)
{
    struct inspect_table *table = judging->table;
    const struct inspect_rows *rows = &table->rows;
    struct spike_kind kind[TOGETHER];
    struct spike_rows series[TOGETHER];
    unsigned char *mark[TOGETHER];
    for (size_t u = 0; u < judging->n; u++) {
        const struct unit *unit = judging->unit[u];
        double part[SPIKES_COMPONENTS], *target = judging->target[u];
        kind[u] = unit_spike_kind(unit);
        mark[u] = judging->mark[u] + first;
        series[u] = (struct spike_rows){ .n = end - first, .time = rows->time + first };
        series[u].target = target + SPIKES_COMPONENTS * first;
        for (size_t k = 0; k < unit->n; k++)
            series[u].number[k] = inspect_value(rows, unit->channel[k]) + first;
        for (size_t i = first; i < end && kind[u].rotation; i++) {
            for (size_t k = 0; k < unit->n; k++)
                part[k] = series[u].number[k][i - first];
            unit_target(unit, part, target + SPIKES_COMPONENTS * i);
        }
        table->enough = table->enough || has_enough(rows, unit, first, end);
    }
    if (!spikes_find(INSPECT_DESPIKE, judging->n, kind, series, mark, e))
        return false;
    for (size_t u = 0; u < judging->n; u++)
        count_spikes(table, judging->unit[u], judging->mark[u], first, end);
    return true;
}

/* Does the command filter the unit, and do its values change? */
static bool moves(const struct inspect_table *table, const struct unit *unit)
{
    bool changes = false;
    for (size_t k = 0; k < unit->n; k++) {
        const struct inspect_channel *channel = &table->channel[unit->channel[k]];
        changes = changes || (channel->least < channel->most && !channel->out);
    }
    return changes;
}

bool inspect_spikes_find(struct inspect_table *table, struct error *e)
{
    const size_t nrow = table->rows.nrow + 1, nunit = table->units.n;
    struct judging judging = { .table = table };
    unsigned char *mark;
    double *target;
    if (!arrays_make(e, ARRAY(target, TOGETHER * SPIKES_COMPONENTS * nrow), ARRAY(mark, TOGETHER * nrow)))
        return false;
    bool good = true;
    for (size_t u = 0; u < TOGETHER; u++) {
        judging.mark[u] = mark + u * nrow;
        judging.target[u] = target + u * SPIKES_COMPONENTS * nrow;
    }
    for (size_t i = 0; i < nunit && good; i++) {
        if (moves(table, &table->units.at[i]))
            judging.unit[judging.n++] = &table->units.at[i];
        if (judging.n < TOGETHER && i + 1 < nunit)
            continue;
        for (size_t first = 0, end; first < table->rows.nrow && judging.n > 0 && good; first = end) {
            end = inspect_series_end(&table->rows, first);
            good = judge_series(&judging, first, end, e);
        }
        judging.n = 0;
    }
    free(target);
    return good;
}
