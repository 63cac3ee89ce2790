/* Values between two rows. See interpolate.h. */
#include "offline/interpolate.h"

#include <math.h>

void interpolate_numbers(const double *fraction, size_t n, double a, double b, double period, double *x)
{
    double d = b - a;
    if (period > 0)
        d -= period * round(d / period);
    for (size_t i = 0; i < n; i++) {
        double f = fraction[i];
        x[i] = f < 0.5 ? a + d * f : b - d * (1 - f);
    }
    if (!isfinite(d))
        for (size_t i = 0; i < n; i++)
            x[i] = a * (1 - fraction[i]) + b * fraction[i];
}

void interpolate_rotations(const struct rotation *r, const double *fraction, size_t n, const double a[4],
                           const double b[4], double *const x[4])
{
    double from[4], to[4], way[4], turn[3], print[4];
    bool gap = false;
    for (size_t k = 0; k < r->ncolumn; k++)
        gap |= isnan(a[k] + b[k]);
    rotations_target(r, a, from);
    rotations_target(r, b, to);
    rotation_vector(to, from, turn);
    bool still = turn[0] == 0 && turn[1] == 0 && turn[2] == 0;
    for (size_t i = 0; i < n; i++) {
        const double part[3] = { turn[0] * fraction[i], turn[1] * fraction[i], turn[2] * fraction[i] };
        struct rotation_result at = { .at_goal = still };
        rotation_exp(part, way);
        rotation_multiply(way, from, at.x);
        rotation_unit(at.x);
        rotations_print(r, a, &at, print);
        for (size_t k = 0; k < r->ncolumn; k++)
            x[k][i] = gap ? (double)NAN : print[k];
    }
}
