/* Ways between samples, and curves over gaps. See gap_curve.h.
 *
 * From sample a to sample b, the curve differs from the straight way by
 *
 *     t (t - T) ((1 - t/T) before + t/T after)
 *
 * where `before` is the second divided difference of the parabola through a, b and the sample before a, and
 * `after` that of the parabola through a, b and the sample after b. This is the cubic Hermite curve whose
 * slopes at a and b are the slopes of the two parabolas (Bessel's; C. de Boor, "A Practical Guide to
 * Splines", chapter IV). Where one outer sample is not known, the parabola through the other outer sample
 * gives both differences. Rotations are taken as rotation vectors relative to a. */
#include "whole/gap_curve.h"

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

struct gap_curve gap_curve_make(struct sample_kind kind, const double sample[4][4], const double time[4])
{
    bool has_before = !isnan(time[0]), has_after = !isnan(time[3]);
    struct gap_curve curve = { .kind = kind, .T = time[2] };
    double way[3]; /* way to the outer sample */
    memcpy(curve.a, sample[1], sizeof curve.a);
    memcpy(curve.b, sample[2], sizeof curve.b);
    sample_way(kind, curve.a, curve.b, curve.way);
    if (has_before) {
        sample_way(kind, curve.a, sample[0], way);
        for (size_t k = 0; k < 3; k++)
            curve.before[k] = curve.after[k] = (curve.way[k] / curve.T - way[k] / time[0]) /
                                               (curve.T - time[0]);
    }
    if (!has_after)
        return curve;
    sample_way(kind, kind.rotation ? curve.a : curve.b, sample[3], way);
    if (kind.rotation)
        rotation_unwrap(way, curve.way);
    for (size_t k = 0; k < 3 && !kind.rotation; k++)
        way[k] += curve.way[k];
    for (size_t k = 0; k < 3; k++) {
        curve.after[k] = ((way[k] - curve.way[k]) / (time[3] - curve.T) - curve.way[k] / curve.T) / time[3];
        curve.before[k] = has_before ? curve.before[k] : curve.after[k];
    }
    return curve;
}

bool gap_curve_at(const struct gap_curve *curve, double t, double x[4])
{
    double part = curve->T > 0 ? t / curve->T : 0, bend[3];
    for (size_t k = 0; k < 3; k++)
        bend[k] = t * (t - curve->T) * ((1 - part) * curve->before[k] + part * curve->after[k]);
    for (size_t k = 0; k < 3 && !curve->kind.rotation; k++)
        x[k] = sample_between(curve->a[k], curve->b[k], part, curve->kind.period) + bend[k];
    if (!curve->kind.rotation)
        return false;
    bool still = true;
    double turn[3];
    memcpy(x, curve->a, sizeof curve->a);
    for (size_t k = 0; k < 3; k++) {
        turn[k] = part * curve->way[k] + bend[k];
        still &= turn[k] == 0;
    }
    rotation_turn(x, turn, 1);
    rotation_unit(x);
    return still;
}
