/* A filter inside --then: the words of the value are parsed like a command line. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>

/* --set starts from the settings as given, so overrides are parsed before the filter's check adds
 * coefficients to the settings. */
bool chained_check(struct chained *c, struct error *e)
{
    ((struct filter_common *)c->settings)->zero_phase = c->zero_phase;
    return override_list_parse(&c->overrides, c->filter, &c->sets, c->settings, e) &&
           c->filter->check(c->settings, e);
}

/* Parses the filter and the options in the value of --then. */
static bool parse_words(struct chained *c, const struct option_file *words, struct error *e)
{
    const char *name = words->nword > 1 ? words->word[1] : "";
    if (!name[0])
        return error_usage(e, "its value is empty");
    c->filter = filter_find(name);
    if (!c->filter)
        return command_unknown(name, false, false, e);
    struct command_line line = { .argc = (int)words->nword - 1,
                                 .argv = words->word + 1,
                                 .tables = options_shared,
                                 .inside_then = true,
                                 .job.filters.at[0] = *c };
    bool good = options_parse(&line, e);
    if (good && line.operands.ntext) {
        error_usage(e, "not an option, and files are named for the whole command");
        good = error_excerpt(e, line.operands.text[0], strlen(line.operands.text[0]));
    }
    *c = line.job.filters.at[0]; /* the list now owns the filter's memory */
    c->columns = line.job.columns.columns;
    line.job.filters.at[0] = (struct chained){ 0 };
    options_free(&line);
    return good && chained_check(c, e);
}

/* Appends a filter; see struct param_type. */
static bool parse_then(const struct param *p, const char *value, void *field, struct error *e)
{
    struct chained_list *list = field;
    if (list->n == CHAIN_MAX)
        return error_usage(e, "--%s: at most %d times", p->name, CHAIN_MAX - 1);
    struct chained *c = &list->at[list->n++];
    struct option_file words = { .name = p->name, .bytes = strdup(value) };
    c->words = words.bytes;
    bool good = words.bytes ? option_file_split(&words, e) && parse_words(c, &words, e) : error_memory(e);
    free(words.word);
    if (good)
        return true;
    struct error own = *e;
    snprintf(e->text, sizeof e->text, "--%s: %.350s", p->name, own.text);
    e->line = 0;
    return false;
}

void chained_free(struct chained *c)
{
    if (c->settings)
        param_free(c->filter->params, c->filter->nparam, c->settings);
    free(c->settings);
    override_list_free(&c->overrides);
    free(c->sets.text);
    free(c->words);
    *c = (struct chained){ 0 };
}

const struct param_type then_type = { 0, parse_then, NULL }; /* options_free frees the list */
