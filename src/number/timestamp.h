/* Times as they were written: exact decimals, so that the step between two rows is an exact difference, rounded once.
 * 1700000000.004 after 1700000000.000 is 0.004 s here, where doubles would make 0.00399994850. */
#ifndef SPRUNG_STAMP_H
#define SPRUNG_STAMP_H

#include "rows/block.h"

/* b - a in seconds, where both are in units of 10^unit seconds (0, -3, -6 or -9). Falls back to doubles for stamps
 * that are not exact. */
double timestamp_difference(const struct timestamp *a, const struct timestamp *b, int unit);

/* The same from 0 on. */
double timestamp_seconds(const struct timestamp *s, int unit);

/* The error of a time before the one before it, in a group or the whole series; the caller adds the place.
 * Returns false. */
bool timestamp_backward(const struct timestamp *before, const struct timestamp *now, const char *column, bool grouped,
                    struct error *e);

#endif
