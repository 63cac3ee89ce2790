/* Help as plain text. See command.h. */
#include "cli/command.h"

#include "base/utf8.h"
#include "springs/filter_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 80,       /* characters of a line */
    HELP_AT = 28,     /* column of the help of an option */
    NAME_AT = 16,     /* column of the summary of a filter, command or format */
    MAXEXPLAINED = 32 /* filters and commands */
};

bool manual_hides(const struct filter *filter, const struct param *shared)
{
    return filter && param_find(filter->params, filter->nparam, shared->name, strlen(shared->name), 0);
}

/* Writes words into the columns from `at` on: next to the current line, which begins at text->bytes + start,
 * or, if that line is too long, below. */
static void put_beside(struct text *text, size_t start, const char *words, size_t at)
{
    size_t column = text->failed ? 0 : utf8_count(text->bytes + start, text->n - start);
    if (column + 2 > at) {
        text_put(text, "\n");
        column = 0;
    }
    text_fill(text, words, column, at, WIDTH);
}

const char *manual_option_help(const struct param *param, enum manual_detail detail, char buf[MANUAL_HELP])
{
    char range[160] = "";
    const char *fallback = param->fallback ? param->fallback : "";
    const char *more = detail == MANUAL_FULL && param->more ? param->more : "";
    if (detail == MANUAL_FULL && param->kind != PARAM_CHOICE)
        param_range_text(param, range, sizeof range);
    if (!range[0] && !fallback[0] && !more[0])
        return param->help;
    snprintf(buf, MANUAL_HELP, "%s", param->help);
    if (fallback[0])
        text_append(buf, MANUAL_HELP, " (%s%s%s)", range, range[0] ? "; default " : "default ", fallback);
    else if (range[0])
        text_append(buf, MANUAL_HELP, " (%s)", range);
    if (more[0])
        text_append(buf, MANUAL_HELP, ". %s", more);
    return buf;
}

/* Writes the letter, the name, the argument and the help of an option. hidden: the long name belongs to an
 * option of the filter, and only the letter is written. */
static void put_row(struct text *text, const struct param *param, bool hidden, enum manual_detail detail)
{
    bool optional = param->kind == PARAM_OPTIONAL_TEXT;
    const char *before_value = optional ? "[=" : " ";
    size_t start = text->n;
    char help[MANUAL_HELP];
    if (param->letter)
        text_put(text, hidden ? "  -%c" : "  -%c, ", param->letter);
    if (!hidden)
        text_put(text, "%s--%s", param->letter ? "" : "      ", param->name);
    if (!param->choices && param->value)
        text_put(text, "%s%s", before_value, param->value);
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        text_put(text, "%s%s", i ? "|" : before_value, param->choices[i]);
    text_put(text, optional ? "]" : "");
    put_beside(text, start, manual_option_help(param, detail, help), HELP_AT);
}

/* Writes a line of a list of filters, commands or formats. */
static void put_name(struct text *text, const char *name, const char *summary)
{
    size_t start = text->n;
    text_put(text, "  %s", name);
    put_beside(text, start, summary, NAME_AT);
}

/* Writes a heading and names with blanks between; the lines after the first are indented as far. */
static void put_words(struct text *text, const char *heading, const char *names)
{
    text_put(text, "%s", heading);
    text_fill(text, names, strlen(heading), strlen(heading), WIDTH);
}

char *manual_start(void)
{
    struct text text = { 0 };
    char names[512] = "";
    text_put(&text, "sprung filters time series with springs: noisy numbers in, smooth numbers out.\n"
                    "\nusage: sprung FILTER [OPTION]... [FILE]...\n"
                    "\nSee what is in a file, and get a command that cleans it:\n"
                    "  sprung inspect take.csv\n"
                    "Clean a recorded file, without lag; the cutoff is chosen from the noise:\n"
                    "  sprung butterworth --cutoff auto --zero-phase take.csv > clean.csv\n"
                    "Draw before and after in the terminal, or into a file with -o FILE.svg:\n"
                    "  sprung plot take.csv clean.csv\n"
                    "Smooth a live stream, row by row (without times, add --rate HZ):\n"
                    "  tail -n +1 -f tracker.csv | sprung one-euro --min-cutoff 1 --beta 0.01 -d 0\n"
                    "Clean all files of a folder, each under its own name:\n"
                    "  sprung butterworth --cutoff 6 --zero-phase --recursive --output-dir out takes\n\n");
    for (size_t i = 0; filter_list[i]; i++)
        text_append(names, sizeof names, " %s", filter_list[i]->name);
    put_words(&text, "Filters:  ", names + 1);
    names[0] = '\0';
    for (const struct command *const *c = command_list; *c; c++)
        text_append(names, sizeof names, " %s", (*c)->name);
    put_words(&text, "Commands: ", names + 1);
    text_put(&text, "More: sprung FILTER -h, sprung help (filters, commands, topics), man sprung\n");
    return text_take(&text);
}

