/* See row_rate.h. */
#include "rows/row_rate.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define HINT "give the rate with --rate HZ, or make the steps uniform with --resample HZ"

/* The value of one unit in the last digit of a time, in the unit of the times; 0 for a double without an
 * exact decimal. Times are taken to be printed with as many decimals as the longest time, or with as many
 * digits in all. */
static double last_digit(struct row_rate *rate, const struct timestamp *time)
{
    if (!time->decimal.exact || rate->unit.rate > 0) /* frames are whole numbers */
        return 0;
    int digits = 0;
    for (int64_t rest = time->decimal.digits; rest != 0; rest /= 10)
        digits++;
    int decimals = -time->decimal.exp10;
    rate->decimals = decimals > rate->decimals ? decimals : rate->decimals;
    rate->digits = digits > rate->digits ? digits : rate->digits;
    int by_digits = digits ? digits + time->decimal.exp10 - rate->digits : INT_MIN;
    return pow(10, by_digits > -rate->decimals ? by_digits : -rate->decimals);
}

bool row_rate_add(struct row_rate *rate, const struct timestamp *time, struct error *e)
{
    double digit = last_digit(rate, time);
    if (rate->nrow++ == 0) {
        rate->first = *time;
        rate->most = (double)INFINITY;
        return true;
    }
    double elapsed = timestamp_between(&rate->first, time, rate->unit), nstep = (double)(rate->nrow - 1);
    /* The last digit may be off by half a unit in both times; a double by as much as its precision. */
    double slack = (digit + 4 * DBL_EPSILON * fabs(time->t)) * time_unit_seconds(rate->unit);
    rate->least = fmax(rate->least, (elapsed - slack) / nstep);
    rate->most = fmin(rate->most, (elapsed + slack) / nstep);
    rate->last = elapsed;
    rate->step = rate->nrow == 2 ? elapsed : rate->step;
    rate->uneven = rate->uneven || fabs(elapsed - nstep * rate->step) > 1e-9 * elapsed;
    if (rate->least <= rate->most && rate->most > 0)
        return true;
    error_data(e, "audio needs a constant rate, but the time steps are uneven");
    return error_hint(e, HINT);
}

bool row_rate_find(const struct row_rate *rate, double *found, struct error *e)
{
    double nstep = (double)(rate->nrow - 1);
    double slowest = ceil(1 / rate->most), fastest = floor(1 / rate->least);
    double nearest = round(nstep / rate->last);
    bool fits = slowest <= fastest && nearest >= slowest && nearest <= fastest;
    bool only_one = slowest == fastest;
    bool exact = !rate->uneven && fabs(nearest * rate->last - nstep) <= 1e-9 * nstep;
    *found = nearest;
    if (rate->nrow < 2)
        error_data(e, "audio needs a row rate, but %s",
                   rate->nrow ? "the file has only one row" : "the file has no rows");
    else if (!fits || !(nearest >= 1 && nearest <= INT32_MAX))
        error_data(e, "audio needs a whole number of rows per second, not %.6g", nstep / rate->last);
    else if (!only_one && !exact)
        error_data(e, "the times have too few digits: the rate could be %.0f or %.0f rows per second",
                   slowest, fastest);
    else
        return true;
    return error_hint(e, HINT);
}
