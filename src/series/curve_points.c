/* Points on curves. See curve_points.h. A record is the step, and then of each channel value and velocity
 * before and after it. */
#include "series/curve_points.h"

#include "whole/step_curve.h"

#include <math.h>

enum { CHANNEL = 4 }; /* doubles of a channel in a record */

size_t curve_points_size(const struct core *core)
{
    return (1 + CHANNEL * core->nchannel) * sizeof(double);
}

void curve_points_record(struct core *core, struct series *series, size_t i, const double *before,
                         double *record)
{
    const struct knots *knots = core_knots(core, series);
    const size_t nwant = core->wanted.n;
    record[0] = knots->T[i];
    for (size_t channel = 0; channel < core->nchannel; channel++) {
        double *of = record + 1 + CHANNEL * channel;
        for (size_t k = 0; k < 2; k++) {
            of[k] = before ? before[channel * nwant + k] : knots->out[channel * nwant + k][i - 1];
            of[2 + k] = knots->out[channel * nwant + k][i];
        }
    }
    core_record(core, series, knots->first + i, record, curve_points_size(core));
}

/* A point: a part of a step. */
struct point {
    const double *record;
    double part;
    double *const *out; /* of column k: out[k][row] */
    size_t row;
};

/* Sets the wanted outputs of a channel. result: value, velocity and acceleration. */
static void put(const struct core *core, const struct point *point, size_t channel, const double result[3])
{
    for (size_t k = 0; k < core->wanted.n; k++)
        point->out[channel * core->wanted.n + k][point->row] = result[k];
}

/* A number, an angle or a component of a vector. An angle goes the short way, and has the turn of the nearer
 * sample. */
static void read_number(const struct core *core, const struct point *point, const struct unit *unit,
                        size_t channel)
{
    const double *of = point->record + 1 + CHANNEL * channel;
    struct step_end from = { .x = { of[0] }, .velocity = { of[1] } },
                    to = { .x = { of[2] }, .velocity = { of[3] } };
    double turns = 0;
    if (unit->kind == UNIT_ANGLE) {
        to.x[0] = of[0] + remainder(of[2] - of[0], unit->period);
        turns = of[2] - to.x[0];
    }
    const struct step_curve curve = step_curve_make(false, &from, &to, point->record[0]);
    const struct step_point at = step_curve_at(&curve, point->part);
    const double result[3] = { at.x[0] + (point->part < 0.5 ? 0 : turns), at.velocity[0],
                               at.acceleration[0] };
    put(core, point, channel, result);
}

/* The rotation and its angular velocity on one side of the step. read: the numbers. False: one is missing. */
static bool read_side(const struct unit *unit, const double *record, size_t side, double read[4],
                      struct step_end *end)
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        const double *of = record + 1 + CHANNEL * unit->channel[k] + 2 * side;
        const size_t axis = unit_axis(unit, k);
        read[k] = of[0];
        known &= !isnan(read[k]);
        if (axis < 3)
            end->velocity[axis] = of[1] / unit_radian(unit);
    }
    unit_target(unit, read, end->x);
    return known;
}

static void read_rotation(const struct core *core, const struct point *point, const struct unit *unit)
{
    const double *record = point->record;
    struct step_end from, to;
    double read[4], unused[4], print[4], velocity[4], acceleration[4];
    const bool begins = read_side(unit, record, 0, read, &from),
               ends = read_side(unit, record, 1, unused, &to);
    const struct step_curve curve = step_curve_make(true, &from, &to, record[0]);
    const struct step_point at = step_curve_at(&curve, point->part);
    unit_print(unit, read, at.x, at.still, print);
    unit_rates(unit, at.velocity, velocity);
    unit_rates(unit, at.acceleration, acceleration);
    for (size_t k = 0; k < unit->n; k++) {
        const double missing[3] = { NAN, NAN, NAN }, result[3] = { print[k], velocity[k], acceleration[k] };
        put(core, point, unit->channel[k], begins && ends ? result : missing);
    }
}

void curve_points_read(struct core *core, const void *record, double part, double *const *out, size_t row)
{
    const struct point point = { record, part, out, row };
    for (size_t u = 0; u < core->input.units->n; u++) {
        const struct unit *unit = &core->input.units->at[u];
        if (unit_is_rotation(unit))
            read_rotation(core, &point, unit);
        for (size_t k = 0; k < unit->n && !unit_is_rotation(unit); k++)
            read_number(core, &point, unit, unit->channel[k]);
    }
}
