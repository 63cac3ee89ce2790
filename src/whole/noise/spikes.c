/* The rule of --despike. See spikes.h.
 *
 * The residual of a sample is its distance from the cubic through two samples on each side, over the size
 * that noise gives this distance. A residual exceeds a factor K if more than half of the residuals around are
 * less than r / (1.4826 K): so K counts standard deviations of usual residuals (F. R. Hampel, "The influence
 * curve and its role in robust estimation", JASA 69, 1974). A run of one to three samples is a spike if
 * - each of its samples exceeds K without the run;
 * - without the run, the two samples on each side lie on one curve: the series returns. At a step, a corner
 * or an impact they do not;
 * - no run that begins in it, or just after it, is farther off.
 * Two spikes close together hide each other: so a run is also tried with a sample after it left out. */
#include "whole/noise/spikes.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDES = 4,     /* samples that a curve goes through */
    REACH = 14,    /* samples to the next one of a curve, at most */
    OFF_AHEAD = 4, /* `off` of a sample depends on this many later samples */
    BEFORE = 33,   /* the residuals to compare with begin this many samples earlier */
    AFTER = 11,    /* up to so many after */
    FEWEST = 6,    /* fewer residuals show nothing */
    STEPS = 31,    /* steps whose median is the usual step */
    USUAL = 20,    /* more than half of the residuals around a sample */
    SCREEN = 256,  /* samples that are screened together */
    NONE = -1,     /* no sample */
    PATTERNS = 4   /* curves of `off` where all samples around have values */
};

#define LONG_STEP 3.0  /* usual steps: a longer one begins a new part */
#define RETURNS   2.5  /* factor above which a sample next to a run is off the curve */
#define BESIDE    0.15 /* if its residual is at least this part of the run's */
#define RUN_MOST  6.0  /* factor that each sample of a run must exceed; or K, if less */
#define LOW       0.7  /* part of what is usual */
#define OFF_GRID  0.13 /* of a step: as far from the line from first to last times are even */

/* The weights of the four samples of a curve, and 1 over the size of the residual of noise of size 1. */
struct weights {
    double of[SIDES], scale;
};

/* The usual curves that `off` of a sample is found by: the sample whose residual is found, and the four
 * samples around, by their distance from the sample. Without it, for it; without it and the next, for both;
 * without it and the next two, for the middle one. */
static const signed char places[PATTERNS][1 + SIDES] = {
    { 0, -2, -1, 1, 2 }, { 0, -2, -1, 2, 3 }, { 1, -2, -1, 2, 3 }, { 1, -2, -1, 3, 4 }
};

/* What a verdict may see. */
struct look {
    const struct spikes *all;
    struct spike_unit *unit;
    ptrdiff_t now;      /* the sample that is judged */
    ptrdiff_t last;     /* later samples are not seen */
    ptrdiff_t measured; /* nor `off` from this sample on */
    unsigned skip;      /* samples of these verdicts are left out */
};

/* Components of a sample. */
static size_t width_of(const struct spike_unit *unit)
{
    return unit->kind.rotation ? SPIKES_COMPONENTS : unit->kind.nnumber;
}

/* --- curves --- */

static bool is_known(const struct spike_unit *unit, ptrdiff_t sample)
{
    return !isnan(unit->column[0][sample]);
}

/* The nearest sample before (way -1) or after (way 1) a sample that is not left out. NONE: there is none
 * within reach and in the part of the sample. */
static ptrdiff_t find_next(const struct look *look, ptrdiff_t sample, ptrdiff_t way)
{
    const unsigned char *part = look->all->part;
    for (ptrdiff_t k = 1, j = sample + way; sample != NONE && k <= REACH && j >= 0 && j <= look->last;
         k++, j += way)
        if (is_known(look->unit, j) && !(look->unit->out[j] & look->skip))
            return part[j] == part[sample] ? j : NONE;
    return NONE;
}

/* Finds the two samples on each side of samples `sample` to end - 1. False: there are fewer. */
static bool find_sides(const struct look *look, ptrdiff_t sample, ptrdiff_t end, ptrdiff_t at[SIDES])
{
    at[1] = find_next(look, sample, -1);
    at[0] = find_next(look, at[1], -1);
    at[2] = find_next(look, end - 1, 1);
    at[3] = find_next(look, at[2], 1);
    return at[0] != NONE && at[3] != NONE;
}

