/* Zero phase over one run of plain arrays. See zero_phase.h. */
#include "whole/zero_phase.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"
#include "whole/rotation_path.h"
#include "whole/run_steps.h"
#include "whole/smooth_cutoff.h"
#include "whole/smooth_ends.h"
#include "whole/spline_slopes.h"
#include "whole/window_rows.h"

#include <stdlib.h>

/* Periods of the cutoff next to an end, whose noise is that of the end. */
#define NOISE_PERIODS SMOOTH_FADED

/* The most periods next to an end that count where samples are missing: windows have no more. */
#define MOST_PERIODS (SMOOTH_FADED + SMOOTH_LONGEST_GAP)

#define NEAR 1e-11 /* radians: rotations that would change less in the next round are found */

enum {
    NOISE_ROWS = 60, /* rows next to an end whose noise is that of the end, at least */
    MOST_ROUNDS = 40 /* of Gauss-Newton */
};

struct zero_phase {
    const struct filter *filter;
    size_t width;      /* doubles of a sample; SAMPLE_ROTATION: a quaternion */
    size_t nchannel;   /* 1, the components of a vector, or the 3 of a rotation vector */
    const void *given; /* the settings of zero_phase_use */
    double chosen;     /* value of an option that is chosen; NaN: no option is chosen */
    char *settings;    /* [filter->settings_size] the settings with the value that was chosen */

    struct samples run; /* the run under way, as given; run.n 0: no run yet */
    struct zero_phase_part part;
    size_t made; /* the first sample with a result: part.from, or before, where derivatives need more */
    bool full;   /* no sample of the run is missing */
    struct run_steps steps;
    struct smoothing smoothing;
    struct filter_common smoothed; /* the settings and the step that smoothing is for; seconds 0: not known */
    struct usual_step smoothed_step;
    struct smooth_ladder ladder[2]; /* of the first and of the last row, where these may differ */
    double *weight; /* [run.n] seconds that a sample stands for; 0: missing. Owned, like all arrays here */
    double *end_T, *end_weight; /* [run.n] of the rows from an end */
    double *goal;     /* [run.n * nchannel] samples; of rotations the path and the way to the sample */
    double *end_goal; /* [run.n * nchannel] samples in order from an end */
    double *column;   /* [run.n * nchannel] samples next to an end that are known, by component */
    double *room;     /* [run.n] */
    struct smooth_curve curve;  /* [run.n * nchannel] the result, or its path */
    struct smooth_curve mended; /* [run.n * nchannel] the correction next to an end */
    struct smooth_gains gains;  /* room for run.n */
    size_t nkept; /* the gains are those of this many samples at the known steps, where no sample is missing;
                     0: the gains are others */
    struct smooth_penalty kept_penalty;
    double *rotation;  /* [run.n * 4] of rotations: the result */
    double *path;      /* [run.n * 3] of rotations: sums of rotation vectors from row to row */
    double *vector[3]; /* [3][run.n] of rotations: angular velocity or acceleration, by component */
};

/* --- memory --- */

static bool make_arrays(struct zero_phase *phase, size_t most, struct error *e)
{
    size_t wide = phase->nchannel * most, nrotation = phase->width == SAMPLE_ROTATION ? most : 0;
    return arrays_make(e, ARRAY(phase->weight, most), ARRAY(phase->end_T, most),
                       ARRAY(phase->end_weight, most), ARRAY(phase->goal, wide), ARRAY(phase->end_goal, wide),
                       ARRAY(phase->column, wide), ARRAY(phase->room, most), ARRAY(phase->curve.value, wide),
                       ARRAY(phase->curve.velocity, wide), ARRAY(phase->curve.acceleration, wide),
                       ARRAY(phase->mended.value, wide), ARRAY(phase->mended.velocity, wide),
                       ARRAY(phase->mended.acceleration, wide), ARRAY(phase->gains.row, most),
                       ARRAY(phase->rotation, 4 * nrotation), ARRAY(phase->path, 3 * nrotation),
                       ARRAY(phase->vector[0], nrotation), ARRAY(phase->vector[1], nrotation),
                       ARRAY(phase->vector[2], nrotation),
                       ARRAY(phase->settings, phase->filter->settings_size));
}

struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e)
{
    struct zero_phase *phase;
    if (!arrays_make(e, ARRAY(phase, 1)))
        return NULL;
    phase->filter = filter;
    phase->width = width;
    phase->nchannel = width == SAMPLE_ROTATION ? 3 : width;
    if (!run_steps_make(&phase->steps, most, e) || !make_arrays(phase, most, e)) {
        zero_phase_free(phase);
        return NULL;
    }
    return phase;
}

void zero_phase_free(struct zero_phase *phase)
{
    if (!phase)
        return;
    smooth_ladder_free(&phase->ladder[0]);
    smooth_ladder_free(&phase->ladder[1]);
    run_steps_free(&phase->steps);
    free(phase->weight);
    free(phase);
}

const void *zero_phase_settings(const struct zero_phase *phase)
{
    return phase->settings;
}

double zero_phase_period(const struct zero_phase *phase)
{
    return smoothing_period((const struct filter_common *)phase->settings);
}

void zero_phase_steps(const struct zero_phase *phase, double *shortest, double *longest)
{
    *shortest = *longest = phase->run.n > 1 ? phase->steps.T[1] : 0;
    for (size_t k = 2; k < phase->run.n; k++) {
        *shortest = fmin(*shortest, phase->steps.T[k]);
        *longest = fmax(*longest, phase->steps.T[k]);
    }
}

void zero_phase_use(struct zero_phase *phase, const void *settings, double chosen)
{
    phase->given = settings;
    phase->chosen = chosen;
    memcpy(phase->settings, settings, phase->filter->settings_size);
    if (filter_automatic(settings))
        filter_choose(phase->filter, phase->settings, chosen);
}

/* --- weights --- */

static void find_weights(struct zero_phase *phase)
{
    phase->full = array_is_finite(phase->run.value, phase->run.n * phase->width);
    memcpy(phase->weight, phase->steps.standing, phase->run.n * sizeof *phase->weight);
    for (size_t k = 0; k < phase->run.n && !phase->full; k++)
        if (!samples_known(&phase->run, k))
            phase->weight[k] = 0;
}

/* --- ends --- */

/* The seconds from a row to the next row away from an end; of the row at the other end any number. */
static double step_inward(const struct zero_phase *phase, bool at_last, size_t row)
{
    return phase->steps.T[at_last || row + 1 == phase->run.n ? row : row + 1];
}

/* The number of rows that count as next to an end: at least `least` rows that are no points, and rows that
 * together stand for `periods`. All rows within MOST_PERIODS are enough, and so are all rows. The row
 * farthest from the end has a sample. */
static size_t rows_beside_end(const struct zero_phase *phase, bool at_last, size_t least, double periods)
{
    size_t n = phase->run.n, count = 0, nread = 0;
    double standing = 0, elapsed = 0, period = phase->smoothing.period;
    while (count < n && (nread < least || (standing < periods * period && elapsed < MOST_PERIODS * period))) {
        size_t row = at_last ? n - 1 - count : count;
        standing += phase->weight[row];
        elapsed += step_inward(phase, at_last, row);
        nread += !samples_is_point(&phase->run, row);
        count++;
    }
    while (count > 1 && !(phase->weight[at_last ? n - count : count - 1] > 0))
        count--;
    return count;
}

/* Takes the known samples from row `first` on, by component. */
static void take_known(struct zero_phase *phase, size_t first, struct noise_samples *samples)
{
    double since = 0;
    size_t known = 0, nchannel = samples->ncolumn;
    for (size_t k = first; k < first + samples->n; k++) {
        since += phase->steps.T[k];
        if (!(phase->weight[k] > 0))
            continue;
        phase->room[known] = since;
        for (size_t c = 0; c < nchannel; c++)
            phase->column[c * samples->n + known] = phase->goal[k * nchannel + c];
        known++;
        since = 0;
    }
    for (size_t c = 0; c < nchannel; c++)
        samples->column[c] = phase->column + c * samples->n;
    samples->T = phase->room;
    samples->n = known;
}

