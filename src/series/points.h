/* Points between two samples, for --resample, that are the filter's own state there. They are computed as
 * their rows are made (grid.c), and no sample depends on them: a series keeps a record of what the filter
 * knew before each sample with points before it, until the row of the sample is made. */
#ifndef SPRUNG_SERIES_POINTS_H
#define SPRUNG_SERIES_POINTS_H

#include "series/filter_pass.h"

/* Do points lie between the knots at index i - 1 and i? */
bool points_between(const struct core *core, const struct knots *knots, size_t i);

/* Bytes of a record. */
size_t points_size(const struct filter_pass *pass);

/* Keeps the record of the points before the first sample of a chunk, whose goals and flags are known.
 * pass->record: begins with what the filter knew before. */
void points_keep(struct core *core, const struct chunk *chunk);

/* Computes the results at a part of the step, 0 to 1, by the first record of a series, into the first row of
 * the columns out[nchannel * nwant]. */
void points_of_states(struct core *core, const struct series *series, double part, struct knot_columns out);

/* Lets go of the first record. */
void points_drop(const struct core *core, struct series *series);

#endif
