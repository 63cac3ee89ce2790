/* Cheaply rules out most samples before the rule of spikes.c; also what both share. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKE_SCREEN_H
#define SPRUNG_WHOLE_NOISE_SPIKE_SCREEN_H

#include "whole/noise/spikes.h"

/* The scale of distances is their median times this number: such that, of normally distributed noise in each
 * component, 99.73 percent of the distances are at most 3 times the scale. For one component 3 times the
 * scale are 3 standard deviations, and the number is that of the MAD, 1.4826. ncolumn: 1 to 4; four are those
 * of a rotation, which moves in three. */
double spike_median_to_scale(size_t ncolumn);

enum { SPIKE_CUBIC = 4 /* samples that a cubic goes through */ };

/* The value of a sample by its neighbours: weights, and how the weights magnify. */
struct spike_weights {
    double of[SPIKE_CUBIC];
    double noise; /* variance of the residual, if each sample has the variance 1 */
    double sum;   /* sum of the absolute weights, with that of the sample itself, 1 */
    double bend;  /* product of the distances in time; the bend of the curve adds in proportion to it */
};

/* The weights of n neighbours at these times from the sample, at most SPIKE_CUBIC, by Lagrange. */
struct spike_weights spike_weigh(const double *at, size_t n);

/* How much larger a residual is, about, than with the noise and the bend of neighbours at even steps: by the
 * weights it would be one number if it came from noise, another if it came from the bend of the motion. */
double spike_strain(const struct spike_weights *weights, double even_noise, double even_bend);

/* Steps are compared to this part of a step: the rounding of doubles decides nothing. */
#define SPIKE_ROUNDING 0x1p-20

/* Are the samples in even rows, to the printed digits of their times? t, place: [n], n > 1, without a cut. */
bool spike_steps_even(const double *t, const size_t *place, size_t n);

/* Is a sample cheaply ruled out? spikes_pass and spikes_judge both ask this, so both give the same verdict.
 * window: that of the sample, as spikes_move_window leaves it. */
bool spike_ruled_out(const struct spikes_series *series, double factor, size_t own,
                     struct spikes_window window);

#endif
