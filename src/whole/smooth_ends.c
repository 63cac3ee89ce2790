/* A ladder of splines whose penalty is eased toward the end. See smooth_ends.h.
 *
 * On rung r the penalty at time t from the end counts f^(1 - u^2 (3 - 2 u)), u = t / EASED, f = part[r - 1],
 * and fully from u = 1 on. With less penalty the curve is nearer to the motion where it bends, and nearer to
 * the noise. So the differences of each rung from the rung before are added where they are more than noise
 * makes, after W. James and C. Stein, "Estimation with quadratic loss" (1961): the difference times max(0, 1
 * - noise energy / energy), and never more than the difference before.
 */
#include "whole/smooth_ends.h"

#include "base/array.h"
#include "number/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EASED   1.5 /* periods from the end over which the penalty is eased */
#define DECIDES 0.6 /* periods next to the end whose rows decide */

/* Periods from the end beyond which noise hardly moves the rows that decide: less than 1e-8 of its energy
 * lies there. */
#define ENERGY_REACH 2.5

/* How many times its energy noise is taken for. James and Stein have about 1. Measured with 100 motions in
 * each of 35 conditions (60 to 250 Hz, cutoffs of 3 to 12 Hz, 60 to 240 rows, noise of 0.1 to 10 mm), the 12
 * rows next to an end are nearer to the truth with 2 in all but two, by up to 12 %. The first row alone is up
 * to 17 % farther from it where noise is at most 1 mm, and 3 to 10 % nearer at 10 mm. */
#define CAUTION 2.0

enum {
    IMPULSES = 16 /* rows that are tried for the energy of noise, at most */
};

static const double part[SMOOTH_RUNGS] = { 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-6 };

/* Number of rows within some periods of the end, of at least SMOOTH_LEAST_REACH samples, at most all. */
static size_t rows_within(const struct smooth_end *end, double periods)
{
    double time = 0;
    size_t row = 0, known = 0;
    for (; row < end->n && (known < SMOOTH_LEAST_REACH || time < periods * end->period); row++) {
        time += end->weight[row];
        known += end->weight[row] > 0;
    }
    return row;
}

size_t smooth_end_reach(const struct smooth_end *end)
{
    return rows_within(end, SMOOTH_REACH);
}

/* The work of one call. */
struct mending {
    const struct smooth_end *end;
    struct smooth_ladder *ladder;
    size_t n;                                        /* rows that the mending reaches */
    size_t nenergy;                                  /* rows whose noise counts for energies */
    size_t ndecide;                                  /* rows that decide */
    size_t nknown;                                   /* those of them that have a sample */
    size_t nimpulse;                                 /* impulses, in the first channels of impulse rows */
    size_t impulse_row[IMPULSES];                    /* [nimpulse] */
    double *impulse;                                 /* [n * nimpulse] */
    struct smooth_curve now, before;                 /* of the samples: [n * nchannel] */
    struct smooth_curve impulse_now, impulse_before; /* [n * nimpulse] */
    bool answered;                                   /* impulse_now is of a rung */
    double *theta;                                   /* [nchannel] */
};

/* --- memory --- */

static struct smooth_curve take_curve(double **from, size_t n)
{
    struct smooth_curve curve = { .value = *from, .velocity = *from + n, .acceleration = *from + 2 * n };
    *from += 3 * n;
    return curve;
}

static double *take(double **from, size_t n)
{
    double *array = *from;
    *from += n;
    return array;
}

static bool make_room(struct smooth_ladder *ladder, struct mending *mending, struct error *e)
{
    size_t wide = mending->n * mending->end->nchannel, impulses = mending->nenergy * mending->nimpulse;
    size_t widest = mending->end->nchannel > IMPULSES ? mending->end->nchannel : IMPULSES;
    size_t total = 6 * wide + 7 * impulses + widest;
    if (!array_reserve(&ladder->room, total, &ladder->maxroom, sizeof *ladder->room, e))
        return false;
    double *at = ladder->room;
    mending->now = take_curve(&at, wide);
    mending->before = take_curve(&at, wide);
    mending->impulse = take(&at, impulses);
    mending->impulse_now = take_curve(&at, impulses);
    mending->impulse_before = take_curve(&at, impulses);
    mending->theta = take(&at, widest);
    return true;
}

void smooth_ladder_free(struct smooth_ladder *ladder)
{
    free(ladder->room);
    free(ladder->kept);
    free(ladder->rungs);
}

/* --- the ladder --- */

