/* Times, dates and times of day as exact decimals, so that the time step between two rows is rounded once:
 * 1700000000.004 - 1700000000.000 is 0.004, where the difference of the two doubles is 0.00399994850. */
#ifndef SPRUNG_NUMBER_TIMESTAMP_H
#define SPRUNG_NUMBER_TIMESTAMP_H

#include "number/number.h"

/* The time of a row, in the unit of the input. */
struct timestamp {
    double t;                      /* the nearest double */
    struct number_decimal decimal; /* the time as read */
};

/* A unit of 10^exp10 * multiple / rate seconds, a multiple or rate of 0 counts as 1; zeroes: seconds. */
struct time_unit {
    int exp10;    /* -3: milliseconds */
    double rate;  /* frames per second; 0: the unit is not a frame */
    int multiple; /* 60: minutes; 3600: hours; 0: neither */
};

/* The seconds of one unit. */
double time_unit_seconds(struct time_unit unit);

/* Seconds from a (NULL: 0) to b. Rounded once, for frames too, if a and b are exact; else the difference of
 * the doubles. */
double timestamp_between(const struct timestamp *a, const struct timestamp *b, struct time_unit unit);

/* As timestamp_between, for times of rows: with equally many decimals they need one division. Of a step back
 * in time only the sign is exact. */
static inline double timestamp_step(const struct timestamp *a, const struct timestamp *b,
                                    const struct time_unit *unit)
{
    const int64_t most = (int64_t)1 << 53; /* whole numbers up to it are exact in a double */
    const bool alike = a->decimal.exact && b->decimal.exact && a->decimal.exp10 == b->decimal.exp10;
    const int decimals = alike ? -b->decimal.exp10 - unit->exp10 : 0;
    const int64_t digits = alike ? b->decimal.digits - a->decimal.digits : most;
    const bool plain = digits < most && unit->multiple == 0 && !(unit->rate > 0);
    if (!plain || decimals < 0 || decimals > 22)
        return timestamp_between(a, b, *unit);
    return (double)digits / number_power_of_10[decimals];
}

/* Prints a time in the unit of the input, with the digits that were read, into buf (at least NUMBER_MAX
 * bytes) without NUL; returns the length. */
size_t timestamp_print(char *buf, const struct timestamp *time);

/* --- times that are no numbers --- */

enum timestamp_form {
    TIMESTAMP_NUMBER, /* a number, or a text of no other form */
    TIMESTAMP_DATE,   /* ISO 8601: 2026-11-22, 2026-11-22T05:08:56.123, 2026-11-22 05:08; also with slashes,
                         2026/11/22 05:08, and as ROS writes it, 2026/11/22/05:08:56.123. Z, UTC or an offset
                         from UTC may follow the time: +01:00, -0330, +01; without it the time is UTC */
    TIMESTAMP_MONTH_FIRST, /* 11/22/2026, 11/22/2026 5:08:56.123, 11/22/2026 5:08 PM */
    TIMESTAMP_DAY_FIRST,   /* 22/11/2026, 22.11.2026 5:08 */
    TIMESTAMP_CLOCK        /* time of day: 5:08:56.123, 5:08:56 PM */
};

/* Returns the form of text[n], if it is the given form (TIMESTAMP_NUMBER: any form), and sets *time to the
 * seconds since midnight (TIMESTAMP_CLOCK) or since 1970. For a number *time has no meaning. A date that can
 * have the month or the day first has the month first. */
enum timestamp_form timestamp_read(enum timestamp_form given, const char *text, size_t n,
                                   struct timestamp *time);

/* The forms of dates, for hints. */
#define TIMESTAMP_FORMS "2026-11-22 19:35:00, 22.11.2026 19:35:00 or 11/22/2026 7:35:00 PM"

/* Can a date have the day or the month first? AM or PM after it means the month. */
bool timestamp_is_unsure(const char *text, size_t n);

/* Reads text[n], which must have the form of the first row's text. Returns NULL, or what is wrong with the
 * text; numbers are always wrong. */
const char *timestamp_fault(enum timestamp_form form, const char *text, size_t n, struct timestamp *time);

/* Adds days to a time of day that is more than half a day less than the time of the row before. */
void timestamp_pass_midnight(struct timestamp *time, const struct timestamp *before);

#endif
