/* A rate from times: rows per second, where every row stands at the first time + n / rate to within the
 * rounding of the decimals it was printed with. */
#ifndef SPRUNG_AUDIO_RATE_H
#define SPRUNG_AUDIO_RATE_H

#include "base/error.h"
#include "number/timestamp.h"

struct rate {   /* zeroes: no row was seen; then set unit */
    int unit;   /* times are in units of 10^unit seconds */
    uint64_t n; /* rows seen */
    struct timestamp first;
    int decimals, digits; /* most decimals, and most digits, that a time has */
    double last;          /* seconds from the first to the last row */
    double step;          /* seconds from the first to the second */
    bool uneven;          /* not all rows are multiples of that step */
    double least, most;   /* seconds that a step can have */
};

/* One more row. false: there is no step that fits this row and those before it. */
bool rate_add(struct rate *r, const struct timestamp *stamp, struct error *e);

/* The whole number of rows per second that fits all rows, or what stands in its way. */
bool rate_find(const struct rate *r, double *rate, struct error *e);

#endif
