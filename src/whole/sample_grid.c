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

/* Sets *product to a * 10^n; false where the product does not fit. */
static bool shift_decimal(sample_grid_int a, int n, sample_grid_int *product)
{
    return n >= 0 && n <= DIGITS && !__builtin_mul_overflow(a, power_of_10(n), product);
}

/* Sets *above / *below = a / b * 10^n; false where the integers do not fit. */
static bool scale_ratio(sample_grid_int a, sample_grid_int b, int n, sample_grid_int *above,
                        sample_grid_int *below)
{
    if (n < 0)
        return shift_decimal(a, 0, above) && shift_decimal(b, -n, below);
    return shift_decimal(a, n, above) && shift_decimal(b, 0, below);
}

/* Sets factor and divisor, without a common factor, for differences in units of 10^exp10. */
static void set_factor(struct sample_grid *grid, int exp10)
{
    grid->exp10 = exp10;
    grid->fits = grid->per.exact && grid->rows.exact &&
                 scale_ratio(grid->per.digits, grid->rows.digits,
                             exp10 + grid->unit.exp10 + grid->per.exp10 - grid->rows.exp10, &grid->factor,
                             &grid->divisor);
    if (!grid->fits)
        return;
    sample_grid_int a = grid->factor, b = grid->divisor;
    while (b) {
        sample_grid_int rest = a % b;
        a = b;
        b = rest;
    }
    grid->factor /= a;
    grid->divisor /= a;
}

/* The decimal as which x is printed. */
static struct number_decimal printed_decimal(double x)
{
    char text[NUMBER_MAX];
    struct number_decimal decimal;
    number_read_decimal(text, text + number_print(text, x, &number_shortest), '.', &x, &decimal);
    return decimal;
}

/* numerator / divisor * 10^exp10, correctly rounded: the quotient is written as digits, with a last digit 1
 * where a remainder is left, and read as a number. divisor < 10^20. */
static double divide_digits(sample_grid_int numerator, sample_grid_int divisor, int exp10)
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

/* Sets *x to numerator / divisor * 10^exp10, correctly rounded: by a division of doubles where doubles hold
 * both integers. False: the divisor is too large. */
static bool divide_rounded(sample_grid_int numerator, sample_grid_int divisor, int exp10, double *x)
{
    static const sample_grid_int exact = (sample_grid_int)1 << 53;
    sample_grid_int above, below;
    if (scale_ratio(numerator, divisor, exp10, &above, &below) && above < exact && above > -exact &&
        below < exact)
        *x = (double)above / (double)below;
    else if (divisor < power_of_10(20))
        *x = divide_digits(numerator, divisor, exp10);
    else
        return false;
    return true;
}

void sample_grid_make(struct sample_grid *grid, double hz, struct time_unit unit)
{
    *grid = (struct sample_grid){ .hz = hz, .unit = unit, .per = printed_decimal(hz) };
    grid->rows = printed_decimal(unit.rate > 0 ? unit.rate : 1);
    set_factor(grid, 0);
    if (!grid->per.exact || !divide_rounded(1, grid->per.digits, -grid->per.exp10, &grid->step))
        grid->step = 1 / hz;
}

/* Sets *units to b - a in units of 10^exp10, which is no coarser than the units of a and b. False: the
 * difference does not fit. */
static bool find_difference(const struct timestamp *a, const struct timestamp *b, int exp10,
                            sample_grid_int *units)
{
    sample_grid_int from, to;
    return shift_decimal(a->decimal.digits, a->decimal.exp10 - exp10, &from) &&
           shift_decimal(b->decimal.digits, b->decimal.exp10 - exp10, &to) &&
           !__builtin_sub_overflow(to, from, units);
}