/* The variance of the noise next to an end; NaN: not known. */
static double end_noise(struct zero_phase *phase, bool at_last)
{
    size_t n = rows_beside_end(phase, at_last, NOISE_ROWS, NOISE_PERIODS);
    size_t first = at_last ? phase->run.n - n : 0;
    struct noise_samples samples = {
        .T = phase->steps.T + first,
        .column = { phase->goal + first },
        .ncolumn = phase->nchannel,
        .n = n,
    };
    if (phase->nchannel > 1 || !phase->full || phase->run.point)
        take_known(phase, first, &samples);
    return samples.n < NOISE_LEAST ? (double)NAN : noise_variance(&samples, phase->mended.value);
}

/* The n last samples as an end, or the n first, of the reversed run. */
static struct smooth_end end_of(struct zero_phase *phase, bool at_last, size_t n)
{
    size_t nchannel = phase->nchannel, first = phase->run.n - n;
    struct smooth_end end = {
        .a2 = phase->smoothing.cubic,
        .period = phase->smoothing.period,
        .n = n,
        .nchannel = nchannel,
        .T = phase->steps.T + first,
        .weight = phase->weight + first,
        .value = phase->goal + first * nchannel,
        .noise = end_noise(phase, at_last),
    };
    if (at_last)
        return end;
    for (size_t k = 0, row = n - 1; k < n; k++, row--) {
        phase->end_T[k] = k > 0 ? phase->steps.T[row + 1] : 0;
        phase->end_weight[k] = phase->weight[row];
        memcpy(phase->end_goal + k * nchannel, phase->goal + row * nchannel, nchannel * sizeof *phase->goal);
    }
    end.T = phase->end_T;
    end.weight = phase->end_weight;
    end.value = phase->end_goal;
    return end;
}

