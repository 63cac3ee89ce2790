/* Pairs the columns that are compared with each other, and finds angles, quaternions and the key. See diff.h.
 * Columns pair by name, in any order; columns without a name by position. */
#include "compare/diff.h"

#include "base/array.h"
#include "rows/units.h"

#include <ctype.h>
#include <stdlib.h>

/* --- pairs --- */

/* The column of the other side that pairs with column i of a side, or COLUMN_NONE. */
static size_t partner(const struct diff *diff, int side, size_t i)
{
    const struct table *table = diff->side[side].table, *other = diff->side[!side].table;
    const char *name = table->column[i].name;
    if (!table->named || !other->named)
        return i < other->ncolumn ? i : COLUMN_NONE;
    if (!name[0])
        return i < other->ncolumn && !other->column[i].name[0] ? i : COLUMN_NONE;
    return columns_lookup(table, name) == i ? columns_lookup(other, name) : COLUMN_NONE;
}

/* Sets marks of enum column_pick for the columns of a list on both sides; one side may not know them. A list
 * with positions, as 3 or 7-, is of the expected side. */
static bool pick_list(const struct diff *diff, const char *option, const char *list,
                      unsigned char *const picks[DIFF_SIDES], struct error *e)
{
    struct error ignored;
    bool positions = false;
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += strspn(item, ", ");
        positions = positions || isdigit((unsigned char)*item);
    }
    const bool known = columns_pick_list(diff->side[0].table, list, option, picks[0], e);
    return (!positions && columns_pick_list(diff->side[1].table, list, option, picks[1], &ignored)) || known;
}

/* Does a list pick column i of a side, or its partner k? */
static bool is_picked(unsigned char *const picks[DIFF_SIDES], int side, size_t i, size_t k)
{
    return picks[side][i] != PICK_NONE || (k != COLUMN_NONE && picks[!side][k] != PICK_NONE);
}

/* Makes a diff_column of each picked column and its partner; lists picked columns without a partner. */
static bool pair_picked(struct diff *diff, unsigned char *const picked[DIFF_SIDES],
                        unsigned char *const dropped[DIFF_SIDES], struct error *e)
{
    const struct diff_options *options = diff->options;
    for (int number = 0; number < DIFF_SIDES; number++) {
        struct diff_side *side = &diff->side[number];
        for (size_t i = 0; i < side->table->ncolumn; i++) {
            const size_t k = partner(diff, number, i);
            const bool wanted = (!options->columns || is_picked(picked, number, i, k)) &&
                                !is_picked(dropped, number, i, k);
            if (number == DIFF_EXPECTED)
                diff->pair[i] = COLUMN_NONE;
            if (wanted && k == COLUMN_NONE)
                side->only[side->nonly++] = i;
            if (!wanted || k == COLUMN_NONE || number == DIFF_ACTUAL)
                continue;
            diff->pair[i] = diff->ncolumn;
            diff->column[diff->ncolumn++] = (struct diff_column){
                .name = side->table->column[i].name,
                .column = { i, k },
                .number = diff_numeric(side, i) && diff_numeric(&diff->side[DIFF_ACTUAL], k),
                .rotation = COLUMN_NONE,
            };
        }
    }
    diff->ntotal = diff->ncolumn + diff->side[0].nonly + diff->side[1].nonly;
    if (diff->ntotal > 0 || (!options->columns && !options->exclude) || options->uses)
        return true;
    return error_data(e, "%s leaves no column to compare", options->columns ? "--columns" : "--exclude");
}

/* --- angles, quaternions, the key --- */

/* Checks that a column of the expected side, which the option names, is compared as numbers. */
static bool needs_numbers(const struct diff *diff, size_t column, const char *option, struct error *e)
{
    const size_t i = diff->pair[column];
    if (i != COLUMN_NONE && diff->column[i].number)
        return true;
    error_data(e, "%s names this column, but it is not compared as numbers", option);
    return error_column(e, diff->side[DIFF_EXPECTED].table->column[column].name);
}

