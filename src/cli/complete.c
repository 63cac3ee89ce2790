/* `sprung help --complete WORD...`: what can replace the last word of a command line, for the
 * completions of shells. A line is a word, or a word, a tab and what it means. No line: a file. */
#include "cli/command.h"

#include "base/port.h"
#include "formats/input.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <stdio.h>
#include <stdlib.h>

/* A command line whose last word is completed. */
struct completion {
    char **word; /* [n]: the words before the last, without the name of the program */
    size_t n;
    const char *begun; /* the typed part of the last word */
    const struct command *command;
    const struct filter *filter; /* NULL: the command has no filter */
    struct text text;            /* the lines */
};

/* Adds a word that begins as typed, and what it means: up to a semicolon; "" for nothing. */
static void offer(struct completion *completion, const char *word, const char *meaning)
{
    if (strncmp(word, completion->begun, strlen(completion->begun)) != 0)
        return;
    text_put(&completion->text, "%s%s%.*s\n", word, meaning[0] ? "\t" : "", (int)strcspn(meaning, ";"),
             meaning);
}

static void offer_filters(struct completion *completion)
{
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        offer(completion, (*filter)->name, (*filter)->words->summary);
}

static void offer_commands(struct completion *completion)
{
    offer_filters(completion);
    for (const struct command *const *command = command_list; *command; command++)
        offer(completion, (*command)->name, (*command)->summary);
}

static void offer_options(struct completion *completion, const struct param *params, size_t n)
{
    for (const struct param *param = params; param < params + n; param++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", param->name);
        offer(completion, name, param->help);
    }
}

static void offer_all_options(struct completion *completion)
{
    if (completion->filter)
        offer_options(completion, completion->filter->params, completion->filter->nparam);
    for (const struct option_table *const *table = completion->command->tables; *table; table++)
        if (options_apply(completion->filter, *table))
            offer_options(completion, (*table)->params, (*table)->nparam);
}

/* The option that the word names, with its dashes; NULL: no option. */
static const struct param *find_option(const struct completion *completion, const char *word)
{
    const bool letter = word[0] == '-' && word[1] && word[1] != '-' && !word[2];
    const struct filter *filter = completion->filter;
    const struct param *param = NULL;
    if (!letter && strncmp(word, "--", 2) != 0)
        return NULL;
    const char *name = word + 2;
    const size_t n = letter ? 0 : strcspn(name, "=");
    if (filter)
        param = param_find(filter->params, filter->nparam, name, n, letter ? word[1] : 0);
    for (const struct option_table *const *table = completion->command->tables; *table && !param; table++)
        param = param_find((*table)->params, (*table)->nparam, name, n, letter ? word[1] : 0);
    return param;
}

/* Does the option take a list of columns, or a column? */
static bool takes_columns(const struct param *param)
{
    const char *value = param->value ? param->value : "";
    return (strncmp(value, "LIST", 4) == 0 || strncmp(value, "COLUMN", 6) == 0) &&
           strcmp(param->name, "missing") != 0;
}

/* Offers the names of the columns of the last file on the line, after the part of a list that is typed.
 * before: what is before the list in the word. */
static void offer_columns(struct completion *completion, const char *before)
{
    struct input in = { 0 };
    struct error ignored;
    const char *list = completion->begun + strlen(before), *last = strrchr(list, ',');
    const int typed = (int)(last ? last + 1 - completion->begun : list - completion->begun);
    for (size_t i = completion->n; i-- > 0;) {
        if (!port_exists(completion->word[i]) || port_is_directory(completion->word[i]))
            continue;
        const bool good = input_open(&in, completion->word[i], &(struct input_options){ 0 }, &ignored);
        for (size_t k = 0; good && k < in.reader.table.ncolumn; k++) {
            char *word = text_format("%.*s%s", typed, completion->begun, in.reader.table.column[k].name);
            offer(completion, word ? word : "", "");
            free(word);
        }
        input_close(&in);
        return;
    }
}

/* Offers values of the option. before: "--NAME=" where the value is in the same word, or "". */
static void offer_values(struct completion *completion, const struct param *param, const char *before)
{
    char word[128];
    for (size_t i = 0; param->choices && param->choices[i]; i++) {
        snprintf(word, sizeof word, "%s%s", before, param->choices[i]);
        offer(completion, word, "");
    }
    for (size_t i = 0; param->value && strcmp(param->value, "FORMAT") == 0 && format_list[i]; i++) {
        snprintf(word, sizeof word, "%s%s", before, format_list[i]->name);
        offer(completion, word, format_list[i]->summary);
    }
    if (takes_columns(param))
        offer_columns(completion, before);
}

/* Offers what can follow the words of a filter or command. n: the words before the options. */
static void offer_arguments(struct completion *completion, size_t n)
{
    const char *before = completion->n > n ? completion->word[completion->n - 1] : "";
    const char *equals = strncmp(completion->begun, "--", 2) == 0 ? strchr(completion->begun, '=') : NULL;
    const struct param *after = find_option(completion, before);
    if (after && after->kind != PARAM_FLAG && after->kind != PARAM_OPTIONAL_TEXT) {
        offer_values(completion, after, "");
    } else if (equals) {
        const struct param *own = find_option(completion, completion->begun);
        char typed[80];
        snprintf(typed, sizeof typed, "%.*s", (int)(equals + 1 - completion->begun), completion->begun);
        if (own)
            offer_values(completion, own, typed);
    } else if (completion->begun[0] == '-') {
        offer_all_options(completion);
    } else if (completion->command == &command_help) {
        offer_commands(completion);
        for (const struct help_topic *topic = help_topics; topic->name; topic++)
            offer(completion, topic->name, "");
    }
}

bool complete_words(char **words, struct error *e)
{
    struct completion completion = { .word = words, .begun = "" };
    while (words[completion.n])
        completion.n++;
    /* bash makes a word of the = in --gaps=keep. */
    if (completion.n > 0)
        completion.begun = words[--completion.n];
    if (strcmp(completion.begun, "=") == 0)
        completion.begun = "";
    else if (completion.n > 0 && strcmp(words[completion.n - 1], "=") == 0)
        completion.n--;
    if (completion.n == 0) {
        offer_commands(&completion);
        offer(&completion, "--help", "");
        offer(&completion, "--version", "");
        return tempfile_print(text_take(&completion.text), e);
    }
    completion.command = command_named(words[0], &completion.filter);
    if (completion.command && completion.command->takes_filter && completion.n > 1)
        completion.filter = filter_find(words[1]);
    if (completion.command && completion.command->takes_filter && completion.n == 1)
        offer_filters(&completion);
    else if (completion.command)
        offer_arguments(&completion, completion.command->takes_filter ? 2 : 1);
    return tempfile_print(text_take(&completion.text), e);
}
