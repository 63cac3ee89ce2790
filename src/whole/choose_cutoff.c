/* Mallows' Cp (C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973): the cutoff is chosen that makes
 *
 *     score = mean((x - y)^2) + 2 s^2 trace / n
 *
 * least, where x is a sample, y the result at the sample, trace the sum of dy/dx over the n samples, and s^2
 * the variance of the noise (noise.h). The score is the expected square error of the result plus a constant.
 *
 * The guard: noise does not reach farther than 6 s. From the cutoff of the least score upward, the lowest is
 * taken at which no sample moves farther than that, or than 1 % of the range.
 *
 * The check: white noise that the curve takes away has a known variance, and known correlations from sample
 * to sample. If what is taken away has others, it may be motion, a tone or a vibration: the choice is
 * doubtful. */
#include "whole/choose_cutoff.h"

#include "base/array.h"
#include "number/number.h"
#include "springs/cutoff.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 4,        /* significant digits of the chosen cutoff */
    STATES = 12,       /* at most as many different whole numbers are states */
    STEPS = 100,       /* most cutoffs of a scan */
    HALVINGS = 3,      /* of the half octave in which the guard begins to hold */
    ENDS_COUNT = 1000, /* samples in a run: of a shorter run both ends are mended for a score */
    LAGS = 3,          /* correlations of a sample with itself, and with the two known ones before it */
    ANGLES = 100,      /* of a mean over all frequencies */
    AT_ONCE = 32768    /* samples of a piece: noise and steps are found piece by piece */
};

#define HALF_OCTAVE M_SQRT1_2
#define REACHES     6.0   /* standard deviations that noise reaches */
#define SMALL_PART  0.01  /* of the range: a smaller move does no harm */
#define TOP         0.999 /* of the cutoff that is refused: the highest that is tried */

#define MOST_TIMES 2.25 /* times the expected variance: more than that is not noise alone */
#define CORRELATES 0.15 /* correlations of noise are as near to the expected ones */
#define BY_CHANCE  2.0  /* over the root of the number of samples: so much farther by chance */
#define STEPPED    4.0  /* squares of half a step: most variance of an encoder's noise; more is motion */

/* The samples that cutoffs are tried on. */
struct trials {
    struct smoothing *smoothing;
    const struct samples *all;
    const struct sample_run *run; /* [nrun] */
    size_t nrun;
    size_t nknown, width;    /* known samples; numbers of each, 3 of a rotation */
    const double *column[3]; /* [width][nknown] the known samples; of a rotation the path */
    const double *T;         /* [nknown] seconds since the known sample before; T[0] is not used */
    double *room;            /* [AT_ONCE or less] owned */
    double range;            /* of the samples; of a vector the length of the ranges of its components */
    double rounding;         /* half a unit of the last digit, but at most SMALL_PART of the range */
    double noise;            /* variance, summed over the components */
    size_t stride;           /* samples from change to change, where most are equal to those before; else 1 */
    bool rests;              /* noise was found to be 0: a series that rests, not one in steps */
    double step;             /* the usual seconds from known sample to known sample */
    double top, lowest;      /* cutoffs, in Hz */
};

struct trial {
    bool correlates;  /* false: a score needs the squares alone */
    double sum[LAGS]; /* of the products of the distances of known samples from the result, by lag */
    double trace;     /* the sum of the leverages */
    size_t n;         /* known samples */
    double score;     /* see the head of this file; INFINITY where the smoother has no result */
    double farthest;  /* the largest distance */
    size_t sample;    /* where that is */
};

static size_t at_once(size_t n)
{
    return n < AT_ONCE ? n : AT_ONCE;
}

/* --- what the samples show --- */

/* Gathers the known samples by component. Rotations become the path from sample to sample. */
static void gather(struct trials *trials, double *T, double *const column[3])
{
    const bool rotations = trials->all->width == SAMPLE_ROTATION;
    const struct samples *all = trials->all;
    const double *before = NULL;
    double since = 0;
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++) {
        const double *here = all->value + k * all->width;
        double way[3] = { 0 };
        since += k > 0 ? all->T[k] : 0;
        if (!samples_known(all, k))
            continue;
        if (rotations && before)
            rotation_vector(here, before, way);
        for (size_t c = 0; c < trials->width; c++) {
            const double last = n > 0 ? column[c][n - 1] : 0;
            column[c][n] = rotations ? last + way[c] : here[c];
        }
        T[n++] = since;
        since = 0;
        before = here;
    }
    trials->nknown = n;
    trials->T = T;
    memcpy(trials->column, column, sizeof trials->column);
}

