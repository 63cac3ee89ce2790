/* Which channels are angles or the components of rotations, and what their numbers mean. See rotations.h. */
#include "series/rotations.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDED                                                                                              \
    1e-3 /* the length of a quaternion that is printed with three decimals differs from 1 by less */

bool rotations_able(const struct filter *filter, double start)
{
    return filter->rotations && (isnan(start) || start == 0);
}

/* Is an option given, and its value not "none"? */
static bool is_list(const char *list)
{
    return list && strcmp(list, "none") != 0;
}

/* Appends the names of the filters that filter rotations. */
static void list_able(char *able, size_t max)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        if ((*f)->rotations)
            text_append(able, max, "%s%s", able[0] ? ", " : "", (*f)->name);
}

bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e)
{
    bool angles = is_list(lists->angles), quaternions = is_list(lists->quaternions);
    const char *option = quaternions ? "--quaternions" : "--rotations";
    const char *without = angles ? "; --rotations none filters each angle by itself" : "";
    char able[200] = "";
    if ((!quaternions && !angles) || rotations_able(filter, start))
        return true;
    if (filter->rotations) {
        error_usage(e, "--start %g with %s: a rotation cannot start at a number", start, option);
        return error_hint(e, "--start zero begins without rotation, --start first with the first one%s",
                          without);
    }
    list_able(able, sizeof able);
    error_usage(e, "%s: %s cannot filter rotations", option, filter->name);
    return error_hint(e, "these can: %s%s", able, without);
}

/* The error of a rotation that the format tells: of its n components nchannel are channels. column: a
 * component of the rotation. Returns false. */
static bool refuse_known(const struct column *column, size_t n, size_t nchannel, const struct filter *filter,
                         struct error *e)
{
    const char *dot = strrchr(column->name, '.'), *option = n == 3 ? "--rotations" : "--quaternions";
    int nstem = dot ? (int)(dot - column->name) : (int)strlen(column->name);
    char able[200] = "";
    list_able(able, sizeof able);
    if (nchannel < n) {
        error_data(e, "a rotation is filtered as a whole, and only %zu of its %zu components %s filtered",
                   nchannel, n, nchannel == 1 ? "is" : "are");
        error_hint(e, "name them all, as in '%.*s.*', or none; %s none filters each number", nstem, column->name,
                   option);
    } else if (filter->rotations) {
        error_usage(e, "--start: a number is no rotation, and this is a component of one");
        error_hint(
            e,
            "--start zero begins without rotation, --start first with the first one; %s none filters each number",
            option);
    } else {
        const char *columns = dot && strlen(dot) == strlen(".Xrotation") ? "*.?rotation" : "*.rotation.*";
        error_usage(e, "%s cannot filter rotations, and this column is part of one", filter->name);
        error_hint(e, "these can: %s; --exclude '%s' leaves rotations as they are, %s none filters each number",
                   able, columns, option);
    }
    return error_column(e, column->name);
}

/* The columns of one joint that hold its rotation. */
struct joint_rotation {
    const struct column *channel; /* the first that is filtered; NULL: none */
    size_t n, nchannel;           /* number of columns; how many of them are filtered */
    bool euler;                   /* angles, not the components of a quaternion */
    bool ordered;                 /* a format that filters the components only together, as it keeps an order */
};

/* Returns the rotation of the joint whose columns begin at *i, and moves *i behind the last of them. */
static struct joint_rotation next_joint(const struct columns *columns, size_t *i)
{
    struct joint_rotation rotation = { 0 };
    size_t joint = columns->column[*i].joint;
    do {
        const struct column *column = &columns->column[*i];
        bool filtered = column->axis && column->role == ROLE_CHANNEL;
        rotation.n += column->axis > 0;
        rotation.nchannel += filtered;
        if (filtered && !rotation.channel)
            rotation.channel = column;
        rotation.euler = rotation.euler || (column->axis && column->period > 0);
        rotation.ordered = rotation.ordered || column->turn > 0;
        *i = columns_after(columns, *i);
    } while (joint && *i < columns->ncolumn && columns->column[*i].joint == joint);
    return rotation;
}

