/* Which channels are angles, and their periods. */
#ifndef SPRUNG_ANGLES_H
#define SPRUNG_ANGLES_H

#include "cli/options.h"
#include "rows/columns.h"

/* Sets *period to [nchannel] periods, 0 for a channel that is no angle, or to NULL when none is; owned by the caller.
 * Angles are those of --angles, and those that the input's format knows to be. */
bool angles_collect(const struct columns *t, const struct series_options *options, double **period, struct error *e);

#endif
