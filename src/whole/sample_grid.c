/* Points at even times. See sample_grid.h. */
#include "whole/sample_grid.h"

#include <math.h>
#include <stdio.h>

enum { DIGITS = 38 }; /* 10^38 fits into 128 bits */

static sample_grid_int power_of_10(int n)
{
    sample_grid_int x = 1;
    while (n-- > 0)
        x *= 10;
    return x;
}

/* a * 10^n; false where it does not fit. */
static bool shift(sample_grid_int a, int n, sample_grid_int *product)
{
    return n >= 0 && n <= DIGITS && !__builtin_mul_overflow(a, power_of_10(n), product);
}

/* *above / *below = a / b * 10^n; false where they do not fit. */
static bool ratio(sample_grid_int a, sample_grid_int b, int n, sample_grid_int *above, sample_grid_int *below)
{
    return shift(a, n > 0 ? n : 0, above) && shift(b, n < 0 ? -n : 0, below);
}

/* Factor and divisor, without a common one, for differences in units of 10^exp10. */
static void scale(struct sample_grid *g, int exp10)
{
    g->exp10 = exp10;
    g->fits = g->per.exact && g->rows.exact &&
              ratio(g->per.digits, g->rows.digits, exp10 + g->unit.exp10 + g->per.exp10 - g->rows.exp10,
                    &g->factor, &g->divisor);
    if (!g->fits)
        return;
    sample_grid_int a = g->factor, b = g->divisor;
    while (b) {
        sample_grid_int rest = a % b;
        a = b;
        b = rest;
    }
    g->factor /= a;
    g->divisor /= a;
}

/* The decimal that x is printed as. */
static struct number_decimal decimal(double x)
{
    char text[NUMBER_MAX];
    struct number_decimal d;
    number_read_decimal(text, text + number_print(text, x, &number_shortest), '.', &x, &d);
    return d;
}

/* numerator / divisor * 10^exp10, correctly rounded: by its digits, and one more for what follows them.
 * divisor < 10^20. */
static double divide(sample_grid_int numerator, sample_grid_int divisor, int exp10)
{
    const sample_grid_int ten18 = 1000000000000000000;
    char text[160], *p = text;
    bool negative = numerator < 0;
    numerator = negative ? -numerator : numerator;
    sample_grid_int whole = numerator / divisor, rest = numerator % divisor;
    p += sprintf(p, "%s%llu%018llu%018llu", negative ? "-" : "", (unsigned long long)(whole / ten18 / ten18),
                 (unsigned long long)(whole / ten18 % ten18), (unsigned long long)(whole % ten18));
    for (int i = 0; i < 2; i++) {
        p += sprintf(p, "%018llu", (unsigned long long)(rest * ten18 / divisor));
        rest = rest * ten18 % divisor;
    }
    p += sprintf(p, "%de%d", rest != 0, exp10 - 37);
    double x;
    number_read(text, p, '.', &x);
    return x;
}

/* The same, by one division of doubles where they hold both; false where the divisor is too large. */
static bool quotient(sample_grid_int numerator, sample_grid_int divisor, int exp10, double *x)
{
    static const sample_grid_int exact = (sample_grid_int)1 << 53;
    sample_grid_int above, below;
    if (ratio(numerator, divisor, exp10, &above, &below) && above < exact && above > -exact && below < exact)
        *x = (double)above / (double)below;
    else if (divisor < power_of_10(20))
        *x = divide(numerator, divisor, exp10);
    else
        return false;
    return true;
}

void sample_grid_make(struct sample_grid *g, double hz, struct time_unit unit)
{
    *g = (struct sample_grid){ .hz = hz, .unit = unit, .per = decimal(hz) };
    g->rows = decimal(unit.rate > 0 ? unit.rate : 1);
    scale(g, 0);
    if (!g->per.exact || !quotient(1, g->per.digits, -g->per.exp10, &g->step))
        g->step = 1 / hz;
}

/* b - a in units of 10^exp10, which is no coarser than theirs. */
static bool difference(const struct timestamp *a, const struct timestamp *b, int exp10,
                       sample_grid_int *units)
{
    sample_grid_int from, to;
    return shift(a->decimal.digits, a->decimal.exp10 - exp10, &from) &&
           shift(b->decimal.digits, b->decimal.exp10 - exp10, &to) &&
           !__builtin_sub_overflow(to, from, units);
}

