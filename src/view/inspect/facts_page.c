/* Facts as text for people, in lines of 80 characters: words after their labels, the columns that are read
 * alike on a line each, a table of the channels' values, the advised command and its options. See facts.h. */
#include "base/array.h"
#include "base/error.h"
#include "base/port.h"
#include "base/style.h"
#include "base/utf8.h"
#include "io/source.h"
#include "view/inspect/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 80,
    LABEL = 10,     /* characters before the words of a line: "format    " */
    ROLE = 16,      /* characters before the words about columns: "  not filtered  " */
    OPTION = 25,    /* characters before the reason for an option */
    NAME = 30,      /* most characters of a column's name in a line of words */
    INDENT = 3,     /* blanks before and after a name in the table of values */
    LEAST_NAME = 8, /* characters for names there */
    LEAST_SPARK = 10,
    MOST_SPARK = 20,
    MOST_GROUPS = 12,   /* lines of columns */
    MOST_CHANNELS = 12, /* lines of values */
    CELLS = 6           /* numbers in a line of values */
};

/* A number in the table of values. */
static const struct cell {
    const char *key, *title;
    int width, digits;
} cells[CELLS] = {
    { "least", "least", 9, 5 },   { "most", "most", 9, 5 },   { "missing", "empty", 6, 5 },
    { "spikes", "spikes", 7, 5 }, { "jumps", "jumps", 6, 5 }, { "noise", "noise", 8, 3 },
};

struct page {
    const struct facts *facts;
    struct text *text;
    bool all; /* every line of columns and of values is printed */
};

/* --- words --- */

/* The words that go on with a line, from fact i on, or NULL. */
static const struct fact *next_words(const struct page *page, size_t i)
{
    const struct fact *fact = page->facts->at + i, *end = page->facts->at + page->facts->n;
    while (fact < end && fact->kind >= FACT_TEXT && fact->kind <= FACT_NUMBER)
        fact++;
    return fact < end && fact->kind == FACT_WORDS && !fact->key ? fact : NULL;
}

/* Prints a label and the words of fact i and of those that go on with its line. Returns the next fact. */
static size_t put_words(const struct page *page, size_t i)
{
    const struct fact *fact = &page->facts->at[i], *next;
    const bool apart = fact->key[0] == '\n';
    struct text words = { 0 };
    text_put(page->text, "%s%-*s", apart ? "\n" : "", LABEL, fact->key + apart);
    text_put(&words, "%s", fact->text);
    while ((next = next_words(page, (size_t)(fact - page->facts->at) + 1)) != NULL) {
        text_put(&words, ", %s", next->text);
        fact = next;
    }
    text_fill(page->text, words.bytes ? words.bytes : "", LABEL, LABEL, WIDTH);
    page->text->failed = page->text->failed || words.failed;
    free(words.bytes);
    return (size_t)(fact - page->facts->at) + 1;
}

/* The member of an object without objects inside, or NULL. */
static const struct fact *member(const struct page *page, size_t object, const char *key)
{
    for (const struct fact *fact = page->facts->at + object + 1; fact->kind != FACT_END; fact++)
        if (fact->kind != FACT_WORDS && fact->key && strcmp(fact->key, key) == 0)
            return fact;
    return NULL;
}

/* Appends a name, cut in the middle to at most `most` characters. */
static void append_name(char *buf, size_t max, const char *name, size_t most)
{
    char shown[200];
    error_escape(name, strlen(name), shown, sizeof shown - 1);
    utf8_cut(shown, most);
    text_append(buf, max, "%s", shown);
}

/* --- columns --- */

/* A column of the file. */
struct shown_column {
    size_t object;    /* its fact */
    const char *name; /* of the facts */
    const char *role; /* of the facts: how the column is used */
    char *words;      /* the other words about it; owned */
    bool grouped;     /* its line of words is printed */
    bool channel;     /* it has values */
    bool shown;       /* its line of values is printed */
};

/* Gathers the words about a column. */
static void describe(const struct page *page, struct shown_column *column)
{
    struct text words = { 0 };
    column->name = member(page, column->object, "name")->text;
    for (const struct fact *fact = page->facts->at + column->object + 1; fact->kind != FACT_END; fact++) {
        if (fact->kind != FACT_WORDS)
            continue;
        column->role = fact->key ? fact->key : column->role;
        if (fact->text[0])
            text_put(&words, "%s%s", words.n > 0 ? "; " : "", fact->text);
    }
    column->words = text_take(&words);
    page->text->failed = page->text->failed || !column->words;
}

