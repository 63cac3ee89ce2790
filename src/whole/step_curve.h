/* The path of a number or a rotation between two rows: the cubic Hermite curve through the values and
 * velocities of both rows. Invariants: at both ends the curve has the value and velocity of the row; where
 * both velocities are the mean velocity from end to end the curve is the straight line, or the turn at
 * constant angular velocity; between equal values at rest the curve is the value, bit for bit. */
#ifndef SPRUNG_WHOLE_STEP_CURVE_H
#define SPRUNG_WHOLE_STEP_CURVE_H

#include <stdbool.h>

/* Up to three numbers and their velocities, 0 where there are fewer; or a unit quaternion x and its angular
 * velocity in the world frame, in radians per second. */
struct step_end {
    double x[4];
    double velocity[3];
};

struct step_curve {
    bool rotation;
    double T;          /* seconds from end to end, > 0 */
    double from[4];    /* value at the beginning */
    double way[3];     /* from beginning to end: the differences, or the rotation vector of the short way */
    double bend[2][3]; /* at the beginning and at the end: velocity times T, less the way; of a rotation the
                          velocity is the rate of the rotation vector */
};

/* The curve at one time. */
struct step_point {
    bool still; /* the value is the value at the beginning */
    double x[4];
    double velocity[3];     /* per second; of a rotation the angular velocity in the world frame, in rad/s */
    double acceleration[3]; /* per second squared; of a rotation the angular acceleration */
};

struct step_curve step_curve_make(bool rotation, const struct step_end *from, const struct step_end *to,
                                  double T);

/* The point at a fraction of the time, from 0 to 1. */
struct step_point step_curve_at(const struct step_curve *curve, double fraction);

#endif
