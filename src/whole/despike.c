/* Samples that lie off the curve through their neighbours. See despike.h.
 *
 * The residual of a sample is its distance from the cubic through four neighbours, two on each side. The
 * scale of residuals is 1.4826 times the median of their absolute values over the window (F. R. Hampel, "The
 * influence curve and its role in robust estimation", JASA 69, 1974), for neighbours in the same places each
 * time: so the scale has both the noise and the bend of the motion in it, as much as these neighbours show of
 * them.
 *
 * A spike of size h gives its neighbours residuals of 2h/3 and h/6, and rows of a longer spike hide each
 * other. So sets of up to three samples among five are tried: all samples of a set must stand out from the
 * cubics through the nearest samples outside it, and the samples between and beside them, without the set,
 * must lie on one curve. At a step, a corner or an impact they do not, whatever is left out. Beside an end or
 * a long gap all neighbours lie on one side: there is nothing that could return, and the cubic gives way to a
 * curve that fits more samples, where that has the smaller scale. */
#include "whole/despike.h"

#include "whole/noise.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    NEIGHBOURS = 4, /* samples that a cubic goes through */
    FITTED = 8,     /* samples that a curve is fitted to, at most */
    DEGREES = 4,    /* of a cubic, and of lower ones */
    NEAR = 5,       /* neighbours may be so many samples away */
    SPAN = 5,       /* samples among which those of a set are */
    SET = 3,        /* samples of a set, at most */
    LEAST = 2,      /* residuals that a median is taken of */
    FEWEST = 9,     /* samples of a window that tells anything */
    MANY = 20       /* samples of a window of which most have no part in a set of spikes */
};

#define MAD_TO_SIGMA 1.4826
#define ROUNDINGS    8.0 /* of doubles in a sample that was computed */
#define BESIDE       0.2 /* of the least residual of a set: what its neighbours may have, without the set */
#define LESS         (1 - 1e-9)

size_t despike_rows(const struct despike_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? DESPIKE_USUAL_ROWS : (size_t)settings->window;
}

/* Places of the neighbours of a sample, in samples from it, and how much each counts. */
struct stencil {
    size_t n;                /* neighbours */
    ptrdiff_t place[FITTED]; /* their places */
    size_t degree;           /* of the polynomial that fits them best; through four goes the cubic */
};

/* --- residuals --- */

/* Weights of the neighbours in the value of the cubic at 0, by Lagrange. at: their times. */
static void weigh_cubic(const double at[NEIGHBOURS], double weight[NEIGHBOURS])
{
    for (size_t i = 0; i < NEIGHBOURS; i++) {
        weight[i] = 1;
        for (size_t j = 0; j < NEIGHBOURS; j++)
            if (j != i)
                weight[i] *= at[j] / (at[j] - at[i]);
    }
}

/* Weights of the neighbours in the value of the best polynomial at 0, by polynomials that are orthonormal
 * over them. */