bool rotations_check_known(const struct columns *columns, const struct rotation_settings *lists,
                           const struct filter *filter, double start, struct error *e)
{
    for (size_t i = 0; i < columns->ncolumn;) {
        struct joint_rotation joint = next_joint(columns, &i);
        bool whole = joint.nchannel == joint.n && joint.n >= 3;
        bool told = lists->quaternions || (joint.euler && lists->angles);
        /* An angle of a joint of a bvh file can be filtered by itself; the other formats have whole rotations. */
        bool apart = joint.euler && !joint.ordered && !whole;
        if (joint.nchannel > 0 && !told && !apart && !(whole && rotations_able(filter, start)))
            return refuse_known(joint.channel, joint.n, joint.nchannel, filter, e);
    }
    return true;
}

/* Length of the common beginning of the names of a rotation's columns, without a separator at the end. */
static size_t common_stem(const struct columns *columns, const struct rotation *rotation)
{
    const char *name = columns->column[rotation->column[0]].name;
    size_t n = strlen(name);
    for (size_t i = 1; i < rotation->ncolumn; i++)
        for (size_t k = 0; k < n; k++)
            if (columns->column[rotation->column[i]].name[k] != name[k])
                n = k;
    while (n && strchr("_.- ", name[n - 1]))
        n--;
    return utf8_floor(name, n);
}

static bool name_taken(const struct rotations *rotations, const char *name)
{
    return name_table_find(&rotations->names, name_key(name, strlen(name))) != NAME_TABLE_NONE;
}

/* Names *new, the rotation with the index rotations->n: by the common stem of its columns' names; where there
 * is no common stem or another rotation has the name, by q and the position of the first column. False:
 * memory is out. */
static bool name_rotation(struct rotations *rotations, struct rotation *new, const struct columns *columns,
                          struct error *e)
{
    new->stem = common_stem(columns, new);
    new->name = text_format("%.*s", (int)new->stem, columns->column[new->column[0]].name);
    if (new->name && (new->stem == 0 || name_taken(rotations, new->name))) {
        new->stem = 0;
        free(new->name);
        new->name = text_format("q%zu", new->first + 1);
    }
    while (new->name && name_taken(rotations, new->name)) {
        char *longer = text_format("%s_", new->name);
        free(new->name);
        new->name = longer;
    }
    if (!new->name)
        return error_memory(e);
    if (name_table_put(&rotations->names, name_key(new->name, strlen(new->name)), rotations->n, e))
        return true;
    free(new->name);
    return false;
}

/* A rotation that a list names, or that names of columns or the format tell. */
struct found_rotation {
    bool angles;          /* three angles; else a quaternion */
    size_t n;             /* 3 or 4 */
    const size_t *column; /* [n] the columns */
};

static struct found_rotation components(const struct column_rotation *found)
{
    bool angles = found->column[0] == COLUMN_NONE;
    return (struct found_rotation){ angles, angles ? 3 : 4, found->column + angles };
}

/* Sets *able to whether all columns of a rotation of a list are channels. Otherwise the rotation is an error
 * (returns false), unless a glob found the rotation and no column is a channel. */
static bool check_listed(const struct columns *columns, const struct column_rotation *found, bool *able,
                         struct error *e)
{
    const struct found_rotation rotation = components(found);
    const struct column *other = NULL; /* the first column that is no channel */
    size_t nchannel = 0;
    for (size_t k = rotation.n; k-- > 0;) {
        const struct column *column = &columns->column[rotation.column[k]];
        if (column->role == ROLE_CHANNEL)
            nchannel++;
        else
            other = column;
    }
    *able = !other;
    if (!other || (nchannel == 0 && (found->pattern || other->role == ROLE_ABSENT)))
        return true;
    error_data(e, "--%s: column \"%s\" is not filtered", rotation.angles ? "rotations" : "quaternions",
               other->name);
    return error_hint(e, "all %s columns of a %s must be channels: see --columns and --exclude",
                      rotation.angles ? "three" : "four", rotation.angles ? "rotation" : "quaternion");
}

