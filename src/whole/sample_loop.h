/* --loop: a series whose last sample is followed by the first. */
#ifndef SPRUNG_WHOLE_SAMPLE_LOOP_H
#define SPRUNG_WHOLE_SAMPLE_LOOP_H

#include "whole/smoothing.h"

/* Smooths all samples as a loop: with copies before and after. The result is in the middle of that of
 * `smoothing`: from its sample *first on, there are all->n. Where the last sample repeats the first, both
 * have one result. period: one turn of an angle; 0: no angle. False: out of memory. */
bool sample_loop_smooth(struct smoothing *smoothing, const struct samples *all, double period, double cutoff,
                        bool rates, size_t *first, struct error *e);

#endif
