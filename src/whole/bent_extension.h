/* How the series beyond an end of a run is bent. Odd reflection through the end value keeps the slope of a
 * motion and changes the sign of its second derivative c: at time t beyond the end, the reflected sample lies
 * c t^2 below the motion that goes on with the same c. A filter that keeps parabolas shows this corner as an
 * error next to the end; so c t^2 is added to the reflected samples, fading out farther away. A filter whose
 * result for a parabola is the parabola plus a constant, as most filters, would show that constant at the
 * end, where odd reflection leaves no error: so less is added, or nothing. */
#ifndef SPRUNG_WHOLE_BENT_EXTENSION_H
#define SPRUNG_WHOLE_BENT_EXTENSION_H

#include <stddef.h>

/* The part of c t^2 to add, from 0 to 1: 1 for a filter that keeps parabolas. response: [last + 1] what both
 * passes make of a 1 in the middle of zeroes, at even steps. */
double bent_extension_part(const double *response, size_t last);

struct bent_ends {
    const double *time; /* [n] seconds since the first sample of the run */
    size_t n;
    double part;         /* of bent_extension_part */
    double fade;         /* seconds from an end to where nothing is added; > 0, at most half of the run */
    double curvature[2]; /* second derivative at the first and at the last sample, per second squared */
};

/* Sets bend[n] to what is added to the reflection of each sample: 0 at both ends. */
void bent_extension_fill(const struct bent_ends *ends, double *bend);

#endif
