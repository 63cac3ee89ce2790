/* The manual page's lists in mdoc: see manual.h. Each sentence begins a new line, as mdoc asks for;
 * characters that mean something to roff are escaped. */
#include "cli/manual.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 76 };

/* Writes n bytes so that roff shows them unchanged. */
static void put_plain(struct text *t, const char *bytes, size_t n)
{
    bool dashes = n > 0 && (bytes[0] == '-' || memmem(bytes, n, ",-", 2));
    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        uint32_t c = 0;
        length = utf8_decode(bytes + i, n - i, &c);
        const char *as = c == '\\'            ? "\\e"
                         : c == '^'           ? "\\(ha"
                         : c == '~'           ? "\\(ti"
                         : c == '`'           ? "\\(ga"
                         : c == '-' && dashes ? "\\-"
                                              : NULL;
        if (as)
            text_put(t, "%s", as);
        else if (c >= 0x80)
            text_put(t, "\\[u%04X]", (unsigned)c);
        else
            text_add(t, bytes + i, 1);
    }
}

static bool ends_sentence(const char *word, size_t n)
{
    while (n && strchr(")\"'", word[n - 1]))
        n--;
    return n && strchr(".!?", word[n - 1]);
}

/* Writes paragraphs, with an empty line between them, as text lines. */
static void put_words(struct text *t, const char *words)
{
    size_t column = 0;
    for (const char *p = words; *p;) {
        size_t word = strcspn(p, " \n");
        bool paragraph = p > words + 1 && p[-1] == '\n' && p[-2] == '\n';
        if (paragraph || (column && column + word + 1 > WIDTH)) {
            text_put(t, paragraph ? "\n.Pp\n" : "\n");
            column = 0;
        }
        text_put(t, column ? " " : *p == '.' || *p == '\'' ? "\\&" : "");
        put_plain(t, p, word);
        column = ends_sentence(p, word) ? WIDTH : column + word + 1;
        p += word;
        p += strspn(p, " \n");
    }
    text_put(t, "\n");
}

/* Writes a phrase that begins with a small letter as a sentence, and frees it; NULL: memory was out. */
static void put_sentence(struct text *t, char *phrase)
{
    char *sentence = phrase ? text_format("%c%s.", toupper((unsigned char)phrase[0]), phrase + 1) : NULL;
    t->failed = t->failed || !sentence;
    if (sentence)
        put_words(t, sentence);
    free(sentence);
    free(phrase);
}

/* Writes what a filter or command does. */
static void put_about(struct text *t, const char *summary, const char *about)
{
    put_sentence(t, strdup(summary));
    text_put(t, ".Pp\n");
    put_words(t, about);
}

static void put_row(struct text *t, const struct param *p)
{
    text_put(t, ".It");
    if (p->letter)
        text_put(t, " Fl %c ,", p->letter);
    text_put(t, " Fl -%s", p->name);
    if (p->kind == PARAM_OPTIONAL_TEXT)
        text_put(t, " Ns Op = Ns");
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        text_put(t, "%s %s", i ? " |" : " Cm", p->choices[i]);
    if (!p->choices && p->value) {
        text_put(t, " Ar ");
        put_plain(t, p->value, strlen(p->value));
    }
    text_put(t, "\n");
    put_sentence(t, manual_help(p));
}

static void put_rows(struct text *t, const struct param *params, size_t nparam)
{
    if (nparam == 0)
        return;
    text_put(t, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < nparam; i++)
        put_row(t, &params[i]);
    text_put(t, ".El\n");
}

/* For each shared option that one of the filter's own hides: how it is given instead. */
static void put_hidden(struct text *t, const struct filter *filter)
{
    for (size_t k = 0; options_shared[k]; k++)
        for (size_t i = 0; i < options_shared[k]->nparam; i++) {
            const struct param *p = &options_shared[k]->params[i];
            if (manual_hides(filter, p) && p->value)
                text_put(t, ".Pp\nWith this filter\n.Fl -%s Ar %s\nis written\n.Fl %c Ar %s .\n", p->name,
                         p->value, p->letter, p->value);
        }
}

static void put_filters(struct text *t)
{
    for (size_t i = 0; filter_list[i]; i++) {
        const struct filter *filter = filter_list[i];
        text_put(t, ".Ss %s\n", filter->name);
        put_about(t, filter->summary, filter->about);
        put_rows(t, filter->params, filter->nparam);
        put_hidden(t, filter);
    }
}

static void put_commands(struct text *t)
{
    text_put(t, ".Bl -tag -width Ds\n");
    for (const struct command *const *c = command_list; *c; c++) {
        text_put(t, ".It Cm %s Ar \"%s\"\n", (*c)->name, (*c)->operands);
        put_about(t, (*c)->summary, (*c)->about);
        for (const struct option_table *const *table = (*c)->tables; *table; table++)
            if (*table != &options_general)
                put_rows(t, (*table)->params, (*table)->nparam);
    }
    text_put(t, ".El\n");
}

static void put_formats(struct text *t)
{
    text_put(t, ".Bl -tag -width Ds\n");
    for (size_t i = 0; format_list[i]; i++) {
        text_put(t, ".It Cm %s\n", format_list[i]->name);
        put_sentence(t, strdup(format_list[i]->summary));
    }
    text_put(t, ".El\n");
}

/* Writes what replaces a mark, of n bytes; false: there is no such mark. */
static bool put_mark(struct text *t, const char *bytes, size_t n)
{
    static const char options[] = "OPTIONS ";
    char mark[64];
    snprintf(mark, sizeof mark, "%.*s", (int)n, bytes);
    void (*put)(struct text *) = strcmp(mark, "FILTERS") == 0    ? put_filters
                                 : strcmp(mark, "COMMANDS") == 0 ? put_commands
                                 : strcmp(mark, "FORMATS") == 0  ? put_formats
                                                                 : NULL;
    if (put) {
        put(t);
        return true;
    }
    for (size_t i = 0; strncmp(mark, options, sizeof options - 1) == 0 && options_shared[i]; i++)
        if (strcmp(options_shared[i]->title, mark + sizeof options - 1) == 0) {
            put_rows(t, options_shared[i]->params, options_shared[i]->nparam);
            return true;
        }
    return false;
}

char *manual_mdoc(const char *frame, struct error *e)
{
    struct text t = { 0 };
    for (const char *p = frame, *next; *p; p = next) {
        size_t n = p[0] == '@' && isupper((unsigned char)p[1]) ? strcspn(p + 1, "@\n") : 0;
        bool mark = n && p[1 + n] == '@';
        next = p + (mark ? n + 2 : 1);
        if (!mark) {
            text_add(&t, p, 1);
        } else if (put_mark(&t, p + 1, n)) {
            next += (p == frame || p[-1] == '\n') && *next == '\n';
        } else {
            error_usage(e, "unknown mark in the manual's frame");
            error_excerpt(e, p + 1, n);
            free(text_take(&t));
            return NULL;
        }
    }
    char *text = text_take(&t);
    if (!text)
        error_memory(e);
    return text;
}
