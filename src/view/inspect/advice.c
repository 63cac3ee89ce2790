/* See advice.h. */
#include "view/inspect/advice.h"

#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options and notes --- */

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

/* The option, if it is part of the command; else NULL. */
static struct inspect_option *find_option(struct inspect_advice *advice, const char *name)
{
    for (size_t k = 0; k < advice->noption; k++)
        if (strcmp(advice->option[k].name, name) == 0)
            return &advice->option[k];
    return NULL;
}

/* Adds an option to the command, or a value to its list. value NULL: the option has none. */
static void advise(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    struct inspect_option *option = find_option(advice, name);
    if (!option && advice->noption == INSPECT_OPTIONS)
        return;
    if (!option) {
        option = &advice->option[advice->noption++];
        option->name = name;
    }
    if (value)
        join(&option->value, ",", value);
    join(&option->why, ", ", why);
}

static void advise_number(struct inspect_advice *advice, const char *name, double x, const char *why)
{
    char value[40];
    snprintf(value, sizeof value, "%.16g", x);
    advise(advice, name, value, why);
}

static void add_note(struct inspect_advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_note(struct inspect_advice *advice, const char *format, ...)
{
    va_list args;
    if (advice->nnote == INSPECT_NOTES)
        return;
    va_start(args, format);
    text_put_arguments(&advice->note[advice->nnote++], format, args);
    va_end(args);
}

static void refuse(struct inspect_advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the first reason for no command. */
static void refuse(struct inspect_advice *advice, const char *format, ...)
{
    va_list args;
    if (advice->why_not.n > 0)
        return;
    va_start(args, format);
    text_put_arguments(&advice->why_not, format, args);
    va_end(args);
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < advice->noption; k++) {
        free(advice->option[k].value.bytes);
        free(advice->option[k].why.bytes);
    }
    for (size_t k = 0; k < advice->nnote; k++)
        free(advice->note[k].bytes);
    free(advice->command.bytes);
    free(advice->why_not.bytes);
}

/* --- a table --- */

static void take_channel(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct inspect_channel *channel = &table->channel[k];
    const struct unit *unit = units_of(&table->units, k);
    char number[COLUMNS_NUMBER];
    const char *entry = columns_entry(&table->reader->table, channel->index, number);
    if (channel->out) {
        advise(advice, "exclude", entry, channel->out);
        return;
    }
    if (table->rows.texts[k].n > 0)
        advise(advice, "missing", table->rows.texts[k].first, "this text means a missing value");
    if (channel->wraps)
        advise(advice, "angles", entry, "these angles wrap");
    if (unit->kind != UNIT_VECTOR || !inspect_has_markers(table->reader->format))
        advice->other_spikes |= channel->nspike > 0;
    else if (unit->channel[0] == k)
        advice->nspike += channel->nspike;
}

static void take_values(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    char number[COLUMNS_NUMBER];
    if (rows->grouped != COLUMN_NONE)
        advise(advice, "group-by", columns_entry(&table->reader->table, rows->grouped, number),
               "the rows of several series are mixed, and this column tells them apart");
    for (size_t k = 0; k < table->nchannel; k++)
        take_channel(advice, table, k);
    if (table->found_mask[0]) {
        advise(advice, "mask", table->found_mask, "uncertain points count as missing");
        for (size_t k = table->nchannel; k < rows->nvalue; k++)
            if (rows->texts[k].n > 0)
                advise(advice, "missing", rows->texts[k].first, "this text means a missing value");
    }
    for (size_t i = 0; i < table->nsentinel; i++)
        advise_number(advice, "missing", table->sentinel[i], "a value that channels jump to and back from");
    if (table->fill_rows > 0 && (advice->fill_rows == 0 || table->fill_rows < advice->fill_rows))
        advice->fill_rows = table->fill_rows;
    advice->period = advice->period > 0 ? advice->period : table->period;
}

/* Advises a rate where rows have no times of use. What the user gave stays. */
static void take_rate(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool timed = table->reader->table.time != COLUMN_NONE;
    const unsigned long long shared = times->nequal;
    char why[120];
    if (!timed && times->rate == 0)
        advise(advice, "rate", "1", "no time column found: put your rows per second here");
    if (table->rate == 0 || find_option(advice, "rate"))
        return;
    if (find_option(advice, "time")) {
        add_note(advice,
                 "%llu rows share their time with the row before: use --rate %.10g in place of --time",
                 shared, table->rate);
        return;
    }
    snprintf(why, sizeof why,
             "%llu rows share their time with the row before: use this row rate instead of the times",
             shared);
    advise_number(advice, "rate", table->rate, why);
}

/* Whole numbers that are read as seconds may be milliseconds or frames. */
static void take_unit(struct inspect_advice *advice, const struct inspect_table *table)
{
    enum { LEAST = 2, MOST = 50 }; /* milliseconds from row to row */
    const struct table *columns = &table->reader->table;
    const double step = table->times.usual;
    const bool assumed = columns->time != COLUMN_NONE && columns->unit_reason == UNIT_ASSUMED &&
                         columns->form == TIMESTAMP_NUMBER && table->rows.whole_times &&
                         !family_states_seconds(table->reader->format->family) &&
                         !columns_holds_epoch(table_column(columns, columns->time));
    if (assumed && step == 1)
        add_note(advice,
                 "the times count 1, 2, 3: if they are frame numbers, add --time-unit frames --rate HZ");
    else if (assumed && step >= LEAST && step <= MOST)
        advise(advice, "time-unit", "ms", "the steps look like milliseconds; for seconds leave this out");
}

/* Says why a table allows no command. */
static void take_refusal(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool texts = family_holds_texts(table->reader->format->family);
    bool something = false, unread = false;
    for (size_t k = 0; k < table->nchannel; k++) {
        something = something || inspect_filters(table, k);
        unread = unread || table->rows.texts[k].n > 0;
    }
    const char *what = "no column looks like motion: choose some with --columns";
    if (unread)
        what = texts ? "no column can be filtered: give --missing for texts that mean a missing value"
                     : "no column can be filtered: correct the infinite values first";
    if (table->rows.nrow > 0 && !something)
        refuse(advice, "%s", what);
    if (times->nbackward > 0)
        refuse(advice,
               "time goes backward in %llu row%s (first: row %zu): where a column names the series of a row, "
               "give --group-by COLUMN; else --rate HZ numbers the rows",
               (unsigned long long)times->nbackward, error_plural(times->nbackward), times->backward_row);
}

void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table)
{
    advice->rows |= table->rows.nrow > 0;
    advice->enough |= !table->few;
    advice->noisy |= !table->quiet || table->reader->format->family == FAMILY_AUDIO;
    take_refusal(advice, table);
    take_values(advice, table);
    take_rate(advice, table);
    take_unit(advice, table);
}

