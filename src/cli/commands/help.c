/* sprung help [WORD], and the start of every command line: --help, --version, an unknown first word. */
#include "cli/command.h"

#include "base/port.h"
#include "base/suggest.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <stdio.h>
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

bool command_unknown(const char *word, bool commands, bool topics, struct error *e)
{
    bool dashes = commands && word[0] == '-' && word[1];
    struct suggestion near = { .word = dashes ? word + strspn(word, "-") : word };
    for (size_t i = 0; dashes && i < options_general.nparam; i++)
        suggest_offer(&near, options_general.params[i].name);
    for (const struct filter *const *f = filter_list; *f && !dashes; f++)
        suggest_offer(&near, (*f)->name);
    for (const struct command *const *c = command_list; *c && commands && !dashes; c++)
        suggest_offer(&near, (*c)->name);
    for (const struct help_topic *topic = help_topics; topic->name && topics; topic++)
        suggest_offer(&near, topic->name);
    if (dashes)
        error_usage(e, "give the filter first, then its options");
    else if (topics)
        error_usage(e, "no such filter, command or topic");
    else
        error_usage(e, commands ? "no such filter or command" : "no such filter");
    error_excerpt(e, word, strlen(word));
    const char *synonym = dashes ? NULL : synonym_of_filter(word);
    if (synonym)
        return error_hint(e, "%s", synonym);
    if (near.best)
        return error_hint(e, dashes ? "did you mean --%s?" : "did you mean %s?", near.best);
    return commands && error_hint(e, dashes ? "for all filters: sprung help"
                                            : "for all filters and commands: sprung help");
}

bool command_example(const struct command_line *line, const char *command, const char *file, struct error *e)
{
    const struct filter *filter = line->job.filter.filter;
    /* The first example is `sprung FILTER OPTIONS INPUT > OUTPUT`. */
    const char *options = filter->words->examples + strlen("sprung ");
    const char *output = strstr(options, " > ");
    bool plain = strncmp(filter->words->examples, "sprung ", strlen("sprung ")) == 0 && output;
    if (e->kind != ERROR_USAGE || !plain || line->own_given)
        return false;
    if (!file && strstr(options, "auto")) /* only a file has data to choose by */
        return error_hint(e, "for example sprung %s%s --cutoff 6", command, filter->name);
    int n = (int)(output - options);
    while (n > 0 && options[n - 1] != ' ')
        n--;
    char word[TEXT_WORD];
    return error_hint(e, "for example sprung %s%.*s%s", command, n - !file, options,
                      file ? text_quoted(word, file) : "");
}

/* The libraries that the program was built with: a line each. */
#ifndef SPRUNG_LIBRARIES
#define SPRUNG_LIBRARIES ""
#endif

/* verbose: with a line for each library, its name and version. */
static bool print_version(bool verbose, struct error *e)
{
    return tempfile_print(text_format("sprung %s\n%s", SPRUNG_VERSION, verbose ? SPRUNG_LIBRARIES : ""), e);
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
        return command_unknown(name, false, false, e);
    error_usage(e, "%s needs a filter, and then its options", line->argv[0]);
    return error_hint(e, "for example: sprung %s critical --halflife 0.1 --summary", line->argv[0]);
}

/* The output that the words after the first file name: a second file, or the value of --output; NULL: none.
 */
static const char *find_output(char *const *words)
{
    if (words[0] && words[0][0] != '-' && format_by_file(words[0]))
        return words[0];
    for (; words[0]; words++)
        if (is_flag(words[0], "--output", "-o"))
            return words[1];
    return NULL;
}

/* The error that a command line begins with a file. words: those after the file. The hint writes to no file
 * that exists. Returns false. */
static bool refuse_file(const char *file, char *const *words, struct error *e)
{
    const char *output = find_output(words), *command = "critical -H 0.1";
    char input[TEXT_WORD], result[TEXT_WORD], fresh[TEXT_WORD];
    if (output && format_by_file(output) && format_by_file(output) != format_by_file(file))
        command = "tracking -d 0 --gaps restart"; /* only the format changes */
    if (output && port_exists(output)) {
        const char *suffix = format_suffix(output);
        snprintf(fresh, sizeof fresh, "NEW%s", suffix ? suffix : "");
        output = fresh;
    }
    error_usage(e, "give the filter first, then the files");
    if (!output)
        return error_hint(e, "for example sprung %s %s", command, text_quoted(input, file));
    return error_hint(e, "for example sprung %s %s -o %s", command, text_quoted(input, file),
                      text_quoted(result, output));
}

/* Runs a command line whose first word is neither a filter nor a command: --help, --version, or an error.
 * words: those after it, and a NULL. */
static bool run_word(const char *word, char *const *words, struct error *e)
{
    if (is_flag(word, "--help", "-h"))
        return tempfile_print(word[1] == 'h' ? manual_start() : manual_overview(), e);
    if (is_flag(word, "--version", "-V"))
        return print_version(words[0] && is_flag(words[0], "--verbose", "-v"), e);
    if (synonym_of_filter(word) || (!format_by_file(word) && !strchr(word, '/') && !port_exists(word)))
        return command_unknown(word, true, false, e);
    return refuse_file(word, words, e);
}

