/* sprung help [FILTER | COMMAND], and what all command lines share: --help, --version, an unknown first word.
 */
#include "base/suggest.h"
#include "cli/manual.h"
#include "formats/format.h"
#include "io/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes a text to standard output and frees it; NULL: memory was out. */
static enum status print(char *text, struct messages *messages)
{
    struct error e;
    bool good = text ? tempfile_put(STDOUT_FILENO, text, strlen(text), &e) : error_memory(&e);
    free(text);
    return good ? STATUS_DONE : command_trouble(messages, NULL, &e);
}

enum status command_usage(struct messages *messages)
{
    char *text = manual_short();
    if (text && messages->say)
        messages->say(text, strlen(text));
    free(text);
    return STATUS_TROUBLE;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool is_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

/* The command of that name; command_filter and the filter, if it is a filter's; or NULL. */
static const struct command *find(const char *name, const struct filter **filter)
{
    const struct command *const *c = command_list;
    *filter = filter_find(name);
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *filter ? &command_filter : *c;
}

/* The word is none that could stand there; commands: a command could, too. */
static bool unknown_word(const char *word, bool commands, struct error *e)
{
    bool dashes = commands && word[0] == '-' && word[1];
    struct suggestion near = { .word = dashes ? word + strspn(word, "-") : word };
    for (size_t i = 0; dashes && i < options_general.nparam; i++)
        suggest_offer(&near, options_general.params[i].name);
    for (const struct filter *const *f = filter_list; *f && !dashes; f++)
        suggest_offer(&near, (*f)->name);
    for (const struct command *const *c = command_list; *c && commands && !dashes; c++)
        suggest_offer(&near, (*c)->name);
    error_usage(e, dashes     ? "the filter comes first, then its options"
                   : commands ? "no such filter or command"
                              : "no such filter");
    error_excerpt(e, word, strlen(word));
    if (near.best)
        return error_hint(e, dashes ? "did you mean --%s?" : "did you mean %s?", near.best);
    return commands && error_hint(e, dashes ? "sprung help lists the filters" : "sprung help lists them");
}

/* Moves past the name of the command to the filter after it, unless help or the version is asked for. */
static bool take_filter(struct command_line *line, struct error *e)
{
    const char *name = line->argc > 1 ? line->argv[1] : "";
    line->job.filter = filter_find(name);
    if (line->job.filter) {
        line->argc--;
        line->argv++;
    } else if (!name[0] || (name[0] == '-' && !is_help(name) && !is_version(name))) {
        error_usage(e, "%s needs a filter, and then its options", line->argv[0]);
        return error_hint(e, "for example: sprung %s critical --halflife 0.1 --summary", line->argv[0]);
    } else if (name[0] != '-') {
        return unknown_word(name, false, e);
    }
    return true;
}

/* The first word is neither filter nor command. */
static enum status run_word(const char *word, struct messages *messages)
{
    struct error e;
    if (is_help(word))
        return print(manual_overview(), messages);
    if (is_version(word))
        return print(manual_version(), messages);
    if (format_by_file(word) || strchr(word, '/') || access(word, F_OK) == 0) {
        error_usage(&e, "the filter comes first, then the files");
        error_hint(&e, "for example sprung critical -H 0.1 %.200s", word);
    } else {
        unknown_word(word, true, &e);
    }
    return command_trouble(messages, NULL, &e);
}

enum status command_run(int argc, char **argv, struct messages *messages)
{
    struct command_line line = { .argc = argc, .argv = argv };
    const struct command *command = find(argv[0], &line.job.filter);
    const char *file; /* of options, that an error is about */
    struct error e;
    enum status status;
    if (!command)
        return run_word(argv[0], messages);
    if (command->takes_filter && !take_filter(&line, &e))
        return command_trouble(messages, NULL, &e);
    line.tables = command->tables;
    if (!options_parse(&line, &file, &e))
        status = command_trouble(messages, file, &e);
    else if (line.help)
        status = print(manual_page(command, command->takes_filter ? NULL : line.job.filter), messages);
    else
        status = line.version ? print(manual_version(), messages) : command->run(&line, messages);
    override_list_free(&line.job.overrides);
    options_free(&line);
    return status;
}

/* The manual page, or the completions of a shell. */
static enum status print_generated(enum help_format format, struct messages *messages)
{
    struct error e;
    size_t n;
    if (format != HELP_MAN)
        return print(manual_completion(format), messages);
    char *frame = source_text("-", SIZE_MAX, &n, &e), *text = frame ? manual_mdoc(frame, &e) : NULL;
    if (!frame && e.kind == ERROR_SYSTEM)
        error_system(&e, e.errnum, "cannot read the manual's frame from standard input");
    free(frame);
    return text ? print(text, messages) : command_trouble(messages, NULL, &e);
}

static enum status run(struct command_line *line, struct messages *messages)
{
    const struct texts *words = &line->operands;
    const struct filter *filter;
    struct error e;
    if (line->help_format != HELP_TEXT)
        return print_generated((enum help_format)line->help_format, messages);
    if (words->ntext == 0)
        return print(manual_overview(), messages);
    const struct command *command = find(words->text[0], &filter);
    if (words->ntext == 1 && command)
        return print(manual_page(command, filter), messages);
    if (words->ntext > 1)
        error_usage(&e, "help takes one filter or command at a time");
    else
        unknown_word(words->text[0], true, &e);
    return command_trouble(messages, NULL, &e);
}

static const struct option_table *const help_tables[] = { &options_help, &options_general, NULL };

const struct command command_help = {
    .name = "help",
    .summary = "explains a filter, a command, or everything in short",
    .operands = "[FILTER | COMMAND]",
    .about = "Without a word: an overview, and the filters and commands. With the name of a filter or a "
             "command: its description and options, as with the option --help after that name.",
    .tables = help_tables,
    .run = run,
};
