/* --gaps linear: the operator before the first filter that fills gaps. The goals of a gap that is not too
 * long become numbers on the straight way between its neighbours, or of a rotation, a turn at a constant
 * angular velocity; the values of cells stay. Nothing is filled over a cut. Invariant: the goals of a row
 * depend only on the rows of its group, never on how rows were cut into blocks. Per-group state: the rows
 * that wait for the end of a gap, and the last sample of each unit. */
#ifndef SPRUNG_SERIES_CLEAN_FILL_H
#define SPRUNG_SERIES_CLEAN_FILL_H

#include "series/series.h"

/* Opens the operator, which operator_close frees. count: [nchannel] gets the counts of filled values. What
 * the pointers point to must outlive the operator. NULL and *e: out of memory. */
struct operator* fill_open(const struct series_rows *in, struct clean_count *count, struct error *e);

#endif