/* The ladder of an end. What ladders know of even steps without a missing sample is the same at both ends. */
static struct smooth_ladder *ladder_of(struct zero_phase *phase, bool at_last)
{
    const bool alike = phase->full && phase->steps.neven > 0;
    return &phase->ladder[at_last || alike];
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Mends the wanted results next to an end. */
static bool mend_results(struct zero_phase *phase, bool at_last, struct error *e)
{
    size_t reach = rows_beside_end(phase, at_last, SMOOTH_LEAST_REACH, SMOOTH_REACH);
    size_t first = phase->run.n - reach, nchannel = phase->nchannel, nvalue = phase->curve.value_rows;
    struct smooth_curve *mended = &phase->mended;
    double forward = at_last ? 1 : -1;
    if (!at_last && phase->made >= reach)
        return true;
    const struct smooth_end end = end_of(phase, at_last, reach);
    mended->from = at_last && phase->made > first ? phase->made - first : 0;
    mended->value_rows = at_last || nvalue == phase->run.n ? smaller(nvalue, reach) : 0;
    if (!smooth_end_mend(ladder_of(phase, at_last), &end, mended, NULL, e))
        return false;
    for (size_t k = mended->from; k < reach; k++)
        for (size_t c = 0; c < nchannel; c++) {
            size_t from = k * nchannel + c, to = (at_last ? first + k : reach - 1 - k) * nchannel + c;
            phase->curve.value[to] += mended->value[from];
            phase->curve.velocity[to] += forward * mended->velocity[from];
            phase->curve.acceleration[to] += mended->acceleration[from];
        }
    return true;
}

/* Sets value, [nchannel], to the mended value at an end. */
static bool find_end_value(struct zero_phase *phase, bool at_last, double *value, struct error *e)
{
    size_t reach = rows_beside_end(phase, at_last, SMOOTH_LEAST_REACH, SMOOTH_REACH);
    const struct smooth_end end = end_of(phase, at_last, reach);
    phase->mended.from = reach - 1;
    phase->mended.value_rows = reach;
    return smooth_end_mend(ladder_of(phase, at_last), &end, &phase->mended, value, e);
}

/* --- the curve --- */

static struct smooth_rows rows_of(const struct zero_phase *phase)
{
    return (struct smooth_rows){
        .n = phase->run.n,
        .nchannel = phase->nchannel,
        .T = phase->steps.T,
        .weight = phase->weight,
        .value = phase->goal,
    };
}

/* Sets the gains of the rows. full: every row has a sample. */
static void find_gains(struct zero_phase *phase, const struct smooth_rows *rows, bool full)
{
    struct smooth_penalty penalty = phase->smoothing.penalty, *kept = &phase->kept_penalty;
    bool enough = rows->n <= phase->nkept || phase->gains.n < phase->nkept; /* the last row's gain goes on */
    if (full && phase->nkept > 0 && enough && kept->a1 == penalty.a1 && kept->a2 == penalty.a2)
        return;
    smooth_find_gains(penalty, rows, &phase->gains);
    phase->nkept = full ? rows->n : 0;
    phase->kept_penalty = penalty;
}

/* The curve with a1 > 0: through both end values. Where the run is a part, the first and the last sample are
 * these. */
static bool smooth_between(struct zero_phase *phase, struct error *e)
{
    struct smooth_rows rows = rows_of(phase);
    double first[3], last[3];
    size_t width = rows.nchannel * sizeof *phase->goal, bytes = rows.n * width;
    memcpy(first, phase->goal, width);
    memcpy(last, phase->goal + (rows.n - 1) * rows.nchannel, width);
    if (!phase->part.begun && !find_end_value(phase, false, first, e))
        return false;
    if (!phase->part.goes_on && !find_end_value(phase, true, last, e))
        return false;
    rows.first = first;
    rows.last = last;
    find_gains(phase, &rows, phase->full);
    struct smooth_curve curve = phase->curve;
    if (phase->smoothing.twice) {
        curve.value_rows = rows.n;
        curve.from = 0;
    }
    smooth_run(phase->smoothing.penalty, &rows, &phase->gains, &curve);
    if (!phase->smoothing.twice)
        return true;
    rows.weight = phase->steps.standing;
    rows.value = phase->end_goal;
    memcpy(phase->end_goal, phase->curve.value, bytes);
    find_gains(phase, &rows, true);
    smooth_run(phase->smoothing.penalty, &rows, &phase->gains, &phase->curve);
    return true;
}

/* Sets the curve to the spline of the goal. */
static bool smooth_goal(struct zero_phase *phase, struct error *e)
{
    const struct smooth_rows rows = rows_of(phase);
    if (phase->smoothing.penalty.a1 > 0)
        return smooth_between(phase, e);
    find_gains(phase, &rows, phase->full);
    smooth_run(phase->smoothing.penalty, &rows, &phase->gains, &phase->curve);
    return (phase->part.begun || mend_results(phase, false, e)) &&
           (phase->part.goes_on || mend_results(phase, true, e));
}

/* --- rotations --- */

/* Sets goal to the corrections of the rotations: the way from the path to the curve. Returns the square of
 * the largest. */
static double find_corrections(struct zero_phase *phase)
{
    double most = 0;
    for (size_t k = 0; k < phase->run.n; k++) {
        double *way = phase->goal + 3 * k;
        for (size_t c = 0; c < 3; c++)
            way[c] = phase->curve.value[3 * k + c] - phase->path[3 * k + c];
        most = fmax(most, rotation_dot(way, way));
    }
    return most;
}

/* Smooths rotations, by rounds: the correction of each is the spline of path and ways, less the path. In a
 * motion that turns far within the memory of the filter a correction also turns the path behind it, which a
 * round does not foresee: so rounds end, too, where corrections grow. */
static bool smooth_rotations(struct zero_phase *phase, struct error *e)
{
    rotation_path_begin(&phase->run, phase->steps.T, phase->rotation);
    double last = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool turning = round > 0 && phase->smoothing.penalty.a2 > 0; /* a polygon has no velocity at rows */
        rotation_path_set(&phase->run, phase->steps.T, phase->rotation,
                          turning ? phase->curve.velocity : NULL, phase->path, phase->goal);
        if (!smooth_goal(phase, e))
            return false;
        double most = find_corrections(phase);
        if (round > 0 && most >= last)
            break;
        for (size_t k = 0; k < phase->run.n; k++) {
            rotation_turn(phase->rotation + 4 * k, phase->goal + 3 * k, 1);
            rotation_unit(phase->rotation + 4 * k);
        }
        /* From the second round on, each changes the rotations by the same part of the round before. */
        double next = round > 1 ? most * (most / last) : most;
        if (next <= NEAR * NEAR)
            break;
        last = most;
    }
    return true;
}

struct usual_step zero_phase_usual(const struct zero_phase *phase)
{
    return phase->steps.usual;
}

/* The first sample with a result that is needed: derivatives that are slopes of splines depend on samples
 * before. */
