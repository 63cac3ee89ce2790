/* The gaps of a channel, knots that miss their number: the options --gaps and --max-gap, and how the filter
 * learns what is special about a sample: the first one, gaps, cuts. Which gaps are too long gaps_pass.c says.
 */
#ifndef SPRUNG_SERIES_FLAGS_H
#define SPRUNG_SERIES_FLAGS_H

#include "springs/filter.h"

/* --- the options --- */

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

/* --- flags for the filter --- */

/* What is remembered of a channel between samples. Zero-initialized: no sample so far. */
struct channel_gap {
    bool running; /* the filter runs: there was a sample, and no gap has ended the run since */
    bool open;    /* the last sample is missing */
};

/* Consecutive samples of a channel. */
struct gap_samples {
    const unsigned char *cut;  /* [n] 1: the sample follows a cut; NULL: none does */
    const unsigned char *ends; /* [n] as knots_ends_run says; NULL: no gap is too long */
    size_t n;
    double *goal;        /* [n] the goals; missing goals are replaced */
    unsigned char *flag; /* [n] takes the flags, enum row_flag */
};

/* Sets the flags, and replaces missing goals by the last goal, *last. every: each gap ends the run. Returns
 * how many samples are missing. */
size_t flags_set(struct channel_gap *gap, bool every, const struct gap_samples *samples, double *last);

#endif
