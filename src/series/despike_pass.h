/* The pass of --despike: goals of spikes become numbers on the curve through the knots around them, or gaps,
 * by the rule of whole/noise/spikes.h. It judges the samples as they were read, and a unit as a whole. */
#ifndef SPRUNG_SERIES_DESPIKE_PASS_H
#define SPRUNG_SERIES_DESPIKE_PASS_H

#include "series/core.h"
#include "whole/noise/spikes.h"

struct despike_pass {
    double factor;           /* K */
    struct spike_unit *unit; /* [units.n] of the series under way */
};

/* Appends the pass to core->pass. NULL and *e: out of memory. */
struct despike_pass *despike_pass_open(struct core *core, double factor, struct error *e);

#endif
