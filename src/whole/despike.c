/* Samples that lie off the curve through their neighbours. See despike.h.
 *
 * The residual of a sample is its distance from the cubic through four neighbours, two on each side. The
 * scale of residuals is 1.4826 times the median of their absolute values over the window (F. R. Hampel, "The
 * influence curve and its role in robust estimation", JASA 69, 1974), with the neighbours in the same places
 * for every sample: so the scale contains both the noise and the bend of the motion, as far as neighbours in
 * these places show noise and bend.
 *
 * A spike of size h gives its neighbours residuals of 2h/3 and h/6, and rows of a longer spike hide each
 * other. So sets of up to three samples among five are tried: every sample of a set must stand out from the
 * cubic through the nearest samples outside the set, and without the set the samples between and beside the
 * samples of the set must lie on one curve. At a step, a corner or an impact the remaining samples do not lie
 * on one curve, whichever set is left out. Beside an end or a long gap all neighbours lie on one side: the
 * samples cannot be seen to return to the curve, and a curve fitted to more samples replaces the cubic where
 * the fitted curve has the smaller scale. */
#include "whole/despike.h"

#include "whole/noise.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    NEIGHBOURS = 4, /* samples that a cubic goes through */
    FITTED = 8,     /* samples that a curve is fitted to, at most */
    DEGREES = 4,    /* degrees 0 to 3 of polynomials */
    NEAR = 5,       /* samples from a sample to its farthest neighbour, at most */
    SPAN = 5,       /* consecutive samples from which a set is taken */
    SET = 3,        /* samples of a set, at most */
    LEAST = 2,      /* fewest residuals of a median */
    FEWEST = 9      /* fewest samples of a window that can show a spike */
};

#define MAD_TO_SIGMA 1.4826
#define ROUNDINGS    8.0 /* roundings of a double that a computed sample may have gone through */
#define BESIDE                                                                                               \
    0.2 /* largest residual of a neighbour of a set, without the set, as a part of the least residual of the \
           set */
#define LESS (1 - 1e-9)
#define LONG 4.5  /* steps above this many median steps are long gaps */
#define EVEN 1e-3 /* largest deviation of equal steps from their mean, as a part of the mean */

size_t despike_rows(const struct despike_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? DESPIKE_USUAL_ROWS : (size_t)settings->window;
}

/* The neighbours of a sample that tell its value. */
struct stencil {
    size_t n;                /* number of neighbours */
    ptrdiff_t place[FITTED]; /* [n] index of a neighbour less the index of the sample */
    size_t degree;           /* degree of the polynomial that is fitted by least squares; 0: the cubic through
                                NEIGHBOURS samples */
};

/* --- residuals --- */

/* Weights of the neighbours in the value of the cubic at 0, by Lagrange. at: times of the neighbours. */
static void weigh_cubic(const double at[NEIGHBOURS], double weight[NEIGHBOURS])
{
    for (size_t i = 0; i < NEIGHBOURS; i++) {
        weight[i] = 1;
        for (size_t j = 0; j < NEIGHBOURS; j++)
            if (j != i)
                weight[i] *= at[j] / (at[j] - at[i]);
    }
}

/* Weights of the neighbours in the value at 0 of the polynomial fitted by least squares, by polynomials that
 * are orthonormal over the neighbours. at: times of the neighbours. */
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

/* A window, and facts about the window that all sets share. */
struct view {
    const struct despike_window *window;
    double factor;
    double end_factor; /* a sample beside an end or a long gap returns to the curve where the residual of the
                          sample exceeds at most this many standard deviations */
    bool even;         /* all steps are equal */
    double scale; /* scale of the residuals of all samples, by two neighbours on each side; 0: the window has
                     fewer than DESPIKE_MANY samples */
    double rounding;      /* largest rounding error of a sample in print or as a float */
    double last_bit;      /* largest rounding error of a sample as a double */
    const unsigned *part; /* [n] number of long gaps before each sample: neighbours lie in the same part */
};

/* Are sample i and its neighbours in one part of the window? */
static bool fits_in(const struct view *view, size_t i, const struct stencil *stencil)
{
    for (size_t k = 0; k < stencil->n; k++) {
        ptrdiff_t place = (ptrdiff_t)i + stencil->place[k];
        if (place < 0 || place >= (ptrdiff_t)view->window->n || view->part[place] != view->part[i])
            return false;
    }
    return true;
}

/* Weights of the neighbours of sample i in the value that the curve through the neighbours has at sample i.
 */
