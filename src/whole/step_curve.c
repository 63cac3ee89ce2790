/* The cubic Hermite curve between two rows. See step_curve.h.
 *
 * Let s be the fraction of the time, d the way, and b0, b1 the bends. The curve and its derivatives by s are
 *
 *     y   = d s + s (1 - s) ((1 - s) b0 - s b1)
 *     y'  = d + (1 - s) (1 - 3 s) b0 - s (2 - 3 s) b1
 *     y'' = (6 s - 4) b0 + (6 s - 2) b1
 *
 * the cubic with y(0) = 0, y(1) = d, y'(0) = d + b0 and y'(1) = d + b1. The value of a rotation is
 * exp(y) from. */
#include "whole/step_curve.h"

#include "springs/rotations/rotation.h"

static const double no_drift[3] = { 0, 0, 0 };

struct step_curve step_curve_make(bool rotation, const struct step_end *from, const struct step_end *to,
                                  double T)
{
    struct step_curve curve = { .rotation = rotation, .T = T };
    double rate[3] = { to->velocity[0], to->velocity[1], to->velocity[2] };
    memcpy(curve.from, from->x, sizeof curve.from);
    for (int i = 0; i < 3; i++)
        curve.way[i] = to->x[i] - from->x[i];
    if (rotation) {
        struct rotation_point end;
        rotation_vector(to->x, from->x, curve.way);
        rotation_point_exp(curve.way, &end);
        rotation_rate(&end, to->velocity, no_drift, rate);
    }
    for (int i = 0; i < 3; i++) {
        curve.bend[0][i] = from->velocity[i] * T - curve.way[i];
        curve.bend[1][i] = rate[i] * T - curve.way[i];
    }
    return curve;
}

struct step_point step_curve_at(const struct step_curve *curve, double fraction)
{
    double s = fraction, y[3] = { 0 }, rate[3] = { 0 }, change[3] = { 0 };
    struct step_point point = { .still = true };
    for (int i = 0; i < 3; i++) {
        double d = curve->way[i], b0 = curve->bend[0][i], b1 = curve->bend[1][i];
        y[i] = d * s + s * (1 - s) * ((1 - s) * b0 - s * b1);
        rate[i] = (d + (1 - s) * (1 - 3 * s) * b0 - s * (2 - 3 * s) * b1) / curve->T;
        change[i] = ((6 * s - 4) * b0 + (6 * s - 2) * b1) / curve->T / curve->T;
        point.still &= y[i] == 0;
    }
    if (curve->rotation) {
        struct rotation_point at;
        rotation_point_exp(y, &at);
        rotation_multiply(at.q, curve->from, point.x);
        rotation_velocity(&at, rate, no_drift, point.velocity);
        rotation_acceleration(&at, rate, change, point.acceleration);
    }
    for (int i = 0; i < 3 && !curve->rotation; i++) {
        point.x[i] = curve->from[i] + y[i];
        point.velocity[i] = rate[i];
        point.acceleration[i] = change[i];
    }
    return point;
}
