/* How exactly numbers were written. See rounding.h. */
#include "whole/noise/rounding.h"

#include "number/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { DECIMALS = 14 /* most decimals: more decimals are below the rounding of doubles */ };

#define PRINTED 5.5e-9 /* part by which a float that was printed with nine digits may be off */

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
