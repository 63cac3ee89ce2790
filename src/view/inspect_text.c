/* The report of sprung inspect for people, in lines of 80 characters. See inspect.h. */
#include "view/inspect.h"

#include "base/braille.h"
#include "base/port.h"
#include "base/style.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 80,
    LABEL = 10,      /* characters before the text of a line: "columns   " */
    SPARK = 20,      /* characters of the picture in a line of values */
    NUMBERS = 45,    /* characters of the numbers in a line of values */
    WIDE = 104,      /* most characters of a line of values, in a terminal that is so wide */
    MOST_LINES = 12, /* lines of values */
    MOST_KINDS = 12, /* lines of columns */
    ROLE = 14,       /* characters before the text of a line of columns: "  left alone  " */
    WHY_AT = 25      /* characters before the reason for an option */
};

/* --- words --- */

/* Adds "label     words", filled to the width. */
static void put_line(struct text *text, const char *label, const char *words)
{
    text_put(text, "%-*s", LABEL, label);
    text_fill(text, words, LABEL, LABEL, WIDTH);
}

/* Appends the name of column i, cut in the middle to at most `most` characters. */
static void append_name(char *buf, size_t max, const struct columns *columns, size_t i, size_t most)
{
    char shown[200];
    const char *name = columns->column[i].name;
    error_escape(name, strlen(name), shown, sizeof shown);
    if (!shown[0])
        snprintf(shown, sizeof shown, "column %zu", i + 1);
    size_t n = strlen(shown);
    if (utf8_count(shown, n) <= most) {
        text_append(buf, max, "%s", shown);
        return;
    }
    /* The end of a name says more than the middle. */
    size_t begin = utf8_floor(shown, most / 3), end = n - (most - 1 - most / 3);
    while (utf8_continues(shown[end]))
        end++;
    text_append(buf, max, "%.*s\xE2\x80\xA6%s", (int)begin, shown, shown + end);
}

/* Columns that are described alike, on one line of the report. */
struct alike {
    char words[500]; /* the role, a colon, the reason for the role */
    size_t *column;  /* [n] numbers of the columns, ascending; owned */
    size_t n;
};

/* "hip_x", "hip_x, hip_y", or "hip_x … knee_z (12 columns)", where each name has at most `most` characters.
 */
static void append_names(char *buf, size_t max, const struct columns *columns, const struct alike *alike,
                         size_t most)
{
    append_name(buf, max, columns, alike->column[0], most);
    if (alike->n == 1)
        return;
    text_append(buf, max, alike->n == 2 ? ", " : " \xE2\x80\xA6 ");
    append_name(buf, max, columns, alike->column[alike->n - 1], most);
    if (alike->n > 2)
        text_append(buf, max, " (%zu columns)", alike->n);
}

/* A number with five digits, fewer where an exponent needs room; "-" for NaN. */
static const char *number_of(double x, char buf[24])
{
    if (isnan(x))
        return "-";
    snprintf(buf, 24, "%.5g", x == 0 ? 0 : x);
    if (strchr(buf, 'e'))
        snprintf(buf, 24, "%.2g", x);
    return buf;
}

/* --- head --- */

void inspect_text_head(struct text *text, const struct inspect_head *head)
{
    const struct reader *reader = head->reader;
    const struct columns *columns = &reader->columns;
    char name[400], words[800] = "", buf[8];
    const char *delimiter = inspect_delimiter(reader, buf);
    bool standard = strcmp(head->name, "-") == 0;
    error_escape(head->name, strlen(head->name), name, sizeof name);
    text_put(text, "%s%s%s\n", style_text(PORT_STDOUT, STYLE_NAME), standard ? "(standard input)" : name,
             style_text(PORT_STDOUT, STYLE_PLAIN));
    text_append(words, sizeof words, "%s", reader->format->name);
    if (delimiter) {
        const char *quote = strlen(delimiter) == 1 ? "\"" : "";
        text_append(words, sizeof words, ", cells are separated by %s%s%s", quote, delimiter, quote);
    }
    text_append(words, sizeof words, ", %zu column%s", columns->ncolumn, error_plural(columns->ncolumn));
    put_line(text, "format", words);
    if (reader->format->family != FAMILY_TEXT && reader->format->family != FAMILY_MOTION)
        return;
    snprintf(words, sizeof words, "%llu line%s before the first row", (unsigned long long)reader->nline,
             error_plural(reader->nline));
    if (columns->stacked)
        text_append(words, sizeof words, "; names of several lines are joined");
    else if (!columns->named)
        text_append(words, sizeof words, "; no line holds names: columns are named by their numbers");
    if (columns->doubtful)
        text_append(words, sizeof words,
                    "; the first line has text and is taken for a row: --header 1 if it "
                    "holds the names");
    put_line(text, "head", words);
}

