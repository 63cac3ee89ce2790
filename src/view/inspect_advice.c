/* The command line that would clean a file, with a reason for each option. See inspect.h. */
#include "view/inspect.h"

#include "base/utf8.h"
#include "whole/choose_halflife.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS        3   /* half-life in usual steps, where the noise does not tell a half-life */
#define MUCH_MEMORY  2e9 /* most bytes of memory with which --zero-phase is suggested */
#define BYTES_A_CELL 100 /* bytes of memory that --zero-phase takes for a row and channel, about */

/* --- facts about all tables --- */

/* Sets buf to a word without quotes that --columns takes for column i alone. With --header names may change,
 * so a column with a cell above the name is given by its number. */
static void name_column(const struct columns *columns, size_t i, char *buf, size_t maxbuf)
{
    const char *name = columns->column[i].name;
    bool plain = !columns->column[i].above && (isalpha((unsigned char)name[0]) || name[0] == '_');
    for (const char *p = name; *p; p++)
        plain = plain && (isalnum((unsigned char)*p) || *p == '_' || *p == '.');
    if (plain && strlen(name) < maxbuf)
        snprintf(buf, maxbuf, "%s", name);
    else
        snprintf(buf, maxbuf, "%zu", i + 1);
}

static void add_to_list(struct text *list, const char *entry)
{
    text_put(list, "%s%s", list->n > 0 ? "," : "", entry);
}

/* Is the entry in a list? */
static bool list_has(const struct text *list, const char *entry)
{
    size_t n = strlen(entry);
    for (const char *at = list->bytes; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, entry, n) == 0 && (at[n] == ',' || at[n] == 0))
            return true;
    }
    return false;
}

static void add_column(struct text *list, const struct columns *columns, size_t i)
{
    char name[120];
    name_column(columns, i, name, sizeof name);
    add_to_list(list, name);
}

/* Adds a quaternion that the rows show and the format does not state, and whose components are named w, x, y
 * and z, in any order. */
static void add_quaternion(struct text *list, const struct columns *columns, size_t first)
{
    char letters[5], entry[120];
    const char *stem = columns->column[first].name;
    size_t nstem = strlen(stem) < 2 ? 0 : strlen(stem) - 2;
    bool alike = nstem > 0 && nstem < 100 && strchr("_.", stem[nstem]) && !columns->column[first].above;
    for (size_t k = 0; k < 4; k++) {
        const char *name = columns->column[first + k].name;
        size_t n = strlen(name);
        alike = alike && n == nstem + 2 && strncmp(name, stem, nstem + 1) == 0 &&
                strchr("wxyzWXYZ", name[n - 1]);
    }
    inspect_component_letters(columns, first, letters);
    for (size_t k = 0; k < nstem; k++)
        alike = alike && (isalnum((unsigned char)stem[k]) || strchr("_.", stem[k]));
    if (alike && isalpha((unsigned char)stem[0]))
        snprintf(entry, sizeof entry, "%.*s", (int)nstem, stem);
    else
        snprintf(entry, sizeof entry, "%zu-%zu:%s", first + 1, first + 4, letters);
    add_to_list(list, entry);
}

static bool has_comma_or_blank(const char *text)
{
    return strpbrk(text, ", \\") != NULL;
}

/* Texts that differ, or that a list of --missing cannot hold, leave the channel to --exclude. */
static bool is_excluded_for_text(const struct inspect_channel *channel)
{
    return channel->ntext > 0 && (channel->texts_differ || has_comma_or_blank(channel->text));
}

/* Adds a channel with text in rows after the first row. A text that is the same in all cells and a single
 * word is taken for a missing value; otherwise the column is left out. */
static void add_text(struct inspect_findings *findings, const struct columns *columns,
                     const struct inspect_channel *channel)
{
    if (!is_excluded_for_text(channel)) {
        if (!list_has(&findings->missing, channel->text))
            add_to_list(&findings->missing, channel->text);
        return;
    }
    add_column(&findings->exclude, columns, channel->column);
    findings->exclude_texts = true;
}

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

