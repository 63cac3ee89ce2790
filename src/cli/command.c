/* The start of every command line: its first word is a filter, a command, --help, --version, or unknown. */
#include "cli/command.h"

#include "base/port.h"
#include "base/suggest.h"
#include "base/text.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <ctype.h>

const struct command *const command_list[] = { &command_response, &command_diff, &command_plot,
                                               &command_inspect,  &command_help, NULL };

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

static void offer_names(struct suggestion *near)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        suggest_offer(near, (*f)->name);
    for (const struct command *const *c = command_list; *c; c++)
        suggest_offer(near, (*c)->name);
    for (const struct help_topic *topic = help_topics; topic->name; topic++)
        suggest_offer(near, topic->name);
}

bool command_unknown(const char *what, const char *word, struct error *e)
{
    const struct filter *filter;
    const bool option = word[0] == '-';
    struct suggestion near = { .word = word + strspn(word, "-") };
    const char *synonym = synonym_of(near.word, !option, NULL);
    if (!option)
        offer_names(&near);
    offer_options(&near);
    error_usage(e, "no such %s", what);
    error_excerpt(e, word, strlen(word));
    if (synonym)
        return error_hint(e, "%s", synonym);
    if (!near.best)
        return error_hint(e, "for all filters and commands: sprung help");
    if (!option && command_named(near.best, &filter))
        return error_hint(e, "did you mean %s?", near.best);
    return error_hint(e, "try sprung help %s%s", option ? "--" : "", near.best);
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
    if (line->job.filter.filter || text_has_word("-h --help -V --version", name))
        return true;
    if (name[0] && name[0] != '-')
        return command_unknown("filter", name, e);
    error_usage(e, "%s needs a filter, and then its options", line->argv[0]);
    return error_hint(e, "for example: sprung %s critical --halflife 0.1 --summary", line->argv[0]);
}

/* Is the word the name of a file, or does it look like one? */
static bool names_file(const char *word)
{
    const char *suffix = strrchr(word, '.');
    const bool suffixed = suffix && suffix > word && isalpha((unsigned char)suffix[1]);
    return strcmp(word, "-") == 0 || strchr(word, '/') || suffixed || port_exists(word);
}

/* Refuses operands that name no file, before anything is done: they are values or words of other programs. */
static bool check_operands(const struct command_line *line, struct error *e)
{
    size_t i = 0;
    while (i < line->operands.ntext && names_file(line->operands.text[i]))
        i++;
    if (i == line->operands.ntext)
        return true;
    const char *word = line->operands.text[i];
    const char *synonym = word[1] ? synonym_of(word, false, line) : NULL; /* a letter is a column */
    error_usage(e, "there is no file of this name");
    error_excerpt(e, word, strlen(word));
    if (synonym)
        return error_hint(e, "%s", synonym);
    if (word[0] == '\xE2') /* a dash of Unicode, which editors make of - */
        return error_hint(e, "options begin with the ASCII dash: type the - again");
    const char *values = line->job.filter.filter ? "--cutoff 6Hz, --columns x,y, --in-place=.orig"
                                                 : "--columns x,y";
    return error_hint(e, "if it is a value, give it with its option: %s", values);
}

/* Runs a command line whose first word is neither a filter nor a command: --help, --version, or an error. */
static bool run_word(const char *word, struct error *e)
{
    char quoted[TEXT_WORD];
    if (text_has_word("-h --help", word))
        return tempfile_print(word[1] == 'h' ? manual_start() : manual_overview(), e);
    if (text_has_word("-V --version", word))
        return print_version(e);
    if (word[0] == '-') {
        error_usage(e, "give the filter first, then its options");
        return error_hint(e, "for example sprung critical -H 0.1 FILE; for all filters: sprung help");
    }
    if (synonym_of(word, true, NULL) || !names_file(word))
        return command_unknown("filter or command", word, e);
    error_usage(e, "give the filter first, then the files");
    return error_hint(e, "to see what is in it, and a filter for it: sprung inspect %s",
                      text_quoted(quoted, word));
}

static bool run_line(const struct command *command, struct command_line *line, struct error *e)
{
    const struct filter *filter = line->job.filter.filter;
    const bool unparsed = command->takes_words && line->argc > 1 &&
                          !text_has_word("-h --help -V --version", line->argv[1]);
    if (command->takes_filter && !take_filter(line, e))
        return false;
    if (!unparsed && !options_parse(line, e))
        return false;
    if (line->help)
        return tempfile_print(manual_page(command, filter, !line->brief), e);
    if (line->version)
        return print_version(e);
    return (command->takes_words || check_operands(line, e)) && command->run(line, e);
}

enum status command_run(int argc, char **argv, struct messages *messages)
{
    struct command_line line = { .argc = argc, .argv = argv, .messages = messages };
    const struct command *command = command_named(argv[0], &line.job.filter.filter);
    if (argc > 1 && text_has_word("-h --help", argv[0]))
        command = &command_help;
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