static double find_range(const struct trials *trials)
{
    double square = 0;
    for (size_t c = 0; c < trials->width; c++) {
        const double *x = trials->column[c];
        double least = x[0], most = x[0];
        for (size_t k = 1; k < trials->nknown; k++) {
            least = x[k] < least ? x[k] : least;
            most = x[k] > most ? x[k] : most;
        }
        square += (most - least) * (most - least);
    }
    return sqrt(square);
}

/* A series in steps, as of an encoder, whose samples mostly are those before: how many samples it takes from
 * change to change, in the mean; 1: most samples change. */
static size_t find_stride(const struct trials *trials)
{
    const size_t n = trials->nknown;
    size_t nchange = 0;
    for (size_t k = 1; k < n; k++) {
        bool changes = false;
        for (size_t c = 0; c < trials->width; c++)
            changes |= trials->column[c][k] != trials->column[c][k - 1];
        nchange += changes;
    }
    if (nchange == 0 || 2 * nchange >= n)
        return 1;
    const size_t stride = (n + nchange - 1) / nchange;
    return n / stride >= NOISE_LEAST ? stride : 1;
}

static double find_rounding(const struct trials *trials)
{
    double rounding = 0;
    for (size_t c = 0; c < trials->width && trials->all->width != SAMPLE_ROTATION; c++)
        rounding = fmax(rounding, rounding_error(trials->column[c], trials->nknown));
    return fmin(rounding, SMALL_PART * trials->range);
}

/* The variance of the noise, from every stride-th sample: the mean over the pieces of a long series. */
static double find_noise(const struct trials *trials, size_t stride)
{
    const size_t n = trials->nknown, npiece = (n + AT_ONCE - 1) / AT_ONCE;
    double sum = 0;
    for (size_t i = 0; i < npiece; i++) {
        const size_t first = n * i / npiece, length = n * (i + 1) / npiece - first;
        const double *T = trials->T + first;
        struct noise_samples samples = { .T = T, .ncolumn = trials->width, .n = length };
        if (smoothing_find_steps(T, length, trials->room).even)
            samples.T = NULL;
        for (size_t c = 0; c < trials->width; c++)
            samples.column[c] = trials->column[c] + first;
        sum += noise_by_median(&samples, stride, trials->room);
    }
    return sum / (double)npiece;
}

bool choose_are_states(const double *x, size_t n)
{
    double value[STATES];
    size_t nvalue = 0, known = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        if (isnan(x[k]))
            continue;
        while (i < nvalue && value[i] != x[k])
            i++;
        if (x[k] != rint(x[k]) || i == STATES)
            return false;
        if (i == nvalue)
            value[nvalue++] = x[k];
        known++;
    }
    return known >= CHOOSE_LEAST;
}

static bool are_states(const struct trials *trials)
{
    bool states = trials->all->width != SAMPLE_ROTATION;
    for (size_t c = 0; c < trials->width && states; c++)
        states = choose_are_states(trials->column[c], trials->nknown);
    return states;
}

/* --- trials --- */

/* The samples from `first` to `last` without missing ones at both ends; none: first > last. */
static struct sample_run known_part(const struct samples *all, size_t first, size_t last)
{
    while (first <= last && !samples_known(all, first))
        first++;
    while (last > first && !samples_known(all, last))
        last--;
    return (struct sample_run){ first, last };
}

/* Sets off to the way from the result to a sample. False: the sample is missing. */
static inline bool find_way(const struct smoothing *smoothing, const struct samples *run, size_t width,
                            size_t k, double off[3])
{
    const double *value = run->value + k * width, *x = smoothing->curve.x + k * width;
    if (isnan(value[0]))
        return false;
    if (width == SAMPLE_ROTATION)
        rotation_vector(value, smoothing->rotation + 4 * k, off);
    for (size_t i = 0; i < width && width != SAMPLE_ROTATION; i++)
        off[i] = value[i] - x[i];
    return true;
}

/* Adds the products of the way to a known sample, off[0], with those to the known samples before it. */
static void add_products(double off[LAGS][3], struct trial *trial)
{
    for (size_t lag = 1; lag < LAGS; lag++)
        trial->sum[lag] += rotation_dot(off[0], off[lag]);
    memmove(off[1], off[0], (LAGS - 1) * sizeof off[0]);
}

/* The trial with the distances in a run, which begins with this sample of the series. */
static inline struct trial add_distances(const struct smoothing *smoothing, const struct samples *run,
                                         size_t width, size_t first, struct trial trial)
{
    double off[LAGS][3] = { { 0 } }; /* of the known sample at hand, and of those before it */
    for (size_t k = 0; k < run->n; k++) {
        if (!find_way(smoothing, run, width, k, off[0]))
            continue;
        const double square = width == SAMPLE_NUMBER ? off[0][0] * off[0][0] : rotation_dot(off[0], off[0]);
        trial.sum[0] += square;
        trial.n++;
        if (square > trial.farthest) {
            trial.farthest = square;
            trial.sample = first + k;
        }
        if (trial.correlates)
            add_products(off, &trial);
    }
    return trial;
}