/* Lagrange's weights at a sample of the curve through n samples. */
static struct weights weigh(const double *t, ptrdiff_t sample, const ptrdiff_t *at, size_t n)
{
    struct weights weights = { .scale = 1 };
    for (size_t k = 0; k < n; k++) {
        weights.of[k] = 1;
        for (size_t m = 0; m < n; m++)
            if (m != k)
                weights.of[k] *= (t[sample] - t[at[m]]) / (t[at[k]] - t[at[m]]);
        weights.scale += weights.of[k] * weights.of[k];
    }
    weights.scale = 1 / sqrt(weights.scale);
    return weights;
}

/* The residual of a sample. */
static inline double measure_sample(const struct spike_unit *unit, ptrdiff_t sample,
                                    const ptrdiff_t at[SIDES], const struct weights *weights)
{
    const size_t width = width_of(unit);
    double square = 0;
    for (size_t c = 0; c < width; c++) {
        const double *x = unit->column[c];
        const double way = weights->of[0] * (x[at[0]] - x[sample]) + weights->of[1] * (x[at[1]] - x[sample]) +
                           weights->of[2] * (x[at[2]] - x[sample]) + weights->of[3] * (x[at[3]] - x[sample]);
        square += way * way;
    }
    return sqrt(square) * weights->scale;
}

/* The residual of a sample, without what is left out. NaN: too few samples around. */
static double find_residual(const struct look *look, ptrdiff_t sample)
{
    ptrdiff_t at[SIDES];
    if (!find_sides(look, sample, sample + 1, at))
        return (double)NAN;
    const struct weights weights = weigh(look->all->t, sample, at, SIDES);
    return measure_sample(look->unit, sample, at, &weights);
}

/* --- residuals of all samples --- */

/* Are the times from two samples before a sample to four after it even? */
static bool is_even(const double *t, ptrdiff_t sample)
{
    const double *first = t + sample - 2, step = (first[2 + OFF_AHEAD] - first[0]) / (2 + OFF_AHEAD);
    bool even = true;
    for (int k = 1; k < 2 + OFF_AHEAD; k++)
        even &= fabs(first[k] - first[0] - k * step) <= OFF_GRID * step;
    return even;
}

/* Finds the weights of the usual curves of a sample. */
static void weigh_usual(const double *t, ptrdiff_t sample, struct weights weights[PATTERNS])
{
    for (size_t p = 0; p < PATTERNS; p++) {
        ptrdiff_t at[SIDES];
        for (size_t k = 0; k < SIDES; k++)
            at[k] = sample + places[p][1 + k];
        weights[p] = weigh(t, sample + places[p][0], at, SIDES);
    }
}

/* Finds `off` of a sample from the samples around that have values. */
static double find_off(const struct look *look, ptrdiff_t sample, ptrdiff_t length)
{
    unsigned char *out = look->unit->out;
    const ptrdiff_t end = sample + length, middle = length == SPIKES_LENGTHS;
    double most = 0;
    for (ptrdiff_t k = sample; k < end; k++)
        if (k > look->last || !is_known(look->unit, k) || look->all->part[k] != look->all->part[sample])
            return (double)NAN;
    for (ptrdiff_t k = sample; k < end; k++)
        out[k] |= SPIKE_TRIED;
    for (ptrdiff_t k = sample + middle; k < end - middle; k++) {
        const double off = find_residual(look, k);
        most = off > most || isnan(off) ? off : most;
    }
    for (ptrdiff_t k = sample; k < end; k++)
        out[k] &= (unsigned char)~SPIKE_TRIED;
    return most;
}

/* The residual of a sample by a usual curve. */
static inline double measure_usual(const struct spike_unit *unit, ptrdiff_t sample, size_t p,
                                   const struct weights weights[PATTERNS])
{
    const ptrdiff_t at[SIDES] = { sample + places[p][1], sample + places[p][2], sample + places[p][3],
                                  sample + places[p][4] };
    return measure_sample(unit, sample + places[p][0], at, &weights[p]);
}

