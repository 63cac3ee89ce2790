/* Help as plain text, and as a table for programs. See command.h. */
#include "cli/command.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 80,    /* characters of a line */
    HELP_AT = 26,  /* column of the help of an option */
    NAME_AT = 16,  /* column of the summary of a filter, command or format */
    MAXHELP = 2048, /* bytes */
    MAXEXPLAINED = 32 /* options of one name whose help differs: at most one a filter and a command */
};

/* Has the filter an option of its own with the long name of the shared option? */
static bool is_hidden(const struct filter *filter, const struct param *shared)
{
    return filter && param_find(filter->params, filter->nparam, shared->name, strlen(shared->name), 0);
}

/* Writes words into the columns from `at` on: beside the current line, which begins at t->bytes + start, or,
 * if that line is too long, below. */
static void put_beside(struct text *t, size_t start, const char *words, size_t at)
{
    size_t column = t->failed ? 0 : utf8_count(t->bytes + start, t->n - start);
    if (column + 2 > at) {
        text_put(t, "\n");
        column = 0;
    }
    text_fill(t, words, column, at, WIDTH);
}

/* The help of an option. If the option has a range or a default, they are appended in brackets: "HELP
 * (greater than 0; default 1)". The result is p->help or buf. */
static const char *bounded_help(const struct param *p, char buf[MAXHELP])
{
    char range[160] = "";
    const char *fallback = p->fallback ? p->fallback : "";
    if (p->kind != PARAM_CHOICE)
        param_range_text(p, range, sizeof range);
    if (!range[0] && !fallback[0])
        return p->help;
    if (fallback[0])
        snprintf(buf, MAXHELP, "%s (%s%s%s)", p->help, range, range[0] ? "; default " : "default ", fallback);
    else
        snprintf(buf, MAXHELP, "%s (%s)", p->help, range);
    return buf;
}

/* Writes the letter, the name, the argument and the help of an option. hidden: the long name belongs to an
 * option of the filter, and only the letter is written. */
static void put_row(struct text *t, const struct param *p, bool hidden)
{
    bool optional = p->kind == PARAM_OPTIONAL_TEXT;
    const char *before_value = optional ? "[=" : " ";
    size_t start = t->n;
    char help[MAXHELP];
    if (p->letter)
        text_put(t, hidden ? "  -%c" : "  -%c, ", p->letter);
    if (!hidden)
        text_put(t, "%s--%s", p->letter ? "" : "      ", p->name);
    if (!p->choices && p->value)
        text_put(t, "%s%s", before_value, p->value);
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s%s", i ? "|" : before_value, p->choices[i]);
    text_put(t, optional ? "]" : "");
    put_beside(t, start, bounded_help(p, help), HELP_AT);
}

/* Writes a line of a list of filters, commands or formats. */
static void put_name(struct text *t, const char *name, const char *summary)
{
    size_t start = t->n;
    text_put(t, "  %s", name);
    put_beside(t, start, summary, NAME_AT);
}

char *manual_overview(void)
{
    struct text t = { 0 };
    text_fill(&t,
              "sprung filters time series with springs: noisy or jumpy numbers go in, motion with weight "
              "comes out. It reads and writes tables such as CSV, from files, pipes and live streams.",
              0, 0, WIDTH);
    text_put(&t, "\nusage: sprung FILTER [OPTION]... [FILE]...\n");
    for (const struct command *const *c = command_list; *c; c++)
        text_put(&t, "       sprung %s %s\n", (*c)->name, (*c)->operands);
    text_put(&t, "\nFilters:\n");
    for (size_t i = 0; filter_list[i]; i++)
        put_name(&t, filter_list[i]->name, filter_list[i]->summary);
    text_put(&t, "\nCommands:\n");
    for (const struct command *const *c = command_list; *c; c++)
        put_name(&t, (*c)->name, (*c)->summary);
    text_put(&t, "\nExamples:\n"
                 "  sprung critical --halflife 0.1 wave.csv > smooth.csv\n"
                 "  tail -f tracker.csv | sprung damper --halflife 0.05 --columns 'hand*'\n"
                 "\nMore: sprung help FILTER, sprung help --OPTION, man sprung, sprung help TOPIC:\n  ");
    char names[512] = "";
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        text_append(names, sizeof names, " %s", topic->name);
    text_fill(&t, names + 1, 2, 2, WIDTH);
    return text_take(&t);
}

