/* The units of a filter: which channels are filtered as a whole. See units.h. */
#include "rows/units.h"

#include "base/array.h"
#include "base/name_table.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

/* Length of the common beginning of the names of columns, without a separator at the end. */
static size_t common_stem(const struct table *table, const struct unit_columns *found)
{
    const char *name = table->column[found->column[0]].name;
    size_t n = strlen(name);
    for (size_t i = 1; i < found->n; i++)
        for (size_t k = 0; k < n; k++)
            if (table->column[found->column[i]].name[k] != name[k])
                n = k;
    while (n && strchr("_.- ", name[n - 1]))
        n--;
    return utf8_floor(name, n);
}

static bool name_taken(const struct name_table *names, const char *name)
{
    return name_table_find(names, name_key(name, strlen(name))) != NAME_TABLE_NONE;
}

/* Names *new, a rotation: by the common stem of its columns' names; without a common stem, or where another
 * rotation has the name, by q and the position of the first column. False: out of memory. */
static bool name_rotation(struct unit *new, const struct table *table, const struct unit_columns *found,
                          struct name_table *names, struct error *e)
{
    size_t first = found->column[0];
    for (size_t i = 1; i < found->n; i++)
        first = found->column[i] < first ? found->column[i] : first;
    new->nstem = common_stem(table, found);
    new->name = text_format("%.*s", (int)new->nstem, table->column[found->column[0]].name);
    if (new->name && (new->nstem == 0 || name_taken(names, new->name))) {
        new->nstem = 0;
        free(new->name);
        new->name = text_format("q%zu", table->column[first].position);
    }
    while (new->name && name_taken(names, new->name)) {
        char *longer = text_format("%s_", new->name);
        free(new->name);
        new->name = longer;
    }
    return new->name ? name_table_put(names, name_key(new->name, strlen(new->name)), new->rotation, e)
                     : error_memory(e);
}

/* --- rotations --- */

/* Adds a unit of the input's columns, if it is of the table. Columns of several tables, whose times
 * differ, are no vector; a rotation of them is an error. */
static bool add_here(struct unit_list *list, const struct table *table, const struct unit_columns *found,
                     struct error *e)
{
    struct unit_columns own = *found;
    size_t nhere = 0, other = 0; /* the first component that is of another table */
    for (size_t k = found->n; k-- > 0;) {
        own.column[k] = table_place(table, found->column[k]);
        other = own.column[k] == COLUMN_NONE ? k : other;
        nhere += own.column[k] != COLUMN_NONE;
    }
    if (nhere == found->n)
        return unit_list_add(list, table, &own, e);
    if (nhere == 0 || found->kind == UNIT_VECTOR)
        return true;
    error_data(e, "%s: the columns of a rotation are in several tables", unit_ops[found->kind].option);
    return error_column(e, table_input(table)->column[found->column[other]].name);
}

/* Adds the units of a LIST that are of the table. */
static bool find_listed(const struct table *table, enum unit_kind kind, const char *list,
                        struct unit_list *found, struct error *e)
{
    struct unit_list all = { 0 };
    bool good = units_listed(table_input(table), kind, list, true, &all, e);
    for (size_t i = 0; good && i < all.n; i++)
        good = add_here(found, table, &all.at[i], e);
    unit_list_free(&all);
    return good;
}

/* What units_make works with. */
struct making {
    struct units *units;
    const struct table *table;
    const struct unit_settings *settings;
    const struct unit_search *search;
    struct name_table names; /* of rotations */
    struct error *e;
};

/* Why the columns are no unit, which is filtered as a whole or not at all; NULL: they are one. Sets *at to
 * the column that the reason is about. */
static const char *why_no_unit(const struct making *making, const struct unit_columns *found, size_t *at)
{
    const struct units *units = making->units;
    for (size_t k = 0; k < found->n; k++) {
        const struct column *column = table_column(making->table, *at = found->column[k]);
        if (column->role != ROLE_CHANNEL)
            return "it is not filtered";
        if (units->of[column->value] != COLUMN_NONE)
            return "it is part of another rotation or vector";
        if (units->named[column->value] || (column->period > 0 && found->kind != UNIT_EULER))
            return "it is an angle";
    }
    return NULL;
}