/* Finds `off` of a sample. weights: of the usual curves; NULL: some samples around are in another part. */
static void find_offs_of(struct look *look, ptrdiff_t sample, const struct weights weights[PATTERNS])
{
    struct spike_unit *unit = look->unit;
    bool usual = weights != NULL;
    for (ptrdiff_t k = sample - 2; usual && k <= sample + OFF_AHEAD; k++)
        usual = is_known(unit, k);
    if (usual) {
        const double first = measure_usual(unit, sample, 1, weights),
                     second = measure_usual(unit, sample, 2, weights);
        unit->off[0][sample] = measure_usual(unit, sample, 0, weights);
        unit->off[1][sample] = first > second ? first : second;
        unit->off[2][sample] = measure_usual(unit, sample, 3, weights);
        return;
    }
    for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS; length++)
        unit->off[length - 1][sample] = find_off(look, sample, length);
}

/* Finds `off` of the samples before sample `end`. */
static void find_offs(struct spikes *spikes, struct spike_unit *unit, size_t nunit, ptrdiff_t end)
{
    static const double steps[] = { 0, 1, 2, 3, 4, 5, 6 };
    const ptrdiff_t n = (ptrdiff_t)spikes->n;
    struct weights even[PATTERNS], own[PATTERNS];
    weigh_usual(steps, 2, even);
    for (ptrdiff_t sample = (ptrdiff_t)spikes->measured; sample < end; sample++) {
        const ptrdiff_t last = sample + OFF_AHEAD < n ? sample + OFF_AHEAD : n - 1;
        const struct weights *weights = even;
        if (sample < 2 || sample + OFF_AHEAD >= n || spikes->part[sample - 2] != spikes->part[last]) {
            weights = NULL;
        } else if (!is_even(spikes->t, sample)) {
            weigh_usual(spikes->t, sample, own);
            weights = own;
        }
        for (size_t u = 0; u < nunit; u++) {
            struct look look = { .all = spikes, .unit = &unit[u], .last = last, .skip = SPIKE_TRIED };
            find_offs_of(&look, sample, weights);
        }
    }
    spikes->measured = end > (ptrdiff_t)spikes->measured ? (size_t)end : spikes->measured;
}

/* --- verdicts --- */

/* The largest error that rounding made in the samples around; of a vector the length of the error. */
static double find_rounding(const struct look *look)
{
    struct spike_unit *unit = look->unit;
    const ptrdiff_t low = look->now > BEFORE ? look->now - BEFORE : 0;
    double square = 0, sum = 0;
    if (unit->rounded_at == look->now + 1)
        return unit->rounding;
    for (size_t k = 0; k < unit->kind.nnumber; k++) {
        const double error = rounding_error(unit->number[k] + low, (size_t)(look->last + 1 - low));
        square += error * error;
        sum += error;
    }
    unit->rounded_at = look->now + 1;
    unit->rounding = unit->kind.turn > 0 ? sum * unit->kind.turn : sqrt(square);
    return unit->rounding;
}

/* A standard deviation over the median of lengths, of normal noise in so many components. */
static double deviation_of(const struct spike_unit *unit)
{
    static const double deviation[] = { 1.4826, .9737, .8153 };
    const size_t free = unit->kind.rotation ? 3 : unit->kind.nnumber;
    return deviation[free - 1];
}

/* Counts the residuals of runs of a length around a run that are at least a limit. */
static ptrdiff_t count_around(const struct look *look, ptrdiff_t sample, ptrdiff_t length, double limit)
{
    const double *off = look->unit->off[length - 1];
    const ptrdiff_t before = sample - length - 2, after = sample + length + 2;
    ptrdiff_t n = 0;
#pragma GCC unroll 8
    for (ptrdiff_t j = sample > BEFORE ? sample - BEFORE : 0; j < before; j++)
        n += off[j] >= limit;
    for (ptrdiff_t j = after; j < look->measured; j++)
        n += off[j] >= limit;
    return n;
}

/* Does a residual exceed a factor, by the residuals of runs of that length around a run? */
static bool exceeds(const struct look *look, double residual, double factor, ptrdiff_t sample,
                    ptrdiff_t length)
{
    const ptrdiff_t others = count_around(look, sample, length,
                                          residual / (deviation_of(look->unit) * factor));
    if (others >= USUAL)
        return false;
    const ptrdiff_t known = count_around(look, sample, length, 0);
    return known >= FEWEST && known > 2 * others && residual > factor * find_rounding(look);
}