/* Marks the angles. pick: marks of the expected columns, none yet. */
static bool find_angles(struct diff *diff, unsigned char *pick, struct error *e)
{
    const struct diff_side *expected = &diff->side[DIFF_EXPECTED];
    const char *list = diff->options->angles;
    if (list && !columns_pick_list(expected->table, list, "--angles", pick, e))
        return false;
    for (size_t i = 0; i < expected->table->ncolumn; i++) {
        if (pick[i] == PICK_EXPLICIT && !needs_numbers(diff, i, "--angles", e))
            return false;
        if (pick[i] != PICK_NONE && diff->pair[i] != COLUMN_NONE)
            diff->column[diff->pair[i]].angle = diff->column[diff->pair[i]].number;
    }
    return true;
}

/* Adds a quaternion if all four columns are compared as numbers. Otherwise a quaternion that a glob found is
 * left out, and a quaternion that was named is an error. */
static bool add_rotation(struct diff *diff, const struct unit *found, struct error *e)
{
    size_t *rotation = diff->rotation[diff->nrotation];
    for (size_t i = 0; i < 4; i++) {
        rotation[i] = diff->pair[found->column[i]];
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
    struct units rotations = { 0 };
    bool good = (!list || units_listed(&rotations, diff->side[0].table, &unit_quaternion, list, e)) &&
                arrays_make(e, ARRAY(diff->rotation, rotations.n));
    for (size_t i = 0; good && i < rotations.n; i++)
        good = add_rotation(diff, &rotations.at[i], e);
    units_free(&rotations);
    return good;
}

/* Finds the key, and marks the columns that are times or keys on both sides. */
static bool find_key(struct diff *diff, struct error *e)
{
    const char *key = diff->options->key;
    size_t time[DIFF_SIDES];
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *side = &diff->side[i];
        diff->fault = i;
        time[i] = diff_computed(side->table, 0) ? 0 : columns_usual_time(side->table);
        side->key = key ? columns_find(side->table, key, "--key", e) : COLUMN_NONE;
        side->shown = key ? side->key : time[i];
        if (key && side->key == COLUMN_NONE)
            return false;
        if (key && !diff_numeric(side, side->key) && side->table->column[side->key].first == CELL_TEXT) {
            error_data(e, "--key needs numbers, but this column begins with text");
            return error_column(e, side->table->column[side->key].name);
        }
    }
    diff->fault = DIFF_SIDES; /* later errors are about no side */
    for (size_t k = 0; k < diff->ncolumn; k++) {
        struct diff_column *column = &diff->column[k];
        const size_t *of = column->column;
        column->time = (of[0] == time[0] && of[1] == time[1]) ||
                       (of[0] == diff->side[0].key && of[1] == diff->side[1].key);
    }
    return true;
}

bool diff_pair_columns(struct diff *diff, struct error *e)
{
    const struct diff_options *options = diff->options;
    struct diff_side *expected = &diff->side[DIFF_EXPECTED], *actual = &diff->side[DIFF_ACTUAL];
    const size_t n = expected->table->ncolumn, other = actual->table->ncolumn;
    unsigned char *picked[DIFF_SIDES], *dropped[DIFF_SIDES], *angles;
    diff->fault = DIFF_SIDES;
    if (!arrays_make(e, ARRAY(diff->column, n), ARRAY(expected->only, n), ARRAY(actual->only, other),
                     ARRAY(diff->pair, n)) ||
        !arrays_make(e, ARRAY(angles, n), ARRAY(picked[0], n), ARRAY(picked[1], other), ARRAY(dropped[0], n),
                     ARRAY(dropped[1], other)))
        return false;
    diff->fault = DIFF_EXPECTED;
    const bool good = (!options->columns || pick_list(diff, "--columns", options->columns, picked, e)) &&
                      (!options->exclude || pick_list(diff, "--exclude", options->exclude, dropped, e)) &&
                      pair_picked(diff, picked, dropped, e) && find_angles(diff, angles, e) &&
                      find_rotations(diff, e) && find_key(diff, e);
    free(angles);
    return good;
}
