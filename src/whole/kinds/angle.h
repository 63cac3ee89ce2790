/* Is a column of numbers an angle: do its numbers stay within a turn, and does a step go from one end of the
 * turn to the other? The numbers are taken in order, so that the angle of a stream is recognized at the row
 * that wraps. */
#ifndef SPRUNG_WHOLE_KINDS_ANGLE_H
#define SPRUNG_WHOLE_KINDS_ANGLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define ANGLE_DEGREES 360.0
#define ANGLE_RADIANS 6.283185307179586
#define ANGLE_LEAP    0.3 /* part of the period: the least step that shows anything */

/* The numbers of a series so far. Zeroed before the first number, except `coordinate`. */
struct angle_watch {
    bool coordinate;    /* the name is that of a coordinate: a few wraps may be jumps of a position */
    bool known;         /* there has been a number */
    double before;      /* the last number */
    double step;        /* the last step between two numbers */
    double least, most; /* of all numbers */
    unsigned nwrap[2];  /* steps of nearly a whole turn, in degrees and in radians */
    unsigned nhalf[2];  /* steps of about half a turn; of a coordinate, all other large steps */
    bool fraction;      /* a number beside a large step was no whole number */
};

/* Used by angle_watch_take alone: takes the first number, or one whose step from the number before may show
 * something. */
double angle_watch_leap(struct angle_watch *watch, double x);

/* Takes the next number; NaN is passed over. Returns the period, if the numbers so far are an angle that
 * wraps in this step; else 0. */
static inline double angle_watch_take(struct angle_watch *watch, double x)
{
    const double step = x - watch->before;
    const double least = x < watch->least ? x : watch->least;
    const double most = x > watch->most ? x : watch->most;
    const double turn = most - least > 1.03 * ANGLE_RADIANS ? ANGLE_DEGREES : ANGLE_RADIANS;
    if (isnan(x))
        return 0;
    if (!watch->known || fabs(step) >= ANGLE_LEAP * turn)
        return angle_watch_leap(watch, x);
    watch->least = least;
    watch->most = most;
    watch->before = x;
    watch->step = step;
    return 0;
}

/* The period of the angle that the numbers so far are; 0: they are not an angle. */
double angle_watch_period(const struct angle_watch *watch);

/* Do the numbers so far lie beyond any turn? If they do, further numbers cannot make them an angle. */
bool angle_watch_is_over(const struct angle_watch *watch);

#endif
