/* --halflife auto: the half-life that suits the noise of one channel or rotation. */
#ifndef SPRUNG_WHOLE_CHOOSE_HALFLIFE_H
#define SPRUNG_WHOLE_CHOOSE_HALFLIFE_H

#include "whole/zero_phase.h"

enum { CHOOSE_LEAST = 20 /* fewest known samples from which a half-life can be chosen */ };

/* Chooses the half-life in seconds, a number of few digits, for the runs of a channel or rotation. all: the
 * samples of the channel or rotation, samples outside the runs included. run[nrun]: runs in order of time
 * that do not overlap. settings: settings of the filter of phase, which leave the half-life to be chosen. The
 * trials change phase: call zero_phase_use afterwards. Returns NaN where more than one sample, but fewer than
 * CHOOSE_LEAST, are known. */
double choose_halflife(struct zero_phase *phase, const void *settings, const struct samples *all,
                       const struct sample_run *run, size_t nrun);

#endif
