/* Points at even times. See sample_grid.h. */
#include "whole/sample_grid.h"

#include "number/fast_read.h"

#include <float.h>
#include <math.h>

enum { MOST_EXP10 = 22 }; /* powers of ten up to 10^22 are exact */

double sample_grid_at(double hz, double t)
{
    const double position = hz * t, nearest = round(position);
    return fabs(position - nearest) <= 4 * DBL_EPSILON * nearest ? nearest : position;
}

double sample_grid_position(const struct sample_grid *grid, const struct timestamp *first,
                            const struct timestamp *row)
{
    return sample_grid_at(grid->hz, timestamp_between(first, row, grid->unit));
}

/* x * 10^-exp10 */
static double in_unit(double x, int exp10)
{
    return exp10 < 0 ? x * number_power_of_10[-exp10] : x / number_power_of_10[exp10];
}

struct timestamp sample_grid_time(const struct sample_grid *grid, const struct timestamp *first,
                                  int64_t point)
{
    const struct number_decimal *decimal = &first->decimal;
    const double since = in_unit((double)point, grid->unit.exp10) / grid->hz;
    if (!decimal->exact || decimal->exp10 > 0 || decimal->exp10 < -MOST_EXP10)
        return (struct timestamp){ .t = first->t + since };
    /* The decimal is taken and not the double, so that 0.1 and 0.2 add up to 0.3. */
    const double scale = number_power_of_10[-decimal->exp10];
    const double units = in_unit((double)point * scale, grid->unit.exp10) / grid->hz;
    struct timestamp time = { .t = decimal->digits == 0 ? since : ((double)decimal->digits + units) / scale };
    /* Below 2^52 units of the last digit, doubles lie closer than these units. */
    if (grid->unit.rate > 0 || fabs(time.t) < 0x1p52 / scale)
        return time;
    if (units + (double)decimal->digits < (double)NUMBER_EXACT)
        time.decimal = (struct number_decimal){ decimal->digits + llround(units), decimal->exp10, true };
    return time;
}
