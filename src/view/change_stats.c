/* How far a filter moves its channels. See change_stats.h; the report is written in change_report.c. */
#include "view/change_stats.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool change_stats_open(struct change_stats *stats, const void *settings, struct error *e)
{
    const struct table *table = &stats->reader->table;
    stats->comparable = !stats->filter->keeps_cell && !stats->filter->other_unit;
    stats->nout = filter_shape(stats->filter, settings).nout;
    if (!arrays_make(e, ARRAY(stats->channel, table->nchannel)))
        return false;
    for (size_t c = 0; c < table->nchannel; c++) {
        struct change *change = &stats->channel[c];
        change->column = table_channel(table, c);
        for (size_t k = 0; k < CHANGE_GAPS; k++)
            change->number[k] = (double)NAN;
    }
    return true;
}

void change_stats_close(struct change_stats *stats)
{
    for (size_t i = 0; stats->channel && i < stats->reader->table.nchannel; i++)
        free(stats->channel[i].group);
    free(stats->channel);
    format_group_free(&stats->key);
}

/* Adds value^2 to the sum of squares; value is not negative. */
static void add_square(struct change *change, double value)
{
    if (value > change->scale) {
        change->squares = 1 + change->squares * (change->scale / value) * (change->scale / value);
        change->scale = value;
    } else if (value > 0) {
        change->squares += (value / change->scale) * (value / change->scale);
    }
}

/* The magnitude of output k, a velocity or acceleration, of a channel in row i, or of the vector that the
 * channel is a component of. */
static double rate_of(const struct change_stats *stats, const struct block *block, size_t channel, size_t k,
                      size_t i)
{
    const struct unit *unit = units_of(stats->units, channel);
    double size = 0;
    if (!unit_is_vector(unit))
        return fabs(block_out(block, channel * stats->nout + k)[i]);
    for (size_t c = 0; c < unit->n; c++)
        size = hypot(size, block_out(block, unit->channel[c] * stats->nout + k)[i]);
    return size;
}

/* The magnitude of the change of a channel in row i: of an angle the short way, of a vector the distance by
 * the components that have values, of a rotation the angle of the rotation between, in radians or the unit of
 * its Euler angles. NaN: no change. */
static double change_of(const struct change_stats *stats, const struct block *block, size_t channel, size_t i)
{
    const struct unit *unit = units_of(stats->units, channel);
    const double own = block_out(block, channel * stats->nout)[i] - block_value(block, channel)[i];
    double in[4], out[4], distance = fabs(own);
    for (size_t k = 0; k < unit->n; k++) {
        in[k] = block_value(block, unit->channel[k])[i];
        out[k] = block_out(block, unit->channel[k] * stats->nout)[i];
        if (unit->channel[k] != channel && !isnan(out[k] - in[k])) /* masked components are missing alone */
            distance = hypot(distance, out[k] - in[k]);
    }
    if (unit_is_rotation(unit)) { /* q and -q are the same rotation */
        double before[4], after[4], way[3];
        unit_target(unit, in, before);
        unit_target(unit, out, after);
        rotation_vector(after, before, way);
        return unit_radian(unit) * sqrt(rotation_dot(way, way));
    }
    return unit->period > 0 ? fabs(remainder(own, unit->period)) : distance;
}

/* The time of row i of the block, in the time column's unit, or in seconds if there is a rate; NaN: not
 * known. */
static double time_of(const struct change_stats *stats, const struct block *block, size_t i)
{
    if (stats->rate == 0)
        return block->time[i].t;
    /* With groups, n / rate would need the number of the row within the group. */
    return stats->reader->table.ngroup == 0 ? (double)(stats->nrow + i) / stats->rate : (double)NAN;
}

/* Stores row, time and group of the largest change, which is in row i of the block. */
static bool locate(struct change_stats *stats, const struct block *block, struct change *change, size_t i,
                   struct error *e)
{
    change->number[CHANGE_ROW] = (double)(stats->nrow + i + 1);
    change->number[CHANGE_TIME] = time_of(stats, block, i);
    if (stats->reader->table.ngroup == 0)
        return true;
    if (!format_group(stats->reader, block, i, &stats->key, e))
        return false;
    free(change->group);
    change->group = text_copy(stats->key.text.bytes ? stats->key.text.bytes : "", stats->key.nshown);
    return change->group || error_memory(e);
}

/* Adds the rows of a block to a channel. */
static bool add_channel(struct change_stats *stats, const struct block *block, size_t channel,
                        struct error *e)
{
    struct change *change = &stats->channel[channel];
    const struct unit *unit = units_of(stats->units, channel);
    const double *input = block_value(block, channel);
    double *number = change->number;
    size_t at = COLUMN_NONE; /* row of the largest change */
    for (size_t i = 0; i < block->nrow; i++) {
        double d = isnan(input[i]) || !stats->comparable ? (double)NAN : change_of(stats, block, channel, i);
        number[CHANGE_GAPS] += isnan(input[i]) != 0;
        if (isnan(d))
            continue;
        if (!(d <= number[CHANGE_LARGEST])) {
            number[CHANGE_LARGEST] = d;
            at = i;
        }
        change->nrow++;
        add_square(change, d);
    }
    /* The component w of a quaternion has no derivatives. */
    const bool rates = unit_axis(unit, 0) < 3 || unit->channel[0] != channel;
    for (size_t k = 1; rates && k < stats->filter->shape.nout; k++) {
        double *most = &number[CHANGE_VELOCITY + k - 1];
        for (size_t i = 0; i < block->nrow; i++)
            *most = fmax(*most, rate_of(stats, block, channel, k, i));
    }
    return at == COLUMN_NONE || locate(stats, block, change, at, e);
}

bool change_stats_add(struct change_stats *stats, const struct block *block, struct error *e)
{
    for (size_t i = 0; i < stats->reader->table.nchannel; i++)
        if (!add_channel(stats, block, i, e))
            return false;
    stats->nrow += block->nrow;
    return true;
}

void most_changed_enter(struct most_changed most[MOST_CHANGED], const struct most_changed *channel)
{
    size_t place = 0;
    while (place < MOST_CHANGED && !(channel->change > most[place].change))
        place++;
    if (place == MOST_CHANGED)
        return;
    memmove(most + place + 1, most + place, (MOST_CHANGED - 1 - place) * sizeof *most);
    most[place] = *channel;
}

void change_stats_most(const struct change_stats *stats, const char *file,
                       struct most_changed most[MOST_CHANGED])
{
    for (size_t u = 0; u < stats->units->n; u++) {
        const struct unit *unit = &stats->units->at[u];
        const struct change *largest = &stats->channel[unit->channel[0]];
        for (size_t k = 1; k < unit->n; k++) {
            const struct change *change = &stats->channel[unit->channel[k]];
            if (change->number[CHANGE_LARGEST] > largest->number[CHANGE_LARGEST])
                largest = change;
        }
        struct most_changed entry = { .change = largest->number[CHANGE_LARGEST], .file = file };
        snprintf(entry.channel, sizeof entry.channel, "%s", largest->column->name);
        most_changed_enter(most, &entry);
    }
}
