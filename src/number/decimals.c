/* The decimals that numbers show. See number.h. */
#include "number/number.h"

#include <float.h>
#include <math.h>

double number_unit(const double *number, size_t stride, size_t n, int most, double slack)
{
    double scale = 1;
    int decimals = 0;
    for (size_t i = 0; i < n; i++)
        for (;;) {
            const double scaled = number[i * stride] * scale;
            if (!(fabs(scaled - rint(scaled)) > 4 * DBL_EPSILON * fabs(scaled) + slack))
                break;
            if (++decimals > most)
                return 0;
            scale *= 10;
        }
    return 1 / scale;
}