/* A run is left out. If each of its samples is off, and the two samples on each side are not, returns the
 * largest residual of the run; else 0. */
static double stands_out(const struct look *look, ptrdiff_t sample, ptrdiff_t length)
{
    const double factor = look->all->factor, least = factor < RUN_MOST ? factor : RUN_MOST;
    double most = 0, beside = 0;
    ptrdiff_t at[SIDES];
    if (!find_sides(look, sample, sample + length, at))
        return 0;
    for (ptrdiff_t k = sample; k < sample + length; k++) {
        const double residual = find_residual(look, k);
        if (!exceeds(look, residual, least, sample, length))
            return 0;
        most = fmax(most, residual);
    }
    if (!exceeds(look, most, factor, sample, length))
        return 0;
    for (size_t k = 0; k < SIDES; k++)
        beside = fmax(beside, find_residual(look, at[k]));
    const double limit = beside > BESIDE * most ? RETURNS : RUN_MOST;
    return exceeds(look, beside, limit, sample, length) ? 0 : most;
}

/* How far a run is off: 0 if it is no spike, alone or with a second one after it. */
static double try_run(const struct look *look, ptrdiff_t sample, ptrdiff_t length)
{
    struct spike_unit *unit = look->unit;
    if (sample >= look->measured ||
        !exceeds(look, unit->off[length - 1][sample], look->all->factor / 2, sample, length))
        return 0;
    for (ptrdiff_t k = sample; k < sample + length; k++)
        unit->out[k] |= SPIKE_TRIED;
    double most = stands_out(look, sample, length);
    for (ptrdiff_t q = sample + length + 1; q <= sample + length + 3 && q < look->measured && most == 0;
         q++) {
        if (!exceeds(look, unit->off[0][q], look->all->factor, q, 1))
            continue;
        unit->out[q] |= SPIKE_TRIED;
        most = stands_out(look, sample, length);
        unit->out[q] &= (unsigned char)~SPIKE_TRIED;
    }
    for (ptrdiff_t k = sample; k < sample + length; k++)
        unit->out[k] &= (unsigned char)~SPIKE_TRIED;
    return most;
}

/* The length of the spike that begins in a sample; 0: none does. */
static ptrdiff_t judge_sample(const struct look *look, ptrdiff_t sample)
{
    ptrdiff_t best = 0;
    double most = 0;
    for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS; length++) {
        const double off = try_run(look, sample, length);
        best = off > most ? length : best;
        most = fmax(most, off);
    }
    for (ptrdiff_t k = sample + 1; best > 0 && k <= sample + best + 1; k++)
        for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS; length++)
            if (try_run(look, k, length) > most)
                return 0;
    return best;
}

/* --- samples that cannot be judged --- */

/* The distance of a sample from the parabola through three samples on one side, over the size of noise. */
static double find_ahead(const struct look *look, ptrdiff_t sample, ptrdiff_t way)
{
    ptrdiff_t at[SIDES - 1];
    at[0] = find_next(look, sample, way);
    at[1] = find_next(look, at[0], way);
    at[2] = find_next(look, at[1], way);
    if (at[2] == NONE || !is_known(look->unit, sample))
        return (double)NAN;
    const struct weights weights = weigh(look->all->t, sample, at, SIDES - 1);
    const ptrdiff_t places_of[SIDES] = { at[0], at[1], at[2], sample };
    return measure_sample(look->unit, sample, places_of, &weights);
}

/* Is sample `now` off the parabolas through the samples on the side that has three? */
static bool is_off_side(const struct look *look)
{
    const ptrdiff_t way = find_next(look, find_next(look, look->now, -1), -1) == NONE ? 1 : -1;
    const double ahead = find_ahead(look, look->now, way), factor = look->all->factor;
    const double limit = ahead / (deviation_of(look->unit) * factor);
    int below = 0, others = 0;
    for (ptrdiff_t k = 1, sample = look->now + way; k <= BEFORE && sample >= 0 && sample <= look->last;
         k++, sample += way) {
        const double other = find_ahead(look, sample, way);
        below += other < limit;
        others += other >= limit;
    }
    return below + others >= FEWEST && below > others && ahead > factor * find_rounding(look);
}