static void weigh_neighbours(const struct view *view, size_t i, const struct stencil *stencil,
                             double weight[FITTED])
{
    double at[FITTED];
    for (size_t k = 0; k < stencil->n; k++) {
        double after = view->window->t[(size_t)((ptrdiff_t)i + stencil->place[k])] - view->window->t[i];
        at[k] = view->even ? (double)stencil->place[k] : after;
    }
    if (stencil->degree == 0)
        weigh_cubic(at, weight);
    else
        weigh_fit(stencil, at, weight);
}

/* Residual of sample i; infinite where two neighbours have the same time. */
static double find_distance(const struct despike_window *window, size_t i, const struct stencil *stencil,
                            const double weight[FITTED])
{
    double square = 0;
    for (size_t c = 0; c < window->ncolumn; c++) {
        const double *x = window->column[c];
        double off = 0;
        for (size_t k = 0; k < stencil->n; k++)
            off += weight[k] * (x[(size_t)((ptrdiff_t)i + stencil->place[k])] - x[i]);
        square += off * off;
    }
    return isnan(square) ? INFINITY : sqrt(square);
}

/* Samples that are tried as spikes: bit k stands for sample first + k. */
struct set {
    size_t first;
    unsigned bits;
};

static bool set_has(const struct set *set, ptrdiff_t sample)
{
    ptrdiff_t bit = sample - (ptrdiff_t)set->first;
    return bit >= 0 && bit < SPAN && (set->bits >> bit & 1);
}

/* Scale of the residuals over the window, with neighbours in the same places. Left out are the samples of the
 * set, samples with a neighbour in the set, and the sample `own` (SIZE_MAX: no sample). NaN: fewer than LEAST
 * residuals remain. */
static double find_scale(const struct view *view, const struct set *set, size_t own,
                         const struct stencil *stencil)
{
    double residual[DESPIKE_MOST_SAMPLES], weight[FITTED];
    size_t n = 0;
    bool known = false;
    for (size_t i = 0; i < view->window->n; i++) {
        bool without = i != own && !set_has(set, (ptrdiff_t)i) && fits_in(view, i, stencil);
        for (size_t k = 0; k < stencil->n && without; k++)
            without = !set_has(set, (ptrdiff_t)i + stencil->place[k]);
        if (!without)
            continue;
        if (!known || !view->even)
            weigh_neighbours(view, i, stencil, weight);
        known = true;
        residual[n++] = find_distance(view->window, i, stencil, weight);
    }
    return n < LEAST ? (double)NAN : MAD_TO_SIGMA * noise_median(residual, n);
}

/* Sets place to the nearest samples on one side of sample i that are not in the set: at most `most` indices,
 * less i. step: -1 looks before sample i, 1 after. Returns the number of samples found. */
static size_t find_side(const struct view *view, const struct set *set, size_t i, ptrdiff_t step,
                        ptrdiff_t place[], size_t most)
{
    size_t n = 0;
    for (ptrdiff_t k = step; n < most; k += step) {
        ptrdiff_t sample = (ptrdiff_t)i + k;
        if (sample < 0 || sample >= (ptrdiff_t)view->window->n || (k > 0 ? k : -k) > NEAR + SPAN)
            break;
        if (view->part[sample] != view->part[i])
            break;
        if (!set_has(set, sample))
            place[n++] = k;
    }
    return n;
}

/* Sets *stencil to the four samples outside the set that give the cubic the least error at sample i: the
 * error grows with the product of the distances. False: fewer than four samples are near. */
