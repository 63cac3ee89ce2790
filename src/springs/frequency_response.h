/* What a linear filter does to tones on rows of equal distance: one function for all filters, by the filter's
 * own step and rows. */
#ifndef SPRUNG_SPRINGS_FREQUENCY_RESPONSE_H
#define SPRUNG_SPRINGS_FREQUENCY_RESPONSE_H

#include "springs/filter.h"

/* The filter as a recurrence from row to row: s' = A s + B g, x = C s + D g, where s is the state of a row
 * and s' of the next row, g the goal and x the output. */
struct frequency_response {
    size_t n; /* doubles of s */
    double T; /* seconds from row to row */
    double A[FILTER_MAXSTATE][FILTER_MAXSTATE], B[FILTER_MAXSTATE], C[FILTER_MAXSTATE], D;
};

/* Finds the recurrence of a filter that is linear with these settings, for rows T seconds apart. */
void frequency_response_make(struct frequency_response *recurrence, const struct filter *filter,
                             const void *settings, double T);

/* Gain and phase of a tone, as a complex number. frequency: in Hz, at most half the row rate. */
double _Complex frequency_response_at(const struct frequency_response *recurrence, double frequency);

/* Lag behind a ramp, in seconds. */
double frequency_response_lag(const struct frequency_response *recurrence);

/* The lowest frequency >= low, in Hz, whose gain is part * (gain at frequency 0); NaN: no such frequency. */
double frequency_response_corner(const struct frequency_response *recurrence, double low, double part);

#endif
