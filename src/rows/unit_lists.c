/* Finding units: by a LIST, by the format, or by names and the first row. */
#include "rows/units.h"

#include "base/array.h"
#include "base/glob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80, MAXORDER = 8 }; /* bytes of a word in messages; letters of an order */

/* Adds a unit. If a column is in another unit, the unit is left out, or, where its name found it, refused. */
static bool add_unit(struct units *units, const struct table *table, const struct unit *unit, struct error *e)
{
    if (!units->owned && !arrays_make(e, ARRAY(units->owned, table->ncolumn)))
        return false;
    for (size_t k = 0; k < unit->n; k++) {
        if (!units->owned[unit->column[k]])
            continue;
        if (unit->pattern)
            return true;
        error_usage(e, "%s names this column, but it is part of another rotation or vector",
                    unit->kind->option);
        return error_column(e, table->column[unit->column[k]].name);
    }
    if (!array_reserve(&units->at, units->n + 1, &units->max, sizeof *units->at, e))
        return false;
    units->at[units->n++] = *unit;
    for (size_t k = 0; k < unit->n; k++)
        units->owned[unit->column[k]] = true;
    return true;
}

/* Is the first axis of the angles also the third, as in ZXZ? */
static bool repeats_axis(const struct unit *unit)
{
    const unsigned char *axis = unit->euler.axis;
    return axis[0] == axis[2] && axis[0] != axis[1];
}

/* --- units of a list --- */

struct picking {
    const struct table *table, *input; /* the units are of `table`; the list names columns of `input` */
    struct stems stems;                /* of the input */
    char order[MAXORDER];              /* of the entry; "": the entry has no order */
    struct unit unit;                  /* the unit that is being found */
    struct units *units;               /* receives the units */
    struct error *e;
};

/* Adds the unit of the input, if it is of the table. Columns of several tables, whose times differ, are no
 * unit. */
static bool add(const struct picking *picking)
{
    struct unit own = picking->unit;
    size_t elsewhere = 0;
    for (size_t k = 0; k < own.n; k++) {
        own.column[k] = table_place(picking->table, own.column[k]);
        elsewhere += own.column[k] == COLUMN_NONE;
    }
    if (elsewhere == 0)
        return add_unit(picking->units, picking->table, &own, picking->e);
    if (elsewhere == own.n || own.pattern)
        return true;
    error_data(picking->e, "%s names columns whose times differ", own.kind->option);
    return error_column(picking->e, picking->input->column[picking->unit.column[0]].name);
}

/* Reads the order: each component once, or angles whose first axis is also the third. */
static bool read_order(struct picking *picking)
{
    struct unit *unit = &picking->unit;
    const size_t first = unit->kind->first, n = strlen(picking->order);
    unsigned seen = 0;
    if (n != 4 - first)
        return false;
    for (size_t i = 0; i < n; i++) {
        const size_t slot = stem_slot(picking->order[i]);
        seen |= 1U << slot;
        if (unit->kind->angles)
            unit->euler.axis[i] = (unsigned char)(slot - first);
    }
    return !(seen & first) && (seen == (15U << first & 15) || repeats_axis(unit));
}

/* The colon before the order at the end of an entry; NULL: the entry has no order. */
static char *find_order(const struct column_item *item)
{
    char *colon = strrchr(item->text, ':');
    const size_t n = colon ? strspn(colon + 1, "wxyzWXYZ") : 0;
    return n > 0 && n < MAXORDER && !colon[1 + n] ? colon : NULL;
}

static bool no_match(const struct picking *picking, const char *text)
{
    const struct unit_kind *kind = picking->unit.kind;
    error_data(picking->e, "%s: \"%.*s\" does not match %s columns", kind->option, SHOWN, text, kind->number);
    return error_hint(picking->e, "%s", picking->unit.kind->hint);
}

/* Takes the order of an entry and cuts it off. An entry of angles without one has that of the next entry that
 * has one; `end` is after the last entry. */
