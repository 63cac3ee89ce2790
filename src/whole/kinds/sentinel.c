/* See sentinel.h. */
#include "whole/kinds/sentinel.h"

#include <math.h>

bool sentinel_is_usual(double x)
{
    double nines = 999;
    while (nines < x)
        nines = 10 * nines + 9;
    return x == nines || x == 65535 || x == -1 || (x <= -99 && x == floor(x));
}

/* Every other value is farther from x than from the other values, or, of several columns, than they move in a
 * row together. States, and sensors at their limit, come nearer; at an upper limit only three times the range
 * is far. */
bool sentinel_in(const double *const *value, size_t n, size_t nrow, double x)
{
    enum { LEAST_MOVES = 10, LEAST_JUMPS = 3 };
    double last[4] = { NAN, NAN, NAN, NAN }, before = NAN;
    double nearest = (double)INFINITY, least = (double)INFINITY, most = -(double)INFINITY, longest = 0;
    size_t njump = 0, nother = 0, nmove = 0;
    for (size_t i = 0; i < nrow; i++) {
        size_t nequal = 0;
        double distance = 0, step = 0;
        for (size_t k = 0; k < n; k++) {
            const double now = value[k][i];
            nequal += now == x;
            distance = hypot(distance, now - x);
            step = hypot(step, now - last[k]);
            last[k] = now == x ? (double)NAN : now;
        }
        if (nequal > 0 && nequal < n)
            return false;
        njump += nequal > 0;
        if (nequal > 0 || isnan(distance))
            continue;
        nother++;
        nmove += distance != before;
        before = distance;
        nearest = fmin(nearest, distance);
        longest = fmax(longest, step);
        least = fmin(least, last[0]);
        most = fmax(most, last[0]);
    }
    const size_t enough = x == 0 || x <= -99 ? 1 : LEAST_JUMPS;
    const double far = (x > 0 ? 3 : 1) * (most - least);
    if (njump < enough || njump >= nother)
        return false;
    return n > 1 ? nearest > longest : nmove >= LEAST_MOVES && nearest > far;
}