void command_usage(struct messages *messages)
{
    struct text t = { 0 };
    char names[512] = "FILTER is one of";
    for (size_t i = 0; filter_list[i]; i++)
        text_append(names, sizeof names, "%s%s", i ? ", " : " ", filter_list[i]->name);
    text_put(&t, "usage: sprung FILTER [OPTION]... [FILE]...\n");
    text_fill(&t, names, 0, 0, WIDTH);
    text_put(&t, "More: sprung help\n");
    if (!t.failed)
        messages_text(messages, t.bytes);
    free(t.bytes);
}

/* --- the table: lines of fields with tabs between. A line break in a field is written as \\n, a backslash as
 * two backslashes. --- */

/* Writes a tab and a field. */
static void put_field(struct text *t, const char *field)
{
    text_put(t, "\t");
    for (const char *p = field; *p; p++)
        if (*p == '\n')
            text_put(t, "\\n");
        else if (*p == '\\')
            text_put(t, "\\\\");
        else
            text_add(t, p, 1);
}

/* What the completions of a shell must know about the argument of an option; is_file: a file or a
 * directory. */
static const char *argument_kind(const struct param *p, bool is_file)
{
    if (p->kind == PARAM_FLAG)
        return "flag";
    if (p->kind == PARAM_OPTIONAL_TEXT)
        return "optional";
    return is_file ? "file" : "value";
}

/* Writes a line about an option. word: the command, the filter, or both, as in response/critical; title: the
 * heading of the option's table; hidden as for put_row. */
static void put_option(struct text *t, const char *word, const char *title, const struct param *p,
                       bool hidden)
{
    char help[MAXHELP];
    const char *value = p->choices || !p->value ? "" : p->value;
    bool file = strcmp(value, "FILE") == 0 || strcmp(value, "DIR") == 0;
    bool formats = strcmp(value, "FORMAT") == 0;
    text_put(t, "option\t%s\t%s\t%s\t%.1s\t%s\t%s\t", word, title, p->name, &p->letter,
             argument_kind(p, file), value);
    for (size_t i = 0; formats && format_list[i]; i++)
        text_put(t, "%s%s", i ? " " : "", format_list[i]->name);
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s%s", i ? " " : "", p->choices[i]);
    put_field(t, p->help);
    put_field(t, bounded_help(p, help));
    text_put(t, hidden ? "\thidden\n" : "\t\n");
}

/* How much is written about options. */
enum extent {
    NAMES, /* the names; with their help only the options of the filter, or of the command's first table */
    HELP,  /* the names and the help */
    LINES  /* lines of the table for programs */
};

/* Writes the title of a table and the names of the options. */
static void put_names(struct text *t, const struct option_table *table, const struct filter *filter)
{
    char words[MAXHELP] = "";
    for (const struct param *p = table->params; p < table->params + table->nparam; p++)
        if (is_hidden(filter, p))
            text_append(words, sizeof words, " -%c", p->letter);
        else
            text_append(words, sizeof words, " --%s", p->name);
    text_put(t, "  %s:", table->title);
    text_fill(t, words + 1, strlen(table->title) + 3, 11, WIDTH);
}

/* Writes the options of a filter (command_filter and the filter), of a command (filter is NULL), or of a
 * command that takes a filter, and that filter. */
