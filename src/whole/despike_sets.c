/* Sets of samples that are tried as spikes. See despike_sets.h.
 *
 * A spike of size h gives its neighbours residuals of 2h/3 and h/6, and rows of a longer spike hide each
 * other. So sets of up to three samples among five are tried: every sample of a set must stand out from the
 * cubic through the nearest samples outside the set, and without the set the samples between and beside the
 * samples of the set must lie on one curve. At a step, a corner or an impact the remaining samples do not lie
 * on one curve, whichever set is left out.
 *
 * Beside an end or a long gap, and at some uneven steps, the cubic has more neighbours on one side than on
 * the other (one_sided). Whether the motion returns to the curve cannot be seen there. A curve fitted to more
 * samples on the longer side is taken instead of the cubic if the scale of the fitted curve is smaller. */
#include "whole/despike_sets.h"

#include "whole/despike_curve.h"

#include <math.h>

enum { SET = 3 /* samples of a set, at most */ };

/* Largest residual of a neighbour of a set, without the set, as a part of the least residual of the set. */
#define BESIDE 0.2

/* Sets *best to the residual of sample i, without the set. Where one side has more neighbours, curves fitted
 * to the samples on that side are tried as well. False: too few neighbours. */
static bool find_residual(const struct despike_view *view, const struct despike_set *set, size_t i,
                          struct despike_residual *best)
{
    static const struct despike_curve fits[] = { { .n = 8, .degree = 3 }, { .n = 5, .degree = 2 } };
    const struct despike_sides sides = despike_find_sides(view, set, i, DESPIKE_FITTED);
    struct despike_curve cubic;
    size_t nafter = 0;
    if (!despike_curve_nearest(&cubic, view->window->t, i, &sides))
        return false;
    for (size_t k = 0; k < DESPIKE_CUBIC; k++)
        nafter += cubic.place[k] > 0;
    *best = despike_curve_residual(view, set, i, &cubic);
    bool one_sided = nafter != DESPIKE_CUBIC / 2;
    for (size_t k = 0; k < 2 && one_sided; k++) {
        struct despike_curve fit = fits[k];
        if (!despike_curve_one_side(&fit, &sides, nafter > DESPIKE_CUBIC / 2))
            continue;
        struct despike_residual other = despike_curve_residual(view, set, i, &fit);
        if (other.scale < best->scale || isnan(best->scale))
            *best = other;
    }
    best->one_sided = one_sided;
    return true;
}

/* Does sample i lie on a curve with its neighbours, without the set? The curve goes through two neighbours on
 * each side, where each side has two. least: the least residual of the samples of the set. */
static bool is_on_curve(const struct despike_view *view, const struct despike_set *set, size_t i,
                        double least)
{
    const struct despike_sides sides = despike_find_sides(view, set, i, 2);
    struct despike_curve both;
    struct despike_residual here;
    if (despike_curve_between(&both, &sides)) {
        if (despike_curve_distance(view, i, &both) <= BESIDE * least)
            return true;
        here = despike_curve_residual(view, set, i, &both);
    } else if (!find_residual(view, set, i, &here)) {
        return true;
    }
    double limit = here.one_sided ? view->end_factor : view->factor / 2;
    return here.off <= fmax(BESIDE * least, limit * here.scale) + here.last_bit;
}

/* Without the set, do the two samples on each side of the set and the samples between its first and last
 * sample lie on one curve? least: as for is_on_curve. */
static bool is_rest_on_curve(const struct despike_view *view, const struct despike_set *set, double least)
{
    size_t first = set->first >= 2 ? set->first - 2 : 0, end = set->first + 3;
    while (set->bits >> (end - set->first - 2))
        end++;
    for (size_t i = first; i < end && i < view->window->n; i++)
        if (!despike_set_has(set, (ptrdiff_t)i) && !is_on_curve(view, set, i, least))
            return false;
    return true;
}

/* Is the residual of sample i, with two neighbours outside the set on each side, no larger than residuals in
 * general? Then the set holds no spikes, and finding a scale is not needed. */
