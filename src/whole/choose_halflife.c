/* Mallows' Cp (C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973): of the half-lives H the one
 * with the least mean((x - y)^2) + 2 s^2 h, where y is the result, h the part of a value that stays in its
 * own sample, and s^2 the variance of the noise (noise.h). That is the expected square error of the result,
 * but for a constant. A distance above 4 s counts as 4 s, so that a spike does not choose. (Cross-validation,
 * which needs no s, fails where a value keeps half of itself or more, as it does when the noise is small.) */
#include "whole/choose_halflife.h"

#include "number/number.h"
#include "whole/gap_curve.h"
#include "whole/noise.h"

enum {
    DIGITS = 4,  /* of the result */
    PIECES = 8,  /* in which a long series is looked at, */
    PIECE = 2500 /* samples of each */
};

#define WITHIN  0.05 /* of the logarithm of the half-life */
#define LIMIT   4.0  /* standard deviations of noise */
#define NYQUIST 0.5  /* of the row rate: the cutoff of the shortest half-life */

/* What half-lives are tried on. */
struct trials {
    struct zero_phase *z;
    const void *settings;
    const struct samples *all;
    const struct sample_run *run; /* of a short series; else pieces of runs */
    size_t nrun;
    double noise; /* variance */
};

struct trial {
    double mean_square; /* of the distances of known samples from the result */
    double score;       /* what is to become least; INFINITY where there is no result */
};

static struct trial try_halflife(const struct trials *t, double halflife)
{
    double square = 0, part = 0, n = 0;
    double limit = t->noise > 0 ? LIMIT * LIMIT * t->noise : INFINITY;
    zero_phase_use(t->z, t->settings, halflife);
    for (size_t i = 0; i < t->nrun; i++) {
        const struct samples run = samples_of_run(t->all, t->run[i]);
        bool good = zero_phase_run(t->z, &run).reason == ZERO_PHASE_GOOD;
        for (size_t k = 0; k < run.n; k++) {
            if (!samples_known(&run, k))
                continue;
            n++;
            square += good ? fmin(zero_phase_square(t->z, k), limit) : INFINITY;
            part += zero_phase_own_part(t->z);
        }
    }
    double mean = square / n, score = mean + 2 * t->noise * (part / n);
    return (struct trial){ mean, isfinite(score) ? score : INFINITY };
}

/* Variance of the noise of known samples first to last, at most PIECE; *n: how many are known. Rotations are
 * followed by the sum of their steps. */
static double piece_noise(const struct samples *all, struct sample_kind kind, struct sample_run piece,
                          size_t *n)
{
    double T[PIECE], column[3][PIECE], room[PIECE], way[3], time = 0;
    const double *before = NULL;
    size_t ncolumn = kind.rotation ? 3 : 1;
    *n = 0;
    for (size_t k = piece.first; k <= piece.last; k++) {
        const double *here = all->value + k * all->width;
        time += k > piece.first ? all->T[k] : 0;
        if (!samples_known(all, k))
            continue;
        if (before && kind.rotation)
            sample_way(kind, before, here, way);
        for (size_t c = 0; c < ncolumn; c++) {
            double step = before && kind.rotation ? way[c] : 0;
            column[c][*n] = kind.rotation ? step + (before ? column[c][*n - 1] : 0) : here[0];
        }
        T[(*n)++] = time;
        time = 0;
        before = here;
    }
    const struct noise_samples samples = { T, { column[0], column[1], column[2] }, ncolumn, *n };
    return noise_variance(&samples, room);
}

/* The mean over the runs, each in pieces. */
static double find_noise(const struct trials *t)
{
    const struct sample_kind kind = { .rotation = t->all->width == SAMPLE_ROTATION };
    double sum = 0, count = 0;
    for (size_t i = 0; i < t->nrun; i++)
        for (size_t first = t->run[i].first; first <= t->run[i].last; first += PIECE) {
            size_t last = first + PIECE - 1, n;
            const struct sample_run piece = { first, last < t->run[i].last ? last : t->run[i].last };
            double noise = piece_noise(t->all, kind, piece, &n);
            if (n < NOISE_LEAST)
                continue;
            sum += noise * (double)n;
            count += (double)n;
        }
    return count > 0 ? sum / count : 0;
}

/* The longest part of a run within the samples first to end - 1 that begins and ends with a known sample.
 * False: there is none of two samples. */
static bool find_piece(const struct trials *t, size_t first, size_t end, struct sample_run *piece)
{
    size_t longest = 0;
    for (size_t i = 0; i < t->nrun; i++) {
        size_t from = t->run[i].first > first ? t->run[i].first : first;
        size_t to = t->run[i].last < end - 1 ? t->run[i].last : end - 1;
        while (from < to && !samples_known(t->all, from))
            from++;
        while (to > from && !samples_known(t->all, to))
            to--;
        if (from < to && to - from > longest) {
            longest = to - from;
            *piece = (struct sample_run){ from, to };
        }
    }
    return longest > 0;
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

/* The half-life with which the cutoff of both passes is at half of the mean row rate. */
static double shortest(const struct zero_phase *z, const void *settings, double step)
{
    struct equivalent all[MAXEQUIVALENT];
    filter_equivalents(zero_phase_filter(z), settings, 1, all);
    return all[EQUIVALENT_CUTOFF].value * step / NYQUIST;
}

/* Tries half-lives twice as long each time; then searches between the neighbours of the best one. The mean
 * square grows with the half-life and is at most the score: no longer half-life is better once the mean
 * square is above the least score. */
double choose_halflife(struct zero_phase *z, const void *settings, const struct samples *all,
                       const struct sample_run *run, size_t nrun)
{
    struct trials trials = { z, settings, all, run, nrun, 0 };
    struct sample_run piece[PIECES];
    double time = 0, least = INFINITY;
    size_t nknown = 0;
    for (size_t k = 0; k < all->n; k++) {
        time += k > 0 ? all->T[k] : 0;
        nknown += samples_known(all, k);
    }
    if (nknown > 1 && nknown < CHOOSE_LEAST)
        return (double)NAN;
    if (all->n > PIECES * PIECE) {
        size_t npiece = 0;
        for (size_t i = 0; i < PIECES; i++) {
            size_t begin = (all->n - PIECE) / (PIECES - 1) * i;
            npiece += find_piece(&trials, begin, begin + PIECE, &piece[npiece]);
        }
        trials.run = npiece > 0 ? piece : run;
        trials.nrun = npiece > 0 ? npiece : nrun;
    }
    trials.noise = find_noise(&trials);
    double first = shortest(z, settings, all->n > 1 ? time / (double)(all->n - 1) : 1), best = first;
    for (double halflife = best; halflife <= fmax(time, best); halflife *= 2) {
        struct trial trial = try_halflife(&trials, halflife);
        best = trial.score < least ? halflife : best;
        least = fmin(trial.score, least);
        if (trial.mean_square > least)
            break;
    }
    if (least < INFINITY && trials.noise > 0)
        best = refine(&trials, fmax(best / 2, first), best * 2);
    return number_round(best, DIGITS);
}