static void weigh_fit(const struct stencil *stencil, const double *at, double *weight)
{
    double p[DEGREES][FITTED], p_at_0[DEGREES], end = at[stencil->n - 1];
    size_t n = stencil->n;
    memset(weight, 0, n * sizeof *weight);
    for (size_t d = 0; d <= stencil->degree; d++) {
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

/* What is known of the window, for all sets. */
struct view {
    const struct despike_window *w;
    double factor;
    bool even;    /* all steps are equal */
    double scale; /* of the residuals of all samples, by two neighbours on each side; 0: there are not many */
    double rounding; /* largest rounding error of each sample: in print, */
    double last_bit; /* and as a double */
};

/* Are sample i and its neighbours in the window? */
static bool fits_in(const struct despike_window *w, size_t i, const struct stencil *stencil)
{
    for (size_t k = 0; k < stencil->n; k++) {
        ptrdiff_t place = (ptrdiff_t)i + stencil->place[k];
        if (place < 0 || place >= (ptrdiff_t)w->n)
            return false;
    }
    return true;
}

/* Weights of the neighbours of sample i in the value that they give the sample. */
static void weigh(const struct view *v, size_t i, const struct stencil *stencil, double weight[FITTED])
{
    double at[FITTED];
    for (size_t k = 0; k < stencil->n; k++) {
        double after = v->w->t[(size_t)((ptrdiff_t)i + stencil->place[k])] - v->w->t[i];
        at[k] = v->even ? (double)stencil->place[k] : after;
    }
    if (stencil->n == NEIGHBOURS)
        weigh_cubic(at, weight);
    else
        weigh_fit(stencil, at, weight);
}

/* Residual of sample i; infinite where neighbours have one time. */
static double measure(const struct despike_window *w, size_t i, const struct stencil *stencil,
                      const double weight[FITTED])
{
    double square = 0;
    for (size_t c = 0; c < w->ncolumn; c++) {
        const double *x = w->column[c];
        double off = 0;
        for (size_t k = 0; k < stencil->n; k++)
            off += weight[k] * (x[(size_t)((ptrdiff_t)i + stencil->place[k])] - x[i]);
        square += off * off;
    }
    return isnan(square) ? INFINITY : sqrt(square);
}

/* Samples that are tried as spikes: bit k is sample first + k. */
struct set {
    size_t first;
    unsigned bits;
};

static bool has(const struct set *set, ptrdiff_t sample)
{
    ptrdiff_t bit = sample - (ptrdiff_t)set->first;
    return bit >= 0 && bit < SPAN && (set->bits >> bit & 1);
}

/* Scale of the residuals over the window, with neighbours in the same places, but for samples of the set,
 * residuals that these change, and the sample `own` (SIZE_MAX: none). NaN: there are too few. */
static double find_scale(const struct view *v, const struct set *set, size_t own,
                         const struct stencil *stencil)
{
    double residual[DESPIKE_MOST_SAMPLES], weight[FITTED];
    size_t n = 0;
    bool known = false;
    for (size_t i = 0; i < v->w->n; i++) {
        bool without = i != own && !has(set, (ptrdiff_t)i) && fits_in(v->w, i, stencil);
        for (size_t k = 0; k < stencil->n && without; k++)
            without = !has(set, (ptrdiff_t)i + stencil->place[k]);
        if (!without)
            continue;
        if (!known || !v->even)
            weigh(v, i, stencil, weight);
        known = true;
        residual[n++] = measure(v->w, i, stencil, weight);
    }
    return n < LEAST ? (double)NAN : MAD_TO_SIGMA * noise_median(residual, n);
}

/* The nearest samples on one side of sample i that are not in the set. Returns how many there are. */
static size_t find_side(const struct despike_window *w, const struct set *set, size_t i, ptrdiff_t step,
                        ptrdiff_t place[], size_t most)
{
    size_t n = 0;
    for (ptrdiff_t k = step; n < most; k += step) {
        ptrdiff_t sample = (ptrdiff_t)i + k;
        if (sample < 0 || sample >= (ptrdiff_t)w->n || (k > 0 ? k : -k) > NEAR + SPAN)
            break;
        if (!has(set, sample))
            place[n++] = k;
    }
    return n;
}

/* The four samples outside the set by which a cubic's error at sample i is least: it grows with the product
 * of the distances. False: there are not four. */
static bool nearest(const struct despike_window *w, const struct set *set, size_t i, struct stencil *stencil)
{
    ptrdiff_t side[2][NEIGHBOURS];
    size_t n[2] = { find_side(w, set, i, -1, side[0], NEIGHBOURS),
                    find_side(w, set, i, 1, side[1], NEIGHBOURS) };
    static const size_t orders[] = { 2, 1, 3, 0, 4 }; /* how many before sample i; balanced ones first */
    double least = INFINITY;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        size_t before = orders[k], after = NEIGHBOURS - before;
        double product = 1;
        if (before > n[0] || after > n[1])
            continue;
        for (size_t j = 0; j < before; j++)
            product *= w->t[i] - w->t[(size_t)((ptrdiff_t)i + side[0][j])];
        for (size_t j = 0; j < after; j++)
            product *= w->t[(size_t)((ptrdiff_t)i + side[1][j])] - w->t[i];
        if (!(product < least * LESS))
            continue;
        least = product;
        *stencil = (struct stencil){ .n = NEIGHBOURS };
        for (size_t j = 0; j < before; j++)
            stencil->place[j] = side[0][before - 1 - j];
        for (size_t j = 0; j < after; j++)
            stencil->place[before + j] = side[1][j];
    }
    return least < INFINITY;
}

/* Half of the last decimal that all numbers of the window need; 0: they need more than doubles tell apart. */
static double half_decimal(const struct despike_window *w)
{
    double unit = 1;
    for (size_t i = 0; i < w->n; i++)
        while (unit < 1e15) {
            double x = w->column[0][i] * unit;
            if (fabs(x - rint(x)) <= 4 * DBL_EPSILON * fabs(x))
                break;
            unit *= 10;
        }
    return unit < 1e15 ? 0.5 / unit : 0;
}

/* Half of the least change between samples, if there are many changes and all are multiples of it. */
static double half_quantum(const struct despike_window *w)
{
    const double *x = w->column[0];
    double least = INFINITY;
    size_t nchange = 0;
    for (size_t i = 1; i < w->n; i++)
        if (x[i] != x[i - 1]) {
            least = fmin(least, fabs(x[i] - x[i - 1]));
            nchange++;
        }
    for (size_t i = 1; i < w->n; i++) {
        double times = (x[i] - x[i - 1]) / least;
        if (fabs(times - rint(times)) > 1e-6)
            return 0;
    }
    return 3 * nchange > w->n ? least / 2 : 0;
}

/* The largest rounding error of the samples in print, or where they are floats, as floats. Ways between
 * angles or rotations have no decimals of their own. */
static double find_rounding(const struct despike_window *w)
{
    double most = 0, rounding = w->rounding;
    bool floats = true;
    for (size_t c = 0; c < w->ncolumn; c++)
        for (size_t i = 0; i < w->n; i++) {
            most = fmax(most, fabs(w->column[c][i]));
            floats &= (double)(float)w->column[c][i] == w->column[c][i];
        }
    if (!w->ways)
        rounding = fmax(rounding, fmax(half_decimal(w), half_quantum(w)));
    return fmax(rounding, floats ? most * 0x1p-24 : most * ROUNDINGS * DBL_EPSILON);
}

/* --- sets --- */

/* How far a sample is off. */
struct residual {
    double off;
    double scale;    /* of such residuals; NaN: there are too few; infinite: the sample is not off anyway */
    double rounding; /* what the rounding of the samples can make of it, */
    double last_bit; /* and that of doubles */
    bool one_sided;  /* there are more neighbours on one side */
};

static struct residual compare(const struct view *v, const struct set *set, size_t i,
                               const struct stencil *stencil)
{
    double weight[FITTED], weights = 1;
    struct residual r;
    weigh(v, i, stencil, weight);
    for (size_t k = 0; k < stencil->n; k++)
        weights += fabs(weight[k]);
    r.off = measure(v->w, i, stencil, weight);
    r.rounding = weights * v->rounding;
    r.last_bit = weights * v->last_bit;
    bool may_stand_out = r.off > v->factor / 2 * v->scale + r.last_bit;
    r.scale = may_stand_out ? find_scale(v, set, i, stencil) : INFINITY;
    return r;
}

/* Sample i, without the set. With more neighbours on one side curves that fit the samples on that side are
 * tried as well. False: there are too few neighbours. */
static bool find_residual(const struct view *v, const struct set *set, size_t i, struct residual *best)
{
    static const struct stencil fits[] = { { .n = 8, .degree = 3 }, { .n = 5, .degree = 2 } };
    struct stencil stencil;
    if (!nearest(v->w, set, i, &stencil))
        return false;
    size_t nafter = 0;
    for (size_t k = 0; k < NEIGHBOURS; k++)
        nafter += stencil.place[k] > 0;
    *best = compare(v, set, i, &stencil);
    for (size_t k = 0; k < 2 && nafter != NEIGHBOURS / 2; k++) {
        struct stencil fit = fits[k];
        if (find_side(v->w, set, i, nafter > NEIGHBOURS / 2 ? 1 : -1, fit.place, fit.n) < fit.n)
            continue;
        struct residual other = compare(v, set, i, &fit);
        if (other.scale < best->scale || isnan(best->scale))
            *best = other;
    }
    best->one_sided = nafter != NEIGHBOURS / 2;
    return true;
}

/* Does sample i lie on a curve with its neighbours, without the set? Two neighbours on each side judge it,
 * where there are two. least: residual of a sample of the set. */
static bool on_curve(const struct view *v, const struct set *set, size_t i, double least)
{
    ptrdiff_t before[2], after[2];
    struct residual here;
    if (find_side(v->w, set, i, -1, before, 2) == 2 && find_side(v->w, set, i, 1, after, 2) == 2) {
        const struct stencil both = { .n = NEIGHBOURS,
                                      .place = { before[1], before[0], after[0], after[1] } };
        double weight[FITTED];
        weigh(v, i, &both, weight);
        if (measure(v->w, i, &both, weight) <= BESIDE * least)
            return true;
        here = compare(v, set, i, &both);
    } else if (!find_residual(v, set, i, &here)) {
        return true;
    }
    return here.off <= fmax(BESIDE * least, v->factor / 2 * here.scale) + here.last_bit;
}

/* Without the set, do its neighbours lie on one curve: the two on each side of it, and those in it? */
static bool returns(const struct view *v, const struct set *set, double least)
{
    size_t first = set->first >= 2 ? set->first - 2 : 0, last = set->first + 3;
    while (set->bits >> (last - set->first - 2))
        last++;
    for (size_t i = first; i < last && i < v->w->n; i++)
        if (!has(set, (ptrdiff_t)i) && !on_curve(v, set, i, least))
            return false;
    return true;
}

/* Is a sample of the set, of those with two neighbours on each side outside the set, no further off than
 * residuals in general are? Then no scale need be found. */
static bool is_plain(const struct view *v, const struct set *set)
{
    for (size_t i = set->first; i < set->first + SPAN && i < v->w->n; i++) {
        ptrdiff_t before[2], after[2];
        if (!has(set, (ptrdiff_t)i) || find_side(v->w, set, i, -1, before, 2) < 2 ||
            find_side(v->w, set, i, 1, after, 2) < 2)
            continue;
        const struct stencil both = { .n = NEIGHBOURS,
                                      .place = { before[1], before[0], after[0], after[1] } };
        double weight[FITTED];
        weigh(v, i, &both, weight);
        if (v->even && measure(v->w, i, &both, weight) <= v->factor * v->scale + v->last_bit)
            return true;
    }
    return false;
}

/* Are all samples of the set spikes? One of them stands out by the factor, and the others too, or beside an
 * end or a gap by half of it. */
static bool is_spike(const struct view *v, const struct set *set)
{
    double least = INFINITY;
    bool strong = false;
    if (is_plain(v, set))
        return false;
    for (size_t i = set->first; i < set->first + SPAN; i++) {
        struct residual here;
        if (!has(set, (ptrdiff_t)i))
            continue;
        if (i >= v->w->n || !find_residual(v, set, i, &here))
            return false;
        double limit = v->factor * fmax(here.scale, v->scale) + here.rounding;
        if (isnan(here.scale) || !(here.off > (here.one_sided ? limit / 2 : limit)))
            return false;
        strong |= here.off > limit;
        least = fmin(least, here.off);
    }
    return strong && returns(v, set, least);
}

static unsigned count_bits(unsigned bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Is the sample within a set of spikes, which is none without the sample? Of sets the small ones first. */
static bool in_a_set(const struct view *v)
{
    for (unsigned size = 1; size <= SET; size++)
        for (unsigned bits = 1; bits < 1U << SPAN; bits += 2)
            for (size_t place = 0; place < SPAN && count_bits(bits) == size; place++) {
                const struct set set = { v->w->own - place, bits };
                if (!(bits >> place & 1) || place > v->w->own)
                    continue;
                if (is_spike(v, &set)) {
                    const struct set rest = { set.first, bits & ~(1U << place) };
                    return size == 1 || !is_spike(v, &rest);
                }
            }
    return false;
}

/* --- most samples --- */

/* Squares of the residuals of n samples by two neighbours on each side, at even steps; square[i] is that of
 * sample i + 2. */
static void measure_even(const struct despike_window *w, double *square, size_t n)
{
    memset(square, 0, n * sizeof *square);
    for (size_t c = 0; c < w->ncolumn; c++) {
        const double *x = w->column[c];
        for (size_t i = 0; i < n; i++) {
            double off = x[i + 2] - (4 * (x[i + 1] + x[i + 3]) - (x[i] + x[i + 4])) / 6;
            square[i] += off * off;
        }
    }
}

static bool is_even(const struct despike_window *w)
{
    double step = (w->t[w->n - 1] - w->t[0]) / (double)(w->n - 1), most = 0;
    for (size_t i = 1; i < w->n; i++)
        most = fmax(most, fabs(w->t[i] - w->t[i - 1] - step));
    return most < 1e-3 * step;
}

/* Are the residuals of the sample and of its neighbours so small that no set with it can stand out? That half
 * of all residuals of the window are larger than a part of them says so without a median. */
static bool is_calm(const struct despike_window *w, double factor)
{
    double square[DESPIKE_MOST_SAMPLES], most = 0;
    size_t n = w->n - 4, larger = 0;
    measure_even(w, square, n);
    if (w->own < 4 || w->own >= n)
        return false;
    for (size_t i = w->own - 4; i <= w->own; i++)
        most = fmax(most, square[i]);
    double part = most * 4 / (factor * factor * MAD_TO_SIGMA * MAD_TO_SIGMA);
    for (size_t i = 0; i < n; i++)
        larger += square[i] >= part;
    return 2 * larger > n;
}

bool despike_judge(double factor, const struct despike_window *window)
{
    static const struct stencil both_sides = { .n = NEIGHBOURS, .place = { -2, -1, 1, 2 } };
    const struct set none = { 0, 0 };
    struct view view = { .w = window, .factor = factor };
    if (window->n < FEWEST)
        return false;
    view.even = is_even(window);
    if (view.even && window->n >= MANY && is_calm(window, factor))
        return false;
    view.scale = window->n >= MANY ? find_scale(&view, &none, SIZE_MAX, &both_sides) : 0;
    view.rounding = find_rounding(window);
    for (size_t c = 0; c < window->ncolumn; c++)
        for (size_t i = 0; i < window->n; i++)
            view.last_bit = fmax(view.last_bit, ROUNDINGS * DBL_EPSILON * fabs(window->column[c][i]));
    return in_a_set(&view);
}
