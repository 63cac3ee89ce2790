/* Curves through neighbours. See despike_curve.h.
 *
 * The scale of residuals is a multiple of the median of their absolute values over the window, 1.4826 times
 * for numbers (despike_median_to_scale; F. R. Hampel, "The influence curve and its role in robust
 * estimation", JASA 69, 1974), with the neighbours in the same places for every sample: so the scale contains
 * both the noise and the bend of the motion, as far as neighbours in these places show noise and bend. */
#include "whole/despike_curve.h"

#include "whole/despike_plain.h"
#include "whole/noise.h"

#include <math.h>
#include <string.h>

enum {
    DEGREES = 4,                 /* degrees 0 to 3 of polynomials */
    FARTHEST = 5 + DESPIKE_SPAN, /* samples from a sample to its farthest neighbour, at most */
    LEAST = 2                    /* fewest distances of a median */
};

#define LESS (1 - 1e-9) /* a product must be less than this part of another product to be the lesser one */

/* --- neighbours --- */

struct despike_sides despike_find_sides(const struct despike_view *view, const struct despike_set *set,
                                        size_t i, size_t most)
{
    struct despike_sides sides;
    ptrdiff_t own = (ptrdiff_t)i, n = (ptrdiff_t)view->window->n;
    const unsigned *part = view->part;
    sides.nbefore = sides.nafter = 0;
    for (ptrdiff_t k = 1; k <= FARTHEST && sides.nbefore < most; k++) {
        if (own < k || part[own - k] != part[own])
            break;
        if (!despike_set_has(set, own - k))
            sides.before[sides.nbefore++] = -k;
    }
    for (ptrdiff_t k = 1; k <= FARTHEST && sides.nafter < most; k++) {
        if (own + k >= n || part[own + k] != part[own])
            break;
        if (!despike_set_has(set, own + k))
            sides.after[sides.nafter++] = k;
    }
    return sides;
}

/* The cubic through the nearest samples: nbefore before the sample, and DESPIKE_CUBIC - nbefore after. */
static struct despike_curve take_nearest(const struct despike_sides *sides, size_t nbefore)
{
    struct despike_curve curve = { .n = DESPIKE_CUBIC };
    for (size_t k = 0; k < nbefore; k++)
        curve.place[k] = sides->before[nbefore - 1 - k];
    for (size_t k = nbefore; k < DESPIKE_CUBIC; k++)
        curve.place[k] = sides->after[k - nbefore];
    return curve;
}

bool despike_curve_between(struct despike_curve *curve, const struct despike_sides *sides)
{
    if (sides->nbefore < 2 || sides->nafter < 2)
        return false;
    *curve = take_nearest(sides, 2);
    return true;
}

bool despike_curve_nearest(struct despike_curve *curve, const double *t, size_t i,
                           const struct despike_sides *sides)
{
    /* samples before sample i; as many before as after is tried first */
    static const size_t orders[] = { 2, 1, 3, 0, 4 };
    const double *own = t + i;
    double least = INFINITY;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        size_t nbefore = orders[k], nafter = DESPIKE_CUBIC - nbefore;
        double product = 1;
        if (nbefore > sides->nbefore || nafter > sides->nafter)
            continue;
        for (size_t j = 0; j < nbefore; j++)
            product *= *own - own[sides->before[j]];
        for (size_t j = 0; j < nafter; j++)
            product *= own[sides->after[j]] - *own;
        if (!(product < least * LESS))
            continue;
        least = product;
        *curve = take_nearest(sides, nbefore);
    }
    return least < INFINITY;
}

bool despike_curve_one_side(struct despike_curve *curve, const struct despike_sides *sides, bool after)
{
    size_t nside = after ? sides->nafter : sides->nbefore;
    if (nside < curve->n)
        return false;
    memcpy(curve->place, after ? sides->after : sides->before, curve->n * sizeof *curve->place);
    return true;
}

/* Are sample i and its neighbours in one part of the window? */
static bool fits_in(const struct despike_view *view, size_t i, const struct despike_curve *curve)
{
    for (size_t k = 0; k < curve->n; k++) {
        ptrdiff_t place = (ptrdiff_t)i + curve->place[k];
        if (place < 0 || place >= (ptrdiff_t)view->window->n || view->part[place] != view->part[i])
            return false;
    }
    return true;
}

/* --- weights --- */

/* By Lagrange. */
void despike_weigh_cubic(const double *at, double *weight)
{
    for (size_t i = 0; i < DESPIKE_CUBIC; i++) {
        weight[i] = 1;
        for (size_t j = 0; j < DESPIKE_CUBIC; j++)
            if (j != i)
                weight[i] *= at[j] / (at[j] - at[i]);
    }
}

/* Weights of the neighbours in the value at time 0 of the polynomial fitted by least squares, by polynomials
 * that are orthonormal over the neighbours (Gram and Schmidt). at: times of the neighbours. */
