/* --zero-phase: a whole series, filtered forward and then backward over the result, so that nothing lags.
 * Invariant: a channel's runs lie between valid values; before the first one, after the last one and where a
 * gap ends a run nothing is known, and gaps are printed. */
#ifndef SPRUNG_OFFLINE_ZERO_PHASE_H
#define SPRUNG_OFFLINE_ZERO_PHASE_H

#include "series/series.h"

/* Can the filter be run so, with these settings? start: --start, or NaN. overridden: channels may have
 * settings of their own, which zero_phase_fits judges. */
bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool overridden,
                      struct error *e);

/* The same for each channel, where it may have settings of its own. */
bool zero_phase_fits(const struct overrides *overrides, const struct columns *t, struct error *e);

/* Filters a series that was held whole: series_config.filter_whole. */
void zero_phase_filter(struct series *s);

#endif
