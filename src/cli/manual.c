/* Help in plain text, and all of it as a table: see command.h. */
#include "cli/command.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 80, HELP_AT = 26, NAME_AT = 16, MAXHELP = 2048 };

/* Does one of the filter's own options hide this shared one's long name? */
static bool is_hidden(const struct filter *filter, const struct param *shared)
{
    return filter && param_find(filter->params, filter->nparam, shared->name, strlen(shared->name), 0);
}

/* Writes words from column at on, on the next line if the current one, which begins at start, is too long. */
static void put_beside(struct text *t, size_t start, const char *words, size_t at)
{
    size_t column = t->failed ? 0 : utf8_count(t->bytes + start, t->n - start);
    if (column + 2 > at) {
        text_put(t, "\n");
        column = 0;
    }
    text_fill(t, words, column, at, WIDTH);
}

/* An option's help and " (greater than 0; default 1)": its range and default, as far as it has them. */
static const char *bounded_help(const struct param *p, char buf[MAXHELP])
{
    char range[160] = "";
    const char *fallback = p->fallback ? p->fallback : "";
    if (p->kind != PARAM_CHOICE)
        param_range_text(p, range, sizeof range);
    if (!range[0] && !fallback[0])
        return p->help;
    snprintf(buf, MAXHELP, "%s (%s%s%s%s)", p->help, range, range[0] && fallback[0] ? "; " : "",
             fallback[0] ? "default " : "", fallback);
    return buf;
}

static void put_row(struct text *t, const struct param *p, bool hidden)
{
    bool optional = p->kind == PARAM_OPTIONAL_TEXT;
    size_t start = t->n;
    char help[MAXHELP];
    if (p->letter)
        text_put(t, hidden ? "  -%c" : "  -%c, ", p->letter);
    if (!hidden)
        text_put(t, "%s--%s", p->letter ? "" : "      ", p->name);
    if (!p->choices && p->value)
        text_put(t, "%s%s", optional ? "[=" : " ", p->value);
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s%s", i ? "|" : optional ? "[=" : " ", p->choices[i]);
    text_put(t, optional ? "]" : "");
    put_beside(t, start, bounded_help(p, help), HELP_AT);
}

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
                 "\nMore: sprung help FILTER, man sprung, and its sections, sprung help TOPIC:\n  ");
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

/* --- the table: lines of fields with tabs between; in them \\n is a line break, \\\\ a backslash --- */

/* Writes a field and the tab before it. */
static void put_field(struct text *t, const char *field)
{
    text_put(t, "\t");
    for (const char *p = field; *p; p++)
        text_put(t, *p == '\n' ? "\\n" : *p == '\\' ? "\\\\" : "%c", *p);
}

/* An option of a word, under the title of its table. */
static void put_option(struct text *t, const char *word, const char *title, const struct param *p,
                       bool hidden)
{
    char help[MAXHELP];
    const char *value = p->choices || !p->value ? "" : p->value;
    bool file = strcmp(value, "FILE") == 0 || strcmp(value, "DIR") == 0;
    bool formats = strcmp(value, "FORMAT") == 0;
    const char *kind = p->kind == PARAM_FLAG            ? "flag"
                       : p->kind == PARAM_OPTIONAL_TEXT ? "optional"
                       : file                           ? "file"
                                                        : "value";
    text_put(t, "option\t%s\t%s\t%s\t%.1s\t%s\t%s\t", word, title, p->name, &p->letter, kind, value);
    for (size_t i = 0; formats && format_list[i]; i++)
        text_put(t, "%s%s", i ? " " : "", format_list[i]->name);
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s%s", i ? " " : "", p->choices[i]);
    put_field(t, p->help);
    put_field(t, bounded_help(p, help));
    text_put(t, hidden ? "\thidden\n" : "\t\n");
}

/* How much of options is written: their names, their help, or, for programs, lines that begin with a word
 * such as response/critical. */
enum extent { NAMES, HELP, LINES };

/* The names of options, in the lines of a paragraph that begins with a title. */
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

/* The options of a filter, a command, or a command with a filter after it. NAMES: in full those of the
 * filter, or of the command's first table. */
static void put_options(struct text *t, const struct command *command, const struct filter *filter,
                        enum extent extent)
{
    bool named = false;
    char word[64];
    const struct option_table own = { "Filter", filter ? filter->params : NULL, filter ? filter->nparam : 0 };
    const struct option_table *table = &own;
    snprintf(word, sizeof word, "%s%s%s", command->name, command->name[0] && filter ? "/" : "",
             filter ? filter->name : "");
    for (size_t i = 0; table; table = command->tables[i++]) {
        if (table->nparam == 0 || (filter && !filter->cuts && table == &options_cuts))
            continue;
        if (extent == NAMES && table != &own && (filter || i > 1)) {
            text_put(t, named ? "" : "\nFurther options, which --help explains:\n");
            put_names(t, table, filter);
            named = true;
            continue;
        }
        if (extent != LINES)
            text_put(t, table == &own ? "\nOptions of %s:\n" : "\n%s:\n",
                     table == &own ? filter->name : table->title);
        for (const struct param *p = table->params; p < table->params + table->nparam; p++) {
            bool hidden = table != &own && is_hidden(filter, p);
            if (extent != LINES)
                put_row(t, p, hidden);
            else
                put_option(t, word, table->title, p, hidden);
        }
    }
}

char *manual_page(const struct command *command, const struct filter *filter, bool whole)
{
    struct text t = { 0 };
    const char *name = filter ? filter->name : command->name;
    const char *operands = command->operands, *options = "[OPTION]...";
    text_put(&t, "usage: sprung %s %s %s\n\n%s: ", name, command->takes_filter ? operands : options,
             command->takes_filter ? options : operands, name);
    text_fill(&t, filter ? filter->summary : command->summary, strlen(name) + 2, 0, WIDTH);
    text_put(&t, "\n");
    text_fill(&t, filter ? filter->about : command->about, 0, 0, WIDTH);
    const char *examples = command->examples ? command->examples : filter->examples;
    text_put(&t, "\nExamples:\n");
    for (const char *p = examples; *p; p += strspn(p, "\n")) {
        int n = (int)strcspn(p, "\n");
        text_put(&t, "  %.*s\n", n, p);
        p += n;
    }
    put_options(&t, command, filter, whole ? HELP : NAMES);
    return text_take(&t);
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

/* The section about a format: the topic of its own name, or that of its family; NULL: there is no such
 * section. */
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

/* A filter or a command. */
static void put_word(struct text *t, const struct command *c, const struct filter *f)
{
    text_put(t, "%s\t%s\t%s\t%s", f ? "filter" : "command", f ? f->name : c->name, c->operands,
             c->takes_filter ? "yes" : "");
    put_field(t, f ? f->summary : c->summary);
    put_field(t, f ? f->about : c->about);
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
