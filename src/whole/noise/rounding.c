/* How exactly numbers were written. See rounding.h. */
#include "whole/noise/rounding.h"

#include "number/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { DECIMALS = 14 /* most decimals: further decimals are below the rounding of doubles */ };

/* Half of the least change from number to number, if many numbers change and every change is a multiple of
 * the least change; else 0. */
static double half_quantum(const double *number, size_t n)
{
    double least = INFINITY;
    size_t nchange = 0;
    for (size_t i = 1; i < n; i++)
        if (number[i] != number[i - 1]) {
            double change = fabs(number[i] - number[i - 1]);
            least = change < least ? change : least;
            nchange++;
        }
    for (size_t i = 1; i < n; i++) {
        double times = (number[i] - number[i - 1]) / least;
        if (fabs(times - rint(times)) > 1e-6)
            return 0;
    }
    return 3 * nchange > n ? least / 2 : 0;
}

double rounding_error(const double *number, size_t n)
{
    double most = 0;
    bool floats = true;
    for (size_t i = 0; i < n; i++)
        most = fabs(number[i]) > most ? fabs(number[i]) : most;
    for (size_t i = 0; i < n && floats; i++)
        floats = (double)(float)number[i] == number[i];
    double binary = floats ? most * 0x1p-24 : most * ROUNDING_DOUBLES * DBL_EPSILON;
    bool same = true;
    for (size_t i = 1; i < n && same; i++)
        same = number[i] == number[0];
    /* Equal numbers do not show their decimals. */
    if (same)
        return binary;
    return fmax(binary, fmax(number_unit(number, 1, n, DECIMALS, 0) / 2, half_quantum(number, n)));
}