static bool take_order(struct picking *picking, const struct column_item *item, const struct column_item *end)
{
    const struct unit_kind *kind = picking->unit.kind;
    char *own = kind->rotation ? find_order(item) : NULL, *colon = own;
    for (const struct column_item *later = item + 1; kind->angles && !colon && later < end; later++)
        colon = find_order(later);
    snprintf(picking->order, MAXORDER, "%s", colon ? colon + 1 : "");
    if (own)
        *own = 0;
    if (picking->order[0] ? read_order(picking) : !kind->angles)
        return true;
    if (picking->order[0]) {
        error_usage(picking->e, "%s: not a valid order", kind->option);
        error_excerpt(picking->e, picking->order, strlen(picking->order));
    } else {
        error_usage(picking->e, "%s: the order of the angles is missing after \"%.*s\"", kind->option, SHOWN,
                    item->text);
    }
    return error_hint(picking->e, "%s", picking->unit.kind->hint);
}

/* Puts the columns from `first` on in the order of the unit, if they are those of one stem. */
static bool order_by_letters(struct picking *picking, size_t first)
{
    const size_t n = picking->unit.n;
    for (size_t s = 0; s < picking->stems.n; s++) {
        struct unit unit = picking->unit;
        bool alike = strchr("wr", picking->stems.at[s].letters) && stem_take(&picking->stems.at[s], &unit) &&
                     unit.n == n;
        for (size_t k = 0; k < unit.n; k++)
            alike = alike && unit.column[k] >= first && unit.column[k] < first + n;
        if (alike) {
            picking->unit = unit;
            return true;
        }
    }
    return false;
}

/* Takes an entry of positions, such as 3-6. The order names the components of a quaternion; those of angles,
 * and without an order, the letters of the names, where these show them. */
static bool pick_positions(struct picking *picking, const struct column_item *item)
{
    struct unit *unit = &picking->unit;
    const struct unit_kind *kind = unit->kind;
    const bool ordered = picking->order[0] != 0;
    size_t first, last;
    if (!columns_find_range(picking->input, item, &first, &last, picking->e))
        return false;
    unit->n = last - first + 1;
    if (unit->n < kind->least || unit->n > 4 - kind->first)
        return no_match(picking, item->text);
    for (size_t k = 0; k < unit->n; k++)
        unit->column[k] = first + k;
    if (!kind->rotation || repeats_axis(unit))
        return add(picking);
    if ((kind->angles || !ordered) && order_by_letters(picking, first))
        return add(picking);
    if (!ordered) {
        error_usage(picking->e, "%s: the order of w, x, y and z in columns %s is unknown", kind->option,
                    item->text);
        return error_hint(picking->e, "%s", picking->unit.kind->hint);
    }
    for (size_t k = 0; k < unit->n; k++)
        unit->column[stem_slot(picking->order[k]) - kind->first] = first + k;
    return add(picking);
}

/* Does an entry of the list call the stem so? */
static bool is_called(const struct unit *unit, const struct stem *stem, const char *text)
{
    const bool letters = stem->letters == 'w' || unit->kind->first == 0;
    const char *tail = unit->kind->rotation ? "rotation" : "position";
    if (!letters || (stem->tail[0] && strcmp(stem->tail, tail) != 0))
        return false;
    return unit->pattern ? glob_matches(text, stem->word) : strcmp(text, stem->word) == 0;
}

/* Takes the stem with a name, or all stems whose names match a glob. */
static bool pick_stems(struct picking *picking, const struct column_item *item)
{
    struct unit *unit = &picking->unit;
    bool any = false;
    for (size_t s = 0; s < picking->stems.n && (!any || unit->pattern); s++) {
        const struct stem *stem = &picking->stems.at[s];
        if (!is_called(unit, stem, item->text) || repeats_axis(unit) || !stem_take(stem, unit))
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            size_t column;
            const char *name = picking->input->column[unit->column[k]].original;
            if (!columns_by_name(picking->input, name, unit->kind->option, &column, picking->e))
                return false;
        }
        if (!add(picking))
            return false;
        any = true;
    }
    if (picking->input->uses)
        return list_uses_add(picking->input->uses, item, any, picking->e);
    return any || no_match(picking, item->text);
}

/* Takes an entry; `end` is after the last one of its list. */
static bool pick_item(struct picking *picking, const struct column_item *item, const struct column_item *end)
{
    const bool glob = !item->is_name && strpbrk(item->text, "*?");
    picking->unit = (struct unit){ .kind = picking->unit.kind, .pattern = glob, .listed = true };
    if (!take_order(picking, item, end))
        return false;
    const bool range = columns_is_range(item) && strchr(item->text, '-');
    return range ? pick_positions(picking, item) : pick_stems(picking, item);
}

