/* The report of inspect for people, in lines of 80 characters. See report.h. */
#include "base/braille.h"
#include "base/port.h"
#include "base/style.h"
#include "base/utf8.h"
#include "formats/csv/csv.h"
#include "io/source.h"
#include "series/smooth_pass.h"
#include "view/inspect/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 80,
    LABEL = 10,      /* characters before the words of a line: "format    " */
    ROLE = 16,       /* characters before the words about columns: "  not filtered  " */
    OPTION = 25,     /* characters before the reason for an option */
    ROLE_NAME = 30,  /* most characters of a column's name among the roles */
    NAME = 20,       /* and among the values */
    SPARK = 20,      /* characters of the picture of a channel */
    NUMBER = 12,     /* characters of the least and of the most number */
    MOST_LINES = 12, /* lines of columns, and of values, without --verbose */
    WORDS = 400      /* bytes of the words about a column */
};

/* --- lines --- */

/* Adds a line, or several of WIDTH characters, after a label. */
__attribute__((format(printf, 3, 4))) static void put_line(struct text *page, const char *label,
                                                           const char *format, ...)
{
    struct text words = { 0 }, shown = { 0 };
    va_list args;
    va_start(args, format);
    text_put_arguments(&words, format, args);
    va_end(args);
    messages_escape(&shown, words.bytes ? words.bytes : "", words.n);
    text_put(page, "%-*s", LABEL, label);
    text_fill(page, shown.bytes ? shown.bytes : "", LABEL, LABEL, WIDTH);
    page->failed = page->failed || words.failed || shown.failed;
    free(words.bytes);
    free(shown.bytes);
}

/* A name, escaped and cut in the middle to at most `most` characters. */
static const char *short_name(const char *name, size_t most, char shown[200])
{
    error_escape(name, strlen(name), shown, 199);
    utf8_cut(shown, most);
    return shown;
}

/* --- the file --- */

void inspect_page_file(struct text *page, const struct reader *reader, const char *name)
{
    const struct csv *csv = reader->state;
    char shown[400], cells[40] = "";
    error_escape(name, strlen(name), shown, sizeof shown);
    text_put(page, "%s%s%s\n", style_text(PORT_STDOUT, STYLE_NAME), source_shown(shown),
             style_text(PORT_STDOUT, STYLE_PLAIN));
    if (reader->format->family == FAMILY_TEXT)
        snprintf(cells, sizeof cells, ", separated by \"%c\"", csv->delimiter);
    put_line(page, "format", "%s%s, %zu column%s", reader->format->name, cells, reader->table.ncolumn,
             error_plural(reader->table.ncolumn));
}

/* --- times and rows --- */

/* Where the times come from. */
static void put_time(struct text *page, const struct inspect_table *table)
{
    const struct table *columns = &table->reader->table;
    char words[400] = "";
    if (columns->time != COLUMN_NONE)
        table_describe_time(columns, words, sizeof words);
    if (columns->time != COLUMN_NONE && !columns->unit_why && columns->time_unit.rate == 0)
        text_append(words, sizeof words, ", in s (%s)",
                    family_states_seconds(table->reader->format->family) ? "by the format" : "assumed");
    if (words[0])
        put_line(page, "time", "%s", words);
    else if (table->times.rate > 0)
        put_line(page, "time", "%.10g row%s per second", table->times.rate,
                 table->times.rate == 1 ? "" : "s");
    else
        put_line(page, "time",
                 "no time column and no rate: row numbers count as times (give --rate HZ or --time COLUMN)");
}

/* What is odd about the times. */
static void put_steps(struct text *page, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool timed = table->reader->table.time != COLUMN_NONE;
    if (timed && times->even && times->rate > 0)
        put_line(page, "", "even, %.10g row%s per second", times->rate, times->rate == 1 ? "" : "s");
    else if (timed && times->usual > 0)
        put_line(page, "", "uneven steps of %.5g to %.5g s, usually %.5g s", times->least, times->most,
                 times->usual);
    if (times->nlong > 0)
        put_line(page, "", "%llu long step%s (longest: %.5g s before row %zu)",
                 (unsigned long long)times->nlong, error_plural(times->nlong), times->most, times->most_row);
    if (times->nequal > 0)
        put_line(page, "", "%llu row%s the time of the row before", (unsigned long long)times->nequal,
                 times->nequal == 1 ? " has" : "s have");
    if (table->rows.nbackward > 0)
        put_line(page, "", "time goes backward in %llu row%s (first: row %zu)",
                 (unsigned long long)table->rows.nbackward, error_plural(table->rows.nbackward),
                 table->rows.backward_row);
}

