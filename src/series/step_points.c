/* The numbers of points between two rows. See step_points.h. */
#include "series/step_points.h"

#include "whole/sample_way.h"
#include "whole/step_curve.h"
#include <math.h>
#include <string.h>

/* --- values and goals --- */

/* block_value or block_goal: which numbers of a block are interpolated. */
typedef double *block_column(const struct block *block, size_t channel);

/* Sets the numbers of all points of a unit. last: [nchannel] the numbers
 * of the row at the beginning. */
static void interpolate_unit(const struct step_points *points, const struct unit *unit, const double *last,
                             block_column *column)
{
    double *to[4], before[4], after[4], from[4], target[4];
    bool missing = false;
    for (size_t c = 0; c < unit->n; c++) {
        to[c] = column(points->block, unit->channel[c]) + points->block->nrow;
        before[c] = last[unit->channel[c]];
        after[c] = column(points->in, unit->channel[c])[points->at];
        after[c] = points->held && !isnan(after[c]) ? before[c] : after[c];
        missing |= isnan(before[c] + after[c]);
    }
    if (!unit_is_rotation(unit)) {
        for (size_t c = 0; c < unit->n; c++)
            for (size_t i = 0; i < points->n; i++)
                to[c][i] = sample_between(before[c], after[c], points->fraction[i], unit->period);
        return;
    }
    unit_target(unit, before, from);
    unit_target(unit, after, target);
    for (size_t i = 0; i < points->n; i++) {
        double x[4], print[4];
        bool still = sample_on_way(unit_sample_kind(unit), from, target, points->fraction[i], x);
        unit_print(unit, before, x, still, print);
        for (size_t c = 0; c < unit->n; c++)
            to[c][i] = missing ? (double)NAN : print[c];
    }
}

/* --- outputs --- */

/* Sets the outputs of a channel in a row of a block. output: value, velocity and acceleration. */
static void put_outputs(const struct resample_config *config, const struct block *block, size_t row,
                        size_t channel, const double output[3])
{
    for (size_t i = 0; i < config->nfiltered; i++)
        block_out(block, channel * config->nfiltered + i)[row] = output[i];
}

/* An output of a channel in the row at the beginning of the step, or at the end. */
static double output_at(const struct step_points *points, bool end, size_t channel, size_t output)
{
    size_t out = channel * points->config->nfiltered + output;
    return end ? block_out(points->in, out)[points->at]
               : points->last[2 * points->config->in.plan->nchannel + out];
}

/* Sets the outputs of a number, an angle or a component of a vector at all points. */
static void follow_number(const struct step_points *points, const struct unit *unit, size_t channel)
{
    struct step_end from = { .x = { output_at(points, false, channel, 0) },
                             .velocity = { output_at(points, false, channel, 1) } };
    struct step_end to = { .x = { output_at(points, true, channel, 0) },
                           .velocity = { output_at(points, true, channel, 1) } };
    const bool known = !isnan(from.x[0]) && !isnan(to.x[0]);
    double turns = 0;
    if (unit->kind == UNIT_ANGLE) { /* the curve goes the short way; a point has the turn of the nearer row */
        double short_way = remainder(to.x[0] - from.x[0], unit->period);
        turns = to.x[0] - (from.x[0] + short_way);
        to.x[0] = from.x[0] + short_way;
    }
    const struct step_curve curve = step_curve_make(false, &from, &to, points->T);
    for (size_t i = 0; i < points->n; i++) {
        const struct step_point point = step_curve_at(&curve, points->fraction[i]);
        double output[3] = { NAN, NAN, NAN };
        if (known) {
            output[0] = point.x[0] + (points->fraction[i] < 0.5 ? 0 : turns);
            output[1] = point.velocity[0];
            output[2] = point.acceleration[0];
        }
        put_outputs(points->config, points->block, points->block->nrow + i, channel, output);
    }
}

/* Sets read[unit->n] to the filtered numbers of a rotation in the row at the beginning or end of the step,
 * and *row to the position and velocity that the numbers mean. False: a number is missing. */
static bool take_row(const struct step_points *points, bool end, const struct unit *unit, double read[4],
                     struct step_end *row)
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        const size_t axis = unit_axis(unit, k);
        read[k] = output_at(points, end, unit->channel[k], 0);
        known &= !isnan(read[k]);
        if (axis < 3)
            row->velocity[axis] = output_at(points, end, unit->channel[k], 1) / unit_radian(unit);
    }
    unit_target(unit, read, row->x);
    return known;
}

/* Sets the outputs of a rotation at point i. read: the numbers of the row at the beginning. */
static void put_rotation(const struct step_points *points, size_t i, const struct unit *unit,
                         const double read[4], const struct step_point *point)
{
    double print[4], velocity[4], acceleration[4];
    unit_print(unit, read, point->x, point->still, print);
    unit_rates(unit, point->velocity, velocity);
    unit_rates(unit, point->acceleration, acceleration);
    for (size_t c = 0; c < unit->n; c++) {
        const double output[3] = { print[c], velocity[c], acceleration[c] };
        put_outputs(points->config, points->block, points->block->nrow + i, unit->channel[c], output);
    }
}

/* Sets the outputs of a rotation at all points. */
static void follow_rotation(const struct step_points *points, const struct unit *unit)
{
    static const double missing[3] = { NAN, NAN, NAN };
    struct step_end from, to;
    double read[4], unused[4];
    const bool begins = take_row(points, false, unit, read, &from);
    const bool known = take_row(points, true, unit, unused, &to) && begins;
    const struct step_curve curve = step_curve_make(true, &from, &to, points->T);
    for (size_t i = 0; i < points->n; i++) {
        const struct step_point point = step_curve_at(&curve, points->fraction[i]);
        if (known)
            put_rotation(points, i, unit, read, &point);
        for (size_t k = 0; k < unit->n && !known; k++)
            put_outputs(points->config, points->block, points->block->nrow + i, unit->channel[k], missing);
    }
}

/* Sets the outputs of a unit at all points. */
static void follow_curve(const struct step_points *points, const struct unit *unit)
{
    if (unit_is_rotation(unit)) {
        follow_rotation(points, unit);
        return;
    }
    for (size_t k = 0; k < unit->n; k++)
        follow_number(points, unit, unit->channel[k]);
}

void step_points_fill(const struct step_points *points)
{
    const struct units *all = points->config->in.units;
    const double *goals = points->last + points->config->in.plan->nchannel;
    for (size_t i = 0; i < all->n; i++) {
        const struct unit *unit = &all->at[i];
        interpolate_unit(points, unit, points->last, block_value);
        if (points->block->ngoal > 0)
            interpolate_unit(points, unit, goals, block_goal);
        if (points->config->nfiltered > 0)
            follow_curve(points, unit);
    }
}

void step_points_copy_outputs(const struct resample_config *config, const struct block *in, size_t at,
                              struct block *block)
{
    double output[3];
    for (size_t c = 0; c < config->in.plan->nchannel; c++) {
        for (size_t i = 0; i < config->nfiltered; i++)
            output[i] = block_out(in, c * config->nfiltered + i)[at];
        put_outputs(config, block, block->nrow, c, output);
    }
}
