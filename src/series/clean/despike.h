/* --despike: the operator that tells spikes from samples, before gaps are filled (fill.h). A spike is judged
 * by the rule of whole/noise/spikes.h; fill decides what becomes of it. The components of a vector are judged
 * together: where one component is missing, all are, and a spike is a spike of all. The first sample of
 * several rows with the same time is judged for all: copies of a row would show nothing of the noise, and no
 * curve goes through different values at one time. Invariant: a verdict depends only on the rows of its
 * group. Kept of each group: the rows that wait, and the samples by which waiting rows are judged. */
#ifndef SPRUNG_SERIES_CLEAN_DESPIKE_H
#define SPRUNG_SERIES_CLEAN_DESPIKE_H

#include "series/series.h"
#include "whole/noise/spikes.h"

/* Checks the options without the input. */
bool despike_check(const struct spikes_settings *settings, struct error *e);

/* Opens the operator, which operator_close frees. fill: the operator of fill_open, which learns of the
 * spikes. What the pointers point to must outlive the operator. NULL and *e: out of memory. */
struct operator* despike_open(const struct series_rows *in, const struct spikes_settings *settings,
                              struct operator* fill, struct error *e);

#endif
