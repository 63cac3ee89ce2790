/* Points at even times. See sample_grid.h. */
#include "whole/sample_grid.h"

#include "number/fast_read.h"
#include <float.h>
#include <math.h>

enum { MOST_EXP10 = 22 }; /* powers of ten up to 10^22 are exact */

/* x * 10^exp10. */
static long double scale(long double x, int exp10)
{
    return exp10 < 0 ? x / (long double)number_power_of_10[-exp10]
                     : x * (long double)number_power_of_10[exp10];
}

/* Seconds from the first row to another. */
static long double seconds_since(const struct sample_grid *grid, const struct timestamp *first,
                                 const struct timestamp *row)
{
    const struct number_decimal *from = &first->decimal, *to = &row->decimal;
    const struct time_unit unit = grid->unit;
    int exp10 = from->exp10 < to->exp10 ? from->exp10 : to->exp10;
    int most = from->exp10 > to->exp10 ? from->exp10 : to->exp10;
    if (!from->exact || !to->exact || exp10 + unit.exp10 < -MOST_EXP10 || most > 0)
        return (long double)timestamp_between(first, row, unit);
    long double units = scale((long double)to->digits, to->exp10 - exp10) -
                        scale((long double)from->digits, from->exp10 - exp10);
    long double seconds = scale(units, exp10 + unit.exp10) * (unit.multiple ? unit.multiple : 1);
    return unit.rate > 0 ? seconds / (long double)unit.rate : seconds;
}

long double sample_grid_position(const struct sample_grid *grid, const struct timestamp *first,
                                 const struct timestamp *row)
{
    long double position = (long double)grid->hz * seconds_since(grid, first, row);
    long double nearest = roundl(position);
    return fabsl(position - nearest) <= 4 * (long double)DBL_EPSILON * nearest ? nearest : position;
}

struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point)
{
    const struct number_decimal *decimal = &first->decimal;
    bool exact = decimal->exact && decimal->exp10 <= 0 && decimal->exp10 >= -MOST_EXP10;
    /* The decimal is taken and not the double, so that 0.1 and 0.2 add up to 0.3. */
    long double start = exact ? scale((long double)decimal->digits, decimal->exp10) : (long double)first->t;
    long double since = scale((long double)point / (long double)grid->hz, -grid->unit.exp10);
    struct timestamp time = { .t = (double)(start + since) };
    /* Below 2^52 units of the last digit, doubles lie closer than these units. */
    if (grid->unit.rate > 0 || !exact || fabs(time.t) < scale(0x1p52L, decimal->exp10))
        return time;
    long double digits = (long double)decimal->digits + roundl(scale(since, -decimal->exp10));
    if (digits < (long double)NUMBER_EXACT)
        time.decimal = (struct number_decimal){ (int64_t)digits, decimal->exp10, true };
    return time;
}
