/* Plain residuals. See despike_plain.h. */
#include "whole/despike_plain.h"

#include "whole/despike_curve.h"

#include <math.h>

enum { LANES = 4 /* numbers that are compared at once */ };

/* The square of the distance of sample i from the value of a curve, by the weights of the two samples on each
 * side. */
static inline double find_square(const struct despike_window *window, size_t i,
                                 const double weight[DESPIKE_CUBIC])
{
    double square = 0;
    for (size_t c = 0; c < window->ncolumn; c++) {
        const double *x = window->column[c] + i;
        double off = weight[0] * (x[-2] - x[0]) + weight[1] * (x[-1] - x[0]) + weight[2] * (x[1] - x[0]) +
                     weight[3] * (x[2] - x[0]);
        square += off * off;
    }
    return square;
}

/* Of two samples at one time the weights are not finite. */
static double measure_uneven(const struct despike_window *window, size_t i)
{
    const double *t = window->t + i;
    const double at[DESPIKE_CUBIC] = { t[-2] - t[0], t[-1] - t[0], t[1] - t[0], t[2] - t[0] };
    double weight[DESPIKE_CUBIC];
    despike_weigh_cubic(at, weight);
    bool apart = isfinite(weight[0] + weight[1] + weight[2] + weight[3]);
    return apart ? find_square(window, i, weight) : (double)NAN;
}

/* The square of the distance of sample i from the cubic through two samples on each side. */
static double measure_sample(const struct despike_window *window, size_t i)
{
    static const double even_weight[DESPIKE_CUBIC] = { -1.0 / 6, 4.0 / 6, 4.0 / 6, -1.0 / 6 };
    const double *t = window->t + i;
    double step = (t[2] - t[0] - (t[-2] - t[0])) / DESPIKE_CUBIC, most = DESPIKE_EVEN * step;
    bool even = fabs(t[-2] - t[0] + 2 * step) < most && fabs(t[-1] - t[0] + step) < most &&
                fabs(t[1] - t[0] - step) < most;
    return even ? find_square(window, i, even_weight) : measure_uneven(window, i);
}

void despike_plain_measure(const struct despike_window *window, double *plain)
{
    for (size_t i = DESPIKE_AROUND; i + DESPIKE_AROUND < window->n; i++)
        plain[i] = measure_sample(window, i);
}

/* How many of n numbers are at least `least`? Several counts go on side by side, as doubles, so that
 * compilers compare several numbers at once. */
static size_t count_above(const double *number, size_t n, double least)
{
    double count[LANES] = { 0 }, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            count[k] += number[i + k] >= least ? 1 : 0;
    for (; i < n; i++)
        count[0] += number[i] >= least ? 1 : 0;
    for (size_t k = 0; k < LANES; k++)
        sum += count[k];
    return (size_t)sum;
}

double despike_median_to_scale(size_t ncolumn)
{
    /* Quantiles of the chi distribution with 1, 2 and 3 degrees of freedom: of 0.9973, over 3 times the
     * median: 3 / (3 x 0.6745), 3.4395 / (3 x 1.1774), 3.7625 / (3 x 1.5382). */
    static const double numbers[] = { 1.4826, 0.9737, 0.8153 };
    return numbers[ncolumn - 1];
}

/* No set with a judged sample can stand out where the plain residuals of the sample and of its neighbours are
 * at most half of --despike K times the scale of the residuals in the window of the sample. No median is
 * computed: the scale, a multiple of the median, is large enough where more than half of the residuals in the
 * window are. A window lacks at most n - least residuals of the stretch, all of which may be large. */
bool despike_plain_calm(double factor, const struct despike_stretch *stretch)
{
    double to_scale = despike_median_to_scale(stretch->ncolumn);
    double most = 0, largest_part = factor * factor * to_scale * to_scale / 4;
    size_t own = stretch->own, end = own + stretch->nown, reach = 2 * DESPIKE_AROUND;
    if (stretch->least < DESPIKE_MANY || own < reach || end - 1 + reach >= stretch->n)
        return false;
    for (size_t i = own - DESPIKE_AROUND; i < end + DESPIKE_AROUND; i++) {
        if (isnan(stretch->plain[i]))
            return false;
        most = stretch->plain[i] > most ? stretch->plain[i] : most;
    }
    size_t n = stretch->n - reach, least = stretch->least - reach;
    return 2 * count_above(stretch->plain + DESPIKE_AROUND, n, most / largest_part) > 2 * n - least;
}
