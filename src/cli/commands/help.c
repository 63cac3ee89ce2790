/* sprung help [FILTER | COMMAND]: texts of manual.h to standard output. */
#include "cli/commands/help.h"

#include "base/suggest.h"
#include "base/array.h"
#include "cli/manual.h"
#include "io/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum status help_print(char *text, struct messages *messages)
{
    struct error e;
    bool good = text ? tempfile_put(STDOUT_FILENO, text, strlen(text), &e) : error_memory(&e);
    free(text);
    return good ? STATUS_DONE : command_trouble(messages, NULL, &e);
}

enum status help_command(const char *command, const struct general_options *general, struct messages *messages)
{
    return help_print(general->help ? manual_page(manual_find(command)) : manual_version(), messages);
}

enum status help_short(struct messages *messages)
{
    char *text = manual_short();
    if (text && messages->say)
        messages->say(text, strlen(text));
    free(text);
    return STATUS_TROUBLE;
}

/* Filters, then commands. */
static const char *word_name(size_t i, void *unused)
{
    (void)unused;
    for (size_t k = 0; filter_list[k]; k++)
        if (i-- == 0)
            return filter_list[k]->name;
    for (const struct option_page *page = options_pages; page->name; page++)
        if (i-- == 0)
            return page->name;
    return NULL;
}

/* Of the options that may stand alone. */
static const char *option_name(size_t i, void *unused)
{
    (void)unused;
    return i < options_general.nparam ? options_general.params[i].name : NULL;
}

static bool unknown(const char *word, struct error *e)
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
        return help_print(manual_overview(), messages);
    if (strcmp(word, "--version") == 0)
        return help_print(manual_version(), messages);
    unknown(word, &e);
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

static enum status help_mdoc(struct messages *messages)
{
    struct error e;
    char *frame = read_frame(&e), *page = frame ? manual_mdoc(frame, &e) : NULL;
    free(frame);
    return page ? help_print(page, messages) : command_trouble(messages, NULL, &e);
}

static enum status help_text(const struct texts *words, struct messages *messages)
{
    struct error e;
    if (words->ntext == 0)
        return help_print(manual_overview(), messages);
    const struct filter *filter = filter_find(words->text[0]);
    const struct option_page *page = manual_find(words->text[0]);
    if (words->ntext > 1) {
        error_usage(&e, "help takes one filter or command at a time");
        return command_trouble(messages, NULL, &e);
    }
    if (!filter && !page) {
        unknown(words->text[0], &e);
        return command_trouble(messages, NULL, &e);
    }
    return help_print(filter ? manual_filter(filter) : manual_page(page), messages);
}

static enum status help_as(const struct help_options *help, const struct general_options *general,
                           const struct texts *words, struct messages *messages)
{
    if (general->help || general->version)
        return help_command("help", general, messages);
    switch ((enum help_format)help->format) {
    case HELP_MAN:
        return help_mdoc(messages);
    case HELP_BASH:
        return help_print(manual_bash(), messages);
    case HELP_ZSH:
        return help_print(manual_zsh(), messages);
    case HELP_FISH:
        return help_print(manual_fish(), messages);
    case HELP_TEXT:
        break;
    }
    return help_text(words, messages);
}

static enum status run(int argc, char **argv, struct messages *messages)
{
    struct help_options help = { 0 };
    struct general_options general = { 0 };
    struct option_table tables[] = { options_help, options_general };
    struct texts words = { 0 };
    struct error e;
    tables[0].settings = &help;
    tables[1].settings = &general;
    bool good = options_defaults(tables, 2, &e) && options_parse(argc, argv, tables, 2, &words, &e);
    enum status status = good ? help_as(&help, &general, &words, messages) : command_trouble(messages, NULL, &e);
    options_free(tables, 2, &words);
    return status;
}

const struct command command_help = { .name = "help",
                                      .summary = "explains a filter, a command, or everything in short",
                                      .run = run };