static void add_channel(struct inspect_findings *findings, const struct inspect_table *table,
                        const struct inspect_channel *channel)
{
    const struct columns *columns = &table->reader->columns;
    findings->nspike += channel->nspike;
    findings->njump += channel->njump;
    findings->longest = channel->longest > findings->longest ? channel->longest : findings->longest;
    if (channel->ntext > 0)
        add_text(findings, columns, channel);
    switch (channel->kind) {
    case INSPECT_COUNT:
        findings->exclude_counts = true;
        add_column(&findings->exclude, columns, channel->column);
        break;
    case INSPECT_CLOCK:
        findings->exclude_clocks = true;
        add_column(&findings->exclude, columns, channel->column);
        break;
    case INSPECT_MARK:
        findings->exclude_marks = true;
        add_column(&findings->exclude, columns, channel->column);
        break;
    case INSPECT_ANGLE:
        if (channel->by_format || channel->plain ||
            (findings->angles.n > 0 && findings->period != channel->period))
            break;
        findings->period = channel->period;
        add_column(&findings->angles, columns, channel->column);
        break;
    case INSPECT_ROTATION:
        if (!channel->by_format && !channel->plain && channel->rotation == channel->column)
            add_quaternion(&findings->quaternions, columns, channel->column);
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
    return !is_excluded_for_text(inspected) && inspected->column != table->rows.grouped;
}

/* Does the table have a channel that is left to filter? */
static bool leaves_something(const struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++)
        if (inspect_filters(table, k))
            return true;
    return false;
}

void inspect_findings_add(struct inspect_findings *findings, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_times *times = &table->times;
    const struct columns *columns = &table->reader->columns;
    bool something = leaves_something(table);
    findings->nrow += rows->nrow;
    findings->hopeless = findings->hopeless || !something;
    for (size_t k = 0; something && k < rows->nchannel; k++)
        if (table->channel[k].column != rows->grouped)
            add_channel(findings, table, &table->channel[k]);
    if (something && !findings->mask[0]) {
        memcpy(findings->mask, table->reading.mask, sizeof findings->mask);
        memcpy(findings->header, table->reading.header, sizeof findings->header);
    }
    for (size_t k = 0; k < rows->nchannel; k++)
        findings->fewest = count_fewest(rows, k, findings->fewest);
    if (rows->grouped != COLUMN_NONE && !findings->group[0])
        name_column(columns, rows->grouped, findings->group, sizeof findings->group);
    findings->nbackward += times->nbackward;
    if (findings->rate == 0 && table->reading.rate > 0) {
        findings->rate = table->reading.rate;
        findings->nshared = table->reading.coarse ? times->nequal : 0;
    }
    findings->untimed = findings->untimed || (columns->time == COLUMN_NONE && times->rate == 0);
    if (times->usual > 0 && (findings->step == 0 || times->usual < findings->step))
        findings->step = times->usual;
    const size_t fill = table->reading.fill_rows;
    if (fill > 0 && (findings->fill_rows == 0 || fill < findings->fill_rows))
        findings->fill_rows = fill;
    findings->assumed_ms = findings->assumed_ms ||
                           (columns->time != COLUMN_NONE && columns->unit_reason == UNIT_ASSUMED &&
                            columns->form == TIMESTAMP_NUMBER && rows->whole_times && times->usual >= 2 &&
                            times->usual <= 200);
    findings->audio = table->reader->format->family == FAMILY_AUDIO;
    double bytes = rows->whole ? (double)rows->nrow * (double)rows->nchannel * BYTES_A_CELL
                               : (double)INFINITY;
    findings->bytes = findings->bytes + bytes;
}

void inspect_findings_free(struct inspect_findings *findings)
{
    free(findings->angles.bytes);
    free(findings->quaternions.bytes);
    free(findings->exclude.bytes);
    free(findings->missing.bytes);
}

/* --- the line --- */

/* Has the word a byte that a terminal would not show? */
static bool has_hidden_byte(const char *word)
{
    uint32_t code;
    for (size_t length; *word; word += length) {
        length = utf8_decode(word, 4, &code);
        if (length == 0 || !utf8_is_shown(code))
            return true;
    }
    return false;
}

/* Adds a word with hidden bytes as a shell reads it: $'a\x1Bb'. */
static void put_word_with_escapes(struct text *text, const char *word)
{
    text_put(text, "$'");
    for (const unsigned char *p = (const unsigned char *)word; *p; p++) {
        if (*p < 0x20 || *p >= 0x7F)
            text_put(text, "\\x%02X", *p);
        else
            text_put(text, *p == '\'' || *p == '\\' ? "\\%c" : "%c", *p);
    }
    text_put(text, "'");
}

