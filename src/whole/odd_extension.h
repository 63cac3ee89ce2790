/* A run that begins and ends at 0, filtered forward and then backward over the result, as a part of an
 * infinite series: the run is extended beyond its ends by odd reflection, each point through the end point,
 * again and again. Rotations begin and end at the identity, and the inverse is the reflected rotation.
 * Invariants: the result is the result of the infinite series, however slowly the filter settles; the result
 * for the reversed run is the reversed result, but for rounding. */
#ifndef SPRUNG_WHOLE_ODD_EXTENSION_H
#define SPRUNG_WHOLE_ODD_EXTENSION_H

#include "whole/zero_phase.h"

struct odd_run {
    const double *T; /* the steps in seconds, T > 0; T[0] is not used. NULL: all are `step` */
    double step;     /* where T is NULL */
    const double
        *goal;       /* [last + 1] numbers, or quaternions of length 1 one after the other; the first and the
                        last one are 0, or 1, 0, 0, 0. NULL: numbers that are 0, but for a 1 in the middle */
    ptrdiff_t last;  /* number of the last sample, from 0 */
    ptrdiff_t width; /* SAMPLE_NUMBER or SAMPLE_ROTATION */
};

struct odd_extension;

/* Makes room for runs of `most` samples of `width` doubles. NULL and *e when memory is out. */
struct odd_extension *odd_extension_make(const struct filter *filter, size_t most, size_t width,
                                         struct error *e);
void odd_extension_free(struct odd_extension *x);

/* Checked settings for the next runs, which must stay. To be called, too, when the contents of run.T have
 * changed: what depends on steps and settings alone is kept from run to run where run.T is the same pointer.
 */
void odd_extension_use(struct odd_extension *x, const void *settings);

/* Filters a run. The result is in odd_extension_value(x). */
struct zero_phase_fault odd_extension_filter(struct odd_extension *x, const struct odd_run *run);

/* [(last + 1) * width] the result of the last run; the caller may change it. */
double *odd_extension_value(const struct odd_extension *x);

#endif
