/* Zero phase over one run of plain arrays. See smoothing.h. */
#include "whole/smoothing.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"
#include "whole/rotation_path.h"

#include <stdlib.h>
#include <string.h>

#define OFF_GRID 0.13  /* steps: even rows are no farther from the line */
#define THROUGH  1e-12 /* steps^4: a penalty that moves no sample */
#define SHORTEST 1e-6  /* usual steps: a shorter step counts as this */

/* The noise at an end is measured over this many periods, and over at least this many samples. */
#define NOISE_PERIODS 7.0
enum {
    NOISE_SAMPLES = 60,
    ROUNDS = 3, /* for rotations: the first begins with the samples, and two rounds follow */
    MOST = 3    /* numbers of a sample that is smoothed */
};

void smoothing_free(struct smoothing *smoothing)
{
    free(smoothing->T);
    smoother_free(&smoothing->gains);
    smoother_ends_free(&smoothing->mend[0]);
    smoother_ends_free(&smoothing->mend[1]);
    *smoothing = (struct smoothing){ .n = 0 };
}

static bool make_room(struct smoothing *all, size_t n, size_t width, struct error *e)
{
    if (n <= all->max && width <= all->max_width)
        return true;
    struct smoothing room = *all;
    const size_t max = room.max = n <= all->max ? all->max : n + n / 4;
    const size_t wide = room.max_width = width > all->max_width ? width : all->max_width;
    const size_t most = max * (wide < MOST ? wide : MOST);
    const size_t rotations = wide == SAMPLE_ROTATION ? max : 0;
    if (!arrays_make(e, ARRAY(room.T, max), ARRAY(room.weight, max), ARRAY(room.kept_T, max),
                     ARRAY(room.scratch, max * 2 + most), ARRAY(room.curve.x, most),
                     ARRAY(room.curve.velocity, most), ARRAY(room.curve.bend, most),
                     ARRAY(room.rotation, 4 * rotations), ARRAY(room.goal, 3 * rotations),
                     ARRAY(room.path, 3 * rotations), ARRAY(room.drift, 3 * rotations)))
        return false;
    free(all->T);
    *all = room;
    all->nkept = 0;
    return true;
}

/* --- steps and weights --- */

/* The step of even rows: that of a whole rate, if times that are as exact as these may mean it. off: seconds
 * that a time is off the line at most. */
static double even_step(double line, double off, size_t n)
{
    const double whole = 1 / rint(1 / line);
    return fabs(whole - line) * (double)(n - 1) <= 2 * off ? whole : line;
}

struct smoothing_steps smoothing_find_steps(const double *T, size_t n, double *room)
{
    double *time = room, sum = 0, off = 0;
    for (size_t i = 1; i < n; i++)
        time[i] = sum += T[i];
    const double line = sum / (double)(n - 1);
    for (size_t i = 1; i < n && off <= OFF_GRID * line; i++) {
        const double here = fabs(time[i] - (double)i * line);
        off = here > off ? here : off;
    }
    if (off <= OFF_GRID * line)
        return (struct smoothing_steps){ even_step(line, off, n), true };
    memcpy(room, T + 1, (n - 1) * sizeof *room);
    return (struct smoothing_steps){ noise_median(room, n - 1), false };
}

double smoothing_row_rate(double *step, size_t n)
{
    const double usual = n > 0 ? noise_median(step, n) : 0;
    double time = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!smoothing_is_long(step[i], usual)) {
            time += step[i];
            count++;
        }
    return (double)count / time;
}

/* The seconds of a step that its rows stand for: of a step over missing rows one usual step. */
static double counted(double T, double usual)
{
    return smoothing_is_long(T, usual) ? usual : T;
}

/* Finds the steps of a run, which mostly are those of the run before, and what each sample stands for. */
static void find_weights(struct smoothing *all, const struct samples *run)
{
    const size_t n = run->n, bytes = (n - 1) * sizeof *run->T;
    /* No step before the first two samples shows the usual one: where they are so near, they are of one time.
     */
    const bool twins = n > 2 && run->T[1] < SHORTEST * run->T[2];
    const bool full = !twins && array_is_finite(run->value, n * run->width);
    const bool same = all->nkept == n && memcmp(all->kept_T + 1, run->T + 1, bytes) == 0;
    if (same && full && all->full)
        return;
    all->gains_a2 = 0;
    all->full = full;
    all->nkept = n;
    memcpy(all->kept_T + 1, run->T + 1, bytes);
    if (!same)
        all->steps = n > 1 ? smoothing_find_steps(run->T, n, all->scratch)
                           : (struct smoothing_steps){ 1, true };
    const double usual = all->steps.usual;
    for (size_t i = 0; i < n; i++) {
        all->T[i] = all->steps.even ? usual : fmax(run->T[i], SHORTEST * usual);
        all->weight[i] = usual;
    }
    for (size_t i = 0; i < n && !all->steps.even; i++) {
        const double before = counted(all->T[i > 0 ? i : 1], usual);
        const double after = counted(all->T[i + 1 < n ? i + 1 : n - 1], usual);
        all->weight[i] = (before + after) / 2;
    }
    for (size_t i = 0; i < n && !full; i++)
        if (!samples_known(run, i) || (twins && i == 1))
            all->weight[i] = 0;
}

/* --- the noise next to an end --- */

