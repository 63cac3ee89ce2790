/* Noise from differences of order four. See noise.h.
 *
 * On even steps the fourth difference of white noise of variance s^2 has the variance 70 s^2, 70 being the
 * sum of the squares of 1, -4, 6, -4, 1. On uneven steps the divided difference takes the place of the
 * difference, divided by the root of the sum of the squares of the weights in the divided difference. (The
 * idea with first differences: J. von Neumann, "Distribution of the ratio of the mean square successive
 * difference to the variance", Annals of Mathematical Statistics 12, 1941.) The median of the absolute
 * differences, times 1.4826, is a standard deviation that outliers hardly change, but its own error is large:
 * so the median only limits the differences, and the variance is their mean square. */
#include "whole/noise/noise.h"

#include "number/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    ORDER = 4,
    POINTS = ORDER + 1,
    DECIMALS = 14 /* most decimals: more decimals are below the rounding of doubles */
};

#define MAD_TO_SIGMA 1.4826
#define RANGE        10.0   /* standard deviations that noise alone ranges over, at most */
#define PRINTED      5.5e-9 /* part by which a float that was printed with nine digits may be off */
#define LIMIT        3.0 /* standard deviations; limited so, a normal variable keeps 0.995 of its variance */

/* Moves the numbers of x[low .. end) that are below the pivot, or that equal it where `equal`, before the
 * others. Returns the index after them. No branch depends on a number: a wrong guess of the processor would
 * cost more than the copy. (Lomuto's partition.) */
static inline size_t partition_numbers(double *x, size_t low, size_t end, double pivot, bool equal)
{
    size_t to = low;
    for (size_t i = low; i < end; i++) {
        double moved = x[i];
        x[i] = x[to];
        x[to] = moved;
        to += equal ? moved <= pivot : moved < pivot;
    }
    return to;
}

double noise_median(double *x, size_t n)
{
    size_t low = 0, end = n;
    while (end - low > 1) {
        const double a = x[low], b = x[low + (end - low) / 2];
        const double pivot = fmax(fmin(a, b), fmin(fmax(a, b), x[end - 1])); /* the middle one of three */
        if (isnan(pivot))
            return pivot;
        size_t below = partition_numbers(x, low, end, pivot, false);
        if (n / 2 < below) {
            end = below;
            continue;
        }
        low = partition_numbers(x, below, end, pivot, true);
        if (n / 2 < low)
            return pivot;
    }
    return x[n / 2];
}

/* The weights of five samples in their divided difference, scaled to a sum of squares of 1. T: the four steps
 * between the samples. */
static void weigh_samples(const double *T, double weight[POINTS])
{
    double t[POINTS] = { 0 }, squares = 0;
    for (size_t i = 1; i < POINTS; i++)
        t[i] = t[i - 1] + T[i - 1];
    for (size_t i = 0; i < POINTS; i++) {
        weight[i] = 1;
        for (size_t j = 0; j < POINTS; j++)
            if (j != i)
                weight[i] *= t[POINTS - 1] / (t[i] - t[j]);
        squares += weight[i] * weight[i];
    }
    for (size_t i = 0; i < POINTS; i++)
        weight[i] /= sqrt(squares);
}

/* The absolute divided difference of five samples from sample k on, `stride` samples apart; of vectors the
 * length of the difference vector. */
static inline double find_difference(const struct noise_samples *samples, size_t k, size_t stride,
                                     const double weight[POINTS])
{
    double square = 0;
    for (size_t c = 0; c < samples->ncolumn; c++) {
        const double *x = samples->column[c] + k, middle = x[2 * stride];
        double sum = weight[0] * (x[0] - middle) + weight[1] * (x[stride] - middle) +
                     weight[3] * (x[3 * stride] - middle) + weight[4] * (x[4 * stride] - middle);
        square += sum * sum;
    }
    double length = sqrt(square);
    return length < DBL_MAX ? length : DBL_MAX; /* of a NaN, too */
}