static void put_rows(struct text *page, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct table *columns = &table->reader->table;
    char words[400], number[COLUMNS_NUMBER], quoted[TEXT_WORD];
    snprintf(words, sizeof words, "%s%zu", rows->whole ? "" : "the first ", rows->nrow);
    if (rows->nrow > 1 && rows->timed)
        text_append(words, sizeof words, ", %.5g s", table->times.span);
    if (rows->nseries > 1)
        text_append(words, sizeof words, ", %zu series", rows->nseries);
    if (rows->grouped != COLUMN_NONE)
        text_append(words, sizeof words, " by column \"%.100s\"", columns->column[rows->grouped].name);
    put_line(page, "rows", "%s", words);
    if (rows->joined_row > 0)
        put_line(page, "",
                 "values jump where \"%.100s\" changes (farthest: row %zu); if these are separate "
                 "takes: --group-by %s",
                 columns->column[rows->joined].name, rows->joined_row,
                 text_quoted(quoted, columns_entry(columns, rows->joined, number)));
}

/* --- columns --- */

/* What the advised command does with a column. */
static const char *role_of(const struct inspect_table *table, size_t i)
{
    static const char *const roles[] = {
        [ROLE_PASS] = "not filtered", [ROLE_CHANNEL] = "filtered", [ROLE_TIME] = "time",
        [ROLE_GROUP] = "group",       [ROLE_CUT] = "cuts",         [ROLE_READ] = "for --mask",
    };
    const struct column *column = table_column(&table->reader->table, i);
    const bool out = column->role == ROLE_CHANNEL && table->channel[column->value].out;
    return out ? "to exclude" : roles[column->role];
}

/* The words about a column, escaped: the reason for its role, its numbers, why the command excludes it. */
static void describe(const struct inspect_table *table, size_t i, char words[WORDS])
{
    const struct column *column = table_column(&table->reader->table, i);
    words[0] = 0;
    if (column->why != why_number && column->role != ROLE_READ)
        text_append(words, WORDS, "%s", column->why);
    if (column->role != ROLE_CHANNEL)
        return;
    const struct inspect_channel *channel = &table->channel[column->value];
    const struct inspect_texts *texts = &table->rows.texts[column->value];
    const char *kind = channel->out ? channel->out : units_of(&table->units, column->value)->kind->part;
    text_append(words, WORDS, "%s%s", words[0] && kind[0] ? ", " : "", kind);
    if (channel->wraps)
        text_append(words, WORDS, ", wraps at %.6g", table->period);
    if (texts->n > 0)
        text_append(words, WORDS, "%sfirst \"%s\" in row %zu", words[0] ? ", " : "", texts->first,
                    texts->row);
}

/* A line for n columns side by side: "x", "x, y", or "x … z, 12 columns". */
static void put_role(struct text *page, const struct inspect_table *table, size_t first, size_t n,
                     const char *words)
{
    const struct column *column = table->reader->table.column;
    struct text line = { 0 };
    char shown[200];
    text_put(&line, "%s", short_name(column[first].name, ROLE_NAME, shown));
    if (n > 1)
        text_put(&line, "%s%s", n == 2 ? ", " : " \xE2\x80\xA6 ",
                 short_name(column[first + n - 1].name, ROLE_NAME, shown));
    if (n > 2)
        text_put(&line, ", %zu columns", n);
    if (words[0])
        text_put(&line, " (%s)", words);
    text_put(page, "  %-*s", ROLE - 2, role_of(table, first));
    text_fill(page, line.bytes ? line.bytes : "", ROLE, ROLE, WIDTH);
    free(line.bytes);
}

/* A line for the columns side by side that have the same role for the same reason. */
static void put_columns(struct text *page, const struct inspect_table *table, bool all)
{
    const size_t n = table->reader->table.ncolumn;
    char words[WORDS], next[WORDS];
    size_t nline = 0;
    text_put(page, "columns\n");
    for (size_t first = 0, end; first < n; first = end) {
        describe(table, first, words);
        for (end = first + 1; end < n; end++) {
            describe(table, end, next);
            if (role_of(table, end) != role_of(table, first) || strcmp(words, next) != 0)
                break;
        }
        if (!all && ++nline > MOST_LINES) {
            text_put(page, "  and %zu more columns: --verbose\n", n - first);
            return;
        }
        put_role(page, table, first, end - first, words);
    }
}

/* --- values --- */

