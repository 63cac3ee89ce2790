/* A ladder of splines whose penalty is eased toward the end. See smooth_ends.h.
 *
 * On rung r the penalty at time t from the end counts f^(1 - u^2 (3 - 2 u)), u = t / EASED, f = part[r - 1],
 * and fully from u = 1 on. With less penalty the curve is nearer to the motion where it bends, and nearer to
 * the noise. So the differences of each rung from the rung before are added where they are more than noise
 * makes, after W. James and C. Stein, "Estimation with quadratic loss" (1961): the difference times max(0, 1
 * - noise energy / energy), and never more than the difference before.
 *
 * Rungs differ only near the end. The sweep forward over the far rows is the same for all rungs. The sweeps
 * backward over the far rows differ only in the adjoint that each sweep begins with. So a rung is run over
 * the near rows alone, and the correction at the far rows follows from the adjoint.
 */
#include "whole/smooth_ends.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EASED 1.5 /* periods from the end over which the penalty is eased */

/* Periods next to the end whose rows decide. A row that is exactly 0.6 periods away decides, however times
 * are rounded: points between rows round the sums of their steps otherwise. */
#define DECIDES 0.600001

/* How many times its energy noise is taken for. James and Stein have about 1. Measured with 100 motions in
 * each of 35 conditions (60 to 250 Hz, cutoffs of 3 to 12 Hz, 60 to 240 rows, noise of 0.1 to 10 mm), the 12
 * rows next to an end are nearer to the truth with 2 in all but two, by up to 12 %. The first row alone is up
 * to 17 % farther from it where noise is at most 1 mm, and 3 to 10 % nearer at 10 mm. */
#define CAUTION 2.0

enum {
    IMPULSES = 16 /* rows that are tried for the energy of noise, at most */
};

static const double part[SMOOTH_RUNGS] = { 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-6 };

/* A series at the near rows, and its curves of two neighbouring rungs. */
struct climber {
    struct smooth_rows rows;
    struct smooth_curve first; /* prediction and innovation at the first row */
    struct smooth_curve now, before;
};

/* The work of one call. */
struct mending {
    const struct smooth_end *end;
    struct smooth_ladder *ladder;
    size_t nfar, nnear;           /* rows; the first near row is the last whose prediction rungs share. No far
                                     rows: they share nothing */
    size_t ndecide;               /* rows that decide, the last ones */
    size_t nknown;                /* those of them that have a sample */
    size_t nimpulse;              /* impulses, in the first channels of impulse rows */
    size_t impulse_row[IMPULSES]; /* [nimpulse] near rows */
    double *impulse;              /* [nnear * nimpulse] */
    double *zero;                 /* [2 * nfar] */
    struct smooth_curve arrived;  /* of the sweep forward over the far rows, to the first near row */
    struct climber sample;        /* the samples of the end */
    struct climber answer;        /* to the impulses */
    bool answered;                /* answer.now is of a rung */
    double *adjoint;              /* [2 * nchannel] of the correction, behind the far rows */
};

/* --- near and far rows --- */

/* Number of rows that decide. */
static size_t count_deciding(const struct smooth_end *end)
{
    double time = 0;
    size_t count = 1;
    while (count < end->n && (time += end->T[end->n - count]) <= DECIDES * end->period)
        count++;
    return count;
}

/* The sample before row `row`, or row 0. Sets *between to the seconds between them. */
static size_t sample_before(const double *T, const double *weight, size_t row, double *between)
{
    *between = T[row];
    while (--row > 0 && !(weight[row] > 0))
        *between += T[row];
    return row;
}

/* Number of far rows. The first near row has a sample, and the step from it to the next sample is not eased,
 * so that the first near row does not decide. Two far rows have a sample, as the curve begins with two. */
static size_t count_far(const struct smooth_end *end)
{
    const struct smooth_rows rows = { .n = end->n, .weight = end->weight };
    double time = 0, T;
    for (size_t row = end->n - 1, before; row > 0; row = before) {
        before = sample_before(end->T, end->weight, row, &T);
        if (time + T / 2 >= EASED * end->period)
            return before > smooth_second_sample(&rows) ? before : 0;
        time += T;
    }
    return 0;
}

/* Sets the ease of the steps to the near rows. From sample to sample it is the same, so that points and
 * missing rows between them change nothing. */
