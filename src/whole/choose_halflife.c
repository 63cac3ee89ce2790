/* Mallows' Cp (C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973): the half-life is chosen that
 * makes
 *
 *     score = mean((x - y)^2) + 2 s^2 h
 *
 * least, where x is a sample, y the result at the sample, h = dy/dx the weight of the sample in the result,
 * and s^2 the variance of the noise (noise.h). The score is the expected square error of the result plus a
 * constant. A distance |x - y| above 4 s counts as 4 s, so that a spike does not decide. (Cross-validation,
 * which needs no s, fails where h is 1/2 or more, as with small noise.) */
#include "whole/choose_halflife.h"

#include "number/number.h"
#include "whole/gap_curve.h"
#include "whole/noise.h"

enum {
    DIGITS = 4,  /* significant digits of the chosen half-life */
    PIECES = 8,  /* pieces that stand for a long series */
    PIECE = 2500 /* samples in a piece */
};

#define WITHIN  0.05 /* the search ends when log(half-life) is known within this */
#define LIMIT   4.0  /* standard deviations of noise */
#define NYQUIST 0.5  /* of the row rate: the cutoff of the shortest half-life */

/* The samples that half-lives are tried on. */
struct trials {
    struct zero_phase *phase;
    const void *settings;
    const struct samples *all;
    const struct sample_run
        *run; /* [nrun] the runs of a short series, or pieces of the runs of a long series */
    size_t nrun;
    double noise; /* variance of the noise */
};

struct trial {
    double mean_square; /* of the distances of known samples from the result */
    double score;       /* see the head of this file; INFINITY where the filter has no result */
};

static struct trial try_halflife(const struct trials *trials, double halflife)
{
    double square = 0, part = 0, n = 0;
    double limit = trials->noise > 0 ? LIMIT * LIMIT * trials->noise : INFINITY;
    zero_phase_use(trials->phase, trials->settings, halflife);
    for (size_t i = 0; i < trials->nrun; i++) {
        const struct samples run = samples_of_run(trials->all, trials->run[i]);
        bool good = zero_phase_run(trials->phase, &run).reason == ZERO_PHASE_GOOD;
        for (size_t k = 0; k < run.n; k++) {
            if (!samples_known(&run, k))
                continue;
            n++;
            square += good ? fmin(zero_phase_square(trials->phase, k), limit) : INFINITY;
            part += zero_phase_own_part(trials->phase);
        }
    }
    double mean = square / n, score = mean + 2 * trials->noise * (part / n);
    return (struct trial){ mean, isfinite(score) ? score : INFINITY };
}

/* The variance of the noise of the known samples in a piece of at most PIECE samples. Sets *n to the number
 * of known samples. Rotations are turned into vectors: vector k is the sum of the rotation vectors from
 * sample to sample up to sample k. */
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
            if (!kind.rotation)
                column[c][*n] = here[0];
            else
                column[c][*n] = before ? column[c][*n - 1] + way[c] : 0;
        }
        T[(*n)++] = time;
        time = 0;
        before = here;
    }
    const struct noise_samples samples = { T, { column[0], column[1], column[2] }, ncolumn, *n };
    return noise_variance(&samples, room);
}

/* The mean variance of the noise, over the pieces of all runs, by the number of known samples in a piece. */
static double find_noise(const struct trials *trials)
{
    const struct sample_kind kind = { .rotation = trials->all->width == SAMPLE_ROTATION };
    double sum = 0, count = 0;
    for (size_t i = 0; i < trials->nrun; i++)
        for (size_t first = trials->run[i].first; first <= trials->run[i].last; first += PIECE) {
            size_t last = first + PIECE - 1, n;
            const struct sample_run piece = { first,
                                              last < trials->run[i].last ? last : trials->run[i].last };
            double noise = piece_noise(trials->all, kind, piece, &n);
            if (n < NOISE_LEAST)
                continue;
            sum += noise * (double)n;
            count += (double)n;
        }
    return count > 0 ? sum / count : 0;
}

/* Sets *piece to the longest part of a run within the samples first to end - 1 that begins and ends with a
 * known sample. False: every part has fewer than two samples. */
static bool find_piece(const struct trials *trials, size_t first, size_t end, struct sample_run *piece)
{
    size_t longest = 0;
    for (size_t i = 0; i < trials->nrun; i++) {
        size_t from = trials->run[i].first > first ? trials->run[i].first : first;
        size_t to = trials->run[i].last < end - 1 ? trials->run[i].last : end - 1;
        while (from < to && !samples_known(trials->all, from))
            from++;
        while (to > from && !samples_known(trials->all, to))
            to--;
        if (from < to && to - from > longest) {
            longest = to - from;
            *piece = (struct sample_run){ from, to };
        }
    }
    return longest > 0;
}

/* The half-life with the least score between low and high, where some half-life between low and high has a
 * lower score than low and high: golden section search in log(half-life). */
static double search_between(const struct trials *trials, double low, double high)
{
    const double golden = (sqrt(5) - 1) / 2;
    double end[2] = { log(low), log(high) }, width = end[1] - end[0];
    double inner[2] = { end[1] - golden * width, end[0] + golden * width };
    double score[2] = { try_halflife(trials, exp(inner[0])).score };
    score[1] = try_halflife(trials, exp(inner[1])).score;
    while (end[1] - end[0] > WITHIN) {
        int best = score[0] <= score[1] ? 0 : 1, other = !best;
        end[other] = inner[other];
        inner[other] = inner[best];
        score[other] = score[best];
        inner[best] = end[other] + golden * (end[best] - end[other]);
        score[best] = try_halflife(trials, exp(inner[best])).score;
    }
    return exp((end[0] + end[1]) / 2);
}

/* The half-life at which the cutoff of both passes together is half of the mean row rate. */
static double shortest_halflife(const struct zero_phase *phase, const void *settings, double step)
{
    struct equivalent all[MAXEQUIVALENT];
    filter_equivalents(zero_phase_filter(phase), settings, 1, all);
    return all[EQUIVALENT_CUTOFF].value * step / NYQUIST;
}

/* Tries half-lives, each twice the half-life before, and then searches between the neighbours of the best
 * half-life. The mean square grows with the half-life and never exceeds the score: once the mean square
 * exceeds the least score, no longer half-life is better. */
double choose_halflife(struct zero_phase *phase, const void *settings, const struct samples *all,
                       const struct sample_run *run, size_t nrun)
{
    struct trials trials = { phase, settings, all, run, nrun, 0 };
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
    double first = shortest_halflife(phase, settings, all->n > 1 ? time / (double)(all->n - 1) : 1),
           best = first;
    for (double halflife = best; halflife <= fmax(time, best); halflife *= 2) {
        struct trial trial = try_halflife(&trials, halflife);
        best = trial.score < least ? halflife : best;
        least = fmin(trial.score, least);
        if (trial.mean_square > least)
            break;
    }
    if (least < INFINITY && trials.noise > 0)
        best = search_between(&trials, fmax(best / 2, first), best * 2);
    return number_round(best, DIGITS);
}
