/* The units, the missing values and the reasons to leave a channel out, as a filter sees them.
 * See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/clock.h"
#include "whole/noise/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void find_range(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x)
{
    channel->least = channel->most = (double)NAN;
    for (size_t i = 0; i < rows->nrow; i++) {
        channel->least = fmin(channel->least, x[i]);
        channel->most = fmax(channel->most, x[i]);
    }
}

/* --- what is left out --- */

/* Why numbers that move are no motion; NULL: they are. Where rows are numbered, any even rise may be that of
 * their times. */
static const char *why_no_motion(const struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    const double *x = inspect_value(rows, k);
    const struct noise_samples samples = { .column = { x }, .ncolumn = 1, .n = inspect_series_end(rows, 0) };
    const double step = clock_step(x, 1, samples.n);
    if (family_states_seconds(table->reader->format->family))
        return NULL;
    if (step == 1)
        return "counts rows";
    if (choose_are_states(x, rows->nrow))
        return "a state: few whole numbers";
    if (!table->channel[k].column->masked && noise_is_all(&samples, table->room))
        return "noise alone, or motion as fast";
    return table->times.stated && step > 0 ? "rises evenly, like a time" : NULL;
}

/* Finds the channels that the command leaves out; of a rotation or a vector all components. What the user
 * chose is left out only if a filter cannot read it. */
static void leave_out(struct inspect_table *table)
{
    for (size_t u = 0; u < table->units.n; u++) {
        const struct unit *unit = &table->units.at[u];
        const char *out = NULL;
        for (size_t i = 0; i < unit->n; i++) {
            const size_t k = unit->channel[i];
            const struct inspect_channel *channel = &table->channel[k];
            if (table->rows.texts[k].n > 0)
                out = family_holds_texts(table->reader->format->family) ? "text in later rows"
                                                                        : "infinite values";
            else if (unit->n == 1 && channel->least < channel->most && !channel->column->asked)
                out = why_no_motion(table, k);
        }
        for (size_t i = 0; i < unit->n; i++)
            table->channel[unit->channel[i]].out = out;
    }
}

/* --- units --- */

/* The period of an angle in numbers whose format states none; 0: they are no angle. */
static double find_period(const struct inspect_table *table, size_t k)
{
    struct angle_watch watch = { .moves = true };
    if (!columns_may_wrap(table_channel(&table->reader->table, k)) ||
        family_states_angles(table->reader->format->family))
        return 0;
    return angle_watch(&watch, inspect_value(&table->rows, k), table->rows.begins, table->rows.nrow);
}

/* Makes the numbers of a unit what a filter follows in rows first to end - 1: an angle without its turns. */
static void follow(const struct inspect_table *table, const struct unit *unit, size_t first, size_t end)
{
    struct unit_before before = { .known = false };
    double part[4];
    for (size_t i = first; i < end; i++) {
        for (size_t k = 0; k < unit->n; k++)
            part[k] = inspect_value(&table->rows, unit->channel[k])[i];
        unit_follow(unit, &before, part);
        for (size_t k = 0; k < unit->n; k++)
            inspect_value(&table->rows, unit->channel[k])[i] = part[k];
    }
}

/* Makes angles of the numbers that wrap, if they have the period of the first one: --period has one value. */
static void follow_units(struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    for (size_t u = 0; u < table->units.n; u++) {
        struct unit *unit = &table->units.at[u];
        struct inspect_channel *channel = &table->channel[unit->channel[0]];
        const bool number = unit->n == 1 && unit->period == 0;
        const double period = number && !channel->out ? find_period(table, unit->channel[0]) : 0;
        if (period > 0 && (table->period == 0 || period == table->period)) {
            table->period = unit->period = period;
            unit->kind = &unit_angle;
            channel->wraps = true;
        }
        for (size_t first = 0, end; first < rows->nrow && (unit->n > 1 || !unit_is_plain(unit));
             first = end) {
            end = inspect_series_end(rows, first);
            follow(table, unit, first, end);
        }
    }
}

/* --- masks --- */

/* Counts the values that a mask hides, and in *rest the other values; `hide`: makes hidden values missing. */
static size_t mask_values(const struct inspect_table *table, const struct column_mask *mask, bool hide,
                          size_t *rest)
{
    const struct table *columns = &table->reader->table;
    double *x = inspect_value(&table->rows, table_column(columns, mask->column)->value);
    const double *judge = inspect_value(&table->rows, table_column(columns, mask->judge)->value);
    size_t n = 0;
    *rest = 0;
    for (size_t i = 0; i < table->rows.nrow; i++) {
        const bool hidden = !isnan(x[i]) && table_masks(mask, judge[i]);
        n += hidden;
        *rest += !hidden && !isnan(x[i]);
        x[i] = hidden && hide ? (double)NAN : x[i];
    }
    return n;
}

/* Applies the masks, unless a filter cannot read a column of theirs, or they hide nothing, or most values, or
 * a whole channel. */
static void apply_masks(struct inspect_table *table)
{
    const struct table *columns = &table->reader->table;
    const size_t nrow = table->rows.nrow;
    bool harmless = true;
    size_t masked = 0, rest;
    for (size_t k = 0; k < columns->nmask; k++) {
        const struct column_mask *mask = &columns->mask[k];
        const size_t n = mask_values(table, mask, false, &rest);
        masked += n;
        harmless = harmless && (n == 0 || rest > 0) &&
                   table->rows.texts[table_column(columns, mask->judge)->value].n == 0;
    }
    if (!harmless || masked == 0 || 2 * masked > columns->nmask * nrow)
        table->found_mask = "";
    for (size_t k = 0; k < columns->nmask && table->found_mask[0]; k++)
        mask_values(table, &columns->mask[k], true, &rest);
}

bool inspect_channels_find(struct inspect_table *table, struct error *e)
{
    const struct table *columns = &table->reader->table;
    table->nchannel = columns->nchannel;
    if (!arrays_make(e, ARRAY(table->channel, columns->nchannel + 1),
                     ARRAY(table->room, table->rows.nrow + 1)))
        return false;
    apply_masks(table);
    for (size_t k = 0; k < columns->nchannel; k++) {
        table->channel[k].column = table_channel(columns, k);
        find_range(&table->channel[k], &table->rows, inspect_value(&table->rows, k));
    }
    if (!units_make(&table->units, columns, &(struct unit_settings){ .period = (double)NAN }, NULL,
                    (struct start_position){ 0 }, e))
        return false;
    leave_out(table);
    follow_units(table);
    return true;
}
