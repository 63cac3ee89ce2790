/* Times, dates and times of day as exact decimals, so that the step between two rows is rounded once:
 * 1700000000.004 - 1700000000.000 is 0.004; the difference of the doubles is 0.00399994850. */
#ifndef SPRUNG_NUMBER_TIMESTAMP_H
#define SPRUNG_NUMBER_TIMESTAMP_H

#include "number/number.h"

/* The time of a row: the double, and the exact decimal it was read from. */
struct timestamp {
    double t; /* in the unit of the input */
    struct number_decimal decimal;
};

/* The unit of a time. Zeroes: seconds. */
struct time_unit {
    int exp10;    /* powers of ten in the seconds of a unit */
    double rate;  /* units per second, where frames are counted; 0: they are not */
    int multiple; /* 60: minutes; 3600: hours; 0: neither */
};

/* The seconds of one unit. */
double time_unit_seconds(struct time_unit unit);

/* Seconds from a (NULL: 0) to b, rounded once, also from one whole number of frames to another; by the
 * doubles where one of the two is not exact. */
double timestamp_between(const struct timestamp *a, const struct timestamp *b, struct time_unit unit);

/* Prints the time as it was written, in its own unit, into buf (at least NUMBER_MAX bytes), without NUL;
 * returns the length. */
size_t timestamp_print(char *buf, const struct timestamp *s);

/* --- times that are no numbers --- */

enum timestamp_form {
    TIMESTAMP_NUMBER, /* or any other text */
    TIMESTAMP_DATE,   /* ISO 8601: 2026-11-22, 2026-11-22T05:08:56.123, 2026-11-22 05:08 */
    TIMESTAMP_ZONED,  /* with Z, UTC or an offset from it after the time: +01:00, -0330, +01 */
    TIMESTAMP_CLOCK,  /* 5:08:56.123 */
    TIMESTAMP_CODE    /* SMPTE time code, 01:02:03:04 or 01:02:03;04: it does not tell its rate */
};

/* The form of a whole text. Sets *s to the seconds since midnight, or since 1970 in UTC; a date without zone
 * counts as UTC. */
enum timestamp_form timestamp_read(const char *text, size_t n, struct timestamp *s);

/* Reads a text of that form, as the first row has it. Returns what is wrong with it, as with any number and
 * time code, or NULL. */
const char *timestamp_fault(enum timestamp_form form, const char *text, size_t n, struct timestamp *s);

/* Adds days to a time of day that is more than half a day less than the time before it. */
void timestamp_pass_midnight(struct timestamp *s, const struct timestamp *before);

#endif
