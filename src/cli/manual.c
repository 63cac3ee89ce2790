/* Help as plain text. See command.h. */
#include "cli/command.h"

#include "base/utf8.h"
#include "springs/filter_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 80,      /* characters of a line */
    HELP_AT = 28,    /* column of the help of an option */
    NAME_AT = 16,    /* column of the summary of a filter or command */
    MAXMEANING = 32, /* filters and commands */
    MAXNAMES = 512   /* bytes of a list of names */
};

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

const char *manual_option_help(const struct param *param, bool whole, char buf[MANUAL_HELP])
{
    char range[160] = "";
    const char *fallback = param->fallback ? param->fallback : "";
    if (whole && param->kind != PARAM_CHOICE)
        param_range_text(param, range, sizeof range);
    snprintf(buf, MANUAL_HELP, "%s", param->help);
    if (fallback[0])
        text_append(buf, MANUAL_HELP, " (%s%sdefault %s)", range, range[0] ? "; " : "", fallback);
    else if (range[0])
        text_append(buf, MANUAL_HELP, " (%s)", range);
    if (whole && param->more)
        text_append(buf, MANUAL_HELP, ". %s", param->more);
    return buf;
}

/* Writes the letter, the name, the argument and the help of an option. hidden: the long name belongs to an
 * option of the filter, and only the letter is written. whole: as for manual_option_help. */
static void put_row(struct text *text, const struct param *param, bool hidden, bool whole)
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
    put_beside(text, start, manual_option_help(param, whole, help), HELP_AT);
}

/* Writes a line of a list of filters or commands. */
static void put_name(struct text *text, const char *name, const char *summary)
{
    size_t start = text->n;
    text_put(text, "  %s", name);
    put_beside(text, start, summary, NAME_AT);
}

/* Writes a heading and names, each with a blank before it; the lines after the first are indented as far. */
static void put_names(struct text *text, const char *heading, const char *names)
{
    text_put(text, "%s", heading);
    text_fill(text, names + 1, strlen(heading), strlen(heading), WIDTH);
}

char *manual_start(void)
{
    struct text text = { 0 };
    char filters[MAXNAMES] = "", commands[MAXNAMES] = "";
    for (size_t i = 0; filter_list[i]; i++)
        text_append(filters, sizeof filters, " %s", filter_list[i]->name);
    for (const struct command *const *c = command_list; *c; c++)
        text_append(commands, sizeof commands, " %s", (*c)->name);
    text_put(&text, "sprung filters time series with springs: noisy numbers in, smooth numbers out.\n"
                    "\nusage: sprung FILTER [OPTION]... [FILE]...\n"
                    "If a file has no times, add --rate HZ to these commands, such as --rate 120.\n"
                    "\nSee what is in a file, and get a command that cleans it:\n"
                    "  sprung inspect take.csv\n"
                    "Clean a recorded file, without lag; the cutoff is chosen from the noise:\n"
                    "  sprung butterworth --cutoff auto --zero-phase take.csv -o clean.csv\n"
                    "Draw before and after in the terminal, or into a file with -o FILE.svg:\n"
                    "  sprung plot take.csv clean.csv\n"
                    "Smooth a live stream, row by row:\n"
                    "  tail -n +1 -f tracker.csv | sprung one-euro --min-cutoff 1 --beta 0.01 -d 0\n"
                    "Clean all files of a folder (add --report to see what changed most):\n"
                    "  sprung butterworth --cutoff 6 --zero-phase --recursive --output-dir out takes\n\n");
    put_names(&text, "Filters:  ", filters);
    put_names(&text, "Commands: ", commands);
    text_put(&text, "More: sprung FILTER -h, sprung help (filters, commands, topics), man sprung\n");
    return text_take(&text);
}

char *manual_overview(void)
{
    struct text text = { 0 };
    char topics[MAXNAMES] = "";
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        text_append(topics, sizeof topics, " %s", topic->name);
    text_put(&text, "usage: sprung FILTER [OPTION]... [FILE]...\n");
    for (const struct command *const *c = command_list; *c; c++)
        text_put(&text, "       sprung %s %s\n", (*c)->name, (*c)->usage);
    text_put(&text, "\nFilters (sprung FILTER -h: its most used options; --help: all):\n");
    for (size_t i = 0; filter_list[i]; i++)
        put_name(&text, filter_list[i]->name, filter_list[i]->words->summary);
    text_put(&text, "\nCommands (sprung COMMAND -h):\n");
    for (const struct command *const *c = command_list; *c; c++)
        put_name(&text, (*c)->name, (*c)->summary);
    text_put(&text, "\nTopics (sprung help TOPIC):\n");
    put_names(&text, "  ", topics);
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
            put_row(text, param, false, false);
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
            const bool hidden = /* by an option of the filter with the same name */
                filter && param_find(filter->params, filter->nparam, param->name, strlen(param->name), 0);
            put_row(text, param, hidden, false);
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
    text_put(&text, "usage: sprung %s %s\n\n%s: ", name, command->usage, name);
    text_fill(&text, filter ? filter->words->summary : command->summary, strlen(name) + 2, 0, WIDTH);
    text_put(&text, "\nExamples:\n");
    put_indented(&text, filter ? filter->words->examples : command->examples);
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

/* What an option means, and the filters and commands for which it means that. */
struct meaning {
    const struct param *param;
    char names[MAXNAMES];
};

static bool same_help(const struct param *a, const struct param *b)
{
    char of_a[MANUAL_HELP], of_b[MANUAL_HELP];
    return strcmp(a->name, b->name) == 0 &&
           strcmp(manual_option_help(a, true, of_a), manual_option_help(b, true, of_b)) == 0;
}

/* Adds the name to the meaning of its option; param NULL: it has no such option. */
static void add_meaning(struct meaning meanings[MAXMEANING], size_t *n, const char *name,
                        const struct param *param)
{
    size_t k = 0;
    if (!param)
        return;
    while (k < *n && !same_help(meanings[k].param, param))
        k++;
    assert(k < MAXMEANING);
    if (k == *n)
        meanings[(*n)++] = (struct meaning){ .param = param };
    char *names = meanings[k].names;
    text_append(names, MAXNAMES, "%s%s", names[0] ? ", " : "", name);
}

char *manual_option(const char *word)
{
    struct meaning meanings[MAXMEANING];
    struct text text = { 0 };
    size_t n = 0;
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        add_meaning(meanings, &n, (*filter)->name, options_find(*filter, options_some, word));
    if (!options_find(NULL, options_some, word))
        add_meaning(meanings, &n, "every filter", options_find(NULL, options_shared, word));
    for (const struct command *const *command = command_list; *command; command++)
        add_meaning(meanings, &n, (*command)->name, options_find(NULL, (*command)->tables, word));
    for (size_t i = 0; i < n; i++) {
        text_put(&text, "%sOption of ", i > 0 ? "\n" : "");
        text_fill(&text, meanings[i].names, strlen("Option of "), 2, WIDTH);
        put_row(&text, meanings[i].param, false, true);
    }
    return text_take(&text);
}
