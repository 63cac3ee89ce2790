/* The path of a series of rotations at rising times: the integral of the angular velocity, a vector at each
 * of them. T: [n] the steps in seconds, T > 0; T[0] is not used. */
#ifndef SPRUNG_WHOLE_ROTATION_PATH_H
#define SPRUNG_WHOLE_ROTATION_PATH_H

#include "whole/samples.h"

/* Sets rotation[4 * n] to the rotations of a run, and where one is missing to that of the turn at constant
 * velocity between its neighbours. */
void rotation_path_begin(const struct samples *run, const double *T, double *rotation);

/* Sets path[3 * n] to the path of the rotations, and goal[3 * n] to the path and the rotation vector from
 * each rotation to its sample in the run. velocity: [3 * n] angular velocities at the rotations, in rad/s;
 * NULL: not known, the path is that of turns about fixed axes. */
void rotation_path_set(const struct samples *run, const double *T, const double *rotation,
                       const double *velocity, double *path, double *goal);

#endif
