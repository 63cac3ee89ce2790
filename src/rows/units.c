/* The units of a filter: which channels are filtered as a whole. See units.h. */
#include "rows/units.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What units_make works with. */
struct making {
    struct units *units;
    const struct table *table;
    const struct unit_settings *settings;
    const struct filter *filter; /* NULL: any */
    bool able;                   /* the filter filters rotations that begin as --start says */
    struct error *e;
};

/* Names the unit by the common beginning of its columns' names, without a separator at the end; without one,
 * a rotation by q and the position of its first column, a vector by the first name. */
static bool name_unit(struct unit *unit, const struct table *table, const struct unit_columns *found,
                      struct error *e)
{
    const char *name = table->column[found->column[0]].name;
    size_t n = strlen(name), first = found->column[0];
    for (size_t i = 1; i < found->n; i++) {
        first = found->column[i] < first ? found->column[i] : first;
        for (size_t k = 0; k < n; k++)
            if (table->column[found->column[i]].name[k] != name[k])
                n = k;
    }
    while (n > 0 && strchr("_.- ", name[n - 1]))
        n--;
    n = utf8_floor(name, n);
    if (n > 0)
        unit->name = text_copy(name, n);
    else
        unit->name = unit_is_rotation(unit) ? text_format("q%zu", table->column[first].position)
                                            : text_format("%s", name);
    return unit->name || error_memory(e);
}

/* The error that the filter cannot filter rotations. found: the columns of one that no list names, or NULL.
 * Returns false. */
static bool refuse_rotation(const struct making *making, const char *option, const struct unit_columns *found)
{
    char list[256] = "", number[COLUMNS_NUMBER], word[TEXT_WORD];
    for (size_t k = 0; found && k < found->n; k++)
        text_append(list, sizeof list, "%s%s", k > 0 ? "," : "",
                    columns_entry(making->table, found->column[k], number));
    if (making->filter->rotations) {
        error_usage(making->e, "--start: a rotation cannot start at a single number");
        error_hint(making->e,
                   "use --start zero (no rotation) or --start first (the first row), or filter "
                   "each number separately with %s none",
                   option);
    } else {
        error_usage(making->e, "%s: %s cannot filter rotations", option, making->filter->name);
        error_hint(making->e,
                   "live, critical --lag 0.1 does; for recorded files, butterworth --cutoff 6 --zero-phase; "
                   "to leave rotations alone: --exclude %s; as separate numbers: %s none",
                   list[0] ? text_quoted(word, list) : "LIST", option);
    }
    return found && error_column(making->e, making->table->column[found->column[0]].name);
}

/* Counts the channels among the columns. *at: the first column that is none, or that is an angle, *why: what
 * it is; NULL: the columns are a unit. */
