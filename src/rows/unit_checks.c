/* Which filters can filter the rotations of an input. See units.h. */
#include "rows/units.h"
#include "springs/filter_words.h"

#include <string.h>

bool units_rotations_able(const struct filter *filter, struct start_position start)
{
    return filter->rotations && (!start.given || start.value == 0);
}

bool units_check(const struct filter *filter, const struct unit_settings *settings,
                 struct start_position start, struct error *e)
{
    bool angles = units_is_list(settings->rotations), quaternions = units_is_list(settings->quaternions);
    const char *option = quaternions ? "--quaternions" : "--rotations";
    const char *without = angles ? "; or filter each angle separately with --rotations none" : "";
    char able[200];
    if ((!quaternions && !angles) || units_rotations_able(filter, start))
        return true;
    if (filter->rotations) {
        error_usage(e, "--start %g with %s: a rotation cannot start at a single number", start.value, option);
        return error_hint(e, "use --start zero (no rotation) or --start first (the first row)%s", without);
    }
    filter_list_takers(FILTER_ROTATIONS, true, able, sizeof able);
    error_usage(e, "%s: %s cannot filter rotations", option, filter->name);
    return error_hint(e, "filters for rotations: %s%s", able, without);
}

/* The error about a rotation of the format with n components, if nchannel of them are channels. column: a
 * component of the rotation. Returns false. */
static bool refuse_known(const struct column *column, size_t n, size_t nchannel, const struct filter *filter,
                         struct error *e)
{
    const char *dot = strrchr(column->name, '.'), *option = n == 3 ? "--rotations" : "--quaternions";
    int nstem = dot ? (int)(dot - column->name) : (int)strlen(column->name);
    char able[200];
    filter_list_takers(FILTER_ROTATIONS, true, able, sizeof able);
    if (nchannel < n) {
        error_data(
            e,
            "only %zu of the %zu components of this rotation %s selected: a rotation is filtered as a whole",
            nchannel, n, nchannel == 1 ? "is" : "are");
        error_hint(e, "select all of them with '%.*s.*', or filter each number separately with %s none",
                   nstem, column->name, option);
    } else if (filter->rotations) {
        error_usage(e, "--start: this column is part of a rotation, which cannot start at a single number");
        error_hint(e,
                   "use --start zero (no rotation) or --start first (the first row), or filter each number "
                   "separately with %s none",
                   option);
    } else {
        const char *columns = dot && strlen(dot) == strlen(".Xrotation") ? "*.?rotation" : "*.rotation.*";
        error_usage(e, "%s cannot filter rotations, but this column is part of one", filter->name);
        error_hint(
            e, "filters for rotations: %s; or --exclude '%s'; or filter each number separately with %s none",
            able, columns, option);
    }
    return error_column(e, column->name);
}

/* The columns with the rotation of a joint. */
struct joint_rotation {
    const struct column *channel; /* the first that is filtered; NULL: none */
    size_t n, nchannel;           /* number of columns; how many of them are filtered */
    bool euler;                   /* angles, not the components of a quaternion */
    bool ordered; /* a format that filters the components only together, as it keeps an order */
};

/* Returns the rotation of the joint whose columns begin at *i, and moves *i after the last of them. */
static struct joint_rotation next_joint(const struct table *table, size_t *i)
{
    struct joint_rotation rotation = { 0 };
    size_t joint = table->column[*i].joint;
    do {
        const struct column *column = &table->column[*i];
        const struct column *use = table_column(table, *i);
        bool filtered = column->axis && use->role == ROLE_CHANNEL;
        rotation.n += column->axis > 0;
        rotation.nchannel += filtered;
        if (filtered && !rotation.channel)
            rotation.channel = column;
        rotation.euler = rotation.euler || (column->axis && column->period > 0);
        rotation.ordered = rotation.ordered || column->turn > 0;
        ++*i;
    } while (joint && *i < table->ncolumn && table->column[*i].joint == joint);
    return rotation;
}

bool units_check_known(const struct table *table, const struct unit_settings *settings,
                       const struct filter *filter, struct start_position start, struct error *e)
{
    for (size_t i = 0; i < table->ncolumn;) {
        struct joint_rotation joint = next_joint(table, &i);
        bool whole = joint.nchannel == joint.n && joint.n >= 3;
        bool told = settings->quaternions || (joint.euler && settings->rotations);
        /* An angle of a joint of a bvh file can be filtered by itself; the other formats have whole
         * rotations. */
        bool apart = joint.euler && !joint.ordered && !whole;
        if (joint.nchannel > 0 && !told && !apart && !(whole && units_rotations_able(filter, start)))
            return refuse_known(joint.channel, joint.n, joint.nchannel, filter, e);
    }
    return true;
}
