/* Values between two rows. See interpolate.h. */
#include "offline/interpolate.h"

#include "series/rotation.h"
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

void interpolate_rotations(const double *fraction, size_t n, const double a[4], const double b[4],
                           double *const x[4])
{
    double from[4], to[4], way[4], turn[3], part[3];
    bool same = true, opposite = true;
    for (int k = 0; k < 4; k++) {
        from[k] = a[k];
        to[k] = b[k];
        same = same && a[k] == b[k];
        opposite = opposite && a[k] == -b[k];
    }
    bool turns = rotation_unit(from) && rotation_unit(to) && !same && !opposite;
    if (turns) {
        rotation_between(to, from, way);
        rotation_log(way, turn);
    }
    bool gap = isnan(a[0] + a[1] + a[2] + a[3] + b[0] + b[1] + b[2] + b[3]);
    for (size_t i = 0; i < n; i++) {
        double q[4] = { a[0], a[1], a[2], a[3] };
        for (int k = 0; k < 3 && turns; k++)
            part[k] = turn[k] * fraction[i];
        if (turns) {
            rotation_exp(part, way);
            rotation_multiply(way, from, q);
            rotation_unit(q);
        }
        for (int k = 0; k < 4; k++)
            x[k][i] = gap ? (double)NAN : q[k];
    }
}
