/* Parabolas that fade out. See bent_extension.h. */
#include "whole/bent_extension.h"

#include <math.h>

/* With r(u) the response u steps from its middle, what the filter makes of the corner at the end is, t steps
 * inside the run,
 *
 *     G(t) = sum of r(u) (u - t)^2 over u > t
 *
 * times -c, plus c times the constant that the filter adds to a parabola t^2 / 2, which is G(0). If the part
 * p of c t^2 is added, (1 - p) G(t) takes the place of G(t). At the end the error is p G(0): so p is the
 * less, the larger G(0) is beside the largest G. The sums over u > t of r, of r (u - t) and of r (u - t)^2
 * follow from the sums for t + 1. */
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

/* What is added at t seconds from an end, t <= fade. The fading factor is so flat at the end that a filter
 * whose gain has no term of sixth order in the frequency, such as Butterworth's, does not see the fading
 * there. */
static double parabola_at(const struct bent_ends *ends, double curvature, double t)
{
    double square = (t / ends->fade) * (t / ends->fade), left = 1 - square * square;
    return ends->part * curvature * t * t * left * left;
}

void bent_extension_fill(const struct bent_ends *ends, double *bend)
{
    const double *time = ends->time;
    size_t last = ends->n - 1;
    for (size_t k = 0; k <= last; k++)
        bend[k] = 0;
    for (size_t k = 1; k < last && time[k] < ends->fade; k++)
        bend[k] += parabola_at(ends, ends->curvature[0], time[k]);
    for (size_t k = last; k-- > 1 && time[last] - time[k] < ends->fade;)
        bend[k] += parabola_at(ends, ends->curvature[1], time[last] - time[k]);
}
