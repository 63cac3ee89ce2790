/* Times as exact decimals, so that the time step between two rows is an exact difference that is rounded
 * once. 1700000000.004 - 1700000000.000 is 0.004; the difference of the doubles is 0.00399994850. */
#ifndef SPRUNG_NUMBER_TIMESTAMP_H
#define SPRUNG_NUMBER_TIMESTAMP_H

#include "number/number.h"

/* The time of a row: the double, and the exact decimal it was read from. */
struct timestamp {
    double t; /* in the unit of the input */
    struct number_decimal decimal;
};

/* b - a in seconds, where both are in units of 10^unit seconds (0, -3, -6 or -9). The difference of the
 * doubles where one of them is not exact. */
double timestamp_difference(const struct timestamp *a, const struct timestamp *b, int unit);

/* The time itself in seconds. */
double timestamp_seconds(const struct timestamp *s, int unit);

/* Prints the time as it was written, in its own unit, into buf (at least NUMBER_MAX bytes), without NUL;
 * returns the length. */
size_t timestamp_print(char *buf, const struct timestamp *s);

#endif