/* Forgets kept rungs of other steps, weights or penalties. */
static bool keep_rungs(struct smooth_ladder *ladder, const struct mending *mending, struct error *e)
{
    const struct smooth_end *end = mending->end;
    size_t n = mending->n, bytes = n * sizeof *ladder->kept;
    size_t gains = n * sizeof *ladder->rung->gains.row / sizeof *ladder->rungs;
    if (ladder->nkept == 2 * n && ladder->a2 == end->a2 && ladder->period == end->period &&
        memcmp(ladder->kept + 1, end->T + 1, bytes - sizeof *ladder->kept) == 0 &&
        memcmp(ladder->kept + n, end->weight, bytes) == 0)
        return true;
    ladder->nkept = ladder->nrung = ladder->nenergy = 0;
    if (!array_reserve(&ladder->kept, 2 * n, &ladder->maxkept, sizeof *ladder->kept, e) ||
        !array_reserve(&ladder->rungs, (SMOOTH_RUNGS + 1) * (gains + n), &ladder->maxrungs,
                       sizeof *ladder->rungs, e))
        return false;
    memcpy(ladder->kept, end->T, bytes);
    memcpy(ladder->kept + n, end->weight, bytes);
    ladder->nkept = 2 * n;
    ladder->a2 = end->a2;
    ladder->period = end->period;
    double *at = ladder->rungs;
    for (size_t r = 0; r <= SMOOTH_RUNGS; r++) {
        ladder->rung[r].gains.row = (struct smooth_gain *)(void *)take(&at, gains);
        ladder->rung[r].ease = r > 0 ? take(&at, n) : NULL;
    }
    return true;
}

static void set_ease(const struct mending *mending, double f, double *ease)
{
    const struct smooth_end *end = mending->end;
    double time = 0;
    ease[0] = 1;
    for (size_t i = 1; i < mending->n; i++) {
        double u = (time + end->T[i] / 2) / (EASED * end->period);
        time += end->T[i];
        ease[i] = u < 1 ? elementary_pow(f, 1 - u * u * (3 - 2 * u)) : 1;
    }
}

static void swap_curves(struct smooth_curve *a, struct smooth_curve *b)
{
    struct smooth_curve kept = *a;
    *a = *b;
    *b = kept;
}

/* Makes mending->now the curve of rung r, and `before` what `now` was. The rungs before are known. */
static void climb(struct mending *mending, size_t r)
{
    struct smooth_ladder *ladder = mending->ladder;
    struct smooth_rung *rung = &ladder->rung[r];
    const struct smooth_penalty penalty = { 0, mending->end->a2 };
    const struct smooth_rows rows = {
        .n = mending->n,
        .nchannel = mending->end->nchannel,
        .T = mending->end->T,
        .weight = mending->end->weight,
        .ease = rung->ease,
        .value = mending->end->value,
    };
    swap_curves(&mending->now, &mending->before);
    if (r == ladder->nrung) {
        if (r > 0)
            set_ease(mending, part[r - 1], rung->ease);
        smooth_find_gains(penalty, &rows, &rung->gains);
        ladder->nrung++;
    }
    smooth_run(penalty, &rows, &rung->gains, &mending->now);
}

/* --- the energy of noise --- */

/* Finds the rows of impulses: the rows that decide and have a sample, or of many some, evenly spread. */
static void find_impulse_rows(struct mending *mending)
{
    size_t known = 0, impulse = 0;
    for (size_t row = 0; row < mending->ndecide && impulse < mending->nimpulse; row++) {
        if (!(mending->end->weight[row] > 0))
            continue;
        if (known++ == impulse * mending->nknown / mending->nimpulse)
            mending->impulse_row[impulse++] = row;
    }
}

static void set_impulses(const struct mending *mending)
{
    memset(mending->impulse, 0, mending->nenergy * mending->nimpulse * sizeof *mending->impulse);
    for (size_t k = 0; k < mending->nimpulse; k++)
        mending->impulse[mending->impulse_row[k] * mending->nimpulse + k] = 1;
}

/* The energy of the difference of two rungs at the rows that decide, for white noise of variance 1: the sum
 * over rows i and samples k of D_ik^2. D_ik is the answer at row i to an impulse at k; the impulse at i gives
 * it: D_ik = D_ki weight_k / weight_i. */
static double noise_energy(const struct mending *mending)
{
    const double *weight = mending->end->weight;
    size_t nimpulse = mending->nimpulse;
    double sum = 0;
    for (size_t i = 0; i < mending->n; i++)
        for (size_t k = 0; k < nimpulse; k++) {
            double at = weight[mending->impulse_row[k]];
            double off = mending->now.value[i * nimpulse + k] - mending->before.value[i * nimpulse + k];
            double moved = off * weight[i] / at;
            sum += moved * moved;
        }
    return sum * (double)mending->nknown / (double)nimpulse;
}

/* The energy of the difference of rung r from the rung before. To find it takes longer than all else here, so
 * it is found when samples have come to the rung. The energies of the rungs before are known. */
