/* The steps of a run of samples. See run_steps.h. */
#include "whole/run_steps.h"

#include "base/array.h"
#include "number/number.h"
#include "whole/noise/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDED  1e-8 /* relative difference of equal steps, whose times are rounded */
#define NEAR     0.3  /* relative difference of a usual step from that of the part before, which is kept */
#define SHORTEST 1e-3 /* usual steps: shorter steps are taken for as long, so that rounding does no harm */

/* A step is over missing rows if this part of the steps around it are shorter by the factor of
 * run_steps_is_long. */
#define MOST_SHORTER 0.8

#define UNEVEN                                                                                               \
    0.1 /* steps are uneven above this mean difference from the usual step, as a part of that step */

enum {
    FEW_AROUND = 4,  /* fewer do not show missing rows */
    FIRST_STEPS = 64 /* the first steps of a run, whose mean is the usual step. The first part of a run has at
                        least as many steps, so the division into parts does not change the usual step */
};

/* --- even grids --- */

enum {
    FEWEST = 5,      /* fewest times that can show an even grid */
    DECIMALS = 9,    /* most decimals of a step */
    FLOAT_LEAST = 6, /* significant digits of a printed float32 */
    FLOAT_MOST = 9,
    TRIALS = 60 /* most rounds of the search */
};

#define WITHIN 1e-6 /* rounding error of the sums, in units of the last decimal */

/* Times of one unit of the last decimal apart, and sometimes of two, may be an even grid that was rounded (90
 * rows a second, printed in hundredths), or rows of one unit apart where rows are missing. They are taken for
 * a grid if at least this many steps, and this part of all steps, are longer than a unit: as many missing
 * rows are hardly ever spread as evenly. */
#define GRID_LONGER 0.08
enum { GRID_FEWEST_LONGER = 10 };

/* How far times may be from an even grid. */
struct tolerance {
    const double *T;     /* [n] seconds since the time before */
    size_t n;            /* number of times */
    double half_decimal; /* half a unit of the last decimal of all times, in seconds; not used with `time` */
    const double *time;  /* [n] times as given, which are rounded to float32; NULL: rounded to decimals */
    double scale;        /* seconds in a unit of `time` */
};

/* Is x a float32, or the decimals of a printed float32? */
static bool is_float(double x)
{
    double nearest = (double)(float)x;
    bool same = nearest == x;
    for (int digits = FLOAT_LEAST; digits <= FLOAT_MOST && !same; digits++)
        same = number_round(nearest, digits) == x;
    return same;
}

/* The step of the whole number of steps a second that is nearest to those of this step. */
static double step_of_whole_rate(double step)
{
    return 1 / rint(1 / step);
}

/* How many seconds time k may differ from the grid: half a unit in its last place. With float32 also the
 * difference that printing makes. */
static double tolerance_at(const struct tolerance *tolerance, size_t k)
{
    if (!tolerance->time)
        return tolerance->half_decimal;
    float nearest = (float)fabs(tolerance->time[k]);
    double place = (double)nextafterf(nearest, HUGE_VALF) - (double)nearest;
    double half = nearest > 0 ? place / 2 : 0;
    return tolerance->scale * (half + fabs(fabs(tolerance->time[k]) - (double)nearest));
}

/* By how many seconds the times are too far from all grids of the given step: 0 or less where a grid is
 * within the tolerance of each time. Each time leaves a range of grids; the excess is the highest lower bound
 * of a range less the lowest upper bound. */
static double find_excess(const struct tolerance *tolerance, double step)
{
    double off = 0, lower = -tolerance_at(tolerance, 0), upper = -lower;
    for (size_t k = 1; k < tolerance->n; k++) {
        double within = tolerance_at(tolerance, k);
        off += tolerance->T[k] - step;
        lower = off - within > lower ? off - within : lower;
        upper = off + within < upper ? off + within : upper;
    }
    return lower - upper;
}

/* The excess is a convex function of the step. If a grid agrees with the times, the step of the grid differs
 * from the mean step by at most the sum of the tolerances of both ends, divided by the number of steps; so
 * the excess at the mean step is at most that sum. The least excess is searched in thirds, unless a whole
 * number of steps a second agrees. */
static double find_step(const struct tolerance *tolerance)
{
    double time = 0, ends = tolerance_at(tolerance, 0) + tolerance_at(tolerance, tolerance->n - 1);
    for (size_t k = 1; k < tolerance->n; k++)
        time += tolerance->T[k];
    double mean = time / (double)(tolerance->n - 1), range = ends / (double)(tolerance->n - 1);
    double rounding = 2 * WITHIN * ends, whole = step_of_whole_rate(mean);
    if (fabs(whole - mean) <= range && find_excess(tolerance, whole) <= rounding)
        return whole;
    if (!(find_excess(tolerance, mean) <= ends + rounding))
        return (double)NAN;
    double low = mean - range, high = mean + range;
    for (int i = 0; i < TRIALS && find_excess(tolerance, mean) > rounding; i++) {
        double third = (high - low) / 3;
        if (find_excess(tolerance, low + third) < find_excess(tolerance, high - third))
            high -= third;
        else
            low += third;
        mean = (low + high) / 2;
    }
    return find_excess(tolerance, mean) <= rounding ? mean : (double)NAN;
}

