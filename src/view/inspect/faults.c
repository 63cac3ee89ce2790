/* The noise, the jumps and the spikes of each channel that is filtered: spikes that --despike finds and
 * jumps that --detect-cuts finds, by the same functions; noise as --cutoff auto measures it. The components
 * of a vector or a rotation are judged together, as the filter does. See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/jumps.h"
#include "whole/noise/noise.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <stdlib.h>

/* What the judging of a table needs. */
struct judging {
    struct inspect_table *table;
    bool *done;          /* [nchannel] the channel has been judged with others; in one allocation with: */
    unsigned char *mark; /* [nrow] */
    bool *jumped;        /* [nrow] the row is behind a jump */
    double *target;      /* [nrow][4] */
};

/* True for a filtered channel with different numbers. */
static bool moves(const struct inspect_table *table, size_t channel)
{
    return inspect_filters(table, channel) && table->channel[channel].meaning.kind != INSPECT_CONSTANT;
}

/* Sets the unit quaternions of rows first to end - 1; of missing rows they mean nothing. */
static void set_targets(const struct judging *judging, const struct unit *unit, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        double part[SPIKES_COMPONENTS];
        for (size_t k = 0; k < unit->n; k++)
            part[k] = inspect_value(&judging->table->rows, unit->channel[k])[i];
        unit_target(unit, part, judging->target + SPIKES_COMPONENTS * i);
    }
}

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
            struct inspect_faults *faults = &judging->table->faults[unit->channel[k]];
            if (faults->nspike++ == 0)
                faults->spike_row = rows->number[first + i];
            faults->marker = unit->kind == UNIT_VECTOR;
        }
    }
}

/* Counts the jumps of a series, by the rule of --detect-cuts. */
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
        struct inspect_faults *faults = &judging->table->faults[unit->channel[k]];
        faults->jump_row = faults->njump > 0 ? faults->jump_row : rows->number[first + at];
        faults->njump += n;
    }
}

static bool judge_series(const struct judging *judging, const struct unit *unit, size_t first, size_t end,
                         struct error *e)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    const struct inspect_rows *rows = &judging->table->rows;
    struct spike_rows series = { .n = end - first, .time = rows->time + first };
    if (kind.rotation)
        set_targets(judging, unit, first, end);
    series.target = judging->target + SPIKES_COMPONENTS * first;
    for (size_t k = 0; k < unit->n; k++)
        series.number[k] = inspect_value(rows, unit->channel[k]) + first;
    count_jumps(judging, unit, &series, first);
    if (!spikes_find(INSPECT_DESPIKE, &kind, &series, judging->mark, e))
        return false;
    count_spikes(judging, unit, &series, first);
    return true;
}

static bool judge(struct judging *judging, const struct unit *unit, struct error *e)
{
    const struct inspect_rows *rows = &judging->table->rows;
    for (size_t k = 0; k < unit->n; k++) {
        judging->done[unit->channel[k]] = true;
        judging->table->faults[unit->channel[k]].follows = k > 0;
    }
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        if (!judge_series(judging, unit, first, end, e))
            return false;
    }
    return true;
}

/* --- what is judged together --- */

/* Lists the units as a filter of the channels that are not left out has them. */
static bool list_units(struct inspect_table *table, struct error *e)
{
    const struct unit_settings settings = { .period = (double)NAN };
    const size_t n = table->rows.nchannel;
    bool *left_out;
    if (!arrays_make(e, ARRAY(left_out, n)))
        return false;
    for (size_t k = 0; k < n; k++)
        left_out[k] = !inspect_filters(table, k);
    const bool good = units_fit(&table->units, table->reader->plan, &settings, left_out, e);
    free(left_out);
    return good;
}

/* The unit of a channel, or the angle or the quaternion that its rows show, where the channel is the first of
 * the quaternion. */