struct sample_grid_step sample_grid_step(struct sample_grid *g, const struct timestamp *first,
                                         const struct timestamp *from, const struct timestamp *to)
{
    struct sample_grid_step s = { .unit = 1 };
    int exp10 = first->decimal.exp10;
    exp10 = from->decimal.exp10 < exp10 ? from->decimal.exp10 : exp10;
    exp10 = to->decimal.exp10 < exp10 ? to->decimal.exp10 : exp10;
    if (first->decimal.exact && from->decimal.exact && to->decimal.exact) {
        if (exp10 != g->exp10)
            scale(g, exp10);
        s.exact = g->fits && difference(first, from, exp10, &s.from) && difference(first, to, exp10, &s.to) &&
                  !__builtin_mul_overflow(s.from, g->factor, &s.from) &&
                  !__builtin_mul_overflow(s.to, g->factor, &s.to);
        s.unit = g->divisor;
    }
    if (s.exact)
        return s;
    s.start = g->hz * timestamp_between(first, from, g->unit);
    s.end = g->hz * timestamp_between(first, to, g->unit);
    return s;
}

bool sample_grid_last(const struct sample_grid_step *s, int64_t *point, bool *at)
{
    const int64_t most = INT64_MAX / 2;
    if (s->exact ? s->to / s->unit >= most : !(s->end < (double)most))
        return false;
    *point = s->exact ? (int64_t)(s->to / s->unit) : (int64_t)floor(s->end);
    *at = s->exact ? s->to % s->unit == 0 : (double)*point == s->end;
    return true;
}

double sample_grid_fraction(const struct sample_grid_step *s, int64_t point)
{
    double f = s->exact ? (double)(point * s->unit - s->from) / (double)(s->to - s->from)
                        : ((double)point - s->start) / (s->end - s->start);
    return f > 0 ? f < 1 ? f : 1 : 0;
}

double sample_grid_seconds(const struct sample_grid *g, const struct sample_grid_step *s, int64_t point,
                           bool to_end)
{
    if (!s->exact)
        return fmax(0, to_end ? s->end - (double)point : (double)point - s->start) / g->hz;
    sample_grid_int at = point * s->unit, parts = to_end ? s->to - at : at - s->from, divisor;
    double x;
    if (!__builtin_mul_overflow(s->unit, g->per.digits, &divisor) &&
        quotient(parts, divisor, -g->per.exp10, &x))
        return x;
    return (double)((long double)parts / (long double)s->unit / (long double)g->hz);
}

/* The time of a point rounded to as many decimals as the first has; not exact: it does not fit. */
static struct number_decimal decimal_time(const struct sample_grid *g, const struct timestamp *first,
                                          int64_t point)
{
    struct number_decimal d = first->decimal;
    int e = -g->unit.exp10 - g->per.exp10 - d.exp10;
    sample_grid_int above, below, time;
    d.exact = ratio(point, g->per.digits, e, &above, &below) &&
              !__builtin_add_overflow(above, below / 2, &above) &&
              !__builtin_add_overflow(above / below, (sample_grid_int)d.digits, &time) &&
              time > -NUMBER_EXACT && time < NUMBER_EXACT;
    d.digits = d.exact ? (int64_t)time : 0;
    return d;
}

struct timestamp sample_grid_time(const struct sample_grid *g, const struct timestamp *first, int64_t point)
{
    const struct number_decimal *t = &first->decimal, *per = &g->per;
    /* (first * per + point) / per, in units of 10^e. */
    int unit = -g->unit.exp10 - per->exp10, e = t->exp10 > unit ? unit : t->exp10;
    sample_grid_int numerator, points;
    struct timestamp time = { 0 };
    if (!(t->exact && per->exact && shift(t->digits, t->exp10 - e, &numerator) &&
          !__builtin_mul_overflow(numerator, per->digits, &numerator) && shift(point, unit - e, &points) &&
          !__builtin_add_overflow(numerator, points, &numerator) &&
          quotient(numerator, per->digits, e, &time.t)))
        time.t = (double)((long double)first->t +
                          (long double)point / (long double)g->hz * powl(10, -g->unit.exp10));
    /* Below 2^52 units doubles are closer than these. */
    if (g->unit.rate == 0 && per->exact && t->exact && fabs(time.t) >= 0x1p52 * pow(10, t->exp10))
        time.decimal = decimal_time(g, first, point);
    return time;
}
