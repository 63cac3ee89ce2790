/* --zero-phase: a run of samples filtered forward and then backward over the result, so that the result does
 * not lag.
 *
 * Missing samples in the run are bridged by a straight line, which is the same in both directions of time, or
 * by a rotation at constant angular velocity. The trend between both ends comes off (trend.h); the
 * residual, which begins and ends at 0 or the identity, is filtered both ways (odd_extension.h); then the
 * trend is added again. Invariant: the result for the reversed run is the reversed result, but for rounding.
 */
#ifndef SPRUNG_WHOLE_ZERO_PHASE_H
#define SPRUNG_WHOLE_ZERO_PHASE_H

#include "springs/filter.h"
#include "whole/samples.h"

/* Why a run has no result, and at which sample of the run. */
struct zero_phase_fault {
    enum {
        ZERO_PHASE_GOOD,      /* the run has a result */
        ZERO_PHASE_TOO_LARGE, /* the filtered value is too large for a double */
        ZERO_PHASE_NO_REST    /* the filter does not come to rest within a million lengths of the run */
    } reason;
    size_t sample; /* index of the sample in the run; 0 for ZERO_PHASE_NO_REST */
};

/* Can the filter be run both ways with these checked settings? settings_differ: channels have settings of
 * their own, and the caller checks each with zero_phase_check_rest. */
bool zero_phase_check(const struct filter *filter, const void *settings, bool settings_differ,
                      struct error *e);

/* Refuses settings with which the filter never comes to rest, at whatever steps. */
bool zero_phase_check_rest(const void *settings, struct error *e);

/* A filter, the run that was filtered last, and its result. */
struct zero_phase;

/* Makes room for runs of up to `most` samples. width: doubles of a sample, as in struct samples. filter: not
 * owned. NULL and *e when memory is out. */
struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e);
void zero_phase_free(struct zero_phase *phase);

/* The time steps with which the last run was filtered: the shortest and the longest, in seconds, both 0 for a
 * single sample. Returns true where the steps are even. */
bool zero_phase_steps(const struct zero_phase *phase, double *shortest, double *longest);

/* Sets the settings with which the following runs are filtered. settings: checked settings of the filter,
 * which stay the caller's and must not change until zero_phase_free or the next call of zero_phase_use.
 * halflife: the half-life in seconds for settings that leave the half-life to be chosen (filter_automatic);
 * else NaN. */
void zero_phase_use(struct zero_phase *phase, const void *settings, double halflife);

/* After zero_phase_use: sets the variance of the noise of a sample (noise.h), which the end values of a run
 * depend on. If zero_phase_set_noise is not called, the variance is found for each run from the samples of
 * the run. */
void zero_phase_set_noise(struct zero_phase *phase, double variance);

/* The filter of zero_phase_make. */
const struct filter *zero_phase_filter(const struct zero_phase *phase);

/* Filters a run, whose first and last sample are known. What depends on the steps alone is kept for the next
 * run where the steps are the same. Runs with the same arrays T and time count as such: both arrays must stay
 * as they are until zero_phase_free. The values must stay until the next run. */
struct zero_phase_fault zero_phase_run(struct zero_phase *phase, const struct samples *run);

/* Makes derivative 1 (velocity), or after derivative 1 derivative 2 (acceleration), of a run that has a
 * result, so that zero_phase_get can give the derivative. */
void zero_phase_derive(struct zero_phase *phase, unsigned derivative);

/* The result at a sample of the run: derivative 0 is a number, or a unit quaternion x[4]; derivative 1 or 2,
 * which must be the derivative made last, is a number, or of a rotation x[3]: the angular velocity in rad/s,
 * or the angular acceleration in rad/s^2, in the world frame. */
void zero_phase_get(const struct zero_phase *phase, unsigned derivative, size_t sample, double x[4]);

/* Of a rotation at a sample: is the result the sample (or the bridge over a missing sample) to the last bit?
 */
bool zero_phase_unchanged(const struct zero_phase *phase, size_t sample);

/* Square of the distance from the result to a known sample of the run; of rotations in radians. */
double zero_phase_square(const struct zero_phase *phase, size_t sample);

/* The weight of a sample in the result at the same sample, far from both ends of the run: 0 to 1. 1 for a run
 * of one sample. */
double zero_phase_own_part(const struct zero_phase *phase);

#endif
