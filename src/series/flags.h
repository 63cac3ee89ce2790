/* The gaps of a channel, knots that miss their number: the options --gaps and --max-gap, when a gap is too
 * long, and how the filter learns what is special about a sample: the first one, gaps, cuts. */
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

/* --- flags for the filter --- */

/* What is remembered of a channel between samples. Zero-initialized: no sample so far. */
struct channel_gap {
    bool running;  /* the filter runs: there was a sample, and no gap has ended the run since */
    bool open;     /* the last sample is missing */
    double since;  /* time of the last sample before the gap, seconds of the series */
    uint64_t nrow; /* missing samples so far */
};

/* Consecutive samples, from one that is not decided yet on. */
struct gap_samples {
    const double *t;          /* [n] seconds of the series */
    double before;            /* time of the sample before; 0 where the series begins */
    const unsigned char *cut; /* [n] 1: the sample follows a cut; NULL: none does */
    const double *raw[4]; /* [nraw][nknown] the goals of the channel, of a rotation those of its channels */
    size_t nraw;          /* in a sample that misses one of them all are missing */
    size_t n;             /* samples that are taken */
    size_t nknown;        /* samples that can be read, at least n */
    double *goal;         /* [n] the goals; missing goals are replaced */
    unsigned char *flag;  /* [n] takes the flags, enum row_flag */
};

/* Is the gap longer than the limit, where it has nrow samples and lasts at least up to the time `now`? */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow);

/* Is a sample that can be read missing? */
bool gap_misses(const struct gap_samples *samples, size_t i);

/* Sets the flags, and replaces missing goals by the last goal, *last. Where results in gaps are printed
 * (--gaps fill) a gap longer than --max-gap is a long one from its first sample on, so the caller sees to it
 * that nknown reaches the end of the gap, or the limit. Returns how many samples are missing. */
size_t flags_set(struct channel_gap *gap, const struct series_settings *settings,
                 const struct gap_samples *samples, double *last);

#endif
