/* The path of rotations, and their angular velocities. See rotation_path.h.
 *
 * The integral of the angular velocity over a step of T, from velocity a to velocity b, is the rotation
 * vector of the step and T^2 / 12 a x b: the second term of the series of W. Magnus, "On the exponential
 * solution of differential equations for a linear operator" (Comm. Pure Appl. Math. 7, 1954).  */
#include "whole/rotation_path.h"

#include "springs/rotations/rotation.h"

#include <string.h>

/* Adds to the rotation vector of a step the second term, where the velocity turns from a to b. */
static void add_turning(double T, const double a[3], const double b[3], double step[3])
{
    for (size_t x = 0, y = 1, z = 2; x < 3; x++, y = (y + 1) % 3, z = (z + 1) % 3)
        step[x] += T * T / 12 * (a[y] * b[z] - a[z] * b[y]);
}

void rotation_path_begin(const struct samples *run, const double *T, double *rotation)
{
    double way[3];
    memcpy(rotation, run->value, 4 * run->n * sizeof *rotation);
    for (size_t k = 1, known = 0; k < run->n; k++) {
        if (!samples_known(run, k))
            continue;
        double duration = 0, time = 0;
        for (size_t i = known + 1; i <= k; i++)
            duration += T[i];
        if (k > known + 1)
            rotation_vector(run->value + 4 * k, run->value + 4 * known, way);
        for (size_t i = known + 1; i < k; i++) {
            time += T[i];
            memcpy(rotation + 4 * i, run->value + 4 * known, 4 * sizeof *rotation);
            rotation_turn(rotation + 4 * i, way, time / duration);
        }
        known = k;
    }
}

void rotation_path_set(const struct samples *run, const double *T, const double *rotation,
                       const double *velocity, double *path, double *goal)
{
    for (size_t k = 0; k < run->n; k++) {
        double step[3] = { 0 }, off[3] = { 0 };
        if (k > 0)
            rotation_vector(rotation + 4 * k, rotation + 4 * (k - 1), step);
        if (k > 0 && velocity)
            add_turning(T[k], velocity + 3 * (k - 1), velocity + 3 * k, step);
        if (samples_known(run, k))
            rotation_vector(run->value + 4 * k, rotation + 4 * k, off);
        for (size_t c = 0; c < 3; c++) {
            path[3 * k + c] = (k > 0 ? path[3 * (k - 1) + c] : 0) + step[c];
            goal[3 * k + c] = path[3 * k + c] + off[c];
        }
    }
}
