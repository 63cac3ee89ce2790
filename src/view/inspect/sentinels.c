/* Values that mean a gap, and the gaps of each channel. See table.h. */
#include "view/inspect/table.h"

#include <math.h>
#include <string.h>

/* --- sentinels --- */

bool inspect_has_markers(const struct format *format)
{
    static const char *const names[] = { "c3d", "trc", "qualisys", "csv", "tsv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format->name, names[i]) == 0)
            return true;
    return false;
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
    if (unit->kind == UNIT_VECTOR) {
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

/* Is the channel of a marker that is lost in some rows: at 0 0 0, never at 0 in one component alone, and else
 * farther from there than it moves in a row? Joints may rest at 0 0 0. */
static bool is_lost_point(const struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    size_t part[4], lost = 0;
    double before[4] = { NAN, NAN, NAN, NAN }, nearest = (double)INFINITY, longest = 0;
    const size_t n = inspect_has_markers(table->reader->format) ? find_point(table, k, part) : 0;
    for (size_t i = 0; i < rows->nrow && n > 0; i++) {
        size_t zeros = 0;
        double far = 0, step = 0;
        for (size_t p = 0; p < n; p++) {
            const double x = inspect_value(rows, part[p])[i];
            zeros += x == 0;
            far += x * x;
            step += (x - before[p]) * (x - before[p]);
            before[p] = x;
        }
        if (zeros > 0 && zeros < n)
            return false;
        lost += zeros > 0;
        for (size_t p = 0; p < n && zeros > 0; p++)
            before[p] = (double)NAN;
        nearest = zeros > 0 ? nearest : fmin(nearest, far);
        longest = zeros > 0 ? longest : fmax(longest, step);
    }
    return lost > 0 && lost < rows->nrow / 2 && nearest > longest;
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

/* Finds the values that mean a gap: a whole number far below all others; 0, where joints do not rest at 0.
 * They become missing in all channels. */
static void find_sentinels(struct inspect_table *table)
{
    const struct format *format = table->reader->format;
    const bool rests = !inspect_has_markers(format) && format->family != FAMILY_JSON;
    for (size_t k = 0; k < table->nchannel && table->nsentinel < INSPECT_SENTINELS; k++) {
        const struct unit *unit = units_of(&table->units, k);
        const double x = is_lost_point(table, k) ? 0 : table->channel[k].least;
        const bool usual = (x == 0 && !rests) || (x <= -99 && x == floor(x));
        if (!usual || unit->period != 0 || unit_is_rotation(unit) || table->channel[k].out ||
            !is_sentinel(table, k, x) || !is_harmless(table, x))
            continue;
        table->sentinel[table->nsentinel++] = x;
        for (size_t c = 0; c < table->nchannel; c++) {
            double *value = inspect_value(&table->rows, c);
            for (size_t i = 0; i < table->rows.nrow; i++)
                value[i] = value[i] == x ? (double)NAN : value[i];
        }
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

void inspect_gaps_find(struct inspect_table *table)
{
    find_sentinels(table);
    for (size_t k = 0; k < table->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        count_missing(&table->rows, inspect_value(&table->rows, k), channel);
        table->gaps = table->gaps || (!table->channel[k].out && channel->ngap > 0);
    }
}