/* The number of samples next to an end whose noise is that of the end. */
static size_t count_near(const struct smoother_run *run, bool first, double seconds)
{
    double time = 0;
    size_t n = 0;
    while (n < run->n && (n < NOISE_SAMPLES || time < seconds)) {
        n++;
        if (n < run->n)
            time += run->T[first ? n : run->n - n];
    }
    return n;
}

/* The variance of the noise next to an end; NaN: too few samples show it. */
static double end_noise(const struct smoothing *all, const struct smoother_run *run, bool first,
                        double cutoff)
{
    const size_t near = count_near(run, first, NOISE_PERIODS / cutoff), begin = first ? 0 : run->n - near;
    struct noise_samples samples = { .T = all->scratch, .ncolumn = run->width };
    double *column[MOST], *T = all->scratch, *room = all->scratch + all->max, since = 0;
    for (size_t c = 0; c < run->width; c++)
        samples.column[c] = column[c] = room + all->max + c * near;
    for (size_t i = begin; i < begin + near; i++) {
        since += run->T[i];
        if (!(run->weight[i] > 0))
            continue;
        for (size_t c = 0; c < run->width; c++)
            column[c][samples.n] = run->value[i * run->width + c];
        T[samples.n++] = since;
        since = 0;
    }
    return samples.n < NOISE_LEAST ? (double)NAN : noise_variance(&samples, room);
}

/* --- smoothing --- */

/* The penalty for a cutoff. INFINITY: so small that the curve goes through the samples. */
static double penalty_of(double cutoff, double usual)
{
    const double most = 0.499 / usual;
    if (isinf(cutoff))
        return THROUGH * usual * usual * usual * usual;
    return smoother_penalty(cutoff < most ? cutoff : most, usual);
}

/* Smooths numbers or vectors, and mends the ends that are wanted. */
static bool smooth_numbers(struct smoothing *all, const double *value, double cutoff,
                           struct smoothing_wish wish, struct error *e)
{
    const double usual = all->steps.usual;
    const struct smoother_run run = {
        .n = all->n,
        .width = all->width,
        .T = all->T,
        .weight = all->weight,
        .value = value,
        .a2 = penalty_of(cutoff, usual),
        .even = all->steps.even && all->full,
    };
    struct smoother_curve curve = all->curve;
    if (!wish.rates && all->full)
        curve.velocity = NULL;
    if (all->gains_a2 != run.a2 && !smoother_find_gains(&run, &all->gains, e))
        return false;
    all->gains_a2 = all->full ? run.a2 : 0;
    all->run = run;
    smoother_smooth(&run, &all->gains, &curve);
    for (size_t last = 0; last < 2; last++) {
        if (!(last ? wish.ends : wish.begins))
            continue;
        const double noise = end_noise(all, &run, !last, cutoff);
        struct smoother_ends *ends = &all->mend[run.even ? 0 : last]; /* of even steps both ends are alike */
        if (!isnan(noise) && !smoother_mend(ends, &run, !last, cutoff, noise, &curve, e))
            return false;
    }
    return true;
}

/* Moves the rotations by the way from their path to the curve, and makes their velocities of the curve's.
 * known: the velocities before are known. */
static void follow_curve(struct smoothing *all, bool known)
{
    for (size_t i = 0; i < 3 * all->n; i += 3) {
        struct rotation_point point;
        double way[3], velocity[3], *q = all->rotation + 4 * (i / 3), *rate = all->curve.velocity + i;
        for (size_t c = 0; c < 3; c++)
            way[c] = all->curve.x[i + c] - all->path[i + c];
        rotation_turn(q, way, 1);
        rotation_unit(q);
        if (known) {
            rotation_point_exp(way, &point);
            rotation_velocity(&point, rate, all->drift + i, velocity);
            memcpy(rate, velocity, sizeof velocity);
        }
        memcpy(all->drift + i, rate, 3 * sizeof *rate);
    }
}

/* Puts the samples into a result that goes through them. */
static void put_samples(const struct samples *run, double *result)
{
    for (size_t k = 0; k < run->n; k++)
        if (samples_known(run, k))
            memcpy(result + k * run->width, run->value + k * run->width, run->width * sizeof *result);
}

static bool smooth_rotations(struct smoothing *all, const struct samples *run, double cutoff,
                             struct smoothing_wish wish, struct error *e)
{
    wish.rates = true;
    rotation_path_begin(run, all->T, all->rotation);
    for (int round = 0; round < ROUNDS; round++) {
        rotation_path_set(run, all->T, all->rotation, round > 0 ? all->drift : NULL, all->path, all->goal);
        if (!smooth_numbers(all, all->goal, cutoff, wish, e))
            return false;
        follow_curve(all, round > 0);
    }
    return true;
}

bool smoothing_run(struct smoothing *all, const struct samples *run, double cutoff,
                   struct smoothing_wish wish, struct error *e)
{
    if (!make_room(all, run->n, run->width, e))
        return false;
    all->n = run->n;
    all->width = run->width == SAMPLE_ROTATION ? 3 : run->width;
    find_weights(all, run);
    const bool rotations = run->width == SAMPLE_ROTATION;
    if (isinf(cutoff))
        wish.begins = wish.ends = false;
    if (!(rotations ? smooth_rotations(all, run, cutoff, wish, e)
                    : smooth_numbers(all, run->value, cutoff, wish, e)))
        return false;
    if (isinf(cutoff))
        put_samples(run, rotations ? all->rotation : all->curve.x);
    return true;
}

double smoothing_trace(const struct smoothing *all)
{
    return smoother_trace(&all->run, &all->gains);
}
