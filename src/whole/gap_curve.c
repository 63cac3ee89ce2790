/* Ways between samples, and curves over gaps. See gap_curve.h.
 *
 * From sample a to sample b, with way the straight way between them, the curve differs from the straight one
 * by t (t - T) ((1 - t/T) before + t/T after) before and after being second divided differences: of the
 * parabola through a, b and the sample before a, and of the parabola through a, b and the sample after b.
 * This is the cubic Hermite curve whose slopes at a and b are the slopes of the two parabolas (Bessel's; C.
 * de Boor, "A Practical Guide to Splines", chapter IV). Where one of the outer samples is not known, both are
 * the parabola of the other one. Rotations are rotation vectors relative to a. */
#include "whole/gap_curve.h"

#include "springs/rotation.h"

double sample_between(double a, double b, double fraction, double period)
{
    double way = b - a;
    if (period > 0)
        way -= period * round(way / period);
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
    way[0] = to[0] - from[0];
    way[1] = way[2] = 0;
    if (kind.period > 0)
        way[0] = remainder(way[0], kind.period);
}

struct gap_curve gap_curve_make(struct sample_kind kind, const double sample[4][4], const double time[4])
{
    bool has_before = !isnan(time[0]), has_after = !isnan(time[3]);
    struct gap_curve c = { .kind = kind, .T = time[2] };
    double way[3]; /* to an outer sample */
    memcpy(c.a, sample[1], sizeof c.a);
    memcpy(c.b, sample[2], sizeof c.b);
    sample_way(kind, c.a, c.b, c.way);
    if (has_before) {
        sample_way(kind, c.a, sample[0], way);
        for (size_t k = 0; k < 3; k++)
            c.before[k] = c.after[k] = (c.way[k] / c.T - way[k] / time[0]) / (c.T - time[0]);
    }
    if (!has_after)
        return c;
    sample_way(kind, kind.rotation ? c.a : c.b, sample[3], way);
    if (kind.rotation)
        rotation_unwrap(way, c.way);
    else
        way[0] += c.way[0];
    for (size_t k = 0; k < 3; k++) {
        c.after[k] = ((way[k] - c.way[k]) / (time[3] - c.T) - c.way[k] / c.T) / time[3];
        c.before[k] = has_before ? c.before[k] : c.after[k];
    }
    return c;
}

bool gap_curve_at(const struct gap_curve *c, double t, double x[4])
{
    double part = c->T > 0 ? t / c->T : 0, bend[3];
    for (size_t k = 0; k < 3; k++)
        bend[k] = t * (t - c->T) * ((1 - part) * c->before[k] + part * c->after[k]);
    if (!c->kind.rotation) {
        x[0] = sample_between(c->a[0], c->b[0], part, c->kind.period) + bend[0];
        return false;
    }
    bool still = true;
    double turn[3];
    memcpy(x, c->a, sizeof c->a);
    for (size_t k = 0; k < 3; k++) {
        turn[k] = part * c->way[k] + bend[k];
        still &= turn[k] == 0;
    }
    rotation_turn(x, turn, 1);
    rotation_unit(x);
    return still;
}
