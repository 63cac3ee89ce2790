/* The angular velocity of a series of rotations at rising times. */
#ifndef SPRUNG_WHOLE_ANGULAR_VELOCITY_H
#define SPRUNG_WHOLE_ANGULAR_VELOCITY_H

#include <stddef.h>

/* Sets v[0], v[1] and v[2], each [n], to the components x, y and z of the angular velocity at n unit
 * quaternions q[4 * n], in rad/s in the world frame: the slopes of the splines through the integral of the
 * angular velocity. T: [n] the steps in seconds, T > 0; T[0] is not used. room: n doubles, overwritten. */
void angular_velocity(const double *T, const double *q, size_t n, double *const v[3], double *room);

#endif