/* --- times --- */

static void put_time_source(struct text *text, const struct inspect_table *table)
{
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "in seconds, as nothing says another unit",
        [UNIT_OPTION] = "by --time-unit",
        [UNIT_NAME] = "by its name",
        [UNIT_LINE] = "by the line below the names",
        [UNIT_EPOCH] = "by the size of its numbers, which are counted from 1970",
        [UNIT_TEXT] = "as dates or times of day",
    };
    const struct columns *columns = &table->reader->columns;
    char words[500] = "";
    if (columns->time == COLUMN_NONE && table->times.rate > 0) {
        bool by_file = columns->stated_rate > 0 && columns->stated_rate == table->times.rate;
        text_append(words, sizeof words, "%.10g row%s per second, as the %s", table->times.rate,
                    table->times.rate == 1 ? "" : "s", by_file ? "file says" : "option --rate says");
    } else if (columns->time == COLUMN_NONE) {
        text_append(words, sizeof words,
                    "no column is named like a time, and nothing states a rate: give --rate HZ, or --time "
                    "COLUMN. Here rows are counted");
    } else {
        columns_describe_time(columns, words, sizeof words);
        bool named = columns->unit_reason == UNIT_NAME || columns->unit_reason == UNIT_LINE;
        bool stated = named || columns->unit_reason == UNIT_OPTION;
        const enum family family = table->reader->format->family;
        if (columns->unit_reason == UNIT_EPOCH)
            text_append(words, sizeof words, ", counted from 1970");
        else if (!stated && columns->unit.rate == 0 && family != FAMILY_TEXT && family != FAMILY_JSON &&
                 family != FAMILY_ARRAY)
            text_append(words, sizeof words, ", in seconds, as the format says");
        else if (!stated && columns->unit.rate == 0)
            text_append(words, sizeof words, ", %s", reasons[columns->unit_reason]);
        else if (named && columns->unit.exp10 == 0 && !columns->unit.multiple)
            text_append(words, sizeof words, ", in seconds %s", reasons[columns->unit_reason]);
    }
    put_line(text, "time", words);
}

static void put_steps(struct text *text, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const struct columns *columns = &table->reader->columns;
    bool timed = columns->time != COLUMN_NONE;
    char words[500] = "", a[24], b[24], c[24];
    if (timed && times->even && times->rate > 0)
        text_append(words, sizeof words, "even: %.10g row%s per second", times->rate,
                    times->rate == 1 ? "" : "s");
    else if (timed && times->usual > 0)
        text_append(words, sizeof words, "uneven: steps of %s to %s s, usually %s s",
                    number_of(times->least, a), number_of(times->most, b), number_of(times->usual, c));
    if (times->nlong > 0)
        text_append(words, sizeof words,
                    "%s%llu step%s longer than 1.5 usual ones, the longest is %s s, before row %zu",
                    words[0] ? "; " : "", (unsigned long long)times->nlong,
                    times->nlong == 1 ? " is" : "s are", number_of(times->most, a), times->most_row);
    if (words[0])
        put_line(text, "", words);
    words[0] = 0;
    if (times->nequal > 0)
        text_append(words, sizeof words, "%llu row%s the time of the row before",
                    (unsigned long long)times->nequal, times->nequal == 1 ? " has" : "s have");
    if (times->nbackward > 0)
        text_append(words, sizeof words, "%stimes go backward in %llu row%s, first in row %zu",
                    words[0] ? "; " : "", (unsigned long long)times->nbackward,
                    error_plural(times->nbackward), times->backward_row);
    if (words[0])
        put_line(text, "", words);
}

static void put_rows(struct text *text, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct columns *columns = &table->reader->columns;
    const struct source *source = table->reader->source;
    char words[500] = "", span[24];
    text_append(words, sizeof words, "%zu", rows->nrow);
    bool timed = columns->time != COLUMN_NONE || table->times.rate > 0;
    if (rows->nrow > 1 && timed)
        text_append(words, sizeof words, ", over %s s", number_of(table->times.span, span));
    if (!rows->whole)
        text_append(words, sizeof words, "; these are the first rows, of %.3g kB%s: the rest was not read",
                    (double)source->nread / 1e3, source->regular ? " of the file" : "");
    if (rows->grouped != COLUMN_NONE) {
        text_append(words, sizeof words, "; rows of %zu series are mixed, which column \"", rows->nseries);
        append_name(words, sizeof words, columns, rows->grouped, 60);
        text_append(words, sizeof words, "\" tells apart");
    }
    put_line(text, "rows", words);
}

