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
static bool name_unit(struct unit *unit, const struct table *table, struct error *e)
{
    const char *name = table->column[unit->column[0]].name;
    size_t n = strlen(name), first = unit->column[0];
    for (size_t i = 1; i < unit->n; i++) {
        first = unit->column[i] < first ? unit->column[i] : first;
        while (strncmp(table->column[unit->column[i]].name, name, n) != 0)
            n--;
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

/* The error that the filter cannot filter rotations. Returns false. */
static bool refuse_rotation(const struct making *making, const char *option)
{
    if (making->filter->rotations) {
        error_usage(making->e, "--start: a rotation cannot start at a single number");
        return error_hint(making->e,
                          "use --start zero (no rotation) or --start first (the first row), or filter each "
                          "number separately with %s none",
                          option);
    }
    error_usage(making->e, "%s: %s cannot filter rotations", option, making->filter->name);
    return error_hint(
        making->e,
        "live, critical --lag 0.1 can; for recorded files, butterworth --cutoff 6 --zero-phase; "
        "to leave rotations alone: --exclude LIST; as separate numbers: %s none",
        option);
}

/* Sets *takes: is the unit filtered as a whole? One of a list must be, unless a glob found it and none of its
 * columns is a channel; so must any rotation that has a channel. */
static bool decide(const struct making *making, const struct unit *unit, bool *takes)
{
    const struct unit_kind *kind = unit->kind;
    const struct column *other = NULL;
    size_t nchannel = 0;
    for (size_t k = unit->n; k-- > 0;) {
        const struct column *column = &making->table->column[unit->column[k]];
        nchannel += column->role == ROLE_CHANNEL;
        other = column->role == ROLE_CHANNEL ? other : column;
    }
    *takes = !other && (!kind->rotation || making->able);
    if (!other && !*takes) {
        refuse_rotation(making, kind->option);
        return error_column(making->e, making->table->column[unit->column[0]].name);
    }
    bool needed = kind->rotation && nchannel > 0;
    if (unit->listed)
        needed = nchannel > 0 || !unit->pattern;
    if (!other || !needed)
        return true;
    error_usage(making->e, "%s: each %s is filtered as a whole, but this column is not filtered",
                kind->option, kind->name);
    error_hint(making->e, "check --columns and --exclude, or filter each number separately with %s none",
               kind->option);
    return error_column(making->e, other->name);
}

/* The full turn of an angle. */
static double full_turn(const struct making *making, const struct column *column)
{
    if (!isnan(making->settings->period))
        return making->settings->period;
    if (column->period > 0)
        return column->period;
    return making->table->radians || column->radians ? 2 * M_PI : 360;
}

/* Completes a unit that is filtered as a whole, and numbers it. */
static bool take_unit(struct making *making, struct unit *unit, size_t number)
{
    struct units *units = making->units;
    const struct column *first = &making->table->column[unit->column[0]];
    for (size_t k = 0; k < unit->n; k++) {
        unit->channel[k] = making->table->column[unit->column[k]].value;
        units->of[unit->channel[k]] = number;
    }
    if (unit->n == 1) {
        unit->period = full_turn(making, first);
        return true;
    }
    if (unit->kind->angles)
        unit->euler.period = full_turn(making, first);
    if (unit->kind->rotation)
        unit->rotation = units->nrotation++;
    units->nvector += !unit->kind->rotation;
    return name_unit(unit, making->table, making->e);
}

/* Finds the angles, vectors and rotations, those of the lists first. */
static bool take_units(struct making *making)
{
    struct units *units = making->units;
    bool good = true;
    for (const struct unit_kind *const *kind = unit_kinds; good && *kind; kind++) {
        const char *list = unit_list(*kind, making->settings);
        if (!list || strcmp(list, "none") == 0)
            continue;
        good = (making->able || !(*kind)->rotation || refuse_rotation(making, (*kind)->option)) &&
               units_listed(units, making->table, *kind, list, making->e);
    }
    good = good && units_known(units, making->table, making->settings, making->e);
    const size_t nfound = units->n;
    units->n = 0;
    for (size_t i = 0; good && i < nfound; i++) {
        struct unit *unit = &units->at[units->n];
        bool takes;
        *unit = units->at[i];
        good = decide(making, unit, &takes) && (!takes || take_unit(making, unit, units->n));
        units->n += takes;
    }
    return good;
}

/* Adds each channel that is in no unit so far: an angle, where the format says it, or a number. */
static bool add_others(struct making *making)
{
    struct units *units = making->units;
    const struct table *table = making->table;
    for (size_t c = 0; c < table->nchannel; c++) {
        const struct column *column = table_channel(table, c);
        const bool angle = column->period > 0;
        const struct unit unit = { .kind = angle ? &unit_angle : &unit_number,
                                   .n = 1,
                                   .column = { table->channel[c] },
                                   .channel = { c },
                                   .period = angle ? full_turn(making, column) : 0 };
        if (units->of[c] != COLUMN_NONE)
            continue;
        if (!array_reserve(&units->at, units->n + 1, &units->max, sizeof unit, making->e))
            return false;
        units->of[c] = units->n;
        units->at[units->n++] = unit;
    }
    return true;
}

bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct filter *filter, struct start_position start, struct error *e)
{
    const size_t nchannel = table->nchannel;
    struct making making = { .units = units,
                             .table = table,
                             .settings = settings,
                             .filter = filter,
                             .able = !filter || (filter->rotations && (!start.given || start.value == 0)),
                             .e = e };
    if (table->ncolumn == 0)
        return true;
    if (!arrays_make(e, ARRAY(units->of, nchannel)))
        return false;
    for (size_t c = 0; c < nchannel; c++)
        units->of[c] = COLUMN_NONE;
    return take_units(&making) && add_others(&making);
}

void units_free(struct units *units)
{
    for (size_t i = 0; i < units->n; i++)
        free(units->at[i].name);
    free(units->at);
    free(units->owner);
    free(units->of);
    *units = (struct units){ 0 };
}

void units_complete(const struct units *units, struct block *block)
{
    for (size_t u = 0; u < units->n; u++) {
        const struct unit *unit = &units->at[u];
        for (size_t i = 0; i < block->nrow && unit->n > 1; i++) {
            struct unit_before none = { .known = false };
            double part[4];
            bool missing = false;
            for (size_t k = 0; k < unit->n; k++) {
                part[k] = block_goal(block, unit->channel[k])[i];
                missing |= isnan(part[k]);
            }
            if (missing ? unit_is_rotation(unit) : unit_follow(unit, &none, part))
                continue;
            for (size_t k = 0; k < unit->n; k++) {
                double *goal = block_goal(block, unit->channel[k]) + i;
                block->changed |= !isnan(*goal);
                if (!isnan(*goal))
                    *goal = block_value(block, unit->channel[k])[i] = (double)NAN;
            }
        }
    }
}
