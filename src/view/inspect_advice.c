/* The command line that would clean a file, with a reason for each option. See inspect.h. */
#include "view/inspect.h"
#include "whole/choose_halflife.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STEPS        3   /* half-life in usual steps, where the noise does not decide it */
#define MUCH_MEMORY  2e9 /* most bytes of memory that a suggested --zero-phase may need */
#define BYTES_A_CELL 100 /* bytes of memory that --zero-phase takes for a row and channel, about */

/* The options, in the order of the command. */
static const char *const names[INSPECT_OPTIONS] = {
    "from",       "delimiter", "header",    "comment",         "decimal", "records",  "time",
    "columns",    "no-header", "time-unit", "allow-truncated", "analog",  "rate",     "group-by",
    "missing",    "exclude",   "mask",      "angles",          "period",  "wrap",     "quaternions",
    "despike",    "gaps",      "max-gap",   "zero-phase",      "cutoff",  "halflife", "derivatives",
    "output-dir",
};

static const char given[] = "as given";

/* --- options --- */

/* Adds an entry to a list, if it is not in it yet. */
static void join(struct text *list, const char *separator, const char *entry)
{
    const size_t n = strlen(entry), between = strlen(separator);
    for (const char *at = list->bytes; at;) {
        if (strncmp(at, entry, n) == 0 && (at[n] == 0 || strncmp(at + n, separator, between) == 0))
            return;
        at = strstr(at, separator);
        at = at ? at + between : NULL;
    }
    text_put(list, "%s%s", list->n > 0 ? separator : "", entry);
}

static struct inspect_option *option_of(struct inspect_advice *advice, const char *name)
{
    size_t k = 0;
    while (strcmp(names[k], name) != 0)
        k++;
    return &advice->option[k];
}

/* Adds an option to the command, or a value to its list. value NULL: the option has none. */
static void advise(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    struct inspect_option *option = option_of(advice, name);
    if (value)
        join(&option->value, ",", value);
    join(&option->why, ", ", why);
}

static bool is_advised(struct inspect_advice *advice, const char *name)
{
    return option_of(advice, name)->why.n > 0;
}

/* --- channels --- */

/* Adds a column to the list of an option. With --header names may change, so a column with a cell above the
 * name is given by its number. */
static void advise_column(struct inspect_advice *advice, const char *option, const struct columns *columns,
                          size_t column, const char *why)
{
    char number[COLUMNS_NUMBER];
    snprintf(number, sizeof number, "%zu", columns->column[column].position);
    advise(advice, option, columns->column[column].above ? number : columns_entry(columns, column, number),
           why);
}

/* Adds a quaternion that the rows show and the format does not state, and whose components are named w, x, y
 * and z, in any order. */
static void advise_quaternion(struct inspect_advice *advice, const struct columns *columns, size_t first)
{
    char entry[COLUMNS_QUATERNION];
    columns_quaternion_entry(columns, first, entry);
    advise(advice, "quaternions", entry, "filter four components as one rotation");
}

static bool has_infinite(const struct inspect_table *table, const struct inspect_channel *channel)
{
    return channel->texts.n > 0 && !family_holds_texts(table->reader->format->family);
}

/* Leaves out a channel that a filter cannot read, with the other parts of its rotation, or a confidence that
 * no mask reads. */
static void advise_exclude(struct inspect_advice *advice, const struct inspect_table *table,
                           const struct inspect_channel *channel)
{
    const char *why = "a rotation is left out as a whole";
    if (channel->kind == INSPECT_QUALITY)
        why = "confidence, not motion";
    else if (channel->texts.n > 0)
        why = has_infinite(table, channel) ? "infinite values" : "text in later rows";
    advise_column(advice, "exclude", &table->reader->columns, channel->column, why);
}

/* A text that is the same in all cells and a single word is taken for a missing value. */
static void advise_missing(struct inspect_advice *advice, const struct inspect_texts *texts)
{
    if (texts->n > 0)
        advise(advice, "missing", texts->first, "this text means a missing value");
}