/* --- the command --- */

void inspect_advice_begin(struct inspect_advice *advice, const struct inspect_request *request)
{
    for (size_t k = 0; k < request->ngiven; k++)
        advise(advice, request->given[k].option, request->given[k].value, "as given");
}

static void advise_cleaning(struct inspect_advice *advice)
{
    const bool despike = advice->nspike > 0 && !advice->other_spikes;
    char value[40], why[120];
    if (advice->period > 0 && advice->period != 360)
        advise_number(advice, "period", advice->period, "a full turn, in radians");
    if (despike) {
        snprintf(why, sizeof why,
                 "bridges %llu spike%s: large ones only, never noise; 6 finds smaller ones, too",
                 (unsigned long long)advice->nspike, error_plural(advice->nspike));
        advise_number(advice, "despike", INSPECT_DESPIKE, why);
    }
    if (advice->fill_rows > 0) {
        advise(advice, "gaps", "fill", "fills gaps with the smoothed curve");
        snprintf(value, sizeof value, "%zurows", advice->fill_rows);
        advise(advice, "max-gap", value, "leaves longer gaps empty");
    }
    if (!advice->noisy)
        add_note(advice, despike || advice->fill_rows > 0
                             ? "almost no noise: smoothing changes little, apart from the spikes and gaps"
                             : "almost no noise: this file needs no filter, and the command changes little");
}

/* The folder for the result, which must not be the folder of the file. */
static const char *output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    bool same = n >= 5 && strncmp(slash - 5, "clean", 5) == 0;
    return same ? "cleaned" : "clean";
}

void inspect_put_option(struct text *line, const struct inspect_option *option)
{
    text_put(line, "--%s", option->name);
    if (option->value.bytes) {
        text_put(line, " ");
        text_word(line, option->value.bytes);
    }
}

static void write_command(struct inspect_advice *advice, const char *name)
{
    struct text *line = &advice->command;
    text_put(line, "sprung butterworth");
    for (size_t k = 0; k < advice->noption; k++) {
        text_put(line, " ");
        inspect_put_option(line, &advice->option[k]);
    }
    if (strcmp(name, "-") == 0)
        return;
    text_put(line, name[0] == '-' ? " -- " : " ");
    text_word(line, name);
}

void inspect_advice_finish(struct inspect_advice *advice, const char *name)
{
    if (!advice->rows)
        refuse(advice, "there are no rows to filter");
    if (!advice->enough)
        refuse(advice, "no channel has %d values in a series: too few to find its noise; give a --cutoff HZ",
               CHOOSE_LEAST);
    if (advice->why_not.n > 0)
        return;
    advise_cleaning(advice);
    advise(advice, "zero-phase", NULL, "no lag, as the whole file is known");
    advise(advice, "cutoff", "auto", "chooses the cutoff of each channel from its noise");
    if (strcmp(name, "-") == 0)
        advise(advice, "derivatives", "0", "adds no columns");
    else
        advise(advice, "output-dir", output_folder(name),
               "writes the result there, under the same name and with the same columns");
    write_command(advice, name);
}
