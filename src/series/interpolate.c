/* Values between two rows. See interpolate.h.
 *
 * From a to b, where it is the way, the curve over a gap differs from the straight one by
 *     t (t - T) ((1 - t/T) before + t/T after)
 * before and after being second divided differences: of the parabola through a, b and the sample before a,
 * and of that through a, b and the sample after b. This is the cubic Hermite curve whose slopes at a and b
 * are those of the two parabolas (Bessel's; C. de Boor, "A Practical Guide to Splines", chapter IV). Where
 * one of the outer samples is not known it is the other parabola. Rotations are vectors relative to a. */
#include "series/interpolate.h"

#include <math.h>

/* period: of angles; else 0. */
static double between(double a, double b, double f, double period)
{
    double d = b - a;
    if (period > 0)
        d -= period * round(d / period);
    if (!isfinite(d))
        return a * (1 - f) + b * f;
    return f < 0.5 ? a + d * f : b - d * (1 - f);
}

void gap_way(const struct unit *u, const double from[4], const double to[4], double way[3])
{
    double p[4], q[4];
    rotations_target(u->rotation, from, p);
    rotations_target(u->rotation, to, q);
    rotations_way(u->rotation, p, q, way);
    if (u->period > 0)
        way[0] = remainder(way[0], u->period);
}

struct gap_curve gap_curve_make(const struct unit *u, const double x[4][4], const double t[4])
{
    struct gap_curve c = { .unit = u, .T = t[2] };
    double y[3];
    memcpy(c.a, x[1], sizeof c.a);
    memcpy(c.b, x[2], sizeof c.b);
    gap_way(u, c.a, c.b, c.way);
    rotations_target(u->rotation, c.a, c.from);
    if (!isnan(t[0])) {
        gap_way(u, c.a, x[0], y);
        for (size_t k = 0; k < 3; k++)
            c.before[k] = c.after[k] = (c.way[k] / c.T - y[k] / t[0]) / (c.T - t[0]);
    }
    if (isnan(t[3]))
        return c;
    gap_way(u, u->rotation ? c.a : c.b, x[3], y);
    if (u->rotation)
        rotation_unwrap(y, c.way);
    else
        y[0] += c.way[0];
    for (size_t k = 0; k < 3; k++) {
        c.after[k] = ((y[k] - c.way[k]) / (t[3] - c.T) - c.way[k] / c.T) / t[3];
        c.before[k] = isnan(t[0]) ? c.after[k] : c.before[k];
    }
    return c;
}

void gap_curve_at(const struct gap_curve *c, double t, const double near[4], double x[4])
{
    double part = c->T > 0 ? t / c->T : 0, bend[3];
    for (size_t k = 0; k < 3; k++)
        bend[k] = t * (t - c->T) * ((1 - part) * c->before[k] + part * c->after[k]);
    const struct rotation *r = c->unit->rotation;
    if (!r) {
        x[0] = between(c->a[0], c->b[0], part, c->unit->period) + bend[0];
        return;
    }
    bool still = true;
    double turn[3], to[4];
    memcpy(to, c->from, sizeof to);
    for (size_t k = 0; k < 3; k++) {
        turn[k] = part * c->way[k] + bend[k];
        still &= turn[k] == 0;
    }
    rotation_turn(to, turn, 1);
    rotation_unit(to);
    rotations_print(r, still ? c->a : near, to, still, x);
}

void interpolate_rows(const struct rotations *all, const double *fraction, size_t n, const double *a,
                      const struct block *b, size_t i, bool held, const struct block *to,
                      double *column(const struct block *b, size_t channel))
{
    for (const struct unit *u = all->unit; u < all->unit + all->nunit; u++) {
        const double time[4] = { NAN, 0, 1, NAN };
        double *x[4], end[4][4], *first = end[1], *last = end[2];
        bool gap = false;
        for (size_t c = 0; c < u->nchannel; c++) {
            x[c] = column(to, u->channel[c]) + to->nrow;
            first[c] = a[u->channel[c]];
            last[c] = column(b, u->channel[c])[i];
            last[c] = held && !isnan(last[c]) ? first[c] : last[c];
            gap |= isnan(first[c] + last[c]);
        }
        for (size_t k = 0; k < n && !u->rotation; k++)
            x[0][k] = between(first[0], last[0], fraction[k], u->period);
        if (!u->rotation)
            continue;
        struct gap_curve curve = gap_curve_make(u, end, time);
        for (size_t k = 0; k < n; k++) {
            double print[4];
            gap_curve_at(&curve, fraction[k], first, print);
            for (size_t c = 0; c < u->nchannel; c++)
                x[c][k] = gap ? (double)NAN : print[c];
        }
    }
}