static void set_ease(const struct mending *mending, double f, double *ease)
{
    const struct smooth_rows *rows = &mending->sample.rows;
    double time = 0, T;
    ease[0] = 1;
    for (size_t row = rows->n - 1, before; row > 0; row = before) {
        before = sample_before(rows->T, rows->weight, row, &T);
        const double u = (time + T / 2) / (EASED * mending->end->period);
        const double eased = u < 1 ? pow(f, 1 - u * u * (3 - 2 * u)) : 1;
        for (size_t i = before + 1; i <= row; i++)
            ease[i] = eased;
        time += T;
    }
}

static struct smooth_penalty penalty_of(const struct mending *mending)
{
    return (struct smooth_penalty){ 0, mending->end->a2 };
}

/* The far rows and the first near row. */
static struct smooth_rows far_rows(const struct mending *mending)
{
    const struct smooth_end *end = mending->end;
    return (struct smooth_rows){
        .n = mending->nfar + 1,
        .nchannel = end->nchannel,
        .T = end->T,
        .weight = end->weight,
        .value = end->value,
    };
}

/* The near rows, with samples of some channels. */
static struct smooth_rows near_rows(const struct mending *mending, const struct climber *climber,
                                    size_t nchannel, const double *value)
{
    return (struct smooth_rows){
        .n = mending->nnear,
        .nchannel = nchannel,
        .T = mending->end->T + mending->nfar,
        .weight = mending->end->weight + mending->nfar,
        .value = value,
        .before = mending->nfar > 0 ? &climber->first : NULL,
    };
}

/* The first near row whose correction is wanted. */
static size_t first_wanted(const struct mending *mending, const struct smooth_curve *correction)
{
    return correction->from > mending->nfar ? correction->from - mending->nfar : 0;
}

/* --- memory --- */

/* Numbers that a curve has. */
static size_t numbers_of_curve(size_t n, size_t nchannel)
{
    return (3 * n + 2) * nchannel;
}

static double *take(double **from, size_t n)
{
    double *array = *from;
    *from += n;
    return array;
}

static struct smooth_curve curve_of(double *value, double *velocity, double *acceleration)
{
    return (struct smooth_curve){ .value = value, .velocity = velocity, .acceleration = acceleration };
}

static struct smooth_curve take_curve(double **from, size_t n, size_t nchannel)
{
    double *value = take(from, n * nchannel), *velocity = take(from, n * nchannel);
    struct smooth_curve curve = curve_of(value, velocity, take(from, n * nchannel));
    curve.adjoint = take(from, 2 * nchannel);
    return curve;
}

static bool make_room(struct mending *mending, struct error *e)
{
    struct smooth_ladder *ladder = mending->ladder;
    size_t nchannel = mending->end->nchannel, nimpulse = mending->nimpulse;
    size_t nfar = mending->nfar, nnear = mending->nnear;
    size_t total = numbers_of_curve(nfar + 1, nchannel) + 2 * numbers_of_curve(nnear, nchannel) +
                   2 * numbers_of_curve(nnear, nimpulse) + nnear * nimpulse + 2 * nfar + 2 * nchannel;
    if (!array_reserve(&ladder->room, total, &ladder->maxroom, sizeof *ladder->room, e))
        return false;
    double *at = ladder->room;
    mending->arrived = take_curve(&at, nfar + 1, nchannel);
    mending->sample.now = take_curve(&at, nnear, nchannel);
    mending->sample.before = take_curve(&at, nnear, nchannel);
    mending->answer.now = take_curve(&at, nnear, nimpulse);
    mending->answer.before = take_curve(&at, nnear, nimpulse);
    mending->impulse = take(&at, nnear * nimpulse);
    mending->zero = take(&at, 2 * nfar);
    mending->adjoint = take(&at, 2 * nchannel);
    return true;
}

void smooth_ladder_free(struct smooth_ladder *ladder)
{
    free(ladder->room);
    free(ladder->kept);
    free(ladder->known);
}

/* --- the ladder --- */

/* Makes room for what is known of the near and far rows. */
static bool make_known(struct smooth_ladder *ladder, size_t nfar, size_t nnear, struct error *e)
{
    const size_t gain = sizeof *ladder->gains.row / sizeof *ladder->known;
    size_t total = (nfar + 1) * gain + numbers_of_curve(nfar, 2) + (SMOOTH_RUNGS + 1) * (gain + 1) * nnear;
    if (!array_reserve(&ladder->known, total, &ladder->maxknown, sizeof *ladder->known, e))
        return false;
    double *at = ladder->known;
    ladder->gains.row = (struct smooth_gain *)(void *)take(&at, (nfar + 1) * gain);
    ladder->answer = take_curve(&at, nfar, 2);
    for (size_t r = 0; r <= SMOOTH_RUNGS; r++) {
        ladder->rung[r].gains.row = (struct smooth_gain *)(void *)take(&at, nnear * gain);
        ladder->rung[r].ease = r > 0 ? take(&at, nnear) : NULL;
    }
    return true;
}

