/* The value at an end of a run of noisy samples, numbers or vectors, which a filter both ways takes as the
 * centre of reflection, and the curvature there, by which the reflection is bent. */
#ifndef SPRUNG_WHOLE_END_VALUE_H
#define SPRUNG_WHOLE_END_VALUE_H

#include <stdbool.h>
#include <stddef.h>

enum { END_COLUMNS = 3 /* components of a sample, at most */ };

#define END_CURVATURE_REACHES 6.75 /* samples within so many reaches of an end tell the curvature there */

/* A run of samples, and what is known of its filter and its noise. */
struct end_run {
    const double *T;                   /* [last + 1] the steps, T > 0; T[0] is not used */
    const double *column[END_COLUMNS]; /* [ncolumn][last + 1] the samples, by component */
    size_t ncolumn;                    /* 1: numbers; 3: vectors */
    size_t last;                       /* index of the last sample */
    double reach; /* seconds over which the filter averages samples; samples more than a few reaches from the
                     end do not count */
    double noise; /* variance of the noise of a sample (noise.h); 0: no noise, or unknown noise */
};

/* Sets value[ncolumn] to the value at sample 0, or with at_last at sample last: the sample itself where the
 * noise is small, else the value of a line, a parabola or a cubic that fits the samples next to the end,
 * whichever is expected to be nearest to the motion below the noise. Invariants: samples on a straight line
 * give the end sample, bit for bit where all samples are equal; reversed samples give the same value at the
 * other end; turned vectors give the turned value. */
void end_value(const struct end_run *run, bool at_last, double *value);

/* Sets curvature[ncolumn] to the second derivative at sample 0, or with at_last at sample last, per second
 * squared, of the cubic that fits the samples within END_CURVATURE_REACHES reaches of the end; less what
 * noise is expected to make of the second derivative, and 0 where noise may have made all of it. Invariants:
 * samples on a straight line have curvature 0, but for rounding; reversed samples have the same curvature at
 * the other end; turned vectors have the turned curvature. */
void end_curvature(const struct end_run *run, bool at_last, double *curvature);

#endif
