/* The noise, the jumps and the spikes of each channel that is filtered: spikes that --despike bridges and
 * jumps that --detect-cuts finds, by the same functions; noise as --halflife auto measures it. The components
 * of a vector or a rotation are judged together, as the filter does. See table.h. */
#include "base/array.h"
#include "rows/units.h"
#include "view/inspect/table.h"
#include "whole/jumps.h"
#include "whole/noise/noise.h"
#include "whole/noise/spike_track.h"

#include <math.h>
#include <stdlib.h>

/* The channels that are judged together. */
struct judged {
    struct spike_kind kind;
    const struct unit *unit; /* by the format or its names; else NULL */
    size_t channel[SPIKES_COMPONENTS];
};

/* What the judging of a table needs. */
struct judging {
    struct inspect_table *table;
    struct units rotations;
    struct unit_list vectors;
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
static void set_targets(const struct judging *judging, const struct judged *judged, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        double part[SPIKES_COMPONENTS], *target = judging->target + SPIKES_COMPONENTS * i;
        for (size_t k = 0; k < judged->kind.nnumber; k++)
            part[k] = inspect_value(&judging->table->rows, judged->channel[k])[i];
        if (judged->unit) {
            unit_target(judged->unit, part, target);
            continue;
        }
        double length = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2] + part[3] * part[3]);
        for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
            target[k] = part[k] / length;
    }
}

/* Notes the spikes of a series. One that is left becomes missing. */
static void count_spikes(const struct judging *judging, const struct judged *judged,
                         const struct spike_rows *series, size_t first)
{
    const struct inspect_rows *rows = &judging->table->rows;
    for (size_t i = 0; i < series->n; i++) {
        if (judging->mark[i] == SPIKE_NONE)
            continue;
        const bool kept = judging->mark[i] == SPIKE_KEPT;
        const bool left = judging->mark[i] == SPIKE_LEFT;
        for (size_t k = 0; k < judged->kind.nnumber; k++) {
            struct inspect_faults *faults = &judging->table->faults[judged->channel[k]];
            if (kept)
                faults->kept_row = faults->kept_row ? faults->kept_row : rows->number[first + i];
            else if (left)
                inspect_value(rows, judged->channel[k])[first + i] = NAN;
            else if (faults->nspike++ == 0)
                faults->spike_row = rows->number[first + i];
        }
    }
}

/* Counts the jumps of a series, by the rule of --detect-cuts. */
static void count_jumps(const struct judging *judging, const struct judged *judged,
                        const struct spike_rows *series, size_t first)
{
    const struct inspect_rows *rows = &judging->table->rows;
    const size_t n = jumps_mark(INSPECT_JUMP, &judged->kind, series, judging->mark);
    size_t at = 0;
    while (n > 0 && !judging->mark[at])
        at++;
    for (size_t i = 0; i < series->n && n > 0; i++)
        judging->jumped[first + i] |= judging->mark[i];
    for (size_t k = 0; k < judged->kind.nnumber && n > 0; k++) {
        struct inspect_faults *faults = &judging->table->faults[judged->channel[k]];
        faults->jump_row = faults->njump > 0 ? faults->jump_row : rows->number[first + at];
        faults->njump += n;
    }
}

static bool judge_series(const struct judging *judging, const struct judged *judged, size_t first, size_t end,
                         struct error *e)
{
    const struct spikes_settings settings = { .factor = INSPECT_DESPIKE, .window = -1 };
    const struct inspect_rows *rows = &judging->table->rows;
    struct spike_rows series = { .n = end - first,
                                 .time = rows->time + first,
                                 .most_filled = judging->table->reading.fill_rows };
    if (judged->kind.rotation)
        set_targets(judging, judged, first, end);
    series.target = judging->target + SPIKES_COMPONENTS * first;
    for (size_t k = 0; k < judged->kind.nnumber; k++)
        series.number[k] = inspect_value(rows, judged->channel[k]) + first;
    count_jumps(judging, judged, &series, first);
    if (!spikes_find(&settings, &judged->kind, &series, judging->mark, e))
        return false;
    count_spikes(judging, judged, &series, first);
    return true;
}

/* Do the values jump to and fro between two places: do they cross the middle of their range often, with
 * hardly any value near it? */
static bool find_flicker(const struct inspect_range *range, const struct inspect_rows *rows, const double *x)
{
    enum { LEAST = 10, ROWS_A_CROSSING = 20, ROWS_NEAR_MIDDLE = 50 };
    const double middle = range->least + (range->most - range->least) / 2;
    const double quarter = (range->most - range->least) / 4;
    size_t known = 0, crossings = 0, near = 0;
    int side = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (isnan(x[i]))
            continue;
        const int now = x[i] > middle ? 1 : -1;
        known++;
        near += fabs(x[i] - middle) < quarter;
        crossings += side != 0 && now != side;
        side = now;
    }
    return crossings >= LEAST && crossings * ROWS_A_CROSSING >= known && near * ROWS_NEAR_MIDDLE <= known;
}

