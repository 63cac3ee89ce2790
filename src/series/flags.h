/* What is special about each sample of a channel for the filter: the first one, gaps, cuts. */
#ifndef SPRUNG_SERIES_FLAGS_H
#define SPRUNG_SERIES_FLAGS_H

#include "whole/gaps.h"

/* What is remembered of a channel between samples. Zero-initialized: no sample so far. */
struct channel_gap {
    bool running;  /* the filter runs: there was a sample, and no gap has ended the run since */
    bool open;     /* the last sample is missing */
    double since;  /* time of the last sample before the gap, seconds of the series */
    uint64_t nrow; /* missing samples so far */
};

/* Consecutive samples, from one that is not decided yet on. */
struct gap_samples {
    const double *t; /* [n] seconds of the series */
    double before;   /* time of the sample before; 0 where the series begins */
    const unsigned char *cut; /* [n] 1: the sample follows a cut; NULL: none does */
    const double *raw; /* [nknown] the goals, NaN where missing; may be the array that flags_set changes */
    size_t n;          /* samples to be flagged */
    size_t nknown;     /* samples that can be read, at least n */
};

/* Is the gap longer than the limit, where it has nrow samples and lasts at least up to the time `now`? */
bool gap_exceeds(const struct gap_limit *limit, double since, double now, uint64_t nrow);

/* Sets flag[n], enum row_flag, and replaces missing goals by the last goal, *last. Where results in gaps are
 * printed
 * (--gaps fill) a gap longer than --max-gap is a long one from its first sample on, so the caller sees to it
 * that nknown reaches the end of the gap, or the limit. Returns how many samples are missing. */
size_t flags_set(struct channel_gap *gap, const struct gap_rule *rule, const struct gap_samples *samples,
                 double *goal, double *last, unsigned char *flag);

#endif