char *manual_overview(void)
{
    struct text text = { 0 };
    char names[512] = "";
    text_put(&text, "usage: sprung FILTER [OPTION]... [FILE]...\n");
    for (const struct command *const *c = command_list; *c; c++)
        text_put(&text, "       sprung %s %s\n", (*c)->name, (*c)->operands);
    text_put(&text, "\nFilters (sprung FILTER -h: its most used options; --help: all):\n");
    for (size_t i = 0; filter_list[i]; i++)
        put_name(&text, filter_list[i]->name, filter_list[i]->words->summary);
    text_put(&text, "\nCommands (sprung COMMAND -h):\n");
    for (const struct command *const *c = command_list; *c; c++)
        put_name(&text, (*c)->name, (*c)->summary);
    text_put(&text, "\nTopics (sprung help TOPIC):\n  ");
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        text_append(names, sizeof names, " %s", topic->name);
    text_fill(&text, names + 1, 2, 2, WIDTH);
    names[0] = '\0';
    for (size_t i = 0; format_list[i]; i++)
        text_append(names, sizeof names, " %s", format_list[i]->name);
    text_put(&text, "\nFormats (sprung help FORMAT):\n  ");
    text_fill(&text, names + 1, 2, 2, WIDTH);
    text_put(&text, "\nOne option: sprung help --OPTION. Examples: sprung -h. The manual: man sprung.\n");
    return text_take(&text);
}

void command_usage(struct messages *messages)
{
    char *text = manual_start();
    if (text)
        messages_text(messages, text);
    free(text);
}

/* Writes the options of a filter (command: command_filter) or of a command (filter: NULL), group by group;
 * unless `whole`, only the filter's own, those of the command's first table, and common ones. */
static void put_options(struct text *text, const struct command *command, const struct filter *filter,
                        bool whole)
{
    bool titled = false; /* the heading of the common options was written */
    if (filter && filter->nparam > 0) {
        text_put(text, "\nOptions of %s:\n", filter->name);
        for (const struct param *param = filter->params; param < filter->params + filter->nparam; param++)
            put_row(text, param, false, MANUAL_SHORT);
    }
    for (size_t i = 0; command->tables[i]; i++) {
        const struct option_table *table = command->tables[i];
        const bool all = whole || (i == 0 && !filter);
        if (!options_apply(filter, table))
            continue;
        if (all)
            text_put(text, "\n%s:\n", table->title);
        for (const struct param *param = table->params; param < table->params + table->nparam; param++) {
            if (!all && !param->common)
                continue;
            if (!all && !titled)
                text_put(text, "\nCommon options:\n");
            titled = titled || !all;
            put_row(text, param, manual_hides(filter, param), MANUAL_SHORT);
        }
    }
}

/* Writes each line, indented. */
static void put_indented(struct text *text, const char *lines)
{
    for (const char *p = lines; *p; p += strspn(p, "\n")) {
        int n = (int)strcspn(p, "\n");
        text_put(text, "  %.*s\n", n, p);
        p += n;
    }
}

char *manual_page(const struct command *command, const struct filter *filter, bool whole)
{
    struct text text = { 0 };
    const char *name = filter ? filter->name : command->name;
    static const char options[] = "[OPTION]...";
    const char *first = command->takes_filter ? command->operands : options;
    const char *second = command->takes_filter ? options : command->operands;
    text_put(&text, "usage: sprung %s %s %s\n\n%s: ", name, first, second, name);
    text_fill(&text, filter ? filter->words->summary : command->summary, strlen(name) + 2, 0, WIDTH);
    text_put(&text, "\nExamples:\n");
    put_indented(&text, command->examples ? command->examples : filter->words->examples);
    if (whole) {
        text_put(&text, "\n");
        text_fill(&text, filter ? filter->words->about : command->about, 0, 0, WIDTH);
    }
    put_options(&text, command, filter, whole);
    if (!whole)
        text_put(&text, "All options: sprung %s --help. One option: sprung help --OPTION.\n", name);
    if (whole && filter) {
        text_put(&text, "\nA step of T seconds toward the goal g (for your own code: sprung help code):\n");
        put_indented(&text, filter->words->equation);
    }
    return text_take(&text);
}

