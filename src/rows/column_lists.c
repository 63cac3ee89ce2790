/* The columns that a user's words mean, single or in a list, and the errors of words that mean none. */
#include "rows/table.h"

#include "base/glob.h"
#include "base/suggest.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In messages: most bytes of a name; most names and bytes of a list. */
enum { SHOWN = 80, LISTED = 20, LISTWIDTH = 280 };

/* Adds "did you mean …?" with the nearest name. globs: with a glob if several names begin with the word and
 * a separator, as the channels of a joint do. */
static void put_nearest(const struct table *table, const struct suggestion *near, bool globs, char *list,
                        size_t max)
{
    const char *name = near->best;
    const size_t n = strlen(near->word);
    const bool begins = globs && n < SHOWN && strncasecmp(name, near->word, n) == 0 && name[n];
    char glob[SHOWN + 2], quoted[TEXT_WORD];
    size_t count = 0;
    for (size_t k = 0; k < table->ncolumn && begins && strchr("._:/ ", name[n]); k++)
        count += strncmp(table->column[k].name, name, n + 1) == 0;
    snprintf(glob, sizeof glob, "%.*s*", (int)n + 1, name);
    if (count > 1)
        text_append(list, max, "did you mean %s? ", text_quoted(quoted, glob));
    else
        text_append(list, max, "did you mean \"%.*s\"? ", SHOWN / 2, name);
}

/* As columns_hint, after "did you mean …?" if a name is near the word; word NULL: no word. globs: the option
 * accepts globs. */
static bool hint_names(const struct table *table, const char *word, bool globs, struct error *e)
{
    char list[sizeof e->hint] = "";
    struct suggestion near = { .word = word };
    for (size_t k = 0; word && k < table->ncolumn; k++)
        suggest_offer(&near, table->column[k].name);
    size_t i = 0;
    if (table->doubtful)
        text_append(list, sizeof list, "try --header 1 if the first line holds the names; ");
    else if (near.best)
        put_nearest(table, &near, globs, list, sizeof list);
    text_append(list, sizeof list, "columns: ");
    for (; i < table->ncolumn && i < LISTED; i++) {
        const char *name = table->column[i].name[0] ? table->column[i].name : "(no name)";
        if (strlen(list) + strlen(name) > LISTWIDTH && i > 0)
            break;
        const char *quote = strchr(name, ',') ? "\"" : ""; /* as the user must type it */
        text_append(list, sizeof list, "%s%s%.*s%s", i ? ", " : "", quote, SHOWN, name, quote);
    }
    if (i < table->ncolumn)
        text_append(list, sizeof list, " and %zu more", table->ncolumn - i);
    if (table->other_lines)
        text_append(list, sizeof list, "; for names on other lines, use --header LINES");
    return error_hint(e, "%s", list);
}

bool columns_hint(const struct table *table, struct error *e)
{
    return hint_names(table, NULL, false, e);
}

/* The error that no column has the name. globs: the option accepts globs. */
static bool missing(const struct table *table, const char *word, bool globs, const char *option,
                    struct error *e)
{
    error_data(e, "%s: no column \"%.*s\"", option, SHOWN, word);
    return hint_names(table, word, globs, e);
}

/* The error that several columns have the name. */
static bool ambiguous(const struct table *table, const char *name, const char *option, struct error *e)
{
    char positions[128] = "", names[200] = "";
    size_t count = 0;
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        if (strcmp(column->original, name) != 0 && strcmp(column->name, name) != 0)
            continue;
        count++;
        if (count > 5)
            continue;
        text_append(positions, sizeof positions, "%s%zu", count > 1 ? ", " : "", i + 1);
        text_append(names, sizeof names, "%s%.30s", count > 1 ? ", " : "", column->name);
    }
    const char *more = count > 5 ? ", …" : "";
    error_data(e, "%s: %zu columns are named \"%.*s\"", option, count, SHOWN, name);
    return error_hint(e, "choose by position: %s%s (shown in messages and output as %s%s)", positions, more,
                      names, more);
}