static bool find_nearest(const struct view *view, const struct set *set, size_t i, struct stencil *stencil)
{
    const double *t = view->window->t;
    ptrdiff_t side[2][NEIGHBOURS];
    size_t n[2] = { find_side(view, set, i, -1, side[0], NEIGHBOURS),
                    find_side(view, set, i, 1, side[1], NEIGHBOURS) };
    static const size_t orders[] = { 2, 1, 3, 0,
                                     4 }; /* neighbours before sample i; as many before as after first */
    double least = INFINITY;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        size_t before = orders[k], after = NEIGHBOURS - before;
        double product = 1;
        if (before > n[0] || after > n[1])
            continue;
        for (size_t j = 0; j < before; j++)
            product *= t[i] - t[(size_t)((ptrdiff_t)i + side[0][j])];
        for (size_t j = 0; j < after; j++)
            product *= t[(size_t)((ptrdiff_t)i + side[1][j])] - t[i];
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

/* Half a unit of the last decimal that the numbers need; 0: the numbers need more decimals than doubles tell
 * apart. */
static double half_decimal(const double *number, size_t n)
{
    double unit = 1;
    for (size_t i = 0; i < n; i++)
        while (unit < 1e15) {
            double x = number[i] * unit;
            if (fabs(x - rint(x)) <= 4 * DBL_EPSILON * fabs(x))
                break;
            unit *= 10;
        }
    return unit < 1e15 ? 0.5 / unit : 0;
}

/* Half of the least change from number to number, if many numbers change and every change is a multiple of
 * the least change; else 0. */
static double half_quantum(const double *number, size_t n)
{
    double least = INFINITY;
    size_t nchange = 0;
    for (size_t i = 1; i < n; i++)
        if (number[i] != number[i - 1]) {
            least = fmin(least, fabs(number[i] - number[i - 1]));
            nchange++;
        }
    for (size_t i = 1; i < n; i++) {
        double times = (number[i] - number[i - 1]) / least;
        if (fabs(times - rint(times)) > 1e-6)
            return 0;
    }
    return 3 * nchange > n ? least / 2 : 0;
}

double despike_rounding(const double *number, size_t n)
{
    double most = 0;
    bool floats = true;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(number[i]));
        floats &= (double)(float)number[i] == number[i];
    }
    double binary = floats ? most * 0x1p-24 : most * ROUNDINGS * DBL_EPSILON;
    return fmax(binary, fmax(half_decimal(number, n), half_quantum(number, n)));
}

/* --- sets --- */

/* The residual of a sample, and what can explain the residual. */
struct residual {
    double off;   /* distance from the curve through the neighbours */
    double scale; /* scale of residuals with neighbours in the same places; NaN: too few residuals; infinite:
                     not looked for, as the sample is near the curve */
    double rounding; /* largest residual that rounding in print can cause */
    double last_bit; /* largest residual that rounding to doubles can cause */
    bool one_sided;  /* one side has more neighbours than the other */
};

static struct residual compare_distance(const struct view *view, const struct set *set, size_t i,
                                        const struct stencil *stencil)
{
    double weight[FITTED], weights = 1;
    struct residual r = { 0 };
    weigh_neighbours(view, i, stencil, weight);
    for (size_t k = 0; k < stencil->n; k++)
        weights += fabs(weight[k]);
    r.off = find_distance(view->window, i, stencil, weight);
    r.rounding = weights * view->rounding;
    r.last_bit = weights * view->last_bit;
    bool may_stand_out = r.off > view->factor / 2 * view->scale + r.last_bit;
    r.scale = may_stand_out ? find_scale(view, set, i, stencil) : INFINITY;
    return r;
}

/* Sets *best to the residual of sample i, without the set. Where one side has more neighbours, curves fitted
 * to the samples on that side are tried as well. False: too few neighbours. */
static bool find_residual(const struct view *view, const struct set *set, size_t i, struct residual *best)
{
    static const struct stencil fits[] = { { .n = 8, .degree = 3 }, { .n = 5, .degree = 2 } };
    struct stencil stencil;
    if (!find_nearest(view, set, i, &stencil))
        return false;
    size_t nafter = 0;
    for (size_t k = 0; k < NEIGHBOURS; k++)
        nafter += stencil.place[k] > 0;
    *best = compare_distance(view, set, i, &stencil);
    for (size_t k = 0; k < 2 && nafter != NEIGHBOURS / 2; k++) {
        struct stencil fit = fits[k];
        if (find_side(view, set, i, nafter > NEIGHBOURS / 2 ? 1 : -1, fit.place, fit.n) < fit.n)
            continue;
        struct residual other = compare_distance(view, set, i, &fit);
        if (other.scale < best->scale || isnan(best->scale))
            *best = other;
    }
    best->one_sided = nafter != NEIGHBOURS / 2;
    return true;
}

/* Does sample i lie on a curve with its neighbours, without the set? The curve goes through two neighbours on
 * each side, where each side has two. least: the least residual of the samples of the set. */
static bool on_curve(const struct view *view, const struct set *set, size_t i, double least)
{
    ptrdiff_t before[2], after[2];
    struct residual here;
    if (find_side(view, set, i, -1, before, 2) == 2 && find_side(view, set, i, 1, after, 2) == 2) {
        const struct stencil both = { .n = NEIGHBOURS,
                                      .place = { before[1], before[0], after[0], after[1] } };
        double weight[FITTED];
        weigh_neighbours(view, i, &both, weight);
        if (find_distance(view->window, i, &both, weight) <= BESIDE * least)
            return true;
        here = compare_distance(view, set, i, &both);
    } else if (!find_residual(view, set, i, &here)) {
        return true;
    }
    double limit = here.one_sided ? view->end_factor : view->factor / 2;
    return here.off <= fmax(BESIDE * least, limit * here.scale) + here.last_bit;
}