/* May sample `now`, which has fewer than two samples on one side, be a spike? The spikes after it are left
 * out for a moment, as far as they are seen. */
static bool is_unsure(const struct look *look)
{
    unsigned char *out = look->unit->out;
    for (ptrdiff_t sample = look->now + 1, length; sample <= look->last; sample += length > 0 ? length : 1) {
        length = judge_sample(look, sample);
        memset(out + sample, SPIKE, (size_t)length);
    }
    const bool unsure = is_off_side(look);
    memset(out + look->now, SPIKE_NONE, (size_t)(look->last - look->now + 1));
    return unsure;
}

/* The residuals of one length in and around SCREEN samples, with a limit that most of them reach. */
struct screen {
    ptrdiff_t low;
    double limit;
    int reach[BEFORE + SCREEN + AFTER + 1]; /* residuals from `low` to low + k - 1 that reach the limit */
};

/* The limit is the mean of the less of two neighbours, so that a spike changes it little. */
static void open_screen(struct screen *screen, const double *off, ptrdiff_t low, ptrdiff_t end)
{
    double sum = 0;
    screen->low = low;
    for (ptrdiff_t j = low; j + 1 < end; j++) {
        const double less = off[j] < off[j + 1] ? off[j] : off[j + 1];
        sum += less >= 0 ? less : 0;
    }
    screen->limit = LOW * sum / (double)(end - low);
    screen->reach[0] = 0;
    for (ptrdiff_t j = low; j < end; j++)
        screen->reach[j - low + 1] = screen->reach[j - low] + (off[j] >= screen->limit);
}

/* Is the limit of exceeds for `off` of sample `now` so low that more than half of the residuals around reach
 * it? */
static bool is_usual(const struct look *look, ptrdiff_t length, double limit, const struct screen *screen)
{
    const ptrdiff_t sample = look->now - screen->low, before = sample - length - 2,
                    after = sample + length + 2;
    const ptrdiff_t from = sample > BEFORE ? sample - BEFORE : 0, end = look->measured - screen->low;
    const int *reach = screen->reach;
    return limit <= screen->limit && before > from && end > after &&
           reach[before] - reach[from] + reach[end] - reach[after] >= USUAL;
}

/* May a run that begins in sample `now` be a spike? A cheap test, which is false for nearly all samples. */
static bool may_be_spike(const struct look *look, const struct screen screen[SPIKES_LENGTHS])
{
    const double factor = look->all->factor / 2, scale = deviation_of(look->unit) * factor;
    const ptrdiff_t sample = look->now;
    for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS && sample < look->measured; length++) {
        const double off = look->unit->off[length - 1][sample];
        if (off > 0 && !is_usual(look, length, off / scale, &screen[length - 1]) &&
            exceeds(look, off, factor, sample, length))
            return true;
    }
    return false;
}

/* Judges sample `now`. */
static void judge(const struct look *look, const struct screen screen[SPIKES_LENGTHS])
{
    unsigned char *out = look->unit->out + look->now;
    if (*out != SPIKE_NONE || !is_known(look->unit, look->now))
        return;
    if (may_be_spike(look, screen))
        memset(out, SPIKE, (size_t)judge_sample(look, look->now));
    if (isnan(look->unit->off[0][look->now]) && is_unsure(look))
        *out = SPIKE_UNSURE;
}

/* Can the spike in a sample be replaced, or will it never be? */
static bool is_settled(const struct look *look, ptrdiff_t sample)
{
    ptrdiff_t at[SIDES];
    return look->last > sample + 2 * (ptrdiff_t)REACH || find_sides(look, sample, sample + 1, at);
}

