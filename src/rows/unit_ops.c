/* What the numbers of each kind of unit mean. See units.h. */
#include "rows/units.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

const char *const unit_options[UNIT_KINDS] = {
    [UNIT_ANGLE] = "--angles",
    [UNIT_VECTOR] = "--vectors",
    [UNIT_QUATERNION] = "--quaternions",
    [UNIT_EULER] = "--rotations",
};

void unit_follow(const struct unit *unit, double last[4], double part[4])
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++)
        known &= !isnan(part[k]);
    if (unit->kind == UNIT_QUATERNION)
        known = rotation_read(last, part);
    for (size_t k = 0; k < unit->n; k++) {
        part[k] = known ? part[k] : (double)NAN;
        last[k] = known ? part[k] : last[k];
    }
}

void unit_target(const struct unit *unit, const double part[4], double target[4])
{
    if (unit->kind == UNIT_EULER) {
        euler_to_rotation(&unit->euler, part, target);
        return;
    }
    memcpy(target, part, unit->n * sizeof *target);
    if (unit->kind == UNIT_QUATERNION)
        rotation_unit(target);
}

void unit_way(const struct unit *unit, const double from[4], const double to[4], double way[3])
{
    if (unit_is_rotation(unit))
        rotation_vector(to, from, way);
    for (size_t k = 0; k < 3 && !unit_is_rotation(unit); k++)
        way[k] = k < unit->n ? to[k] - from[k] : 0;
}

void unit_move(const struct unit *unit, double target[4], const double way[3], double part)
{
    if (unit_is_rotation(unit))
        rotation_turn(target, way, part);
    for (size_t k = 0; k < unit->n && !unit_is_rotation(unit); k++)
        target[k] += way[k] * part;
}

void unit_print(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                double print[4])
{
    if (unit->kind == UNIT_QUATERNION)
        rotation_print(read, target, at_goal, print);
    else if (unit->kind == UNIT_EULER && !at_goal)
        euler_from_rotation(&unit->euler, target, read, print);
    else
        memcpy(print, unit_is_rotation(unit) ? read : target, unit->n * sizeof *print);
}

/* The angle of the rotation between; q and -q are the same rotation. */
static double rotation_change(const struct unit *unit, const double from[4], const double to[4])
{
    double before[4], after[4], between[4], way[3];
    unit_target(unit, from, before);
    unit_target(unit, to, after);
    rotation_between(after, before, between);
    rotation_log(between, way);
    return unit_radian(unit) * sqrt(rotation_dot(way, way));
}

double unit_change(const struct unit *unit, const double from[4], const double to[4], size_t component)
{
    const double difference = to[component] - from[component];
    double distance = fabs(difference);
    if (unit_is_rotation(unit))
        return rotation_change(unit, from, to);
    if (unit->kind == UNIT_ANGLE)
        return fabs(remainder(difference, unit->period));
    for (size_t k = 0; k < unit->n; k++) /* next to a masked component of a vector the others are missing */
        if (k != component && !isnan(to[k] - from[k]))
            distance = hypot(distance, to[k] - from[k]);
    return distance;
}

struct spike_kind unit_spike_kind(const struct unit *unit)
{
    return (struct spike_kind){
        .nnumber = unit->n,
        .period = unit->period,
        .rotation = unit_is_rotation(unit),
        .turn = unit->kind == UNIT_EULER ? 0.5 / unit_radian(unit) : 0,
    };
}

/* --- turns of angles --- */

void angles_unwrap(struct unwrap *unwrap, double period, double *angle, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (isnan(angle[j]))
            continue;
        double whole = unwrap->known ? angle_turns(angle[j] - unwrap->angle, period) : 0;
        *unwrap = (struct unwrap){ angle[j], unwrap->turns - whole, true };
        angle[j] += unwrap->turns * period;
    }
}

double angle_near(double angle, double near, double period)
{
    return near + (angle - (near + rint((angle - near) / period) * period));
}
