/* Powers of ten, and the decimals that numbers show. See number.h. */
#include "number/fast_read.h"

#include <float.h>
#include <math.h>

double number_scale(double x, int exp10)
{
    for (; exp10 < -22; exp10 += 22)
        x /= number_power_of_10[22];
    for (; exp10 > 22; exp10 -= 22)
        x *= number_power_of_10[22];
    return exp10 < 0 ? x / number_power_of_10[-exp10] : x * number_power_of_10[exp10];
}

double number_round(double x, int digits)
{
    if (x == 0 || !isfinite(x))
        return x;
    const int exp10 = digits - 1 - (int)floor(log10(fabs(x)));
    return number_scale(rint(number_scale(x, exp10)), -exp10);
}

double number_unit(const double *number, size_t stride, size_t n, int most)
{
    double scale = 1;
    int decimals = 0;
    for (size_t i = 0; i < n; i++)
        for (;;) {
            const double scaled = number[i * stride] * scale;
            if (!(fabs(scaled - rint(scaled)) > 4 * DBL_EPSILON * fabs(scaled)))
                break;
            if (++decimals > most)
                return 0;
            scale *= 10;
        }
    return 1 / scale;
}