/* --- columns --- */

/* "role: reason", and the kind by the rows, without decimals. */
static void describe(const struct inspect_table *table, size_t i, char *buf, size_t max)
{
    const struct columns *columns = &table->reader->columns;
    const struct column *column = &columns->column[i];
    columns_describe_role(columns, i, buf, max);
    if (column->role != ROLE_CHANNEL)
        return;
    char kind[160];
    const struct inspect_channel *channel = &table->channel[column->value];
    inspect_describe_kind(columns, channel, kind, sizeof kind);
    if (kind[0])
        text_append(buf, max, "; %s", kind);
    if (channel->ntext > 0)
        text_append(buf, max, ", first \"%s\" in row %zu", channel->text, channel->text_row);
}

/* The decimals of channels in the first row: the fewest and the most. */
static void append_decimals(char *buf, size_t max, const struct columns *columns, const struct alike *alike)
{
    int fewest = -1, most = -1;
    for (size_t k = 0; k < alike->n; k++) {
        const struct column *column = &columns->column[alike->column[k]];
        int decimals = column->spelling.decimals;
        if (column->role != ROLE_CHANNEL || decimals < 0)
            continue;
        fewest = fewest < 0 || decimals < fewest ? decimals : fewest;
        most = decimals > most ? decimals : most;
    }
    if (most >= 0 && fewest == most)
        text_append(buf, max, "; %d decimal%s", most, error_plural((uint64_t)most));
    else if (most >= 0)
        text_append(buf, max, "; %d to %d decimals", fewest, most);
}

/* Gathers the columns that are described like column i. Returns false if an earlier column is described like
 * column i: then the line of these columns was printed before. */
static bool gather_alike(const struct inspect_table *table, size_t i, struct alike *alike)
{
    const struct columns *columns = &table->reader->columns;
    char other[sizeof alike->words];
    describe(table, i, alike->words, sizeof alike->words);
    for (size_t k = 0; k < i; k = columns_after(columns, k)) {
        describe(table, k, other, sizeof other);
        if (strcmp(other, alike->words) == 0)
            return false;
    }
    alike->n = 0;
    for (size_t k = i; k < columns->ncolumn; k = columns_after(columns, k)) {
        describe(table, k, other, sizeof other);
        if (strcmp(other, alike->words) == 0)
            alike->column[alike->n++] = k;
    }
    return true;
}

/* --- values --- */

/* Channels that share a line of values. */
struct value_line {
    size_t first, last;               /* first and last column */
    size_t channel;                   /* number of the first channel, whose picture is shown */
    size_t n;                         /* number of columns */
    double least, most;               /* of all columns; NaN: no values */
    double noise;                     /* the greatest noise of a column; NaN: not known */
    uint64_t nmissing, nspike, njump; /* sums over the columns */
};

/* Bytes of a name before the last dot, or else before the last _; without both, the length of the name. */
static size_t stem_length(const char *name)
{
    const char *last = strrchr(name, '.');
    last = last ? last : strrchr(name, '_');
    return last ? (size_t)(last - name) : strlen(name);
}

/* Does channel i go into the line of the channel `before`? level 0: never; 1: if both names begin alike; 2:
 * always. */
static bool joins(const struct columns *columns, size_t before, size_t i, int level)
{
    const char *a = columns->column[before].name, *b = columns->column[i].name;
    size_t stem = stem_length(a);
    return level == 2 || (level == 1 && stem == stem_length(b) && strncmp(a, b, stem) == 0);
}

static void add_to_line(struct value_line *line, const struct inspect_channel *channel)
{
    line->first = line->n == 0 ? channel->column : line->first;
    line->last = channel->column;
    line->n++;
    line->least = fmin(line->least, channel->least);
    line->most = fmax(line->most, channel->most);
    line->noise = fmax(line->noise, channel->noise);
    line->nmissing += channel->nmissing;
    line->nspike += channel->nspike;
    line->njump += channel->njump;
}

/* Makes the lines of values of a level in line[0..most). Returns the number of lines of the level, which may
 * be more than `most`. */