/* Without the set, do the two samples on each side of the set and the samples between its first and last
 * sample lie on one curve? */
static bool rest_on_curve(const struct view *view, const struct set *set, double least)
{
    size_t first = set->first >= 2 ? set->first - 2 : 0, last = set->first + 3;
    while (set->bits >> (last - set->first - 2))
        last++;
    for (size_t i = first; i < last && i < view->window->n; i++)
        if (!set_has(set, (ptrdiff_t)i) && !on_curve(view, set, i, least))
            return false;
    return true;
}

/* Is the residual of sample i, with two neighbours outside the set on each side, no larger than residuals in
 * general? Then the set holds no spikes, and finding a scale is not needed. */
static bool is_plain(const struct view *view, const struct set *set, size_t i)
{
    ptrdiff_t before[2], after[2];
    double weight[FITTED];
    if (!view->even || find_side(view, set, i, -1, before, 2) < 2 || find_side(view, set, i, 1, after, 2) < 2)
        return false;
    const struct stencil both = { .n = NEIGHBOURS, .place = { before[1], before[0], after[0], after[1] } };
    weigh_neighbours(view, i, &both, weight);
    return find_distance(view->window, i, &both, weight) <= view->factor * view->scale + view->last_bit;
}

/* Does sample i of the set continue the curve of the nearest samples outside the set on one side? Then a
 * step, a corner or the start of a motion explains the sample. Of several curves the curve that
 * tells most is taken. step: -1 looks before sample i, 1 after. */
static bool continues(const struct view *view, const struct set *set, size_t i, ptrdiff_t step)
{
    static const struct stencil curves[] = {
        { .n = NEIGHBOURS }, { .n = 8, .degree = 3 }, { .n = 5, .degree = 2 }, { .n = 4, .degree = 2 }
    };
    double least = INFINITY;
    bool near = false;
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        struct stencil curve = curves[k];
        if (find_side(view, set, i, step, curve.place, curve.n) < curve.n)
            continue;
        struct residual here = compare_distance(view, set, i, &curve);
        double limit = view->factor / 2 * find_scale(view, set, i, &curve) + here.rounding;
        if (!(limit < least))
            continue;
        least = limit;
        near = here.off <= limit;
    }
    return near;
}

/* Do steps, corners or starts of motion explain a sample of the set? */
static bool some_continue(const struct view *view, const struct set *set)
{
    for (size_t i = set->first; i < set->first + SPAN && i < view->window->n; i++)
        if (set_has(set, (ptrdiff_t)i) && (continues(view, set, i, -1) || continues(view, set, i, 1)))
            return true;
    return false;
}

/* Are all samples of the set spikes? Every sample stands out by the factor, or beside an end or a gap by half
 * of the factor; at least one sample stands out by the whole factor. */
static bool are_spikes(const struct view *view, const struct set *set)
{
    double least = INFINITY;
    bool strong = false;
    if (set_has(set, (ptrdiff_t)view->window->own) && is_plain(view, set, view->window->own))
        return false;
    for (size_t i = set->first; i < set->first + SPAN; i++) {
        struct residual here;
        if (!set_has(set, (ptrdiff_t)i))
            continue;
        if (i >= view->window->n || is_plain(view, set, i) || !find_residual(view, set, i, &here))
            return false;
        double limit = view->factor * fmax(here.scale, view->scale) + here.rounding;
        if (isnan(here.scale) || !(here.off > (here.one_sided ? limit / 2 : limit)))
            return false;
        strong |= here.off > limit;
        least = fmin(least, here.off);
    }
    return strong && rest_on_curve(view, set, least) && !some_continue(view, set);
}

