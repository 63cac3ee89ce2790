/* The spikes of each unit that is filtered, by the function of --despike. See table.h. */
#include "whole/noise/spikes.h"

#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdlib.h>

struct judging {
    struct inspect_table *table;
    unsigned char *mark; /* [nrow] */
    double *target;      /* [nrow][SPIKES_COMPONENTS] of a rotation; owned, together with mark */
};

bool inspect_moves(const struct inspect_table *table, const struct unit *unit)
{
    bool changes = false;
    for (size_t k = 0; k < unit->n; k++) {
        const struct inspect_channel *channel = &table->channel[unit->channel[k]];
        changes = changes || (channel->least < channel->most && !channel->out);
    }
    return changes;
}

/* Takes the verdicts on a series of a unit, where rows of one time are one sample: counts the spikes, and
 * finds whether there are values enough for --cutoff auto. */
static void take_marks(const struct judging *judging, const struct unit *unit, size_t first, size_t end)
{
    struct inspect_table *table = judging->table;
    const unsigned char *mark = judging->mark;
    const struct inspect_rows *rows = &table->rows;
    const double *x = inspect_value(rows, unit->channel[0]);
    size_t known = 0;
    for (size_t i = first; i < end; i++) {
        const bool again = i > first && rows->time[i] == rows->time[i - 1];
        known += !again && !isnan(x[i]);
        if (mark[i - first] != SPIKE || (again && mark[i - first - 1] == SPIKE))
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            struct inspect_channel *channel = &table->channel[unit->channel[k]];
            if (channel->nspike++ == 0)
                channel->spike_row = rows->number[i];
        }
    }
    table->enough = table->enough || known >= CHOOSE_LEAST;
}

static bool judge_series(const struct judging *judging, const struct unit *unit, size_t first, size_t end,
                         struct error *e)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const struct spike_kind kind = unit_spike_kind(unit);
    struct spike_rows series = { .n = end - first, .time = rows->time + first, .target = judging->target };
    double part[SPIKES_COMPONENTS];
    for (size_t k = 0; k < unit->n; k++)
        series.number[k] = inspect_value(rows, unit->channel[k]) + first;
    for (size_t i = 0; i < series.n && kind.rotation; i++) {
        for (size_t k = 0; k < unit->n; k++)
            part[k] = series.number[k][i];
        unit_target(unit, part, judging->target + SPIKES_COMPONENTS * i);
    }
    if (!spikes_find(INSPECT_DESPIKE, &kind, &series, judging->mark, e))
        return false;
    take_marks(judging, unit, first, end);
    return true;
}

bool inspect_spikes_find(struct inspect_table *table, struct error *e)
{
    const size_t nrow = table->rows.nrow;
    struct judging judging = { .table = table };
    if (!arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * nrow + 1), ARRAY(judging.mark, nrow)))
        return false;
    bool good = true;
    for (size_t u = 0; u < table->units.n; u++) {
        const struct unit *unit = &table->units.at[u];
        for (size_t first = 0, end; good && first < nrow && inspect_moves(table, unit); first = end) {
            end = inspect_series_end(&table->rows, first);
            good = judge_series(&judging, unit, first, end, e);
        }
    }
    free(judging.target);
    return good;
}
