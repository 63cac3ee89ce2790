/* Pairs the columns that are compared with each other, and finds angles, quaternions and the key. See diff.h.
 * Columns pair by name, in any order; by position if a side has no names. A column that alone has no name is
 * named by its position, as in JSON. */
#include "compare/diff.h"

#include "base/array.h"
#include "base/text.h"
#include "rows/units.h"

#include <stdio.h>
#include <stdlib.h>

/* The column with a name, or without a name at the position that the name says. COLUMN_NONE: no such
 * column. */
static size_t column_named(const struct table *table, const char *name)
{
    const size_t named = columns_lookup(table, name);
    const unsigned long long number = strtoull(name, NULL, 10);
    char position[24];
    if (named != COLUMN_NONE || number == 0 || number > table->ncolumn)
        return named;
    const size_t i = (size_t)number - 1;
    snprintf(position, sizeof position, "%zu", i + 1);
    return !table->column[i].name[0] && strcmp(position, name) == 0 ? i : COLUMN_NONE;
}

/* The column of the other side that pairs with column i of a side, or COLUMN_NONE. */
static size_t partner(const struct diff *diff, int side, size_t i)
{
    const struct table *table = diff->side[side].table, *other = diff->side[!side].table;
    const char *name = table->column[i].name;
    char position[24];
    if (!table->named || !other->named)
        return i < other->ncolumn ? i : COLUMN_NONE;
    snprintf(position, sizeof position, "%zu", i + 1);
    if (!name[0])
        name = position;
    return column_named(table, name) == i ? column_named(other, name) : COLUMN_NONE;
}

/* A mark for each column of both sides: [ncolumn] of enum column_pick. */
struct picked {
    unsigned char *side[DIFF_SIDES];
};

struct picking {
    struct diff *diff;
    const char *option;          /* --columns or --exclude */
    const char *list;            /* of the option, from the item on */
    const struct picked *picked; /* receives the columns of the list */
    struct error *e;
};

/* Picks the columns of an item of a list. A column of one side alone is picked there; a column of neither
 * side is an error. Positions, as 3, 3-12 or 7-, count columns of the expected side; an open range includes
 * the columns that only the actual side has. */
static bool pick_item(void *closure, const struct column_item *item)
{
    static const char digits[] = "0123456789";
    struct picking *picking = closure;
    const struct table *expected = picking->diff->side[DIFF_EXPECTED].table;
    const struct table *actual = picking->diff->side[DIFF_ACTUAL].table;
    unsigned char *const *pick = picking->picked->side;
    struct error ignored; /* the error of one side alone */
    const char *to = item->text + strspn(item->text, digits);
    bool range = *to == '-', open = range && !to[1];
    bool position = !item->is_name && to > item->text && !to[range + strspn(to + range, digits)];
    char *typed = text_copy(picking->list, strlen(picking->list) - (item->rest ? strlen(item->rest) + 1 : 0));
    if (!typed)
        return error_memory(picking->e);
    picking->list += strlen(typed) + 1;
    bool known = columns_pick_list(expected, typed, picking->option, pick[DIFF_EXPECTED], picking->e);
    if (!position)
        known = columns_pick_list(actual, typed, picking->option, pick[DIFF_ACTUAL], &ignored) || known;
    for (size_t i = 0; known && position && open && i < actual->ncolumn; i++)
        if (partner(picking->diff, DIFF_ACTUAL, i) == COLUMN_NONE)
            pick[DIFF_ACTUAL][i] = PICK_PATTERN;
    free(typed);
    return known;
}

/* Picks the columns of the option's list on both sides. */
static bool pick_list(struct diff *diff, const char *option, const char *list, const struct picked *picked,
                      struct error *e)
{
    struct picking picking = { diff, option, list, picked, e };
    return columns_each_item(diff->side[DIFF_EXPECTED].table, list, option, pick_item, &picking, e);
}

