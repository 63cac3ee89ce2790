/* See count.h. */
#include "whole/kinds/count.h"

#include "number/number.h"

#include <float.h>
#include <math.h>

enum { MOST_DECIMALS = 12 /* of the numbers of a clock */ };

#define MOST_DROPPED 0.1               /* part of the steps of a count that may be longer than 1 */
#define EVEN_ROUNDED (4 * DBL_EPSILON) /* of a number: its rounding */

bool count_is(const struct count_rows *rows)
{
    const size_t stride = rows->stride;
    const double *x = rows->number;
    size_t nstep = 0, ndropped = 0;
    if (rows->n < COUNT_LEAST || !(x[0] >= 0 && x[0] == floor(x[0])))
        return false;
    for (size_t i = 1; i < rows->n; i++) {
        const double step = x[i * stride] - x[(i - 1) * stride];
        if (isnan(step) || step != floor(step))
            return false;
        if (rows->begins && rows->begins[i])
            continue;
        if (step < 1)
            return false;
        nstep++;
        ndropped += step > 1;
    }
    return (double)ndropped <= MOST_DROPPED * (double)nstep;
}

/* With few digits only equal steps are even. */
bool count_rises_evenly(const struct count_rows *rows)
{
    const size_t last = rows->n - 1, stride = rows->stride;
    const double *x = rows->number;
    double off = 0;
    if (rows->n < COUNT_LEAST)
        return false;
    const double most = fmax(fabs(x[0]), fabs(x[last * stride]));
    const double step = (x[last * stride] - x[0]) / (double)last, rounded = EVEN_ROUNDED * most;
    for (size_t i = 1; i <= last; i++) {
        if (!(x[i * stride] > x[(i - 1) * stride]) || (rows->begins && rows->begins[i]))
            return false;
        off = fmax(off, fabs(x[i * stride] - x[0] - (double)i * step));
    }
    const double digit = number_unit(x, stride, rows->n, MOST_DECIMALS, 0);
    return off <= rounded || (step > 1.5 * digit && off <= digit + rounded);
}