/* Adds a run, or a part of it, to a trial. False: out of memory. */
static bool try_run(struct trials *trials, double cutoff, struct sample_run part, struct smoothing_wish wish,
                    struct trial *trial)
{
    const struct samples run = samples_of_run(trials->all, part);
    struct error e;
    if (!smoothing_run(trials->smoothing, &run, cutoff, wish, &e))
        return false;
    trial->trace += smoothing_trace(trials->smoothing);
    if (run.width == SAMPLE_NUMBER) /* the usual case, without a loop over components */
        *trial = add_distances(trials->smoothing, &run, SAMPLE_NUMBER, part.first, *trial);
    else
        *trial = add_distances(trials->smoothing, &run, run.width, part.first, *trial);
    return true;
}

/* Tries a cutoff on all samples. mends: the ends are as the result has them; else those of short runs are,
 * which is enough for a score. */
static struct trial try_cutoff(struct trials *trials, double cutoff, bool mends)
{
    struct trial trial = { .score = INFINITY, .correlates = mends };
    for (size_t i = 0; i < trials->nrun; i++) {
        const struct sample_run run = trials->run[i];
        const bool ends = mends || run.last - run.first < ENDS_COUNT;
        for (size_t first = run.first, last; first <= run.last; first = last + 1) {
            last = run.last - first < AT_ONCE ? run.last : first + AT_ONCE - 1;
            const struct smoothing_wish wish = { false, ends && first == run.first,
                                                 ends && last == run.last };
            const struct sample_run part = known_part(trials->all, first, last);
            if (part.first <= part.last && !try_run(trials, cutoff, part, wish, &trial))
                return trial;
        }
    }
    const double n = (double)trial.n;
    const double score = trial.sum[0] / n + 2 * trials->noise * (double)trials->stride * trial.trace / n;
    trial.score = isfinite(score) ? score : INFINITY;
    trial.farthest = sqrt(trial.farthest);
    return trial;
}

/* The way from the middle of three scores, half octaves apart, to the vertex of their parabola, in half
 * octaves. The scores at both sides are not less. */
static double vertex_of(const double score[3])
{
    const double curvature = score[0] - 2 * score[1] + score[2];
    if (!(curvature > 0) || !isfinite(curvature))
        return 0;
    return (score[0] - score[2]) / (2 * curvature);
}

/* The cutoff with the least score, by octaves, then by half octaves around the least. Lower cutoffs have a
 * larger mean square, which never exceeds the score: once it exceeds the least score, no lower cutoff is
 * better. */
static double scan(struct trials *trials)
{
    double room[1 + STEPS + 1], *score = room + 1; /* of each half octave; INFINITY: not tried */
    size_t best = 0;
    for (size_t i = 0; i < 1 + STEPS + 1; i++)
        room[i] = INFINITY;
    for (size_t i = 0; i < STEPS; i += 2) {
        const double cutoff = trials->top * pow(HALF_OCTAVE, (double)i);
        if (i > 0 && cutoff < trials->lowest)
            break;
        const struct trial trial = try_cutoff(trials, cutoff, false);
        score[i] = trial.score;
        if (trial.sum[0] > score[best] * (double)trial.n)
            break;
        best = trial.score < score[best] ? i : best;
    }
    const size_t octave = best;
    for (size_t i = octave > 0 ? octave - 1 : 1; i <= octave + 1; i += 2) {
        score[i] = try_cutoff(trials, trials->top * pow(HALF_OCTAVE, (double)i), false).score;
        best = score[i] < score[best] ? i : best;
    }
    return trials->top * pow(HALF_OCTAVE, (double)best + vertex_of(score + best - 1));
}

/* --- the guard --- */

/* Raises the cutoff until no sample moves too far. Returns the trial of the cutoff; at every cutoff a sample
 * may move too far. */
static struct trial raise_cutoff(struct trials *trials, double most, double *cutoff)
{
    double low = *cutoff, high = *cutoff;
    struct trial trial = try_cutoff(trials, high, true);
    while (trial.farthest > most && high < trials->top) {
        low = high;
        high = fmin(low / HALF_OCTAVE, trials->top);
        trial = try_cutoff(trials, high, true);
    }
    for (int i = 0; i < HALVINGS && low < high && trial.farthest <= most; i++) {
        const double middle = sqrt(low * high);
        const struct trial lower = try_cutoff(trials, middle, true);
        if (lower.farthest > most) {
            low = middle;
            continue;
        }
        high = middle;
        trial = lower;
    }
    *cutoff = high;
    return trial;
}

