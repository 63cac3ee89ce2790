/* The narrowest strip of even times around the times. See even_steps.h. */
#include "whole/even_steps.h"

#include "number/number.h"

#include <math.h>

enum {
    FEWEST = 5,      /* fewest times that can show an even grid */
    DECIMALS = 9,    /* most decimals of a step */
    FLOAT_LEAST = 6, /* significant digits in which a float32 is printed */
    FLOAT_MOST = 9,
    TRIALS = 60 /* most rounds of the search */
};

#define WITHIN 1e-6 /* rounding error of the sums, in units of the last decimal */

/* How far times may be from an even grid. */
struct tolerance {
    const double *T;     /* [n] seconds since the time before */
    size_t n;            /* number of times */
    double half_decimal; /* half a unit of the last decimal of all times, in seconds; not used with `time` */
    const double *time;  /* [n] times as told, which are rounded to float32; NULL: rounded to decimals */
    double scale;        /* seconds in a unit of `time` */
};

/* A unit of the last decimal of the steps; NaN: the steps have more than DECIMALS decimals. */
static double find_unit(const double *T, size_t n)
{
    double per_second = 1;
    int decimals = 0;
    for (size_t k = 1; k < n; k++)
        while (fabs(T[k] * per_second - rint(T[k] * per_second)) > WITHIN) {
            per_second *= 10;
            if (++decimals > DECIMALS)
                return (double)NAN;
        }
    return 1 / per_second;
}

/* Is x a float32, or the decimals in which a float32 is printed? */
static bool is_float(double x)
{
    double nearest = (double)(float)x;
    bool same = nearest == x;
    for (int digits = FLOAT_LEAST; digits <= FLOAT_MOST && !same; digits++)
        same = number_round(nearest, digits) == x;
    return same;
}

double even_steps_of_rate(double step)
{
    return 1 / rint(1 / step);
}

/* Seconds by which time k may differ from the grid: half a unit in its last place. With float32 also the
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
    double rounding = 2 * WITHIN * ends, whole = even_steps_of_rate(mean);
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

double even_steps_find(const double *T, const double *time, size_t n)
{
    if (n < FEWEST)
        return (double)NAN;
    struct tolerance tolerance = { .T = T, .n = n, .half_decimal = find_unit(T, n) / 2 };
    double step = isnan(tolerance.half_decimal) ? (double)NAN : find_step(&tolerance), seconds = 0;
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
