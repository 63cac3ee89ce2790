/* How the advised command reads a table: rows numbered where times cannot be used, and unsure detections
 * masked. What is counted afterwards is what the advised command meets. See table.h. */
#include "base/array.h"
#include "base/text.h"
#include "view/inspect/table.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOUBTFUL     0.6  /* smallest confidence of a detection that is not masked */
#define FILL_SECONDS 0.25 /* longest gap that is worth filling: a part of a gesture */

enum {
    RATE_DIGITS = 6, /* of the rate that times show */
    FILL_ROWS = 10,  /* longest gap that is worth filling, where no rate is known */
    FILL_LEAST = 3   /* a gap of so few rows is always worth filling */
};

/* --- channels that a filter cannot read --- */

static bool has_comma_or_blank(const char *text)
{
    return strpbrk(text, ", \\") != NULL;
}

/* Can a filter not read the cells of a column, whatever --missing says? Texts that differ, or that a list of
 * --missing cannot hold, are no gaps. */
static bool texts_stop(const struct inspect_table *table, const struct inspect_texts *texts)
{
    const bool gap = family_holds_texts(table->reader->format->family) && !texts->differ &&
                     !has_comma_or_blank(texts->first);
    return texts->n > 0 && !gap;
}

/* Excludes the components of a rotation, channel[n], if one of them is excluded: a rotation is filtered as a
 * whole. */
static void exclude_together(bool *excluded, const size_t *channel, size_t n)
{
    bool one = false;
    for (size_t k = 0; k < n; k++)
        one = one || excluded[channel[k]];
    for (size_t k = 0; k < n; k++)
        excluded[channel[k]] = one;
}

/* Excludes the components of quaternions together. */
static void exclude_quaternions(const struct inspect_table *table, bool *excluded)
{
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_meaning *meaning = &table->channel[k].meaning;
        size_t part[4], n = 0;
        if (meaning->kind != INSPECT_ROTATION || meaning->plain ||
            meaning->rotation != table->channel[k].column)
            continue;
        for (size_t i = 0; i < table->rows.nchannel && n < 4; i++)
            if (table->channel[i].meaning.kind == INSPECT_ROTATION &&
                table->channel[i].meaning.rotation == meaning->rotation)
                part[n++] = i;
        exclude_together(excluded, part, n);
    }
}

/* Finds the channels that the command leaves out. If a component of a rotation is left out, the other
 * components are left out, too. */
static bool *find_excluded(const struct inspect_table *table, struct error *e)
{
    const struct units *rotations = &table->units;
    bool *excluded;
    if (!arrays_make(e, ARRAY(excluded, table->rows.nchannel + 1)))
        return NULL;
    for (size_t k = 0; k < table->rows.nchannel; k++)
        excluded[k] = texts_stop(table, &table->rows.texts[k]) || table->channel[k].meaning.lost_row > 0;
    for (size_t i = 0; i < rotations->n; i++)
        exclude_together(excluded, rotations->at[i].channel, rotations->at[i].n);
    exclude_quaternions(table, excluded);
    return excluded;
}

bool inspect_filters(const struct inspect_table *table, size_t channel)
{
    const struct inspect_channel *inspected = &table->channel[channel];
    switch (inspected->meaning.kind) {
    case INSPECT_COUNT:
    case INSPECT_CLOCK:
    case INSPECT_MARK:
    case INSPECT_STATE:
    case INSPECT_QUALITY:
        return false;
    case INSPECT_VALUE:
    case INSPECT_CONSTANT:
    case INSPECT_ANGLE:
    case INSPECT_ROTATION:
        break;
    }
    return !table->reading.excluded[channel] && inspected->column != table->rows.grouped;
}

/* --- times --- */

/* Sets the rate that numbers the rows, if too many share their times, and no column distinguishes the series.
 */
static void find_rate(struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const bool timed = table->reader->plan->time != COLUMN_NONE && rows->grouped == COLUMN_NONE;
    if (!timed || table->times.nbackward > 0 || !clock_is_coarse(table->times.nequal, rows->nrow))
        return;
    const double shown = clock_rate(rows->time, rows->nrow);
    table->reading.rate = shown > 0 ? number_round(shown, 3) : 0;
}

static void number_rows(struct inspect_rows *rows, double rate)
{
    for (size_t i = 0; i < rows->nrow; i++) {
        rows->time[i] = (double)i / rate;
        rows->begins[i] = i == 0;
    }
}

/* --- masks --- */

