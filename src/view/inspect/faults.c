/* The spikes and the jumps of each unit that is filtered, by the functions of --despike and --detect-cuts;
 * and whether --cutoff auto finds noise in it. See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/choose_cutoff.h"
#include "whole/jumps.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <stdlib.h>

/* What the judging of a table needs. */
struct judging {
    struct inspect_table *table;
    unsigned char *mark;  /* [nrow] in one allocation with: */
    bool *jumped;         /* [nrow] the row is after a jump */
    double *target;       /* [nrow][4] */
    double *value, *step; /* [nrow] */
    struct smoothing smoothing;
    bool moves, noisy; /* a unit moves; a unit has more than almost no noise */
};

/* --- spikes and jumps --- */

/* Notes the spikes of a series; rows of one time are one sample. */
static void count_spikes(const struct judging *judging, const struct unit *unit,
                         const struct spike_rows *series, size_t first)
{
    const struct inspect_rows *rows = &judging->table->rows;
    for (size_t i = 0; i < series->n; i++) {
        const bool counted = i > 0 && judging->mark[i - 1] == SPIKE && series->time[i] == series->time[i - 1];
        if (judging->mark[i] != SPIKE || counted)
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            struct inspect_channel *channel = &judging->table->channel[unit->channel[k]];
            if (channel->nspike++ == 0)
                channel->spike_row = rows->number[first + i];
        }
    }
}

static void count_jumps(const struct judging *judging, const struct unit *unit,
                        const struct spike_rows *series, size_t first)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const struct spike_kind kind = unit_spike_kind(unit);
    const size_t n = jumps_mark(INSPECT_JUMP, &kind, series, judging->mark);
    size_t at = 0;
    while (n > 0 && !judging->mark[at])
        at++;
    for (size_t i = 0; i < series->n && n > 0; i++)
        judging->jumped[first + i] |= judging->mark[i];
    for (size_t k = 0; k < unit->n && n > 0; k++) {
        struct inspect_channel *channel = &judging->table->channel[unit->channel[k]];
        channel->jump_row = channel->njump > 0 ? channel->jump_row : rows->number[first + at];
        channel->njump += n;
    }
}

static bool judge_series(const struct judging *judging, const struct unit *unit, size_t first, size_t end,
                         struct error *e)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    const struct inspect_rows *rows = &judging->table->rows;
    struct spike_rows series = { .n = end - first, .time = rows->time + first };
    series.target = judging->target + SPIKES_COMPONENTS * first;
    for (size_t k = 0; k < unit->n; k++)
        series.number[k] = inspect_value(rows, unit->channel[k]) + first;
    for (size_t i = first; i < end && kind.rotation; i++) {
        double part[SPIKES_COMPONENTS];
        for (size_t k = 0; k < unit->n; k++)
            part[k] = series.number[k][i - first];
        unit_target(unit, part, judging->target + SPIKES_COMPONENTS * i);
    }
    count_jumps(judging, unit, &series, first);
    if (!spikes_find(INSPECT_DESPIKE, &kind, &series, judging->mark, e))
        return false;
    count_spikes(judging, unit, &series, first);
    return true;
}

/* Are the rows after jumps those where a label that lasts changes? */
static bool are_takes(const struct inspect_rows *rows, const bool *jumped)
{
    if (rows->lasting == COLUMN_NONE)
        return false;
    for (size_t i = 1; i < rows->nrow; i++)
        if (jumped[i] != (rows->label[i] != rows->label[i - 1]))
            return false;
    return true;
}

/* --- noise --- */

/* Copies the known values of a series at rising times, and the steps before them. Returns their number. */
static size_t gather_known(const struct judging *judging, const double *x, size_t first, size_t end)
{
    const struct inspect_rows *rows = &judging->table->rows;
    size_t n = 0;
    double since = 0;
    for (size_t i = first; i < end; i++) {
        since += i > first ? rows->time[i] - rows->time[i - 1] : 0;
        if (isnan(x[i]) || (n > 0 && !(since > 0)))
            continue;
        judging->step[n] = since;
        judging->value[n++] = x[i];
        since = 0;
    }
    return n;
}

/* Looks for noise in a series of a channel, rows first to end - 1, as --cutoff auto does, until some is
 * found. */
static bool find_noise(struct judging *judging, const double *x, size_t first, size_t end, struct error *e)
{
    const size_t n = gather_known(judging, x, first, end);
    const struct samples all = {
        .n = n, .width = SAMPLE_NUMBER, .T = judging->step, .value = judging->value
    };
    const struct sample_run run = { 0, n - 1 };
    struct cutoff_choice choice;
    judging->table->few = judging->table->few && n < CHOOSE_LEAST;
    if (n < CHOOSE_LEAST)
        judging->noisy = judging->noisy || judging->moves;
    if (judging->noisy || n < CHOOSE_LEAST)
        return true;
    if (!choose_cutoff(&judging->smoothing, &all, &run, 1, &choice, e))
        return false;
    judging->noisy = !choice.quiet;
    return true;
}

/* --- all units --- */

/* Judges a unit whose values change. */
static bool judge(struct judging *judging, const struct unit *unit, struct error *e)
{
    struct inspect_table *table = judging->table;
    bool moves = false, good = true;
    for (size_t k = 0; k < unit->n; k++)
        moves = moves || table->channel[unit->channel[k]].least < table->channel[unit->channel[k]].most;
    judging->moves = judging->moves || moves;
    for (size_t first = 0, end; first < table->rows.nrow && moves && good; first = end) {
        end = inspect_series_end(&table->rows, first);
        good = judge_series(judging, unit, first, end, e);
        for (size_t k = 0; k < unit->n && good; k++)
            good = find_noise(judging, inspect_value(&table->rows, unit->channel[k]), first, end, e);
    }
    return good;
}

bool inspect_faults_find(struct inspect_table *table, struct error *e)
{
    const size_t n = table->rows.nrow + 1;
    struct judging judging = { .table = table };
    bool good = arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * n), ARRAY(judging.mark, n),
                            ARRAY(judging.jumped, n), ARRAY(judging.value, n), ARRAY(judging.step, n));
    table->few = true;
    for (size_t i = 0; i < table->units.n && good; i++)
        if (inspect_filters(table, table->units.at[i].channel[0]))
            good = judge(&judging, &table->units.at[i], e);
    table->takes = good && are_takes(&table->rows, judging.jumped);
    table->quiet = judging.moves && !judging.noisy;
    smoothing_free(&judging.smoothing);
    free(judging.target);
    return good;
}
