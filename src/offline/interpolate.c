/* Values between two rows. See interpolate.h.
 *
 * From a to b, where it is the way, the curve over a gap differs from the straight one by
 *     t (t - T) ((1 - t/T) before + t/T after)
 * before and after being second divided differences: of the parabola through a, b and the sample before a,
 * and of that through a, b and the sample after b. This is the cubic Hermite curve whose slopes at a and b
 * are those of the two parabolas (Bessel's; C. de Boor, "A Practical Guide to Splines", chapter IV). Where
 * one of the outer samples is not known it is the other parabola. Rotations are vectors relative to a. */
#include "offline/interpolate.h"

#include <math.h>

/* period: of angles; else 0. */
static void interpolate_numbers(const double *fraction, size_t n, double a, double b, double period,
                                double *x)
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

/* Sets x to the rotation `from`, turned by a vector; still: by none. near: numbers to which angles are near.
 */
static void turned(const struct rotation *r, const double from[4], const double turn[3], bool still,
                   const double near[4], double x[4])
{
    double at[4] = { from[0], from[1], from[2], from[3] };
    rotation_turn(at, turn, 1);
    rotation_unit(at);
    rotations_print(r, near, at, still, x);
}

/* n samples of a unit between a and b; x: columns. */
static void interpolate(const struct unit *u, const double *fraction, size_t n, const double a[4],
                        const double b[4], double *const x[4])
{
    const struct rotation *r = u->rotation;
    double from[4], to[4], turn[3], print[4];
    bool gap = false;
    if (!r) {
        interpolate_numbers(fraction, n, a[0], b[0], u->period, x[0]);
        return;
    }
    for (size_t k = 0; k < r->ncolumn; k++)
        gap |= isnan(a[k] + b[k]);
    rotations_target(r, a, from);
    rotations_target(r, b, to);
    rotation_vector(to, from, turn);
    bool still = turn[0] == 0 && turn[1] == 0 && turn[2] == 0;
    for (size_t i = 0; i < n; i++) {
        const double part[3] = { turn[0] * fraction[i], turn[1] * fraction[i], turn[2] * fraction[i] };
        turned(r, from, part, still, a, print);
        for (size_t k = 0; k < r->ncolumn; k++)
            x[k][i] = gap ? (double)NAN : print[k];
    }
}

void interpolate_rows(const struct rotations *all, const double *fraction, size_t n, const double *a,
                      const struct block *b, size_t i, bool held, const struct block *to,
                      double *column(const struct block *b, size_t channel))
{
    for (const struct unit *u = all->unit; u < all->unit + all->nunit; u++) {
        double *x[4], first[4], last[4];
        for (size_t c = 0; c < u->nchannel; c++) {
            x[c] = column(to, u->channel[c]) + to->nrow;
            first[c] = a[u->channel[c]];
            last[c] = column(b, u->channel[c])[i];
            last[c] = held && !isnan(last[c]) ? first[c] : last[c];
        }
        interpolate(u, fraction, n, first, last, x);
    }
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

struct gap_curve gap_curve_make(const struct unit *u, const double a[4], const double b[4], double T)
{
    struct gap_curve c = { .unit = u, .T = T };
    memcpy(c.a, a, sizeof c.a);
    memcpy(c.b, b, sizeof c.b);
    gap_way(u, a, b, c.way);
    return c;
}

void gap_curve_bend(struct gap_curve *c, const double *before, double t_before, const double *after,
                    double t_after)
{
    double y[3];
    if (before) {
        gap_way(c->unit, c->a, before, y);
        for (size_t k = 0; k < 3; k++)
            c->before[k] = c->after[k] = (c->way[k] / c->T - y[k] / t_before) / (c->T - t_before);
    }
    if (!after)
        return;
    gap_way(c->unit, c->unit->rotation ? c->a : c->b, after, y);
    if (c->unit->rotation)
        rotation_unwrap(y, c->way);
    else
        y[0] += c->way[0];
    for (size_t k = 0; k < 3; k++) {
        c->after[k] = ((y[k] - c->way[k]) / (t_after - c->T) - c->way[k] / c->T) / t_after;
        c->before[k] = before ? c->before[k] : c->after[k];
    }
}

void gap_curve_at(const struct gap_curve *c, double t, double x[4])
{
    double part = c->T > 0 ? t / c->T : 0, bend[3];
    for (size_t k = 0; k < 3; k++)
        bend[k] = t * (t - c->T) * ((1 - part) * c->before[k] + part * c->after[k]);
    const struct rotation *r = c->unit->rotation;
    if (!r) {
        interpolate_numbers(&part, 1, c->a[0], c->b[0], c->unit->period, x);
        x[0] += bend[0];
        return;
    }
    bool still = true;
    double turn[3], from[4];
    for (size_t k = 0; k < 3; k++) {
        turn[k] = part * c->way[k] + bend[k];
        still &= turn[k] == 0;
    }
    rotations_target(r, c->a, from);
    turned(r, from, turn, still, still ? c->a : x, x);
}
