/* Values that mean a gap, and the gaps of each channel. See table.h. */
#include "view/inspect/table.h"
#include "whole/kinds/sentinel.h"

#include <math.h>
#include <string.h>

bool inspect_is_marker(const struct inspect_table *table, size_t k)
{
    return unit_is_vector(units_of(&table->units, k)) && table->reader->format->markers;
}

/* Sets part[n] to the channels of the point that channel k is of: by the format, or side by side and named x,
 * y and z after the same beginning. Returns n; 0: of no point. */
static size_t find_point(const struct inspect_table *table, size_t k, size_t part[4])
{
    static const char letters[] = "xyzXYZ";
    const struct unit *unit = units_of(&table->units, k);
    const char *name = table->channel[k].column->name;
    const size_t n = strlen(name);
    const char *letter = n > 1 ? strchr(letters, name[n - 1]) : NULL;
    if (unit_is_vector(unit)) {
        memcpy(part, unit->channel, unit->n * sizeof *part);
        return unit->n;
    }
    const size_t axis = letter ? (size_t)(letter - letters) % 3 : 0;
    if (!letter || k < axis || k - axis + 3 > table->nchannel)
        return 0;
    for (size_t i = 0; i < 3; i++) {
        const char *other = table->channel[k - axis + i].column->name;
        part[i] = k - axis + i;
        if (strncmp(other, name, n - 1) != 0 || other[n - 1] != (letter - axis)[i] || other[n] != 0)
            return 0;
    }
    return 3;
}

/* Does channel k, or for 0 its point, jump to x and back? */
static bool is_sentinel(const struct inspect_table *table, size_t k, double x)
{
    size_t part[4];
    const size_t n = x == 0 && table->reader->format->markers ? find_point(table, k, part) : 0;
    const double *value[4] = { NULL };
    for (size_t i = 0; i < n; i++)
        value[i] = inspect_value(&table->rows, part[i]);
    const double *alone = inspect_value(&table->rows, k);
    return (n > 0 && sentinel_in(value, n, table->rows.nrow, x)) ||
           sentinel_in(&alone, 1, table->rows.nrow, x);
}

/* Does --missing X harm no channel: is x a sentinel wherever x occurs? */
static bool is_harmless(const struct inspect_table *table, double x)
{
    for (size_t k = 0; k < table->nchannel; k++) {
        const double *value = inspect_value(&table->rows, k);
        size_t i = 0;
        while (i < table->rows.nrow && value[i] != x)
            i++;
        if (i < table->rows.nrow && !table->channel[k].out && !is_sentinel(table, k, x))
            return false;
    }
    return true;
}

/* Takes x for a sentinel, if it is one in channel k: x becomes missing in all channels. */
static void try_sentinel(struct inspect_table *table, size_t k, double x)
{
    const struct format *format = table->reader->format;
    const bool usual = x == 0 ? format->markers || format->family == FAMILY_JSON : sentinel_is_usual(x);
    if (table->nsentinel == INSPECT_SENTINELS || !usual || !is_sentinel(table, k, x) ||
        !is_harmless(table, x))
        return;
    table->sentinel[table->nsentinel++] = x;
    for (size_t c = 0; c < table->nchannel; c++) {
        double *value = inspect_value(&table->rows, c);
        for (size_t i = 0; i < table->rows.nrow; i++)
            value[i] = value[i] == x ? (double)NAN : value[i];
    }
}

static void find_sentinels(struct inspect_table *table)
{
    for (size_t k = 0; k < table->nchannel; k++) {
        const struct unit *unit = units_of(&table->units, k);
        const struct inspect_channel *channel = &table->channel[k];
        if (unit->period != 0 || unit_is_rotation(unit) || channel->out)
            continue;
        try_sentinel(table, k, 0);
        try_sentinel(table, k, channel->least);
        try_sentinel(table, k, channel->most);
    }
}

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

void inspect_gaps_find(struct inspect_table *table)
{
    find_sentinels(table);
    for (size_t k = 0; k < table->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        count_missing(&table->rows, inspect_value(&table->rows, k), channel);
        table->gaps = table->gaps || (!table->channel[k].out && channel->ngap > 0);
    }
}
