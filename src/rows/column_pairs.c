/* Pairs of columns by the words LIST:COLUMN of a user. COLUMN belongs to all columns of LIST; with a * on
 * both sides, which stands for the same text, each column of LIST has a COLUMN of its own. COLUMN is called
 * teller in the code. */
#include "rows/table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What columns_pair works on. */
struct pairing {
    const struct table *table;
    const char *option;       /* name in messages */
    const char *column;       /* COLUMN */
    struct column_pair *pair; /* [table->ncolumn] */
    bool self;                /* a column may belong to itself */
    bool any;                 /* a pair was found */
    struct error *e;
};

/* The error of a side that has no * or several, where the other side has a *. */
static bool not_one_star(const struct pairing *pairing, const char *text)
{
    error_usage(pairing->e, "%s: use one * on each side; both stand for the same text", pairing->option);
    error_excerpt(pairing->e, text, strlen(text));
    return error_hint(pairing->e, "for example %s '*_pos:*_vel'", pairing->option);
}

/* Pairs column i, if its name is head, any text and tail, with the COLUMN whose * is the same text, if such a
 * COLUMN exists. False: out of memory. */
static bool pair_column(struct pairing *pairing, size_t i, const char *head, size_t nhead, const char *tail)
{
    const char *name = pairing->table->column[i].name, *star = strchr(pairing->column, '*');
    size_t n = strlen(name), ntail = strlen(tail);
    if (n < nhead + ntail || memcmp(name, head, nhead) != 0 || strcmp(name + n - ntail, tail) != 0)
        return true;
    char *other = text_format("%.*s%.*s%s", (int)(star - pairing->column), pairing->column,
                              (int)(n - nhead - ntail), name + nhead, star + 1);
    if (!other)
        return error_memory(pairing->e);
    const size_t teller = columns_lookup(pairing->table, other);
    free(other);
    if (teller != COLUMN_NONE && (teller != i || pairing->self)) {
        pairing->pair[i] = (struct column_pair){ true, teller, false };
        pairing->any = true;
    }
    return true;
}

static bool pair_item(void *closure, const struct column_item *item)
{
    struct pairing *pairing = closure;
    const char *star = item->is_name ? NULL : strchr(item->text, '*');
    if (!star || strchr(star + 1, '*'))
        return not_one_star(pairing, item->text);
    for (size_t i = 0; i < pairing->table->ncolumn; i++)
        if (!pair_column(pairing, i, item->text, (size_t)(star - item->text), star + 1))
            return false;
    return true;
}

/* Pairs each column of a list that has a *, with a COLUMN of its own. */
static bool pair_each(struct pairing *pairing, const char *list)
{
    if (strchr(strchr(pairing->column, '*') + 1, '*'))
        return not_one_star(pairing, pairing->column);
    if (!columns_each_item(pairing->table, list, pairing->option, pair_item, pairing, pairing->e))
        return false;
    if (pairing->any)
        return true;
    error_data(pairing->e, "%s: found no columns that match both \"%.80s\" and \"%.80s\" with the same *",
               pairing->option, list, pairing->column);
    return columns_hint(pairing->table, pairing->e);
}

/* Pairs all columns of a list with the same COLUMN. */
static bool pair_all(struct pairing *pairing, const char *list)
{
    size_t teller = columns_find(pairing->table, pairing->column, pairing->option, pairing->e);
    if (teller == COLUMN_NONE)
        return false;
    unsigned char *pick = calloc(pairing->table->ncolumn, 1);
    bool good = pick ? columns_pick_list(pairing->table, list, pairing->option, pick, pairing->e)
                     : error_memory(pairing->e);
    for (size_t i = 0; good && i < pairing->table->ncolumn; i++)
        if (pick[i] != PICK_NONE && (i != teller || (pairing->self && pick[i] == PICK_EXPLICIT)))
            pairing->pair[i] = (struct column_pair){ true, teller, pick[i] == PICK_EXPLICIT };
    free(pick);
    return good;
}

bool columns_pair(const struct table *table, const char *text, const char *option, bool self,
                  struct column_pair *pair, struct error *e)
{
    struct pairing pairing = { .table = table, .option = option, .pair = pair, .self = self, .e = e };
    bool good = false;
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || colon[1] == 0) {
        error_usage(e, "%s: must be LIST:COLUMN", option);
        return error_excerpt(e, text, strlen(text));
    }
    for (; colon && colon[1] && !good; colon = strchr(colon + 1, ':')) {
        char *list = text_copy(text, (size_t)(colon - text));
        pairing.column = colon + 1;
        pairing.any = false;
        bool each = strchr(colon + 1, '*') && columns_lookup(table, colon + 1) == COLUMN_NONE;
        if (!list)
            good = error_memory(e);
        else
            good = each ? pair_each(&pairing, list) : pair_all(&pairing, list);
        free(list);
    }
    return good;
}
