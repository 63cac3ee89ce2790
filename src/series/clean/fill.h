/* The operator before the first filter that fills gaps: missing values, with the ways of --gaps that bridge,
 * and the spikes that --despike finds (despike.h). Where a gap or a spike is filled, the goal becomes the
 * value of a line or a curve; a spike beside a gap that stays becomes NaN. Spikes that a series begins or
 * ends with are kept: nothing tells them from a step. Values stay the values of the cells. Invariant: the
 * goals of a row depend only on the rows of its group, never on how rows were cut into blocks. Kept of each
 * group: the rows that wait for the end of a gap, and the last two samples. */
#ifndef SPRUNG_SERIES_CLEAN_FILL_H
#define SPRUNG_SERIES_CLEAN_FILL_H

#include "series/series.h"
#include "whole/noise/spikes.h"

/* The first spike of the rows that was kept. */
struct fill_kept {
    uint64_t row;   /* number of the row, from 1; 0: none was kept */
    size_t channel; /* the first channel of the number, vector or rotation */
    bool last;      /* the series ends with the spike, and does not begin with it */
    double time;    /* of the row, in the unit of the input */
    uint64_t n;     /* all spikes that were kept, in rows of numbers, vectors and rotations */
};

/* Opens the operator, which operator_close frees. Nothing is filled over the cuts of `in`. nwindow: most rows
 * between a spike and the samples that it is bridged with (spikes_rows); 0: there are no spikes. count:
 * [nchannel] gets the counts of spikes and filled values. What the pointers point to must outlive the
 * operator. NULL and *e: out of memory. */
struct operator*
    fill_open(const struct series_rows *in, size_t nwindow, struct clean_count *count, struct error *e);

/* Tells the operator that a row of a group holds a spike of unit number `unit`, before the operator takes the
 * row. Rows come in order. */
void fill_expect_spike(struct operator* fill, const struct group *group, size_t unit, size_t row);

/* The spikes kept so far. */
struct fill_kept fill_kept(const struct operator* fill);

#endif
