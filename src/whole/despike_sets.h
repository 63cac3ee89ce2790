/* Sets of samples that are tried as spikes together. For despike.c. */
#ifndef SPRUNG_WHOLE_DESPIKE_SETS_H
#define SPRUNG_WHOLE_DESPIKE_SETS_H

#include "whole/despike.h"

/* Is the judged sample in a set of spikes that without the judged sample is no set of spikes? */
bool despike_sets_find(const struct despike_view *view);

#endif