static bool alike(const struct shown_column *a, const struct shown_column *b)
{
    return strcmp(a->role, b->role) == 0 && strcmp(a->words, b->words) == 0;
}

/* Prints the line of the first of n columns and of those that are read alike: "x", "x, y", or "x … z, 12
 * columns". */
static void put_group(const struct page *page, struct shown_column *column, size_t n)
{
    const struct shown_column *last = column;
    char words[900] = "";
    size_t count = 0;
    for (struct shown_column *other = column; other < column + n; other++)
        if (alike(column, other)) {
            last = other;
            other->grouped = true;
            count++;
        }
    append_name(words, sizeof words, column->name, NAME);
    if (count > 1) {
        text_append(words, sizeof words, count == 2 ? ", " : " \xE2\x80\xA6 ");
        append_name(words, sizeof words, last->name, NAME);
    }
    if (count > 2)
        text_append(words, sizeof words, ", %zu columns", count);
    if (column->words[0])
        text_append(words, sizeof words, " (%s)", column->words);
    text_put(page->text, "  %-*s", ROLE - 2, column->role);
    text_fill(page->text, words, ROLE, ROLE, WIDTH);
}

static void put_groups(const struct page *page, struct shown_column *column, size_t n)
{
    size_t nline = 0, nmore = 0;
    text_put(page->text, "columns\n");
    for (size_t k = 0; k < n; k++) {
        if (column[k].grouped)
            continue;
        if (page->all || nline++ < MOST_GROUPS)
            put_group(page, &column[k], n - k);
        else
            nmore++;
    }
    if (nmore > 0)
        text_put(page->text, "  and %zu more: --verbose\n", nmore);
}

/* --- values --- */

static double number_of(const struct page *page, size_t object, const char *key)
{
    const struct fact *fact = member(page, object, key);
    return fact ? fact->number : (double)NAN;
}

/* The number of spikes, jumps and gaps of a channel; less than 0: the channel is empty. */
static double count_faults(const struct page *page, size_t object)
{
    if (isnan(number_of(page, object, "least")))
        return -1;
    return number_of(page, object, "spikes") + number_of(page, object, "jumps") +
           number_of(page, object, "gaps");
}

/* Adds a right-aligned number after at least one blank. */
static void put_number(struct text *text, double x, const struct cell *cell)
{
    char number[32] = "-";
    if (!isnan(x))
        snprintf(number, sizeof number, "%.*g", cell->digits, x + 0.0);
    if (strlen(number) >= (size_t)cell->width)
        snprintf(number, sizeof number, "%.2g", x);
    text_put(text, "%*s", cell->width, number);
}

void facts_value_widths(size_t longest, size_t *name, size_t *spark)
{
    size_t room = port_terminal_columns(PORT_STDOUT);
    room = room < WIDTH ? WIDTH : room;
    for (const struct cell *cell = cells; cell < cells + CELLS; cell++)
        room -= (size_t)cell->width;
    *name = longest < LEAST_NAME ? LEAST_NAME : longest;
    if (*name > room - LEAST_SPARK - INDENT)
        *name = room - LEAST_SPARK - INDENT;
    *spark = room - *name - INDENT;
    *spark = *spark > MOST_SPARK ? MOST_SPARK : *spark;
}

static void put_channel(const struct page *page, const struct shown_column *column, size_t width)
{
    char name[300] = "";
    append_name(name, sizeof name, column->name, width);
    text_put(page->text, "  %s%*s", name, (int)(width - utf8_count(name, strlen(name)) + 1), "");
    for (const struct fact *fact = page->facts->at + column->object; fact->kind != FACT_END; fact++)
        if (fact->kind == FACT_SPARK)
            text_put(page->text, "%s", fact->text);
    for (const struct cell *cell = cells; cell < cells + CELLS; cell++)
        put_number(page->text, number_of(page, column->object, cell->key), cell);
    text_put(page->text, "\n");
}

/* Chooses the channels whose values are shown: those with the most faults; empty channels last. */
static void choose_channels(const struct page *page, struct shown_column *column, size_t n)
{
    for (size_t count = 0; count < MOST_CHANNELS; count++) {
        struct shown_column *worst = NULL;
        double most = -INFINITY;
        for (size_t k = 0; k < n; k++) {
            if (!column[k].channel || column[k].shown)
                continue;
            const double faults = count_faults(page, column[k].object);
            worst = faults > most ? &column[k] : worst;
            most = fmax(most, faults);
        }
        if (worst)
            worst->shown = true;
    }
}