/* Finds the gains of the far rows, and the answers there. */
static void know_far_rows(const struct mending *mending)
{
    struct smooth_ladder *ladder = mending->ladder;
    struct smooth_rows rows = far_rows(mending);
    const double *answer = ladder->answer.value;
    static const double adjoint[4] = { 1, 0, 0, 1 };
    memset(ladder->answered, 0, sizeof ladder->answered);
    if (mending->nfar == 0)
        return;
    smooth_find_gains(penalty_of(mending), &rows, &ladder->gains);
    rows.n = mending->nfar;
    rows.nchannel = 2;
    rows.value = memset(mending->zero, 0, 2 * mending->nfar * sizeof *mending->zero);
    memcpy(ladder->answer.adjoint, adjoint, sizeof adjoint);
    smooth_run(penalty_of(mending), &rows, &ladder->gains, &ladder->answer);
    for (size_t i = 0; i < rows.n; i++) {
        double x = rows.weight[i] * answer[2 * i], v = rows.weight[i] * answer[2 * i + 1];
        ladder->answered[0] += x * x;
        ladder->answered[1] += x * v;
        ladder->answered[2] += v * v;
    }
}

/* Forgets what is known of other steps, weights or penalties. */
static bool keep_known(const struct mending *mending, struct error *e)
{
    struct smooth_ladder *ladder = mending->ladder;
    const struct smooth_end *end = mending->end;
    size_t n = end->n, bytes = n * sizeof *ladder->kept;
    if (ladder->nkept == 2 * n && ladder->a2 == end->a2 && ladder->period == end->period &&
        memcmp(ladder->kept + 1, end->T + 1, bytes - sizeof *ladder->kept) == 0 &&
        memcmp(ladder->kept + n, end->weight, bytes) == 0)
        return true;
    ladder->nkept = ladder->nrung = ladder->nenergy = 0;
    if (!array_reserve(&ladder->kept, 2 * n, &ladder->maxkept, sizeof *ladder->kept, e) ||
        !make_known(ladder, mending->nfar, mending->nnear, e))
        return false;
    memcpy(ladder->kept, end->T, bytes);
    memcpy(ladder->kept + n, end->weight, bytes);
    ladder->nkept = 2 * n;
    ladder->a2 = end->a2;
    ladder->period = end->period;
    know_far_rows(mending);
    return true;
}

/* Makes climber->now the curve of rung r, and `before` what `now` was. The rungs before are known. */
static void climb(const struct mending *mending, struct climber *climber, size_t r)
{
    struct smooth_ladder *ladder = mending->ladder;
    struct smooth_rung *rung = &ladder->rung[r];
    struct smooth_curve before = climber->now;
    climber->now = climber->before;
    climber->before = before;
    climber->rows.ease = rung->ease;
    if (r == ladder->nrung) {
        if (r > 0)
            set_ease(mending, part[r - 1], rung->ease);
        if (mending->nfar > 0)
            rung->gains.row[0] = *smooth_gain_of(&ladder->gains, mending->nfar);
        smooth_find_gains(penalty_of(mending), &climber->rows, &rung->gains);
        ladder->nrung++;
    }
    memset(climber->now.adjoint, 0, 2 * climber->rows.nchannel * sizeof *climber->now.adjoint);
    smooth_run(penalty_of(mending), &climber->rows, &rung->gains, &climber->now);
}

/* --- the energy of noise --- */

/* Finds the rows of impulses: the rows that decide and have a sample, or of many some, evenly spread. */
static void find_impulse_rows(struct mending *mending)
{
    size_t known = 0, impulse = 0;
    for (size_t row = mending->nnear; impulse < mending->nimpulse; row--) {
        if (!(mending->sample.rows.weight[row - 1] > 0))
            continue;
        if (known++ == impulse * mending->nknown / mending->nimpulse)
            mending->impulse_row[impulse++] = row - 1;
    }
}