/* An angle that the rows show, and no format states, stays within one turn, as its output does with --wrap.
 */
static void advise_angle(struct inspect_advice *advice, const struct columns *columns,
                         const struct inspect_channel *channel)
{
    const bool other = advice->period > 0 && advice->period != channel->period;
    if (channel->by_format || channel->plain || other)
        return;
    advice->period = channel->period;
    advise_column(advice, "angles", columns, channel->column, "these angles wrap");
    advise(advice, "wrap", NULL, "keeps angles near the input's; without it, they go on past a full turn");
}

static void advise_channel(struct inspect_advice *advice, const struct inspect_table *table,
                           const struct inspect_channel *channel)
{
    const struct columns *columns = &table->reader->columns;
    const bool unused = channel->kind == INSPECT_QUALITY && !table->reading.mask[0];
    if (channel->excluded || unused) {
        advise_exclude(advice, table, channel);
        return;
    }
    advise_missing(advice, &channel->texts);
    advice->nspike += channel->nspike;
    advice->njump += channel->flickers || channel->follows ? 0 : channel->njump;
    if (channel->flickers && !advice->flicker[0]) {
        const char *name = columns_at(columns, channel->column)->name;
        error_escape(name, strlen(name), advice->flicker, sizeof advice->flicker);
    }
    if (channel->kept_row > 0 && advice->kept_row == 0) {
        const char *name = columns_at(columns, channel->column)->name;
        advice->kept_row = channel->kept_row;
        error_escape(name, strlen(name), advice->kept, sizeof advice->kept);
    }
    advice->longest = channel->longest > advice->longest ? channel->longest : advice->longest;
    switch (channel->kind) {
    case INSPECT_COUNT:
        advise_column(advice, "exclude", columns, channel->column, "counts rows");
        break;
    case INSPECT_CLOCK:
        advise_column(advice, "exclude", columns, channel->column, "rises evenly, like a time");
        break;
    case INSPECT_MARK:
        advise_column(advice, "exclude", columns, channel->column, "only 0 and 1");
        break;
    case INSPECT_ANGLE:
        advise_angle(advice, columns, channel);
        break;
    case INSPECT_ROTATION:
        if (!channel->by_format && !channel->plain && channel->rotation == channel->column)
            advise_quaternion(advice, columns, channel->column);
        break;
    case INSPECT_VALUE:
    case INSPECT_QUALITY:
    case INSPECT_CONSTANT:
        break;
    }
}

