/* Which channels are angles, and their periods. */
#ifndef SPRUNG_SERIES_ANGLES_H
#define SPRUNG_SERIES_ANGLES_H

#include "base/error.h"
#include "rows/columns.h"

struct rotations;

struct angle_settings {
    const char *list; /* --angles; NULL: not given */
    double period;    /* --period; NaN: not given */
    bool wrap;        /* print an angle in the turn of its input */
};

/* Sets *period to [nchannel] periods, 0 for a channel that is no angle by itself, or to NULL when none is;
 * owned by the caller. Angles are those of --angles, and those that the input's format knows to be, except
 * those of rotations. */
bool angles_collect(const struct columns *t, const struct angle_settings *settings,
                    const struct rotations *rotations, double **period, struct error *e);

/* The last valid angle of a channel. Zeroes: there is none yet. */
struct unwrap {
    double angle, turns; /* as read, and the whole periods that were added to it */
    bool known;
};

/* Adds whole periods to n angles, so that each valid one lies within half a period of the valid one before
 * it; turns[j] is how many. One that is exactly half a period away stays on its side. NaN is a gap, and keeps
 * the turns of the angle before it. */
void angles_unwrap(struct unwrap *u, double period, double *angle, double *turns, size_t n);

/* A filtered angle in the turn of its input: the input itself, to the bit, where the filter has reached the
 * unwrapped one. angle: as read; NaN is a gap. */
double angles_wrap(double filtered, double angle, double turns, double period);

#endif
