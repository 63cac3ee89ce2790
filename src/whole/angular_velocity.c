/* Angular velocities from rotations. See angular_velocity.h.
 *
 * The integral of the angular velocity over a step of T, from velocity a to velocity b, is the rotation
 * vector of the step and T^2 / 12 a x b: the second term of the series of W. Magnus, "On the exponential
 * solution of differential equations for a linear operator" (Comm. Pure Appl. Math. 7, 1954). The second term
 * needs the velocities, so the velocities are found twice, first without the second term. */
#include "whole/angular_velocity.h"

#include "springs/rotation.h"
#include "whole/spline_slopes.h"

/* Sets v to the integral over each step, v[c][0] being 0. known: on entry v holds velocities, for the second
 * term of the series. */
static void integrate_steps(const double *T, const double *q, size_t n, double *const v[3], bool known)
{
    double a[3] = { v[0][0], v[1][0], v[2][0] };
    for (size_t k = 1; k < n; k++) {
        double step[3], b[3] = { v[0][k], v[1][k], v[2][k] };
        rotation_vector(q + 4 * k, q + 4 * (k - 1), step);
        for (size_t x = 0, y = 1, z = 2; x < 3; x++, y = (y + 1) % 3, z = (z + 1) % 3)
            v[x][k] = step[x] + (known ? T[k] * T[k] / 12 * (a[y] * b[z] - a[z] * b[y]) : 0);
        memcpy(a, b, sizeof a);
    }
    for (size_t c = 0; c < 3; c++)
        v[c][0] = 0;
}

void angular_velocity(const double *T, const double *q, size_t n, double *const v[3], double *room)
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
            spline_slopes(T, v[c], n, false, room);
            for (size_t k = 0; k < n; k++)
                v[c][k] += mean;
        }
    }
}
