/* Prints a table of every filter, command, format and option, for man/page.awk and the tests: a
 * program of the build. A line has fields with tabs between; a line break in a field is \\n. */
#include "cli/command.h"
#include "springs/filter_words.h"

#include <stdio.h>
#include <stdlib.h>

/* Writes a tab and a field. */
static void put_field(struct text *text, const char *field)
{
    text_put(text, "\t");
    for (const char *p = field; *p; p++)
        text_put(text, *p == '\n' ? "\\n" : "%c", *p);
}

/* Writes a line about an option. word: the command or the filter. title: the heading of the option's table.
 */
static void put_option(struct text *text, const char *word, const char *title, const struct param *param)
{
    char help[MANUAL_HELP];
    const char *kind = param->kind == PARAM_OPTIONAL_TEXT ? "optional" : "value";
    text_put(text, "option\t%s\t%s\t%s\t%.1s\t%s\t%s\t", word, title, param->name, &param->letter,
             param->kind == PARAM_FLAG ? "flag" : kind, param->choices || !param->value ? "" : param->value);
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        text_put(text, "%s%s", i ? " " : "", param->choices[i]);
    text_put(text, "\t%s\n", manual_option_help(param, true, help));
}

/* Writes the options of a command, with those of the filter: NULL for none. Those that every filter shares
 * have an empty word. */
static void put_options(struct text *text, const struct command *command, const struct filter *filter)
{
    const char *word = filter ? filter->name : command->name;
    for (size_t i = 0; filter && i < filter->nparam; i++)
        put_option(text, word, "Filter", &filter->params[i]);
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->nparam && options_apply(filter, *table); i++)
            put_option(text, word, (*table)->title, &(*table)->params[i]);
}

/* Writes the line about a filter or a command (filter: NULL), and their options. The last field of a filter's
 * line names what the filter takes, with blanks between. */
static void put_word(struct text *text, const struct command *command, const struct filter *filter)
{
    const char *kind = filter ? "filter" : "command";
    text_put(text, "%s\t%s\t%s\t%s", kind, filter ? filter->name : command->name, command->usage,
             command->takes_filter ? "yes" : "");
    put_field(text, filter ? filter->words->summary : command->summary);
    put_field(text, filter ? filter->words->about : command->about);
    text_put(text, "\t");
    if (filter)
        text_put(text, "%s%s%s", filter->zero_phase ? " zero-phase" : "",
                 filter->rotations ? " rotations" : "", filter->cuts ? " cuts" : "");
    text_put(text, "\n");
    put_options(text, command, filter);
}

int main(void)
{
    struct text text = { 0 };
    put_options(&text, &command_filter, NULL);
    for (const struct filter *const *f = filter_list; *f; f++)
        put_word(&text, &command_filter, *f);
    for (const struct command *const *c = command_list; *c; c++)
        put_word(&text, *c, NULL);
    for (size_t i = 0; format_list[i]; i++)
        text_put(&text, "format\t%s\n", format_list[i]->name);
    char *table = text_take(&text);
    const bool good = table && fputs(table, stdout) >= 0 && fflush(stdout) == 0;
    free(table);
    return good ? 0 : 1;
}
