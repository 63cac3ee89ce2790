/* Which channels are angles, and their periods. */
#ifndef SPRUNG_ANGLES_H
#define SPRUNG_ANGLES_H

#include "base/error.h"
#include "rows/columns.h"

struct angle_settings {
    const char *list; /* --angles; NULL: not given */
    double period;    /* --period; NaN: not given */
    bool wrap;        /* print an angle in the turn of its input */
};

/* Sets *period to [nchannel] periods, 0 for a channel that is no angle, or to NULL when none is; owned by the caller.
 * Angles are those of --angles, and those that the input's format knows to be. */
bool angles_collect(const struct columns *t, const struct angle_settings *settings, double **period, struct error *e);

#endif
