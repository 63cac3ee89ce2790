/* A root of the gain over the speed. See cutoff.h. */
#include "springs/cutoff.h"

#include "springs/frequency_response.h"

#include <complex.h>
#include <math.h>

#define LEAST_OF_RATE 1e-5   /* lowest cutoff, by the row rate, that is met on rows */
#define SLOWEST       0x1p-6 /* least factor that is tried */
#define FASTEST       0x1p12 /* greatest factor that is tried */
#define WITHIN        1e-14  /* the search ends where both ends are so near in the logarithm */

enum { MOST_TRIALS = 100 };

/* The gain as a function of the speed: a filter that is twice as fast does on rows T apart what the filter
 * does on rows 2 T apart. */
struct search {
    const struct filter *filter;
    const void *settings; /* without a cutoff: the rates are those of the equation */
    double cutoff, T;
};

/* The gain of all passes over 1/sqrt 2 at the cutoff, as a logarithm. speed: a factor for the rates. */
static double excess(const struct search *search, double speed)
{
    struct frequency_response response;
    frequency_response_make(&response, search->filter, search->settings, search->T * speed);
    const double gain = cabs(frequency_response_at(&response, search->cutoff / speed));
    const struct filter_common *common = search->settings;
    return (common->zero_phase ? 2 : 1) * log(gain) + M_LN2 / 2;
}

/* The speed at which the excess is 0. x: the logarithms of two speeds, at which the excess has opposite
 * signs; at[i]: the excess at x[i]. By regula falsi, where the excess at an end that stays is halved (the
 * Illinois method). */
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

/* The factor for the rates of the equation. */
static double find_speed(const void *settings, double T)
{
    const struct filter_common *common = settings;
    const double part = common->cutoff * T;
    if (!(part > LEAST_OF_RATE && part < CUTOFF_MOST_OF_RATE))
        return 1;
    struct filter_room room;
    memcpy(room.settings, settings, common->filter->settings_size);
    ((struct filter_common *)(void *)room.settings)->cutoff = 0;
    struct search search = { common->filter, room.settings, common->cutoff, T };
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

struct continuous cutoff_equation(const void *settings, double T)
{
    struct continuous equation = ((const struct filter_common *)settings)->equation;
    const double speed = find_speed(settings, T);
    equation.s *= speed * speed;
    equation.d *= speed;
    return equation;
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