/* Are all columns channels of which no option says something else? */
static bool are_free(const struct rotations *rotations, const struct columns *columns,
                     const struct column_rotation *found)
{
    const struct found_rotation rotation = components(found);
    for (size_t k = 0; k < rotation.n; k++) {
        const struct column *column = &columns->column[rotation.column[k]];
        if (column->role != ROLE_CHANNEL || column->velocity != COLUMN_NONE ||
            rotations->named[column->value] || rotations->of[column->value] != COLUMN_NONE)
            return false;
    }
    return true;
}

/* Adds a rotation, whose columns are channels. period: --period; NaN: not given. */
static bool add_rotation(struct rotations *rotations, const struct columns *columns,
                         const struct column_rotation *found, double period, struct error *e)
{
    const struct found_rotation rotation = components(found);
    const size_t n = rotation.n, *column = rotation.column;
    struct rotation *new = &rotations->at[rotations->n];
    double own = columns->column[column[0]].period;
    *new = (struct rotation){ .ncolumn = n, .first = column[0] };
    new->euler.period = own > 0 ? own : 360;
    if (!isnan(period))
        new->euler.period = period;
    memcpy(new->euler.axis, found->axis, sizeof new->euler.axis);
    for (size_t i = 0; i < n; i++) {
        new->column[i] = column[i];
        new->channel[i] = columns->column[column[i]].value;
        new->first = column[i] < new->first ? column[i] : new->first;
        rotations->of[new->channel[i]] = rotations->n;
    }
    if (!name_rotation(rotations, new, columns, e))
        return false;
    rotations->n++;
    return true;
}

bool rotations_collect(struct rotations *rotations, const struct columns *columns,
                       const struct rotation_settings *lists, const struct angle_settings *angles,
                       bool unasked, struct error *e)
{
    const char *const list[] = { [QUATERNIONS] = lists->quaternions, [EULER_ANGLES] = lists->angles };
    struct column_rotations listed = { 0 }, known = { 0 };
    bool good = true;
    if (columns->ncolumn == 0)
        return true;
    for (enum rotation_kind kind = QUATERNIONS; good && kind <= EULER_ANGLES; kind++)
        if (list[kind] && is_list(list[kind]))
            good = columns_rotations(columns, kind, list[kind], true, &listed, e);
        else if (!list[kind] && unasked)
            good = columns_rotations(columns, kind, NULL, true, &known, e);
    if (good)
        good = arrays_make(
            e, ARRAY(rotations->at, listed.n + known.n), ARRAY(rotations->of, columns->nchannel),
            ARRAY(rotations->period, columns->nchannel), ARRAY(rotations->wrap_period, columns->nchannel),
            ARRAY(rotations->unit, columns->nchannel), ARRAY(rotations->named, columns->nchannel));
    for (size_t i = 0; good && i < columns->nchannel; i++)
        rotations->of[i] = COLUMN_NONE;
    for (size_t i = 0; good && i < listed.n; i++) {
        bool able;
        good = check_listed(columns, &listed.at[i], &able, e);
        if (good && able)
            good = add_rotation(rotations, columns, &listed.at[i], angles->period, e);
    }
    if (good && known.n && angles->list)
        good = columns_pick_channels(columns, angles->list, "--angles", rotations->named, e);
    for (size_t i = 0; good && i < known.n; i++)
        if (are_free(rotations, columns, &known.at[i])) {
            const struct found_rotation found = components(&known.at[i]);
            rotations->nmotive += !found.angles && !columns->column[found.column[0]].joint;
            good = add_rotation(rotations, columns, &known.at[i], angles->period, e);
        }
    free(listed.at);
    free(known.at);
    return good;
}

