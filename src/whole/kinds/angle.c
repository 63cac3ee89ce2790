/* An angle that moves on has more wraps than other large steps, and noise has not. A number that rests before
 * the step may be a switch. Whole numbers are no radians. See angle.h. */
#include "whole/kinds/angle.h"

#include <math.h>

/* Parts of the period. */
#define LARGE_STEP 0.3  /* the least step that shows anything */
#define WHOLE_TURN 0.9  /* the least step that counts as a wrap */
#define WRAP_SLACK 1e-2 /* by how much rounded and filtered angles may lie beyond the turn */

static const double periods[] = { 360, ANGLE_RADIANS };

/* Do the numbers lie within one turn: from 0 to the period, or to half the period on both sides? */
static bool within_turn(const struct angle_watch *watch, double period)
{
    const double slack = WRAP_SLACK * period;
    const bool positive = watch->least >= -slack && watch->most <= period + slack;
    return positive || (watch->least >= -period / 2 - slack && watch->most <= period / 2 + slack);
}

/* The least step that shows anything of numbers in the range so far. */
static double least_step(const struct angle_watch *watch)
{
    if (within_turn(watch, ANGLE_RADIANS))
        return LARGE_STEP * ANGLE_RADIANS;
    return within_turn(watch, 360) ? LARGE_STEP * 360 : (double)INFINITY;
}

static inline void take(struct angle_watch *watch, double x, bool begins, double large)
{
    const double step = watch->any && !begins ? fabs(x - watch->last) : 0;
    for (size_t k = 0; k < 2 && step >= large; k++) {
        const double part = step / periods[k];
        const bool wraps = part > WHOLE_TURN && (watch->before > 0 || !watch->moves);
        watch->nwrap[k] += wraps;
        watch->nother[k] += part >= LARGE_STEP && part <= WHOLE_TURN;
        watch->fraction |= wraps && periods[k] == ANGLE_RADIANS &&
                           (x != floor(x) || watch->last != floor(watch->last));
    }
    watch->any = true;
    watch->last = x;
    watch->before = step;
}

double angle_watch(struct angle_watch *watch, const double *x, const bool *begins, size_t n)
{
    double least = watch->any ? watch->least : (double)INFINITY;
    double most = watch->any ? watch->most : -(double)INFINITY;
    for (size_t i = 0; i < n; i++) { /* NaN is neither less nor more */
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    watch->least = least;
    watch->most = most;
    const double large = least_step(watch);
    size_t i = n > 0 && most - least < large ? n - 1
                                             : 0; /* no step shows anything: the last number will do */
    while (i > 0 && isnan(x[i]))
        i--;
    for (; i < n; i++)
        if (!isnan(x[i]))
            take(watch, x[i], begins && begins[i], large);
    for (size_t k = 0; k < 2; k++)
        if (watch->nwrap[k] > watch->nother[k] && within_turn(watch, periods[k]) &&
            (periods[k] != ANGLE_RADIANS || watch->fraction))
            return periods[k];
    return 0;
}
