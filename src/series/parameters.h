/* The parameters of a filter in words, one line for each set of them (overrides.h), for --verbose and
 * --report. */
#ifndef SPRUNG_SERIES_PARAMETERS_H
#define SPRUNG_SERIES_PARAMETERS_H

#include "series/overrides.h"

enum { PARAMETERS_LINE = 1000 }; /* bytes of a line; the names of channels are cut */

/* Set k as given, with defaults: "critical: halflife 0.1, goal-velocity zero; channels "x", "y"" (these where
 * there are several sets). */
void parameters_given(const struct filter *filter, const struct overrides *sets, const struct columns *t,
                      size_t k, char line[PARAMETERS_LINE]);

/* The other options that would set the same: "equivalent to halflife 0.1 s, lag 0.14427 s, …". False where
 * the filter has none. */
bool parameters_equivalent(const struct filter *filter, const struct overrides *sets, const struct columns *t,
                           size_t k, char line[PARAMETERS_LINE]);

#endif
