/* What the tables of a file say about the command line that would clean it. See advice.h. */
#include "view/inspect/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BYTES_A_CELL 100 /* bytes of memory that --zero-phase takes for a row and channel, about */

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

/* Counts the faults of a channel that is filtered, and notes the names of those to check. */
static void take_faults(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct inspect_faults *faults = &table->faults[k];
    const uint64_t longest = table->channel[k].missing.longest;
    const char *name = plan_channel(table->reader->plan, k)->name;
    advice->nspike += faults->nspike;
    advice->njump += faults->flickers || faults->follows ? 0 : faults->njump;
    if (faults->flickers && !advice->flicker[0])
        error_escape(name, strlen(name), advice->flicker, sizeof advice->flicker);
    if (faults->kept_row > 0 && advice->kept_row == 0) {
        advice->kept_row = faults->kept_row;
        error_escape(name, strlen(name), advice->kept, sizeof advice->kept);
    }
    advice->longest = longest > advice->longest ? longest : advice->longest;
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
        advise_column(advice, "exclude", columns, channel->column,
                      inspect_kinds[channel->meaning.kind].words);
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

/* The smaller of `fewest` and the fewest values at different times, without spikes, that the channel has in a
 * series. A series with a single value does not count, since a single value chooses no half-life. */
static size_t count_fewest(const struct inspect_table *table, size_t channel, size_t fewest)
{
    const struct inspect_rows *rows = &table->rows;
    const size_t nspike = table->faults[channel].most_spikes;
    const double *x = inspect_value(rows, channel);
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        size_t known = 0;
        double last = -(double)INFINITY;
        end = inspect_series_end(rows, first);
        for (size_t i = first; i < end; i++)
            if (!isnan(x[i]) && rows->time[i] > last) {
                last = rows->time[i];
                known++;
            }
        const size_t sure = known > nspike ? known - nspike : 0;
        fewest = known > 1 && sure < fewest ? sure : fewest;
    }
    return fewest;
}

static void take_times(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const struct column_plan *plan = table->reader->plan;
    const bool timed = plan->time != COLUMN_NONE;
    advice->nbackward += times->nbackward;
    advice->untimed = advice->untimed || (!timed && times->rate == 0) ||
                      (table->told && !(times->usual > 0)); /* Unix times that never rise */
    advice->dates = table->rows.dates == COLUMN_NONE ? 0 : plan->columns->column[table->rows.dates].position;
    if (advice->rate == 0 && table->reading.rate > 0) {
        advice->rate = table->reading.rate;
        advice->nshared = table->reading.coarse ? times->nequal : 0;
    }
    if (table->rows.dates != COLUMN_NONE)
        advice->step = table->rows.date_step;
    else if (times->usual > 0 && (advice->step == 0 || times->usual < advice->step))
        advice->step = times->usual;
    const bool assumed = timed && plan->unit_reason == UNIT_ASSUMED && plan->form == TIMESTAMP_NUMBER &&
                         table->rows.whole_times && !family_states_seconds(table->reader->format->family) &&
                         !columns_holds_epoch(columns_at(plan->columns, plan->time));
    advice->assumed_count |= assumed && times->usual == 1;
    advice->assumed_ms |= assumed && times->usual >= 2 && times->usual <= 200;
}

/* Joins both lines of names. A count of rows then has another name, by which it is no longer known. */
static void advise_joined_names(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    inspect_advise(advice, "header", table->reading.header,
                   "both lines of names are joined, so that each column has its own name");
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (plan_use(plan, i)->reason == REASON_COUNTER && columns->column[i].above)
            advise_column(advice, "exclude", columns, i, inspect_kinds[INSPECT_COUNT].words);
}

/* Finds the column of marks that is named cut. */
static void find_cut(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    for (size_t i = 0; i < columns->ncolumn && !advice->cut[0]; i++) {
        const char *name = columns_at(columns, i)->name;
        if (plan_use(plan, i)->reason == REASON_MARK && strcasecmp(name, "cut") == 0)
            snprintf(advice->cut, sizeof advice->cut, "%s", name);
    }
}

void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_reading *reading = &table->reading;
    const double cells = (double)rows->nrow * (double)rows->nchannel;
    const bool something = leaves_something(table);
    advice->nrow += rows->nrow;
    advice->noisy |= !table->quiet;
    advice->hopeless = advice->hopeless || !something;
    for (size_t k = 0; k < rows->nchannel; k++) {
        advice->infinite |= has_infinite(table, k);
        if (table->channel[k].meaning.lost_row > 0 && advice->lost_row == 0)
            advice->lost_row = table->channel[k].meaning.lost_row;
    }
    advice->audio = table->reader->format->family == FAMILY_AUDIO;
    advice->bytes += rows->whole ? cells * BYTES_A_CELL : (double)INFINITY;
    take_times(advice, table);
    if (table->told && table->times.usual > 0)
        advise_column(advice, "time", &table->reader->columns, table->reader->plan->time,
                      "Unix times: a filter uses them only with this option");
    find_cut(advice, table);
    if (table->takes && table->reader->npart == 0) {
        char number[COLUMNS_NUMBER];
        snprintf(advice->takes, sizeof advice->takes, "%s",
                 columns_entry(&table->reader->columns, rows->lasting, number));
    }
    for (size_t k = 0; k < rows->nchannel; k++) {
        if (inspect_filters(table, k))
            advice->fewest = count_fewest(table, k, advice->fewest);
        if (something && table->channel[k].column != rows->grouped)
            advise_channel(advice, table, k);
    }
    if (rows->grouped != COLUMN_NONE && !inspect_is_advised(advice, "group-by"))
        advise_column(advice, "group-by", &table->reader->columns, rows->grouped,
                      "the rows of several series are mixed, and this column tells them apart");
    if (something && reading->mask[0] && !inspect_is_advised(advice, "mask")) {
        inspect_advise(advice, "mask", reading->mask, "uncertain points count as missing");
        for (size_t q = 0; q < rows->nquality; q++)
            advise_missing(advice, &rows->quality[q].texts);
        if (reading->header[0])
            advise_joined_names(advice, table);
    }
    if (reading->fill_rows > 0 && (advice->fill_rows == 0 || reading->fill_rows < advice->fill_rows))
        advice->fill_rows = reading->fill_rows;
}
