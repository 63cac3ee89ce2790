/* `sprung help --complete WORD...`: what can replace the last word of a command line, for the
 * completions of shells. A line is a word, or a word, a tab and what it means. No line: a file. */
#include "cli/command.h"

#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <stdio.h>

struct completion {
    const char *begun; /* the typed part of the last word */
    struct text lines;
};

/* Adds a word that begins as typed, and what it means: up to a semicolon; "" for nothing. */
static void offer(struct completion *completion, const char *word, const char *meaning)
{
    if (strncmp(word, completion->begun, strlen(completion->begun)) == 0)
        text_put(&completion->lines, "%s%s%.*s\n", word, meaning[0] ? "\t" : "", (int)strcspn(meaning, ";"),
                 meaning);
}

/* Offers filters, and unless the command takes only these, commands, and for help also topics. */
static void offer_names(struct completion *completion, const struct command *of)
{
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        offer(completion, (*filter)->name, (*filter)->words->summary);
    for (const struct command *const *c = command_list; *c && !(of && of->takes_filter); c++)
        offer(completion, (*c)->name, (*c)->summary);
    for (const struct help_topic *topic = help_topics; topic->name && of == &command_help; topic++)
        offer(completion, topic->name, "");
}

static void offer_options(struct completion *completion, const struct param *params, size_t n)
{
    for (const struct param *param = params; param < params + n; param++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", param->name);
        offer(completion, name, param->help);
    }
}

static void offer_values(struct completion *completion, const struct param *param)
{
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        offer(completion, param->choices[i], "");
    for (size_t i = 0; param->value && strcmp(param->value, "FORMAT") == 0 && format_list[i]; i++)
        offer(completion, format_list[i]->name, "");
}

/* Offers what can follow the word `before` of a command line. filter: NULL if the command has none. */
static void offer_arguments(struct completion *completion, const struct command *command,
                            const struct filter *filter, const char *before)
{
    const struct param *param = before[0] == '-' ? options_find(filter, command->tables, before) : NULL;
    if (param && param->kind != PARAM_FLAG && param->kind != PARAM_OPTIONAL_TEXT) {
        offer_values(completion, param);
    } else if (completion->begun[0] == '-') {
        if (filter)
            offer_options(completion, filter->params, filter->nparam);
        for (const struct option_table *const *table = command->tables; *table; table++)
            if (options_apply(filter, *table))
                offer_options(completion, (*table)->params, (*table)->nparam);
    } else if (command == &command_help) {
        offer_names(completion, command);
    }
}

bool complete_words(char **words, struct error *e)
{
    struct completion completion = { .begun = "" };
    const struct filter *filter = NULL;
    size_t n = 0; /* the words before the last */
    while (words[n])
        n++;
    if (n > 0)
        completion.begun = words[--n];
    const struct command *command = n > 0 ? command_named(words[0], &filter) : NULL;
    if (command && command->takes_filter && n > 1)
        filter = filter_find(words[1]);
    if (n == 0 || (command && command->takes_filter && n == 1))
        offer_names(&completion, command);
    else if (command)
        offer_arguments(&completion, command, filter, words[n - 1]);
    return tempfile_print(text_take(&completion.lines), e);
}
