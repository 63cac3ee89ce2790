/* See clock.h. */
#include "whole/kinds/clock.h"

#include <math.h>

enum { LEAST_SHARED = 3 /* fewest rows that share their time */ };

#define MANY 0.1 /* part of the rows with the time of another row */

size_t clock_count_shared(const double *time, size_t n)
{
    size_t nshared = 0;
    for (size_t i = 1; i < n; i++)
        nshared += time[i] == time[i - 1];
    return nshared;
}

bool clock_is_coarse(uint64_t nshared, size_t n)
{
    return nshared >= LEAST_SHARED && (double)nshared > MANY * (double)n;
}

double clock_rate(const double *time, size_t n)
{
    size_t first = 0, last = 0;
    for (size_t i = 1; i < n; i++) {
        if (time[i] == time[i - 1])
            continue;
        first = first > 0 ? first : i;
        last = i;
    }
    if (last <= first || !(time[last] > time[first]))
        return 0;
    return (double)(last - first) / (time[last] - time[first]);
}
