/* --despike: the operator that replaces spikes before gaps are filled (fill.h), by the rule of
 * whole/noise/spikes.h. The goals of a spike become numbers on the curve through the samples around, or a gap
 * where too few are left; the values of cells stay. The components of a vector are judged together. Rows of
 * one time are one sample, whose first numbers count. Invariant: a verdict depends only on the rows of its
 * group, never on how rows were cut into blocks. Per-group state: the samples of some hundred rows. */
#ifndef SPRUNG_SERIES_CLEAN_DESPIKE_H
#define SPRUNG_SERIES_CLEAN_DESPIKE_H

#include "series/series.h"

/* What may be a spike, but was kept: one side has too few values to tell. */
struct despike_kept {
    uint64_t n;     /* rows of numbers, vectors and rotations */
    uint64_t row;   /* number of the first such row, from 1 */
    size_t channel; /* the first channel of the number, vector or rotation in that row */
};

/* Opens the operator, which operator_close frees. factor: K. count: [nchannel] gets the counts of spikes.
 * What the pointers point to must outlive the operator. NULL and *e: out of memory. */
struct operator*
    despike_open(const struct series_rows *in, double factor, struct clean_count *count, struct error *e);

/* What was kept so far. */
struct despike_kept despike_kept(const struct operator* despike);

#endif
