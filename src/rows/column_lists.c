/* The columns that a user's words mean, single or in a list, and the errors of words that mean none. */
#include "rows/table.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/suggest.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 80 /* most bytes of a name in messages */ };

bool columns_hint(const struct table *table, const char *word, struct error *e)
{
    struct column_names names = { .n = 0 };
    struct suggestion near = { .word = word };
    char meant[SHOWN] = "";
    for (size_t k = 0; word && k < table->ncolumn; k++)
        suggest_offer(&near, table->column[k].name);
    if (near.best)
        snprintf(meant, sizeof meant, "did you mean \"%.*s\"? ", SHOWN / 2, near.best);
    for (size_t k = 0; k < table->ncolumn; k++)
        columns_names_add(&names, table->column[k].name[0] ? table->column[k].name : "(no name)", NULL);
    return error_hint(e, "%scolumns: %s", meant, columns_names_text(&names));
}

/* The error that an option's word names no column. globs: the option takes globs. Returns false. */
static bool no_column(const struct table *table, const char *word, const char *option, bool globs,
                      struct error *e)
{
    static const char *const guesses[] = { "%.*s.*", "*%.*s", "*%.*s*" }; /* hip: hip.*, *hip, *hip* */
    char glob[SHOWN];
    error_data(e, "%s: no column \"%.*s\"", option, SHOWN, word);
    for (size_t i = 0; globs && i < sizeof guesses / sizeof *guesses; i++) {
        snprintf(glob, sizeof glob, guesses[i], SHOWN - 3, word);
        for (size_t k = 0; k < table->ncolumn; k++)
            if (glob_matches(glob, table->column[k].name))
                return error_hint(e, "did you mean '%s'?", glob);
    }
    return columns_hint(table, word, e);
}

bool columns_by_name(const struct table *table, const char *name, const char *option, size_t *column,
                     struct error *e)
{
    *column = columns_lookup(table, name);
    if (*column == COLUMN_NONE || !table->column[*column].tried)
        return true;
    error_data(e, "%s: several columns are named \"%.*s\"", option, SHOWN, name);
    error_hint(e, "choose by position: %zu is the first", table->column[*column].position);
    *column = COLUMN_NONE;
    return false;
}

bool columns_range(const struct table *table, const char *text, size_t *first, size_t *end)
{
    static const char digits[] = "0123456789";
    const size_t n = strspn(text, digits), dash = text[n] == '-', more = strspn(text + n + dash, digits);
    if (n == 0 || text[n + dash + more])
        return false;
    const unsigned long long from = strtoull(text, NULL, 10); /* of too many digits the greatest */
    unsigned long long to = from;
    if (dash)
        to = more > 0 ? strtoull(text + n + 1, NULL, 10) : ULLONG_MAX;
    size_t i = 0;
    while (i < table->ncolumn && table->column[i].position < from)
        i++;
    for (*first = i; i < table->ncolumn && table->column[i].position <= to;)
        i++;
    *end = i;
    return true;
}

/* Reads the entry at *at of a copy of the list, which is changed, and moves *at to the next entry; NULL: it
 * was the last. */
static bool read_item(char **at, struct column_item *item, struct error *e)
{
    static const char blanks[] = " \t";
    char *start = *at + strspn(*at, blanks), *rest;
    const bool equals = *start == '=', quoted = start[equals] == '"';
    item->is_name = equals || quoted;
    item->text = start + equals + quoted;
    char *end = item->text + strcspn(item->text, quoted ? "\"" : ",");
    rest = quoted && *end ? end + 1 + strspn(end + 1, blanks) : end;
    if (quoted && (!*end || (*rest && *rest != ',')))
        return error_usage(e, "%s: a quote encloses a whole name, as in \"a,b\",c", item->option);
    while (!quoted && end > item->text && strchr(blanks, end[-1]))
        end--;
    item->ntyped = (size_t)(rest - *at);
    *at = *rest ? rest + 1 : NULL;
    *end = 0;
    return item->text[0] ? true : error_usage(e, "%s: empty entry in the list", item->option);
}

bool columns_read_list(const char *list, size_t nlist, const char *option, struct column_list *items,
                       struct error *e)
{
    char *copy;
    *items = (struct column_list){ 0 };
    if (!arrays_make(e, ARRAY(items->at, nlist / 2 + 1), ARRAY(copy, nlist + 1)))
        return false;
    memcpy(copy, list, nlist);
    for (char *at = copy; at;) {
        struct column_item *item = &items->at[items->n++];
        *item = (struct column_item){ .option = option, .typed = list + (at - copy) };
        if (!read_item(&at, item, e))
            return false;
    }
    return true;
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

bool columns_pick_item(const struct table *table, const struct column_item *item, unsigned char *pick,
                       bool *any, struct error *e)
{
    const char *text = item->text;
    size_t first, end;
    if (!item->is_name && columns_range(table, text, &first, &end)) { /* 3, 3-12 or 7- */
        *any = first < end;
        for (size_t i = first; i < end; i++)
            pick[i] |= text[strlen(text) - 1] == '-' ? PICK_PATTERN : PICK_EXPLICIT;
        return true;
    }
    if (!columns_by_name(table, text, item->option, &first, e))
        return false;
    *any = first != COLUMN_NONE;
    if (*any)
        pick[first] |= PICK_EXPLICIT;
    const bool glob = !*any && column_item_is_glob(item);
    for (size_t i = 0; i < table->ncolumn && glob; i++)
        if (glob_matches(text, table->column[i].name) || glob_matches(text, table->column[i].original)) {
            pick[i] |= PICK_PATTERN;
            *any = true;
        }
    return true;
}

bool columns_check_item(const struct table *table, const struct column_item *item, bool any, struct error *e)
{
    if (table->uses)
        return list_uses_add(table->uses, item, any, e);
    return any || table->is_part || no_column(table, item->text, item->option, true, e);
}

bool columns_pick_list(const struct table *table, const char *list, const char *option, unsigned char *pick,
                       struct error *e)
{
    struct column_list items;
    bool good = columns_read_list(list, strlen(list), option, &items, e), any;
    for (size_t i = 0; good && i < items.n; i++) {
        const struct column_item *item = &items.at[i];
        good = columns_pick_item(table, item, pick, &any, e) && columns_check_item(table, item, any, e);
    }
    free(items.at);
    return good;
}

bool list_uses_add(struct list_uses *uses, const struct column_item *item, bool any, struct error *e)
{
    size_t k = 0;
    while (k < uses->n && uses->at[k].item.typed != item->typed)
        k++;
    if (k == uses->n) {
        if (!array_reserve(&uses->at, k + 1, &uses->max, sizeof *uses->at, e))
            return false;
        uses->at[uses->n++] = (struct list_use){ .item = *item };
    }
    uses->at[k].some += any;
    uses->at[k].none += !any;
    return true;
}

size_t columns_find(const struct table *table, const char *spec, const char *option, struct error *e)
{
    size_t column, end;
    if (columns_range(table, spec, &column, &end) && end == column + 1)
        return column;
    const char *name = spec + (spec[0] == '=');
    if (columns_by_name(table, name, option, &column, e) && column == COLUMN_NONE)
        no_column(table, name, option, false, e);
    return column;
}
