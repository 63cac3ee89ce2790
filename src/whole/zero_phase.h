/* --zero-phase: a run of samples smoothed so that the result does not lag: by the spline whose gain is that
 * of the filter forward and then backward (smooth.h), with ends that follow the motion as closely as noise
 * allows (smooth_ends.h).
 *
 * Rotations: the path of a run of rotations is the sum of the rotation vectors from sample to sample. The
 * result is the motion whose path is the spline of its path plus the rotation vectors from the motion to the
 * samples (Gauss-Newton). About a fixed axis it is the result of the angle. Invariant: the result for the
 * reversed run is the reversed result, but for rounding.
 */
#ifndef SPRUNG_WHOLE_ZERO_PHASE_H
#define SPRUNG_WHOLE_ZERO_PHASE_H

#include "springs/filter.h"
#include "whole/run_steps.h"
#include "whole/samples.h"

/* A filter, the run that was smoothed last, and its result. */
struct zero_phase;

/* Makes room for runs of up to `most` samples. width: doubles of a sample, as in struct samples. filter: not
 * owned. NULL and *e when out of memory. */
struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e);
void zero_phase_free(struct zero_phase *phase);

/* The time steps that the last run was smoothed with: the shortest and the longest, in seconds, both 0 for a
 * single sample. */
void zero_phase_steps(const struct zero_phase *phase, double *shortest, double *longest);

/* Sets the settings for the following runs. settings: checked settings of the filter, which stay the caller's
 * and must not change until zero_phase_free or the next call of zero_phase_use. chosen: the value of the
 * option that settings leave to be chosen (filter_automatic); else NaN. */
void zero_phase_use(struct zero_phase *phase, const void *settings, double chosen);

/* The settings in use, with the value that was chosen. */
const void *zero_phase_settings(const struct zero_phase *phase);

/* Seconds of a wave at the cutoff of the settings in use. */
double zero_phase_period(const struct zero_phase *phase);

/* Where a run is a part of a longer one, and what is wanted of it. Zeroed: a whole run, all results. */
struct zero_phase_part {
    bool begun;              /* there are samples before the first */
    bool goes_on;            /* there are samples after the last */
    bool values_only;        /* no derivative is wanted */
    size_t from;             /* no result of a sample before is wanted */
    size_t ahead;            /* the last samples, whose results are not wanted */
    struct usual_step usual; /* zero_phase_usual of the part before; seconds 0: none */
};

/* Smooths a run, whose first and last sample are known. Next to an end of a part the result is not that of
 * the longer run (smooth_window.h). The values must stay until the next run. A result that is too large for a
 * double is not finite. False: out of memory. */
bool zero_phase_run(struct zero_phase *phase, const struct samples *run, struct zero_phase_part part,
                    struct error *e);

/* The usual step of the last run, by which its cutoff is. */
struct usual_step zero_phase_usual(const struct zero_phase *phase);

/* Smooths the last run again, with the settings in use now. */
bool zero_phase_again(struct zero_phase *phase, struct zero_phase_part part, struct error *e);

/* Makes derivative 1 (velocity), or after derivative 1 derivative 2 (acceleration), of a run that has a
 * result, so that zero_phase_get can give the derivative. */
void zero_phase_derive(struct zero_phase *phase, unsigned derivative);

/* The result at a sample of the run: derivative 0 is a number, a vector x[width], or a unit quaternion x[4];
 * derivative 1 or 2, which must be the derivative made last, is a number, a vector, or of a rotation x[3]:
 * the angular velocity in rad/s, or the angular acceleration in rad/s^2, in the world frame. */
void zero_phase_get(const struct zero_phase *phase, unsigned derivative, size_t sample, double x[4]);

/* The results at all samples of a run of numbers or vectors, sample after sample: derivative as for
 * zero_phase_get. */
const double *zero_phase_numbers(const struct zero_phase *phase, unsigned derivative);

/* Is the result of a rotation at a sample equal to the sample, to the last bit? */
bool zero_phase_unchanged(const struct zero_phase *phase, size_t sample);

/* The sum of the squares of the distances from the result to the known samples of the run: of a vector over
 * its components, of rotations in radians. Sets *nknown to their number. */
double zero_phase_squares(const struct zero_phase *phase, size_t *nknown);

/* The sum of the leverages of the last run's samples: the trace of the smoother, without the mending of
 * ends. */
double zero_phase_trace(struct zero_phase *phase);

#endif