/* Prints the values of the columns that are channels. */
static void put_values(const struct page *page, struct shown_column *column, size_t n)
{
    size_t longest = 0, nchannel = 0, name, spark;
    char title[80] = "values";
    for (size_t k = 0; k < n; k++) {
        column[k].channel = member(page, column[k].object, "least") != NULL;
        const size_t wide = utf8_count(column[k].name, strlen(column[k].name));
        longest = column[k].channel && wide > longest ? wide : longest;
        nchannel += column[k].channel;
    }
    if (nchannel == 0)
        return;
    if (nchannel > MOST_CHANNELS && !page->all)
        snprintf(title, sizeof title, "values (%d of %zu; all: -v)", MOST_CHANNELS, nchannel);
    facts_value_widths(longest, &name, &spark);
    text_put(page->text, "%-*s", (int)(name + spark) + INDENT, title);
    for (const struct cell *cell = cells; cell < cells + CELLS; cell++)
        text_put(page->text, "%*s", cell->width, cell->title);
    text_put(page->text, "\n");
    choose_channels(page, column, n);
    for (size_t k = 0; k < n; k++)
        if (column[k].shown || (page->all && column[k].channel))
            put_channel(page, &column[k], name);
}

/* Prints the objects of the array of columns. Returns the fact after the array. */
static size_t put_columns(const struct page *page, size_t array)
{
    const struct fact *fact = page->facts->at;
    struct shown_column *column = NULL;
    size_t n = 0, max = 0, i = array + 1;
    for (; fact[i].kind == FACT_OBJECT; i++) {
        if (n == max && !array_grow(&column, n, &max, sizeof *column, NULL)) {
            page->text->failed = true;
            break;
        }
        column[n] = (struct shown_column){ .object = i };
        describe(page, &column[n++]);
        while (fact[i].kind != FACT_END)
            i++;
    }
    if (!page->text->failed) {
        put_groups(page, column, n);
        put_values(page, column, n);
    }
    for (size_t k = 0; k < n; k++)
        free(column[k].words);
    free(column);
    return page->text->failed ? page->facts->n : i + 1;
}

/* --- advice --- */

/* Prints the objects of the array of options. Returns the fact after the array. */
static size_t put_options(const struct page *page, size_t array)
{
    const struct fact *fact = page->facts->at;
    size_t i = array + 1;
    for (; fact[i].kind == FACT_OBJECT; i++) {
        const char *option = member(page, i, "option")->text;
        size_t wide = 2 + utf8_count(option, strlen(option));
        text_put(page->text, "  %s", option);
        if (wide + 1 > OPTION) {
            text_put(page->text, "\n");
            wide = 0;
        }
        text_fill(page->text, member(page, i, "reason")->text, wide, OPTION, WIDTH);
        while (fact[i].kind != FACT_END)
            i++;
    }
    return i + 1;
}

static void put_title(const struct page *page, const char *file)
{
    char name[400];
    error_escape(file, strlen(file), name, sizeof name);
    text_put(page->text, "%s%s%s\n", style_text(PORT_STDOUT, STYLE_NAME), source_shown(name),
             style_text(PORT_STDOUT, STYLE_PLAIN));
}

/* Prints what people read of fact i. Returns the next fact. */
static size_t put_fact(const struct page *page, size_t i)
{
    const struct fact *fact = &page->facts->at[i];
    const char *key = fact->key ? fact->key : "";
    if (fact->kind == FACT_WORDS)
        return put_words(page, i);
    if (fact->kind == FACT_ARRAY && strcmp(key, "columns") == 0)
        return put_columns(page, i);
    if (fact->kind == FACT_ARRAY && strcmp(key, "options") == 0)
        return put_options(page, i);
    if (fact->kind == FACT_TEXT && strcmp(key, "file") == 0)
        put_title(page, fact->text);
    if (fact->kind == FACT_TEXT && strcmp(key, "command") == 0)
        text_put(page->text, "\nTo clean it:\n\n  %s\n\n", fact->text);
    return i + 1;
}

char *facts_page(const struct facts *facts, bool all)
{
    struct text text = { .failed = facts->failed };
    const struct page page = { facts, &text, all };
    for (size_t i = 0; i < facts->n && !text.failed;)
        i = put_fact(&page, i);
    return text_take(&text);
}
