/* --halflife auto: the half-life that suits the noise of one channel or rotation. */
#ifndef SPRUNG_WHOLE_CHOOSE_HALFLIFE_H
#define SPRUNG_WHOLE_CHOOSE_HALFLIFE_H

#include "whole/zero_phase.h"

enum { CHOOSE_LEAST = 20 /* known samples by which a half-life can be chosen */ };

/* Chooses the half-life in seconds, a number of few digits, for the runs of a channel or rotation. all: its
 * samples, those in no run too; run[nrun]: in order of time, none overlaps another. settings: of z's filter,
 * which leave the half-life to be chosen. z is used for trials: zero_phase_use afterwards.
 * NaN: more than one sample is known, but fewer than CHOOSE_LEAST are. */
double choose_halflife(struct zero_phase *z, const void *settings, const struct samples *all,
                       const struct sample_run *run, size_t nrun);

#endif
