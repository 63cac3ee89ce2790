/* Cuts by the running median of absolute second differences. See detect.h. */
#include "series/detect.h"

#include <float.h>
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

bool detect_bend(struct detect *d, double factor, double bend, double rounding, double in, double out)
{
    bool known = d->n >= DETECT_LEAST;
    bool jump = known && bend > factor * d->sorted[d->n / 2] + rounding && in > out;
    if (isfinite(bend))
        remember(d, bend);
    return jump;
}

bool detect_jump(struct detect *d, double factor, double before, double T_in, double here, double T_out,
                 double next, double part)
{
    double bend = fabs((next - here) / T_out - (here - before) / T_in);
    /* Numbers of this size cannot be closer to a straight line than this. */
    double rounding = 4 * DBL_EPSILON * (fabs(before) + fabs(here) + fabs(next)) * (1 / T_in + 1 / T_out);
    return detect_bend(d, factor, bend, rounding, fabs(here - before), fabs(next - here) / part);
}
