/* Prints a table of every filter, command, topic, format and option, for man/generate.awk and the tests: a
 * program of the build. A line has fields with tabs between; a line break in a field is \\n, a backslash two
 * backslashes. */
#include "cli/command.h"
#include "springs/filter_words.h"

#include <stdio.h>
#include <stdlib.h>

/* Writes a tab and a field. */
static void put_field(struct text *text, const char *field)
{
    text_put(text, "\t");
    for (const char *p = field; *p; p++)
        if (*p == '\n')
            text_put(text, "\\n");
        else if (*p == '\\')
            text_put(text, "\\\\");
        else
            text_add(text, p, 1);
}

/* What the completions of a shell must know about the argument of an option; is_file: a file or a
 * directory. */
static const char *argument_kind(const struct param *param, bool is_file)
{
    if (param->kind == PARAM_FLAG)
        return "flag";
    if (param->kind == PARAM_OPTIONAL_TEXT)
        return "optional";
    return is_file ? "file" : "value";
}

/* Writes a line about an option. word: the command, the filter, or both, as in response/critical. title: the
 * heading of the option's table. hidden: as for put_row. */
static void put_option(struct text *text, const char *word, const char *title, const struct param *param,
                       bool hidden)
{
    char help[MANUAL_HELP];
    const char *value = param->choices || !param->value ? "" : param->value;
    bool file = strcmp(value, "FILE") == 0 || strcmp(value, "DIR") == 0;
    bool formats = strcmp(value, "FORMAT") == 0;
    text_put(text, "option\t%s\t%s\t%s\t%.1s\t%s\t%s\t", word, title, param->name, &param->letter,
             argument_kind(param, file), value);
    for (size_t i = 0; formats && format_list[i]; i++)
        text_put(text, "%s%s", i ? " " : "", format_list[i]->name);
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        text_put(text, "%s%s", i ? " " : "", param->choices[i]);
    put_field(text, param->help);
    put_field(text, manual_option_help(param, MANUAL_FULL, help));
    text_put(text, hidden ? "\thidden\n" : "\t\n");
}

/* Writes the options of a filter (command: command_filter), of a command (filter: NULL), or of a command that
 * takes a filter together with the options of this filter. */
static void put_options(struct text *text, const struct command *command, const struct filter *filter)
{
    char word[64];
    const char *slash = command->name[0] && filter ? "/" : "";
    snprintf(word, sizeof word, "%s%s%s", command->name, slash, filter ? filter->name : "");
    for (size_t i = 0; filter && i < filter->nparam; i++)
        put_option(text, word, "Filter", &filter->params[i], false);
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->nparam; i++)
            if (options_apply(filter, *table))
                put_option(text, word, (*table)->title, &(*table)->params[i],
                           manual_hides(filter, &(*table)->params[i]));
}

/* Writes the line about a filter (command_filter and the filter) or a command (filter is NULL). The last
 * field of a filter's line names what the filter takes, with blanks between. */
static void put_word(struct text *text, const struct command *command, const struct filter *filter)
{
    const char *kind = filter ? "filter" : "command";
    const char *name = filter ? filter->name : command->name;
    text_put(text, "%s\t%s\t%s\t%s", kind, name, command->operands, command->takes_filter ? "yes" : "");
    put_field(text, filter ? filter->words->summary : command->summary);
    put_field(text, filter ? filter->words->about : command->about);
    text_put(text, "\t");
    for (size_t i = 0; filter && i < FILTER_ABILITIES; i++)
        if (filter_takes(filter, (enum filter_ability)i))
            text_put(text, " %s", filter_abilities[i]);
    text_put(text, "\n");
}

int main(void)
{
    struct text text = { 0 };
    for (const struct filter *const *f = filter_list; *f; f++) {
        put_word(&text, &command_filter, *f);
        put_options(&text, &command_filter, *f);
    }
    for (const struct command *const *c = command_list; *c; c++) {
        put_word(&text, *c, NULL);
        put_options(&text, *c, NULL);
    }
    for (const struct command *const *c = command_list; *c; c++)
        for (const struct filter *const *f = filter_list; *f && (*c)->takes_filter; f++)
            put_options(&text, *c, *f);
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        text_put(&text, "topic\t%s\n", topic->name);
    for (size_t i = 0; format_list[i]; i++)
        text_put(&text, "format\t%s\t%s\t%s\n", format_list[i]->name, format_list[i]->summary,
                 format_list[i]->keeps);
    char *table = text_take(&text);
    const bool good = table && fputs(table, stdout) >= 0 && fflush(stdout) == 0;
    free(table);
    return good ? 0 : 1;
}
