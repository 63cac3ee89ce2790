/* A stage before the first filter: --mask, then --despike, then --gaps linear and cubic. Goals become NaN
 * where a value is masked, or is a spike that nothing bridges, and the value of a line or a curve where a
 * spike or a gap is filled; values stay those of the cells. Invariant: what becomes of a row depends on the
 * rows of its group only, never on how they were cut into blocks; of each group those rows are kept that
 * wait, and those that they are judged by. */
#ifndef SPRUNG_SERIES_CLEAN_H
#define SPRUNG_SERIES_CLEAN_H

#include "series/series.h"
#include "series/stage.h"
#include "whole/despike.h"

struct clean_count {    /* of one channel */
    uint64_t masked;    /* values that --mask made missing */
    uint64_t spikes;    /* spikes that were bridged */
    uint64_t unbridged; /* spikes that became gaps, and those that may still be bridged */
    uint64_t filled;    /* missing values that were filled */
};

struct clean;

/* Do the options ask for it? */
bool clean_wanted(const struct series_settings *settings, const struct despike_settings *despike,
                  const struct columns *columns);

/* Checks the options without the input. */
bool clean_check(const struct despike_settings *despike, const struct texts *masks, struct error *e);

/* in: the rows; nothing is filled over their cuts. NULL and *e when memory is out. What it points to must
 * stay. *count: [nchannel] what was done so far, until clean_close. */
struct clean *clean_open(const struct series_rows *in, const struct despike_settings *despike,
                         const struct clean_count **count, struct error *e);
void clean_close(struct clean *c);

/* Of a stage (series/stage.h); closure: the struct clean. Only memory can be out. */
struct block *clean_take(void *closure, struct block *b);
struct block *clean_finish(void *closure);

#endif