/* --- the check --- */

/* Sets expected to the covariances, by lag, of what the curve of a cutoff takes away of white noise of
 * variance 1. */
static void expect(const struct trials *trials, double cutoff, double expected[LAGS])
{
    const double a2 = smoother_penalty(cutoff, trials->step);
    memset(expected, 0, LAGS * sizeof *expected);
    for (int i = 0; i < ANGLES; i++) {
        const double angle = M_PI * (i + 0.5) / ANGLES;
        const double rest = 1 - smoother_gain_at(a2, trials->step, angle);
        for (int lag = 0; lag < LAGS; lag++)
            expected[lag] += rest * rest * cos(lag * angle) / ANGLES;
    }
}

/* Does what the curve takes away look like white noise, or like the steps of an encoder? */
static bool looks_like_noise(const struct trials *trials, const struct trial *trial, double cutoff)
{
    const double n = (double)trial->n, *sum = trial->sum;
    const double slack = CORRELATES + BY_CHANCE / sqrt(n);
    double expected[LAGS];
    expect(trials, cutoff, expected);
    if (sum[0] > MOST_TIMES * trials->noise * expected[0] * n)
        return false;
    if (trials->stride > 1 && !trials->rests)
        return trials->noise <= STEPPED * trials->rounding * trials->rounding;
    for (size_t lag = 1; lag < LAGS; lag++)
        if (fabs(sum[lag] / sum[0] - expected[lag] / expected[0]) > slack)
            return false;
    return true;
}

/* --- the choice --- */

static void choose(struct trials *trials, struct cutoff_choice *choice)
{
    const struct samples *all = trials->all;
    trials->range = find_range(trials);
    trials->stride = find_stride(trials);
    trials->rounding = find_rounding(trials);
    trials->noise = find_noise(trials, trials->stride);
    trials->rests = trials->noise == 0;
    trials->noise = fmax(trials->noise, trials->rounding * trials->rounding / 3);
    trials->step = smoothing_find_steps(trials->T, at_once(trials->nknown), trials->room).usual;
    double usual = trials->step; /* of all samples */
    if (trials->nknown < all->n)
        usual = smoothing_find_steps(all->T, at_once(all->n), trials->room).usual;
    trials->top = TOP * CUTOFF_MOST_OF_RATE / usual;
    trials->lowest = 1 / samples_between(all, 0, all->n - 1);
    double cutoff = number_round(scan(trials), DIGITS);
    const double noise = fmax(sqrt(trials->noise), trials->rounding);
    const double allowed = fmax(REACHES * noise, SMALL_PART * trials->range); /* how far a sample may move */
    const struct trial trial = raise_cutoff(trials, allowed, &cutoff);
    choice->cutoff = number_round(cutoff, DIGITS);
    choice->sample = trial.sample;
    choice->doubtful = !looks_like_noise(trials, &trial, cutoff);
    if (trial.farthest > allowed) {
        choice->stays = STAYS_STANDING_OUT;
        choice->cutoff = INFINITY;
    }
}

static enum cutoff_stays find_stays(const struct trials *trials)
{
    if (trials->nknown == 0)
        return STAYS_EMPTY;
    if (trials->nknown < CHOOSE_LEAST)
        return STAYS_FEW;
    return are_states(trials) ? STAYS_STATES : STAYS_NOT;
}

bool choose_cutoff(struct smoothing *smoothing, const struct samples *all, const struct sample_run *run,
                   size_t nrun, struct cutoff_choice *choice, struct error *e)
{
    struct trials trials = { .smoothing = smoothing, .all = all, .run = run, .nrun = nrun };
    trials.width = all->width == SAMPLE_ROTATION ? 3 : all->width;
    const bool as_given = all->width == SAMPLE_NUMBER && array_is_finite(all->value, all->n);
    const size_t own = as_given ? 0 : all->n;
    double *T, *column[3];
    if (!arrays_make(e, ARRAY(trials.room, at_once(all->n)), ARRAY(T, own),
                     ARRAY(column[0], trials.width * own)))
        return false;
    for (size_t c = 1; c < trials.width; c++)
        column[c] = column[c - 1] + own;
    if (as_given) {
        trials.T = all->T;
        trials.column[0] = all->value;
        trials.nknown = all->n;
    } else {
        gather(&trials, T, column);
    }
    *choice = (struct cutoff_choice){ .stays = find_stays(&trials), .cutoff = INFINITY };
    if (choice->stays == STAYS_NOT)
        choose(&trials, choice);
    free(trials.room);
    return true;
}
