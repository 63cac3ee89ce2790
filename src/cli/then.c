/* A filter inside --then: its words are parsed like a command line of its own, whose tables have the filter's
 * options, and of the shared ones those that may differ from filter to filter. */
#include "cli/then.h"

#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>

#undef FIELD
#define FIELD(field) offsetof(struct chained, field)

/* The shared options that a filter inside --then may have: rows of the shared table with fields in its own
 * settings. */
static const struct {
    const char *name;
    size_t offset;
} own[] = { { "columns", FIELD(columns) }, { "set", FIELD(sets) }, { "zero-phase", FIELD(zero_phase) } };

enum { NOWN = sizeof own / sizeof *own, MAXTABLE = 9 };

/* Parses the words of one filter, the first of which is its name. */
static bool parse_filter(struct chained *c, int nword, char **word, struct error *e)
{
    struct option_table table[MAXTABLE] = {
        { .params = c->filter->params,
          .nparam = c->filter->nparam,
          .settings = c->settings,
          .filter = c->filter },
    };
    struct param rows[NOWN];
    struct general_options general = { 0 };
    struct texts operands = { 0 };
    const char *file;
    size_t n = 2;
    for (size_t k = 0; k < NOWN; k++)
        for (size_t i = 0; i < options_series.nparam; i++)
            if (strcmp(options_series.params[i].name, own[k].name) == 0) {
                rows[k] = options_series.params[i];
                rows[k].offset = own[k].offset;
            }
    table[1] = (struct option_table){ .params = rows, .nparam = NOWN, .settings = c };
    bool good = options_defaults(table, n, e);
    for (size_t i = 0; options_shared[i]; i++) {
        table[n] = *options_shared[i];
        table[n].settings = &general;
        table[n++].refused = true;
    }
    good = good && options_parse(nword, word, table, n, &operands, &file, e);
    if (good && operands.ntext) {
        error_usage(e, "not an option, and files are named for the whole command");
        good = error_excerpt(e, operands.text[0], strlen(operands.text[0]));
    }
    free(operands.text);
    return good && override_list_parse(&c->overrides, c->filter, &c->sets, c->settings, e) &&
           c->filter->check(c->settings, e);
}

static bool parse_words(struct chained *c, const struct option_file *words, struct error *e)
{
    if (words->nword < 2)
        return error_usage(e, "its value is empty");
    c->filter = filter_named(words->word[1], e);
    if (!c->filter)
        return false;
    c->settings = calloc(1, c->filter->settings_size + 1);
    return c->settings ? parse_filter(c, (int)words->nword - 1, words->word + 1, e) : error_memory(e);
}

static bool parse(const struct param *p, const char *value, void *field, struct error *e)
{
    struct chained_list *list = field;
    if (list->n == CHAIN_MAX - 1)
        return error_usage(e, "--%s: at most %d times", p->name, CHAIN_MAX - 1);
    struct chained *c = &list->at[list->n++];
    struct option_file words = { .name = p->name, .bytes = strdup(value) };
    c->words = words.bytes;
    bool good = words.bytes ? option_file_split(&words, e) && parse_words(c, &words, e) : error_memory(e);
    free(words.word);
    free(words.line);
    if (good)
        return true;
    char text[sizeof e->text];
    memcpy(text, e->text, sizeof text);
    snprintf(e->text, sizeof e->text, "--%s: %.350s", p->name, text);
    e->line = 0;
    return false;
}

static void free_list(void *field)
{
    struct chained_list *list = field;
    for (size_t i = 0; i < list->n; i++) {
        struct chained *c = &list->at[i];
        if (c->settings)
            param_free(c->filter->params, c->filter->nparam, c->settings);
        free(c->settings);
        override_list_free(&c->overrides);
        free(c->sets.text);
        free(c->words);
    }
}

const struct param_type then_type = { sizeof(struct chained_list), parse, free_list };