/* The mask by the cell above the names, which --header joins with the names. */
static void mask_by_cells_above(struct inspect_table *table, const struct column *quality)
{
    const struct columns *columns = &table->reader->columns;
    struct inspect_reading *reading = &table->reading;
    const unsigned long long last = table->reader->nline;
    char coordinates[120] = "";
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct column *other = &columns->column[table->channel[k].column];
        if (other != quality && other->above && strcmp(other->above, quality->above) == 0)
            text_append(coordinates, sizeof coordinates, "%s*.%s", coordinates[0] ? "," : "",
                        other->original);
    }
    if (!coordinates[0])
        return;
    snprintf(reading->mask, sizeof reading->mask, "%s:*.%s<%g", coordinates, quality->original, DOUBTFUL);
    snprintf(reading->header, sizeof reading->header, "%llu,%llu", last - 1, last);
}

/* The mask by the name: of the coordinates whose names have the same
 * start, as in nose_x and nose_score, or the same end, as in x_2 and likelihood_2. */
static void mask_by_name(struct inspect_table *table, size_t column)
{
    const struct columns *columns = &table->reader->columns;
    struct inspect_reading *reading = &table->reading;
    const char *name = columns_at(columns, column)->name;
    const size_t stem = inspect_stem(name), kind = inspect_numbered(name);
    const bool starts = stem > 0 && kind == strlen(name);
    char coordinates[120] = "";
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const char *other = columns->column[table->channel[k].column].name;
        const char *separator = coordinates[0] ? "," : "";
        if (table->channel[k].column == column || table->channel[k].meaning.kind == INSPECT_QUALITY)
            continue;
        if (starts && strncmp(other, name, stem + 1) == 0)
            text_append(coordinates, sizeof coordinates, "%s*%s", separator, other + stem);
        else if (!starts && inspect_is_coordinate(other) && strcmp(other + 1, name + kind) == 0)
            text_append(coordinates, sizeof coordinates, "%s%c*", separator, *other);
    }
    if (coordinates[0] && starts)
        snprintf(reading->mask, sizeof reading->mask, "%s:*%s<%g", coordinates, name + stem, DOUBTFUL);
    else if (coordinates[0])
        snprintf(reading->mask, sizeof reading->mask, "%s:%.*s*<%g", coordinates, (int)kind, name, DOUBTFUL);
}

/* Sets the mask by a quality column, if no mask is set yet. */
static void find_mask(struct inspect_table *table, size_t column)
{
    const struct column *quality = columns_at(&table->reader->columns, column);
    if (!table->reading.mask[0] && quality->above)
        mask_by_cells_above(table, quality);
    else if (!table->reading.mask[0])
        mask_by_name(table, column);
}

/* The values of the column that says how sure a channel is; NULL: unknown. */
static const double *find_sure(const struct inspect_table *table, size_t column)
{
    const struct inspect_rows *rows = &table->rows;
    for (size_t q = 0; q < rows->nquality; q++)
        if (rows->quality[q].column == column)
            return rows->sure + q * rows->maxrow;
    for (size_t k = 0; k < rows->nchannel; k++)
        if (table->channel[k].column == column)
            return inspect_value(rows, k);
    return NULL;
}

/* Pairs the columns below the same cell as a quality with the quality. */
static void pair_below(const struct columns *columns, size_t quality, struct column_pair *pair)
{
    const char *of = columns->column[quality].above;
    for (size_t i = 0; i < columns->ncolumn && of; i++) {
        const char *above = columns->column[i].above;
        if (i != quality && above && strcmp(above, of) == 0)
            pair[i] = (struct column_pair){ true, quality, false };
    }
}

/* Sets pair[i] for each column that the mask is about, as --mask finds it. */
static bool pair_columns(const struct inspect_table *table, struct column_pair *pair, struct error *e)
{
    const struct columns *columns = &table->reader->columns;
    char list[sizeof table->reading.mask];
    if (table->reading.header[0]) {
        for (size_t q = 0; q < table->rows.nquality; q++)
            pair_below(columns, table->rows.quality[q].column, pair);
        for (size_t k = 0; k < table->rows.nchannel; k++)
            if (table->channel[k].meaning.kind == INSPECT_QUALITY)
                pair_below(columns, table->channel[k].column, pair);
        return true;
    }
    snprintf(list, sizeof list, "%s", table->reading.mask);
    *strrchr(list, '<') = 0;
    return columns_pair(columns, list, "--mask", true, pair, e);
}

/* Makes the masked values missing. Without a masked channel that is filtered there is no mask. */
static bool mask_values(struct inspect_table *table, struct error *e)
{
    const struct inspect_rows *rows = &table->rows;
    struct inspect_reading *reading = &table->reading;
    struct column_pair *pair;
    bool masked = false;
    if (!arrays_make(e, ARRAY(pair, table->reader->columns.ncolumn)))
        return false;
    const bool good = pair_columns(table, pair, e);
    for (size_t k = 0; k < rows->nchannel && good; k++)
        masked |= pair[table->channel[k].column].paired && inspect_filters(table, k);
    if (!masked)
        reading->mask[0] = reading->header[0] = 0;
    for (size_t k = 0; k < rows->nchannel && masked; k++) {
        const struct column_pair *own = &pair[table->channel[k].column];
        const double *sure = own->paired ? find_sure(table, own->teller) : NULL;
        for (size_t i = 0; i < rows->nrow && sure; i++)
            if (!(sure[i] >= DOUBTFUL))
                inspect_value(rows, k)[i] = NAN;
    }
    free(pair);
    return good;
}

