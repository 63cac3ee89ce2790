/* What --verbose prints for one input: the filter with all its parameters, how the input was read, what was found in it. */
#ifndef SPRUNG_SUMMARY_H
#define SPRUNG_SUMMARY_H

#include "series/series.h"

struct summary {
    const char *file; /* as messages name it */
    const struct filter *filter;
    const struct overrides *overrides;
    const struct reader *reader;
    double rate;      /* --rate, or NaN */
    double resampled; /* rows per second; 0: it was not resampled */
    struct series_count count;
};

void summary_print(const struct summary *v, struct messages *messages);

#endif