/* Adds a word, quoted for a shell where the word needs quotes. */
static void put_word(struct text *text, const char *word)
{
    if (has_hidden_byte(word)) {
        put_word_with_escapes(text, word);
        return;
    }
    bool plain = word[0] != 0;
    for (const char *p = word; *p; p++)
        plain = plain && (isalnum((unsigned char)*p) || strchr("_./-+:=,@%^", *p) || (*p & 0x80));
    if (plain) {
        text_put(text, "%s", word);
        return;
    }
    text_put(text, "'");
    for (const char *p = word; *p; p++)
        text_put(text, *p == '\'' ? "'\\''" : "%c", *p);
    text_put(text, "'");
}

/* Adds the option --name VALUE; NULL: --name without a value. */
static void add_option(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    struct text words = { 0 };
    if (advice->noption == sizeof advice->option / sizeof *advice->option)
        return;
    text_put(&words, "--%s", name);
    if (value) {
        text_put(&words, " ");
        put_word(&words, value);
    }
    struct inspect_option *option = &advice->option[advice->noption++];
    option->words = text_take(&words);
    option->why = text_format("%s", why);
    advice->failed = advice->failed || !option->words || !option->why;
}

/* Adds the options that were given to inspect. */
static void repeat_options(struct inspect_advice *advice, const struct column_choice *choice,
                           const struct input_options *in)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "min", "h", "frames" };
    static const char given[] = "as given";
    const struct {
        const char *name, *value;
    } texts[] = {
        { "from", in->from },       { "delimiter", in->delimiter }, { "header", in->header },
        { "comment", in->comment }, { "decimal", in->decimal },     { "records", in->records },
        { "time", choice->time },   { "columns", choice->columns },
    };
    const struct {
        const char *name;
        bool set;
    } flags[] = { { "no-header", in->no_header },
                  { "allow-truncated", in->allow_truncated },
                  { "analog", in->analog } };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].value && !(strcmp(texts[k].name, "decimal") == 0 && strcmp(texts[k].value, ".") == 0))
            add_option(advice, texts[k].name, texts[k].value, given);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (flags[k].set)
            add_option(advice, flags[k].name, NULL, given);
    if (choice->time_unit != TIME_UNIT_NONE)
        add_option(advice, "time-unit", units[choice->time_unit], given);
    if (choice->rate > 0) {
        char rate[40];
        snprintf(rate, sizeof rate, "%.15g", choice->rate);
        add_option(advice, "rate", rate, given);
    }
}

/* Adds an option whose value is the list that was given to inspect (NULL: not given), joined with the list of
 * findings; no option if both are empty. */
static void add_joined(struct inspect_advice *advice, const char *name, const char *given,
                       const struct text *found, const char *why)
{
    struct text value = { 0 };
    if (!given && found->n == 0)
        return;
    if (given)
        text_put(&value, "%s", given);
    if (given && found->n > 0)
        text_put(&value, ",");
    if (found->n > 0)
        text_put(&value, "%s", found->bytes);
    char *words = text_take(&value);
    if (words)
        add_option(advice, name, words, found->n > 0 ? why : "as given");
    else
        advice->failed = true;
    free(words);
}

static void advise_rows(struct inspect_advice *advice, const struct inspect_findings *findings,
                        const struct column_choice *choice)
{
    char value[80], why[200];
    if (findings->untimed && !(choice->rate > 0))
        add_option(advice, "rate", "1",
                   "nothing in the file tells its rate: with 1 times are counted in rows; put the true rate "
                   "here");
    if (findings->group[0]) {
        add_option(
            advice, "group-by", findings->group,
            "times go backward or come again, and rise within the rows of each text in this column: it "
            "tells series apart");
    } else if (findings->rate > 0) {
        snprintf(value, sizeof value, "%.10g", findings->rate);
        if (findings->nshared > 0)
            snprintf(
                why, sizeof why,
                "%llu rows share their time with the row before: rows are numbered, at the rate that the "
                "times show",
                (unsigned long long)findings->nshared);
        else
            snprintf(
                why, sizeof why,
                "times go backward in %llu row%s, and no column tells series apart: rows are numbered, by "
                "the usual step",
                (unsigned long long)findings->nbackward, error_plural(findings->nbackward));
        add_option(advice, "rate", value, why);
    }
}