static unsigned count_bits(unsigned bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Is the judged sample in a set of spikes that without the judged sample is no set of spikes? Small sets are
 * tried first. */
static bool is_in_spikes(const struct view *view)
{
    for (unsigned size = 1; size <= SET; size++)
        for (unsigned bits = 1; bits < 1U << SPAN; bits += 2)
            for (size_t place = 0; place < SPAN && count_bits(bits) == size; place++) {
                const struct set set = { view->window->own - place, bits };
                if (!(bits >> place & 1) || place > view->window->own)
                    continue;
                if (are_spikes(view, &set)) {
                    const struct set rest = { set.first, bits & ~(1U << place) };
                    return size == 1 || !are_spikes(view, &rest);
                }
            }
    return false;
}

/* --- most samples --- */

double despike_plain(const double *t, size_t ncolumn, const double *const *column)
{
    double at[NEIGHBOURS] = { t[0] - t[2], t[1] - t[2], t[3] - t[2], t[4] - t[2] }, square = 0;
    double weight[NEIGHBOURS] = { -1.0 / 6, 4.0 / 6, 4.0 / 6, -1.0 / 6 }, step = (at[3] - at[0]) / NEIGHBOURS;
    double most = EVEN * step;
    bool even = fabs(at[0] + 2 * step) < most && fabs(at[1] + step) < most && fabs(at[2] - step) < most;
    if (!even)
        weigh_cubic(at, weight);
    for (size_t c = 0; c < ncolumn; c++) {
        const double *x = column[c];
        double off = weight[0] * (x[0] - x[2]) + weight[1] * (x[1] - x[2]) + weight[2] * (x[3] - x[2]) +
                     weight[3] * (x[4] - x[2]);
        square += off * off;
    }
    return square;
}

void despike_measure(struct despike_window *window, double *plain)
{
    for (size_t i = 0; i < window->n; i++) {
        const double *column[3] = { 0 };
        plain[i] = (double)NAN;
        if (i < DESPIKE_AROUND || i + DESPIKE_AROUND >= window->n)
            continue;
        for (size_t c = 0; c < window->ncolumn; c++)
            column[c] = window->column[c] + i - DESPIKE_AROUND;
        plain[i] = despike_plain(window->t + i - DESPIKE_AROUND, window->ncolumn, column);
    }
    window->plain = plain;
}

/* How many of n numbers are at least `least`? Eight numbers at a time, which compilers compare side by side.
 */
static size_t count_above(const double *number, size_t n, double least)
{
    size_t count = 0, i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++)
            count += number[i + k] >= least;
    for (; i < n; i++)
        count += number[i] >= least;
    return count;
}

double despike_calm_limit(double factor, double level)
{
    return level * (factor * factor * MAD_TO_SIGMA * MAD_TO_SIGMA) / 4;
}

/* Are the plain residuals of the judged sample and of its neighbours so small that no set with the judged
 * sample can stand out? The answer is yes, without a median, where more than half of all residuals in the
 * window are at least a part of the largest residual of these samples. */
bool despike_calm(double factor, const struct despike_window *window)
{
    double most = 0;
    size_t own = window->own, reach = 2 * DESPIKE_AROUND;
    if (window->n < DESPIKE_MANY || own < reach || own + reach >= window->n)
        return false;
    for (size_t i = window->own - DESPIKE_AROUND; i <= window->own + DESPIKE_AROUND; i++) {
        if (isnan(window->plain[i]))
            return false;
        most = window->plain[i] > most ? window->plain[i] : most;
    }
    double part = most / despike_calm_limit(factor, 1);
    size_t n = window->n - 2 * DESPIKE_AROUND;
    return 2 * count_above(window->plain + DESPIKE_AROUND, n, part) > n;
}

static bool is_even(const struct despike_window *window)
{
    double step = (window->t[window->n - 1] - window->t[0]) / (double)(window->n - 1);
    bool even = step > 0;
    for (size_t i = 1; i < window->n && even; i++)
        even = fabs(window->t[i] - window->t[i - 1] - step) < EVEN * step;
    return even;
}

/* Sets part[n] to the number of long gaps before each sample: of steps longer than LONG times the median. */
static void find_parts(const struct despike_window *window, bool even, unsigned *part)
{
    double step[DESPIKE_MOST_SAMPLES];
    if (even) {
        memset(part, 0, window->n * sizeof *part);
        return;
    }
    for (size_t i = 1; i < window->n; i++)
        step[i - 1] = window->t[i] - window->t[i - 1];
    double limit = LONG * noise_median(step, window->n - 1);
    part[0] = 0;
    for (size_t i = 1; i < window->n; i++)
        part[i] = part[i - 1] + (window->t[i] - window->t[i - 1] > limit);
}

