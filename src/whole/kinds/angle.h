/* Is a column of numbers an angle: do its numbers stay within a turn, and do steps go from one end of the
 * turn to the other? */
#ifndef SPRUNG_WHOLE_KINDS_ANGLE_H
#define SPRUNG_WHOLE_KINDS_ANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define ANGLE_DEGREES 360.0
#define ANGLE_RADIANS 6.283185307179586

/* The period of the angle that n numbers are; 0: they are none. begins: [n] a series begins with the number.
 * rests: a number that rests before a wrap, as a switch does, may be an angle. */
double angle_period(const double *x, const bool *begins, size_t n, bool rests);

#endif
