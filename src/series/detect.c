/* Cuts by the running median of absolute changes of slope. See detect.h. */
#include "series/detect.h"

#include <math.h>
#include <string.h>

/* First place in sorted[0..n) that is not below x. */
static size_t place(const double *sorted, size_t n, double x)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (sorted[low + half] < x) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void remember(struct detect *d, double bend)
{
    if (d->n == DETECT_PAST) {
        size_t gone = place(d->sorted, d->n, d->past[d->oldest]);
        memmove(d->sorted + gone, d->sorted + gone + 1, (d->n - gone - 1) * sizeof *d->sorted);
        d->n--;
    }
    size_t here = place(d->sorted, d->n, bend);
    memmove(d->sorted + here + 1, d->sorted + here, (d->n - here) * sizeof *d->sorted);
    d->sorted[here] = bend;
    d->n++;
    d->past[d->oldest] = bend;
    d->oldest = (d->oldest + 1) % DETECT_PAST;
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool detect_bend(struct detect *d, double factor, const double bend[3], double rounding, double ratio)
{
    double here = norm(bend), before = norm(d->bend), along = 0;
    double most = d->n < DETECT_LEAST ? (double)INFINITY : factor * d->sorted[d->n / 2] + rounding;
    for (size_t i = 0; i < 3; i++)
        along += bend[i] * d->bend[i];
    bool back = d->known && along < 0;
    bool jump = d->alone ? d->spike && back && here > before / 3
                         : back && here > most && before > most && here > 0.7 * before;
    double way_back = (1 + ratio) * before; /* the change of slope at a spike, by that at the row before */
    bool alone = back && !d->alone && d->doubtful && here > 0.7 * way_back && here < 2 * way_back;
    d->spike = jump && alone;
    d->alone = alone;
    d->known = true;
    d->doubtful = here > most / 2 && !jump;
    memcpy(d->bend, bend, sizeof d->bend);
    if (isfinite(here))
        remember(d, here);
    return jump;
}

void detect_nothing(struct detect *d)
{
    d->known = d->alone = d->spike = d->doubtful = false;
}
