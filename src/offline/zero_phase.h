/* --zero-phase: a whole series, forward and then backward over the result, so that nothing lags. Private to
 * series.c, but for the check. Invariant: a channel's runs lie between values; before the first one, behind
 * the last one and where a gap ends a run, nothing is known and gaps are printed. */
#ifndef SPRUNG_ZERO_PHASE_H
#define SPRUNG_ZERO_PHASE_H

#include "series/chunk.h"

/* Can the filter be run so, with these settings? start: --start, or NaN. overridden: channels may have settings of their own,
 * which zero_phase_fits judges. */
bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool overridden, struct error *e);

/* The same for each channel, where it may have settings of its own. */
bool zero_phase_fits(const struct filter *filter, const struct overrides *overrides, const struct columns *t,
                     struct error *e);

/* Holds a block, then n rows of it that belong to one group and whose steps are in s->T. */
bool zero_phase_hold(struct series *s, struct block *b, struct error *e);
bool zero_phase_take(struct series *s, struct group *g, const struct rows *r, size_t n, struct error *e);

/* As series_finish. */
bool zero_phase_finish(struct series *s, struct block **faulty, struct error *e);

#endif
