/* Curves through the neighbours of a sample, how far the sample lies from a curve, and how far samples lie
 * from such curves in general. For the files of the rule of despike.h. */
#ifndef SPRUNG_WHOLE_DESPIKE_CURVE_H
#define SPRUNG_WHOLE_DESPIKE_CURVE_H

#include "whole/despike.h"

enum {
    DESPIKE_CUBIC = 4,  /* samples that a cubic goes through */
    DESPIKE_FITTED = 8, /* samples that a curve is fitted to, at most */
    DESPIKE_SPAN = 5    /* consecutive samples from which a set is taken */
};

#define DESPIKE_EVEN 1e-3 /* largest deviation of equal steps from their mean, as a part of the mean */

/* Samples that are tried as spikes: bit k stands for sample first + k, k < DESPIKE_SPAN. */
struct despike_set {
    size_t first;
    unsigned bits;
};

static inline bool despike_set_has(const struct despike_set *set, ptrdiff_t sample)
{
    ptrdiff_t bit = sample - (ptrdiff_t)set->first;
    return bit >= 0 && bit < DESPIKE_SPAN && (set->bits >> bit & 1);
}

/* The nearest samples before and after a sample that are not in a set. */
struct despike_sides {
    size_t nbefore, nafter;           /* number of samples found before, and after */
    ptrdiff_t before[DESPIKE_FITTED]; /* [nbefore] place relative to the sample: -1, -2, ... */
    ptrdiff_t after[DESPIKE_FITTED];  /* [nafter] place relative to the sample: 1, 2, ... */
};

/* Finds at most `most` samples on each side of sample i; all lie in the part of the window that sample i is
 * in. */
struct despike_sides despike_find_sides(const struct despike_view *view, const struct despike_set *set,
                                        size_t i, size_t most);

/* A curve that tells the value of a sample by its neighbours. */
struct despike_curve {
    size_t n;      /* number of neighbours */
    size_t degree; /* degree of the polynomial that is fitted to the neighbours by least squares; 0: the cubic
                      through DESPIKE_CUBIC neighbours */
    ptrdiff_t place[DESPIKE_FITTED]; /* [n] index of a neighbour less the index of the sample */
};

/* Sets *curve to the cubic through the nearest two samples on each side. False: a side has fewer
 * samples. */
bool despike_curve_between(struct despike_curve *curve, const struct despike_sides *sides);

/* Sets *curve to the cubic through the four samples that give the cubic the least error at sample i: the
 * error grows with the product of the distances. t: times of the window. False: there are fewer than four
 * samples. */
bool despike_curve_nearest(struct despike_curve *curve, const double *t, size_t i,
                           const struct despike_sides *sides);

/* Sets the places of a curve, of which n and degree are set, to the nearest n samples on one side. False: the
 * side has fewer samples. */
bool despike_curve_one_side(struct despike_curve *curve, const struct despike_sides *sides, bool after);

/* The distance of sample i from the curve through its neighbours; infinite where two neighbours have the same
 * time. */
double despike_curve_distance(const struct despike_view *view, size_t i, const struct despike_curve *curve);

/* Scale of the distances over the window, with neighbours in the same places. Left out are the samples of the
 * set, samples with a neighbour in the set, and the sample `own`. NaN: fewer than two distances remain. */
double despike_curve_scale(const struct despike_view *view, const struct despike_set *set, size_t own,
                           const struct despike_curve *curve);

/* How much more the curve magnifies noise at sample i, because of a gap or uneven steps before its
 * neighbours, than with neighbours in the same places at even steps; at least 1. */
double despike_curve_strain(const struct despike_view *view, size_t i, const struct despike_curve *curve);

/* The distance of a sample from a curve through its neighbours, and what can explain the distance. */
struct despike_residual {
    double off;   /* the distance */
    double scale; /* despike_curve_scale without the sample; infinite: not looked for, as the sample is near
                     the curve */
    double rounding; /* largest distance that rounding in print can cause */
    double last_bit; /* largest distance that rounding to doubles can cause */
    bool one_sided;  /* the curve has more neighbours on one side than on the other */
};

struct despike_residual despike_curve_residual(const struct despike_view *view, const struct despike_set *set,
                                               size_t i, const struct despike_curve *curve);

/* Sets weight[DESPIKE_CUBIC] to the weights of neighbours in the value of the cubic at time 0. at: times of
 * the neighbours. */
void despike_weigh_cubic(const double *at, double *weight);

#endif
