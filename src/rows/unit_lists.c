/* Units of a LIST: names, globs or positions. Units that need no list are in unit_names.c. */
#include "rows/units.h"

#include "base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 /* most bytes of a word in messages */ };

bool units_add(struct units *units, const struct table *table, const struct unit *unit, struct error *e)
{
    if (!units->owner && !arrays_make(e, ARRAY(units->owner, table->ncolumn)))
        return false;
    for (size_t k = 0; k < unit->n; k++) {
        const size_t owner = units->owner[unit->column[k]];
        if (!owner)
            continue;
        if (unit->pattern)
            return true;
        error_usage(e, "%s names this column, but it is part of another %s", unit->kind->option,
                    units->at[owner - 1].kind->name);
        return error_column(e, table->column[unit->column[k]].name);
    }
    if (!array_reserve(&units->at, units->n + 1, &units->max, sizeof *units->at, e))
        return false;
    units->at[units->n++] = *unit;
    for (size_t k = 0; k < unit->n; k++)
        units->owner[unit->column[k]] = units->n;
    return true;
}

struct picking {
    const struct table *table;
    const char *order;   /* of the entry; NULL: the entry has no order */
    size_t place[4];     /* where a letter of the order is in kind.letters[0] */
    struct unit unit;    /* the unit that is being found */
    struct units *units; /* receives the units */
    struct error *e;
};

/* The error of an entry. what: what is wrong, before the noun of the kind. Returns false. */
static bool refuse(const struct picking *picking, const struct column_item *item, const char *what)
{
    const struct unit_kind *kind = picking->unit.kind;
    error_data(picking->e, "%s: \"%.*s\" %s a %s", kind->option, SHOWN, item->text, what, kind->noun);
    return error_hint(picking->e, "%s", kind->hint);
}

/* --- orders --- */

/* The colon before the order at the end of an entry; NULL: the entry has no order. */
static char *find_order(const struct unit_kind *kind, const struct column_item *item)
{
    char *colon = strrchr(item->text, ':'), *end = colon ? colon + 1 : NULL;
    while (end && *end && strchr(kind->letters[0], tolower((unsigned char)*end)))
        end++;
    return end && end > colon + 1 && !*end ? colon : NULL;
}

/* Reads the order: each letter of the kind once, or angles whose first axis is also the third. */
static bool read_order(struct picking *picking)
{
    const char *letters = picking->unit.kind->letters[0];
    const size_t n = strlen(letters);
    unsigned seen = 0;
    if (strlen(picking->order) != n)
        return false;
    for (size_t k = 0; k < n; k++) {
        picking->place[k] = (size_t)(strchr(letters, tolower((unsigned char)picking->order[k])) - letters);
        seen |= 1U << picking->place[k];
        if (picking->unit.kind->angles)
            picking->unit.euler.axis[k] = (unsigned char)picking->place[k];
    }
    return seen == (1U << n) - 1 || unit_repeats_axis(&picking->unit);
}

/* Takes the order of an entry and cuts it off. An entry of angles without one has that of the next entry that
 * has one; `end` is after the last entry. */
static bool take_order(struct picking *picking, const struct column_item *item, const struct column_item *end)
{
    const struct unit_kind *kind = picking->unit.kind;
    char *own = kind->rotation ? find_order(kind, item) : NULL, *colon = own;
    for (const struct column_item *later = item + 1; kind->angles && !colon && later < end; later++)
        colon = find_order(kind, later);
    picking->order = colon ? colon + 1 : NULL;
    if (colon ? !read_order(picking) : kind->angles)
        return refuse(picking, item, "has no valid order for");
    if (own)
        *own = 0;
    return true;
}

/* --- entries --- */

/* Puts the n columns from `first` on in the order of the unit, if their names show it. */
static bool order_by_names(struct unit *unit, const struct table *table, size_t first)
{
    for (size_t i = first; i < first + unit->n; i++) {
        struct unit named = *unit;
        bool same = unit_by_names(&named, table, i) && named.n == unit->n;
        for (size_t k = 0; same && k < unit->n; k++)
            same = named.column[k] >= first && named.column[k] < first + unit->n;
        if (same) {
            *unit = named;
            return true;
        }
    }
    return false;
}

