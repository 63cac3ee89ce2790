/* Points between two samples, for --resample: what the filter's own state is there, or, where the filter
 * follows cuts or looks at the whole series, the curve through its results. A record holds all that the
 * points between two samples need, so that they are computed when their rows are printed, and no sample
 * depends on them. */
#ifndef SPRUNG_SERIES_POINTS_H
#define SPRUNG_SERIES_POINTS_H

#include "series/filter_pass.h"

/* Points that are states of the filter. */

/* Do points lie between two samples? before, t: their times. hz: points a second, of which the first is at t
 * = 0; 0: none. */
bool points_between(double before, double t, double hz);

/* Bytes of a record. */
size_t points_size(const struct filter_pass *pass);

/* Before a chunk is taken: begins the record of the points before its first sample. */
void points_begin(struct filter_pass *pass, const struct chunk *chunk);

/* When the goals and flags of the chunk are known: completes the record, and gives it to the row of the
 * sample. */
void points_end(struct filter_pass *pass, struct core *core, struct series *series,
                const struct chunk *chunk);

/* Computes the results at a part of the step, 0 to 1: of column k in out[k][row]. */
void points_read(struct core *core, const void *record, double part, double *const *out, size_t row);

#endif
