/* --zero-phase: a series whose rows are held until no more come, and then filtered forward and backward.
 * Invariant: a channel's runs lie between valid values; before the first one, after the last one and where a
 * gap ends a run nothing is known, and gaps are printed. */
#ifndef SPRUNG_SERIES_WHOLE_SERIES_H
#define SPRUNG_SERIES_WHOLE_SERIES_H

#include "series/series.h"

/* Refuses settings of a channel with which the filter never comes to rest. */
bool whole_series_check(const struct overrides *overrides, const struct columns *t, struct error *e);

#endif
