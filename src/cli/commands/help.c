/* sprung help [FILTER | COMMAND], and what all command lines share: options, --help, --version. */
#include "cli/commands/help.h"

#include "base/array.h"
#include "base/suggest.h"
#include "cli/manual.h"
#include "formats/format.h"
#include "io/tempfile.h"

#include <errno.h>
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

enum status command_run(struct command_line line, struct messages *messages)
{
    enum { MAXTABLE = 8 };
    const struct option_table *const *shared = line.command ? line.command->tables : options_shared;
    const struct filter *filter = line.filter;
    struct general_options general = { 0 };
    struct option_table table[MAXTABLE];
    struct texts operands = { 0 };
    const char *file = NULL; /* of options, that an error is about */
    struct error e;
    enum status status;
    size_t n = 0;
    line.own = calloc(1, filter ? filter->settings_size + 1 : 1);
    if (filter)
        table[n++] = (struct option_table){
            "Filter", filter->params, filter->nparam, line.own, filter, false
        };
    for (size_t i = 0; shared[i]; i++) {
        table[n] = *shared[i];
        table[n++].settings = shared[i] == &options_general ? &general : line.settings[i];
    }
    if (!line.own) {
        error_memory(&e);
        return command_trouble(messages, NULL, &e);
    }
    if (!options_defaults(table, n, &e) ||
        !options_parse(line.argc, line.argv, table, n, &operands, &file, &e))
        status = command_trouble(messages, file, &e);
    else if (general.help)
        status = print(line.command ? manual_command(line.command) : manual_filter(filter), messages);
    else
        status = general.version ? print(manual_version(), messages) : line.work(&line, &operands, messages);
    options_free(table, n, &operands);
    free(line.own);
    return status;
}

enum status help_short(struct messages *messages)
{
    char *text = manual_short();
    if (text && messages->say)
        messages->say(text, strlen(text));
    free(text);
    return STATUS_TROUBLE;
}

/* A getter for suggest_name: filters, then commands. */
static const char *word_name(size_t i, void *unused)
{
    (void)unused;
    for (size_t k = 0; filter_list[k]; k++)
        if (i-- == 0)
            return filter_list[k]->name;
    return command_list[i] ? command_list[i]->name : NULL;
}

/* A getter for suggest_name: the options that need no filter or command. */
static const char *option_name(size_t i, void *unused)
{
    (void)unused;
    return i < options_general.nparam ? options_general.params[i].name : NULL;
}

static bool unknown_word(const char *word, struct error *e)
{
    const char *near = suggest_name(word, word_name, NULL);
    if (word[0] == '-' && word[1]) {
        error_usage(e, "the filter comes first, then its options");
        error_excerpt(e, word, strlen(word));
        near = suggest_name(word + strspn(word, "-"), option_name, NULL);
        return near ? error_hint(e, "did you mean --%s?", near)
                    : error_hint(e, "sprung help lists the filters");
    }
    error_usage(e, "no such filter or command");
    error_excerpt(e, word, strlen(word));
    return near ? error_hint(e, "did you mean %s?", near) : error_hint(e, "sprung help lists them");
}

enum status help_unknown(const char *word, struct messages *messages)
{
    struct error e;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print(manual_overview(), messages);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return print(manual_version(), messages);
    if (format_by_file(word) || strchr(word, '/') || access(word, F_OK) == 0) {
        error_usage(&e, "the filter comes first, then the files");
        error_hint(&e, "for example sprung critical -H 0.1 %.200s", word);
    } else {
        unknown_word(word, &e);
    }
    return command_trouble(messages, NULL, &e);
}

/* All of standard input as a string, or NULL. */
static char *read_frame(struct error *e)
{
    size_t n = 0, max = 0;
    char *frame = NULL;
    while (array_reserve(&frame, n + (1 << 16), &max, 1, e)) {
        ssize_t got = read(STDIN_FILENO, frame + n, max - n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_system(e, errno, "cannot read the manual's frame from standard input");
            break;
        }
        n += (size_t)got;
        frame[n] = 0;
        if (got == 0)
            return frame;
    }
    free(frame);
    return NULL;
}

/* The manual page, or the completions of a shell. */
static enum status print_generated(enum help_format format, struct messages *messages)
{
    struct error e;
    char *frame = format == HELP_MAN ? read_frame(&e) : NULL, *text = NULL;
    if (format != HELP_MAN)
        text = manual_completion(format, &e);
    else if (frame)
        text = manual_mdoc(frame, &e);
    free(frame);
    return text ? print(text, messages) : command_trouble(messages, NULL, &e);
}

static enum status work(const struct command_line *line, const struct texts *words, struct messages *messages)
{
    const struct help_options *help = line->settings[0];
    struct error e;
    if (help->format != HELP_TEXT)
        return print_generated((enum help_format)help->format, messages);
    if (words->ntext == 0)
        return print(manual_overview(), messages);
    const struct filter *filter = filter_find(words->text[0]);
    const struct command *command = command_find(words->text[0]);
    if (words->ntext == 1 && (filter || command))
        return print(filter ? manual_filter(filter) : manual_command(command), messages);
    if (words->ntext > 1)
        error_usage(&e, "help takes one filter or command at a time");
    else
        unknown_word(words->text[0], &e);
    return command_trouble(messages, NULL, &e);
}

static enum status run(int argc, char **argv, struct messages *messages)
{
    struct help_options help = { 0 };
    void *const settings[] = { &help };
    return command_run((struct command_line){ argc, argv, &command_help, NULL, settings, work, NULL },
                       messages);
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
