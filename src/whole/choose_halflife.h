/* --halflife auto and --cutoff auto: the half-life or cutoff that suits the noise of one channel or rotation.
 */
#ifndef SPRUNG_WHOLE_CHOOSE_HALFLIFE_H
#define SPRUNG_WHOLE_CHOOSE_HALFLIFE_H

#include "whole/zero_phase.h"

enum { CHOOSE_LEAST = 20 /* fewest known samples that a half-life can be chosen from */ };

/* What was chosen. */
struct choice {
    double value; /* half-life in seconds or cutoff in Hz, a number of few digits; NaN: more than one sample,
                     but fewer than CHOOSE_LEAST, are known */
    bool quiet;   /* the cutoff is high beside the rate of the rows, and there is almost no white noise */
    bool empty;   /* no sample is known; the value has no meaning then */
};

/* Consecutive samples, none of them a point, and the runs among them in order of time. T[0]: seconds since
 * the sample before. */
struct choice_part {
    struct samples all;
    const struct sample_run *run; /* [nrun] */
    size_t nrun;
};

/* The samples of a channel or rotation, which are read part by part. */
struct choice_series {
    size_t n, width; /* rows; doubles in a sample. Rows of one time are one sample */
    /* Reads the samples of the rows from first to first + n - 1, which stay until the next call. */
    struct choice_part (*read)(void *closure, size_t first, size_t n);
    void *closure;
};

/* Chooses for a channel or rotation. settings: settings of the filter of phase, which leave the half-life or
 * the cutoff to be chosen. The trials change phase: call zero_phase_use afterwards. False: out of memory. */
bool choose_halflife(struct zero_phase *phase, const void *settings, const struct choice_series *series,
                     struct choice *choice, struct error *e);

/* Sets the error for fewer than CHOOSE_LEAST values in `what`, such as "this channel". Returns false. */
bool choose_halflife_few(const char *what, struct error *e);

#endif