bool inspect_filters(const struct inspect_table *table, size_t channel)
{
    const struct inspect_channel *inspected = &table->channel[channel];
    switch (inspected->kind) {
    case INSPECT_COUNT:
    case INSPECT_CLOCK:
    case INSPECT_MARK:
    case INSPECT_QUALITY:
        return false;
    case INSPECT_VALUE:
    case INSPECT_CONSTANT:
    case INSPECT_ANGLE:
    case INSPECT_ROTATION:
        break;
    }
    return !inspected->excluded && inspected->column != table->rows.grouped;
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

/* The smaller of `fewest` and the fewest values at different times that the channel has in a series. A series
 * with a single value does not count, since a single value chooses no half-life. */
static size_t count_fewest(const struct inspect_rows *rows, size_t channel, size_t fewest)
{
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
        fewest = known > 1 && known < fewest ? known : fewest;
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
                         table->rows.whole_times &&
                         !columns_holds_epoch(columns_at(plan->columns, plan->time));
    advice->assumed_count |= assumed && times->usual == 1;
    advice->assumed_ms |= assumed && times->usual >= 2 && times->usual <= 200;
}

/* Joins both lines of names. A count of rows then has another name, by which it is no longer known. */
static void advise_joined_names(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    advise(advice, "header", table->reading.header,
           "both lines of names are joined, so that each column has its own name");
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (plan_use(plan, i)->reason == REASON_COUNTER && columns->column[i].above)
            advise_column(advice, "exclude", columns, i, "counts rows");
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
    for (size_t k = 0; k < rows->nchannel; k++)
        advice->infinite |= has_infinite(table, &table->channel[k]);
    advice->audio = table->reader->format->family == FAMILY_AUDIO;
    advice->bytes += rows->whole ? cells * BYTES_A_CELL : (double)INFINITY;
    take_times(advice, table);
    if (table->told && table->times.usual > 0)
        advise_column(advice, "time", &table->reader->columns, table->reader->plan->time,
                      "Unix times: a filter uses them only with this option");
    find_cut(advice, table);
    for (size_t k = 0; k < rows->nchannel; k++) {
        advice->fewest = count_fewest(rows, k, advice->fewest);
        if (something && table->channel[k].column != rows->grouped)
            advise_channel(advice, table, &table->channel[k]);
    }
    if (rows->grouped != COLUMN_NONE && !is_advised(advice, "group-by"))
        advise_column(advice, "group-by", &table->reader->columns, rows->grouped,
                      "the rows of several series are mixed, and this column tells them apart");
    if (something && reading->mask[0] && !is_advised(advice, "mask")) {
        advise(advice, "mask", reading->mask, "uncertain points count as missing");
        for (size_t q = 0; q < rows->nquality; q++)
            advise_missing(advice, &rows->quality[q].texts);
        if (reading->header[0])
            advise_joined_names(advice, table);
    }
    if (reading->fill_rows > 0 && (advice->fill_rows == 0 || reading->fill_rows < advice->fill_rows))
        advice->fill_rows = reading->fill_rows;
}

/* --- the line --- */

/* Adds the options that were given to inspect. */
static void repeat_options(struct inspect_advice *advice, const struct column_choice *choice,
                           const struct input_options *in)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "min", "h", "frames" };
    const bool point = in->decimal && strcmp(in->decimal, ".") == 0;
    const struct {
        const char *name;
        const char *value;
    } texts[] = {
        { "from", in->from },       { "delimiter", in->delimiter },
        { "header", in->header },   { "comment", in->comment },
        { "records", in->records }, { "decimal", point ? NULL : in->decimal },
        { "time", choice->time },   { "columns", choice->columns },
        { "missing", in->missing }, { "exclude", choice->exclude },
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].value)
            advise(advice, texts[k].name, texts[k].value, given);
    if (in->no_header)
        advise(advice, "no-header", NULL, given);
    if (in->allow_truncated)
        advise(advice, "allow-truncated", NULL, given);
    if (in->analog)
        advise(advice, "analog", NULL, given);
    if (choice->time_unit != TIME_UNIT_NONE)
        advise(advice, "time-unit", units[choice->time_unit], given);
    if (choice->rate > 0) {
        char rate[40];
        snprintf(rate, sizeof rate, "%.15g", choice->rate);
        advise(advice, "rate", rate, given);
    }
}

static void free_option(struct inspect_option *option)
{
    free(option->value.bytes);
    free(option->why.bytes);
    *option = (struct inspect_option){ 0 };
}

/* Leaves --time out, which --rate contradicts; the column stays as it is. */
static void leave_out_time(struct inspect_advice *advice)
{
    const struct inspect_option *time = option_of(advice, "time");
    if (time->value.bytes)
        advise(advice, "exclude", time->value.bytes, "times, replaced by the row rate");
    free_option(option_of(advice, "time"));
    free_option(option_of(advice, "time-unit"));
}

static void advise_rate(struct inspect_advice *advice)
{
    char value[40], why[200];
    if (is_advised(advice, "rate"))
        return;
    if (advice->untimed && advice->dates > 0) {
        snprintf(value, sizeof value, "%zu", advice->dates);
        advise(advice, "time", value, "this column holds dates or times of day that rise");
    } else if (advice->untimed) {
        advise(advice, "rate", "1", "no time column found: put your rows per second here");
    }
    if (advice->untimed || advice->rate == 0 || is_advised(advice, "group-by"))
        return;
    snprintf(value, sizeof value, "%.10g", advice->rate);
    if (advice->nshared > 0)
        snprintf(why, sizeof why,
                 "%llu rows share their time with the row before: use this row rate instead of the times",
                 (unsigned long long)advice->nshared);
    else
        snprintf(why, sizeof why, "time goes backward in %llu row%s: use this row rate instead of the times",
                 (unsigned long long)advice->nbackward, error_plural(advice->nbackward));
    advise(advice, "rate", value, why);
    leave_out_time(advice);
}

