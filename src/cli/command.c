/* The start of every command line: its first word is a filter, a command, --help, --version, or unknown. */
#include "cli/command.h"

#include "base/port.h"
#include "base/suggest.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

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

bool command_unknown(const char *what, const char *word, bool topics, struct error *e)
{
    const bool option = word[0] == '-';
    struct suggestion near = { .word = word + strspn(word, "-") };
    const char *synonym = synonym_of(near.word, !option, NULL);
    if (!option)
        offer_names(&near, topics);
    if (option || topics)
        offer_options(&near);
    error_usage(e, "no such %s", what);
    error_excerpt(e, word, strlen(word));
    if (synonym)
        return synonym_hint(synonym, NULL, e);
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
        return command_unknown("filter", name, false, e);
    error_usage(e, "%s needs a filter, and then its options", line->argv[0]);
    return error_hint(e, "for example: sprung %s critical --halflife 0.1 --summary", line->argv[0]);
}

/* Runs a command line whose first word is neither a filter nor a command: --help, --version, or an error. */
static bool run_word(int argc, char **argv, struct error *e)
{
    const char *word = argv[0];
    char quoted[TEXT_WORD];
    int filter = argc - 1;
    while (filter > 0 && !filter_find(argv[filter]))
        filter--;
    if (is_flag(word, "--help", "-h"))
        return tempfile_print(word[1] == 'h' ? manual_start() : manual_overview(), e);
    if (is_flag(word, "--version", "-V"))
        return print_version(e);
    if (word[0] == '-') {
        error_usage(e, "give the filter first, then its options");
        return error_hint(e, "for all filters: sprung help");
    }
    if (synonym_of(word, true, NULL) || (!format_by_file(word) && !strchr(word, '/') && !port_exists(word)))
        return command_unknown("filter or command", word, false, e);
    error_usage(e, "give the filter first, then the files");
    text_quoted(quoted, word);
    if (filter == 0)
        return error_hint(e, "to see what is in it, and a filter for it: sprung inspect %s", quoted);
    return error_hint(e, "begin with sprung %s, and end with %s", argv[filter], quoted);
}

static bool run_line(const struct command *command, struct command_line *line, struct error *e)
{
    const struct filter *filter = line->job.filter.filter;
    /* help explains other words, also those that are options */
    const bool explained = command == &command_help && line->argc > 1 &&
                           !options_find(NULL, line->tables, line->argv[1]);
    if (command->takes_filter && !take_filter(line, e))
        return false;
    if (!explained && !options_parse(line, e))
        return false;
    if (line->help)
        return tempfile_print(manual_page(command, filter, !line->brief), e);
    return line->version ? print_version(e) : command->run(line, e);
}

enum status command_run(int argc, char **argv, struct messages *messages)
{
    struct command_line line = { .argc = argc, .argv = argv, .messages = messages };
    const struct command *command = command_named(argv[0], &line.job.filter.filter);
    if (argc > 1 && is_flag(argv[0], "--help", "-h"))
        command = &command_help;
    struct error e = { 0 };
    line.tables = command ? command->tables : (const struct option_table *const[]){ NULL };
    bool good = command ? run_line(command, &line, &e) : run_word(argc, argv, &e);
    if (!good && e.kind)
        messages_error(messages, line.file, &e);
    options_free(&line);
    if (!good)
        return STATUS_TROUBLE;
    return line.different ? STATUS_DIFFERENT : STATUS_DONE;
}
