/* The gaps of a channel, knots that miss their number: the options --gaps and --max-gap, when a gap is too
 * long, and how the filter learns what is special about a sample: the first one, gaps, cuts. */
#ifndef SPRUNG_SERIES_FLAGS_H
#define SPRUNG_SERIES_FLAGS_H

#include "springs/filter.h"

/* --- the options --- */

/* The ways of --gaps: number, name, and the members of struct gap_way that are true. */
#define GAP_WAYS(WAY)                                                                                        \
    WAY(GAPS_KEEP, "keep", 0)                                                                                \
    WAY(GAPS_FILL, "fill", .printed = true)                                                                  \
    WAY(GAPS_LINEAR, "linear", .bridged = true, .ends_run = true)                                            \
    WAY(GAPS_RESTART, "restart", .ends_run = true)

#define GAP_NUMBER(number, ...) number,
enum gaps { GAP_WAYS(GAP_NUMBER) GAPS_WAYS };

/* What a way of --gaps does. */
struct gap_way {
    bool bridged;  /* before the filter, samples on a line replace a gap that is not too long */
    bool ends_run; /* a gap that reaches the filter ends the filter's run, however short it is */
    bool printed;  /* the filter's outputs in a gap are printed */
};

extern const char *const gap_names[GAPS_WAYS + 1]; /* by enum gaps; ends with NULL */
const struct gap_way *gaps_way(int gaps);

/* --max-gap. Zeroed: no limit. */
struct gap_limit {
    enum { GAP_UNLIMITED, GAP_SECONDS, GAP_ROWS } kind;
    double most;
};
extern const struct param_type gap_limit_type;

/* "first", "zero" or a number: the type of the option --start, a struct start_position. */
extern const struct param_type series_start_type;

/* The options together. */
struct gap_rule {
    const struct gap_way *way;
    struct gap_limit limit;
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
    const double *raw;        /* [nknown] the goals, NaN where missing; may be `goal` */
    size_t n;                 /* samples that are taken, and remembered */
    size_t nflag;             /* samples that are flagged: n, or n + 1 */
    size_t nknown;            /* samples that can be read, at least nflag */
    double *goal;             /* [nflag] the goals; missing goals are replaced */
    unsigned char *flag;      /* [nflag] takes the flags, enum row_flag */
};

/* Is the gap longer than the limit, where it has nrow samples and lasts at least up to the time `now`? */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow);

/* Sets the flags, and replaces missing goals by the last goal, *last. Where results in gaps are printed
 * (--gaps fill) a gap longer than --max-gap is a long one from its first sample on, so the caller sees to it
 * that nknown reaches the end of the gap, or the limit. Returns how many samples are missing. */
size_t flags_set(struct channel_gap *gap, const struct gap_rule *rule, const struct gap_samples *samples,
                 double *last);

#endif