/* Is no column of the unit a channel, or one that is left out? */
static bool is_out(const struct making *making, const struct unit_columns *found)
{
    bool none = true;
    for (size_t k = 0; k < found->n; k++) {
        const struct column *column = table_column(making->table, found->column[k]);
        const bool channel = column->role == ROLE_CHANNEL;
        none = none && !channel;
        if (channel && making->search->left_out && making->search->left_out[column->value] &&
            found->kind == UNIT_VECTOR)
            return true;
    }
    return none;
}

/* Adds a unit, whose columns are channels. */
static struct unit *add_unit(struct units *units, const struct table *table, const struct unit_columns *found)
{
    struct unit *new = &units->at[units->n];
    *new = (struct unit){ .kind = found->kind, .n = found->n };
    for (size_t k = 0; k < found->n; k++) {
        new->channel[k] = table_column(table, found->column[k])->value;
        units->of[new->channel[k]] = units->n;
    }
    units->n++;
    return new;
}

static bool add_rotation(struct making *making, const struct unit_columns *found)
{
    struct unit *new = add_unit(making->units, making->table, found);
    const double own = making->table->column[found->column[0]].period, given = making->settings->period;
    new->euler.period = own > 0 ? own : 360;
    if (!isnan(given))
        new->euler.period = given;
    memcpy(new->euler.axis, found->axis, sizeof new->euler.axis);
    new->rotation = making->units->nrotation++;
    return name_rotation(new, making->table, found, &making->names, making->e);
}

static bool add_vector(struct making *making, const struct unit_columns *found)
{
    struct unit *new = add_unit(making->units, making->table, found);
    const char *first = making->table->column[found->column[0]].name;
    const size_t nstem = common_stem(making->table, found);
    making->units->nvector++;
    new->name = text_copy(first, nstem > 0 ? nstem : strlen(first));
    return new->name || error_memory(making->e);
}

/* Adds a vector or a rotation, if the columns can be one. asked: a list names it, and it must be one, unless
 * a glob does and no column is filtered. */
static bool take_unit(struct making *making, const struct unit_columns *found, bool asked)
{
    size_t at;
    const char *reason = why_no_unit(making, found, &at);
    if ((found->pattern || making->search->left_out) && is_out(making, found))
        return true;
    if (!reason && !asked && !making->search->unasked && found->kind == UNIT_QUATERNION) {
        making->units->nplain++;
        return true;
    }
    if (!reason) {
        const bool unnamed = !asked && found->kind == UNIT_QUATERNION;
        making->units->nmotive += unnamed && !making->table->column[found->column[0]].joint;
        return (found->kind == UNIT_VECTOR ? add_vector : add_rotation)(making, found);
    }
    if (!asked)
        return true;
    error_usage(making->e, "%s names this column, but %s", unit_ops[found->kind].option, reason);
    error_column(making->e, making->table->column[at].name);
    return error_hint(making->e,
                      "a rotation or vector is filtered as a whole: check --columns, --exclude and --angles");
}

/* Takes the units of one kind, of the list if the user asked for them. */
static bool take_kind(struct making *making, enum unit_kind kind, const char *list)
{
    struct unit_list found = { 0 };
    bool good = list ? find_listed(making->table, kind, list, &found, making->e)
                     : units_known(making->table, kind, &found, making->e);
    for (size_t i = 0; good && i < found.n; i++)
        good = take_unit(making, &found.at[i], list);
    unit_list_free(&found);
    return good;
}

void units_free(struct units *units)
{
    for (size_t i = 0; i < units->n; i++)
        free(units->at[i].name);
    free(units->at);
    *units = (struct units){ 0 };
}

/* --- angles and numbers --- */

/* The full turn of an angle, where --period does not say it. */
static double full_turn(const struct table *table, const struct column *column)
{
    const size_t n = strlen(column->name);
    const char *end = n >= 5 ? column->name + n - 5 : "";
    if (column->period > 0)
        return column->period;
    return table->radians || strcmp(end, "(rad)") == 0 || strcmp(end, "[rad]") == 0 ? 2 * M_PI : 360;
}