/* The scale of the plain residuals; 0: the window has fewer than DESPIKE_MANY samples. */
static double find_plain_scale(const struct view *view)
{
    const struct despike_window *window = view->window;
    double square[DESPIKE_MOST_SAMPLES];
    size_t n = 0;
    for (size_t i = DESPIKE_AROUND; i + DESPIKE_AROUND < window->n; i++)
        if (!isnan(window->plain[i]) && view->part[i - DESPIKE_AROUND] == view->part[i + DESPIKE_AROUND])
            square[n++] = window->plain[i];
    if (window->n < DESPIKE_MANY || n < LEAST)
        return 0;
    return MAD_TO_SIGMA * sqrt(noise_median(square, n));
}

/* Is an end of the window or a long gap so near that a sample beside a set may have neighbours on one side
 * only? */
static bool is_near_end(const struct view *view)
{
    size_t own = view->window->own, reach = 2 * SPAN;
    return own < reach || own + reach >= view->window->n ||
           view->part[own - reach] != view->part[own + reach];
}

/* The view of a window. part: room for [window->n], which the view points to. */
static struct view make_view(double factor, const struct despike_window *window, unsigned *part)
{
    struct view view = { .window = window, .factor = factor, .end_factor = factor / 2, .part = part };
    double most = 0;
    view.even = is_even(window);
    find_parts(window, view.even, part);
    view.scale = find_plain_scale(&view);
    view.rounding = window->rounding;
    for (size_t c = 0; c < window->ncolumn; c++)
        for (size_t i = 0; i < window->n; i++)
            most = fabs(window->column[c][i]) > most ? fabs(window->column[c][i]) : most;
    view.last_bit = ROUNDINGS * DBL_EPSILON * most;
    return view;
}

/* Weight of the neighbour at a steps in the value at 0 of the cubic through neighbours at a, b, c and d steps
 * (Lagrange), and the cubic with all its weights. */
#define WEIGHT(a, b, c, d) ((double)((b) * (c) * (d)) / (((b) - (a)) * ((c) - (a)) * ((d) - (a))))
#define CUBIC(a, b, c, d)                                                                                    \
    {                                                                                                        \
        { a, b, c, d },                                                                                      \
        {                                                                                                    \
            WEIGHT(a, b, c, d), WEIGHT(b, a, c, d), WEIGHT(c, a, b, d), WEIGHT(d, a, b, c)                   \
        }                                                                                                    \
    }

bool despike_near(double factor, const struct despike_window *window)
{
    /* The cubics through the nearest two samples on each side that are outside a set, for every set of SET
     * samples among SPAN that holds the judged sample: on the two sides together, SET - 1 are left out. */
    static const struct {
        ptrdiff_t place[NEIGHBOURS];
        double weight[NEIGHBOURS];
    } cubics[] = {
        CUBIC(-2, -1, 1, 2), CUBIC(-2, -1, 1, 3), CUBIC(-2, -1, 2, 3), CUBIC(-2, -1, 1, 4),
        CUBIC(-2, -1, 2, 4), CUBIC(-2, -1, 3, 4), CUBIC(-3, -1, 1, 2), CUBIC(-3, -2, 1, 2),
        CUBIC(-4, -1, 1, 2), CUBIC(-4, -2, 1, 2), CUBIC(-4, -3, 1, 2), CUBIC(-3, -1, 1, 3),
        CUBIC(-3, -1, 2, 3), CUBIC(-3, -2, 1, 3), CUBIC(-3, -2, 2, 3),
    };
    unsigned part[DESPIKE_MOST_SAMPLES];
    if (window->n < DESPIKE_MANY || window->own < SPAN - 1 || window->own + SPAN > window->n)
        return false;
    const struct view view = make_view(factor, window, part);
    double limit = factor * view.scale + view.last_bit;
    bool near = view.even;
    for (size_t i = 0; i < sizeof cubics / sizeof *cubics && near; i++) {
        double square = 0;
        for (size_t c = 0; c < window->ncolumn; c++) {
            const double *x = window->column[c] + window->own;
            double off = 0;
            for (size_t k = 0; k < NEIGHBOURS; k++)
                off += cubics[i].weight[k] * (x[cubics[i].place[k]] - *x);
            square += off * off;
        }
        near = square <= limit * limit;
    }
    return near;
}

bool despike_judge(double factor, const struct despike_window *window)
{
    unsigned part[DESPIKE_MOST_SAMPLES];
    if (window->n < FEWEST)
        return false;
    struct view view = make_view(factor, window, part);
    if (is_in_spikes(&view))
        return true;
    view.end_factor = factor;
    return is_near_end(&view) && is_in_spikes(&view);
}
