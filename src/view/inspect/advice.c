/* The advised command. See report.h. */
#include "view/inspect/report.h"

#include "whole/kinds/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds an option to the command, or a value to its list. value NULL: the option has none. */
static void advise(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    size_t k = 0;
    while (k < advice->noption && strcmp(advice->option[k].name, name) != 0)
        k++;
    if (k == INSPECT_OPTIONS)
        return;
    struct inspect_option *option = &advice->option[k];
    advice->noption += k == advice->noption;
    option->name = name;
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

/* --- a table --- */

static void take_channel(struct inspect_advice *advice, const struct inspect_table *table, size_t k)
{
    const struct inspect_channel *channel = &table->channel[k];
    const bool marker = inspect_is_marker(table, k);
    char number[COLUMNS_NUMBER];
    const struct table *columns = &table->reader->table;
    const char *entry = columns_entry(columns, columns->channel[k], number);
    if (channel->out) {
        advise(advice, "exclude", entry, channel->out);
        return;
    }
    if (channel->wraps)
        advise(advice, "angles", entry, "these angles wrap");
    advice->marker_spikes |= marker && channel->nspike > 0;
    advice->other_spikes |= !marker && channel->nspike > 0;
}

/* Advises a rate where rows have no times. Whole numbers that are read as seconds may be milliseconds. */
static void take_times(struct inspect_advice *advice, const struct inspect_table *table)
{
    enum { LEAST = 2, MOST = 50 }; /* milliseconds from row to row */
    const struct table *columns = &table->reader->table;
    const double step = table->times.usual;
    if (columns->time == COLUMN_NONE && table->times.rate == 0)
        advise(advice, "rate", "1", "no time column found: replace 1 by the rows per second");
    if (columns->time != COLUMN_NONE && !columns->unit_why && columns->form == TIMESTAMP_NUMBER &&
        table->rows.whole_times && step >= LEAST && step <= MOST &&
        !family_states_seconds(table->reader->format->family) &&
        !columns_holds_epoch(table_column(columns, columns->time)))
        advise(advice, "time-unit", "ms", "the steps look like milliseconds; for seconds leave this out");
}

/* Says why a table allows no command. */
static void take_refusal(struct inspect_advice *advice, const struct inspect_table *table)
{
    struct text *why = &advice->why_not;
    bool something = table->rows.nrow == 0;
    char number[COLUMNS_NUMBER];
    const struct inspect_texts *text = table->rows.texts; /* of the first channel with texts */
    for (size_t k = 0; k < table->nchannel; k++) {
        something = something || !table->channel[k].out;
        text += text->n == 0 && k + 1 < table->nchannel;
    }
    if (why->n > 0)
        return;
    if (table->rows.nseries == 1 && clock_is_coarse(table->times.nequal, table->rows.nrow)) {
        text_put(why, "many rows have the same time as the row before: try --time COLUMN with another clock, "
                      "--group-by COLUMN if a column names the series of each row, or --rate HZ");
    } else if (table->rows.nbackward > 0 && table->reader->options->bad_rows != BAD_ROWS_SKIP) {
        text_put(why,
                 "time goes backward: --bad-rows skip leaves such rows out; if a column names the series "
                 "of each row, --group-by COLUMN keeps series apart");
    } else if (!something && text->n > 0 && family_holds_texts(table->reader->format->family)) {
        text_put(why, "no column of numbers is left: if \"%s\" means a gap, add --missing ", text->first);
        text_word(why, text->first);
    } else if (!something) {
        text_put(why, "no column that looks like motion can be filtered: --columns NAME takes one anyway");
    } else if (table->rows.alternate) {
        text_put(why, "the rows seem to be those of several series: try --group-by ");
        text_word(why, columns_entry(&table->reader->table, table->rows.joined, number));
    }
}

void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    char number[COLUMNS_NUMBER];
    advice->rows |= rows->nrow > 0;
    advice->nsmoothed += table->nsmoothed;
    advice->doubtful |= table->stays[STAYS_NOT].n > 0;
    advice->gaps |= table->gaps;
    advice->period = advice->period > 0 ? advice->period : table->period;
    take_refusal(advice, table);
    if (rows->grouped != COLUMN_NONE)
        advise(advice, "group-by", columns_entry(&table->reader->table, rows->grouped, number),
               "the rows are those of several series, told apart by this column");
    for (size_t k = 0; k < table->nchannel; k++)
        take_channel(advice, table, k);
    if (table->found_mask[0])
        advise(advice, "mask", table->found_mask, "uncertain values count as missing");
    for (size_t i = 0; i < table->nsentinel; i++)
        advise_number(advice, "missing", table->sentinel[i],
                      "a missing value: channels jump to this number and back");
    take_times(advice, table);
}

/* --- the command --- */

void inspect_advice_begin(struct inspect_advice *advice, const struct inspect_options *options)
{
    for (size_t k = 0; k < options->ngiven; k++)
        advise(advice, options->given[k].option, options->given[k].value, "as given");
}

void inspect_put_option(struct text *line, const struct inspect_option *option)
{
    text_put(line, "--%s", option->name);
    if (option->value.bytes) {
        text_put(line, " ");
        text_word(line, option->value.bytes);
    }
}

void inspect_advice_finish(struct inspect_advice *advice, const char *name)
{
    struct text *line = &advice->command;
    const bool standard = strcmp(name, "-") == 0;
    const bool despikes = advice->marker_spikes && !advice->other_spikes;
    if (!advice->rows)
        text_put(&advice->why_not, "there are no rows to filter");
    else if (advice->nsmoothed == 0 && !advice->gaps && !despikes && advice->why_not.n == 0)
        text_put(&advice->why_not, "--cutoff auto %s: to smooth, choose a --cutoff HZ",
                 advice->doubtful ? "cannot tell noise from motion here"
                                  : "would copy each channel unchanged");
    if (advice->why_not.n > 0)
        return;
    if (advice->period > 0 && advice->period != 360)
        advise_number(advice, "period", advice->period, "a full turn, in radians");
    if (despikes)
        advise_number(advice, "despike", INSPECT_DESPIKE,
                      "bridges large spikes only, never noise; 6 finds smaller ones, too");
    if (advice->gaps) {
        advise(advice, "gaps", "fill", "fills gaps with the smoothed curve");
        advise(advice, "max-gap", "10rows", "leaves longer gaps empty");
    }
    advise(advice, "zero-phase", NULL, "no lag, as the whole file is known");
    advise(advice, "cutoff", "auto",
           advice->nsmoothed ? "chooses the cutoff of each channel from its noise"
                             : "smooths little here (see check): to smooth, replace auto by a frequency");
    if (standard)
        advise(advice, "derivatives", "0", "adds no columns");
    else /* not into the folder of the file */
        advise(advice, "output-dir", strstr(name, "clean/") ? "cleaned" : "clean",
               "writes the result there, under the same name and with the same columns");
    text_put(line, "sprung butterworth");
    for (size_t k = 0; k < advice->noption; k++) {
        text_put(line, " ");
        inspect_put_option(line, &advice->option[k]);
    }
    if (standard)
        return;
    text_put(line, name[0] == '-' ? " -- " : " ");
    text_word(line, name);
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < advice->noption; k++) {
        free(advice->option[k].value.bytes);
        free(advice->option[k].why.bytes);
    }
    free(advice->command.bytes);
    free(advice->why_not.bytes);
}