static size_t make_lines(const struct inspect_table *table, int level, struct value_line *line, size_t most)
{
    static const struct value_line empty = { .least = NAN, .most = NAN, .noise = NAN };
    size_t n = 0;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_channel *channel = &table->channel[k];
        bool join = k > 0 && joins(&table->reader->columns, channel[-1].column, channel->column, level);
        if (!join && n++ < most)
            line[n - 1] = empty;
        if (!join && n <= most)
            line[n - 1].channel = k;
        if (n <= most)
            add_to_line(&line[n - 1], channel);
    }
    return n;
}

/* Appends the name of a line: of its column, or what the names of its columns begin with and a *, or the
 * first and the last name; at most `most` characters. */
static void append_line_name(char *buf, size_t max, const struct columns *columns,
                             const struct value_line *line, size_t most)
{
    const char *first = columns->column[line->first].name, *last = columns->column[line->last].name;
    size_t same = 0;
    while (first[same] && first[same] == last[same])
        same++;
    same = utf8_floor(first, same);
    if (line->n == 1 || same == 0) {
        append_name(buf, max, columns, line->first, line->n == 1 ? most : most / 2);
        text_append(buf, max, line->n == 1 ? "" : "\xE2\x80\xA6");
        if (line->n > 1)
            append_name(buf, max, columns, line->last, most / 2 - 1);
        return;
    }
    char shown[200];
    size_t n = utf8_floor(shown, error_escape(first, same, shown, sizeof shown));
    while (utf8_count(shown, n) + 1 > most)
        n = utf8_floor(shown, n - 1);
    text_append(buf, max, "%.*s*", (int)n, shown);
}

/* Adds a picture of the channel's values over the rows, SPARK characters wide. */
static void put_spark(struct text *text, const struct inspect_rows *rows,
                      const struct inspect_channel *channel, size_t number)
{
    enum { ACROSS = SPARK * BRAILLE_ACROSS };
    unsigned char cells[SPARK] = { 0 };
    struct braille canvas = { cells, SPARK, 1 };
    const double *value = inspect_value(rows, number);
    double range = channel->most - channel->least;
    for (size_t x = 0; x < ACROSS; x++) {
        double least = NAN, most = NAN;
        size_t first = rows->nrow * x / ACROSS, end = rows->nrow * (x + 1) / ACROSS;
        for (size_t i = first; i < (end > first ? end : first + 1); i++) {
            least = fmin(least, value[i]);
            most = fmax(most, value[i]);
        }
        if (isnan(least))
            continue;
        double low = range > 0 ? (least - channel->least) / range : 0.5;
        double high = range > 0 ? (most - channel->least) / range : 0.5;
        low = fmin(fmax(low, 0), 1) * (BRAILLE_DOWN - 1);
        high = fmin(fmax(high, 0), 1) * (BRAILLE_DOWN - 1);
        braille_line(&canvas, x, BRAILLE_DOWN - 1 - (size_t)round(high), x,
                     BRAILLE_DOWN - 1 - (size_t)round(low), false);
    }
    for (size_t i = 0; i < SPARK; i++)
        braille_put(text, cells[i]);
}

static void put_values(struct text *text, const struct inspect_table *table)
{
    struct value_line line[MOST_LINES];
    const struct columns *columns = &table->reader->columns;
    size_t n = 0, width = port_terminal_columns(PORT_STDOUT);
    width = width < WIDTH ? WIDTH : width > WIDE ? WIDE : width;
    const size_t names_width = width - NUMBERS - SPARK;
    for (int level = 0; level <= 2; level++) {
        n = make_lines(table, level, line, MOST_LINES);
        if (n <= MOST_LINES)
            break;
    }
    text_put(text, "%-*s%9s%9s%6s%7s%6s%8s\n", (int)names_width + SPARK, "values", "least", "most", "empty",
             "spikes", "jumps", "noise");
    for (size_t k = 0; k < n && k < MOST_LINES; k++) {
        char names[300] = "  ", least[24], most[24], noise[24];
        const struct value_line *value_line = &line[k];
        append_line_name(names, sizeof names, columns, value_line, names_width - 3);
        snprintf(noise, sizeof noise, isnan(value_line->noise) ? "-" : "%.3g", value_line->noise);
        size_t wide = utf8_count(names, strlen(names));
        text_put(text, "%s%*s", names, wide < names_width ? (int)(names_width - wide) : 1, "");
        put_spark(text, &table->rows, &table->channel[value_line->channel], value_line->channel);
        text_put(text, "%9s%9s%6llu%7llu%6llu%8s\n", number_of(value_line->least, least),
                 number_of(value_line->most, most), (unsigned long long)value_line->nmissing,
                 (unsigned long long)value_line->nspike, (unsigned long long)value_line->njump, noise);
    }
}

