/* -H auto: the half-life of a channel or a rotation by generalised cross-validation (Craven and Wahba,
 * "Smoothing noisy data with spline functions", Numerische Mathematik 31, 1979): of the half-lives H the one
 * with the least mean((x - y)^2) / (1 - h)^2, where y is the result and h the part of a value that stays in
 * its own row. The mean goes over the known values of all runs. */
#include "offline/whole.h"

#include "number/number.h"
#include <math.h>

enum { DIGITS = 4 /* of the result */ };

#define SHORTEST 0.25 /* half-life, of a mean step */
#define WITHIN   0.03 /* of the logarithm of the half-life */

void whole_add_misfit(struct whole *w, const struct coefficients *set, size_t k, double square)
{
    if (isnan(w->read[k]))
        return;
    w->misfit.n++;
    w->misfit.square += square;
    w->misfit.part += w->fit[set - w->s->steps.set].part;
}

/* The set's settings with that half-life, which forget what was computed for another one. */
static void set_halflife(struct whole *w, struct coefficients *set, double halflife)
{
    const struct filter *filter = w->s->c.filter;
    size_t i = (size_t)(set - w->s->steps.set);
    const double *field = filter_automatic(filter, w->s->c.overrides->settings[i]);
    size_t at = (size_t)((const char *)field - (const char *)w->s->c.overrides->settings[i]);
    for (int moving = 0; moving < 2; moving++) {
        struct error impossible; /* any half-life in the range of a series can be computed */
        char *settings = whole_settings(w, i, moving > 0);
        memcpy(settings + at, &halflife, sizeof halflife);
        filter->check(settings, &impossible);
    }
    memset(set->cached_T, 0, sizeof set->cached_T);
    w->fit[i] = (struct fit){ 0 };
    w->both.set = NULL;
}

/* What is to become least; INFINITY where no value is left over to judge by. */
static double score(struct whole *w, struct coefficients *set, const struct whole_kind *trial,
                    double halflife)
{
    w->misfit = (struct misfit){ 0 };
    memcpy(w->goal, w->read, w->nknot * sizeof *w->goal);
    set_halflife(w, set, halflife);
    whole_filter_runs(w, trial);
    double n = (double)w->misfit.n, moved = 1 - w->misfit.part / n, mean = w->misfit.square / n;
    return moved > 0 && isfinite(mean) ? mean / (moved * moved) : INFINITY;
}

/* The half-life with the least score between low and high, one between which has a lower score than both:
 * golden section search in the logarithm. */
static double refine(struct whole *w, struct coefficients *set, const struct whole_kind *trial, double low,
                     double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    double a = log(low), b = log(high), left = b - golden * (b - a), right = a + golden * (b - a);
    double at_left = score(w, set, trial, exp(left)), at_right = score(w, set, trial, exp(right));
    while (b - a > WITHIN) {
        if (at_left <= at_right) {
            b = right;
            right = left;
            at_right = at_left;
            left = b - golden * (b - a);
            at_left = score(w, set, trial, exp(left));
        } else {
            a = left;
            left = right;
            at_left = at_right;
            right = a + golden * (b - a);
            at_right = score(w, set, trial, exp(right));
        }
    }
    return exp((a + b) / 2);
}

/* Half-lives twice as long each time; then between the neighbours of the best one. The mean square grows with
 * the half-life and is at most the score: none is better once it is above the least score. */
static double search(struct whole *w, struct coefficients *set, const struct whole_kind *trial, double step,
                     double time)
{
    double shortest = SHORTEST * step, best = shortest, least = INFINITY;
    for (double halflife = shortest; halflife <= fmax(time, shortest); halflife *= 2) {
        double its = score(w, set, trial, halflife);
        if (its < least) {
            least = its;
            best = halflife;
        }
        if (w->misfit.square > least * (double)w->misfit.n)
            break;
    }
    return least < INFINITY ? refine(w, set, trial, best / 2, best * 2) : best;
}

void whole_choose_halflife(struct whole *w, struct coefficients *set, const struct whole_kind *trial,
                           const size_t *channel, size_t n)
{
    struct series *s = w->s;
    double time = 0;
    if (!filter_automatic(s->c.filter, s->c.overrides->settings[set - s->steps.set]))
        return;
    for (size_t k = 1; k < w->nknot; k++)
        time += w->T[k];
    memcpy(w->read, w->goal, w->nknot * sizeof *w->read);
    double step = w->nknot > 1 ? time / (double)(w->nknot - 1) : 1;
    double halflife = number_round(search(w, set, trial, step, time), DIGITS);
    memcpy(w->goal, w->read, w->nknot * sizeof *w->goal);
    set_halflife(w, set, halflife);
    for (size_t i = 0; i < n; i++)
        series_choose(s, channel[i], w->g, halflife);
}