static void set_impulses(struct mending *mending)
{
    find_impulse_rows(mending);
    memset(mending->impulse, 0, mending->nnear * mending->nimpulse * sizeof *mending->impulse);
    for (size_t k = 0; k < mending->nimpulse; k++)
        mending->impulse[mending->impulse_row[k] * mending->nimpulse + k] = 1;
}

/* The energy of the difference of two rungs at the rows that decide, for white noise of variance 1: the sum
 * over rows i and samples k of D_ik^2. D_ik is the answer at row i to an impulse at k; the impulse at i gives
 * it: D_ik = D_ki weight_k / weight_i. */
static double noise_energy(const struct mending *mending)
{
    const struct smooth_curve *now = &mending->answer.now, *before = &mending->answer.before;
    const double *weight = mending->answer.rows.weight, *answered = mending->ladder->answered;
    size_t n = mending->nimpulse;
    double energy[IMPULSES], sum = 0;
    for (size_t k = 0; k < n; k++) {
        double x = now->adjoint[k] - before->adjoint[k], v = now->adjoint[n + k] - before->adjoint[n + k];
        energy[k] = answered[0] * x * x + 2 * answered[1] * x * v + answered[2] * v * v;
    }
    for (size_t i = 0; i < mending->nnear; i++)
        for (size_t k = 0; k < n; k++) {
            double moved = weight[i] * (now->value[i * n + k] - before->value[i * n + k]);
            energy[k] += moved * moved;
        }
    for (size_t k = 0; k < n; k++) {
        double at = weight[mending->impulse_row[k]];
        sum += energy[k] / (at * at);
    }
    return sum * (double)mending->nknown / (double)n;
}

/* The energy of the difference of rung r from the rung before. An energy takes longest to find, so it is
 * found only where samples have come to the rung. The energies of the rungs before are known. */
static double find_energy(struct mending *mending, size_t r)
{
    struct smooth_ladder *ladder = mending->ladder;
    if (r <= ladder->nenergy)
        return ladder->energy[r - 1];
    if (!mending->answered) {
        set_impulses(mending);
        climb(mending, &mending->answer, r - 1);
    }
    climb(mending, &mending->answer, r);
    mending->answered = true;
    ladder->energy[r - 1] = noise_energy(mending);
    ladder->nenergy = r;
    return ladder->energy[r - 1];
}

/* --- the correction --- */

/* The energy of the difference of two rungs at the rows that decide. */
static double energy_of(const struct mending *mending)
{
    const struct climber *sample = &mending->sample;
    size_t nchannel = mending->end->nchannel;
    double sum = 0;
    for (size_t i = mending->nnear - mending->ndecide; i < mending->nnear; i++)
        for (size_t c = i * nchannel; c < (i + 1) * nchannel && sample->rows.weight[i] > 0; c++) {
            double off = sample->now.value[c] - sample->before.value[c];
            sum += off * off;
        }
    return sum;
}

/* The part of a difference that is more than noise. */
static double more_than_noise(double noise, double noise_energy, double energy)
{
    return noise == 0 ? 1 : fmax(0, 1 - CAUTION * noise * noise_energy / energy);
}

/* Adds theta times the difference of two arrays of n numbers to a sum. */
static void add_difference(double theta, const double *now, const double *before, double *sum, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += theta * (now[i] - before[i]);
}

/* Adds theta times the difference of two rungs to the correction of the near rows, and to its adjoint. */
static void add_rung(const struct mending *mending, double theta, const struct smooth_curve *correction)
{
    const struct smooth_curve *now = &mending->sample.now, *before = &mending->sample.before;
    size_t nchannel = mending->end->nchannel, far = mending->nfar * nchannel;
    size_t at = first_wanted(mending, correction) * nchannel, n = mending->nnear * nchannel - at;
    size_t to = far + at, derived = (mending->nnear - now->value_rows) * nchannel;
    add_difference(theta, now->adjoint, before->adjoint, mending->adjoint, 2 * nchannel);
    add_difference(theta, now->value + at, before->value + at, correction->value + to, n);
    n = derived > at ? derived - at : 0;
    add_difference(theta, now->velocity + at, before->velocity + at, correction->velocity + to, n);
    add_difference(theta, now->acceleration + at, before->acceleration + at, correction->acceleration + to,
                   n);
}

