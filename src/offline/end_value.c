/* Least squares at the end of a run. See end_value.h. */
#include "offline/end_value.h"

#include <math.h>

#define NEGLIGIBLE 0x1p-60 /* a weight */

double end_value(const double *T, const double *x, size_t last, bool at_last, double reach)
{
    double span = 0, t = 0, weight = 1, fall = 1, step = 0, end = x[at_last ? last : 0];
    double w = 0, wt = 0, wtt = 0, wx = 0, wtx = 0; /* sums; x less its value at the end */
    for (size_t k = 1; k <= last; k++)
        span += T[k];
    for (size_t k = 0; k <= last && weight > NEGLIGIBLE; k++) {
        double next = k == last ? 0 : T[at_last ? last - k : k + 1];
        double part = weight * ((step + next) / span), change = x[at_last ? last - k : k] - end;
        w += part;
        wt += part * t;
        wtt += part * t * t;
        wx += part * change;
        wtx += part * t * change;
        if (next != step)
            fall = exp(-next / reach);
        weight *= fall;
        t += next / span;
        step = next;
    }
    double spread = w * wtt - wt * wt;
    return spread > 0 ? end + (wtt * wx - wt * wtx) / spread : end;
}
