/* Unit quaternions and rotation vectors. A quaternion is w, x, y, z, Hamilton's product, and turns v into q v
 * q*; a rotation vector points along the axis and is as long as the angle in radians. Invariant: pure, and
 * nothing overflows or loses its digits for any finite input. The formulas are the usual ones, as in Joan
 * Sola, "Quaternion kinematics for the error-state Kalman filter" (2017), sections 1.1 and 4.4. */
#ifndef SPRUNG_SERIES_ROTATION_H
#define SPRUNG_SERIES_ROTATION_H

#include <stdbool.h>

/* q with length 1. False: it has none, or one that is not finite; then q is left. */
bool rotation_unit(double q[4]);

/* out = a b*: what turns b into a. out may not be a or b. Of two equal ones it is exactly w, 0, 0, 0. */
void rotation_between(const double a[4], const double b[4], double out[4]);

/* out = a b. out may not be a or b. */
void rotation_multiply(const double a[4], const double b[4], double out[4]);

/* The rotation vector of q, the short way: its length is at most pi. q need not have length 1, only some. */
void rotation_log(const double q[4], double v[3]);

/* The quaternion of a rotation vector. Its w is negative for angles from pi to 3 pi. */
void rotation_exp(const double v[3], double q[4]);

#endif
