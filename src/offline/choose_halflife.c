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

/* Takes the half-life and the values as they were read; what was computed for another one is forgotten. */
static void set_halflife(struct whole *w, double halflife)
{
    memcpy(w->goal, w->read, w->nknot * sizeof *w->goal);
    w->halflife = halflife;
    w->both.set = NULL;
}

/* What is to become least; INFINITY where no value is left over to judge by. */
static double score(struct whole *w, double halflife)
{
    w->misfit = (struct misfit){ 0 };
    set_halflife(w, halflife);
    whole_filter_runs(w);
    double n = (double)w->misfit.n, moved = 1 - w->misfit.part / n, mean = w->misfit.square / n;
    return moved > 0 && isfinite(mean) ? mean / (moved * moved) : INFINITY;
}

/* The half-life with the least score between low and high, one between which has a lower score than both:
 * golden section search in the logarithm. */
static double refine(struct whole *w, double low, double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    double end[2] = { log(low), log(high) }, width = end[1] - end[0];
    double in[2] = { end[1] - golden * width, end[0] + golden * width };
    double at[2] = { score(w, exp(in[0])) };
    at[1] = score(w, exp(in[1]));
    while (end[1] - end[0] > WITHIN) {
        int best = at[0] <= at[1] ? 0 : 1, other = !best;
        end[other] = in[other];
        in[other] = in[best];
        at[other] = at[best];
        in[best] = end[other] + golden * (end[best] - end[other]);
        at[best] = score(w, exp(in[best]));
    }
    return exp((end[0] + end[1]) / 2);
}

/* Notes the half-life that was chosen for a channel in a group. */
static void note_choice(struct series *s, size_t channel, const struct group *g, double halflife)
{
    struct halflife_range *chosen = &s->count.halflife[channel];
    chosen->least = fmin(chosen->least, halflife); /* NaN is passed over */
    chosen->most = fmax(chosen->most, halflife);
    char key[64];
    struct equivalent all[MAXEQUIVALENT];
    error_escape(g->key, g->nkey, key, sizeof key);
    filter_equivalents(s->c.filter, s->c.overrides->settings[s->c.overrides->of[channel]], halflife, all);
    if (s->c.verbose)
        messages_add(s->c.messages, s->c.file,
                     "channel \"%s\"%s%s%s: half-life %.15g s by cross-validation, cutoff %.6g Hz",
                     columns_channel(s->c.in.columns, channel)->name, key[0] ? " of group \"" : "", key,
                     key[0] ? "\"" : "", halflife, all[EQUIVALENT_CUTOFF].value);
}

/* Tries half-lives twice as long each time; then searches between the neighbours of the best one. The mean
 * square grows with the half-life and is at most the score: none is better once it is above the least score.
 */
void whole_choose_halflife(struct whole *w)
{
    struct series *s = w->s;
    double time = 0, least = INFINITY;
    if (!filter_automatic(s->c.filter, s->c.overrides->settings[w->set]))
        return;
    for (size_t k = 1; k < w->nknot; k++)
        time += w->T[k];
    memcpy(w->read, w->goal, w->nknot * sizeof *w->read);
    double best = SHORTEST * (w->nknot > 1 ? time / (double)(w->nknot - 1) : 1), longest = fmax(time, best);
    w->trial = true;
    for (double halflife = best; halflife <= longest; halflife *= 2) {
        double its = score(w, halflife);
        best = its < least ? halflife : best;
        least = fmin(its, least);
        if (w->misfit.square > least * (double)w->misfit.n)
            break;
    }
    best = number_round(least < INFINITY ? refine(w, best / 2, best * 2) : best, DIGITS);
    w->trial = false;
    set_halflife(w, best);
    for (size_t i = 0; i < w->unit->nchannel; i++)
        note_choice(s, w->unit->channel[i], w->g, best);
}
