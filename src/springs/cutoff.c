/* The speed with the gain of a cutoff. See cutoff.h. */
#include "springs/cutoff.h"

#include "number/number.h"
#include "springs/frequency_response.h"

#include <complex.h>
#include <math.h>

#define LEAST_OF_RATE 1e-5   /* lowest cutoff, by the row rate, that is met on rows */
#define MOST_FACTOR   0x1p12 /* greatest factor of the speed that is tried, and the inverse of the least */
#define MOST_STEP     M_LN2  /* between two trials, in the logarithm */
#define WITHIN        1e-14  /* the search ends where two trials are so near in the logarithm */

enum { MOST_TRIALS = 100 };

/* The gain of all passes over 1/sqrt 2 at the cutoff, as a logarithm; it grows with the speed. The settings
 * have no cutoff: their rates are those of the equation. A filter that is twice as fast does on rows T apart
 * what the filter does on rows 2 T apart. speed: the logarithm of a factor for the rates. */
static double excess(const void *settings, double cutoff, double T, double speed)
{
    const struct filter_common *common = settings;
    const double factor = exp(speed);
    struct frequency_response response;
    frequency_response_make(&response, common->filter, settings, T * factor);
    const double gain = cabs(frequency_response_at(&response, cutoff / factor));
    return (common->zero_phase ? 2 : 1) * log(gain) + M_LN2 / 2;
}

/* The factor for the rates of the equation: the excess is 0 there, found by secants. */
static double find_speed(const void *settings, double T)
{
    const double cutoff = ((const struct filter_common *)settings)->cutoff;
    if (!(cutoff * T > LEAST_OF_RATE && cutoff * T < CUTOFF_MOST_OF_RATE))
        return 1;
    struct filter_room room;
    struct filter_common *common = (void *)room.settings;
    memcpy(room.settings, settings, ((const struct filter_common *)settings)->filter->settings_size);
    common->cutoff = 0;
    double last = 0, last_excess = excess(common, cutoff, T, last), slope = 1;
    for (int i = 0; i < MOST_TRIALS && last_excess != 0; i++) {
        const double step = fmax(-MOST_STEP, fmin(MOST_STEP, -last_excess / slope));
        const double speed = last + step, here = excess(common, cutoff, T, speed);
        if (!(fabs(speed) < log(MOST_FACTOR)))
            return 1;
        if (here != last_excess)
            slope = fmax((here - last_excess) / step, 1. / MOST_TRIALS);
        last = speed;
        last_excess = here;
        if (fabs(step) < WITHIN)
            break;
    }
    return exp(last);
}

struct continuous cutoff_equation(const void *settings, double T)
{
    struct continuous equation = ((const struct filter_common *)settings)->equation;
    const double speed = find_speed(settings, T);
    equation.s *= speed * speed;
    equation.d *= speed;
    return equation;
}

bool cutoff_check(double cutoff, double rate, struct error *e)
{
    const double most = CUTOFF_MOST_OF_RATE * rate;
    if (!(cutoff > most * (1 + CUTOFF_RATE_ROUNDED)))
        return true;
    error_usage(e, "--cutoff %g is too high for %.6g rows per second: the maximum is %.6g Hz", cutoff, rate,
                most);
    return error_hint(e, "%stry --cutoff %.6g",
                      rate < 1 ? "for times in milliseconds: --time-unit ms; else " : "",
                      number_round(rate / 10, 1));
}
