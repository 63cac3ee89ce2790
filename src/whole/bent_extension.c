/* Parabolas that fade out. See bent_extension.h. */
#include "whole/bent_extension.h"

#include "springs/rotation.h"

#include <math.h>
#include <string.h>

/* Let r(u) be the response u steps from its middle, and
 *
 *     G(k) = sum of r(u) (u - k)^2 over u > k
 *
 * G(0) is the constant that the filter adds to a parabola t^2 / 2. The corner at the end adds c (G(0) - G(k))
 * to the result k steps inside the run. If the part p of c t^2 is added, (1 - p) G(k) takes the place of
 * G(k). At the end the error is p G(0): the part is 1 - |G(0)| / max |G|. The sums over u > k of r, of r (u -
 * k) and of r (u - k)^2 follow from the sums for k + 1. */
double bent_extension_part(const double *response, size_t last)
{
    const double *r = response + last / 2;
    double sum = 0, first = 0, second = 0, most = 0;
    for (size_t u = last - last / 2; u > 0; u--) {
        sum += r[u];
        second += 2 * first + sum;
        first += sum;
        most = fmax(most, fabs(second));
    }
    double part = 1 - fabs(second) / most;
    return part > 0 ? part : 0; /* also for NaN */
}

/* What is added at t seconds from an end. The fading factor is so flat at the end that a filter whose gain
 * has no term of sixth order in the frequency, such as Butterworth's, does not see the fading there. */
static double parabola_at(const struct bent_ends *ends, double curvature, double t)
{
    double square = (t / ends->fade) * (t / ends->fade), left = 1 - square * square;
    return t < ends->fade ? ends->part * curvature * t * t * left * left : 0;
}

/* What is added to a component of the reflection of sample k. */
static double bend_at(const struct bent_ends *ends, size_t component, size_t k)
{
    double t = ends->time[k], length = ends->time[ends->n - 1];
    return parabola_at(ends, ends->curvature[0][component], t) +
           parabola_at(ends, ends->curvature[1][component], length - t);
}

/* Index of the sample that is i samples from an end. */
static size_t index_from_end(const struct bent_ends *ends, bool at_last, size_t i)
{
    return at_last ? ends->n - 1 - i : i;
}

size_t bent_extension_count(const struct bent_ends *ends, bool at_last)
{
    double end = ends->time[index_from_end(ends, at_last, 0)];
    size_t count = 0;
    while (count < ends->n && fabs(ends->time[index_from_end(ends, at_last, count)] - end) < ends->fade)
        count++;
    return count;
}

void bent_extension_of_numbers(const struct bent_ends *ends, const double *residual, double *reflection)
{
    for (int end = 0; end < 2; end++) {
        size_t count = bent_extension_count(ends, end > 0);
        for (size_t i = 0; i < count; i++) {
            size_t k = index_from_end(ends, end > 0, i);
            reflection[k] = bend_at(ends, 0, k) - residual[k];
        }
    }
}

/* near: the vector v of the sample before, made the vector v of sample k. */
static void reflect_rotation(const struct bent_ends *ends, size_t k, const double residual[4], double near[3],
                             double reflection[4])
{
    static const double identity[4] = { 1, 0, 0, 0 };
    double v[3];
    rotation_log(residual, v);
    rotation_unwrap(v, near);
    memcpy(near, v, sizeof v);
    for (size_t c = 0; c < 3; c++)
        v[c] = bend_at(ends, c, k) - v[c];
    memcpy(reflection, identity, sizeof identity);
    rotation_turn(reflection, v, 1);
}

void bent_extension_of_rotations(const struct bent_ends *ends, const double *residual, double *reflection)
{
    for (int end = 0; end < 2; end++) {
        size_t count = bent_extension_count(ends, end > 0);
        double near[3] = { 0 };
        for (size_t i = 0; i < count; i++) {
            size_t k = index_from_end(ends, end > 0, i);
            reflect_rotation(ends, k, residual + 4 * k, near, reflection + 4 * k);
        }
    }
}
