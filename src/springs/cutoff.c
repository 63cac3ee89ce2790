/* A root of the gain over the speed, or over the frequency. See cutoff.h. */
#include "springs/cutoff.h"

#include <math.h>

#define LEAST_OF_RATE 1e-5   /* lowest cutoff, by the row rate, that is met on rows */
#define SLOWEST       0x1p-6 /* least factor that is tried */
#define FASTEST       0x1p12 /* greatest factor that is tried */
#define WITHIN        1e-14  /* the search ends where both ends are so near in the logarithm */

enum { MOST_TRIALS = 100 };

/* A gain as a function of one variable: the speed or the angle. The search runs over the logarithm of the
 * variable. */
struct search {
    const struct filter_common *settings;
    cutoff_gain *gain;
    double T;
    double angle; /* the fixed angle in a search for the speed; 0: a search for the angle */
};

/* The gain of all passes over 1/sqrt 2, as a logarithm. */
static double excess(const struct search *search, double variable)
{
    double gain = search->angle > 0 ? search->gain(search->settings, search->T * variable, search->angle)
                                    : search->gain(search->settings, search->T, variable);
    return search->settings->passes * log(gain) + M_LN2 / 2;
}

/* The variable at which the excess is 0. x: the logarithms of two values of the variable, at which the excess
 * has opposite signs; at[i]: the excess at x[i]. By regula falsi, where the excess at an end that stays is
 * halved (the Illinois method). */
static double solve(const struct search *search, double x[2], double at[2])
{
    for (int i = 0; i < MOST_TRIALS && fabs(x[1] - x[0]) > WITHIN; i++) {
        double middle = x[1] - at[1] * (x[1] - x[0]) / (at[1] - at[0]), here = excess(search, exp(middle));
        if (here == 0)
            return exp(middle);
        if (here * at[1] < 0) {
            x[0] = x[1];
            at[0] = at[1];
        } else {
            at[0] /= 2;
        }
        x[1] = middle;
        at[1] = here;
    }
    return exp(x[1]);
}

double cutoff_factor(const struct filter_common *settings, cutoff_gain *gain, double T)
{
    double part = settings->cutoff * T;
    if (!(part > LEAST_OF_RATE && part < CUTOFF_MOST_OF_RATE))
        return 1;
    struct search search = { settings, gain, T, 2 * M_PI * part };
    double x[2] = { 0, 0 }, at[2] = { excess(&search, 1), 0 };
    /* The gain grows with the speed. */
    double step = at[0] < 0 ? M_LN2 / 8 : -M_LN2 / 8;
    at[1] = at[0];
    while (at[1] * at[0] > 0) {
        x[0] = x[1];
        at[0] = at[1];
        x[1] += step;
        step *= 1.5;
        if (exp(x[1]) > FASTEST || exp(x[1]) < SLOWEST)
            return 1;
        at[1] = excess(&search, exp(x[1]));
    }
    return at[1] == 0 || !isfinite(at[1]) ? exp(x[1]) : solve(&search, x, at);
}

double cutoff_example(double rate)
{
    static const double digits[] = { 1, 2, 5, 10 };
    const double tenth = rate / 10, unit = pow(10, floor(log10(tenth)));
    size_t i = 0;
    while (i + 2 < sizeof digits / sizeof *digits && digits[i + 1] * unit <= tenth * (1 + 1e-9))
        i++;
    return digits[i] * unit;
}

bool cutoff_check(double cutoff, double rate, struct error *e)
{
    if (!(cutoff > rate / 2))
        return true;
    error_usage(e, "--cutoff %g is above the Nyquist frequency, %g Hz (half the row rate)", cutoff, rate / 2);
    return error_hint(e, "try --cutoff %.4g", cutoff_example(rate));
}