static void put_options(struct text *t, const struct command *command, const struct filter *filter,
                        enum extent extent)
{
    bool named = false; /* the names of a table were written */
    char word[64];
    const char *filter_name = filter ? filter->name : "";
    const char *slash = command->name[0] && filter ? "/" : "";
    struct option_table own = { .title = "Filter" };
    const struct option_table *table = &own;
    if (filter) {
        own.params = filter->params;
        own.nparam = filter->nparam;
    }
    snprintf(word, sizeof word, "%s%s%s", command->name, slash, filter_name);
    for (size_t i = 0; table; table = command->tables[i++]) {
        if (table->nparam == 0 || (filter && !filter->cuts && table == &options_cuts))
            continue;
        if (extent == NAMES && table != &own && (filter || i > 1)) {
            text_put(t, named ? "" : "\nFurther options, which --help explains:\n");
            put_names(t, table, filter);
            named = true;
            continue;
        }
        if (extent != LINES && table == &own)
            text_put(t, "\nOptions of %s:\n", filter_name);
        else if (extent != LINES)
            text_put(t, "\n%s:\n", table->title);
        for (const struct param *p = table->params; p < table->params + table->nparam; p++) {
            bool hidden = table != &own && is_hidden(filter, p);
            if (extent != LINES)
                put_row(t, p, hidden);
            else
                put_option(t, word, table->title, p, hidden);
        }
    }
}

/* Writes each line, indented. */
static void put_indented(struct text *t, const char *lines)
{
    for (const char *p = lines; *p; p += strspn(p, "\n")) {
        int n = (int)strcspn(p, "\n");
        text_put(t, "  %.*s\n", n, p);
        p += n;
    }
}

char *manual_page(const struct command *command, const struct filter *filter, bool whole)
{
    struct text t = { 0 };
    const char *name = filter ? filter->name : command->name;
    static const char options[] = "[OPTION]...";
    const char *first = command->takes_filter ? command->operands : options;
    const char *second = command->takes_filter ? options : command->operands;
    text_put(&t, "usage: sprung %s %s %s\n\n%s: ", name, first, second, name);
    text_fill(&t, filter ? filter->summary : command->summary, strlen(name) + 2, 0, WIDTH);
    text_put(&t, "\n");
    text_fill(&t, filter ? filter->about : command->about, 0, 0, WIDTH);
    if (filter) {
        text_put(&t, "\nA step of T seconds toward the goal g (for your own code: sprung help code):\n");
        put_indented(&t, filter->equation);
    }
    const char *examples = command->examples ? command->examples : filter->examples;
    text_put(&t, "\nExamples:\n");
    put_indented(&t, examples);
    put_options(&t, command, filter, whole ? HELP : NAMES);
    return text_take(&t);
}

/* An option as help prints it, and the filters and commands that take the option with this text. */
struct explained_option {
    char *row;          /* owned; NULL: memory is out */
    struct text owners; /* names with commas between */
};

/* The options of one name: filters may have options of one name with different meanings. */
struct explained_options {
    struct explained_option at[MAXEXPLAINED];
    size_t n;
};

/* Adds an option of the owner, a filter or a command. */
static void explain_option(struct explained_options *list, const struct param *p, const char *owner)
{
    struct text row = { 0 };
    size_t i = 0;
    put_row(&row, p, false);
    char *lines = text_take(&row);
    while (i < list->n && lines && list->at[i].row && strcmp(list->at[i].row, lines) != 0)
        i++;
    assert(i < MAXEXPLAINED);
    struct explained_option *option = &list->at[i];
    if (i == list->n) {
        *option = (struct explained_option){ .row = lines };
        list->n++;
    } else {
        free(lines);
    }
    text_put(&option->owners, "%s%s", option->owners.n ? ", " : "", owner);
}

/* Adds the option of the name that the owner takes by its tables, NULL-terminated. */
static void explain_from_tables(struct explained_options *list, const struct option_table *const *table,
                                const char *name, const char *owner)
{
    for (; *table; table++) {
        const struct param *p = param_find((*table)->params, (*table)->nparam, name, strlen(name), 0);
        if (p && *table != &options_cuts)
            explain_option(list, p, owner);
    }
}

