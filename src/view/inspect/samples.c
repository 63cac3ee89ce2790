/* The samples of filtered units: spikes by the function of --despike, and the cutoff by the function of
 * --cutoff auto. See table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "whole/noise/spikes.h"

#include <stdlib.h>

/* The samples of a unit in a series; rows of one time are one sample. The arrays are owned, together. */
struct judging {
    struct inspect_table *table;
    size_t n, known;       /* samples; those that are not missing */
    double *time;          /* [n] seconds */
    double *step;          /* [n] seconds since the sample before */
    double *number;        /* [4][nrow] the numbers, column by column */
    double *target;        /* [n * unit_width] what they mean */
    size_t *row;           /* [n] the row that they are from */
    unsigned char *mark;   /* [n] enum spike_out */
    struct sample_run run; /* from the first known sample to the last */
};

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

static void gather(struct judging *judging, const struct unit *unit, size_t first, size_t end)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const size_t width = unit_width(unit);
    double part[4];
    judging->n = judging->known = 0;
    for (size_t i = first; i < end; i++) {
        const bool again = i > first && rows->time[i] == rows->time[i - 1];
        const size_t sample = again ? judging->n - 1 : judging->n++;
        double *target = judging->target + sample * width;
        if (again && !isnan(*target))
            continue;
        for (size_t k = 0; k < unit->n; k++)
            part[k] = judging->number[k * rows->nrow + sample] = inspect_value(rows, unit->channel[k])[i];
        unit_target(unit, part, target);
        judging->time[sample] = rows->time[i];
        judging->step[sample] = sample > 0 ? rows->time[i] - judging->time[sample - 1] : 0;
        judging->row[sample] = i;
        if (isnan(*target))
            continue;
        judging->run.first = judging->known++ > 0 ? judging->run.first : sample;
        judging->run.last = sample;
    }
}

static bool find_spikes(const struct judging *judging, const struct unit *unit, struct error *e)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const struct spike_kind kind = unit_spike_kind(unit);
    struct spike_rows series = { .n = judging->n, .time = judging->time, .target = judging->target };
    for (size_t k = 0; k < unit->n; k++)
        series.number[k] = judging->number + k * rows->nrow;
    if (!spikes_find(INSPECT_DESPIKE, &kind, &series, judging->mark, e))
        return false;
    for (size_t i = 0; i < judging->n; i++)
        for (size_t k = 0; k < unit->n && judging->mark[i] == SPIKE; k++) {
            struct inspect_channel *channel = &judging->table->channel[unit->channel[k]];
            if (channel->nspike++ == 0)
                channel->spike_row = rows->number[judging->row[i]];
        }
    return true;
}

/* Notes why --cutoff auto copies the unit unchanged, that it is in doubt, or that it smooths the unit. One
 * smoothed unit is enough for a command: no other is tried, since a choice takes time. */
static bool find_choice(const struct judging *judging, const struct unit *unit, struct smoothing *smoothing,
                        struct error *e)
{
    const struct samples all = { judging->n, unit_width(unit), judging->step, judging->target };
    struct cutoff_choice choice;
    if (judging->table->nsmoothed > 0)
        return true;
    if (!choose_cutoff(smoothing, &all, &judging->run, 1, &choice, e))
        return false;
    struct inspect_table *table = judging->table;
    if (choice.stays == STAYS_NOT && !choice.doubtful) {
        table->nsmoothed += unit->n;
        return true;
    }
    struct inspect_stays *stays = &table->stays[choice.stays];
    stays->first = stays->n > 0 ? stays->first : unit->channel[0];
    stays->n += unit->n;
    return true;
}

bool inspect_samples_find(struct inspect_table *table, struct error *e)
{
    const size_t n = table->rows.nrow;
    struct judging judging = { .table = table };
    struct smoothing smoothing = { .n = 0 };
    if (!arrays_make(e, ARRAY(judging.time, n + 1), ARRAY(judging.step, n), ARRAY(judging.number, 4 * n),
                     ARRAY(judging.target, 4 * n), ARRAY(judging.row, n), ARRAY(judging.mark, n)))
        return false;
    bool good = true;
    for (size_t u = 0; u < table->units.n; u++) {
        const struct unit *unit = &table->units.at[u];
        for (size_t first = 0, end; good && first < n && moves(table, unit); first = end) {
            end = inspect_series_end(&table->rows, first);
            gather(&judging, unit, first, end);
            good = find_spikes(&judging, unit, e) && find_choice(&judging, unit, &smoothing, e);
        }
    }
    smoothing_free(&smoothing);
    free(judging.time);
    return good;
}