static void advise_values(struct inspect_advice *advice)
{
    char value[40], why[200];
    if (advice->period > 0 && advice->period != 360) {
        snprintf(value, sizeof value, "%.16g", advice->period);
        advise(advice, "period", value, "a full turn, in radians");
    }
    if (advice->nspike > 0 && !advice->audio) {
        snprintf(value, sizeof value, "%d", INSPECT_DESPIKE);
        snprintf(why, sizeof why,
                 "bridges %llu spike%s: large ones only, never noise; 6 finds smaller ones, too",
                 (unsigned long long)advice->nspike, error_plural(advice->nspike));
        advise(advice, "despike", value, why);
    }
    if (advice->fill_rows > 0) {
        advise(advice, "gaps", "cubic", "fills gaps with a smooth curve");
        snprintf(value, sizeof value, "%llurows", (unsigned long long)advice->fill_rows);
        advise(advice, "max-gap", value, "leaves longer gaps empty");
    }
}

/* Returns the filter. */
static const char *advise_filter(struct inspect_advice *advice)
{
    const bool fits_memory = advice->bytes < MUCH_MEMORY;
    char value[40];
    if (fits_memory)
        advise(advice, "zero-phase", NULL, "no lag, as the whole file is known");
    if (fits_memory && advice->fewest >= CHOOSE_LEAST) {
        advise(advice, "cutoff", "auto", "chooses the cutoff of each channel from its noise");
        return "butterworth";
    }
    snprintf(value, sizeof value, "%.3g", STEPS * (advice->step > 0 ? advice->step : 1));
    advise(advice, "halflife", value,
           fits_memory ? "3 time steps, because there are too few values to measure the noise"
                       : "3 time steps, because auto would need too much memory for this file");
    return "critical";
}

/* The folder for the result, which must not be the folder of the file. */
static const char *output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    bool same = n >= 5 && strncmp(slash - 5, "clean", 5) == 0;
    return same ? "cleaned" : "clean";
}

/* --- facts --- */

static void say_checks(struct facts *facts, const struct inspect_advice *advice)
{
    if (advice->nrow > 0 && !advice->noisy && !advice->audio)
        facts_say(facts, "\ncheck",
                  advice->nspike > 0 || advice->fill_rows > 0
                      ? "almost no noise: smoothing changes little, apart from the spikes and gaps"
                      : "almost no noise: this file needs no filter, and the command changes little");
    if (advice->kept_row > 0 && !advice->audio)
        facts_say(
            facts, "\ncheck",
            "row %zu of \"%s\" may be a spike: --despike keeps it, since it has values on one side only; "
            "correct the value by hand if it is wrong",
            advice->kept_row, advice->kept);
    if (advice->assumed_count)
        facts_say(facts, "\ncheck",
                  "the times count 1, 2, 3: if they are frame numbers, add --time-unit frames --rate HZ");
    if (advice->assumed_ms)
        facts_say(facts, "\ncheck", "steps of %g s look like milliseconds: if they are, add --time-unit ms",
                  advice->step);
    if (advice->flicker[0])
        facts_say(facts, "\ncheck", "\"%s\" flickers between two places: do two markers share its name?",
                  advice->flicker);
}

/* Adds option k of the command. */
static void put_option(struct text *text, const struct inspect_advice *advice, size_t k)
{
    const struct text *value = &advice->option[k].value;
    text_put(text, "--%s", names[k]);
    if (value->bytes) {
        text_put(text, " ");
        text_word(text, value->bytes);
    }
}

static void put_name(struct text *line, const char *name)
{
    if (strcmp(name, "-") == 0)
        return;
    text_put(line, name[0] == '-' ? " -- " : " ");
    text_word(line, name);
}

