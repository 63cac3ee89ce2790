/* The units, the missing values and the reasons to leave a channel out, as a filter sees them.
 * See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/clock.h"
#include "whole/kinds/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_DIGITS = 3 /* of the rate that coarse times show */ };

static void find_range(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x)
{
    channel->least = channel->most = (double)NAN;
    for (size_t i = 0; i < rows->nrow; i++) {
        channel->least = fmin(channel->least, x[i]);
        channel->most = fmax(channel->most, x[i]);
    }
}

/* --- what is left out --- */

/* Can a filter not read the cells of a column, whatever --missing says? Texts that differ, or that a list of
 * --missing cannot hold, are no gaps. */
static bool texts_stop(const struct inspect_table *table, size_t k)
{
    const struct inspect_texts *texts = &table->rows.texts[k];
    const bool gap = family_holds_texts(table->reader->format->family) && !texts->differ &&
                     !strpbrk(texts->first, ", \\");
    return texts->n > 0 && !gap;
}

/* Are the values a few whole numbers that each hold for several rows? */
static bool is_state(const struct inspect_rows *rows, const double *x)
{
    enum { STATES = 10, LEAST_ROWS = 20, ROWS_A_CHANGE = 10 };
    double state[STATES], before = NAN;
    size_t nstate = 0, known = 0, changes = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (isnan(x[i]))
            continue;
        size_t s = 0;
        while (s < nstate && state[s] != x[i])
            s++;
        if (s == STATES || x[i] != floor(x[i]))
            return false;
        state[s] = x[i];
        nstate = s == nstate ? nstate + 1 : nstate;
        changes += known > 0 && x[i] != before;
        before = x[i];
        known++;
    }
    return known >= LEAST_ROWS && changes * ROWS_A_CHANGE <= known;
}

/* Why numbers that move are no motion; NULL: they are. Where rows are numbered, any even rise may be that of
 * their times. */
static const char *why_no_motion(struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    struct inspect_channel *channel = &table->channel[k];
    const double *x = inspect_value(rows, k);
    const struct count_rows numbers = { x, 1, rows->nrow, rows->begins };
    bool marks = channel->least == 0 && channel->most == 1;
    for (size_t i = 0; i < rows->nrow && marks; i++)
        marks = isnan(x[i]) || x[i] == 0 || x[i] == 1;
    if (marks)
        return "only 0 and 1";
    if (family_states_counts(table->reader->format->family))
        return NULL;
    if (count_is(&numbers))
        return "counts rows";
    channel->state = is_state(rows, x);
    if (channel->state)
        return "a state: few whole numbers";
    return table->times.stated && count_rises_evenly(&numbers) ? "rises evenly, like a time" : NULL;
}

/* Finds the channels that the command leaves out, of a rotation all components. What the user chose is left
 * out only if a filter cannot read it. */
static void leave_out(struct inspect_table *table)
{
    for (size_t k = 0; k < table->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        const bool chosen = table_column(&table->reader->table, channel->index)->asked;
        if (texts_stop(table, k))
            channel->out = family_holds_texts(table->reader->format->family) ? "text in later rows"
                                                                             : "infinite values";
        else if (channel->least < channel->most && !chosen && !units_rotation(&table->units, k))
            channel->out = why_no_motion(table, k);
    }
    for (const struct unit *unit = table->units.at; unit < table->units.at + table->units.n; unit++) {
        bool one = false;
        for (size_t k = 0; k < unit->n && unit_is_rotation(unit); k++)
            one = one || table->channel[unit->channel[k]].out;
        for (size_t k = 0; k < unit->n && one; k++)
            if (!table->channel[unit->channel[k]].out)
                table->channel[unit->channel[k]].out = "a rotation is left out as a whole";
    }
}

/* --- units --- */

/* Lists the units as a filter of the channels that are not left out has them. */
static bool find_units(struct inspect_table *table, struct error *e)
{
    const struct unit_settings settings = { .period = (double)NAN };
    const struct table *columns = &table->reader->table;
    struct unit_search search = { .unasked = true };
    bool *left_out;
    if (!units_make(&table->units, columns, &settings, &search, e) ||
        !arrays_make(e, ARRAY(left_out, table->nchannel + 1)))
        return false;
    leave_out(table);
    for (size_t k = 0; k < table->nchannel; k++)
        left_out[k] = !inspect_filters(table, k);
    units_free(&table->units);
    search.left_out = left_out;
    const bool good = units_make(&table->units, columns, &settings, &search, e);
    free(left_out);
    return good;
}

/* The period of an angle in numbers whose format states none; 0: they are no angle in any series, or lie
 * beyond a turn in some series. */
static double find_period(const struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    const double *x = inspect_value(rows, k);
    const enum angle_name name = columns_angle_name(&table->reader->table, table->reader->table.channel[k]);
    const bool open = name != NO_ANGLE && !family_states_angles(table->reader->format->family);
    double period = 0;
    for (size_t first = 0, end; first < rows->nrow && open; first = end) {
        struct angle_watch watch = { .coordinate = name == UNLIKELY_ANGLE };
        end = inspect_series_end(rows, first);
        for (size_t i = first; i < end; i++)
            angle_watch_take(&watch, x[i]);
        if (angle_watch_is_over(&watch))
            return 0;
        period = period > 0 ? period : angle_watch_period(&watch);
    }
    return period;
}