/* A line a channel: range and faults; without `all` of the first channels. */
static void put_values(struct text *page, const struct inspect_table *table, bool all)
{
    const size_t n = all || table->nchannel < MOST_LINES ? table->nchannel : MOST_LINES;
    char title[80] = "values", shown[200];
    if (n == 0 || table->rows.nrow == 0)
        return;
    if (n < table->nchannel)
        snprintf(title, sizeof title, "values (%zu of %zu; all: -v)", n, table->nchannel);
    text_put(page, "%-*s%*s%*s empty spikes\n", NAME + SPARK + 3, title, NUMBER, "least", NUMBER, "most");
    for (const struct inspect_channel *c = table->channel; c < table->channel + n; c++) {
        const char *name = short_name(c->column->name, NAME, shown);
        text_put(page, "  %s%*s", name, (int)(NAME + 1 - utf8_count(name, strlen(name))), "");
        braille_curve(page, inspect_value(&table->rows, (size_t)(c - table->channel)), table->rows.nrow,
                      SPARK);
        if (isnan(c->least))
            text_put(page, "%*s%*s", NUMBER, "-", NUMBER, "-");
        else
            text_put(page, "%*.5g%*.5g", NUMBER, c->least + 0.0, NUMBER, c->most + 0.0);
        text_put(page, "%6llu%7llu\n", (unsigned long long)c->nmissing, (unsigned long long)c->nspike);
    }
}

/* Where the longest gap and the first spike are. A channel without a value has no gap to fill. */
static void put_places(struct text *page, const struct inspect_table *table)
{
    const struct inspect_channel none = { .spike_row = SIZE_MAX };
    const struct inspect_channel *gap = &none, *spike = &none;
    for (const struct inspect_channel *c = table->channel; c < table->channel + table->nchannel; c++) {
        if (!isnan(c->least) && c->longest > gap->longest)
            gap = c;
        if (c->nspike > 0 && c->spike_row < spike->spike_row)
            spike = c;
    }
    if (gap->longest > 0)
        put_line(page, "", "longest gap: %zu row%s of \"%.60s\" from row %zu", gap->longest,
                 error_plural(gap->longest), gap->column->name, gap->longest_row);
    if (spike->nspike > 0)
        put_line(page, "", "first spike: row %zu of \"%.60s\"%s", spike->spike_row, spike->column->name,
                 inspect_is_marker(table, (size_t)(spike - table->channel))
                     ? ""
                     : "; it may be real: add --despike 6 only if it is an error");
}

/* Where --cutoff auto smooths nothing without doubt: what it copies unchanged or smooths in doubt, in the
 * words of the filter. */
static void put_stays(struct text *page, const struct inspect_table *table)
{
    for (size_t why = 0; why <= STAYS_STANDING_OUT && table->nsmoothed == 0; why++) {
        const struct inspect_stays *stays = &table->stays[why];
        const char *words = smooth_stays_words((enum cutoff_stays)why);
        char more[60] = "";
        if (stays->n > 1)
            snprintf(more, sizeof more, " and %zu more", stays->n - 1);
        if (stays->n > 0 && words)
            put_line(page, "check", "channel \"%s\"%s: %s", table->channel[stays->first].column->name, more,
                     words);
    }
}

void inspect_page_table(struct text *page, const struct inspect_table *table, bool all)
{
    if (table->reader->part) {
        text_put(page, "\n");
        put_line(page, "table", "%s", table->reader->part);
    }
    put_time(page, table);
    put_steps(page, table);
    put_rows(page, table);
    put_columns(page, table, all);
    put_values(page, table, all);
    put_places(page, table);
    put_stays(page, table);
}

/* --- the advice --- */

/* Without a command the options about reading are told, which other commands need, too. */
void inspect_page_advice(struct text *page, const struct inspect_advice *advice)
{
    const bool refused = advice->why_not.n > 0;
    text_put(page, "\n");
    if (refused)
        put_line(page, "advice", "%s", advice->why_not.bytes);
    else
        text_put(page, "To clean it:\n\n  %s\n\n", advice->command.bytes ? advice->command.bytes : "");
    for (size_t k = 0; k < advice->noption; k++) {
        const struct inspect_option *option = &advice->option[k];
        const size_t before = page->n;
        if (refused && strcmp(option->name, "exclude") == 0)
            continue;
        text_put(page, "  ");
        inspect_put_option(page, option);
        size_t wide = page->failed ? 0 : utf8_count(page->bytes + before, page->n - before);
        if (wide + 1 > OPTION) {
            text_put(page, "\n");
            wide = 0;
        }
        text_fill(page, option->why.bytes ? option->why.bytes : "", wide, OPTION, WIDTH);
    }
    page->failed = page->failed || advice->command.failed;
}
