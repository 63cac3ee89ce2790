/* The narrowest strip of even times around the times. See even_steps.h. */
#include "whole/even_steps.h"

#include <math.h>

enum {
    FEWEST = 5,   /* times that can show an even grid */
    DECIMALS = 9, /* most decimals of a step */
    TRIALS = 60   /* most rounds of the search */
};

#define WITHIN 1e-6 /* rounding error of the sums, in units of the last decimal */

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

/* The width of the strip that holds all times: the largest distance of a time from an even grid with the
 * given step, less the smallest. */
static double find_width(const double *T, size_t n, double step)
{
    double off = 0, least = 0, most = 0;
    for (size_t k = 1; k < n; k++) {
        off += T[k] - step;
        least = fmin(least, off);
        most = fmax(most, off);
    }
    return most - least;
}

/* The width is a convex function of the step, and the step of the narrowest strip differs from the mean step
 * by at most a unit over all steps, where the strip is one unit wide. The narrowest strip is searched in
 * thirds. */
double even_steps_find(const double *T, size_t n)
{
    double time = 0, unit = n < FEWEST ? (double)NAN : find_unit(T, n);
    for (size_t k = 1; k < n; k++)
        time += T[k];
    double mean = time / (double)(n - 1), range = unit / (double)(n - 1);
    if (!(find_width(T, n, mean) <= 2 * unit * (1 + WITHIN)))
        return (double)NAN;
    double low = mean - range, high = mean + range;
    for (int i = 0; i < TRIALS && find_width(T, n, mean) > unit * (1 + WITHIN); i++) {
        double third = (high - low) / 3;
        if (find_width(T, n, low + third) < find_width(T, n, high - third))
            high -= third;
        else
            low += third;
        mean = (low + high) / 2;
    }
    return find_width(T, n, mean) <= unit * (1 + WITHIN) ? mean : (double)NAN;
}