/* Makes a number an angle where it wraps. --period has one value. */
static void find_angle(struct inspect_table *table, struct unit *unit)
{
    const double period = find_period(table, unit->channel[0]);
    if (period == 0 || (table->period > 0 && period != table->period))
        return;
    table->period = unit->period = period;
    unit->kind = UNIT_ANGLE;
    table->channel[unit->channel[0]].wraps = true;
}

/* Removes the turns of an angle in rows first to end - 1, and counts its wraps. */
static void unwrap(struct inspect_table *table, const struct unit *unit, size_t first, size_t end)
{
    double *x = inspect_value(&table->rows, unit->channel[0]), before = 0;
    struct unwrap state = { .known = false };
    for (size_t i = first; i < end; i++) {
        double turns;
        angles_unwrap(&state, unit->period, &x[i], &turns, 1);
        table->channel[unit->channel[0]].nwrap += turns != before;
        before = turns;
    }
}

/* Makes the numbers of a unit what a filter follows in rows first to end - 1. */
static void follow(const struct inspect_table *table, const struct unit *unit, size_t first, size_t end)
{
    double last[4] = { 0 }, part[4];
    for (size_t i = first; i < end; i++) {
        for (size_t k = 0; k < unit->n; k++)
            part[k] = inspect_value(&table->rows, unit->channel[k])[i];
        unit_follow(unit, last, part);
        for (size_t k = 0; k < unit->n; k++)
            inspect_value(&table->rows, unit->channel[k])[i] = part[k];
    }
}

static void follow_units(struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    for (struct unit *unit = table->units.at; unit < table->units.at + table->units.n; unit++) {
        if (unit->kind == UNIT_NUMBER && inspect_filters(table, unit->channel[0]))
            find_angle(table, unit);
        for (size_t first = 0, end; first < rows->nrow; first = end) {
            end = inspect_series_end(rows, first);
            if (unit->kind == UNIT_ANGLE)
                unwrap(table, unit, first, end);
            else if (unit->n > 1)
                follow(table, unit, first, end);
        }
    }
}

/* --- masks and times --- */

/* Is value i of the channel masked that is known? */
static bool is_masked(const struct inspect_table *table, const struct column_mask *mask, size_t i)
{
    const struct table *columns = &table->reader->table;
    const size_t channel = table_column(columns, mask->column)->value,
                 teller = table_column(columns, mask->teller)->value;
    return isnan(inspect_value(&table->rows, channel)[i]) == 0 &&
           table_masks(mask, inspect_value(&table->rows, teller)[i]);
}

/* Makes the masked values missing. The mask goes where a filter cannot read its column, or it masks nothing,
 * or most of the values. */
static void mask_values(struct inspect_table *table)
{
    const struct table *columns = &table->reader->table;
    const size_t nrow = table->rows.nrow;
    size_t masked = 0;
    bool read = true;
    for (size_t k = 0; k < columns->nmask; k++) {
        read = read && !texts_stop(table, table_column(columns, columns->mask[k].teller)->value);
        for (size_t i = 0; i < nrow; i++)
            masked += is_masked(table, &columns->mask[k], i);
    }
    if (!read || masked == 0 || 2 * masked > columns->nmask * nrow)
        table->found_mask = "";
    for (size_t k = 0; k < columns->nmask && table->found_mask[0]; k++)
        for (size_t i = 0; i < nrow; i++)
            if (is_masked(table, &columns->mask[k], i))
                inspect_value(&table->rows,
                              table_column(columns, columns->mask[k].column)->value)[i] = (double)NAN;
}

/* Numbers the rows by a rate, if too many share their times, and no column distinguishes the series. */
static void number_rows(struct inspect_table *table)
{
    struct inspect_rows *rows = &table->rows;
    const bool timed = table->reader->table.time != COLUMN_NONE && rows->nseries == 1;
    if (!timed || table->times.nbackward > 0 || !clock_is_coarse(table->times.nequal, rows->nrow))
        return;
    const double shown = clock_rate(rows->time, rows->nrow);
    table->rate = shown > 0 ? number_round(shown, RATE_DIGITS) : 0;
    for (size_t i = 0; i < rows->nrow && table->rate > 0; i++) {
        rows->time[i] = (double)i / table->rate;
        rows->begins[i] = i == 0;
    }
}

bool inspect_channels_find(struct inspect_table *table, struct error *e)
{
    const struct table *columns = &table->reader->table;
    table->nchannel = columns->nchannel;
    if (!arrays_make(e, ARRAY(table->channel, columns->nchannel + 1)))
        return false;
    mask_values(table);
    number_rows(table);
    for (size_t k = 0; k < columns->nchannel; k++) {
        table->channel[k].index = columns->channel[k];
        table->channel[k].column = table_channel(columns, k);
        find_range(&table->channel[k], &table->rows, inspect_value(&table->rows, k));
    }
    if (!find_units(table, e))
        return false;
    follow_units(table);
    return true;
}
