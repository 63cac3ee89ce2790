/* Is a column of numbers an angle: do its numbers stay within a turn, and do steps go from one end of the
 * turn to the other? */
#ifndef SPRUNG_WHOLE_KINDS_ANGLE_H
#define SPRUNG_WHOLE_KINDS_ANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define ANGLE_RADIANS 6.283185307179586

/* The numbers of a column so far. Zero-initialize, but for `moves`. */
struct angle_watch {
    bool moves; /* a number that rests before a wrap, as a switch, is no angle; takes all numbers at once */
    bool any;
    double least, most;
    double last, before;        /* the last number, and the length of the step to it */
    bool fraction;              /* a number next to a wrap in radians is not whole */
    size_t nwrap[2], nother[2]; /* wraps, and other large steps, in turns of each period */
};

/* Takes n more numbers. begins: [n] a series begins with the number; NULL: none does. Returns the period of
 * the angle that the numbers are; 0: they are none. */
double angle_watch(struct angle_watch *watch, const double *x, const bool *begins, size_t n);

#endif