bool columns_by_name(const struct table *table, const char *name, const char *option, size_t *column,
                     struct error *e)
{
    *column = columns_lookup(table, name);
    if (*column == COLUMN_NONE || !table->column[*column].tried)
        return true;
    *column = COLUMN_NONE;
    return ambiguous(table, name, option, e);
}

static const char digits[] = "0123456789";

/* The column at a position, word[n], counted from 1; or, if the table has fewer columns, the column with this
 * name. COLUMN_NONE and *e: no such column. */
static size_t by_position(const struct table *table, const char *word, size_t n, const char *option,
                          struct error *e)
{
    size_t position = 0;
    for (size_t i = 0; i < n && position <= table->ncolumn; i++)
        position = 10 * position + (size_t)(word[i] - '0');
    if (position >= 1 && position <= table->ncolumn)
        return position - 1;
    char *name = text_copy(word, n);
    size_t named = name ? columns_lookup(table, name) : COLUMN_NONE;
    free(name);
    if (named != COLUMN_NONE) /* such as a year */
        return named;
    error_data(e, "%s: no column %.*s: there %s %zu", option, (int)n, word,
               table->ncolumn == 1 ? "is" : "are", table->ncolumn);
    columns_hint(table, e);
    return COLUMN_NONE;
}

/* Removes the quotes of "a ""b""" in place: the text then begins in the place of the opening quote. Returns
 * the text after the closing quote; NULL: no quote closes. */
static char *unquote(char *quote)
{
    char *to = quote;
    for (char *from = quote + 1; *from; from++) {
        if (*from == '"') {
            from++;
            if (*from != '"') {
                *to = 0;
                return from;
            }
        }
        *to++ = *from;
    }
    return NULL;
}

/* The text without blanks at both ends, changed in place, unless a column's name has the blanks. */
static char *trim(const struct table *table, char *text)
{
    if (columns_lookup(table, text) != COLUMN_NONE)
        return text;
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = 0;
    return text;
}

/* Takes the entry at *at and moves *at to the next entry; NULL: the entry was the last. */
static bool next_item(const struct table *table, char **at, const char *option, struct column_item *item,
                      struct error *e)
{
    char *start = *at + strspn(*at, " \t"), *rest;
    bool equals = *start == '=', quoted = start[equals] == '"';
    item->is_name = equals || quoted;
    item->text = item->is_name ? start + equals : *at;
    if (quoted) {
        rest = unquote(item->text);
        if (!rest)
            return error_usage(e, "%s: unclosed quote", option);
        rest += strspn(rest, " \t");
        if (*rest && *rest != ',')
            return error_usage(e, "%s: a comma is missing after \"%.*s\"", option, SHOWN, item->text);
    } else {
        rest = *at + strcspn(*at, ",");
    }
    item->rest = *at = *rest ? rest + 1 : NULL;
    *rest = 0;
    if (!quoted)
        item->text = trim(table, item->text);
    return item->text[0] ? true : error_usage(e, "%s: empty entry in the list", option);
}

bool columns_each_item(const struct table *table, const char *list, const char *option,
                       column_item_taker *take, void *closure, struct error *e)
{
    char *copy = strdup(list), *at = copy;
    bool good = copy ? true : error_memory(e);
    struct column_item item;
    while (good && at)
        good = next_item(table, &at, option, &item, e) && take(closure, &item);
    free(copy);
    return good;
}

const char *columns_entry(const struct table *table, size_t i, char number[COLUMNS_NUMBER])
{
    const char *name = table->column[i].name;
    const size_t n = strlen(name);
    const bool plain = n > 0 && !strchr("=\" \t0123456789", name[0]) && !strchr(" \t", name[n - 1]);
    if (plain && n <= SHOWN && !strchr(name, ',') && !table->column[i].tried)
        return name;
    snprintf(number, COLUMNS_NUMBER, "%zu", table->column[i].position);
    return number;
}