/* Do the words after "help" ask about an option with its dashes: help --gaps, help -H? */
static bool asks_about_option(const struct command *command, const struct command_line *line)
{
    const struct option_table *own = &options_help, *general = &options_general;
    if (command != &command_help || line->argc != 2 || line->argv[1][0] != '-' || !line->argv[1][1])
        return false;
    bool letter = line->argv[1][1] != '-';
    const char *name = line->argv[1] + (letter ? 1 : 2);
    size_t n = letter ? 0 : strcspn(name, "=");
    return !param_find(own->params, own->nparam, name, n, letter ? name[0] : 0) &&
           !param_find(general->params, general->nparam, name, n, letter ? name[0] : 0);
}

/* For synonym_of_option: every table, and the options that any filter or command has. */
static bool is_explained(const void *command, const char *name)
{
    (void)command;
    return (name[0] >= 'A' && name[0] <= 'Z') || manual_explains(name);
}

/* Explains the option, given with its dashes. */
static bool explain_option(const char *word, struct error *e)
{
    char *text = manual_option(word);
    if (text && text[0])
        return tempfile_print(text, e);
    free(text);
    struct suggestion near = { .word = word + strspn(word, "-") };
    error_usage(e, "no filter or command has this option");
    error_excerpt(e, word, strlen(word));
    const char *synonym = synonym_of_option(near.word, is_explained, NULL);
    if (synonym)
        return error_hint(e, "%s", synonym);
    for (const struct filter *const *f = filter_list; *f; f++)
        for (size_t i = 0; i < (*f)->nparam; i++)
            suggest_offer(&near, (*f)->params[i].name);
    for (const struct option_table *const *table = options_shared; *table; table++)
        for (size_t i = 0; i < (*table)->nparam; i++)
            suggest_offer(&near, (*table)->params[i].name);
    return near.best && error_hint(e, "did you mean --%s?", near.best);
}

static bool run_line(const struct command *command, struct command_line *line, struct error *e)
{
    if (asks_about_option(command, line))
        return explain_option(line->argv[1], e);
    if (command->takes_filter && !take_filter(line, e))
        return false;
    if (!options_parse(line, e))
        return false;
    if (line->help)
        return tempfile_print(
            manual_page(command, command->takes_filter ? NULL : line->job.filter.filter, !line->brief), e);
    return line->version ? print_version(line->job.output.verbose, e) : command->run(line, e);
}

enum status command_run(int argc, char **argv, struct messages *messages)
{
    struct command_line line = { .argc = argc, .argv = argv, .messages = messages };
    const struct command *command = command_named(argv[0], &line.job.filter.filter);
    struct error e = { 0 };
    line.tables = command ? command->tables : (const struct option_table *const[]){ NULL };
    bool good = command ? run_line(command, &line, &e) : run_word(argv[0], argv + 1, &e);
    if (!good && e.kind)
        messages_error(messages, line.file, &e);
    options_free(&line);
    if (!good)
        return STATUS_TROUBLE;
    return line.different ? STATUS_DIFFERENT : STATUS_DONE;
}

/* Is the word a heading of the overview? */
static bool is_heading(const char *word)
{
    return strcmp(word, "filters") == 0 || strcmp(word, "commands") == 0 || strcmp(word, "topics") == 0;
}

static bool run_help(struct command_line *line, struct error *e)
{
    const struct texts *words = &line->operands;
    const struct filter *filter;
    if (line->complete)
        return complete_words(line->argv + 2, e);
    if (words->ntext == 0 || (words->ntext == 1 && is_heading(words->text[0])))
        return tempfile_print(manual_overview(), e);
    if (words->ntext > 1)
        return error_usage(e, "help explains only one filter, command, topic or option at a time");
    const struct command *command = command_named(words->text[0], &filter);
    const struct format *format = format_find(words->text[0]);
    if (format)
        return tempfile_print(manual_format(format), e);
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        if (strcmp(topic->name, words->text[0]) == 0)
            return tempfile_print(manual_topic(topic), e);
    if (command)
        return tempfile_print(manual_page(command, filter, true), e);
    if (manual_explains(words->text[0]))
        return tempfile_print(manual_option(words->text[0]), e);
    return command_unknown(words->text[0], true, true, e);
}

const struct command command_help = {
    .name = "help",
    .summary = "explains a filter, a command, a topic or an option",
    .operands = "[FILTER | COMMAND | TOPIC | OPTION]",
    .about =
        "Without an argument it lists every filter, command, topic and format. With a filter or command it "
        "prints the same as --help after that name; -h is shorter. With a topic or a format it prints that "
        "section of the manual. With an option it prints what the option does for each filter and command "
        "that has it. Dashes are needed only to distinguish the option --gaps from the topic gaps.",
    .examples = "sprung help critical\nsprung help gaps\nsprung help --despike\nsprung help -H",
    .tables = (const struct option_table *const[]){ &options_help, &options_general, NULL },
    .run = run_help,
};
