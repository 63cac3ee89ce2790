/* What the tables of a file say about the command line that would clean it. See advice.h. */
#include "view/inspect/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- channels --- */

/* Adds a column to the list of an option. With --header names may change, so a column with a cell above the
 * name is given by its number. */
static void advise_column(struct inspect_advice *advice, const char *option, const struct columns *columns,
                          size_t column, const char *why)
{
    char number[COLUMNS_NUMBER];
    snprintf(number, sizeof number, "%zu", columns->column[column].position);
    inspect_advise(advice, option,
                   columns->column[column].above ? number : columns_entry(columns, column, number), why);
}

/* Adds a quaternion that the rows show and the format does not state, and whose components are named w, x, y
 * and z, in any order. */
static void advise_quaternion(struct inspect_advice *advice, const struct columns *columns, size_t first)
{
    char entry[COLUMNS_QUATERNION];
    columns_quaternion_entry(columns, first, entry);
    inspect_advise(advice, "quaternions", entry, "filter four components as one rotation");
}

/* Are the texts of a channel infinite values? */
static bool has_infinite(const struct inspect_table *table, size_t k)
{
    return table->rows.texts[k].n > 0 && !family_holds_texts(table->reader->format->family);
}

/* Leaves out a channel that a filter cannot read, with the other parts of its rotation, or a confidence that
 * no mask reads. */
static void advise_exclude(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct inspect_channel *channel = &table->channel[k];
    const char *why = "a rotation is left out as a whole";
    if (channel->meaning.kind == INSPECT_QUALITY)
        why = "confidence, not motion";
    else if (table->rows.texts[k].n > 0)
        why = has_infinite(table, k) ? "infinite values" : "text in later rows";
    else if (channel->meaning.lost_row > 0)
        why = "four zeros are no rotation: empty these cells and run inspect again";
    advise_column(advice, "exclude", &table->reader->columns, channel->column, why);
}

/* A text that is the same in all cells and a single word is taken for a missing value. */
static void advise_missing(struct inspect_advice *advice, const struct inspect_texts *texts)
{
    if (texts->n > 0)
        inspect_advise(advice, "missing", texts->first, "this text means a missing value");
}

/* An angle that the rows show, and no format states. */
static void advise_angle(struct inspect_advice *advice, const struct columns *columns,
                         const struct inspect_channel *channel)
{
    const bool other = advice->period > 0 && advice->period != channel->meaning.period;
    if (channel->meaning.by_format || channel->meaning.plain || other)
        return;
    advice->period = channel->meaning.period;
    advise_column(advice, "angles", columns, channel->column, "these angles wrap");
}

/* Are the points of the format markers, where a spike is an error of the cameras? Elsewhere it may be a heel
 * strike. */
static bool states_markers(const struct format *format)
{
    static const char *const names[] = { "c3d", "trc", "qualisys", "csv", "tsv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format->name, names[i]) == 0)
            return true;
    return false;
}

/* Counts the spikes and the jumps of a channel that is filtered. */
static void take_faults(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct inspect_faults *faults = &table->faults[k];
    const bool marker = faults->marker && states_markers(table->reader->format);
    advice->nspike += marker && !faults->follows ? faults->nspike : 0;
    advice->other_spikes |= !marker && faults->nspike > 0;
    advice->njump += table->takes && !faults->follows ? faults->njump : 0;
}

static void advise_channel(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct columns *columns = &table->reader->columns;
    const struct inspect_channel *channel = &table->channel[k];
    const bool unused = channel->meaning.kind == INSPECT_QUALITY && !table->reading.mask[0];
    if (table->reading.excluded[k] || unused) {
        advise_exclude(advice, table, k);
        return;
    }
    advise_missing(advice, &table->rows.texts[k]);
    take_faults(advice, table, k);
    switch (channel->meaning.kind) {
    case INSPECT_COUNT:
    case INSPECT_CLOCK:
    case INSPECT_MARK:
    case INSPECT_STATE:
        advise_column(advice, "exclude", columns, channel->column,
                      inspect_kind_reason(channel->meaning.kind));
        break;
    case INSPECT_ANGLE:
        advise_angle(advice, columns, channel);
        break;
    case INSPECT_ROTATION:
        if (!channel->meaning.by_format && !channel->meaning.plain &&
            channel->meaning.rotation == channel->column)
            advise_quaternion(advice, columns, channel->column);
        break;
    case INSPECT_VALUE:
    case INSPECT_QUALITY:
    case INSPECT_CONSTANT:
        break;
    }
}

/* Does the table have a channel that is left to filter? */
static bool leaves_something(const struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++)
        if (inspect_filters(table, k))
            return true;
    return false;
}