void rotations_free(struct rotations *rotations)
{
    for (size_t i = 0; i < rotations->n; i++) {
        free(rotations->at[i].name);
        free(rotations->at[i].settings);
    }
    for (size_t i = 0; i < rotations->nvector; i++)
        free(rotations->vector[i].name);
    free(rotations->vector);
    name_table_free(&rotations->names);
    free(rotations->at);
    *rotations = (struct rotations){ 0 };
}

/* Sets period and wrap_period of the channels that are angles and no components of rotations. */
static bool find_angles(struct rotations *rotations, const struct columns *columns,
                        const struct angle_settings *settings, struct error *e)
{
    if (settings->list && !columns_pick_channels(columns, settings->list, "--angles", rotations->named, e))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i)) {
        const struct column *column = &columns->column[i];
        if (column->role != ROLE_CHANNEL || (!rotations->named[column->value] && !(column->period > 0)))
            continue;
        const struct rotation *rotation = rotations_of(rotations, column->value);
        if (rotation && (rotation->ncolumn == 4 || rotations->named[column->value])) {
            error_data(e, "it is an angle, and %s names it as a component",
                       rotation->ncolumn == 3 ? "--rotations" : "--quaternions");
            return error_column(e, column->name);
        }
        if (rotation)
            continue;
        double own = column->period > 0 ? column->period : 360;
        rotations->period[column->value] = isnan(settings->period) ? own : settings->period;
        if (settings->wrap || (column->keeps_turns && !rotations->named[column->value]))
            rotations->wrap_period[column->value] = rotations->period[column->value];
    }
    return true;
}

static void list_units(struct rotations *rotations, size_t nchannel)
{
    for (size_t c = 0; c < nchannel; c++) {
        const struct rotation *rotation = rotations_of(rotations, c);
        struct unit unit = {
            .rotation = rotation,
            .period = rotations->period[c],
            .wrap = rotations->wrap_period[c] > 0,
            .nchannel = rotation ? rotation->ncolumn : 1,
            .channel = { c },
        };
        if (rotation)
            memcpy(unit.channel, rotation->channel, sizeof unit.channel);
        if (unit.channel[0] != c)
            continue;
        if (rotation)
            rotations->at[rotations->of[c]].unit = rotations->nunit;
        rotations->unit[rotations->nunit++] = unit;
    }
}

/* Checks that there are angles, if an option for angles is given. */
static bool check_angles(const struct rotations *rotations, const struct columns *columns,
                         const struct angle_settings *settings, struct error *e)
{
    for (size_t i = 0; i < rotations->nunit; i++)
        if (rotations->unit[i].period > 0 || rotations->unit[i].nchannel == 3)
            return true;
    if (columns->partial || (!settings->wrap && isnan(settings->period)))
        return true;
    error_usage(e, "--%s needs angles, and no channel is an angle", settings->wrap ? "wrap" : "period");
    return error_hint(e, "name them with --angles LIST");
}

