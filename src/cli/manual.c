/* Help in plain text, and what the manual page and the completions share: see manual.h. */
#include "cli/manual.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
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

void manual_bounds(struct text *t, const struct param *p)
{
    char range[160] = "";
    if (p->kind != PARAM_CHOICE)
        param_range_text(p, range, sizeof range);
    if (range[0] || p->fallback)
        text_put(t, " (%s%s%s%s)", range, range[0] && p->fallback ? "; " : "", p->fallback ? "default " : "",
                 p->fallback ? p->fallback : "");
}

/* Where a mark begins at p: the bytes of its name; else 0. */
static size_t mark_length(const char *p)
{
    size_t n = p[0] == '@' && isupper((unsigned char)p[1]) ? strcspn(p + 1, "@\n") : 0;
    return n && p[1 + n] == '@' ? n : 0;
}

char *manual_expand(const char *frame, bool (*put)(struct text *t, const char *mark), struct error *e)
{
    struct text t = { 0 };
    for (const char *p = frame; *p;) {
        char mark[64];
        size_t n = mark_length(p);
        if (n == 0) {
            text_add(&t, p++, 1);
            continue;
        }
        snprintf(mark, sizeof mark, "%.*s", (int)n, p + 1);
        if (!put(&t, mark)) {
            error_usage(e, "unknown mark in the manual's frame");
            error_excerpt(e, p + 1, n);
            free(text_take(&t));
            return NULL;
        }
        bool fills_line = (p == frame || p[-1] == '\n') && p[n + 2] == '\n';
        p += n + 2 + fills_line;
    }
    char *text = text_take(&t);
    if (!text)
        error_memory(e);
    return text;
}

static void put_row(struct text *t, const struct param *p, bool hidden)
{
    bool optional = p->kind == PARAM_OPTIONAL_TEXT;
    struct text words = { 0 };
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
    text_put(&words, "%s", p->help);
    manual_bounds(&words, p);
    char *help = text_take(&words);
    put_beside(t, start, help ? help : p->help, HELP_AT);
    free(help);
}

/* Writes the rows of a table under a title. filter: whose help this is, or NULL. */
static void put_table(struct text *t, const struct option_table *table, const char *title,
                      const struct filter *filter)
{
    text_put(t, "\n%s:\n", title);
    for (size_t i = 0; i < table->nparam; i++) {
        bool hidden = filter && table->params != filter->params && manual_hides(filter, &table->params[i]);
        put_row(t, &table->params[i], hidden);
    }
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
    text_paragraphs(&t, intro, 0, WIDTH);
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
    struct text t = { 0 }, names = { 0 };
    text_put(&names, "FILTER is one of");
    for (size_t i = 0; filter_list[i]; i++)
        text_put(&names, "%s%s", i ? ", " : " ", filter_list[i]->name);
    char *list = text_take(&names);
    text_put(&t, "usage: sprung FILTER [OPTION]... [FILE]...\n");
    text_fill(&t, list ? list : "", 0, 0, WIDTH);
    text_put(&t, "More: sprung help\n");
    free(list);
    return text_take(&t);
}

char *manual_version(void)
{
    return text_format("sprung %s\n", SPRUNG_VERSION);
}

static void put_summary(struct text *t, const char *name, const char *summary)
{
    text_put(t, "%s: ", name);
    text_fill(t, summary, strlen(name) + 2, 0, WIDTH);
    text_put(t, "\n");
}

char *manual_filter(const struct filter *filter)
{
    struct text t = { 0 };
    struct option_table own = { "Filter", filter->params, filter->nparam, NULL, NULL, false };
    char title[64];
    text_put(&t, "usage: sprung %s [OPTION]... [FILE]...\n\n", filter->name);
    put_summary(&t, filter->name, filter->summary);
    text_paragraphs(&t, filter->about, 0, WIDTH);
    snprintf(title, sizeof title, "Options of %s", filter->name);
    if (own.nparam)
        put_table(&t, &own, title, filter);
    for (size_t i = 0; options_shared[i]; i++)
        if (options_taken(filter, options_shared[i]))
            put_table(&t, options_shared[i], options_shared[i]->title, filter);
    return text_take(&t);
}

char *manual_command(const struct command *command)
{
    struct text t = { 0 };
    text_put(&t, "usage: sprung %s %s %s\n\n", command->name,
             command->takes_filter ? command->operands : "[OPTION]...",
             command->takes_filter ? "[OPTION]..." : command->operands);
    put_summary(&t, command->name, command->summary);
    text_paragraphs(&t, command->about, 0, WIDTH);
    for (const struct option_table *const *table = command->tables; *table; table++)
        put_table(&t, *table, (*table)->title, NULL);
    return text_take(&t);
}
