/* What --verbose tells of one input: the filter with all its parameters, how the input was read, what was found in it.
 * Invariant: nothing is looked up here; it is all known when the input is done. */
#ifndef SPRUNG_VERBOSE_H
#define SPRUNG_VERBOSE_H

#include "series/series.h"

struct summary {
    const char *file; /* as messages name it */
    const struct filter *filter;
    const struct overrides *overrides;
    const struct reader *reader;
    double rate;      /* --rate, or NaN */
    double resampled; /* points per second; 0: it was not resampled */
    struct series_count count;
};

void summary_tell(const struct summary *v, struct messages *messages);

#endif
