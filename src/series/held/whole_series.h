/* --zero-phase: a series whose rows are held until those come that count for them, and then smoothed.
 * Invariant: a channel's runs lie between valid values; before the first valid value, after the last valid
 * value and in a gap that ends a run nothing is known, and gaps are printed. */
#ifndef SPRUNG_SERIES_HELD_WHOLE_SERIES_H
#define SPRUNG_SERIES_HELD_WHOLE_SERIES_H

#include "series/series.h"

/* [nchannel] the half-lives chosen for each channel by an operator of series_open; NULL: the operator is
 * without --zero-phase. */
const struct halflife_range *whole_series_halflives(const struct operator* operator);

/* Why no row leaves before the last row has come; NULL: a row leaves when enough rows have come behind it. */
const char *whole_series_needs_all(const void *settings, const struct series_rows *in);

#endif
