/* Generalised cross-validation (P. Craven, G. Wahba, "Smoothing noisy data with spline functions", Numerische
 * Mathematik 31, 1979): of the half-lives H the one with the least mean((x - y)^2) / (1 - h)^2, where y is
 * the result and h the part of a value that stays in its own sample. The mean goes over the known samples of
 * all runs. */
#include "whole/choose_halflife.h"

#include "number/number.h"

enum { DIGITS = 4 /* of the result */ };

#define SHORTEST 0.25 /* half-life, of a mean step */
#define WITHIN   0.03 /* of the logarithm of the half-life */

/* What half-lives are tried on. */
struct trials {
    struct zero_phase *z;
    const void *settings;
    const struct samples *all;
    const struct sample_run *run;
    size_t nrun;
};

struct trial {
    double mean_square; /* of the distances of known samples from the result */
    double score;       /* what is to become least; INFINITY where nothing is left over to judge by */
};

static struct trial try_halflife(const struct trials *t, double halflife)
{
    double square = 0, part = 0, n = 0;
    zero_phase_use(t->z, t->settings, halflife);
    for (size_t i = 0; i < t->nrun; i++) {
        const struct samples run = samples_of_run(t->all, t->run[i]);
        bool good = zero_phase_run(t->z, &run).reason == ZERO_PHASE_GOOD;
        for (size_t k = 0; k < run.n; k++) {
            if (!samples_known(&run, k))
                continue;
            n++;
            square += good ? zero_phase_square(t->z, k) : INFINITY;
            part += zero_phase_own_part(t->z);
        }
    }
    double moved = 1 - part / n, mean = square / n;
    bool judged = moved > 0 && isfinite(mean);
    return (struct trial){ mean, judged ? mean / (moved * moved) : INFINITY };
}

/* The half-life with the least score between low and high, where one between them has a lower score than
 * both: golden section search in the logarithm. */
static double refine(const struct trials *t, double low, double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    double end[2] = { log(low), log(high) }, width = end[1] - end[0];
    double inner[2] = { end[1] - golden * width, end[0] + golden * width };
    double score[2] = { try_halflife(t, exp(inner[0])).score };
    score[1] = try_halflife(t, exp(inner[1])).score;
    while (end[1] - end[0] > WITHIN) {
        int best = score[0] <= score[1] ? 0 : 1, other = !best;
        end[other] = inner[other];
        inner[other] = inner[best];
        score[other] = score[best];
        inner[best] = end[other] + golden * (end[best] - end[other]);
        score[best] = try_halflife(t, exp(inner[best])).score;
    }
    return exp((end[0] + end[1]) / 2);
}

/* Tries half-lives twice as long each time; then searches between the neighbours of the best one. The mean
 * square grows with the half-life and is at most the score: no longer half-life is better once the mean
 * square is above the least score. */
double choose_halflife(struct zero_phase *z, const void *settings, const struct samples *all,
                       const struct sample_run *run, size_t nrun)
{
    const struct trials trials = { z, settings, all, run, nrun };
    double time = 0, least = INFINITY;
    for (size_t k = 1; k < all->n; k++)
        time += all->T[k];
    double best = SHORTEST * (all->n > 1 ? time / (double)(all->n - 1) : 1), longest = fmax(time, best);
    for (double halflife = best; halflife <= longest; halflife *= 2) {
        struct trial trial = try_halflife(&trials, halflife);
        best = trial.score < least ? halflife : best;
        least = fmin(trial.score, least);
        if (trial.mean_square > least)
            break;
    }
    if (least < INFINITY)
        best = refine(&trials, best / 2, best * 2);
    return number_round(best, DIGITS);
}