/* Says how to keep or to smooth jumps. After a gap tracking would smooth, too, so gaps restart it. */
static void say_jumps(struct facts *facts, const struct inspect_advice *advice, const char *name)
{
    struct text line = { 0 };
    if (advice->njump == 0)
        return;
    text_put(&line, "sprung tracking");
    for (size_t k = 0; strcmp(names[k], "despike") != 0; k++)
        if (advice->option[k].why.n > 0) {
            text_put(&line, " ");
            put_option(&line, advice, k);
        }
    if (advice->cut[0]) {
        text_put(&line, " --cut-column ");
        text_word(&line, advice->cut);
    } else {
        text_put(&line, " --detect-cuts %d", INSPECT_JUMP);
    }
    text_put(&line, "%s -d 0", advice->longest > 0 ? " --gaps restart" : "");
    put_name(&line, name);
    char *command = text_take(&line);
    if (!command)
        facts->failed = true;
    else if (advice->cut[0])
        facts_say(facts, "\ncheck",
                  "%llu jump%s will be smoothed. To change only the jumps that \"%s\" marks: %s",
                  (unsigned long long)advice->njump, error_plural(advice->njump), advice->cut, command);
    else
        facts_say(
            facts, "\ncheck",
            "%llu jump%s will be smoothed. To keep cuts between takes, number the takes in a column and "
            "give --group-by COLUMN. To change only the jumps: %s",
            (unsigned long long)advice->njump, error_plural(advice->njump), command);
    free(command);
}

/* Adds the command and its options. */
static void add_command(struct facts *facts, const struct inspect_advice *advice, const char *filter,
                        const char *name)
{
    struct text line = { 0 }, words[INSPECT_OPTIONS] = { { 0 } };
    text_put(&line, "sprung %s", filter);
    for (size_t k = 0; k < INSPECT_OPTIONS; k++) {
        if (advice->option[k].why.n == 0)
            continue;
        put_option(&words[k], advice, k);
        text_put(&line, " %s", words[k].bytes ? words[k].bytes : "");
    }
    put_name(&line, name);
    facts_text(facts, "command", line.bytes ? line.bytes : "");
    facts_open(facts, FACT_ARRAY, "options");
    for (size_t k = 0; k < INSPECT_OPTIONS; k++) {
        const struct inspect_option *option = &advice->option[k];
        if (!words[k].bytes || !option->why.bytes)
            continue;
        facts_open(facts, FACT_OBJECT, NULL);
        facts_text(facts, "option", words[k].bytes);
        facts_text(facts, "reason", option->why.bytes);
        facts_close(facts);
        facts->failed = facts->failed || words[k].failed || option->value.failed || option->why.failed;
        free(words[k].bytes);
    }
    facts_close(facts);
    facts->failed = facts->failed || line.failed;
    free(line.bytes);
}

void inspect_facts_of_advice(struct facts *facts, struct inspect_advice *advice, const char *name,
                             const struct column_choice *choice, const struct input_options *options)
{
    say_checks(facts, advice);
    if (advice->nrow == 0)
        facts_say(facts, "\nadvice", "there are no rows to filter");
    else if (advice->hopeless && advice->infinite)
        facts_say(facts, "\nadvice", "no column can be filtered: correct the infinite values first");
    else if (advice->hopeless)
        facts_say(
            facts, "\nadvice",
            "no column can be filtered: give --columns, or --missing for texts that mean a missing value");
    if (advice->nrow == 0 || advice->hopeless) {
        facts_open(facts, FACT_ARRAY, "options");
        facts_close(facts);
        return;
    }
    repeat_options(advice, choice, options);
    advise_rate(advice);
    advise_values(advice);
    say_jumps(facts, advice, name);
    const char *filter = advise_filter(advice);
    if (strcmp(name, "-") == 0)
        advise(advice, "derivatives", "0", "adds no columns");
    else
        advise(advice, "output-dir", output_folder(name),
               "writes the result there, under the same name and with the same columns");
    add_command(facts, advice, filter, name);
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < INSPECT_OPTIONS; k++)
        free_option(&advice->option[k]);
}