static size_t first_needed(const struct zero_phase *phase)
{
    bool slopes = phase->smoothing.penalty.a1 > 0 && !phase->part.values_only;
    size_t first = phase->part.from;
    for (size_t before = 0; slopes && first > 0 && before < SPLINE_SLOPES_FADED; first--)
        before += !samples_is_point(&phase->run, first - 1);
    while (first > 0 && samples_is_point(&phase->run, first))
        first--;
    return first;
}

/* Sets the smoothing for the settings in use and the steps of the run, which mostly are those before. */
static void find_smoothing(struct zero_phase *phase)
{
    const void *settings = phase->settings;
    const struct usual_step usual = phase->steps.usual;
    if (phase->smoothed_step.seconds == usual.seconds && phase->smoothed_step.uneven == usual.uneven &&
        memcmp(&phase->smoothed, settings, sizeof phase->smoothed) == 0)
        return;
    phase->smoothing = smoothing_of(settings, usual);
    memcpy(&phase->smoothed, settings, sizeof phase->smoothed);
    phase->smoothed_step = usual;
}

/* The number of samples at the end of the run that need no derivatives. A round for rotations needs the
 * velocities of the round before, and accelerations that are slopes of splines depend on velocities behind.
 */
static size_t value_rows(const struct zero_phase *phase)
{
    if (phase->width == SAMPLE_ROTATION)
        return 0;
    if (phase->part.values_only)
        return phase->run.n;
    return phase->smoothing.penalty.a1 > 0 ? 0 : phase->part.ahead;
}

bool zero_phase_again(struct zero_phase *phase, struct zero_phase_part part, struct error *e)
{
    bool rotations = phase->width == SAMPLE_ROTATION;
    phase->part = part;
    find_smoothing(phase);
    phase->curve.value_rows = value_rows(phase);
    phase->curve.from = phase->made = rotations ? 0 : first_needed(phase); /* a round needs the one before */
    return rotations ? smooth_rotations(phase, e) : smooth_goal(phase, e);
}

/* Copies samples; of a missing one the weight is 0, and any number does. */
static void copy_goal(struct zero_phase *phase)
{
    const struct samples *run = &phase->run;
    size_t width = run->width;
    memcpy(phase->goal, run->value, run->n * width * sizeof *phase->goal);
    for (size_t k = 0; k < run->n && !phase->full; k++)
        if (!samples_known(run, k))
            memset(phase->goal + k * width, 0, width * sizeof *phase->goal);
}

bool zero_phase_run(struct zero_phase *phase, const struct samples *run, struct zero_phase_part part,
                    struct error *e)
{
    phase->run = *run;
    if (!run_steps_take(&phase->steps, run, part.usual))
        phase->nkept = 0;
    find_weights(phase);
    if (phase->width != SAMPLE_ROTATION)
        copy_goal(phase);
    return zero_phase_again(phase, part, e);
}

/* --- the result --- */

/* Takes a channel, at the samples with a result, out of an array of several, and puts it back. */
static void take_channel(struct zero_phase *phase, const double *from, size_t channel)
{
    for (size_t k = phase->made; k < phase->run.n; k++)
        phase->column[k] = from[k * phase->nchannel + channel];
}

static void put_channel(const struct zero_phase *phase, size_t channel, double *to)
{
    for (size_t k = phase->made; k < phase->run.n; k++)
        to[k * phase->nchannel + channel] = phase->column[k];
}

/* Replaces numbers, from the first sample with a result on, by the slopes of the spline through those at
 * samples. level: the spline is level at both ends. */
static void find_slopes(struct zero_phase *phase, double *number, bool level)
{
    const size_t first = phase->made;
    const bool *point = phase->run.point ? phase->run.point + first : NULL;
    double *const room[] = { phase->room, phase->end_goal, phase->end_weight, phase->end_T };
    spline_slopes_with_points(phase->steps.T + first, point, number + first, phase->run.n - first, level,
                              room);
}

/* The slopes of a channel of a polygon at the rows: those of the spline through the values less the line
 * between both ends, beyond which odd reflection goes on. */
