/* Points at even times. See sample_grid.h. */
#include "whole/sample_grid.h"

#include "number/fast_read.h"
#include "number/pair.h"

#include <float.h>
#include <math.h>

enum { MOST_EXP10 = 22 }; /* powers of ten up to 10^22 are exact */

double sample_grid_position(const struct sample_grid *grid, const struct timestamp *first,
                            const struct timestamp *row)
{
    double position = grid->hz * timestamp_between(first, row, grid->unit), nearest = round(position);
    return fabs(position - nearest) <= 4 * DBL_EPSILON * nearest ? nearest : position;
}

/* x * 10^exp10. */
static struct pair scale(struct pair x, int exp10)
{
    return exp10 < 0 ? pair_quotient(x, pair_of(number_power_of_10[-exp10]))
                     : pair_product(x, pair_of(number_power_of_10[exp10]));
}

/* The nearest whole number. |x| < 2^63. */
static int64_t nearest_integer(struct pair x)
{
    double whole = round(x.high);
    return (int64_t)whole + (int64_t)round((x.high - whole) + x.low);
}

struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point)
{
    const struct number_decimal *decimal = &first->decimal;
    bool exact = decimal->exact && decimal->exp10 <= 0 && decimal->exp10 >= -MOST_EXP10;
    /* The decimal is taken and not the double, so that 0.1 and 0.2 add up to 0.3. */
    struct pair start = exact ? scale(pair_of_integer(decimal->digits), decimal->exp10) : pair_of(first->t);
    struct pair since = scale(pair_quotient(pair_of_integer(point), pair_of(grid->hz)), -grid->unit.exp10);
    struct timestamp time = { .t = pair_total(start, since).high };
    /* Below 2^52 units of the last digit, doubles lie closer than these units. */
    if (grid->unit.rate > 0 || !exact || fabs(time.t) < scale(pair_of(0x1p52), decimal->exp10).high)
        return time;
    struct pair units = scale(since, -decimal->exp10);
    if (units.high + (double)decimal->digits < (double)NUMBER_EXACT)
        time.decimal = (struct number_decimal){ decimal->digits + nearest_integer(units), decimal->exp10,
                                                true };
    return time;
}
