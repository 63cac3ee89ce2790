/* The command line that would clean a file, with a reason for each option. See inspect.h. */
#include "view/inspect.h"

#include "whole/choose_halflife.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILL_SECONDS 0.25 /* longest gap that is worth filling: a part of a gesture */
#define FILL_ROWS    10   /* longest gap in rows that is worth filling, where no rate is known */
#define STEPS        3    /* half-life in usual steps, where noise does not choose a half-life */
#define DOUBTFUL     0.6  /* smallest confidence of a detection that is not masked */
#define MUCH_MEMORY  2e9  /* most bytes of memory with which --zero-phase is suggested */
#define BYTES_A_CELL 100  /* bytes of memory that --zero-phase takes for a row and channel, about */

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

static void add_column(struct text *list, const struct columns *columns, size_t i)
{
    char name[120];
    name_column(columns, i, name, sizeof name);
    add_to_list(list, name);
}

/* Adds a quaternion that the rows show and the format does not state: the components must be named w, x, y
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
    for (size_t k = 0; k < 4; k++)
        if (!strchr(letters, "wxyz"[k]))
            return;
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

/* Adds a channel with text in rows after the first row. A text that is the same in all cells and a single
 * word is taken for a missing value; otherwise the column is left out. */
static void add_text(struct inspect_findings *all, const struct columns *columns,
                     const struct inspect_channel *channel)
{
    if (!channel->texts_differ && !has_comma_or_blank(channel->text)) {
        if (!all->missing.bytes || !strstr(all->missing.bytes, channel->text))
            add_to_list(&all->missing, channel->text);
        return;
    }
    add_column(&all->exclude, columns, channel->column);
    all->exclude_texts = true;
}

/* Sets the pattern for --mask by the parts of a quality's name before and behind the last separator. */
static void add_mask(struct inspect_findings *all, const struct inspect_table *table,
                     const struct inspect_channel *channel)
{
    const struct columns *columns = &table->reader->columns;
    const struct column *quality = &columns->column[channel->column];
    const char *name = quality->name, *end = name;
    char coordinates[120] = "";
    if (all->mask[0])
        return;
    if (quality->above) {
        for (size_t k = 0; k < table->rows.nchannel; k++) {
            const struct column *other = &columns->column[table->channel[k].column];
            if (other != quality && other->above && strcmp(other->above, quality->above) == 0)
                text_append(coordinates, sizeof coordinates, "%s*.%s", coordinates[0] ? "," : "",
                            other->original);
        }
        snprintf(all->mask, sizeof all->mask, "%s:*.%s<%g", coordinates, quality->original, DOUBTFUL);
        snprintf(all->header, sizeof all->header, "%llu,%llu", (unsigned long long)table->reader->nline - 1,
                 (unsigned long long)table->reader->nline);
        return;
    }
    for (const char *p = name; *p; p++)
        end = strchr("._:", *p) ? p : end;
    size_t stem = (size_t)(end - name) + 1;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const char *other = columns->column[table->channel[k].column].name;
        bool beside = strncmp(other, name, stem) == 0 && table->channel[k].kind != INSPECT_QUALITY;
        if (beside)
            text_append(coordinates, sizeof coordinates, "%s*%c%s", coordinates[0] ? "," : "", *end,
                        other + stem);
    }
    snprintf(all->mask, sizeof all->mask, "%s:*%s<%g", coordinates, end, DOUBTFUL);
}

/* The smaller of `fewest` and the fewest values that the channel has in a series. A series with a single
 * value does not count, since a single value chooses no half-life. */
static size_t count_fewest(const struct inspect_rows *rows, size_t channel, size_t fewest)
{
    const double *x = inspect_value(rows, channel);
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        size_t known = 0;
        end = inspect_series_end(rows, first);
        for (size_t i = first; i < end; i++)
            if (!isnan(x[i]))
                known++;
        fewest = known > 1 && known < fewest ? known : fewest;
    }
    return fewest;
}