static bool is_plain(const struct despike_view *view, const struct despike_set *set, size_t i)
{
    struct despike_curve both;
    if (!view->even)
        return false;
    const struct despike_sides sides = despike_find_sides(view, set, i, 2);
    return despike_curve_between(&both, &sides) &&
           despike_curve_distance(view, i, &both) <= view->factor * view->scale + view->last_bit;
}

/* Does sample i of the set continue the curve of the nearest samples outside the set on one side? Then a
 * step, a corner or the start of a motion explains the sample. Of several curves the curve that tells most is
 * taken: the curve with the smallest scale. The scale comes from all samples of the window, most of which
 * have no gap before their neighbours. A curve that reaches over a gap scatters more, and meets the sample by
 * chance: the curve tells less, and must come nearer to the sample. */
static bool continues_side(const struct despike_view *view, const struct despike_set *set, size_t i,
                           bool after)
{
    static const struct despike_curve curves[] = {
        { .n = DESPIKE_CUBIC }, { .n = 8, .degree = 3 }, { .n = 5, .degree = 2 }, { .n = 4, .degree = 2 }
    };
    const struct despike_sides sides = despike_find_sides(view, set, i, DESPIKE_FITTED);
    double least = INFINITY;
    bool near = false;
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        struct despike_curve curve = curves[k];
        if (!despike_curve_one_side(&curve, &sides, after))
            continue;
        struct despike_residual here = despike_curve_residual(view, set, i, &curve);
        double strain = despike_curve_strain(view, i, &curve);
        double limit = view->factor / 2 * despike_curve_scale(view, set, i, &curve) + here.rounding;
        if (!(limit * strain < least))
            continue;
        least = limit * strain;
        near = here.off <= limit / strain;
    }
    return near;
}

/* Do steps, corners or starts of motion explain a sample of the set? */
static bool continues_some(const struct despike_view *view, const struct despike_set *set)
{
    for (size_t i = set->first; i < set->first + DESPIKE_SPAN && i < view->window->n; i++)
        if (despike_set_has(set, (ptrdiff_t)i) &&
            (continues_side(view, set, i, false) || continues_side(view, set, i, true)))
            return true;
    return false;
}

/* Are all samples of the set spikes? Every sample stands out by the factor, or, where the curve of the sample
 * is one_sided, by half of the factor; at least one sample stands out by the whole factor. The first test
 * that fails says no: is_plain, find_residual, the limit, is_rest_on_curve, continues_some. */
static bool are_spikes(const struct despike_view *view, const struct despike_set *set)
{
    double least = INFINITY;
    bool strong = false;
    if (despike_set_has(set, (ptrdiff_t)view->window->own) && is_plain(view, set, view->window->own))
        return false;
    for (size_t i = set->first; i < set->first + DESPIKE_SPAN; i++) {
        struct despike_residual here;
        if (!despike_set_has(set, (ptrdiff_t)i))
            continue;
        if (i >= view->window->n || is_plain(view, set, i) || !find_residual(view, set, i, &here))
            return false;
        double limit = view->factor * fmax(here.scale, view->scale) + here.rounding;
        if (isnan(here.scale) || !(here.off > (here.one_sided ? limit / 2 : limit)))
            return false;
        strong |= here.off > limit;
        least = fmin(least, here.off);
    }
    return strong && is_rest_on_curve(view, set, least) && !continues_some(view, set);
}

static unsigned count_bits(unsigned bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Small sets are tried first. */
bool despike_sets_find(const struct despike_view *view)
{
    size_t own = view->window->own;
    for (unsigned size = 1; size <= SET; size++)
        for (unsigned bits = 1; bits < 1U << DESPIKE_SPAN; bits += 2)
            for (size_t place = 0; place < DESPIKE_SPAN && count_bits(bits) == size; place++) {
                const struct despike_set set = { own - place, bits };
                if (!(bits >> place & 1) || place > own)
                    continue;
                if (are_spikes(view, &set)) {
                    const struct despike_set rest = { set.first, bits & ~(1U << place) };
                    return size == 1 || !are_spikes(view, &rest);
                }
            }
    return false;
}