static void derive_polygon(struct zero_phase *phase, unsigned derivative, size_t channel)
{
    size_t n = phase->run.n, begin = phase->made;
    double *slope = phase->column, time = 0, mean = 0, line = 0;
    for (size_t k = begin + 1; k < n; k++)
        time += phase->steps.T[k];
    take_channel(phase, derivative == 1 ? phase->curve.value : phase->curve.velocity, channel);
    double first = slope[begin];
    if (derivative == 1 && time > 0)
        mean = (slope[n - 1] - first) / time;
    for (size_t k = begin; k < n && derivative == 1; k++) {
        line += k > begin ? mean * phase->steps.T[k] : 0;
        slope[k] = slope[k] - first - line;
    }
    find_slopes(phase, phase->column, derivative > 1);
    for (size_t k = begin; k < n; k++)
        slope[k] += mean;
    put_channel(phase, channel, derivative == 1 ? phase->curve.velocity : phase->curve.acceleration);
}

/* The accelerations of a channel with a1 > 0, where the curve bends most at the samples themselves: the
 * slopes of the spline through the velocities. The spline has slope 0 at both ends, as the velocities go on
 * mirrored there. */
static void derive_velocity(struct zero_phase *phase, size_t channel)
{
    take_channel(phase, phase->curve.velocity, channel);
    find_slopes(phase, phase->column, true);
    put_channel(phase, channel, phase->curve.acceleration);
}

void zero_phase_derive(struct zero_phase *phase, unsigned derivative)
{
    const struct smooth_penalty penalty = phase->smoothing.penalty;
    for (size_t c = 0; c < phase->nchannel && penalty.a2 > 0 && penalty.a1 > 0 && derivative == 2; c++)
        derive_velocity(phase, c);
    if (penalty.a2 > 0)
        return;
    if (phase->width == SAMPLE_ROTATION) {
        double *const room[] = { phase->room, phase->end_goal, phase->end_weight, phase->end_T };
        if (derivative == 1)
            rotation_path_velocity(phase->steps.T, phase->run.point, phase->rotation, phase->run.n,
                                   phase->vector, room);
        for (size_t c = 0; c < 3 && derivative == 2; c++)
            find_slopes(phase, phase->vector[c], true);
    } else {
        for (size_t c = 0; c < phase->nchannel; c++)
            derive_polygon(phase, derivative, c);
    }
}

const double *zero_phase_numbers(const struct zero_phase *phase, unsigned derivative)
{
    const double *const number[] = { phase->curve.value, phase->curve.velocity, phase->curve.acceleration };
    return number[derivative];
}

void zero_phase_get(const struct zero_phase *phase, unsigned derivative, size_t sample, double x[4])
{
    const double *number = zero_phase_numbers(phase, derivative);
    if (phase->width == SAMPLE_ROTATION && derivative == 0) {
        memcpy(x, phase->rotation + 4 * sample, 4 * sizeof *x);
        return;
    }
    bool turns = phase->width == SAMPLE_ROTATION && phase->smoothing.penalty.a2 == 0;
    for (size_t c = 0; c < phase->nchannel; c++)
        x[c] = turns ? phase->vector[c][sample] : number[phase->nchannel * sample + c];
}

bool zero_phase_unchanged(const struct zero_phase *phase, size_t sample)
{
    return memcmp(phase->rotation + 4 * sample, phase->run.value + 4 * sample, 4 * sizeof *phase->rotation) ==
           0;
}

double zero_phase_squares(const struct zero_phase *phase, size_t *nknown)
{
    const struct samples *run = &phase->run;
    double sum = 0, off[3];
    size_t width = phase->width, known = 0;
    for (size_t k = 0; k < run->n; k++) {
        if (!samples_known(run, k))
            continue;
        known++;
        if (width == SAMPLE_ROTATION) {
            rotation_vector(run->value + 4 * k, phase->rotation + 4 * k, off);
            sum += rotation_dot(off, off);
            continue;
        }
        for (size_t i = k * width; i < (k + 1) * width; i++)
            sum += (run->value[i] - phase->curve.value[i]) * (run->value[i] - phase->curve.value[i]);
    }
    *nknown = known;
    return sum;
}

double zero_phase_trace(struct zero_phase *phase)
{
    struct smooth_rows rows = rows_of(phase);
    if (phase->smoothing.twice) /* the gains at hand are those of the second time */
        find_gains(phase, &rows, phase->full);
    return smooth_trace(phase->smoothing.penalty, &rows, &phase->gains) *
           smoothing_trace_part(&phase->smoothing, rows.T[rows.n > 1]);
}
