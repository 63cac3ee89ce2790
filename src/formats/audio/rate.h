/* A rate from times: rows per second. Row n is at the first time + n / rate, to within the rounding of the
 * decimals it was printed with. */
#ifndef SPRUNG_AUDIO_RATE_H
#define SPRUNG_AUDIO_RATE_H

#include "base/error.h"
#include "number/timestamp.h"

struct rate {   /* all zero at first, except unit */
    int unit;   /* times are in units of 10^unit seconds */
    uint64_t n; /* rows seen */
    struct timestamp first;
    int decimals, digits; /* most decimals, and most digits, that a time has */
    double last;          /* seconds from the first to the last row */
    double step;          /* seconds from the first to the second */
    bool uneven;          /* some row is no multiple of that step after the first */
    double least, most;   /* seconds that a step can have */
};

/* Adds a row. An error if no step fits it and the rows before. */
bool rate_add(struct rate *r, const struct timestamp *stamp, struct error *e);

/* Finds the whole number of rows per second that fits all rows, or an error. */
bool rate_find(const struct rate *r, double *rate, struct error *e);

#endif