/* A filter or command with an option of the name that is explained. */
struct owner {
    const char *name;
    char *row; /* the option in help; owned; NULL: it was printed with an earlier owner, or out of memory */
};

struct owners {
    struct owner at[MAXEXPLAINED];
    size_t n;
};

static void add_owner(struct owners *owners, const struct param *param, const char *name)
{
    struct text row = { 0 };
    if (!param)
        return;
    assert(owners->n < MAXEXPLAINED);
    put_row(&row, param, false, MANUAL_FULL);
    owners->at[owners->n++] = (struct owner){ name, text_take(&row) };
}

/* The option in tables that every filter or a command has. */
static const struct param *find_in_tables(const struct option_table *const *table, const char *name, size_t n,
                                          int letter)
{
    const struct param *param = NULL;
    for (; *table && !param; table++)
        if (*table != &options_cuts && *table != &options_zero_phase)
            param = param_find((*table)->params, (*table)->nparam, name, n, letter);
    return param;
}

/* Lists the options that the word names: halflife, --halflife or -H. */
static void list_owners(struct owners *owners, const char *word)
{
    const char *name = word + strspn(word, "-");
    const bool short_name = word[0] == '-' && word[1] != '-';
    const int letter = short_name ? name[0] : 0;
    const size_t n = short_name ? 0 : strlen(name);
    if (short_name && strlen(name) != 1)
        return;
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        add_owner(owners, options_of_filter(*filter, name, n, letter), (*filter)->name);
    add_owner(owners, find_in_tables(options_shared, name, n, letter), "every filter");
    for (const struct command *const *command = command_list; *command; command++)
        add_owner(owners, find_in_tables((*command)->tables, name, n, letter), (*command)->name);
}

/* Owners whose option has the same help are named together. */
char *manual_option(const char *word)
{
    struct owners owners = { 0 };
    struct text text = { 0 };
    list_owners(&owners, word);
    for (struct owner *owner = owners.at; owner < owners.at + owners.n; owner++) {
        char names[256] = "", *row = owner->row;
        for (struct owner *other = owner; row && other < owners.at + owners.n; other++) {
            if (!other->row || strcmp(other->row, row) != 0)
                continue;
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", other->name);
            if (other > owner)
                free(other->row);
            other->row = NULL;
        }
        if (!row)
            continue;
        text_put(&text, text.n ? "\nOption of " : "Option of ");
        text_fill(&text, names, strlen("Option of "), 2, WIDTH);
        text_put(&text, "%s", row);
        free(row);
    }
    return text_take(&text);
}

bool manual_explains(const char *name)
{
    char *text = manual_option(name);
    bool any = text && text[0];
    free(text);
    return any;
}

char *manual_topic(const struct help_topic *topic)
{
    struct text text = { 0 };
    static const char mark[] = "@FORMATS@\n";
    const char *list = strstr(topic->text, mark);
    text_add(&text, topic->text, list ? (size_t)(list - topic->text) : strlen(topic->text));
    for (size_t i = 0; list && format_list[i]; i++)
        put_name(&text, format_list[i]->name, format_list[i]->summary);
    text_put(&text, "%s", list ? list + strlen(mark) : "");
    return text_take(&text);
}

/* The topic with the name of the format, or else the topic about the format's family; NULL: no topic. */
static const struct help_topic *section_of(const struct format *format)
{
    static const char *const families[] = {
        [FAMILY_TEXT] = "csv",      [FAMILY_JSON] = "json",   [FAMILY_AUDIO] = "audio",
        [FAMILY_MOTION] = "motion", [FAMILY_BINARY] = "gltf", [FAMILY_ARRAY] = "npy"
    };
    _Static_assert(sizeof families / sizeof *families == FAMILIES, "a topic for every enum family");
    const struct help_topic *of_family = NULL;
    for (const struct help_topic *topic = help_topics; topic->name; topic++) {
        if (strcmp(topic->name, format->name) == 0)
            return topic;
        if (strcmp(topic->name, families[format->family]) == 0)
            of_family = topic;
    }
    return of_family;
}

char *manual_format(const struct format *format)
{
    struct text text = { 0 };
    const struct help_topic *topic = section_of(format);
    put_name(&text, format->name, format->summary);
    text_put(&text, "%*s", NAME_AT, "");
    text_fill(&text, format->keeps, NAME_AT, NAME_AT, WIDTH);
    if (topic)
        text_put(&text, "\n%s", topic->text);
    return text_take(&text);
}
