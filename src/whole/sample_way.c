/* Ways between samples. See sample_way.h. */
#include "whole/sample_way.h"

#include "springs/rotations/rotation.h"

double sample_between(double a, double b, double fraction, double period)
{
    double way = b - a;
    if (period > 0)
        way -= period * angle_turns(way, period);
    if (!isfinite(way)) /* the difference overflows, or a sample is missing */
        return a * (1 - fraction) + b * fraction;
    return fraction < 0.5 ? a + way * fraction : b - way * (1 - fraction);
}