static void add_channel(struct inspect_findings *all, const struct inspect_table *table,
                        const struct inspect_channel *channel)
{
    const struct columns *columns = &table->reader->columns;
    all->nspike += channel->nspike;
    all->njump += channel->njump;
    all->ngap += channel->ngap;
    all->longest = channel->longest > all->longest ? channel->longest : all->longest;
    if (channel->ntext > 0)
        add_text(all, columns, channel);
    switch (channel->kind) {
    case INSPECT_COUNT:
        all->exclude_counts = true;
        add_column(&all->exclude, columns, channel->column);
        break;
    case INSPECT_MARK:
        all->exclude_marks = true;
        add_column(&all->exclude, columns, channel->column);
        break;
    case INSPECT_QUALITY:
        add_mask(all, table, channel);
        break;
    case INSPECT_ANGLE:
        if (channel->by_format || (all->angles.n > 0 && all->period != channel->period))
            break;
        all->period = channel->period;
        add_column(&all->angles, columns, channel->column);
        break;
    case INSPECT_ROTATION:
        if (!channel->by_format && channel->rotation == channel->column)
            add_quaternion(&all->quaternions, columns, channel->column);
        break;
    case INSPECT_VALUE:
    case INSPECT_CONSTANT:
        break;
    }
}

/* Has the table a channel that is left to filter? */
static bool leaves_something(const struct inspect_table *table)
{
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_channel *channel = &table->channel[k];
        bool text = channel->ntext > 0 && (channel->texts_differ || has_comma_or_blank(channel->text));
        bool excluded = channel->kind == INSPECT_COUNT || channel->kind == INSPECT_MARK ||
                        channel->kind == INSPECT_QUALITY || text || channel->column == table->rows.grouped;
        if (!excluded)
            return true;
    }
    return false;
}

void inspect_findings_add(struct inspect_findings *all, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_times *times = &table->times;
    const struct columns *columns = &table->reader->columns;
    bool something = leaves_something(table);
    all->nrow += rows->nrow;
    all->hopeless = all->hopeless || !something;
    for (size_t k = 0; something && k < rows->nchannel; k++)
        if (table->channel[k].column != rows->grouped)
            add_channel(all, table, &table->channel[k]);
    for (size_t k = 0; k < rows->nchannel; k++)
        all->fewest = count_fewest(rows, k, all->fewest);
    if (rows->grouped != COLUMN_NONE && !all->group[0])
        name_column(columns, rows->grouped, all->group, sizeof all->group);
    all->nbackward += times->nbackward;
    all->untimed = all->untimed || (columns->time == COLUMN_NONE && times->rate == 0);
    if (times->usual > 0 && (all->step == 0 || times->usual < all->step))
        all->step = times->usual;
    bool known = columns->time != COLUMN_NONE || times->rate > 0;
    double rows_worth = known && times->usual > 0 ? floor(FILL_SECONDS / times->usual) : FILL_ROWS;
    uint64_t fill = rows_worth > 3 ? (uint64_t)rows_worth : 3;
    all->fill_rows = all->fill_rows == 0 || fill < all->fill_rows ? fill : all->fill_rows;
    all->assumed_ms = all->assumed_ms ||
                      (columns->time != COLUMN_NONE && columns->unit_reason == UNIT_ASSUMED &&
                       columns->form == TIMESTAMP_NUMBER && rows->whole_times && times->usual >= 2 &&
                       times->usual <= 200);
    all->audio = table->reader->format->family == FAMILY_AUDIO;
    double bytes = rows->whole ? (double)rows->nrow * (double)rows->nchannel * BYTES_A_CELL
                               : (double)INFINITY;
    all->bytes = all->bytes + bytes;
}

void inspect_findings_free(struct inspect_findings *all)
{
    free(all->angles.bytes);
    free(all->quaternions.bytes);
    free(all->exclude.bytes);
    free(all->missing.bytes);
}

/* --- the line --- */

