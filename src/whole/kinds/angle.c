/* An angle that moves on has more wraps than other large steps, and noise has not. A number that rests before
 * the step may be a switch. Whole numbers are no radians. See angle.h. */
#include "whole/kinds/angle.h"

#include <math.h>

/* Parts of the period. */
#define LARGE_STEP 0.3  /* the least step that shows anything */
#define WHOLE_TURN 0.9  /* the least step that counts as a wrap */
#define WRAP_SLACK 1e-2 /* by how much rounded and filtered angles may lie beyond the turn */

/* Do numbers lie within one turn: from 0 to the period, or to half the period on both sides? */
static bool within_turn(const double *x, size_t n, double period)
{
    const double slack = WRAP_SLACK * period;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    const bool positive = least >= -slack && most <= period + slack;
    return positive || (least >= -period / 2 - slack && most <= period / 2 + slack);
}

static bool is_angle(const double *x, const bool *begins, size_t n, bool rests, double period)
{
    size_t nwrap = 0, nother = 0;
    double number = NAN, before = 0; /* the number before, and the length of the step to it */
    bool fraction = false;           /* a number next to a wrap is not whole */
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        const double step = begins[i] || isnan(number) ? 0 : x[i] - number, part = fabs(step) / period;
        if (part > WHOLE_TURN && (rests || before > 0)) {
            nwrap++;
            fraction = fraction || x[i] != floor(x[i]) || number != floor(number);
        } else {
            nother += part >= LARGE_STEP && part <= WHOLE_TURN;
        }
        number = x[i];
        before = fabs(step);
    }
    if (period == ANGLE_RADIANS && !fraction)
        return false;
    return nwrap > nother;
}

double angle_period(const double *x, const bool *begins, size_t n, bool rests)
{
    static const double periods[] = { ANGLE_DEGREES, ANGLE_RADIANS };
    for (size_t k = 0; k < 2; k++)
        if (within_turn(x, n, periods[k]) && is_angle(x, begins, n, rests, periods[k]))
            return periods[k];
    return 0;
}
