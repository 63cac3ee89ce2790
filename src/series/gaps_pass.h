/* The pass that waits for the end of a gap: with --gaps linear it puts goals on the line between the
 * neighbours of the gap; with --gaps fill and --max-gap it holds the gap until its length is known. A gap is
 * a maximal run of knots that miss a number of the unit. Nothing is filled over a cut, and no gap that is
 * longer than --max-gap. */
#ifndef SPRUNG_SERIES_GAPS_PASS_H
#define SPRUNG_SERIES_GAPS_PASS_H

#include "series/core.h"

/* Does a job with these settings need the pass? */
bool gaps_pass_needed(const struct series_settings *settings);

/* Appends the pass to core->pass. */
void gaps_pass_open(struct core *core);

#endif