static double find_energy(struct mending *mending, size_t r)
{
    struct smooth_ladder *ladder = mending->ladder;
    if (r <= ladder->nenergy)
        return ladder->energy[r - 1];
    struct smooth_end of_impulses = *mending->end;
    of_impulses.nchannel = mending->nimpulse;
    of_impulses.value = mending->impulse;
    struct mending impulses = *mending;
    impulses.end = &of_impulses;
    impulses.n = mending->nenergy;
    impulses.now = mending->impulse_now;
    impulses.before = mending->impulse_before;
    impulses.now.values_only = impulses.before.values_only = true;
    if (!mending->answered) {
        set_impulses(mending);
        climb(&impulses, r - 1);
    }
    climb(&impulses, r);
    mending->impulse_now = impulses.now;
    mending->impulse_before = impulses.before;
    mending->answered = true;
    ladder->energy[r - 1] = noise_energy(&impulses);
    ladder->nenergy = r;
    return ladder->energy[r - 1];
}

/* --- the correction --- */

/* The energy of the difference of two rungs in a channel at the rows that decide. */
static double energy_of(const struct mending *mending, size_t channel)
{
    const struct smooth_end *end = mending->end;
    double sum = 0;
    for (size_t i = 0; i < mending->ndecide; i++) {
        double off = mending->now.value[i * end->nchannel + channel] -
                     mending->before.value[i * end->nchannel + channel];
        sum += end->weight[i] > 0 ? off * off : 0;
    }
    return sum;
}

/* The part of a difference that is more than noise. */
static double more_than_noise(double noise, double noise_energy, double energy)
{
    if (isnan(noise))
        return 0;
    return noise == 0 ? 1 : fmax(0, 1 - CAUTION * noise * noise_energy / energy);
}

/* Sets theta for a rung. Returns false where no channel takes anything more. */
static bool set_theta(const struct mending *mending, double noise_energy)
{
    const struct smooth_end *end = mending->end;
    double sum = 0, most = 0;
    for (size_t c = 0; c < end->nchannel && end->together; c++)
        sum += energy_of(mending, c);
    for (size_t c = 0; c < end->nchannel; c++) {
        double energy = end->together ? sum : energy_of(mending, c);
        double noise = end->noise[end->together ? 0 : c];
        mending->theta[c] = fmin(mending->theta[c], more_than_noise(noise, noise_energy, energy));
        most = fmax(most, mending->theta[c]);
    }
    return most > 0;
}

static void add_rung(const struct mending *mending, const struct smooth_curve *correction)
{
    size_t nchannel = mending->end->nchannel;
    for (size_t i = 0; i < mending->n * nchannel; i++) {
        double theta = mending->theta[i % nchannel];
        correction->value[i] += theta * (mending->now.value[i] - mending->before.value[i]);
        correction->velocity[i] += theta * (mending->now.velocity[i] - mending->before.velocity[i]);
        correction->acceleration[i] += theta *
                                       (mending->now.acceleration[i] - mending->before.acceleration[i]);
    }
}

static bool any_known(const struct smooth_end *end)
{
    bool any = false;
    for (size_t c = 0; c < (end->together ? 1 : end->nchannel); c++)
        any |= !isnan(end->noise[c]);
    return any;
}

/* Number of rows that decide. */
static size_t count_deciding(const struct smooth_end *end, size_t n)
{
    double time = 0;
    size_t row = 1;
    while (row < n && (time += end->T[row]) <= DECIDES * end->period)
        row++;
    return row;
}

bool smooth_end_mend(struct smooth_ladder *ladder, const struct smooth_end *end,
                     const struct smooth_curve *correction, double *value, struct error *e)
{
    struct mending mending = { .end = end, .ladder = ladder, .n = smooth_end_reach(end) };
    mending.nenergy = rows_within(end, ENERGY_REACH);
    size_t bytes = mending.n * end->nchannel * sizeof(double);
    mending.ndecide = count_deciding(end, mending.n);
    for (size_t row = 0; row < mending.ndecide; row++)
        mending.nknown += end->weight[row] > 0;
    mending.nimpulse = mending.nknown < IMPULSES ? mending.nknown : IMPULSES;
    find_impulse_rows(&mending);
    if (!make_room(ladder, &mending, e) || !keep_rungs(ladder, &mending, e))
        return false;
    memset(correction->value, 0, bytes);
    memset(correction->velocity, 0, bytes);
    memset(correction->acceleration, 0, bytes);
    for (size_t c = 0; c < end->nchannel; c++)
        mending.theta[c] = 1;
    climb(&mending, 0);
    if (value)
        memcpy(value, mending.now.value, end->nchannel * sizeof *value);
    bool more = any_known(end);
    for (size_t r = 1; r <= SMOOTH_RUNGS && more; r++) {
        climb(&mending, r);
        more = set_theta(&mending, find_energy(&mending, r));
        if (more)
            add_rung(&mending, correction);
    }
    for (size_t c = 0; c < end->nchannel && value; c++)
        value[c] += correction->value[c];
    return true;
}