/* Takes the columns of --exclude, with their partners, out of the picked columns. dropped: no marks yet. */
static bool drop_columns(struct diff *diff, const struct picked *picked, const struct picked *dropped,
                         struct error *e)
{
    const char *list = diff->options->exclude;
    if (list && !pick_list(diff, "--exclude", list, dropped, e))
        return false;
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->side[side].table->ncolumn; i++) {
            if (dropped->side[side][i] == PICK_NONE)
                continue;
            size_t k = partner(diff, side, i);
            picked->side[side][i] = PICK_NONE;
            if (k != COLUMN_NONE)
                picked->side[!side][k] = PICK_NONE;
        }
    return true;
}

/* Picks the columns of --columns, or all columns. The partner of a picked column is picked, too. */
static bool pick_columns(struct diff *diff, const struct picked *picked, struct error *e)
{
    const char *list = diff->options->columns;
    unsigned char *expected = picked->side[DIFF_EXPECTED], *actual = picked->side[DIFF_ACTUAL];
    for (int i = 0; i < DIFF_SIDES && !list; i++)
        memset(picked->side[i], PICK_PATTERN, diff->side[i].table->ncolumn);
    if (list && !pick_list(diff, "--columns", list, picked, e))
        return false;
    for (size_t i = 0; i < diff->side[DIFF_ACTUAL].table->ncolumn; i++) {
        size_t k = partner(diff, DIFF_ACTUAL, i);
        if (k != COLUMN_NONE)
            expected[k] = actual[i] = expected[k] | actual[i];
    }
    return true;
}

/* Makes a diff_column of each picked column and its partner; counts picked columns without a partner. */
static bool pair_picked(struct diff *diff, const struct picked *picked, struct error *e)
{
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->side[side].table->ncolumn; i++)
            diff->side[side].pair[i] = COLUMN_NONE;
    for (int side = 0; side < DIFF_SIDES; side++) {
        struct diff_side *diff_side = &diff->side[side];
        for (size_t i = 0; i < diff_side->table->ncolumn; i++) {
            size_t k = partner(diff, side, i);
            if (picked->side[side][i] == PICK_NONE) {
                continue;
            } else if (k == COLUMN_NONE) {
                diff_side->only[diff_side->nonly++] = i;
            } else if (side == DIFF_EXPECTED) {
                diff_side->pair[i] = diff->side[DIFF_ACTUAL].pair[k] = diff->ncolumn;
                const char *name = diff_side->table->column[i].name;
                diff->column[diff->ncolumn++] = (struct diff_column){
                    .name = name[0] ? name : diff->side[1].table->column[k].name,
                    .column = { i, k },
                    .number = diff_numeric(diff_side, i) && diff_numeric(&diff->side[1], k),
                    .rotation = COLUMN_NONE,
                };
            }
        }
    }
    diff->ntotal = diff->ncolumn + diff->side[0].nonly + diff->side[1].nonly;
    const char *option = diff->options->exclude ? "--exclude" : NULL;
    option = diff->options->columns ? "--columns" : option;
    return !option || diff->ntotal > 0 || error_data(e, "%s leaves no column to compare", option);
}

/* Checks that a column of the expected side, which the option names, is compared as numbers. */
static bool needs_numbers(const struct diff *diff, size_t column, const char *option, struct error *e)
{
    size_t i = diff->side[DIFF_EXPECTED].pair[column];
    if (i != COLUMN_NONE && diff->column[i].number)
        return true;
    error_data(e, "%s %s", option,
               i == COLUMN_NONE ? "names this column, but it is not compared"
                                : "needs numbers, but this column does not hold numbers in both files");
    return error_column(e, diff->side[0].table->column[column].name);
}

/* Marks the angles. pick: room for a mark of each expected column. */
static bool find_angles(struct diff *diff, unsigned char *pick, struct error *e)
{
    const struct table *table = diff->side[0].table;
    const char *list = diff->options->angles;
    memset(pick, PICK_NONE, table->ncolumn);
    if (list && !columns_pick_list(table, list, "--angles", pick, e))
        return false;
    for (size_t i = 0; i < table->ncolumn; i++) {
        size_t k = pick[i] == PICK_NONE ? COLUMN_NONE : diff->side[DIFF_EXPECTED].pair[i];
        if (pick[i] == PICK_EXPLICIT && !needs_numbers(diff, i, "--angles", e))
            return false;
        if (k != COLUMN_NONE)
            diff->column[k].angle = diff->column[k].number;
    }
    return true;
}

