/* A filter inside --then: the words of the value are parsed like a command line. */
#include "cli/command.h"
#include "springs/filter_words.h"

#include <stdio.h>
#include <stdlib.h>

bool chained_check(struct chained *chained, struct error *e)
{
    /* --set starts from the settings as given, so overrides are parsed before the filter's check adds
     * coefficients to the settings. */
    return override_list_parse(&chained->overrides, chained->filter, &chained->sets, chained->settings, e) &&
           filter_check(chained->filter, chained->settings, chained->zero_phase, e);
}

/* Parses the filter and the options in the value of --then. */
static bool parse_words(struct chained *chained, const struct option_file *words, struct error *e)
{
    const char *name = words->nword > 1 ? words->word[1] : "";
    if (!name[0])
        return error_usage(e, "the value is empty");
    chained->filter = filter_find(name);
    if (!chained->filter)
        return command_unknown(name, false, false, e);
    struct command_line line = { .argc = (int)words->nword - 1,
                                 .argv = words->word + 1,
                                 .tables = options_shared,
                                 .inside_then = true,
                                 .job.filters.at[0] = *chained };
    bool good = options_parse(&line, e);
    if (good && line.operands.ntext) {
        error_usage(e, "not an option; give files outside --then");
        good = error_excerpt(e, line.operands.text[0], strlen(line.operands.text[0]));
    }
    *chained = line.job.filters.at[0]; /* the list now owns the filter's memory */
    chained->columns = line.job.columns.columns;
    line.job.filters.at[0] = (struct chained){ 0 };
    options_free(&line);
    return good && chained_check(chained, e);
}

/* Appends a filter; see struct param_type. */
static bool parse_then(const struct param *param, const char *value, void *field, struct error *e)
{
    struct chained_list *list = field;
    if (list->n == CHAIN_MAX)
        return error_usage(e, "--%s: at most %d times", param->name, CHAIN_MAX - 1);
    struct chained *chained = &list->at[list->n++];
    struct option_file words = { .name = param->name, .bytes = strdup(value) };
    chained->words = words.bytes;
    bool good = words.bytes ? option_file_split(&words, e) && parse_words(chained, &words, e)
                            : error_memory(e);
    free(words.word);
    if (good)
        return true;
    struct error own = *e;
    snprintf(e->text, sizeof e->text, "--%s: %.350s", param->name, own.text);
    e->line = 0;
    return false;
}

void chained_free(struct chained *chained)
{
    if (chained->settings)
        param_free(chained->filter->params, chained->filter->nparam, chained->settings);
    free(chained->settings);
    override_list_free(&chained->overrides);
    free(chained->sets.text);
    free(chained->words);
    *chained = (struct chained){ 0 };
}

const struct param_type then_type = { 0, parse_then, NULL }; /* options_free frees the list */
