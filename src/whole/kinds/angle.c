/* An angle that moves on wraps more often than it makes half a turn in one step, and noise does not. A number
 * that does not move before the step, as a switch does, is no angle; nor are whole numbers radians. A column
 * with the name of a coordinate is an angle after several wraps that go on as the steps before, if other
 * large steps are rare: positions jump by any length. See angle.h. */
#include "whole/kinds/angle.h"

#define WHOLE_TURN 0.9  /* of the period: the least step that counts as a whole turn */
#define HALF_MOST  0.7  /* of the period: the largest step that counts as half a turn */
#define WRAP_SLACK 1e-2 /* of the period: by how much rounded and filtered angles may lie beyond the turn */
#define SAME_SPEED 3    /* times the step before: the largest step of a wrap that goes on at the same speed */

enum { SURE_WRAPS = 3 }; /* least wraps of a coordinate that is an angle, and for each other large step */

static const double periods[] = { ANGLE_DEGREES, ANGLE_RADIANS };

/* Do the numbers so far lie within one turn: from 0 to the period, or to half the period on both sides? */
static bool within_turn(const struct angle_watch *watch, double period)
{
    double slack = WRAP_SLACK * period;
    bool positive = watch->least >= -slack && watch->most <= period + slack;
    return positive || (watch->least >= -period / 2 - slack && watch->most <= period / 2 + slack);
}

/* The least step that shows anything, and the step that counts as half a turn. Numbers beyond a turn in
 * radians can only be degrees. */
static double least_leap(const struct angle_watch *watch)
{
    return ANGLE_LEAP * periods[within_turn(watch, periods[1]) ? 1 : 0];
}

/* Do the wraps so far show an angle of period k? */
static bool shows_angle(const struct angle_watch *watch, size_t k)
{
    const unsigned n = watch->nwrap[k], others = watch->nhalf[k];
    return watch->coordinate ? n >= SURE_WRAPS && n > SURE_WRAPS * others : n > others;
}

/* Is a step of nearly a whole turn a wrap? Without the turn, a coordinate goes on as in the step before. */
static bool is_wrap(const struct angle_watch *watch, double step, double period)
{
    const double on = fabs(fabs(step) - period), before = fabs(watch->step);
    if (watch->coordinate)
        return on <= SAME_SPEED * before && before < ANGLE_LEAP * period;
    return before > 0;
}

/* Takes a step of at least least_leap. Returns the period of the angle that wraps in this step, or 0. */
static double take_leap(struct angle_watch *watch, double step)
{
    double wraps = 0;
    for (size_t k = 0; k < 2; k++) {
        double part = fabs(step) / periods[k];
        bool whole = part > WHOLE_TURN && within_turn(watch, periods[k]) && is_wrap(watch, step, periods[k]);
        watch->nhalf[k] += part >= ANGLE_LEAP && (watch->coordinate ? !whole : part <= HALF_MOST);
        if (!whole || (k > 0 && !watch->fraction))
            continue;
        watch->nwrap[k]++;
        if (shows_angle(watch, k))
            wraps = periods[k];
    }
    return wraps;
}

double angle_watch_leap(struct angle_watch *watch, double x)
{
    if (!watch->known) {
        *watch = (struct angle_watch){
            .coordinate = watch->coordinate, .known = true, .before = x, .least = x, .most = x
        };
        return 0;
    }
    const double step = x - watch->before;
    double period = 0;
    watch->least = fmin(watch->least, x);
    watch->most = fmax(watch->most, x);
    if (fabs(step) >= least_leap(watch)) {
        watch->fraction = watch->fraction || x != floor(x) || watch->before != floor(watch->before);
        period = take_leap(watch, step);
    }
    watch->before = x;
    watch->step = step;
    return period;
}

double angle_watch_period(const struct angle_watch *watch)
{
    for (size_t k = 0; k < 2; k++)
        if (shows_angle(watch, k) && within_turn(watch, periods[k]))
            return periods[k];
    return 0;
}

bool angle_watch_is_over(const struct angle_watch *watch)
{
    return watch->known && !within_turn(watch, ANGLE_DEGREES);
}
