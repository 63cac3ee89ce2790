/* Help in plain text, and what the manual page and the completions share: see manual.h. */
#include "cli/manual.h"

#include "base/utf8.h"

#include <stdlib.h>

#ifndef SPRUNG_VERSION
#define SPRUNG_VERSION "unknown"
#endif

enum { WIDTH = 80, HELP_AT = 26, NAME_AT = 16 };

static const char intro[] =
    "sprung filters time series with springs: noisy or jumpy numbers go in, motion with "
    "weight comes out. It reads and writes tables such as CSV, from files, pipes and live streams.";

bool manual_hides(const struct filter *filter, const struct param *shared)
{
    for (size_t i = 0; i < filter->nparam; i++)
        if (strcmp(filter->params[i].name, shared->name) == 0)
            return true;
    return false;
}

const char *const *manual_choices(const struct param *p)
{
    static const char *formats[32];
    if (p->choices)
        return p->choices;
    if (!p->value || strcmp(p->value, "FORMAT") != 0)
        return NULL;
    for (size_t i = 0; format_list[i] && i + 1 < sizeof formats / sizeof *formats; i++)
        formats[i] = format_list[i]->name;
    return formats;
}

/* Writes words from column at on, on the next line if the current one, which begins at start, is too long. */
static void put_beside(struct text *t, size_t start, const char *words, size_t at)
{
    size_t column = t->failed ? 0 : utf8_count(t->bytes + start, t->n - start);
    if (column + 2 > at) {
        text_put(t, "\n");
        column = 0;
    }
    text_fill(t, words, column, at, WIDTH);
}

char *manual_help(const struct param *p)
{
    char range[160] = "";
    const char *fallback = p->fallback ? p->fallback : "";
    if (p->kind != PARAM_CHOICE)
        param_range_text(p, range, sizeof range);
    if (!range[0] && !fallback[0])
        return strdup(p->help);
    return text_format("%s (%s%s%s%s)", p->help, range, range[0] && fallback[0] ? "; " : "",
                       fallback[0] ? "default " : "", fallback);
}

static void put_row(struct text *t, const struct param *p, bool hidden)
{
    bool optional = p->kind == PARAM_OPTIONAL_TEXT;
    size_t start = t->n;
    if (p->letter)
        text_put(t, hidden ? "  -%c" : "  -%c, ", p->letter);
    if (!hidden)
        text_put(t, "%s--%s", p->letter ? "" : "      ", p->name);
    if (!p->choices && p->value)
        text_put(t, "%s%s", optional ? "[=" : " ", p->value);
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s%s", i ? "|" : optional ? "[=" : " ", p->choices[i]);
    text_put(t, optional ? "]" : "");
    char *help = manual_help(p);
    put_beside(t, start, help ? help : p->help, HELP_AT);
    free(help);
}

static void put_name(struct text *t, const char *name, const char *summary)
{
    size_t start = t->n;
    text_put(t, "  %s", name);
    put_beside(t, start, summary, NAME_AT);
}

char *manual_overview(void)
{
    struct text t = { 0 };
    text_fill(&t, intro, 0, 0, WIDTH);
    text_put(&t, "\nusage: sprung FILTER [OPTION]... [FILE]...\n");
    for (const struct command *const *c = command_list; *c; c++)
        text_put(&t, "       sprung %s %s\n", (*c)->name, (*c)->operands);
    text_put(&t, "\nFilters:\n");
    for (size_t i = 0; filter_list[i]; i++)
        put_name(&t, filter_list[i]->name, filter_list[i]->summary);
    text_put(&t, "\nCommands:\n");
    for (const struct command *const *c = command_list; *c; c++)
        put_name(&t, (*c)->name, (*c)->summary);
    text_put(&t, "\nExamples:\n"
                 "  sprung critical --halflife 0.1 data/wave.csv > smooth.csv\n"
                 "  tail -f tracker.csv | sprung damper --halflife 0.05 --columns 'hand*'\n"
                 "\nMore: sprung help FILTER, and the manual page: man sprung\n");
    return text_take(&t);
}

char *manual_short(void)
{
    struct text t = { 0 };
    char names[512] = "FILTER is one of";
    for (size_t i = 0; filter_list[i]; i++)
        text_append(names, sizeof names, "%s%s", i ? ", " : " ", filter_list[i]->name);
    text_put(&t, "usage: sprung FILTER [OPTION]... [FILE]...\n");
    text_fill(&t, names, 0, 0, WIDTH);
    text_put(&t, "More: sprung help\n");
    return text_take(&t);
}

char *manual_version(void)
{
    return text_format("sprung %s\n", SPRUNG_VERSION);
}

char *manual_page(const struct command *command, const struct filter *filter)
{
    struct text t = { 0 };
    const char *name = filter ? filter->name : command->name;
    const char *operands = command->operands, *options = "[OPTION]...";
    text_put(&t, "usage: sprung %s %s %s\n\n%s: ", name, command->takes_filter ? operands : options,
             command->takes_filter ? options : operands, name);
    text_fill(&t, filter ? filter->summary : command->summary, strlen(name) + 2, 0, WIDTH);
    text_put(&t, "\n");
    text_fill(&t, filter ? filter->about : command->about, 0, 0, WIDTH);
    if (filter && filter->nparam) {
        text_put(&t, "\nOptions of %s:\n", name);
        for (size_t i = 0; i < filter->nparam; i++)
            put_row(&t, &filter->params[i], false);
    }
    for (const struct option_table *const *table = command->tables; *table; table++) {
        if (!options_taken(filter, *table))
            continue;
        text_put(&t, "\n%s:\n", (*table)->title);
        for (size_t i = 0; i < (*table)->nparam; i++)
            put_row(&t, &(*table)->params[i], filter && manual_hides(filter, &(*table)->params[i]));
    }
    return text_take(&t);
}
