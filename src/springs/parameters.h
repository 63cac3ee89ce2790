/* The options of a filter in words, for --verbose and --report. */
#ifndef SPRUNG_SPRINGS_PARAMETERS_H
#define SPRUNG_SPRINGS_PARAMETERS_H

#include "springs/filter.h"

enum { PARAMETERS_LINE = 1000 }; /* bytes of a line */

/* Writes checked settings as given, with defaults: "critical: halflife 0.1, goal-velocity zero". */
void parameters_given(const struct filter *filter, const void *settings, char line[PARAMETERS_LINE]);

/* Writes the other options that would give the same filter: "equivalent to halflife 0.1 s, lag 0.14427 s, …".
 * row_lag: seconds of lag on the rows, which stands beside the lag that the option would have; NaN: unknown.
 * False where the filter has no other options. */
bool parameters_equivalent(const void *settings, bool zero_phase, double row_lag, char line[PARAMETERS_LINE]);

#endif