/* Adds each channel that is in no unit so far, as an angle or a number. */
static void add_angles_and_numbers(struct making *making)
{
    struct units *units = making->units;
    for (size_t c = 0; c < making->table->nchannel; c++) {
        const struct column *column = table_channel(making->table, c);
        const bool angle = units->named[c] || column->period > 0;
        const struct unit_columns own = { .kind = angle ? UNIT_ANGLE : UNIT_NUMBER,
                                          .n = 1,
                                          .column = { making->table->channel[c] } };
        if (units->of[c] != COLUMN_NONE)
            continue;
        struct unit *new = add_unit(units, making->table, &own);
        const double given = making->settings->period;
        if (angle)
            new->period = isnan(given) ? full_turn(making->table, column) : given;
    }
}

/* Checks that there are angles, if an option for angles is given. */
static bool check_angles(const struct units *units, const struct table *table,
                         const struct unit_settings *settings, struct error *e)
{
    for (size_t i = 0; i < units->n; i++)
        if (units->at[i].kind == UNIT_ANGLE || units->at[i].kind == UNIT_EULER)
            return true;
    if (isnan(settings->period) || table->input) /* another part of the input may have them */
        return true;
    error_usage(e, "--period needs angles, but no channel is an angle");
    return error_hint(e, "name them with --angles LIST");
}

/* --- all units --- */

static int compare_units(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    return left->channel[0] < right->channel[0] ? -1 : left->channel[0] > right->channel[0];
}

/* Sorts the units by their first channels. */
static void sort_units(struct units *units)
{
    if (units->n > 0)
        qsort(units->at, units->n, sizeof *units->at, compare_units);
    for (size_t i = 0; i < units->n; i++)
        for (size_t k = 0; k < units->at[i].n; k++)
            units->of[units->at[i].channel[k]] = i;
}

bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct unit_search *search, struct error *e)
{
    static const enum unit_kind kind[] = { UNIT_QUATERNION, UNIT_EULER, UNIT_VECTOR };
    const char *const list[] = { settings->quaternions, settings->rotations, settings->vectors };
    const size_t nchannel = table->nchannel;
    struct making making = { units, table, settings, search, { 0 }, e };
    if (table->ncolumn == 0)
        return true;
    if (!arrays_make(e, ARRAY(units->at, nchannel), ARRAY(units->of, nchannel),
                     ARRAY(units->named, nchannel)))
        return false;
    for (size_t c = 0; c < nchannel; c++)
        units->of[c] = COLUMN_NONE;
    bool good = !settings->angles ||
                table_pick_channels(table, settings->angles, "--angles", units->named, e);
    for (size_t i = 0; good && i < 3; i++)
        good = !units_is_list(list[i]) || take_kind(&making, kind[i], list[i]);
    for (size_t i = 0; good && i < 3; i++)
        if (!list[i] && (search->unasked || kind[i] != UNIT_EULER))
            good = take_kind(&making, kind[i], NULL);
    name_table_free(&making.names);
    if (!good)
        return false;
    add_angles_and_numbers(&making);
    sort_units(units);
    return check_angles(units, table, settings, e);
}

void units_complete(const struct units *units, const struct block *block)
{
    for (size_t n = 0; n < units->n && units->nvector + units->nrotation > 0; n++) {
        const struct unit *unit = &units->at[n];
        const bool completed = unit->kind == UNIT_VECTOR || unit->kind == UNIT_QUATERNION;
        double *goal[4]; /* the components in all rows */
        for (size_t k = 0; k < unit->n; k++)
            goal[k] = block_goal(block, unit->channel[k]);
        for (size_t i = 0; i < block->nrow && completed; i++) {
            bool missing = false, zero = unit->kind == UNIT_QUATERNION;
            for (size_t k = 0; k < unit->n; k++) {
                missing |= unit->kind == UNIT_VECTOR && isnan(goal[k][i]);
                zero &= goal[k][i] == 0;
            }
            for (size_t k = 0; (missing || zero) && k < unit->n; k++)
                if (!isnan(goal[k][i]))
                    goal[k][i] = block_value(block, unit->channel[k])[i] = (double)NAN;
        }
    }
}