/* Sets difference[k] to that of five samples from sample k on, `stride` samples apart. */
static void find_differences(const struct noise_samples *samples, size_t stride, double *difference)
{
    const size_t nstep = ORDER * stride;
    const double *steps = samples->T;
    double weight[POINTS];
    for (size_t k = 0; k + nstep < samples->n; k++) {
        if (k == 0 || (steps && memcmp(steps + k, steps + k + 1, nstep * sizeof *steps) != 0)) {
            double T[ORDER] = { 0 };
            for (size_t i = 0; i < nstep; i++)
                T[i / stride] += steps ? steps[k + 1 + i] : 1;
            weigh_samples(T, weight);
        }
        difference[k] = find_difference(samples, k, stride, weight);
    }
}

/* The largest error of a difference that the rounding of the samples can make. */
static double rounding_of(const struct noise_samples *samples)
{
    double most = 0;
    for (size_t c = 0; c < samples->ncolumn; c++)
        for (size_t k = 0; k < samples->n; k++)
            most = fabs(samples->column[c][k]) > most ? fabs(samples->column[c][k]) : most;
    return 4 * DBL_EPSILON * most;
}

double noise_variance(const struct noise_samples *samples, double *room)
{
    double sum = 0;
    if (samples->n < NOISE_LEAST)
        return 0;
    size_t count = samples->n - ORDER;
    find_differences(samples, 1, room);
    double rounding = rounding_of(samples);
    double limit = LIMIT * MAD_TO_SIGMA * noise_median(room, count);
    limit = limit > rounding ? limit : DBL_MAX;
    for (size_t k = 0; k < count; k++) {
        double counted = room[k] < limit ? room[k] : limit;
        sum += counted > rounding ? counted * counted : 0;
    }
    double variance = sum / (double)count;
    return isfinite(variance) ? variance : 0;
}

double noise_by_median(const struct noise_samples *samples, size_t stride, double *room)
{
    /* By the median of the length of a normal vector of 1, 2 or 3 components. */
    static const double to_sigma[] = { MAD_TO_SIGMA, 1.2011, 1.1260 };
    if (samples->n < ORDER * stride + 1 || samples->n < NOISE_LEAST)
        return 0;
    find_differences(samples, stride, room);
    const double median = noise_median(room, samples->n - ORDER * stride);
    const double sigma = to_sigma[samples->ncolumn - 1] * median;
    return median > rounding_of(samples) ? sigma * sigma : 0;
}

bool noise_is_all(const struct noise_samples *samples, double *room)
{
    double least = (double)INFINITY, most = -(double)INFINITY;
    size_t known = 0;
    if (samples->n < NOISE_LEAST)
        return false;
    find_differences(samples, 1, room);
    for (size_t k = 0; k < samples->n - ORDER; k++)
        if (room[k] < DBL_MAX)
            room[known++] = room[k];
    for (size_t k = 0; k < samples->n; k++) {
        least = fmin(least, samples->column[0][k]);
        most = fmax(most, samples->column[0][k]);
    }
    return known >= NOISE_LEAST && RANGE * MAD_TO_SIGMA * noise_median(room, known) > most - least;
}

/* --- how exactly numbers were written --- */

/* Half of the least change from number to number, if many numbers change and every change is a multiple of
 * the least change; else 0. */
static double half_quantum(const double *number, size_t n)
{
    double least = INFINITY, before = (double)NAN;
    size_t nknown = 0, nchange = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(number[i]))
            continue;
        const double change = fabs(number[i] - before);
        nknown++;
        nchange += change > 0;
        least = change > 0 && change < least ? change : least;
        before = number[i];
    }
    before = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        const double times = (number[i] - before) / least;
        if (fabs(times - rint(times)) > 1e-6)
            return 0;
        before = isnan(number[i]) ? before : number[i];
    }
    return 3 * nchange > nknown ? least / 2 : 0;
}

double rounding_error(const double *number, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    bool floats = true;
    for (size_t i = 0; i < n; i++) {
        least = number[i] < least ? number[i] : least;
        most = number[i] > most ? number[i] : most;
        floats = floats && !(fabs((double)(float)number[i] - number[i]) > PRINTED * fabs(number[i]));
    }
    const double size = n > 0 && most >= least ? fmax(fabs(least), fabs(most)) : 0;
    const double binary = floats ? size * 0x1p-24 : size * ROUNDING_DOUBLES * DBL_EPSILON;
    /* Equal numbers do not show their decimals. */
    if (!(most > least))
        return binary;
    return fmax(binary, fmax(number_unit(number, 1, n, DECIMALS) / 2, half_quantum(number, n)));
}
