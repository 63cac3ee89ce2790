/* sprung help [WORD]: explains a word. */
#include "cli/command.h"

#include "io/tempfile.h"

#include <stdlib.h>

static bool explain(const char *word, struct error *e)
{
    const struct filter *filter;
    const struct command *command = command_named(word, &filter);
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        if (strcmp(topic->name, word) == 0)
            return tempfile_print(text_format("%s", topic->text), e);
    if (command)
        return tempfile_print(manual_page(command, filter, true), e);
    char *text = manual_option(word);
    if (!text || text[0])
        return tempfile_print(text, e);
    free(text);
    return command_unknown("filter, command, topic or option", word, e);
}

static bool run_help(struct command_line *line, struct error *e)
{
    if (line->argc < 2)
        return tempfile_print(manual_overview(), e);
    if (strcmp(line->argv[1], "--complete") == 0)
        return complete_words(line->argv + 2, e);
    if (!explain(line->argv[1], e))
        return false;
    if (line->argc == 2)
        return true;
    error_usage(e, "help explains only one filter, command, topic or option at a time");
    return error_hint(e, "try sprung help %s", line->argv[2]);
}

const struct command command_help = {
    .name = "help",
    .usage = "[FILTER | COMMAND | TOPIC | OPTION]",
    .summary = "explains a filter, a command, a topic or an option",
    .about = "Without an argument it lists every filter, command and topic. For a filter or command it "
             "prints the same as --help after its name, for a topic or a format a section of the manual, and "
             "for an option what it does in each filter and command that has it. Dashes are needed only to "
             "distinguish the option --gaps from the topic gaps. help --complete WORDS prints what can "
             "replace the last word, for the completions of shells.",
    .examples = "sprung help critical\nsprung help gaps\nsprung help --despike\nsprung help -H",
    .tables = (const struct option_table *const[]){ &options_general, NULL },
    .takes_words = true,
    .run = run_help,
};