/* Adds a word, quoted for a shell where the word needs quotes. */
static void put_word(struct text *text, const char *word)
{
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

/* Adds an option. The value is the list that was given to inspect, joined with the list of findings. */
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

static void advise_rows(struct inspect_advice *advice, const struct inspect_findings *all,
                        const struct column_choice *choice)
{
    char value[80], why[200];
    if (all->untimed && !(choice->rate > 0))
        add_option(advice, "rate", "1",
                   "nothing in the file tells its rate: with 1 times are counted in rows; put the true rate "
                   "here");
    if (all->group[0]) {
        add_option(advice, "group-by", all->group,
                   "times go backward, and rise within the rows of each text in this column: it tells series "
                   "apart");
    } else if (all->nbackward > 0 && all->step > 0) {
        snprintf(value, sizeof value, "%.6g", 1 / all->step);
        snprintf(
            why, sizeof why,
            "times go backward in %llu row%s, and no column tells series apart: rows are numbered, by the "
            "usual step",
            (unsigned long long)all->nbackward, error_plural(all->nbackward));
        add_option(advice, "rate", value, why);
    }
}

static void advise_channels(struct inspect_advice *advice, const struct inspect_findings *all,
                            const struct column_choice *choice, const struct input_options *in)
{
    char why[200] = "", period[40];
    const struct {
        bool set;
        const char *text;
    } reasons[] = { { all->exclude_counts, "counts of rows" },
                    { all->exclude_marks, "marks of 0 and 1" },
                    { all->exclude_texts, "columns with text in later rows" } };
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
        if (reasons[k].set)
            text_append(why, sizeof why, "%s%s", why[0] ? ", " : "", reasons[k].text);
    text_append(why, sizeof why, " are no motion");
    add_joined(advice, "missing", in->missing, &all->missing, "this text stands in place of numbers");
    add_joined(advice, "exclude", choice->exclude, &all->exclude, why);
    if (all->header[0])
        add_option(advice, "header", all->header,
                   "names of both lines are joined, so that each column has a name of its own");
    if (all->mask[0])
        add_option(advice, "mask", all->mask, "coordinates of unsure detections are treated as missing");
    if (all->angles.n > 0) {
        add_option(advice, "angles", all->angles.bytes,
                   "angles that wrap: without it the step from one end of the turn to the other is motion");
        snprintf(period, sizeof period, "%.16g", all->period);
        if (all->period != 360)
            add_option(advice, "period", period, "the full turn of these angles, in radians");
    }
    if (all->quaternions.n > 0)
        add_option(advice, "quaternions", all->quaternions.bytes,
                   "four components of unit length are filtered as one rotation");
}

static void advise_values(struct inspect_advice *advice, const struct inspect_findings *all)
{
    char value[40], why[200];
    if (all->nspike > 0 && !all->audio) {
        snprintf(value, sizeof value, "%d", INSPECT_DESPIKE);
        snprintf(why, sizeof why, "%llu value%s far from the rows around, and bridged",
                 (unsigned long long)all->nspike, all->nspike == 1 ? " is" : "s are");
        add_option(advice, "despike", value, why);
    }
    if (all->ngap > 0 || all->mask[0]) {
        add_option(advice, "gaps", "cubic", "a curve from the values on both sides fills each gap");
        snprintf(value, sizeof value, "%llurows", (unsigned long long)all->fill_rows);
        snprintf(why, sizeof why,
                 "a longer gap is not worth guessing%s: it stays, and filtering begins anew behind it",
                 all->longest > all->fill_rows ? ", and there is one" : "");
        add_option(advice, "max-gap", value, why);
    }
}

static void advise_filter(struct inspect_advice *advice, const struct inspect_findings *all)
{
    char value[40];
    bool held = all->bytes < MUCH_MEMORY;
    if (held)
        add_option(advice, "zero-phase", NULL,
                   "the series is whole: forward and backward, so that nothing lags");
    if (held && all->fewest >= CHOOSE_LEAST) {
        add_option(advice, "halflife", "auto", "of each channel, by its own noise");
        return;
    }
    snprintf(value, sizeof value, "%.3g", STEPS * (all->step > 0 ? all->step : 1));
    add_option(
        advice, "halflife", value,
        held ? "three steps: there are too few values to choose by their noise"
             : "three steps; the file is long, or was not read to its end, and this runs in little memory");
}

/* The folder for the result, which must not be the folder of the file. */
static const char *output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    bool same = n >= 5 && strncmp(slash - 5, "clean", 5) == 0;
    return same ? "cleaned" : "clean";
}

void inspect_advise(struct inspect_advice *advice, const struct inspect_findings *all, const char *name,
                    const struct column_choice *choice, const struct input_options *options)
{
    struct text line = { 0 };
    if (all->nrow == 0 || all->hopeless)
        return;
    repeat_options(advice, choice, options);
    advise_rows(advice, all, choice);
    advise_channels(advice, all, choice, options);
    advise_values(advice, all);
    advise_filter(advice, all);
    if (strcmp(name, "-") == 0)
        add_option(advice, "derivatives", "0", "the columns of the input and no others");
    else
        add_option(advice, "output-dir", output_folder(name),
                   "the result goes there under the name of the file, with its columns and decimals");
    text_put(&line, "sprung critical");
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
