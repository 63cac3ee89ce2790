/* The path of rotations, and their angular velocities. See rotation_path.h.
 *
 * The integral of the angular velocity over a step of T, from velocity a to velocity b, is the rotation
 * vector of the step and T^2 / 12 a x b: the second term of the series of W. Magnus, "On the exponential
 * solution of differential equations for a linear operator" (Comm. Pure Appl. Math. 7, 1954). The second term
 * needs the velocities, so the velocities are found twice, first without the second term. */
#include "whole/rotation_path.h"

#include "springs/rotations/rotation.h"
#include "whole/spline_slopes.h"

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

/* Sets v to the integral over each step, v[c][0] being 0. known: on entry v holds velocities, for the second
 * term of the series. */
static void integrate_steps(const double *T, const double *q, size_t n, double *const v[3], bool known)
{
    double a[3] = { v[0][0], v[1][0], v[2][0] };
    for (size_t k = 1; k < n; k++) {
        double step[3], b[3] = { v[0][k], v[1][k], v[2][k] };
        rotation_vector(q + 4 * k, q + 4 * (k - 1), step);
        if (known)
            add_turning(T[k], a, b, step);
        for (size_t c = 0; c < 3; c++)
            v[c][k] = step[c];
        memcpy(a, b, sizeof a);
    }
    for (size_t c = 0; c < 3; c++)
        v[c][0] = 0;
}

void rotation_path_velocity(const double *T, const bool *point, const double *q, size_t n, double *const v[3],
                            double *const room[4])
{
    double time = 0;
    for (size_t k = 1; k < n; k++)
        time += T[k];
    for (int round = 0; round < 2; round++) {
        integrate_steps(T, q, n, v, round > 0);
        for (size_t c = 0; c < 3; c++) {
            double mean = 0;
            for (size_t k = 1; k < n; k++)
                mean += v[c][k];
            mean = time > 0 ? mean / time : 0;
            for (size_t k = 1; k < n; k++)
                v[c][k] += v[c][k - 1] - mean * T[k];
            spline_slopes_with_points(T, point, v[c], n, false, room);
            for (size_t k = 0; k < n; k++)
                v[c][k] += mean;
        }
    }
}
