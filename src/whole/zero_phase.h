/* --zero-phase: a run of samples filtered forward and then backward over the result, so that nothing lags.
 *
 * Missing samples in the run are bridged by a straight line, which is the same in both directions of time, or
 * by a rotation at constant angular velocity. The trend between both ends comes off (trend.h); the rest,
 * which begins and ends at 0 or the identity, is filtered both ways (odd_extension.h); then the trend is
 * added again. Invariant: the result for the reversed run is the reversed result, but for rounding. */
#ifndef SPRUNG_WHOLE_ZERO_PHASE_H
#define SPRUNG_WHOLE_ZERO_PHASE_H

#include "springs/filter.h"
#include "whole/samples.h"

/* Why a run has no result, and at which of its samples. */
struct zero_phase_fault {
    enum {
        ZERO_PHASE_GOOD,      /* it has one */
        ZERO_PHASE_TOO_LARGE, /* the filtered value is too large for a double */
        ZERO_PHASE_NO_REST    /* the filter does not come to rest within a million lengths of the run */
    } reason;
    size_t sample; /* number in the run; of ZERO_PHASE_NO_REST 0 */
};

/* Can the filter be run both ways with these checked settings? start: --start, or NaN. settings_differ:
 * channels have settings of their own, each of which zero_phase_check_rest judges. */
bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool settings_differ,
                      struct error *e);

/* Refuses settings with which the filter never comes to rest, at whatever steps. */
bool zero_phase_check_rest(const void *settings, struct error *e);

/* A filter, the run that was filtered last, and its result. */
struct zero_phase;

/* Makes room for runs of up to most samples of so many doubles: width as in struct samples. The filter stays
 * the caller's. NULL and *e when memory is out. */
struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e);
void zero_phase_free(struct zero_phase *z);

/* Sets what the runs that follow are filtered with: checked settings of the filter, which stay the caller's
 * and must not change as long as z is used. halflife: in seconds, for settings that leave it to be chosen
 * (filter_automatic); else NaN. */
void zero_phase_use(struct zero_phase *z, const void *settings, double halflife);

/* The filter of zero_phase_make. */
const struct filter *zero_phase_filter(const struct zero_phase *z);

/* Filters a run, whose first and last sample are known. What depends on the steps alone is kept for the next
 * run, if that has equal ones. */
struct zero_phase_fault zero_phase_run(struct zero_phase *z, const struct samples *run);

/* Of a run that has a result: makes derivative 1 (velocity) or 2 (acceleration), in this order, before
 * zero_phase_get gives them. */
void zero_phase_derive(struct zero_phase *z, unsigned derivative);

/* The result at a sample of the run: derivative 0 is a number, or a unit quaternion x[4]; 1 and 2, which must
 * be the last one that was made, are a number, or of a rotation x[3], angular velocity or acceleration in
 * rad/s and rad/s^2 in the world frame. */
void zero_phase_get(const struct zero_phase *z, unsigned derivative, size_t sample, double x[4]);

/* Of a rotation at a sample: is the result the sample (or what bridges it) to the last bit? */
bool zero_phase_unchanged(const struct zero_phase *z, size_t sample);

/* Square of the distance from the result to a known sample of the run; of rotations in radians. */
double zero_phase_square(const struct zero_phase *z, size_t sample);

/* The part of a sample's value, far from both ends of the run, that its own result has: 0 to 1. A run of one
 * sample has 1. */
double zero_phase_own_part(const struct zero_phase *z);

#endif