/* Sets the correction of the far rows. */
static void correct_far_rows(const struct mending *mending, const struct smooth_curve *correction)
{
    const struct smooth_curve *answer = &mending->ladder->answer;
    size_t nchannel = mending->end->nchannel;
    for (size_t i = correction->from; i < mending->nfar; i++)
        for (size_t c = 0; c < nchannel; c++) {
            double x = mending->adjoint[c], v = mending->adjoint[nchannel + c];
            size_t at = i * nchannel + c;
            correction->value[at] = x * answer->value[2 * i] + v * answer->value[2 * i + 1];
            correction->velocity[at] = x * answer->velocity[2 * i] + v * answer->velocity[2 * i + 1];
            correction->acceleration[at] = x * answer->acceleration[2 * i] +
                                           v * answer->acceleration[2 * i + 1];
        }
}

/* --- all of it --- */

/* Divides the rows. */
static void divide_rows(struct mending *mending)
{
    const struct smooth_end *end = mending->end;
    mending->nfar = count_far(end);
    mending->nnear = end->n - mending->nfar;
    mending->ndecide = count_deciding(end);
    for (size_t row = end->n - mending->ndecide; row < end->n; row++)
        mending->nknown += end->weight[row] > 0;
    mending->nimpulse = mending->nknown < IMPULSES ? mending->nknown : IMPULSES;
}

/* Goes over the far rows, and sets up the climb over the near rows. */
static void begin_climbing(struct mending *mending, const struct smooth_curve *correction)
{
    const struct smooth_end *end = mending->end;
    const struct smooth_rows far = far_rows(mending);
    struct smooth_curve *arrived = &mending->arrived;
    struct climber *sample = &mending->sample, *answer = &mending->answer;
    size_t first = mending->nfar * end->nchannel, decide = mending->nnear - mending->ndecide;
    size_t wanted = first_wanted(mending, correction);
    arrived->from = far.n;
    if (mending->nfar > 0)
        smooth_run(penalty_of(mending), &far, &mending->ladder->gains, arrived);
    sample->first = curve_of(arrived->value + first, arrived->velocity + first,
                             arrived->acceleration + first);
    answer->first = curve_of(mending->impulse, mending->impulse, mending->impulse); /* 0 there */
    sample->rows = near_rows(mending, sample, end->nchannel, end->value + first);
    answer->rows = near_rows(mending, answer, mending->nimpulse, mending->impulse);
    sample->now.from = sample->before.from = wanted < decide ? wanted : decide;
    size_t nvalue = correction->value_rows < mending->nnear ? correction->value_rows : mending->nnear;
    sample->now.value_rows = sample->before.value_rows = nvalue;
    answer->now.value_rows = answer->before.value_rows = mending->nnear;
}

/* Sets the correction of the near rows that are wanted, and its adjoint, to 0. */
static void clear_correction(const struct mending *mending, const struct smooth_curve *correction)
{
    size_t nchannel = mending->end->nchannel, wanted = mending->nfar + first_wanted(mending, correction);
    size_t at = wanted * nchannel, bytes = (mending->end->n - wanted) * nchannel * sizeof(double);
    memset(mending->adjoint, 0, 2 * nchannel * sizeof *mending->adjoint);
    memset(correction->value + at, 0, bytes);
    memset(correction->velocity + at, 0, bytes);
    memset(correction->acceleration + at, 0, bytes);
}

bool smooth_end_mend(struct smooth_ladder *ladder, const struct smooth_end *end,
                     const struct smooth_curve *correction, double *value, struct error *e)
{
    struct mending mending = { .end = end, .ladder = ladder };
    struct climber *sample = &mending.sample;
    divide_rows(&mending);
    size_t last = (end->n - 1) * end->nchannel, last_near = (mending.nnear - 1) * end->nchannel;
    if (!make_room(&mending, e) || !keep_known(&mending, e))
        return false;
    begin_climbing(&mending, correction);
    clear_correction(&mending, correction);
    climb(&mending, sample, 0);
    if (value)
        memcpy(value, sample->now.value + last_near, end->nchannel * sizeof *value);
    double theta = isnan(end->noise) ? 0 : 1;
    for (size_t r = 1; r <= SMOOTH_RUNGS && theta > 0; r++) {
        climb(&mending, sample, r);
        theta = fmin(theta, more_than_noise(end->noise, find_energy(&mending, r), energy_of(&mending)));
        add_rung(&mending, theta, correction);
    }
    correct_far_rows(&mending, correction);
    for (size_t c = 0; c < end->nchannel && value; c++)
        value[c] += correction->value[last + c];
    return true;
}
