/* --cutoff auto: the cutoff that suits the noise of one number, angle, vector or rotation, by Mallows' Cp,
 * and that moves no sample farther than noise reaches. */
#ifndef SPRUNG_WHOLE_CHOOSE_CUTOFF_H
#define SPRUNG_WHOLE_CHOOSE_CUTOFF_H

#include "whole/smoothing.h"

enum { CHOOSE_LEAST = 20 /* fewest known samples that a cutoff can be chosen by */ };

/* Why a unit stays as it is. */
enum cutoff_stays {
    STAYS_NOT,         /* it is smoothed */
    STAYS_EMPTY,       /* every sample is missing */
    STAYS_FEW,         /* fewer than CHOOSE_LEAST samples have values */
    STAYS_STATES,      /* whole numbers of few different values */
    STAYS_STANDING_OUT /* at every cutoff a sample moves farther than noise reaches */
};

struct cutoff_choice {
    enum cutoff_stays stays;
    double cutoff; /* in Hz, a number of few digits; INFINITY: the unit stays */
    bool doubtful; /* what the cutoff takes away does not look like white noise */
    size_t sample; /* STAYS_STANDING_OUT: the sample that stands out most */
};

/* States, which stay: at least CHOOSE_LEAST numbers that are not missing, all whole, with few different
 * values. */
bool choose_are_states(const double *x, size_t n);

/* Chooses by all known samples of a unit, in these runs. The trials are smoothed by `smoothing`. False: out
 * of memory. */
bool choose_cutoff(struct smoothing *smoothing, const struct samples *all, const struct sample_run *run,
                   size_t nrun, struct cutoff_choice *choice, struct error *e);

#endif
