/* What --verbose says about a job. See stages.h. */
#include "run/stages.h"

#include "base/text.h"
#include "springs/filter_words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the range of neighbouring channels from column `first` on. Returns the last column of the range. */
static size_t print_channels(const struct stages *stages, size_t first)
{
    const struct table *table = &stages->reader->table;
    size_t last = first;
    while (last + 1 < table->ncolumn && table_filters(table, last + 1))
        last++;
    const struct column *from = &table->column[first], *to = &table->column[last];
    if (first == last)
        reader_tell(stages->reader, "channel \"%s\" (column %zu)", from->name, from->position);
    else
        reader_tell(stages->reader, "channels %zu-%zu: \"%s\" to \"%s\"", from->position, to->position,
                    from->name, to->name);
    return last;
}

enum { CLEANED_LINE = 200 };

/* Adds ", 3 spikes bridged", unless the number is 0. */
static void add_count(char line[CLEANED_LINE], uint64_t n, const char *what, const char *done)
{
    if (n > 0)
        text_append(line, CLEANED_LINE, "%s%llu %s%s %s", line[0] ? ", " : "", (unsigned long long)n, what,
                    error_plural(n), done);
}

/* Prints what was cleaned in a channel, if anything. */
static void print_cleaned(const struct stages *stages, size_t channel)
{
    const struct channel_count *count = &stages->channel_count[channel];
    char line[CLEANED_LINE] = "";
    add_count(line, count->masked, "value", "masked");
    add_count(line, count->spikes - count->emptied, "spike", "bridged");
    add_count(line, count->emptied, "spike", "made missing");
    add_count(line, count->filled, "missing value", "filled");
    add_count(line, count->kept, "possible spike", "kept");
    if (line[0])
        reader_tell(stages->reader, "channel \"%s\": %s",
                    table_channel(&stages->reader->table, channel)->name, line);
}

static void warn_of_kept_spikes(const struct stages *stages)
{
    const struct table *table = &stages->reader->table;
    const struct channel_count *count = stages->channel_count;
    uint64_t kept = 0;
    size_t first = 0; /* the channel with the first row */
    for (size_t channel = 0; channel < table->nchannel; channel++) {
        kept += count[channel].kept;
        if (count[channel].kept > 0 &&
            (count[first].kept == 0 || count[channel].kept_at < count[first].kept_at))
            first = channel;
    }
    if (kept > 0)
        reader_tell(
            stages->reader,
            "warning: row %llu of \"%s\" may be a spike, but is kept: too few values on one side to tell "
            "(%llu such value%s)",
            (unsigned long long)count[first].kept_at, table_channel(table, first)->name,
            (unsigned long long)kept, error_plural(kept));
}

void job_summary_warn(const struct stages *stages)
{
    const unsigned long long left_out = stages->core.left_out;
    if (left_out > 0)
        reader_tell(stages->reader, "%llu row%s left out", left_out, left_out == 1 ? " was" : "s were");
    if (stages_clean(stages))
        warn_of_kept_spikes(stages);
}

/* Prints the options of the filter and equivalent options. */
static void print_parameters(const struct stages *stages)
{
    const struct job_filter *given = &stages->config->filter;
    char line[PARAMETERS_LINE];
    parameters_given(given->filter, given->settings, line);
    reader_tell(stages->reader, "%s", line);
    if (parameters_equivalent(given->filter, given->settings, given->zero_phase, line))
        reader_tell(stages->reader, "%s", line);
}

void job_summary_print(const struct stages *stages)
{
    const struct table *table = &stages->reader->table;
    char time[200];
    print_parameters(stages);
    if (table->time == COLUMN_NONE)
        snprintf(time, sizeof time, "%.15g rows per second", table->row_rate);
    else
        table_describe_time(table, time, sizeof time);
    reader_tell(stages->reader, "%s, %zu column%s, time: %s", stages->reader->format->name, table->ncolumn,
                error_plural(table->ncolumn), time);
    if (!isnan(stages->config->resample))
        reader_tell(stages->reader, "resampled to %.15g rows per second", stages->config->resample);
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table_column(table, i)->role == ROLE_CHANNEL)
            i = print_channels(stages, i);
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        if (use->role == ROLE_CHANNEL)
            print_cleaned(stages, use->value);
    }
    const uint64_t rows = stages->core.nrow, gaps = stages->core.ngap, cuts = stages->core.ncut,
                   groups = stages->groups.ngroup;
    reader_tell(stages->reader, "%llu row%s, %llu missing value%s, %llu cut%s, %llu group%s",
                (unsigned long long)rows, error_plural(rows), (unsigned long long)gaps, error_plural(gaps),
                (unsigned long long)cuts, error_plural(cuts), (unsigned long long)groups,
                error_plural(groups));
}