static void weigh_fit(const struct despike_curve *curve, const double *at, double *weight)
{
    double p[DEGREES][DESPIKE_FITTED], p_at_0[DEGREES], end = at[curve->n - 1];
    size_t n = curve->n;
    memset(weight, 0, n * sizeof *weight);
    for (size_t d = 0; d <= curve->degree; d++) {
        double square = 0;
        for (size_t i = 0; i < n; i++)
            p[d][i] = d == 0 ? 1 : at[i] / end * p[d - 1][i];
        p_at_0[d] = d == 0;
        for (size_t k = 0; k < d; k++) {
            double along = 0;
            for (size_t i = 0; i < n; i++)
                along += p[d][i] * p[k][i];
            for (size_t i = 0; i < n; i++)
                p[d][i] -= along * p[k][i];
            p_at_0[d] -= along * p_at_0[k];
        }
        for (size_t i = 0; i < n; i++)
            square += p[d][i] * p[d][i];
        double scale = square > 0 ? 1 / sqrt(square) : 0;
        for (size_t i = 0; i < n; i++)
            p[d][i] *= scale;
        p_at_0[d] *= scale;
        for (size_t i = 0; i < n; i++)
            weight[i] += p_at_0[d] * p[d][i];
    }
}

/* Weights of the neighbours in the value of the curve at time 0. at: times of the neighbours. */
static void weigh_at(const struct despike_curve *curve, const double *at, double *weight)
{
    if (curve->degree == 0)
        despike_weigh_cubic(at, weight);
    else
        weigh_fit(curve, at, weight);
}

/* Weights of the neighbours of sample i in the value of the curve at sample i. */
static void weigh_neighbours(const struct despike_view *view, size_t i, const struct despike_curve *curve,
                             double weight[DESPIKE_FITTED])
{
    double at[DESPIKE_FITTED];
    const double *own = view->window->t + i;
    for (size_t k = 0; k < curve->n; k++)
        at[k] = view->even ? (double)curve->place[k] : own[curve->place[k]] - *own;
    weigh_at(curve, at, weight);
}

/* --- distances --- */

static double find_distance(const struct despike_window *window, size_t i, const struct despike_curve *curve,
                            const double weight[DESPIKE_FITTED])
{
    double square = 0;
    for (size_t c = 0; c < window->ncolumn; c++) {
        const double *x = window->column[c] + i;
        double off = 0;
        for (size_t k = 0; k < curve->n; k++)
            off += weight[k] * (x[curve->place[k]] - *x);
        square += off * off;
    }
    return isnan(square) ? INFINITY : sqrt(square);
}

double despike_curve_distance(const struct despike_view *view, size_t i, const struct despike_curve *curve)
{
    double weight[DESPIKE_FITTED];
    weigh_neighbours(view, i, curve, weight);
    return find_distance(view->window, i, curve, weight);
}

double despike_curve_scale(const struct despike_view *view, const struct despike_set *set, size_t own,
                           const struct despike_curve *curve)
{
    double distance[DESPIKE_MOST_SAMPLES], weight[DESPIKE_FITTED];
    size_t n = 0;
    bool weighed = false;
    for (size_t i = 0; i < view->window->n; i++) {
        bool outside = i != own && !despike_set_has(set, (ptrdiff_t)i) && fits_in(view, i, curve);
        for (size_t k = 0; k < curve->n && outside; k++)
            outside = !despike_set_has(set, (ptrdiff_t)i + curve->place[k]);
        if (!outside)
            continue;
        if (!weighed || !view->even)
            weigh_neighbours(view, i, curve, weight);
        weighed = true;
        distance[n++] = find_distance(view->window, i, curve, weight);
    }
    return n < LEAST ? (double)NAN
                     : despike_median_to_scale(view->window->ncolumn) * noise_median(distance, n);
}

/* How much larger than the noise of samples is the noise of a distance with these weights? */
static double find_gain(const double *weight, size_t n)
{
    double square = 1;
    for (size_t k = 0; k < n; k++)
        square += weight[k] * weight[k];
    return sqrt(square);
}

double despike_curve_strain(const struct despike_view *view, size_t i, const struct despike_curve *curve)
{
    double even_at[DESPIKE_FITTED], weight[DESPIKE_FITTED], even_weight[DESPIKE_FITTED];
    if (view->even)
        return 1;
    for (size_t k = 0; k < curve->n; k++)
        even_at[k] = (double)curve->place[k];
    weigh_at(curve, even_at, even_weight);
    weigh_neighbours(view, i, curve, weight);
    return fmax(1, find_gain(weight, curve->n) / find_gain(even_weight, curve->n));
}

struct despike_residual despike_curve_residual(const struct despike_view *view, const struct despike_set *set,
                                               size_t i, const struct despike_curve *curve)
{
    double weight[DESPIKE_FITTED], weights = 1;
    struct despike_residual residual = { .scale = INFINITY };
    weigh_neighbours(view, i, curve, weight);
    for (size_t k = 0; k < curve->n; k++)
        weights += fabs(weight[k]);
    residual.off = find_distance(view->window, i, curve, weight);
    residual.rounding = weights * view->rounding;
    residual.last_bit = weights * view->last_bit;
    if (residual.off > view->factor / 2 * view->scale + residual.last_bit)
        residual.scale = despike_curve_scale(view, set, i, curve);
    return residual;
}
