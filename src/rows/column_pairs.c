/* Columns that belong to others, by the words LIST:COLUMN of a user: one column for all of the list, or
 * with a * on both sides, which stands for the same text, each its own. */
#include "rows/columns.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct pairing {
    const struct columns *t;
    const char *option, *column; /* COLUMN */
    struct column_pair *pair;
    bool self, any;
    struct error *e;
};

static bool not_one_star(const struct pairing *p, const char *text)
{
    error_usage(p->e, "%s: a * stands for the same text on both sides, once on each", p->option);
    error_excerpt(p->e, text, strlen(text));
    return error_hint(p->e, "for example %s '*_pos:*_vel'", p->option);
}

/* If column i has the text of a * between head and tail, pairs it with COLUMN of the same text, where there
 * is one. */
static bool pair_column(struct pairing *p, size_t i, const char *head, size_t nhead, const char *tail)
{
    const char *name = p->t->column[i].name, *star = strchr(p->column, '*');
    size_t n = strlen(name), ntail = strlen(tail), with;
    if (n < nhead + ntail || memcmp(name, head, nhead) != 0 || strcmp(name + n - ntail, tail) != 0)
        return true;
    char *other = text_format("%.*s%.*s%s", (int)(star - p->column), p->column, (int)(n - nhead - ntail),
                              name + nhead, star + 1);
    bool good = other ? columns_by_name(p->t, other, p->option, &with, p->e) : error_memory(p->e);
    free(other);
    if (good && with != COLUMN_NONE && (with != i || p->self)) {
        p->pair[i] = (struct column_pair){ with, false };
        p->any = true;
    }
    return good;
}

static bool pair_item(void *closure, const struct column_item *item)
{
    struct pairing *p = closure;
    const char *star = item->name ? NULL : strchr(item->text, '*');
    if (!star || strchr(star + 1, '*'))
        return not_one_star(p, item->text);
    for (size_t i = 0; i < p->t->ncolumn; i++)
        if (!pair_column(p, i, item->text, (size_t)(star - item->text), star + 1))
            return false;
    return true;
}

static bool pair_each(struct pairing *p, const char *list)
{
    if (strchr(strchr(p->column, '*') + 1, '*'))
        return not_one_star(p, p->column);
    if (!columns_each_item(p->t, list, p->option, pair_item, p, p->e))
        return false;
    if (p->any)
        return true;
    error_data(p->e, "%s: no column like \"%.80s\" has one like \"%.80s\"", p->option, list, p->column);
    return columns_hint(p->t, NULL, p->e);
}

static bool pair_all(struct pairing *p, const char *list)
{
    size_t with = columns_find(p->t, p->column, p->option, p->e);
    if (with == COLUMN_NONE)
        return false;
    unsigned char *pick = calloc(p->t->ncolumn, 1);
    bool good = pick ? columns_pick_list(p->t, list, p->option, pick, p->e) : error_memory(p->e);
    for (size_t i = 0; good && i < p->t->ncolumn; i++)
        if (pick[i] != PICK_NONE && (i != with || (p->self && pick[i] == PICK_EXPLICIT)))
            p->pair[i] = (struct column_pair){ with, pick[i] == PICK_EXPLICIT };
    free(pick);
    return good;
}

bool columns_pair(const struct columns *t, const char *text, const char *option, bool self,
                  struct column_pair *pair, struct error *e)
{
    bool good = false;
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || colon[1] == 0) {
        error_usage(e, "%s: must be LIST:COLUMN", option);
        return error_excerpt(e, text, strlen(text));
    }
    for (; colon && colon[1] && !good; colon = strchr(colon + 1, ':')) {
        struct pairing p = { t, option, colon + 1, pair, self, false, e };
        char *list = strndup(text, (size_t)(colon - text));
        bool each = strchr(p.column, '*') && columns_lookup(t, p.column) == COLUMN_NONE;
        good = !list ? error_memory(e) : each ? pair_each(&p, list) : pair_all(&p, list);
        free(list);
    }
    return good;
}
