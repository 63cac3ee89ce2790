/* A rate from times. */
#include "formats/audio/audio.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define HINT "give the rate with --rate HZ, or make the steps uniform with --resample HZ"

/* The value of one in the last digit of a time, in its unit. Times are taken to be printed with as many
 * decimals as the longest of them, or with as many digits in all; 0: a double without an exact decimal. */
static double last_digit(struct rate *r, const struct timestamp *time)
{
    int digits = 0;
    for (int64_t d = time->decimal.digits; d != 0; d /= 10)
        digits++;
    if (!time->decimal.exact || r->unit.rate > 0) /* frames are whole numbers */
        return 0;
    r->decimals = -time->decimal.exp10 > r->decimals ? -time->decimal.exp10 : r->decimals;
    r->digits = digits > r->digits ? digits : r->digits;
    int whole = digits ? digits + time->decimal.exp10 - r->digits : INT_MIN;
    return pow(10, whole > -r->decimals ? whole : -r->decimals);
}

bool rate_add(struct rate *r, const struct timestamp *time, struct error *e)
{
    double digit = last_digit(r, time);
    if (r->n++ == 0) {
        r->first = *time;
        r->most = (double)INFINITY;
        return true;
    }
    /* The last digit may be off by half a unit at both ends; a double by as much as it cannot hold. */
    double elapsed = timestamp_between(&r->first, time, r->unit), n = (double)(r->n - 1);
    double slack = (digit + 4 * DBL_EPSILON * fabs(time->t)) * pow(10, r->unit.exp10);
    r->least = fmax(r->least, (elapsed - slack) / n);
    r->most = fmin(r->most, (elapsed + slack) / n);
    r->last = elapsed;
    r->step = n == 1 ? elapsed : r->step;
    r->uneven = r->uneven || fabs(elapsed - n * r->step) > 1e-9 * elapsed;
    if (r->least <= r->most && r->most > 0)
        return true;
    error_data(e, "the steps of time are not uniform, and audio needs a rate");
    return error_hint(e, HINT);
}

bool rate_find(const struct rate *r, double *rate, struct error *e)
{
    double steps = (double)(r->n - 1), slowest = ceil(1 / r->most), fastest = floor(1 / r->least);
    *rate = round(steps / r->last);
    if (r->n < 2)
        error_data(e, "%s not tell the rate that audio needs", r->n ? "one row does" : "no rows do");
    else if (!(slowest <= fastest) || !(*rate >= slowest && *rate <= fastest) ||
             !(*rate >= 1 && *rate <= INT32_MAX))
        error_data(e, "%.6g rows per second; audio needs a whole number", steps / r->last);
    else if (slowest < fastest && (r->uneven || fabs(*rate * r->last - steps) > 1e-9 * steps))
        error_data(e, "the times do not tell whether there are %.0f or %.0f rows per second", slowest,
                   fastest);
    else
        return true;
    return error_hint(e, HINT);
}
