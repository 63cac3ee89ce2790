/* What the numbers of each kind of unit mean. See units.h. */
#include "rows/units.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

/* --- numbers, angles and vectors --- */

static void follow_numbers(double *last, double *part, size_t n)
{
    bool gap = false;
    for (size_t k = 0; k < n; k++)
        gap |= isnan(part[k]);
    for (size_t k = 0; k < n; k++) {
        part[k] = gap ? (double)NAN : part[k];
        last[k] = gap ? last[k] : part[k];
    }
}

static void numbers_target(const struct unit *unit, const double part[4], double target[4])
{
    memcpy(target, part, unit->n * sizeof *target);
}

static void numbers_way(const double from[4], const double to[4], double way[3], size_t n)
{
    for (size_t k = 0; k < 3; k++)
        way[k] = k < n ? to[k] - from[k] : 0;
}

static void move_numbers(double target[4], const double way[3], double part, size_t n)
{
    for (size_t k = 0; k < n; k++)
        target[k] += way[k] * part;
}

static void print_numbers(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                          double print[4])
{
    (void)read;
    (void)at_goal;
    memcpy(print, target, unit->n * sizeof *print);
}

static double number_change(const struct unit *unit, const double from[4], const double to[4],
                            size_t component)
{
    (void)unit;
    return fabs(to[component] - from[component]);
}

static double angle_change(const struct unit *unit, const double from[4], const double to[4],
                           size_t component)
{
    return fabs(remainder(to[component] - from[component], unit->period));
}

/* Beside a masked component the others are missing. */
static double vector_change(const struct unit *unit, const double from[4], const double to[4],
                            size_t component)
{
    double distance = 0;
    for (size_t k = 0; k < unit->n; k++)
        if (k == component || !isnan(to[k] - from[k]))
            distance = hypot(distance, to[k] - from[k]);
    return distance;
}

/* --- rotations --- */

static void rotation_way(const double from[4], const double to[4], double way[3], size_t n)
{
    (void)n;
    rotation_vector(to, from, way);
}

static void move_rotation(double target[4], const double way[3], double part, size_t n)
{
    (void)n;
    rotation_turn(target, way, part);
}

static void follow_quaternion(double *last, double *part, size_t n)
{
    bool known = rotation_read(last, part);
    for (size_t k = 0; k < n && !known; k++)
        part[k] = (double)NAN;
}

static void quaternion_target(const struct unit *unit, const double part[4], double target[4])
{
    numbers_target(unit, part, target);
    rotation_unit(target);
}

static void print_quaternion(const struct unit *unit, const double read[4], const double target[4],
                             bool at_goal, double print[4])
{
    (void)unit;
    rotation_print(read, target, at_goal, print);
}

static void euler_target(const struct unit *unit, const double part[4], double target[4])
{
    euler_to_rotation(&unit->euler, part, target);
}

static void print_euler(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                        double print[4])
{
    if (at_goal)
        memcpy(print, read, unit->n * sizeof *print);
    else
        euler_from_rotation(&unit->euler, target, read, print);
}

/* The angle of the rotation between; q and -q are the same rotation. */
static double rotation_change(const struct unit *unit, const double from[4], const double to[4],
                              size_t component)
{
    double before[4], after[4], between[4], way[3];
    (void)component;
    unit_target(unit, from, before);
    unit_target(unit, to, after);
    rotation_between(after, before, between);
    rotation_log(between, way);
    return unit_radian(unit) * sqrt(rotation_dot(way, way));
}

/* clang-format off */
const struct unit_ops unit_ops[UNIT_KINDS] = {
    [UNIT_NUMBER] = { NULL, 0, 0, follow_numbers, numbers_target, numbers_way, move_numbers,
                      print_numbers, number_change },
    [UNIT_ANGLE] = { "--angles", 0, 0, follow_numbers, numbers_target, numbers_way, move_numbers,
                     print_numbers, angle_change },
    [UNIT_VECTOR] = { "--vectors", 0, 0, follow_numbers, numbers_target, numbers_way, move_numbers,
                      print_numbers, vector_change },
    [UNIT_QUATERNION] = { "--quaternions", SAMPLE_ROTATION, 1, follow_quaternion, quaternion_target,
                          rotation_way, move_rotation, print_quaternion, rotation_change },
    [UNIT_EULER] = { "--rotations", SAMPLE_ROTATION, 0, follow_numbers, euler_target, rotation_way,
                     move_rotation, print_euler, rotation_change },
};
/* clang-format on */

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
