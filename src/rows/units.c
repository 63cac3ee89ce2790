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

/* Sets *able to whether all columns of a rotation of a list are channels. Otherwise the rotation is an error
 * (returns false), unless a glob found the rotation and no column is a channel. */
static bool check_listed(const struct table *table, const struct unit_columns *found, bool *able,
                         struct error *e)
{
    const bool angles = found->kind == UNIT_EULER;
    size_t nchannel = 0, other = COLUMN_NONE; /* the first column that is no channel */
    for (size_t k = found->n; k-- > 0;)
        if (table_filters(table, found->column[k]))
            nchannel++;
        else
            other = found->column[k];
    *able = other == COLUMN_NONE;
    if (*able || (nchannel == 0 && found->pattern))
        return true;
    error_data(e, "%s: column \"%s\" is not filtered", unit_ops[found->kind].option,
               table->column[other].name);
    return error_hint(e, "all %s must be filtered: check --columns and --exclude",
                      angles ? "three columns of a rotation" : "four columns of a quaternion");
}

/* Are all columns channels that no option treats in another way? */
static bool are_free(const struct units *units, const struct table *table, const struct unit_columns *found)
{
    for (size_t k = 0; k < found->n; k++) {
        const struct column *use = table_column(table, found->column[k]);
        if (use->role != ROLE_CHANNEL || units->named[use->value] || units->of[use->value] != COLUMN_NONE)
            return false;
    }
    return true;
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

/* Adds a rotation, whose columns are channels. period: --period; NaN: not given. */
static bool add_rotation(struct units *units, const struct table *table, const struct unit_columns *found,
                         double period, struct name_table *names, struct error *e)
{
    struct unit *new = add_unit(units, table, found);
    double own = table->column[found->column[0]].period;
    new->euler.period = own > 0 ? own : 360;
    if (!isnan(period))
        new->euler.period = period;
    memcpy(new->euler.axis, found->axis, sizeof new->euler.axis);
    new->rotation = units->nrotation++;
    return name_rotation(new, table, found, names, e);
}

static bool add_rotations(struct units *units, const struct table *table,
                          const struct unit_settings *settings, const struct unit_list *listed,
                          const struct unit_list *known, struct error *e)
{
    struct name_table names = { 0 };
    bool good = true;
    for (size_t i = 0; good && i < listed->n; i++) {
        bool able;
        good = check_listed(table, &listed->at[i], &able, e) &&
               (!able || add_rotation(units, table, &listed->at[i], settings->period, &names, e));
    }
    if (good && known->n && settings->angles)
        good = table_pick_channels(table, settings->angles, "--angles", units->named, e);
    for (size_t i = 0; good && i < known->n; i++) {
        const struct unit_columns *found = &known->at[i];
        if (!are_free(units, table, found))
            continue;
        units->nmotive += found->kind == UNIT_QUATERNION && !table->column[found->column[0]].joint;
        good = add_rotation(units, table, found, settings->period, &names, e);
    }
    name_table_free(&names);
    return good;
}

bool units_collect(struct units *units, const struct table *table, const struct unit_settings *settings,
                   bool unasked, struct error *e)
{
    const enum unit_kind kind[] = { UNIT_QUATERNION, UNIT_EULER };
    const char *const list[] = { settings->quaternions, settings->rotations };
    struct unit_list listed = { 0 }, known = { 0 };
    const size_t nchannel = table->nchannel;
    bool good = true;
    if (table->ncolumn == 0)
        return true;
    for (size_t i = 0; good && i < 2; i++)
        if (units_is_list(list[i]))
            good = find_listed(table, kind[i], list[i], &listed, e);
        else if (!list[i] && unasked)
            good = units_known(table, kind[i], &known, e);
    good = good && arrays_make(e, ARRAY(units->at, nchannel), ARRAY(units->of, nchannel),
                               ARRAY(units->named, nchannel));
    for (size_t c = 0; good && c < nchannel; c++)
        units->of[c] = COLUMN_NONE;
    good = good && add_rotations(units, table, settings, &listed, &known, e);
    unit_list_free(&listed);
    unit_list_free(&known);
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

/* Adds each channel that is no component of a rotation, as an angle or a number. */
static bool add_angles_and_numbers(struct units *units, const struct table *table,
                                   const struct unit_settings *settings, struct error *e)
{
    if (settings->angles && !table_pick_channels(table, settings->angles, "--angles", units->named, e))
        return false;
    for (size_t c = 0; c < table->nchannel; c++) {
        const struct column *column = table_channel(table, c);
        const struct unit *rotation = units_rotation(units, c);
        bool angle = units->named[c] || column->period > 0;
        if (rotation && angle && (rotation->kind == UNIT_QUATERNION || units->named[c])) {
            error_data(e, "this column is an angle, but %s names it as part of a rotation",
                       unit_ops[rotation->kind].option);
            return error_column(e, column->name);
        }
        if (rotation)
            continue;
        const struct unit_columns own = { .kind = angle ? UNIT_ANGLE : UNIT_NUMBER,
                                          .n = 1,
                                          .column = { table->channel[c] } };
        struct unit *new = add_unit(units, table, &own);
        if (!angle)
            continue;
        new->period = isnan(settings->period) ? full_turn(table, column) : settings->period;
    }
    return true;
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

/* --- vectors --- */

/* Why the columns are no vector; NULL: the columns are a vector. Sets *at to the column that the reason is
 * about. */
static const char *why_no_vector(const struct units *units, const struct table *table,
                                 const struct unit_columns *found, size_t *at)
{
    for (size_t k = 0; k < found->n; k++) {
        *at = found->column[k];
        const struct column *use = table_column(table, *at);
        if (use->role != ROLE_CHANNEL)
            return "--vectors names this column, but it is not filtered";
        if (units_rotation(units, use->value))
            return "--vectors names this column, but it is part of a rotation";
        if (units_of(units, use->value)->kind == UNIT_ANGLE)
            return "--vectors names this column, but it is an angle";
    }
    return NULL;
}

/* Does this filter leave out a column of the vector? */
static bool is_left_out(const struct table *table, const struct unit_columns *found, const bool *left_out)
{
    for (size_t k = 0; k < found->n && left_out; k++) {
        const size_t i = found->column[k];
        if (table_filters(table, i) && left_out[table_column(table, i)->value])
            return true;
    }
    return false;
}

/* Is no column of the vector a channel? */
static bool is_unfiltered(const struct table *table, const struct unit_columns *found)
{
    for (size_t k = 0; k < found->n; k++)
        if (table_filters(table, found->column[k]))
            return false;
    return true;
}

/* Makes a vector of numbers: the unit of its first component becomes the vector, those of the others are
 * left without channels. */
static bool make_vector(struct units *units, const struct table *table, const struct unit_columns *found,
                        struct error *e)
{
    struct unit *vector = &units->at[units->of[table_column(table, found->column[0])->value]];
    const char *first = table->column[found->column[0]].name;
    size_t nstem = common_stem(table, found);
    vector->name = text_copy(first, nstem > 0 ? nstem : strlen(first));
    if (!vector->name)
        return error_memory(e);
    vector->kind = UNIT_VECTOR;
    for (size_t k = 1; k < found->n; k++) {
        size_t c = table_column(table, found->column[k])->value;
        units->at[units->of[c]].n = 0;
        units->of[c] = units->of[vector->channel[0]];
        vector->channel[k] = c;
    }
    vector->n = found->n;
    units->nvector++;
    return true;
}

static bool add_vectors(struct units *units, const struct table *table, const char *list,
                        const bool *left_out, struct error *e)
{
    struct unit_list found = { 0 };
    if ((list && !units_is_list(list)) || table->ncolumn == 0)
        return true;
    bool good = list ? find_listed(table, UNIT_VECTOR, list, &found, e)
                     : units_known(table, UNIT_VECTOR, &found, e);
    for (size_t i = 0; good && i < found.n; i++) {
        const struct unit_columns *one = &found.at[i];
        size_t at;
        if (is_left_out(table, one, left_out) || (one->pattern && is_unfiltered(table, one)))
            continue;
        const char *reason = why_no_vector(units, table, one, &at);
        if (reason && list) {
            error_usage(e, "%s", reason);
            good = error_column(e, table->column[at].name);
        } else if (!reason) {
            good = make_vector(units, table, one, e);
        }
    }
    unit_list_free(&found);
    return good;
}

/* --- all units --- */

static int compare_units(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    return left->channel[0] < right->channel[0] ? -1 : left->channel[0] > right->channel[0];
}

/* Drops units without channels, and sorts the others by their first channels. */
static void sort_units(struct units *units)
{
    size_t n = 0;
    for (size_t i = 0; i < units->n; i++)
        if (units->at[i].n > 0)
            units->at[n++] = units->at[i];
    units->n = n;
    if (n > 0)
        qsort(units->at, n, sizeof *units->at, compare_units);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < units->at[i].n; k++)
            units->of[units->at[i].channel[k]] = i;
}

bool units_fit(struct units *units, const struct table *table, const struct unit_settings *settings,
               const bool *left_out, struct error *e)
{
    bool good = add_angles_and_numbers(units, table, settings, e) &&
                check_angles(units, table, settings, e) &&
                add_vectors(units, table, settings->vectors, left_out, e);
    if (good)
        sort_units(units);
    return good;
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