/* Judges a unit's samples before sample `end`. Returns how many are decided. */
static size_t judge_unit(const struct spikes *spikes, struct spike_unit *unit, size_t end)
{
    const size_t n = spikes->n;
    struct look look = { .all = spikes, .unit = unit, .skip = SPIKE_TRIED | SPIKE };
    struct screen screen[SPIKES_LENGTHS];
    for (size_t sample = spikes->judged, strip = sample; sample < end; sample++) {
        if (sample == strip) {
            const size_t low = sample > BEFORE ? sample - BEFORE : 0;
            strip = sample + SCREEN < end ? sample + SCREEN : end;
            const size_t high = strip + AFTER < spikes->measured ? strip + AFTER : spikes->measured;
            for (size_t k = 0; k < SPIKES_LENGTHS; k++)
                open_screen(&screen[k], unit->off[k], (ptrdiff_t)low, (ptrdiff_t)high);
        }
        look.now = (ptrdiff_t)sample;
        look.last = (ptrdiff_t)(sample + SPIKES_AHEAD < n ? sample + SPIKES_AHEAD : n - 1);
        look.measured = (ptrdiff_t)(sample + AFTER < spikes->measured ? sample + AFTER + 1
                                                                      : spikes->measured);
        judge(&look, screen);
    }
    look.last = (ptrdiff_t)end - 1;
    for (size_t sample = spikes->decided; sample < end && end < n; sample++)
        if (unit->out[sample] == SPIKE && !is_settled(&look, (ptrdiff_t)sample))
            return sample;
    return end;
}

void spikes_judge(struct spikes *spikes, struct spike_unit *unit, size_t nunit, bool all)
{
    const size_t ahead = all ? 0 : SPIKES_AHEAD;
    const size_t end = spikes->n > ahead ? spikes->n - ahead : 0;
    size_t decided = end;
    if (end <= spikes->judged && !all)
        return;
    find_offs(spikes, unit, nunit, (ptrdiff_t)spikes->n - (all ? 0 : OFF_AHEAD));
    for (size_t u = 0; u < nunit; u++) {
        const size_t own = judge_unit(spikes, &unit[u], end);
        decided = own < decided ? own : decided;
    }
    spikes->judged = end;
    spikes->decided = decided;
}

/* --- bridges --- */

/* Keeps the number of a bridge within those of the four samples around. */
static void clamp_number(const double *x, const ptrdiff_t at[SIDES], double *bridge)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < SIDES; k++) {
        least = fmin(least, x[at[k]]);
        most = fmax(most, x[at[k]]);
    }
    *bridge = fmin(fmax(*bridge, least), most);
}

/* Keeps a bridge as near to the straight line between the two samples next to it as the four samples around
 * are. */
static void clamp_length(const struct look *look, ptrdiff_t sample, const ptrdiff_t at[SIDES],
                         double bridge[SPIKES_COMPONENTS])
{
    const size_t width = width_of(look->unit);
    const double *t = look->all->t, part = (t[sample] - t[at[1]]) / (t[at[2]] - t[at[1]]);
    double line[SPIKES_COMPONENTS], way = 0, most = 0;
    for (size_t c = 0; c < width; c++) {
        const double *x = look->unit->column[c];
        line[c] = x[at[1]] + part * (x[at[2]] - x[at[1]]);
        way += (bridge[c] - line[c]) * (bridge[c] - line[c]);
    }
    for (size_t k = 0; k < SIDES; k++) {
        double square = 0;
        for (size_t c = 0; c < width; c++) {
            const double off = look->unit->column[c][at[k]] - line[c];
            square += off * off;
        }
        most = fmax(most, square);
    }
    for (size_t c = 0; c < width && way > most; c++)
        bridge[c] = line[c] + sqrt(most / way) * (bridge[c] - line[c]);
}

bool spikes_bridge(const struct spikes *spikes, struct spike_unit *unit, size_t number,
                   double x[SPIKES_COMPONENTS], double near[SPIKES_COMPONENTS])
{
    const struct look look = {
        .all = spikes, .unit = unit, .skip = SPIKE, .last = (ptrdiff_t)spikes->judged - 1
    };
    const ptrdiff_t sample = (ptrdiff_t)number;
    ptrdiff_t at[SIDES];
    if (!find_sides(&look, sample, sample + 1, at))
        return false;
    const struct weights weights = weigh(spikes->t, sample, at, SIDES);
    for (size_t k = 0; k < unit->kind.nnumber; k++)
        near[k] = unit->number[k][at[1]];
    for (size_t c = 0; c < width_of(unit); c++) {
        const double *column = unit->column[c], before = column[at[1]];
        x[c] = before; /* a constant stays one */
        for (size_t k = 0; k < SIDES; k++)
            x[c] += weights.of[k] * (column[at[k]] - before);
    }
    if (width_of(unit) == 1)
        clamp_number(unit->column[0], at, x);
    else
        clamp_length(&look, sample, at, x);
    if (unit->kind.rotation)
        rotation_unit(x);
    return true;
}

