/* The options --gaps, --max-gap and --start. */
#ifndef SPRUNG_SERIES_GAP_OPTIONS_H
#define SPRUNG_SERIES_GAP_OPTIONS_H

#include "springs/filter.h"

enum gaps {
    GAPS_KEEP,    /* a gap stays one; the filter coasts */
    GAPS_FILL,    /* likewise, and the filter's results in a gap are printed */
    GAPS_LINEAR,  /* before the filter, samples on a line replace a gap that is not too long */
    GAPS_RESTART, /* the next value begins another run of the filter */
};

extern const char *const gap_names[]; /* by enum gaps; ends with NULL */

/* Does a gap that reaches the filter end the filter's run, however short it is? */
static inline bool gap_ends_run(int gaps)
{
    return gaps == GAPS_LINEAR || gaps == GAPS_RESTART;
}

/* --max-gap. Zeroed: no limit. */
struct gap_limit {
    enum { GAP_UNLIMITED, GAP_SECONDS, GAP_ROWS } kind;
    double most;
};
extern const struct param_type gap_limit_type;

/* "first", "zero" or a number: the type of the option --start, a struct start_position. */
extern const struct param_type series_start_type;

/* How rows become a series, as the command line says. */
struct series_settings {
    int gaps; /* enum gaps */
    struct gap_limit max_gap;
    struct start_position start;
};

/* Is a gap longer than the limit, where it has nrow samples and lasts at least from `since` to `now`? */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow);

#endif
