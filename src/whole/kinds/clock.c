/* See clock.h. */
#include "whole/kinds/clock.h"

#include "number/number.h"

#include <float.h>
#include <math.h>

enum {
    LEAST_SHARED = 3,  /* fewest rows that share their time */
    MOST_DECIMALS = 12 /* of the numbers of a clock */
};

#define MANY    0.1               /* part of the rows with the time of another row */
#define ROUNDED (4 * DBL_EPSILON) /* of a number: its rounding */

size_t clock_count_shared(const double *time, size_t n)
{
    size_t nshared = 0;
    for (size_t i = 1; i < n; i++)
        nshared += time[i] == time[i - 1];
    return nshared;
}

bool clock_is_coarse(size_t nshared, size_t n)
{
    return nshared >= LEAST_SHARED && (double)nshared > MANY * (double)n;
}

double clock_rate(const double *time, size_t n)
{
    size_t first = 0, last = 0;
    for (size_t i = 1; i < n; i++) {
        if (time[i] < time[i - 1])
            return 0;
        if (time[i] == time[i - 1])
            continue;
        first = first > 0 ? first : i;
        last = i;
    }
    return last <= first ? 0 : (double)(last - first) / (time[last] - time[first]);
}

/* With few digits only equal steps are even. */
double clock_step(const double *number, size_t stride, size_t n)
{
    if (n < CLOCK_LEAST)
        return 0;
    const double first = number[0], last = number[(n - 1) * stride];
    const double step = (last - first) / (double)(n - 1), rounded = ROUNDED * fmax(fabs(first), fabs(last));
    double off = 0; /* largest distance of a number from the line */
    for (size_t i = 1; i < n; i++) {
        if (!(number[i * stride] > number[(i - 1) * stride]))
            return 0;
        off = fmax(off, fabs(number[i * stride] - first - (double)i * step));
    }
    const double digit = number_unit(number, stride, n, MOST_DECIMALS);
    return off <= rounded || (step > 1.5 * digit && off <= digit + rounded) ? step : 0;
}