/* Takes an entry of positions, such as 3-6, which are columns first to end - 1. The order names the
 * components of a quaternion; those of angles, and without an order, the letters of the names, where these
 * show them. */
static bool pick_positions(struct picking *picking, const struct column_item *item, size_t first, size_t end)
{
    struct unit *unit = &picking->unit;
    const struct unit_kind *kind = unit->kind;
    unit->n = end - first;
    if (unit->n < kind->least || unit->n > strlen(kind->letters[0]))
        return refuse(picking, item, "does not match the columns of");
    for (size_t k = 0; k < unit->n; k++)
        unit->column[k] = first + k;
    if (!kind->rotation || unit_repeats_axis(unit))
        return units_add(picking->units, picking->table, unit, picking->e);
    if ((kind->angles || !picking->order) && order_by_names(unit, picking->table, first))
        return units_add(picking->units, picking->table, unit, picking->e);
    if (!picking->order)
        return refuse(picking, item, "has no valid order for");
    for (size_t k = 0; k < unit->n; k++)
        unit->column[picking->place[k]] = first + k;
    return units_add(picking->units, picking->table, unit, picking->e);
}

/* Takes the unit with a name, or all units whose names match a glob. */
static bool pick_names(struct picking *picking, const struct column_item *item, bool *any)
{
    const struct table *table = picking->table;
    struct unit *unit = &picking->unit;
    *any = false;
    for (size_t i = 0; i < table->ncolumn && (!*any || unit->pattern); i++) {
        if (!unit_is_called(unit, table->column[i].original, item->text) || unit_repeats_axis(unit) ||
            !unit_by_names(unit, table, i))
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            size_t column;
            const char *name = table->column[unit->column[k]].original;
            if (!columns_by_name(table, name, unit->kind->option, &column, picking->e))
                return false;
        }
        if (!units_add(picking->units, picking->table, unit, picking->e))
            return false;
        *any = true;
    }
    return true;
}

/* Takes each column that a list of a kind of single columns names. */
static bool pick_columns(struct picking *picking, const char *list)
{
    struct unit *unit = &picking->unit;
    unsigned char *pick;
    if (!arrays_make(picking->e, ARRAY(pick, picking->table->ncolumn)))
        return false;
    bool good = columns_pick_list(picking->table, list, unit->kind->option, pick, picking->e);
    *unit = (struct unit){ .kind = unit->kind, .n = 1, .listed = true };
    for (size_t i = 0; good && i < picking->table->ncolumn; i++) {
        unit->column[0] = i;
        unit->pattern = pick[i] == PICK_PATTERN;
        good = pick[i] == PICK_NONE || units_add(picking->units, picking->table, unit, picking->e);
    }
    free(pick);
    return good;
}

bool units_listed(struct units *units, const struct table *table, const struct unit_kind *kind,
                  const char *list, struct error *e)
{
    struct picking state = { .table = table, .unit = { .kind = kind }, .units = units, .e = e };
    struct picking *picking = &state;
    struct column_list items;
    size_t first, end;
    if (kind->least == 1)
        return pick_columns(picking, list);
    bool good = columns_read_list(list, strlen(list), kind->option, &items, e);
    for (size_t k = 0; good && k < items.n; k++) {
        const struct column_item *item = &items.at[k];
        picking->unit = (struct unit){ .kind = kind, .pattern = column_item_is_glob(item), .listed = true };
        good = take_order(picking, item, items.at + items.n);
        const bool range = good && !item->is_name && strchr(item->text, '-') &&
                           columns_range(table, item->text, &first, &end);
        bool any = range && first < end;
        if (any)
            good = pick_positions(picking, item, first, end);
        else if (!range)
            good = good && pick_names(picking, item, &any);
        if (good && !any && !columns_may_miss(table))
            good = refuse(picking, item, "does not match the columns of");
        good = good && columns_check_item(table, item, any, e);
    }
    free(items.at);
    return good;
}