/* --- sentinels --- */

/* Is channel k of a point that is 0 in all its components in some rows, and never in one alone? */
static bool is_lost_point(const struct inspect_table *table, size_t k)
{
    const struct inspect_rows *rows = &table->rows;
    const unsigned vector = (unsigned)plan_channel(table->reader->plan, k)->vector;
    size_t lost = 0, alone = 0;
    for (size_t i = 0; i < rows->nrow && vector > 0; i++) {
        if (inspect_value(rows, k)[i] != 0)
            continue;
        lost++;
        for (size_t other = 0; other < rows->nchannel; other++)
            if ((unsigned)plan_channel(table->reader->plan, other)->vector == vector)
                alone += inspect_value(rows, other)[i] != 0;
    }
    return lost > 0 && lost < rows->nrow / 2 && alone == 0;
}

/* Does channel k jump to x and back: exactly x in a few rows, and every other number farther from x than from the other
 * numbers? */
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

static bool holds(const struct inspect_table *table, size_t k, double x)
{
    const double *value = inspect_value(&table->rows, k);
    for (size_t i = 0; i < table->rows.nrow; i++)
        if (value[i] == x)
            return true;
    return false;
}

/* Does --missing X harm no channel: is x a sentinel in each that has it? */
static bool is_harmless(const struct inspect_table *table, double x)
{
    for (size_t k = 0; k < table->rows.nchannel; k++)
        if (inspect_filters(table, k) && holds(table, k, x) && !is_sentinel(table, k, x))
            return false;
    return true;
}

/* Makes a sentinel missing in all channels. */
static void take_sentinel(struct inspect_table *table, double x)
{
    struct inspect_reading *reading = &table->reading;
    reading->sentinel[reading->nsentinel++] = x;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        double *value = inspect_value(&table->rows, k);
        for (size_t i = 0; i < table->rows.nrow; i++)
            value[i] = value[i] == x ? (double)NAN : value[i];
    }
}

/* Finds the values that mean a gap: 0, or a whole number far below all others. */
static void find_sentinels(struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_channel *channel = &table->channel[k];
        const double x = is_lost_point(table, k) ? 0 : channel->range.least;
        const bool usual = x == 0 || (x <= -99 && x == floor(x));
        if (table->reading.nsentinel < INSPECT_SENTINELS && usual && channel->meaning.kind == INSPECT_VALUE &&
            inspect_filters(table, k) && is_sentinel(table, k, x) && is_harmless(table, x))
            take_sentinel(table, x);
    }
}

/* --- gaps --- */

/* The longest gap that is worth filling, in rows. */
static size_t find_fill_rows(const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool known = table->reader->plan->time != COLUMN_NONE || times->rate > 0;
    const double worth = known && times->usual > 0 ? floor(FILL_SECONDS / times->usual) : FILL_ROWS;
    return worth > FILL_LEAST ? (size_t)worth : FILL_LEAST;
}

/* Is a value of a channel that is filtered missing? */
static bool has_gaps(const struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++)
        if (inspect_filters(table, k) && table->channel[k].missing.ngap > 0)
            return true;
    return false;
}

/* Can a filter read all qualities? */
static bool are_qualities_read(const struct inspect_table *table)
{
    bool read = true;
    for (size_t k = 0; k < table->rows.nchannel; k++)
        read = read && !(table->channel[k].meaning.kind == INSPECT_QUALITY && table->reading.excluded[k]);
    for (size_t q = 0; q < table->rows.nquality; q++)
        read = read && !texts_stop(table, &table->rows.quality[q].texts);
    return read;
}

/* Sets the mask by the first quality that has coordinates. */
static void find_masks(struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++)
        if (table->channel[k].meaning.kind == INSPECT_QUALITY)
            find_mask(table, table->channel[k].column);
    for (size_t q = 0; q < table->rows.nquality; q++)
        find_mask(table, table->rows.quality[q].column);
}

bool inspect_reading_find(struct inspect_table *table, struct error *e)
{
    table->reading.excluded = find_excluded(table, e);
    if (!table->reading.excluded)
        return false;
    if (are_qualities_read(table))
        find_masks(table);
    find_rate(table);
    if (table->reading.rate > 0)
        number_rows(&table->rows, table->reading.rate);
    const bool good = !table->reading.mask[0] || mask_values(table, e);
    if (good)
        find_sentinels(table);
    if (has_gaps(table) || table->reading.mask[0] || table->reading.nsentinel > 0)
        table->reading.fill_rows = find_fill_rows(table);
    return good;
}
