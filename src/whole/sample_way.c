/* Ways between samples. See sample_way.h. */
#include "whole/sample_way.h"

#include "springs/rotations/rotation.h"

double sample_between(double a, double b, double fraction, double period)
{
    double way = b - a;
    if (period > 0)
        way -= period * angle_turns(way, period);
    if (!isfinite(way)) /* the difference overflows, or a sample is missing */
        return a * (1 - fraction) + b * fraction;
    return fraction < 0.5 ? a + way * fraction : b - way * (1 - fraction);
}

void sample_way(struct sample_kind kind, const double from[4], const double to[4], double way[3])
{
    if (kind.rotation) {
        rotation_vector(to, from, way);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
    if (kind.period > 0)
        way[0] = remainder(way[0], kind.period);
}

bool sample_on_way(struct sample_kind kind, const double a[4], const double b[4], double fraction,
                   double x[4])
{
    double way[3];
    if (!kind.rotation) {
        for (size_t k = 0; k < 3; k++)
            x[k] = sample_between(a[k], b[k], fraction, kind.period);
        return false;
    }
    sample_way(kind, a, b, way);
    bool still = true;
    for (size_t k = 0; k < 3; k++) {
        way[k] *= fraction;
        still = still && way[k] == 0;
    }
    memcpy(x, a, 4 * sizeof *x);
    rotation_turn(x, way, 1);
    rotation_unit(x);
    return still;
}
