/* Missing values: what is done about them, and which gaps are too long for it. */
#ifndef SPRUNG_SERIES_GAPS_H
#define SPRUNG_SERIES_GAPS_H

#include "base/param.h"
#include "number/timestamp.h"

/* Of a gap that linear and cubic leave, they do what restart does: these three are the last ones that may
 * meet a gap. */
enum gaps { GAPS_KEEP, GAPS_FILL, GAPS_LINEAR, GAPS_CUBIC, GAPS_RESTART, GAPS_ERROR };

/* --max-gap. Zeroed: no limit. */
struct gap_limit {
    enum { GAP_UNLIMITED, GAP_SECONDS, GAP_ROWS } kind;
    double most;
};
extern const struct param_type gap_limit_type;

/* Is a gap longer than the limit: nrow rows without a value, between valid samples at a and b? Exact for
 * times that are; times that are rounded do not make a gap longer by their rounding. */
bool gap_exceeds(const struct gap_limit *limit, uint64_t nrow, const struct timestamp *a,
                 const struct timestamp *b, struct time_unit unit);

#endif