static struct unit shown_unit(const struct inspect_table *table, size_t c)
{
    const struct inspect_channel *channel = &table->channel[c];
    const struct inspect_meaning *meaning = &channel->meaning;
    struct unit unit = *units_of(&table->units, c);
    if (unit.n > 1 || meaning->plain)
        return unit;
    if (meaning->kind == INSPECT_ROTATION && meaning->rotation == channel->column) {
        char letters[5];
        columns_component_letters(&table->reader->columns, channel->column, letters);
        unit = (struct unit){ .kind = UNIT_QUATERNION, .n = SPIKES_COMPONENTS };
        for (size_t k = 0; k < unit.n; k++)
            unit.channel[unit_component(letters[k])] = c + k;
    } else if (meaning->kind == INSPECT_ANGLE) {
        unit.kind = UNIT_ANGLE;
        unit.period = meaning->period;
    }
    return unit;
}

/* Judges the filtered units. A number is judged only if its value changes. */
static bool judge_units(struct judging *judging, struct error *e)
{
    const struct inspect_table *table = judging->table;
    bool good = true;
    for (size_t c = 0; c < table->rows.nchannel && good; c++) {
        const struct unit unit = shown_unit(table, c);
        if (!judging->done[c] && (unit.n > 1 ? inspect_filters(table, c) : moves(table, c)))
            good = judge(judging, &unit, e);
    }
    return good;
}

/* Are the rows behind jumps those where a label that lasts changes? */
static bool are_takes(const struct inspect_rows *rows, const bool *jumped)
{
    if (rows->lasting == COLUMN_NONE)
        return false;
    for (size_t i = 1; i < rows->nrow; i++)
        if (jumped[i] != (rows->label[i] != rows->label[i - 1]))
            return false;
    return true;
}

static bool find_spikes(struct inspect_table *table, struct error *e)
{
    size_t nchannel = table->rows.nchannel, nrow = table->rows.nrow;
    struct judging judging = { .table = table };
    bool good = list_units(table, e) &&
                arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * nrow), ARRAY(judging.mark, nrow),
                            ARRAY(judging.jumped, nrow), ARRAY(judging.done, nchannel)) &&
                judge_units(&judging, e);
    table->takes = good && are_takes(&table->rows, judging.jumped);
    free(judging.target);
    return good;
}

/* --- noise --- */

/* Room for the numbers of a series. */
struct room {
    double *time, *value, *step, *work; /* [nrow]; one allocation */
};

/* Copies the known values of a series at rising times to room->time and room->value, and the step before each
 * value to room->step. Returns the number of values. */
static size_t gather(const struct inspect_rows *rows, const double *x, size_t first, size_t end,
                     const struct room *room)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        double T = n > 0 ? rows->time[i] - room->time[n - 1] : 1;
        if (isnan(x[i]) || !(T > 0))
            continue;
        room->time[n] = rows->time[i];
        room->step[n] = T;
        room->value[n++] = x[i];
    }
    return n;
}

/* The noise of a channel; NaN: too few values. */
static double find_noise(const struct inspect_rows *rows, const double *x, const struct room *room)
{
    double squares = 0, count = 0;
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        size_t n = gather(rows, x, first, end, room);
        if (n < NOISE_LEAST)
            continue;
        struct noise_samples samples = { .T = room->step, .column = { room->value }, .ncolumn = 1, .n = n };
        squares += (double)n * noise_variance(&samples, room->work);
        count += (double)n;
    }
    return count > 0 ? sqrt(squares / count) : (double)NAN;
}

bool inspect_faults_find(struct inspect_table *table, struct error *e)
{
    const size_t n = table->rows.nrow + 1;
    struct room room;
    if (!arrays_make(e, ARRAY(table->faults, table->rows.nchannel + 1)) ||
        !arrays_make(e, ARRAY(room.time, n), ARRAY(room.value, n), ARRAY(room.step, n), ARRAY(room.work, n)))
        return false;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const double *x = inspect_value(&table->rows, k);
        table->faults[k].noise = moves(table, k) ? find_noise(&table->rows, x, &room) : (double)NAN;
    }
    free(room.time);
    return find_spikes(table, e);
}