/* The columns that a list picks. */
struct picking {
    const struct table *table;
    const char *option;
    unsigned char *pick;
    struct error *e;
};

size_t columns_find_range(const struct table *table, const char *range, const char *option, size_t *last,
                          struct error *e)
{
    size_t n = strspn(range, digits);
    const char *end = range + n + strspn(range + n, "- ");
    size_t first = by_position(table, range, n, option, e);
    *last = COLUMN_NONE;
    if (first != COLUMN_NONE)
        *last = by_position(table, end, strspn(end, digits), option, e);
    return *last == COLUMN_NONE ? COLUMN_NONE : first;
}

/* Picks the columns of 3, 3-12 or 7-. An open range picks like a pattern: columns that cannot be filtered are
 * left out without an error. */
static bool pick_range(const struct picking *picking, const char *text)
{
    size_t n = strspn(text, digits), from = by_position(picking->table, text, n, picking->option, picking->e),
           to = from;
    const char *last = text[n] ? text + n + 1 : text;
    if (from != COLUMN_NONE)
        to = *last ? by_position(picking->table, last, strlen(last), picking->option, picking->e)
                   : picking->table->ncolumn - 1;
    if (to == COLUMN_NONE)
        return false;
    if (to < from)
        return error_usage(picking->e, "%s: a range runs backward: %s", picking->option, text);
    for (size_t i = from; i <= to; i++)
        picking->pick[i] |= *last ? PICK_EXPLICIT : PICK_PATTERN;
    return true;
}

/* Picks the columns whose names match a glob. The program sets no locale, so a ? is one byte. */
static bool pick_glob(const struct picking *picking, const char *glob)
{
    bool any = false;
    for (size_t i = 0; i < picking->table->ncolumn; i++) {
        const struct column *column = &picking->table->column[i];
        if (!glob_matches(glob, column->name) && !glob_matches(glob, column->original))
            continue;
        picking->pick[i] |= PICK_PATTERN;
        any = true;
    }
    if (any)
        return true;
    error_data(picking->e, "%s: no column matches \"%.*s\"", picking->option, SHOWN, glob);
    return columns_hint(picking->table, picking->e);
}

static bool pick_item(void *closure, const struct column_item *item)
{
    const struct picking *picking = closure;
    size_t column, n = strspn(item->text, digits), dash = item->text[n] == '-';
    bool range = n > 0 && item->text[n + dash + strspn(item->text + n + dash, digits)] == 0;
    if (!item->is_name && range) /* 3, 3-12 or 7- */
        return pick_range(picking, item->text);
    if (!columns_by_name(picking->table, item->text, picking->option, &column, picking->e))
        return false;
    if (column != COLUMN_NONE) {
        picking->pick[column] |= PICK_EXPLICIT;
        return true;
    }
    return !item->is_name && strpbrk(item->text, "*?[")
               ? pick_glob(picking, item->text)
               : missing(picking->table, item->text, !item->is_name, picking->option, picking->e);
}

bool columns_pick_list(const struct table *table, const char *list, const char *option, unsigned char *pick,
                       struct error *e)
{
    struct picking picking = { table, option, pick, e };
    return columns_each_item(table, list, option, pick_item, &picking, e);
}

size_t columns_find(const struct table *table, const char *spec, const char *option, struct error *e)
{
    size_t column, n = strspn(spec, digits);
    if (n > 0 && spec[n] == 0)
        return by_position(table, spec, n, option, e);
    if (!columns_by_name(table, spec, option, &column, e) || column != COLUMN_NONE)
        return column;
    char *copy = strdup(spec + (*spec == '='));
    const char *rest = copy && *copy == '"' ? unquote(copy) : "";
    if (!copy)
        error_memory(e);
    else if (!rest || *rest)
        missing(table, spec, false, option, e);
    else if (columns_by_name(table, copy, option, &column, e) && column == COLUMN_NONE)
        missing(table, copy, false, option, e);
    free(copy);
    return column;
}