/* Do steps of one unit, and some longer steps, come from missing rows? Else they may come from a rounded
 * grid. */
static bool is_missing_rows(const double *T, size_t n, double unit)
{
    double least = INFINITY;
    size_t nlonger = 0;
    for (size_t k = 1; k < n; k++) {
        least = T[k] < least ? T[k] : least;
        nlonger += run_steps_is_long(T[k], unit);
    }
    const bool few = nlonger < GRID_FEWEST_LONGER || (double)nlonger < GRID_LONGER * (double)n;
    return !run_steps_is_long(least, unit) && nlonger > 0 && few;
}

double run_steps_even(const double *T, const double *time, size_t n)
{
    if (n < FEWEST)
        return (double)NAN;
    const double unit = number_unit(T + 1, 1, n - 1, DECIMALS, WITHIN);
    struct tolerance tolerance = { .T = T, .n = n, .half_decimal = unit / 2 };
    const bool rounded = unit > 0 && !is_missing_rows(T, n, unit);
    double step = rounded ? find_step(&tolerance) : (double)NAN, seconds = 0;
    if (!isnan(step) || !time)
        return step;
    for (size_t k = 1; k < n; k++)
        seconds += T[k];
    tolerance.time = time;
    tolerance.scale = seconds / (time[n - 1] - time[0]);
    step = find_step(&tolerance);
    for (size_t k = 0; k < n && !isnan(step); k++)
        if (!is_float(time[k]))
            return (double)NAN;
    return step;
}

/* --- the steps of a run --- */

bool run_steps_make(struct run_steps *steps, size_t most, struct error *e)
{
    return arrays_make(e, ARRAY(steps->T, most), ARRAY(steps->standing, most), ARRAY(steps->given_T, most),
                       ARRAY(steps->given_time, most), ARRAY(steps->sample_T, most),
                       ARRAY(steps->sample_time, most), ARRAY(steps->counted, most));
}

void run_steps_free(struct run_steps *steps)
{
    free(steps->T);
}

static bool is_same(struct usual_step a, struct usual_step b)
{
    return a.seconds == b.seconds && a.uneven == b.uneven;
}

/* Does a run have the steps of the run before? If not, its steps are noted. */
static bool are_known(struct run_steps *steps, const struct samples *run, struct usual_step before)
{
    size_t bytes = (run->n - 1) * sizeof *run->T;
    bool timed = run->time != NULL;
    if (!run->point && steps->n == run->n && steps->timed == timed && is_same(steps->before, before) &&
        memcmp(steps->given_T + 1, run->T + 1, bytes) == 0 &&
        (!timed || memcmp(steps->given_time + 1, run->time + 1, bytes) == 0))
        return true;
    steps->n = run->point ? 0 : run->n;
    steps->timed = timed;
    steps->before = before;
    memcpy(steps->given_T + 1, run->T + 1, bytes);
    if (timed)
        memcpy(steps->given_time + 1, run->time + 1, bytes);
    return false;
}

/* The step of even steps T[1] to T[n - 1], n > 1; NaN: the steps are not even. time: NULL: not known. */
static double find_even_step(const double *T, const double *time, size_t n)
{
    double sum = 0, least = INFINITY, most = 0;
    for (size_t k = 1; k < n; k++) {
        sum += T[k];
        least = T[k] < least ? T[k] : least;
        most = T[k] > most ? T[k] : most;
    }
    double mean = sum / (double)(n - 1), whole = step_of_whole_rate(mean);
    if (most == least)
        return least;
    if (most - least <= ROUNDED * most)
        return fabs(whole - mean) <= ROUNDED * mean ? whole : mean;
    return run_steps_even(T, time, n);
}

/* Copies the steps and times of the samples, without points, into sample_T and sample_time. Returns their
 * number.
 */
static size_t leave_out_points(struct run_steps *steps, const struct samples *run)
{
    double since = 0;
    size_t n = 0;
    for (size_t k = 0; k < run->n; k++) {
        since += k > 0 ? run->T[k] : 0;
        if (samples_is_point(run, k))
            continue;
        steps->sample_T[n] = since;
        steps->sample_time[n++] = run->time ? run->time[k] : 0;
        since = 0;
    }
    return n;
}

/* Sets T and standing to a step of an even grid. */
static void set_even(struct run_steps *steps, double step, size_t n)
{
    if (steps->neven > 0 && steps->T[0] != step)
        steps->neven = 0;
    for (; steps->neven < n; steps->neven++)
        steps->T[steps->neven] = steps->standing[steps->neven] = step;
}