/* --- samples --- */

bool spikes_long_step(const double *t, size_t i)
{
    const size_t n = i < STEPS ? i : STEPS;
    const double limit = (t[i] - t[i - 1]) / LONG_STEP;
    size_t shorter = 0;
    for (size_t k = 0; k < n && 2 * (k - shorter) < n; k++)
        shorter += t[i - k] - t[i - k - 1] < limit;
    return 2 * shorter > n;
}

void spikes_follow(const struct spike_kind *kind, struct spike_memory *memory, double x[SPIKES_COMPONENTS])
{
    if (isnan(x[0]))
        return;
    if (kind->rotation)
        rotation_follow(x, memory->last);
    if (kind->period > 0 && memory->known)
        x[0] -= kind->period * angle_turns(x[0] - memory->last[0], kind->period);
    memcpy(memory->last, x, sizeof memory->last);
    memory->known = true;
}

/* --- whole series --- */

/* Places the columns of a unit one after the other. */
static void place_columns(struct spike_unit *unit, double *next, size_t n)
{
    for (size_t k = 0; k < unit->kind.nnumber; k++, next += n)
        unit->number[k] = unit->column[k] = next;
    for (size_t c = 0; c < spikes_own(&unit->kind); c++, next += n)
        unit->column[c] = next;
    for (size_t length = 0; length < SPIKES_LENGTHS; length++, next += n)
        unit->off[length] = next;
}

static bool row_is_known(const struct spike_kind *kind, const struct spike_rows *rows, size_t row)
{
    for (size_t k = 0; k < kind->nnumber; k++)
        if (isnan(rows->number[k][row]))
            return false;
    return true;
}

/* Sets an empty sample from a row without missing numbers. */
static void set_sample(struct spike_unit *unit, struct spike_memory *memory, const struct spike_rows *rows,
                       size_t row, size_t sample)
{
    double x[SPIKES_COMPONENTS] = { 0 };
    for (size_t k = 0; k < unit->kind.nnumber; k++)
        unit->number[k][sample] = x[k] = rows->number[k][row];
    if (unit->kind.rotation)
        memcpy(x, rows->target + SPIKES_COMPONENTS * row, sizeof x);
    spikes_follow(&unit->kind, memory, x);
    for (size_t c = 0; c < width_of(unit); c++)
        unit->column[c][sample] = x[c];
}

bool spikes_find(double factor, const struct spike_kind *kind, const struct spike_rows *rows,
                 unsigned char *mark, struct error *e)
{
    const size_t n = rows->n, ncolumn = kind->nnumber + spikes_own(kind) + SPIKES_LENGTHS;
    struct spike_unit unit = { .kind = *kind };
    struct spike_memory memory = { 0 };
    struct spikes spikes = { .factor = factor };
    double *t, *number;
    unsigned char *part;
    if (!arrays_make(e, ARRAY(t, n), ARRAY(number, ncolumn * n), ARRAY(part, n), ARRAY(unit.out, n)))
        return false;
    place_columns(&unit, number, n);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || rows->time[i] != rows->time[i - 1]) {
            const size_t sample = spikes.n++;
            t[sample] = rows->time[i];
            part[sample] = sample > 0 ? (unsigned char)(part[sample - 1] + spikes_long_step(t, sample)) : 0;
            unit.column[0][sample] = (double)NAN;
        }
        if (!is_known(&unit, (ptrdiff_t)spikes.n - 1) && row_is_known(kind, rows, i))
            set_sample(&unit, &memory, rows, i, spikes.n - 1);
    }
    spikes.t = t;
    spikes.part = part;
    spikes_judge(&spikes, &unit, 1, true);
    for (size_t i = 0, sample = 0; i < n; i++) {
        sample += i > 0 && rows->time[i] != rows->time[i - 1];
        mark[i] = row_is_known(kind, rows, i) ? unit.out[sample] : SPIKE_NONE;
    }
    free(t);
    return true;
}