/* Takes each column that a list names as a unit. */
static bool pick_columns(struct picking *picking, const char *list)
{
    const struct unit_kind *kind = picking->unit.kind;
    const size_t ncolumn = picking->input->ncolumn;
    unsigned char *pick;
    if (!arrays_make(picking->e, ARRAY(pick, ncolumn)))
        return false;
    bool good = columns_pick_list(picking->input, list, kind->option, pick, picking->e);
    for (size_t i = 0; good && i < ncolumn; i++) {
        const bool pattern = pick[i] == PICK_PATTERN;
        picking->unit = (struct unit){
            .kind = kind, .n = 1, .column = { i }, .listed = true, .pattern = pattern
        };
        good = pick[i] == PICK_NONE || add(picking);
    }
    free(pick);
    return good;
}

/* Takes the units of several columns that a list names. */
static bool pick_units(struct picking *picking, const char *list)
{
    struct column_list items;
    bool good = columns_read_list(picking->input, list, picking->unit.kind->option, &items, picking->e) &&
                stems_make(&picking->stems, picking->input, picking->e);
    for (size_t k = 0; good && k < items.n; k++)
        good = pick_item(picking, &items.at[k], items.at + items.n);
    stems_free(&picking->stems);
    free(items.at);
    return good;
}

bool units_listed(struct units *units, const struct table *table, const struct unit_kind *kind,
                  const char *list, struct error *e)
{
    struct picking picking = { .table = table,
                               .input = table->input ? table->input : table,
                               .unit = { .kind = kind },
                               .units = units,
                               .e = e };
    return (kind->least == 1 ? pick_columns : pick_units)(&picking, list);
}

/* --- units that need no list --- */

/* Does the first row show the unit? Not with text, a joint, or what names say is another number. */
static bool is_shown(const struct table *table, const struct stem *stem, const struct unit *unit)
{
    double number[4] = { 0 };
    for (size_t k = 0; k < unit->n; k++) {
        const struct column *c = &table->column[unit->column[k]];
        if (c->joint || c->first == CELL_TEXT || columns_angle_name(table, unit->column[k]) == NO_ANGLE)
            return false;
        number[k] = c->number;
    }
    return unit->kind->shows && unit->kind->shows(stem, number);
}

/* Sets the order of angles to that of the format. Angles about one axis twice are side by side in this order.
 */
static void take_order_of_format(const struct table *table, struct unit *unit)
{
    size_t first = unit->column[0];
    for (size_t k = 1; k < unit->n; k++)
        first = unit->column[k] < first ? unit->column[k] : first;
    for (size_t k = 0; k < unit->n; k++) {
        const struct column *column = &table->column[first + k];
        unit->euler.axis[column->turn ? column->turn - 1 : k] = (unsigned char)(column->axis - 1);
    }
    for (size_t k = 0; k < unit->n && repeats_axis(unit); k++)
        unit->column[k] = first + k;
}

/* Adds the unit of a stem, if the format, or the names and the first row, show that it is one of the kind. */
static bool add_known(struct units *units, const struct table *table, const struct unit_kind *kind,
                      const struct stem *stem, struct error *e)
{
    struct unit unit = { .kind = kind, .pattern = true };
    if (!stem_take(stem, &unit))
        return true;
    const bool whole = stem->seen == ((1U << unit.n) - 1) << kind->first;
    const bool stated = whole && stem->letters == (kind->rotation ? 'j' : 'v');
    if (!stated && !is_shown(table, stem, &unit))
        return true;
    if (stated && kind->angles)
        take_order_of_format(table, &unit);
    return add_unit(units, table, &unit, e);
}

bool units_known(struct units *units, const struct table *table, const struct unit_settings *settings,
                 struct error *e)
{
    struct stems stems;
    bool good = stems_make(&stems, table, e);
    for (const struct unit_kind *const *kind = unit_kinds; *kind; kind++)
        for (size_t k = 0; good && k < stems.n && (*kind)->least > 1 && !unit_list(*kind, settings); k++)
            good = add_known(units, table, *kind, &stems.at[k], e);
    stems_free(&stems);
    return good;
}