static size_t count_channels(const struct making *making, const struct unit_columns *found,
                             const struct column **at, const char **why)
{
    size_t nchannel = 0;
    *why = NULL;
    for (size_t k = found->n; k-- > 0;) {
        const struct column *column = table_column(making->table, found->column[k]);
        const bool channel = column->role == ROLE_CHANNEL;
        const bool angle = channel && (making->units->named[column->value] ||
                                       (column->period > 0 && found->kind != UNIT_EULER));
        nchannel += channel;
        if (channel && !angle)
            continue;
        *why = channel ? "is an angle" : "is not filtered";
        *at = column;
    }
    return nchannel;
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

/* Adds a vector or a rotation, if the columns are one. Those of a list must be one, unless a glob found them
 * and none is a channel; so must the rotation of a format that has no parts. */
static bool take_unit(struct making *making, const struct unit_columns *found)
{
    struct units *units = making->units;
    const struct column *first = &making->table->column[found->column[0]], *at = NULL;
    const char *option = unit_options[found->kind], *why;
    const bool rotation = found->kind != UNIT_VECTOR, quaternion = found->kind == UNIT_QUATERNION;
    const size_t nchannel = count_channels(making, found, &at, &why);
    const bool of_format = first->joint && !making->settings->angles;
    bool needed = of_format && (quaternion || first->turn) && nchannel > 0;
    if (found->listed)
        needed = nchannel > 0 || !found->pattern;
    if (why && needed) {
        error_usage(making->e, "%s: a rotation or vector is filtered as a whole, but this column %s", option,
                    why);
        error_hint(making->e,
                   "check --columns, --exclude and --angles, or filter each number separately with %s none",
                   option);
        return error_column(making->e, at->name);
    }
    if (why)
        return true;
    if (rotation && !making->able)
        return refuse_rotation(making, option, found);
    struct unit *new = add_unit(units, making->table, found);
    if (rotation) {
        new->euler.period = first->period > 0 ? first->period : 360;
        if (!isnan(making->settings->period))
            new->euler.period = making->settings->period;
        memcpy(new->euler.axis, found->axis, sizeof new->euler.axis);
        new->rotation = units->nrotation++;
    }
    units->nvector += !rotation;
    units->nnamed += quaternion && !found->listed && !first->joint;
    return name_unit(new, making->table, found, making->e);
}

/* Finds the vectors and rotations, those of the lists first. */
static bool take_units(struct making *making)
{
    static const enum unit_kind kind[] = { UNIT_QUATERNION, UNIT_EULER, UNIT_VECTOR };
    const struct unit_settings *settings = making->settings;
    const char *const list[] = { settings->quaternions, settings->rotations, settings->vectors };
    struct unit_list found = { 0 };
    bool good = true;
    for (size_t i = 0; good && i < 3; i++) {
        if (!list[i] || strcmp(list[i], "none") == 0)
            continue;
        good = (making->able || kind[i] == UNIT_VECTOR ||
                refuse_rotation(making, unit_options[kind[i]], NULL)) &&
               units_listed(making->table, kind[i], list[i], &found, making->e);
    }
    for (size_t i = 0; good && i < 3; i++)
        good = list[i] || units_known(making->table, kind[i], &found, making->e);
    for (size_t i = 0; good && i < found.n; i++)
        good = take_unit(making, &found.at[i]);
    unit_list_free(&found);
    return good;
}

/* Sets named[c] for each channel c of --angles. A column that is no channel is an error, unless only patterns
 * match the column. */
static bool find_named(const struct making *making, bool *named)
{
    const struct table *table = making->table, *input = table->input ? table->input : table;
    unsigned char *picks = calloc(input->ncolumn + 1, 1);
    bool good = picks ? columns_pick_list(input, making->settings->angles, "--angles", picks, making->e)
                      : error_memory(making->e);
    for (size_t i = 0; good && i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        const unsigned char pick = picks[column->position - 1];
        if (pick != PICK_NONE && column->role == ROLE_CHANNEL)
            named[column->value] = true;
        else if (pick == PICK_EXPLICIT)
            good = error_data(making->e, "--angles: column \"%s\" is not filtered", column->name);
    }
    free(picks);
    return good;
}

/* The full turn of an angle. */
static double full_turn(const struct making *making, const struct column *column)
{
    const size_t n = strlen(column->name);
    const char *end = n >= 5 ? column->name + n - 5 : "";
    if (!isnan(making->settings->period))
        return making->settings->period;
    if (column->period > 0)
        return column->period;
    return making->table->radians || strcmp(end, "(rad)") == 0 || strcmp(end, "[rad]") == 0 ? 2 * M_PI : 360;
}

/* Adds each channel that is in no unit so far, as an angle or a number. An error if --period is given and the
 * input has no angles. */
static bool add_angles_and_numbers(struct making *making)
{
    struct units *units = making->units;
    const struct table *table = making->table;
    bool angles = false;
    for (size_t c = 0; c < table->nchannel; c++) {
        const struct column *column = table_channel(table, c);
        const bool angle = units->named[c] || column->period > 0;
        const struct unit_columns own = { .kind = angle ? UNIT_ANGLE : UNIT_NUMBER,
                                          .n = 1,
                                          .column = { table->channel[c] } };
        angles = angles || angle;
        if (units->of[c] == COLUMN_NONE)
            add_unit(units, table, &own)->period = angle ? full_turn(making, column) : 0;
    }
    for (size_t i = 0; i < units->n; i++)
        angles = angles || units->at[i].kind == UNIT_EULER;
    if (angles || isnan(making->settings->period) ||
        table->input) /* another part of the input may have them */
        return true;
    error_usage(making->e, "--period needs angles, but no channel is an angle");
    return error_hint(making->e, "name them with --angles LIST");
}

static int compare_units(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    return left->channel[0] < right->channel[0] ? -1 : left->channel[0] > right->channel[0];
}

bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct filter *filter, struct start_position start, struct error *e)
{
    const size_t nchannel = table->nchannel;
    const bool able = !filter || (filter->rotations && (!start.given || start.value == 0));
    struct making making = { units, table, settings, filter, able, e };
    if (table->ncolumn == 0)
        return true;
    if (!arrays_make(e, ARRAY(units->at, nchannel), ARRAY(units->of, nchannel),
                     ARRAY(units->named, nchannel)))
        return false;
    for (size_t c = 0; c < nchannel; c++)
        units->of[c] = COLUMN_NONE;
    if ((settings->angles && !find_named(&making, units->named)) || !take_units(&making) ||
        !add_angles_and_numbers(&making))
        return false;
    if (units->n > 0)
        qsort(units->at, units->n, sizeof *units->at, compare_units);
    for (size_t i = 0; i < units->n; i++)
        for (size_t k = 0; k < units->at[i].n; k++)
            units->of[units->at[i].channel[k]] = i;
    return true;
}

void units_free(struct units *units)
{
    for (size_t i = 0; i < units->n; i++)
        free(units->at[i].name);
    free(units->at);
    *units = (struct units){ 0 };
}

void units_complete(const struct units *units, const struct block *block)
{
    for (size_t n = 0; n < units->n && units->nvector + units->nrotation > 0; n++) {
        const struct unit *unit = &units->at[n];
        const bool vector = unit->kind == UNIT_VECTOR, quaternion = unit->kind == UNIT_QUATERNION;
        double *goal[4]; /* the components in all rows */
        for (size_t k = 0; k < unit->n; k++)
            goal[k] = block_goal(block, unit->channel[k]);
        for (size_t i = 0; i < block->nrow && (vector || quaternion); i++) {
            bool missing = false, zero = quaternion;
            for (size_t k = 0; k < unit->n; k++) {
                missing |= vector && isnan(goal[k][i]);
                zero &= goal[k][i] == 0;
            }
            for (size_t k = 0; (missing || zero) && k < unit->n; k++)
                if (!isnan(goal[k][i]))
                    goal[k][i] = block_value(block, unit->channel[k])[i] = (double)NAN;
        }
    }
}