/* Sets T to the steps that the run is smoothed with: between two samples the step as given, or the step of an
 * even grid, where points keep their places. */
static void set_steps(struct run_steps *steps, const struct samples *run, double step, bool even)
{
    steps->T[0] = step;
    for (size_t k = 1, next; k < run->n; k = next) {
        double given = 0;
        for (next = k; next == k || (next < run->n && samples_is_point(run, next - 1)); next++)
            given += run->T[next];
        double T = even ? step : fmax(given, SHORTEST * step);
        for (size_t i = k; i < next; i++)
            steps->T[i] = next == k + 1 ? T : run->T[i] * (T / given);
    }
}

/* The seconds of step k that its rows stand for: of a step over missing rows the mean of the shorter steps
 * around. Steps are compared with those around them, not with those of a part, so that parts agree. */
static double counted_step(const double *T, size_t n, size_t k)
{
    const size_t first = k > RUN_STEPS_AROUND ? k - RUN_STEPS_AROUND : 1;
    const size_t last = k + RUN_STEPS_AROUND < n ? k + RUN_STEPS_AROUND : n - 1;
    size_t shorter = 0;
    double sum = 0;
    for (size_t i = first; i <= last; i++)
        if (run_steps_is_long(T[k], T[i])) {
            sum += T[i];
            shorter++;
        }
    const double around = (double)(last - first);
    const bool misses = around >= FEW_AROUND && (double)shorter >= MOST_SHORTER * around;
    return misses ? sum / (double)shorter : T[k];
}

/* Sets steps->counted, and returns the usual step: the mean of the first. */
static struct usual_step count_steps(struct run_steps *steps, const double *T, size_t n)
{
    const size_t first = n - 1 < FIRST_STEPS ? n - 1 : FIRST_STEPS;
    double sum = 0, off = 0, least = INFINITY;
    for (size_t k = 1; k < n; k++)
        least = T[k] < least ? T[k] : least;
    for (size_t k = 1; k < n; k++)
        steps->counted[k] = run_steps_is_long(T[k], least) ? counted_step(T, n, k) : T[k];
    for (size_t k = 1; k <= first; k++)
        sum += steps->counted[k];
    const double mean = sum / (double)first;
    for (size_t k = 1; k <= first; k++)
        off += fabs(steps->counted[k] - mean);
    return (struct usual_step){ mean, off > UNEVEN * sum };
}

/* Sets T and counted to the steps of the run. Returns the usual step. */
static struct usual_step find_steps(struct run_steps *steps, const struct samples *run)
{
    const double *T = run->T, *time = run->time;
    size_t n = run->n;
    if (run->n == 1) {
        steps->neven = 0;
        return (struct usual_step){ 1, false };
    }
    if (run->point) {
        n = leave_out_points(steps, run);
        T = steps->sample_T;
        time = run->time ? steps->sample_time : NULL;
    }
    struct usual_step usual = { find_even_step(T, time, n), false };
    bool even = !isnan(usual.seconds);
    if (even && !run->point) {
        set_even(steps, usual.seconds, n);
        return usual;
    }
    steps->neven = 0;
    for (size_t k = 1; k < n && even; k++)
        steps->counted[k] = usual.seconds;
    if (!even) {
        usual = count_steps(steps, T, n);
        if (fabs(usual.seconds - steps->before.seconds) <= NEAR * steps->before.seconds)
            usual = steps->before;
    }
    set_steps(steps, run, usual.seconds, even);
    return usual;
}

double run_steps_row_rate(double *step, size_t n)
{
    double usual = n > 0 ? noise_median(step, n) : 0, time = 0;
    size_t nusual = 0;
    for (size_t i = 0; i < n; i++)
        if (!run_steps_is_long(step[i], usual)) {
            time += step[i];
            nusual++;
        }
    return (double)nusual / time;
}

/* Each row stands for half of both steps beside it, as they count, the first and the last row for its only
 * step. */
static void find_standing(struct run_steps *steps, const struct samples *run)
{
    size_t last = 0, step = 0; /* the last row, and the last step, from sample to sample */
    steps->standing[0] = 0;
    for (size_t k = 1; k < run->n; k++) {
        steps->standing[k] = 0;
        if (samples_is_point(run, k))
            continue;
        double half = fmax(steps->counted[++step], SHORTEST * steps->usual.seconds) / 2;
        steps->standing[last] += last == 0 ? 2 * half : half;
        steps->standing[k] = half;
        last = k;
    }
    steps->standing[last] = last > 0 ? 2 * steps->standing[last] : 1;
}

bool run_steps_take(struct run_steps *steps, const struct samples *run, struct usual_step before)
{
    if (are_known(steps, run, before))
        return true;
    bool was_even = steps->neven > 0;
    const struct usual_step was_usual = steps->usual;
    steps->usual = find_steps(steps, run);
    if (steps->neven == 0)
        find_standing(steps, run);
    return was_even && steps->neven > 0 && is_same(steps->usual, was_usual);
}