/* Adds the option of the name that the filter has of its own, or that filters with cuts share. */
static void explain_from_filter(struct explained_options *list, const struct filter *filter, const char *name)
{
    const struct param *p = param_find(filter->params, filter->nparam, name, strlen(name), 0);
    if (!p && filter->cuts)
        p = param_find(options_cuts.params, options_cuts.nparam, name, strlen(name), 0);
    if (p)
        explain_option(list, p, filter->name);
}

/* Lists the options of the name. */
static void explain_name(struct explained_options *list, const char *name)
{
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        explain_from_filter(list, *filter, name);
    explain_from_tables(list, options_shared, name, "every filter");
    for (const struct command *const *command = command_list; *command; command++)
        explain_from_tables(list, (*command)->tables, name, (*command)->name);
}

char *manual_option(const char *name)
{
    struct explained_options list = { 0 };
    struct text t = { 0 };
    explain_name(&list, name);
    for (size_t i = 0; i < list.n; i++) {
        char *owners = text_take(&list.at[i].owners);
        text_put(&t, i ? "\nOption of " : "Option of ");
        text_fill(&t, owners ? owners : "", strlen("Option of "), 2, WIDTH);
        text_put(&t, "%s", list.at[i].row ? list.at[i].row : "");
        t.failed |= !owners || !list.at[i].row;
        free(owners);
        free(list.at[i].row);
    }
    return text_take(&t);
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
    struct text t = { 0 };
    static const char mark[] = "@FORMATS@\n";
    const char *list = strstr(topic->text, mark);
    text_add(&t, topic->text, list ? (size_t)(list - topic->text) : strlen(topic->text));
    for (size_t i = 0; list && format_list[i]; i++)
        put_name(&t, format_list[i]->name, format_list[i]->summary);
    text_put(&t, "%s", list ? list + strlen(mark) : "");
    return text_take(&t);
}

/* The topic with the name of the format, or else the topic about the format's family; NULL: no topic. */
static const struct help_topic *section_of(const struct format *format)
{
    static const char *const families[] = { [FAMILY_TEXT] = "csv",
                                            [FAMILY_JSON] = "json",
                                            [FAMILY_AUDIO] = "audio",
                                            [FAMILY_MOTION] = "motion",
                                            [FAMILY_BINARY] = "gltf" };
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
    struct text t = { 0 };
    const struct help_topic *topic = section_of(format);
    put_name(&t, format->name, format->summary);
    text_put(&t, "%*s", NAME_AT, "");
    text_fill(&t, format->keeps, NAME_AT, NAME_AT, WIDTH);
    if (topic)
        text_put(&t, "\n%s", topic->text);
    return text_take(&t);
}

/* Writes the line about a filter (command_filter and the filter) or a command (filter is NULL). */
static void put_word(struct text *t, const struct command *command, const struct filter *filter)
{
    const char *kind = filter ? "filter" : "command";
    const char *name = filter ? filter->name : command->name;
    text_put(t, "%s\t%s\t%s\t%s", kind, name, command->operands, command->takes_filter ? "yes" : "");
    put_field(t, filter ? filter->summary : command->summary);
    put_field(t, filter ? filter->about : command->about);
    put_field(t, filter ? filter->equation : "");
    text_put(t, "\n");
}

char *manual_table(void)
{
    struct text t = { 0 };
    for (const struct filter *const *f = filter_list; *f; f++) {
        put_word(&t, &command_filter, *f);
        put_options(&t, &command_filter, *f, LINES);
    }
    for (const struct command *const *c = command_list; *c; c++) {
        put_word(&t, *c, NULL);
        put_options(&t, *c, NULL, LINES);
    }
    for (const struct command *const *c = command_list; *c; c++)
        for (const struct filter *const *f = filter_list; *f && (*c)->takes_filter; f++)
            put_options(&t, *c, *f, LINES);
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        text_put(&t, "topic\t%s\n", topic->name);
    for (size_t i = 0; format_list[i]; i++)
        text_put(&t, "format\t%s\t%s\t%s\n", format_list[i]->name, format_list[i]->summary,
                 format_list[i]->keeps);
    return text_take(&t);
}