/* Adds a quaternion if all four columns are compared as numbers. Otherwise a quaternion that a glob found is
 * left out, and a quaternion that was named is an error. */
static bool add_rotation(struct diff *diff, const struct unit_columns *found, struct error *e)
{
    size_t *rotation = diff->rotation[diff->nrotation];
    for (size_t i = 0; i < 4; i++) {
        rotation[i] = diff->side[DIFF_EXPECTED].pair[found->column[i]];
        if (!found->pattern && !needs_numbers(diff, found->column[i], "--quaternions", e))
            return false;
        if (rotation[i] == COLUMN_NONE || !diff->column[rotation[i]].number)
            return true;
    }
    for (size_t i = 0; i < 4; i++)
        diff->column[rotation[i]].rotation = diff->nrotation;
    diff->nrotation++;
    return true;
}

static bool find_rotations(struct diff *diff, struct error *e)
{
    const char *list = diff->options->quaternions;
    struct unit_list rotations = { 0 };
    bool good = (!list || units_listed(diff->side[0].table, UNIT_QUATERNION, list, false, &rotations, e)) &&
                arrays_make(e, ARRAY(diff->rotation, rotations.n));
    for (size_t i = 0; good && i < rotations.n; i++)
        good = add_rotation(diff, &rotations.at[i], e);
    unit_list_free(&rotations);
    return good;
}

/* The column of times: computed by the format, or with a usual name of times; or COLUMN_NONE. */
static size_t time_of(const struct table *table)
{
    return diff_computed(table, 0) ? 0 : columns_usual_time(table);
}

/* Marks the columns that are times or keys on both sides. */
static void mark_times(struct diff *diff)
{
    size_t time[DIFF_SIDES];
    for (int side = 0; side < DIFF_SIDES; side++)
        time[side] = time_of(diff->side[side].table);
    for (size_t i = 0; i < diff->ncolumn; i++) {
        struct diff_column *column = &diff->column[i];
        bool times = true, keys = true;
        for (int side = 0; side < DIFF_SIDES; side++) {
            times &= column->column[side] == time[side];
            keys &= column->column[side] == diff->side[side].key;
        }
        column->time = times || keys;
    }
}

static bool find_key(struct diff *diff, struct error *e)
{
    const char *key = diff->options->key;
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        diff->fault = i;
        side->key = key ? columns_find(side->table, key, "--key", e) : COLUMN_NONE;
        side->shown = key ? side->key : time_of(side->table);
        if (key && side->key == COLUMN_NONE)
            return false;
        if (key && !diff_numeric(side, side->key) && side->table->column[side->key].first == CELL_TEXT) {
            error_data(e, "--key needs numbers, but this column begins with text");
            return error_column(e, side->table->column[side->key].name);
        }
    }
    diff->fault = DIFF_SIDES; /* further errors are about no side */
    mark_times(diff);
    return true;
}

bool diff_pair_columns(struct diff *diff, struct error *e)
{
    struct diff_side *expected = &diff->side[DIFF_EXPECTED], *actual = &diff->side[DIFF_ACTUAL];
    size_t n = expected->table->ncolumn, other = actual->table->ncolumn;
    struct picked picked, dropped;
    diff->fault = DIFF_SIDES;
    if (!arrays_make(e, ARRAY(diff->column, n), ARRAY(expected->only, n), ARRAY(actual->only, other),
                     ARRAY(expected->pair, n), ARRAY(actual->pair, other)) ||
        !arrays_make(e, ARRAY(picked.side[0], n), ARRAY(picked.side[1], other), ARRAY(dropped.side[0], n),
                     ARRAY(dropped.side[1], other)))
        return false;
    diff->fault = DIFF_EXPECTED;
    const bool good = pick_columns(diff, &picked, e) && drop_columns(diff, &picked, &dropped, e) &&
                      pair_picked(diff, &picked, e) && find_angles(diff, picked.side[0], e) &&
                      find_rotations(diff, e) && find_key(diff, e);
    free(picked.side[0]);
    return good;
}