const void *rotations_settings(const struct rotation *rotation, const struct filter *filter,
                               const void *settings)
{
    if (!rotation->settings)
        return settings;
    /* The filter works in radians. */
    memcpy(rotation->settings, settings, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        if (filter->params[i].in_unit)
            *(double *)((char *)rotation->settings + filter->params[i].offset) /= rotations_unit(rotation);
    return rotation->settings;
}

/* Makes the settings of three angles, whose channels have these settings. */
static bool make_settings(struct rotation *rotation, const struct filter *filter, const void *settings,
                          struct error *e)
{
    rotation->settings = malloc(filter->settings_size + 1);
    if (!rotation->settings)
        return error_memory(e);
    rotations_settings(rotation, filter, settings);
    return true;
}

/* Checks that the channels of a rotation have the same settings, and no measured velocity. */
static bool check_channels(const struct rotation *rotation, const struct columns *columns,
                           const struct overrides *overrides, struct error *e)
{
    bool three = rotation->ncolumn == 3;
    for (size_t k = 0; k < rotation->ncolumn; k++) {
        const struct column *column = &columns->column[rotation->column[k]];
        if (column->velocity != COLUMN_NONE) {
            error_usage(e, "--goal-velocity-from names it, and it is the component of a rotation");
            return error_column(e, column->name);
        }
        if (overrides->of[rotation->channel[k]] != overrides->of[rotation->channel[0]]) {
            error_data(e, "--set: the %s columns of the %s \"%s\" are not set alike",
                       three ? "three" : "four", three ? "rotation" : "quaternion", rotation->name);
            return error_hint(e, "name all of them, %s",
                              three ? "or filter each angle by itself: --rotations none"
                                    : "as in 'hip_[wxyz]:halflife=0.3'");
        }
    }
    return true;
}

bool rotations_fit(struct rotations *rotations, const struct columns *columns,
                   const struct angle_settings *angles, const struct filter *filter,
                   const struct overrides *overrides, struct error *e)
{
    if (!find_angles(rotations, columns, angles, e))
        return false;
    list_units(rotations, columns->nchannel);
    if (!check_angles(rotations, columns, angles, e))
        return false;
    for (size_t i = 0; i < rotations->n; i++) {
        struct rotation *rotation = &rotations->at[i];
        const void *settings = overrides->settings[overrides->of[rotation->channel[0]]];
        if (!check_channels(rotation, columns, overrides, e))
            return false;
        if (rotation->ncolumn == 3 && !make_settings(rotation, filter, settings, e))
            return false;
    }
    return true;
}

void rotations_follow(const struct rotation *rotation, double last[4], double part[4])
{
    double dot = 0;
    bool gap = false;
    for (size_t k = 0; k < rotation->ncolumn; k++) {
        dot += part[k] * last[k];
        gap |= isnan(part[k]);
    }
    for (size_t k = 0; k < rotation->ncolumn; k++) {
        if (gap)
            part[k] = (double)NAN;
        else if (dot < 0 && rotation->ncolumn == 4)
            part[k] = -part[k];
        last[k] = gap ? last[k] : part[k];
    }
}

void rotations_target(const struct rotation *rotation, const double part[4], double q[4])
{
    if (rotation && rotation->ncolumn == 3) {
        euler_to_rotation(&rotation->euler, part, q);
    } else {
        memcpy(q, part, (rotation ? 4 : 1) * sizeof *q);
        if (rotation)
            rotation_unit(q);
    }
}

void rotations_way(const struct rotation *rotation, const double from[4], const double to[4], double way[3])
{
    way[0] = to[0] - from[0];
    way[1] = way[2] = 0;
    if (rotation)
        rotation_vector(to, from, way);
}

void rotations_move(const struct rotation *rotation, double x[4], const double way[3], double part)
{
    if (rotation)
        rotation_turn(x, way, part);
    else
        x[0] += way[0] * part;
}

void rotations_print(const struct rotation *rotation, const double read[4], const double x[4], bool at_goal,
                     double print[4])
{
    double square = 0;
    for (size_t k = 0; rotation && k < rotation->ncolumn; k++)
        square += read[k] * read[k];
    if (rotation && at_goal && (rotation->ncolumn == 3 || fabs(sqrt(square) - 1) <= ROUNDED))
        memcpy(print, read, rotation->ncolumn * sizeof *print);
    else if (rotation && rotation->ncolumn == 3)
        euler_from_rotation(&rotation->euler, x, read, print);
    else
        memcpy(print, x, (rotation ? 4 : 1) * sizeof *print);
}

void angles_unwrap(struct unwrap *unwrap, double period, double *angle, double *turns, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!isnan(angle[j])) {
            /* To the nearest whole number, halves toward 0: 180, -180, 180 must not add a turn at each step.
             */
            double periods = unwrap->known ? (angle[j] - unwrap->angle) / period : 0;
            double whole = copysign(ceil(fabs(periods) - 0.5), periods);
            *unwrap = (struct unwrap){ angle[j], unwrap->turns - whole, true };
            angle[j] += unwrap->turns * period;
        }
        turns[j] = unwrap->turns;
    }
}

double angles_wrap(double filtered, double angle, double turns, double period)
{
    double read = isnan(angle) ? 0 : angle;
    return read + (filtered - (read + turns * period));
}