static void advise_channels(struct inspect_advice *advice, const struct inspect_findings *findings,
                            const struct column_choice *choice, const struct input_options *in)
{
    char why[200] = "", period[40];
    const struct {
        bool set;
        const char *text;
    } reasons[] = { { findings->exclude_counts, "counts of rows" },
                    { findings->exclude_clocks, "columns that rise as times do" },
                    { findings->exclude_marks, "marks of 0 and 1" },
                    { findings->exclude_texts, "columns with text in later rows" } };
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
        if (reasons[k].set)
            text_append(why, sizeof why, "%s%s", why[0] ? ", " : "", reasons[k].text);
    text_append(why, sizeof why, " are no motion");
    add_joined(advice, "missing", in->missing, &findings->missing, "this text stands in place of numbers");
    add_joined(advice, "exclude", choice->exclude, &findings->exclude, why);
    if (findings->header[0])
        add_option(advice, "header", findings->header,
                   "names of both lines are joined, so that each column has a name of its own");
    if (findings->mask[0])
        add_option(advice, "mask", findings->mask, "coordinates of unsure detections are treated as missing");
    if (findings->angles.n > 0) {
        add_option(advice, "angles", findings->angles.bytes,
                   "angles that wrap: without it the step from one end of the turn to the other is motion");
        snprintf(period, sizeof period, "%.16g", findings->period);
        if (findings->period != 360)
            add_option(advice, "period", period, "the full turn of these angles, in radians");
    }
    if (findings->quaternions.n > 0)
        add_option(advice, "quaternions", findings->quaternions.bytes,
                   "four components of unit length are filtered as one rotation");
}

static void advise_values(struct inspect_advice *advice, const struct inspect_findings *findings)
{
    char value[40], why[200];
    if (findings->nspike > 0 && !findings->audio) {
        snprintf(value, sizeof value, "%d", INSPECT_DESPIKE);
        snprintf(why, sizeof why, "%llu value%s far from the rows around, and bridged",
                 (unsigned long long)findings->nspike, findings->nspike == 1 ? " is" : "s are");
        add_option(advice, "despike", value, why);
    }
    if (findings->fill_rows > 0) {
        add_option(advice, "gaps", "cubic", "a curve from the values on both sides fills each gap");
        snprintf(value, sizeof value, "%llurows", (unsigned long long)findings->fill_rows);
        snprintf(why, sizeof why,
                 "a longer gap is not worth guessing%s: it stays, and filtering begins anew behind it",
                 findings->longest > findings->fill_rows ? ", and there is one" : "");
        add_option(advice, "max-gap", value, why);
    }
}

/* Returns the filter. */
static const char *advise_filter(struct inspect_advice *advice, const struct inspect_findings *findings)
{
    char value[40];
    bool fits_memory = findings->bytes < MUCH_MEMORY;
    if (fits_memory)
        add_option(advice, "zero-phase", NULL, "the series is whole, so that nothing needs to lag");
    if (fits_memory && findings->fewest >= CHOOSE_LEAST) {
        add_option(advice, "cutoff", "auto", "of each channel, by its own noise");
        return "butterworth";
    }
    snprintf(value, sizeof value, "%.3g", STEPS * (findings->step > 0 ? findings->step : 1));
    add_option(
        advice, "halflife", value,
        fits_memory
            ? "three steps: there are too few values to choose by their noise"
            : "three steps; the file is long, or was not read to its end, and this runs in little memory");
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

void inspect_advise(struct inspect_advice *advice, const struct inspect_findings *findings, const char *name,
                    const struct column_choice *choice, const struct input_options *options)
{
    struct text line = { 0 };
    if (findings->nrow == 0 || findings->hopeless)
        return;
    repeat_options(advice, choice, options);
    advise_rows(advice, findings, choice);
    advise_channels(advice, findings, choice, options);
    advise_values(advice, findings);
    const char *filter = advise_filter(advice, findings);
    if (strcmp(name, "-") == 0)
        add_option(advice, "derivatives", "0", "the columns of the input and no others");
    else
        add_option(advice, "output-dir", output_folder(name),
                   "the result goes there under the name of the file, with its columns and decimals");
    text_put(&line, "sprung %s", filter);
    for (size_t k = 0; k < advice->noption; k++)
        text_put(&line, " %s", advice->option[k].words ? advice->option[k].words : "");
    if (strcmp(name, "-") != 0) {
        text_put(&line, name[0] == '-' ? " -- " : " ");
        put_word(&line, name);
    }
    advice->command = text_take(&line);
    advice->failed = advice->failed || !advice->command;
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < advice->noption; k++) {
        free(advice->option[k].words);
        free(advice->option[k].why);
    }
    free(advice->command);
    *advice = (struct inspect_advice){ 0 };
}
