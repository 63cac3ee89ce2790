/* The kinds of units: one row a kind, and what its numbers mean. See units.h. */
#include "rows/units.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

/* --- quaternions --- */

/* A length of 1; where the names have letters, gaps or four zeros count, too. */
static bool shows_quaternion(const double number[4], bool named)
{
    double sum = 0;
    for (size_t k = 0; k < 4; k++)
        sum += number[k] * number[k];
    return fabs(sqrt(sum) - 1) <= 0.01 || (named && (isnan(sum) || sum == 0));
}

static bool quaternion_follow(const struct unit *unit, struct unit_before *before, double part[4])
{
    (void)unit;
    return rotation_read(before->number, part);
}

static void quaternion_target(const struct unit *unit, const double part[4], double target[4])
{
    memcpy(target, part, unit->n * sizeof *target);
    rotation_unit(target);
}

static void quaternion_print(const struct unit *unit, const double read[4], const double target[4],
                             bool at_goal, double print[4])
{
    (void)unit;
    rotation_print(read, target, at_goal, print);
}

/* --- angles --- */

static bool angle_follow(const struct unit *unit, struct unit_before *before, double part[4])
{
    if (before->known)
        before->turns -= angle_turns(part[0] - before->number[0], unit->period);
    before->number[0] = part[0];
    part[0] += before->turns * unit->period;
    return true;
}

static void angle_print(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                        double print[4])
{
    (void)at_goal;
    print[0] = angle_near(target[0], read[0], unit->period);
}

/* --- Euler angles --- */

static void angles_target(const struct unit *unit, const double part[4], double target[4])
{
    euler_to_rotation(&unit->euler, part, target);
}

static void angles_print(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                         double print[4])
{
    if (at_goal)
        memcpy(print, read, unit->n * sizeof *print);
    else
        euler_from_rotation(&unit->euler, target, read, print);
}

/* --- the table of kinds --- */

const struct unit_kind unit_number = { .name = "number", .part = "" };

const struct unit_kind unit_angle = {
    .name = "angle",
    .part = "angle",
    .option = "--angles",
    .list = offsetof(struct unit_settings, angles),
    .least = 1,
    .follow = angle_follow,
    .print = angle_print,
};

static const struct unit_kind vector = {
    .name = "vector",
    .part = "part of a point",
    .noun = "point",
    .option = "--vectors",
    .list = offsetof(struct unit_settings, vectors),
    .hint =
        "wrist means wrist_x, wrist_y, wrist_z (or wrist.x, wristx); wrist* means all that match; or give "
        "positions, as in 3-5",
    .letters = { "xyz" },
    .least = 2,
    .tail = "position",
};

const struct unit_kind unit_quaternion = {
    .name = "rotation",
    .part = "part of a quaternion",
    .noun = "quaternion",
    .option = "--quaternions",
    .list = offsetof(struct unit_settings, quaternions),
    .hint = "hip means hip_w, hip_x, hip_y, hip_z (or hip.w, hipw); hip* means all that match; or give "
            "positions and the order of the components, as in 3-6:xyzw",
    .letters = { "wxyz", "rijk", "0123", "1234" },
    .least = 4,
    .tail = "rotation",
    .shows = shows_quaternion,
    .rotation = true,
    .follow = quaternion_follow,
    .target = quaternion_target,
    .print = quaternion_print,
};

static const struct unit_kind euler_angles = {
    .name = "rotation",
    .part = "part of a rotation",
    .noun = "joint",
    .option = "--rotations",
    .list = offsetof(struct unit_settings, rotations),
    .hint = "hip:ZXY means hip_z, hip_x, hip_y (or hip.z, hipz) and the matrix product Rz Rx Ry; hip*:ZXY "
            "means all that match; or give positions, as in 3-5:ZXY or 3-5:ZXZ",
    .letters = { "xyz" },
    .least = 3,
    .tail = "rotation",
    .rotation = true,
    .angles = true,
    .target = angles_target,
    .print = angles_print,
};

/* The first kind that finds a column has it, all LISTs before what the format or names show: so x, y and z
 * next to w are a quaternion, not a vector. */
const struct unit_kind *const unit_kinds[] = { &unit_quaternion, &euler_angles, &vector, &unit_angle, NULL };

/* --- numbers and targets --- */

bool unit_follow(const struct unit *unit, struct unit_before *before, double part[4])
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++)
        known &= !isnan(part[k]);
    if (known && unit->kind->follow)
        known = unit->kind->follow(unit, before, part);
    else if (known)
        memcpy(before->number, part, unit->n * sizeof *part);
    for (size_t k = 0; k < unit->n && !known; k++)
        part[k] = (double)NAN;
    before->known |= known;
    return known;
}

void unit_target(const struct unit *unit, const double part[4], double target[4])
{
    if (unit->kind->target)
        unit->kind->target(unit, part, target);
    else
        memcpy(target, part, unit->n * sizeof *target);
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
    if (unit->kind->print)
        unit->kind->print(unit, read, target, at_goal, print);
    else
        memcpy(print, target, unit->n * sizeof *print);
}

struct spike_kind unit_spike_kind(const struct unit *unit)
{
    return (struct spike_kind){
        .nnumber = unit->n,
        .period = unit->period,
        .rotation = unit_is_rotation(unit),
        .turn = unit->kind->angles ? 0.5 / unit_radian(unit) : 0,
    };
}

double angle_near(double angle, double near, double period)
{
    return near + (angle - (near + rint((angle - near) / period) * period));
}