/* The longest gap, the first spike and the first jump, with their places. */
static void put_places(struct text *text, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct inspect_channel *gap = NULL, *spike = NULL, *jump = NULL;
    char words[600] = "", seconds[24];
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_channel *channel = &table->channel[k];
        gap = channel->longest > 0 && (!gap || channel->longest > gap->longest) ? channel : gap;
        spike = channel->nspike > 0 && (!spike || channel->spike_row < spike->spike_row) ? channel : spike;
        jump = channel->njump > 0 && (!jump || channel->jump_row < jump->jump_row) ? channel : jump;
    }
    if (gap) {
        text_append(words, sizeof words, "the longest gap is %llu row%s", (unsigned long long)gap->longest,
                    error_plural(gap->longest));
        if (table->times.rate > 0)
            text_append(words, sizeof words, " (%s s)",
                        number_of((double)gap->longest / table->times.rate, seconds));
        text_append(words, sizeof words, ", in ");
        append_name(words, sizeof words, columns, gap->column, 60);
        text_append(words, sizeof words, " from row %zu on", gap->longest_row);
    }
    if (spike) {
        text_append(words, sizeof words, "%sthe first spike is in row %zu of ", words[0] ? "; " : "",
                    spike->spike_row);
        append_name(words, sizeof words, columns, spike->column, 60);
    }
    if (jump) {
        text_append(words, sizeof words, "%sthe first jump is before row %zu of ", words[0] ? "; " : "",
                    jump->jump_row);
        append_name(words, sizeof words, columns, jump->column, 60);
    }
    if (words[0])
        put_line(text, "", words);
}

void inspect_text_table(struct text *text, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    struct alike alike;
    size_t nline = 0;
    char words[1000];
    if (table->reader->part)
        text_put(text, "\ntable     %s\n", table->reader->part);
    put_time_source(text, table);
    put_steps(text, table);
    put_rows(text, table);
    if (!arrays_make(NULL, ARRAY(alike.column, columns->ncolumn + 1))) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < columns->ncolumn && nline < MOST_KINDS; i = columns_after(columns, i)) {
        if (columns->column[i].role == ROLE_ABSENT || !gather_alike(table, i, &alike))
            continue;
        words[0] = 0;
        char *reason = strchr(alike.words, ':');
        append_names(words, sizeof words, columns, &alike, 30);
        text_append(words, sizeof words, "%s", reason);
        append_decimals(words, sizeof words, columns, &alike);
        *reason = 0;
        text_put(text, "%s  %-*s", nline++ == 0 ? "columns\n" : "", ROLE - 2, alike.words);
        text_fill(text, words, ROLE, ROLE, WIDTH);
    }
    free(alike.column);
    if (table->rows.nrow > 0)
        put_values(text, table);
    put_places(text, table);
}

/* --- advice --- */

void inspect_text_advice(struct text *text, const struct inspect_advice *advice,
                         const struct inspect_findings *findings)
{
    if (findings->assumed_ms || findings->njump > 0)
        text_put(text, "\n");
    if (findings->assumed_ms)
        put_line(text, "check",
                 "the steps would be usual in milliseconds, and are read as seconds: say "
                 "--time-unit ms if the times are milliseconds");
    if (findings->njump > 0)
        put_line(
            text, "check",
            "jumps, such as cuts between takes, become smooth. To keep them, number the takes in a column "
            "and name it with --group-by. To smooth the jumps alone: sprung tracking --detect-cuts 30");
    if (!advice->command) {
        text_put(text, "\n");
        put_line(text, "advice",
                 findings->nrow == 0
                     ? "there are no rows: nothing can be filtered"
                     : "no channel is motion without text among its numbers: give --columns, or "
                       "--missing for words that stand for missing values");
        return;
    }
    text_put(text, "\nThis command would clean it:\n\n  %s\n\n", advice->command);
    for (size_t k = 0; k < advice->noption; k++) {
        const char *words = advice->option[k].words ? advice->option[k].words : "";
        text_put(text, "  %s", words);
        size_t wide = 2 + utf8_count(words, strlen(words));
        if (wide + 1 > WHY_AT) {
            text_put(text, "\n");
            wide = 0;
        }
        text_fill(text, advice->option[k].why ? advice->option[k].why : "", wide, WHY_AT, WIDTH);
    }
}
