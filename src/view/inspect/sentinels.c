/* Values that mean a gap, and the gaps of each channel. See table.h. */
#include "view/inspect/table.h"

#include <math.h>
#include <string.h>

#define FILL_SECONDS 0.25 /* longest gap that is worth filling: a part of a gesture */

enum {
    FILL_ROWS = 10, /* longest gap that is worth filling, where no rate is known */
    FILL_LEAST = 3  /* a gap of so few rows is always worth filling */
};

/* --- sentinels --- */

bool inspect_has_markers(const struct format *format)
{
    static const char *const names[] = { "c3d", "trc", "qualisys", "csv", "tsv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format->name, names[i]) == 0)
            return true;
    return false;
}

/* Is the channel of a marker that is at 0 0 0 in some rows, and never in one component alone? Joints may rest
 * at 0 0 0. */
static bool is_lost_point(const struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    const struct unit *unit = units_of(&table->units, k);
    size_t lost = 0;
    if (unit->kind != UNIT_VECTOR || !inspect_has_markers(table->reader->format))
        return false;
    for (size_t i = 0; i < rows->nrow; i++) {
        size_t zeros = 0;
        for (size_t part = 0; part < unit->n; part++)
            zeros += inspect_value(rows, unit->channel[part])[i] == 0;
        if (zeros > 0 && zeros < unit->n)
            return false;
        lost += zeros > 0;
    }
    return lost > 0 && lost < rows->nrow / 2;
}

/* Does channel k jump to x and back: exactly x in a few rows, and every other number farther from x than from
 * the other numbers? */
static bool is_sentinel(const struct inspect_table *table, size_t k, double x)
{
    enum { LEAST_OTHERS = 10 };
    const struct inspect_rows *rows = &table->rows;
    const double *value = inspect_value(rows, k);
    double least = (double)INFINITY, most = -(double)INFINITY, before = NAN;
    size_t n = 0, moves = 0, others = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (value[i] == x) {
            n++;
        } else if (!isnan(value[i])) {
            others++;
            moves += value[i] != before;
            before = value[i];
            least = fmin(least, before);
            most = fmax(most, before);
        }
    }
    const double gap = x < least ? least - x : x - most;
    if (x == 0 && is_lost_point(table, k))
        return true;
    return n > 0 && n < others && moves >= LEAST_OTHERS && gap > most - least;
}

/* Does --missing X harm no channel: is x a sentinel in each that has it? */
static bool is_harmless(const struct inspect_table *table, double x)
{
    for (size_t k = 0; k < table->nchannel; k++) {
        const double *value = inspect_value(&table->rows, k);
        bool has = false;
        for (size_t i = 0; i < table->rows.nrow && inspect_filters(table, k); i++)
            has = has || value[i] == x;
        if (has && !is_sentinel(table, k, x))
            return false;
    }
    return true;
}

/* Makes a sentinel missing in all channels. */
static void take_sentinel(struct inspect_table *table, double x)
{
    table->sentinel[table->nsentinel++] = x;
    for (size_t k = 0; k < table->nchannel; k++) {
        double *value = inspect_value(&table->rows, k);
        for (size_t i = 0; i < table->rows.nrow; i++)
            value[i] = value[i] == x ? (double)NAN : value[i];
    }
}

/* Finds the values that mean a gap: a whole number far below all others; 0, where joints do not rest at 0. */
static void find_sentinels(struct inspect_table *table)
{
    const struct format *format = table->reader->format;
    const bool rests = !inspect_has_markers(format) && format->family != FAMILY_JSON;
    for (size_t k = 0; k < table->nchannel; k++) {
        const struct unit *unit = units_of(&table->units, k);
        const double x = is_lost_point(table, k) ? 0 : table->channel[k].least;
        const bool usual = (x == 0 && !rests) || (x <= -99 && x == floor(x));
        if (table->nsentinel < INSPECT_SENTINELS && usual && unit->period == 0 && !unit_is_rotation(unit) &&
            inspect_filters(table, k) && is_sentinel(table, k, x) && is_harmless(table, x))
            take_sentinel(table, x);
    }
}

/* --- gaps --- */

/* Counts the missing values of channel k and their gaps. */
static void count_missing(const struct inspect_rows *rows, const double *x, struct inspect_channel *channel)
{
    size_t length = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (rows->begins[i])
            length = 0;
        length = isnan(x[i]) ? length + 1 : 0;
        channel->nmissing += length > 0;
        channel->ngap += length == 1;
        if (length > channel->longest) {
            channel->longest = length;
            channel->longest_row = rows->number[i + 1 - length];
        }
    }
}

/* The longest gap that is worth filling, in rows. */
static size_t most_fill_rows(const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool known = table->reader->table.time != COLUMN_NONE || times->rate > 0;
    const double worth = known && times->usual > 0 ? floor(FILL_SECONDS / times->usual) : FILL_ROWS;
    return worth > FILL_LEAST ? (size_t)worth : FILL_LEAST;
}

void inspect_gaps_find(struct inspect_table *table)
{
    find_sentinels(table);
    for (size_t k = 0; k < table->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        count_missing(&table->rows, inspect_value(&table->rows, k), channel);
        if (inspect_filters(table, k) && channel->ngap > 0)
            table->fill_rows = most_fill_rows(table);
    }
}