struct sample_grid_step sample_grid_step(struct sample_grid *grid, const struct timestamp *first,
                                         const struct timestamp *from, const struct timestamp *to)
{
    struct sample_grid_step step = { .unit = 1 };
    int exp10 = first->decimal.exp10;
    exp10 = from->decimal.exp10 < exp10 ? from->decimal.exp10 : exp10;
    exp10 = to->decimal.exp10 < exp10 ? to->decimal.exp10 : exp10;
    if (first->decimal.exact && from->decimal.exact && to->decimal.exact) {
        if (exp10 != grid->exp10)
            set_factor(grid, exp10);
        step.exact = grid->fits && find_difference(first, from, exp10, &step.from) &&
                     find_difference(first, to, exp10, &step.to) &&
                     !__builtin_mul_overflow(step.from, grid->factor, &step.from) &&
                     !__builtin_mul_overflow(step.to, grid->factor, &step.to);
        step.unit = grid->divisor;
    }
    if (step.exact)
        return step;
    step.start = grid->hz * timestamp_between(first, from, grid->unit);
    step.end = grid->hz * timestamp_between(first, to, grid->unit);
    return step;
}

bool sample_grid_last(const struct sample_grid_step *step, int64_t *point, bool *at)
{
    const int64_t most = INT64_MAX / 2;
    if (step->exact ? step->to / step->unit >= most : !(step->end < (double)most))
        return false;
    *point = step->exact ? (int64_t)(step->to / step->unit) : (int64_t)floor(step->end);
    *at = step->exact ? step->to % step->unit == 0 : (double)*point == step->end;
    return true;
}

double sample_grid_fraction(const struct sample_grid_step *step, int64_t point)
{
    double fraction = step->exact
                          ? (double)(point * step->unit - step->from) / (double)(step->to - step->from)
                          : ((double)point - step->start) / (step->end - step->start);
    if (!(fraction > 0))
        return 0;
    return fraction < 1 ? fraction : 1;
}

double sample_grid_seconds(const struct sample_grid *grid, const struct sample_grid_step *step, int64_t point,
                           bool to_end)
{
    if (!step->exact)
        return fmax(0, to_end ? step->end - (double)point : (double)point - step->start) / grid->hz;
    sample_grid_int at = point * step->unit, parts = to_end ? step->to - at : at - step->from, divisor;
    double x;
    if (!__builtin_mul_overflow(step->unit, grid->per.digits, &divisor) &&
        divide_rounded(parts, divisor, -grid->per.exp10, &x))
        return x;
    return (double)((long double)parts / (long double)step->unit / (long double)grid->hz);
}

/* The time of a point rounded to as many decimals as `first` has; not exact where the digits do not fit. */
static struct number_decimal decimal_time(const struct sample_grid *grid, const struct timestamp *first,
                                          int64_t point)
{
    struct number_decimal decimal = first->decimal;
    int e = -grid->unit.exp10 - grid->per.exp10 - decimal.exp10;
    sample_grid_int above, below, time;
    decimal.exact = scale_ratio(point, grid->per.digits, e, &above, &below) &&
                    !__builtin_add_overflow(above, below / 2, &above) &&
                    !__builtin_add_overflow(above / below, (sample_grid_int)decimal.digits, &time) &&
                    time > -NUMBER_EXACT && time < NUMBER_EXACT;
    decimal.digits = decimal.exact ? (int64_t)time : 0;
    return decimal;
}

struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point)
{
    const struct number_decimal *decimal = &first->decimal, *per = &grid->per;
    /* (first * per + point) / per, in units of 10^e. */
    int unit = -grid->unit.exp10 - per->exp10, e = decimal->exp10 > unit ? unit : decimal->exp10;
    sample_grid_int numerator, points;
    struct timestamp time = { 0 };
    if (!(decimal->exact && per->exact && shift_decimal(decimal->digits, decimal->exp10 - e, &numerator) &&
          !__builtin_mul_overflow(numerator, per->digits, &numerator) &&
          shift_decimal(point, unit - e, &points) && !__builtin_add_overflow(numerator, points, &numerator) &&
          divide_rounded(numerator, per->digits, e, &time.t)))
        time.t = (double)((long double)first->t +
                          (long double)point / (long double)grid->hz * powl(10, -grid->unit.exp10));
    /* Below 2^52 units doubles lie closer than the units, and no decimal is needed. */
    if (grid->unit.rate == 0 && per->exact && decimal->exact &&
        fabs(time.t) >= 0x1p52 * pow(10, decimal->exp10))
        time.decimal = decimal_time(grid, first, point);
    return time;
}