/* A vector flickers where one of its components does. */
static void note_flicker(const struct judging *judging, const struct judged *judged)
{
    const struct inspect_table *table = judging->table;
    bool flickers = false;
    for (size_t k = 0; k < judged->kind.nnumber; k++) {
        const struct inspect_channel *channel = &table->channel[judged->channel[k]];
        const double *x = inspect_value(&table->rows, judged->channel[k]);
        flickers = flickers ||
                   (table->faults[judged->channel[k]].njump > 0 && channel->meaning.kind == INSPECT_VALUE &&
                    find_flicker(&channel->range, &table->rows, x));
    }
    for (size_t k = 0; k < judged->kind.nnumber; k++)
        table->faults[judged->channel[k]].flickers = flickers;
}

static bool judge(struct judging *judging, const struct judged *judged, struct error *e)
{
    const struct inspect_rows *rows = &judging->table->rows;
    for (size_t k = 0; k < judged->kind.nnumber; k++) {
        judging->done[judged->channel[k]] = true;
        judging->table->faults[judged->channel[k]].follows = k > 0;
    }
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        if (!judge_series(judging, judged, first, end, e))
            return false;
    }
    note_flicker(judging, judged);
    return true;
}

/* --- what is judged together --- */

static bool judge_rotations(struct judging *judging, struct error *e)
{
    bool good = true;
    for (size_t i = 0; i < judging->rotations.n && good; i++) {
        const struct unit *unit = &judging->rotations.at[i];
        struct judged judged = { .unit = unit, .kind = unit_spike_kind(unit) };
        for (size_t k = 0; k < unit->n; k++)
            judged.channel[k] = unit->channel[k];
        good = !inspect_filters(judging->table, unit->channel[0]) || judge(judging, &judged, e);
    }
    return good;
}

/* Judges the vectors of the format whose components all move. */
static bool judge_vectors(struct judging *judging, struct error *e)
{
    const struct column_plan *plan = judging->table->reader->plan;
    bool good = true;
    for (size_t i = 0; i < judging->vectors.n && good; i++) {
        const struct unit_columns *vector = &judging->vectors.at[i];
        struct judged judged = { .kind.nnumber = vector->n };
        bool filtered = true;
        for (size_t k = 0; k < vector->n; k++) {
            const struct column_use *use = plan_use(plan, vector->column[k]);
            filtered = filtered && use->role == ROLE_CHANNEL && !judging->done[use->value] &&
                       inspect_filters(judging->table, use->value);
            judged.channel[k] = use->value;
        }
        good = !filtered || judge(judging, &judged, e);
    }
    return good;
}

static bool judge_channels(struct judging *judging, struct error *e)
{
    const struct inspect_table *table = judging->table;
    bool good = true;
    for (size_t c = 0; c < table->rows.nchannel && good; c++) {
        const struct inspect_channel *channel = &table->channel[c];
        const struct inspect_meaning *meaning = &channel->meaning;
        const double period = meaning->plain ? 0 : meaning->period;
        struct judged judged = { .kind = { .nnumber = 1, .period = period }, .channel = { c } };
        if (judging->done[c] || !moves(table, c))
            continue;
        if (meaning->kind == INSPECT_ROTATION && !meaning->plain && meaning->rotation == channel->column) {
            char letters[5];
            columns_component_letters(&table->reader->columns, channel->column, letters);
            judged = (struct judged){ .kind = { .nnumber = SPIKES_COMPONENTS, .rotation = true } };
            for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
                judged.channel[unit_component(letters[k])] = c + k;
        }
        good = judge(judging, &judged, e);
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
    const struct column_plan *plan = table->reader->plan;
    const struct unit_settings settings = { .period = (double)NAN };
    size_t nchannel = table->rows.nchannel, nrow = table->rows.nrow;
    struct judging judging = { .table = table };
    bool good = arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * nrow), ARRAY(judging.mark, nrow),
                            ARRAY(judging.jumped, nrow), ARRAY(judging.done, nchannel)) &&
                units_collect(&judging.rotations, plan, &settings, true, e) &&
                units_known(plan, UNIT_VECTOR, &judging.vectors, e) && judge_rotations(&judging, e) &&
                judge_vectors(&judging, e) && judge_channels(&judging, e);
    table->takes = good && are_takes(&table->rows, judging.jumped);
    units_free(&judging.rotations);
    unit_list_free(&judging.vectors);
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
