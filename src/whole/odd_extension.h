/* A run that begins and ends at 0, filtered forward and then backward over the result, as a part of an
 * infinite series: the run is extended beyond its ends by odd reflection, each point through the end point,
 * again and again, or by bent reflection (bent_extension.h). Rotations begin and end
 * at the identity, and the reflected rotation is the inverse rotation. Invariants: the result is the result
 * of the infinite series, however slowly the filter settles; the result for the reversed run is the reversed
 * result, but for rounding. */
#ifndef SPRUNG_WHOLE_ODD_EXTENSION_H
#define SPRUNG_WHOLE_ODD_EXTENSION_H

#include "whole/zero_phase.h"

struct odd_run {
    const double
        *T;      /* [last + 1] the steps in seconds, T > 0; T[0] is not used. NULL: every step is `step` */
    double step; /* the step in seconds where T is NULL */
    const double *goal; /* [(last + 1) * width] the samples; the first and the last are 0 or the identity.
                           NULL: numbers that are 0 but for a 1 in the middle */
    const double *reflection; /* [(last + 1) * width] the reflections of the samples next to both ends, by
                                 `nbent`; the first and the last are 0 or the identity. The other samples are
                                 reflected to negative numbers, or to inverse rotations; NULL: all samples */
    ptrdiff_t nbent[2]; /* number of samples at the first end, and at the last end, that are reflected to
                           `reflection`; not used without reflection */
    ptrdiff_t last;     /* index of the last sample */
    ptrdiff_t width;    /* SAMPLE_NUMBER or SAMPLE_ROTATION */
};

struct odd_extension;

/* Makes room for runs of `most` samples of `width` doubles. NULL and *e when memory is out. */
struct odd_extension *odd_extension_make(const struct filter *filter, size_t most, size_t width,
                                         struct error *e);
void odd_extension_free(struct odd_extension *odd);

/* Sets checked settings for the next runs; the settings must stay. Must also be called when the contents of
 * run.T have changed: what depends on steps and settings alone is kept from run to run while run.T is the
 * same pointer.
 */
void odd_extension_use(struct odd_extension *odd, const void *settings);

/* Filters a run. odd_extension_value(odd) has the result. */
struct zero_phase_fault odd_extension_filter(struct odd_extension *odd, const struct odd_run *run);

/* [(last + 1) * width] the result of the last run; the caller may change it. */
double *odd_extension_value(const struct odd_extension *odd);

#endif
