/* The operator before the first filter: --despike, then the ways of --gaps that bridge. A goal becomes NaN
 * where the value is a spike beside a gap that is left; where a spike or a gap is filled, the goal becomes
 * the value of a line or a curve. Spikes that a series begins or ends with are kept:
 * nothing tells them from a step. Values stay the values of the cells. Invariant: the goals of a row depend
 * only on the rows of its group, never on how rows were cut into blocks. Kept of each group: the rows that
 * wait, and the rows by which waiting rows are judged. */
#ifndef SPRUNG_SERIES_CLEAN_CLEAN_H
#define SPRUNG_SERIES_CLEAN_CLEAN_H

#include "series/series.h"
#include "whole/noise/spikes.h"

/* The first spike of the rows that was kept. */
struct clean_kept {
    uint64_t row;   /* number of the row, from 1; 0: none was kept */
    size_t channel; /* the first channel of the number, vector or rotation */
    bool last;      /* the series ends with the spike, and does not begin with it */
    double time;    /* of the row, in the unit of the input */
    uint64_t n;     /* all spikes that were kept, in rows of numbers, vectors and rotations */
};

/* Is there anything to despike or fill with these options? */
bool clean_wanted(const struct series_settings *settings, const struct spikes_settings *despike);

/* Checks the options without the input. masks: every --mask. */
bool clean_check(const struct spikes_settings *despike, const struct texts *masks, struct error *e);

/* Opens the operator, which operator_close frees. Nothing is filled over the cuts of `in`. What `in` points
 * to must outlive the operator. count: [nchannel] gets the counts of spikes and filled values. NULL and *e:
 * out of memory. */
struct operator* clean_open(const struct series_rows *in, const struct spikes_settings *despike,
                            struct clean_count *count, struct error *e);

/* The spikes kept so far. clean: the operator of clean_open. */
struct clean_kept clean_kept(const struct operator* clean);

#endif
