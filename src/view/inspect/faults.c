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
    double *target;       /* [nrow][4] of rotations */
    double *value, *step; /* [nrow][4] and [nrow]: struct samples */
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

/* --- noise --- */

/* Gathers the samples of a series at rising times, and the run from the first known one to the last. Returns
 * how many are known. */
static size_t gather(const struct judging *judging, const struct unit *unit, size_t first, size_t end,
                     struct samples *all, struct sample_run *run)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const size_t width = unit_width(unit);
    size_t n = 0, known = 0, before = first;
    for (size_t i = first; i < end; i++) {
        double *value = judging->value + n * width;
        judging->step[n] = rows->time[i] - rows->time[before];
        if (n > 0 && !(judging->step[n] > 0))
            continue;
        for (size_t k = 0; k < width; k++)
            value[k] = unit_is_rotation(unit) ? judging->target[SPIKES_COMPONENTS * i + k]
                                              : inspect_value(rows, unit->channel[k])[i];
        if (isnan(inspect_value(rows, unit->channel[0])[i])) {
            value[0] = (double)NAN;
        } else {
            run->first = known > 0 ? run->first : n;
            run->last = n;
            known++;
        }
        before = i;
        n++;
    }
    *all = (struct samples){ .n = n, .width = width, .T = judging->step, .value = judging->value };
    return known;
}

/* Looks for noise in a series of a unit, as --cutoff auto does, until some is found. */
static bool find_noise(struct judging *judging, const struct unit *unit, size_t first, size_t end,
                       struct error *e)
{
    struct samples all;
    struct sample_run run = { 0, 0 };
    struct cutoff_choice choice;
    const size_t known = gather(judging, unit, first, end, &all, &run);
    if (known < CHOOSE_LEAST) {
        judging->noisy = true;
        return true;
    }
    judging->table->few = false;
    if (judging->noisy)
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
        good = judge_series(judging, unit, first, end, e) && find_noise(judging, unit, first, end, e);
    }
    return good;
}

bool inspect_faults_find(struct inspect_table *table, struct error *e)
{
    const size_t n = table->rows.nrow + 1;
    struct judging judging = { .table = table };
    bool good = arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * n), ARRAY(judging.mark, n),
                            ARRAY(judging.value, SPIKES_COMPONENTS * n), ARRAY(judging.step, n));
    table->few = true;
    for (size_t i = 0; i < table->units.n && good; i++)
        if (inspect_filters(table, table->units.at[i].channel[0]))
            good = judge(&judging, &table->units.at[i], e);
    table->quiet = judging.moves && !judging.noisy;
    smoothing_free(&judging.smoothing);
    free(judging.target);
    return good;
}
