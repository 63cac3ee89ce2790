/* How the series beyond an end of a run is bent. Odd reflection through the end value keeps the slope of a
 * motion and changes the sign of its second derivative c: at time t beyond the end, the reflected sample lies
 * c t^2 below the motion that goes on with the same c. A filter that keeps parabolas shows this corner as an
 * error next to the end; so c t^2 is added to the reflected samples, fading out farther away. Most filters
 * make of a parabola the parabola plus a constant, and would show that constant at the end, where odd
 * reflection leaves no error: less is added for these filters. Nothing is added for a filter whose response
 * is nowhere negative, such as critical. */
#ifndef SPRUNG_WHOLE_BENT_EXTENSION_H
#define SPRUNG_WHOLE_BENT_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>

/* The part of c t^2 to add, from 0 to 1: 1 for a filter that keeps parabolas. response: [last + 1] what both
 * passes make of a 1 in the middle of zeroes, at even steps. */
double bent_extension_part(const double *response, size_t last);

/* Where and how far the reflections of the samples of a run are bent. */
struct bent_ends {
    const double *time; /* [n] seconds since the first sample of the run */
    size_t n;
    double part; /* of bent_extension_part */
    double fade; /* seconds from an end to where nothing is added; > 0, at most half of the run */
    /* c at the first and at the last sample, by component, per second squared; of numbers [0] alone */
    double curvature[2][3];
};

/* The number of samples, the end sample included, less than ends->fade from the first sample, or with at_last
 * from the last sample. Reflections farther from both ends are not bent. */
size_t bent_extension_count(const struct bent_ends *ends, bool at_last);

/* Set the reflections of the samples less than ends->fade from an end to the bent reflections of a residual
 * of n samples, numbers or unit quaternions; the first and the last sample and their reflections are 0 or the
 * identity. The reflection of a rotation exp(v) is exp(bend - v). The other reflections are not set. */
void bent_extension_of_numbers(const struct bent_ends *ends, const double *residual, double *reflection);
void bent_extension_of_rotations(const struct bent_ends *ends, const double *residual, double *reflection);

#endif