/* --- tables --- */

static const char *text_of_number(double x, char text[COLUMNS_NUMBER])
{
    snprintf(text, COLUMNS_NUMBER, "%.15g", x);
    return text;
}

static void take_times(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const struct column_plan *plan = table->reader->plan;
    const bool timed = plan->time != COLUMN_NONE;
    if (advice->nbackward == 0)
        advice->backward_row = times->backward_row;
    advice->nbackward += times->nbackward;
    advice->untimed = advice->untimed || (!timed && times->rate == 0);
    if (advice->rate == 0 && table->reading.rate > 0) {
        advice->rate = table->reading.rate;
        advice->nshared = times->nequal;
    }
    const bool assumed = timed && plan->unit_reason == UNIT_ASSUMED && plan->form == TIMESTAMP_NUMBER &&
                         table->rows.whole_times && !family_states_seconds(table->reader->format->family) &&
                         !columns_holds_epoch(columns_at(plan->columns, plan->time));
    if (assumed && (times->usual == 1 || (times->usual >= 2 && times->usual <= 200)))
        advice->count_step = times->usual;
}

/* Joins both lines of names. A count of rows then has another name, by which it is no longer known. */
static void advise_joined_names(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    inspect_advise(advice, "header", table->reading.header,
                   "both lines of names are joined, so that each column has its own name");
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (plan_use(table->reader->plan, i)->reason == REASON_COUNTER && columns->column[i].above)
            advise_column(advice, "exclude", columns, i, inspect_kind_reason(INSPECT_COUNT));
}

void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_reading *reading = &table->reading;
    const bool something = leaves_something(table);
    char number[COLUMNS_NUMBER];
    advice->nrow += rows->nrow;
    advice->noisy |= !table->quiet;
    advice->hopeless = advice->hopeless || !something;
    advice->audio = table->reader->format->family == FAMILY_AUDIO;
    take_times(advice, table);
    for (size_t k = 0; k < rows->nchannel; k++) {
        advice->infinite |= has_infinite(table, k);
        if (table->channel[k].meaning.lost_row > 0 && advice->lost_row == 0)
            advice->lost_row = table->channel[k].meaning.lost_row;
    }
    if (!something)
        return;
    if (table->takes)
        snprintf(advice->takes, sizeof advice->takes, "%s", columns_entry(columns, rows->lasting, number));
    if (rows->grouped != COLUMN_NONE)
        advise_column(advice, "group-by", columns, rows->grouped,
                      "the rows of several series are mixed, and this column tells them apart");
    for (size_t k = 0; k < rows->nchannel; k++)
        if (table->channel[k].column != rows->grouped)
            advise_channel(advice, table, k);
    if (reading->mask[0] && !inspect_advised(advice, "mask")) {
        inspect_advise(advice, "mask", reading->mask, "uncertain points count as missing");
        for (size_t q = 0; q < rows->nquality; q++)
            advise_missing(advice, &rows->quality[q].texts);
        if (reading->header[0])
            advise_joined_names(advice, table);
    }
    for (size_t i = 0; i < reading->nsentinel; i++)
        inspect_advise(advice, "missing", text_of_number(reading->sentinel[i], number),
                       "a value that channels jump to and back from");
    if (reading->fill_rows > 0 && (advice->fill_rows == 0 || reading->fill_rows < advice->fill_rows))
        advice->fill_rows = reading->fill_rows;
}
