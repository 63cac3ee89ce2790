/* sprung help [WORD], and the start of every command line: --help, --version, an unknown first word. */
#include "cli/command.h"

#include "base/port.h"
#include "base/suggest.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <stdlib.h>

const struct command *const command_list[] = { &command_response, &command_diff, &command_plot,
                                               &command_inspect,  &command_help, NULL };

static bool is_flag(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

const struct command *command_named(const char *name, const struct filter **filter)
{
    const struct command *const *c = command_list;
    *filter = filter_find(name);
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *filter ? &command_filter : *c;
}

/* Everything that help explains. */
static const char explained[] = "filter, command, topic or option";

static void offer_options(struct suggestion *near)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        for (size_t i = 0; i < (*f)->nparam; i++)
            suggest_offer(near, (*f)->params[i].name);
    for (const struct option_table *const *table = options_shared; *table; table++)
        for (size_t i = 0; i < (*table)->nparam; i++)
            suggest_offer(near, (*table)->params[i].name);
}

static void offer_names(struct suggestion *near, bool topics)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        suggest_offer(near, (*f)->name);
    for (const struct command *const *c = command_list; *c; c++)
        suggest_offer(near, (*c)->name);
    for (const struct help_topic *topic = help_topics; topic->name && topics; topic++)
        suggest_offer(near, topic->name);
}

/* The error that a word is no `what`, with a hint of the nearest name. */
static bool unknown_word(const char *what, const char *word, struct error *e)
{
    const bool option = word[0] == '-';
    struct suggestion near = { .word = word + strspn(word, "-") };
    const char *synonym = synonym_of(near.word, !option, NULL);
    if (option)
        offer_options(&near);
    else
        offer_names(&near, what == explained);
    error_usage(e, "no such %s", what);
    error_excerpt(e, word, strlen(word));
    if (synonym)
        return error_hint(e, "%s", synonym);
    if (!near.best)
        return error_hint(e, "for all filters and commands: sprung help");
    return error_hint(e, "did you mean %s%s?", option ? "--" : "", near.best);
}

static bool print_version(struct error *e)
{
    return tempfile_print(text_format("sprung %s\n", SPRUNG_VERSION), e);
}

/* Takes the word after the command's name as the filter; --help and --version may be there instead. */
static bool take_filter(struct command_line *line, struct error *e)
{
    const char *name = line->argc > 1 ? line->argv[1] : "";
    line->job.filter.filter = filter_find(name);
    if (line->job.filter.filter) {
        line->argc--;
        line->argv++;
    }
    if (line->job.filter.filter || is_flag(name, "--help", "-h") || is_flag(name, "--version", "-V"))
        return true;
    if (name[0] && name[0] != '-')
        return unknown_word("filter", name, e);
    error_usage(e, "%s needs a filter, and then its options", line->argv[0]);
    return error_hint(e, "for example: sprung %s critical --halflife 0.1 --summary", line->argv[0]);
}

/* Runs a command line whose first word is neither a filter nor a command: --help, --version, or an error. */
static bool run_word(const char *word, struct error *e)
{
    char quoted[TEXT_WORD];
    if (is_flag(word, "--help", "-h"))
        return tempfile_print(word[1] == 'h' ? manual_start() : manual_overview(), e);
    if (is_flag(word, "--version", "-V"))
        return print_version(e);
    if (word[0] == '-') {
        error_usage(e, "give the filter first, then its options");
        return error_hint(e, "for all filters: sprung help");
    }
    if (synonym_of(word, true, NULL) || (!format_by_file(word) && !strchr(word, '/') && !port_exists(word)))
        return unknown_word("filter or command", word, e);
    error_usage(e, "give the filter first, then the files");
    return error_hint(e, "for example sprung critical -H 0.1 %s", text_quoted(quoted, word));
}

/* Does `sprung help` ask about an option with its dashes: help --gaps, help -H? */
static bool asks_about_option(const struct command_line *line)
{
    return line->tables == command_help.tables && line->argc == 2 && line->argv[1][0] == '-' &&
           !options_find(NULL, line->tables, line->argv[1]);
}

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
    return unknown_word(explained, word, e);
}

static bool run_line(const struct command *command, struct command_line *line, struct error *e)
{
    if (asks_about_option(line))
        return explain(line->argv[1], e);
    if (command->takes_filter && !take_filter(line, e))
        return false;
    if (!options_parse(line, e))
        return false;
    const struct filter *filter = command->takes_filter ? NULL : line->job.filter.filter;
    if (line->help)
        return tempfile_print(manual_page(command, filter, !line->brief), e);
    return line->version ? print_version(e) : command->run(line, e);
}

enum status command_run(int argc, char **argv, struct messages *messages)
{
    struct command_line line = { .argc = argc, .argv = argv, .messages = messages };
    const struct command *command = command_named(argv[0], &line.job.filter.filter);
    struct error e = { 0 };
    line.tables = command ? command->tables : (const struct option_table *const[]){ NULL };
    bool good = command ? run_line(command, &line, &e) : run_word(argv[0], &e);
    if (!good && e.kind)
        messages_error(messages, line.file, &e);
    options_free(&line);
    if (!good)
        return STATUS_TROUBLE;
    return line.different ? STATUS_DIFFERENT : STATUS_DONE;
}

static bool run_help(struct command_line *line, struct error *e)
{
    const struct texts *words = &line->operands;
    if (line->complete)
        return complete_words(line->argv + 2, e);
    if (words->ntext > 1)
        return error_usage(e, "help explains only one filter, command, topic or option at a time");
    return words->ntext ? explain(words->text[0], e) : tempfile_print(manual_overview(), e);
}

const struct command command_help = {
    .name = "help",
    .usage = "[FILTER | COMMAND | TOPIC | OPTION]",
    .summary = "explains a filter, a command, a topic or an option",
    .about = "Without an argument it lists every filter, command and topic. With a filter or command it "
             "prints the same as --help after that name, with a topic or a format that section of the "
             "manual, with an option what it does for each filter and command that has it. Dashes are "
             "needed only to distinguish the option --gaps from the topic gaps.",
    .examples = "sprung help critical\nsprung help gaps\nsprung help --despike\nsprung help -H",
    .tables = (const struct option_table *const[]){ &options_help, &options_general, NULL },
    .run = run_help,
};
