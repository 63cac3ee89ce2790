/* Vectors: channels that are the components of a position, a velocity or the like. Each component is filtered
 * as a number. What depends on a size (a speed, a limit, a cut, a spike) takes the length of the vector, and
 * a decision holds for all components of a row. Invariant: no channel is in two vectors; no component of a
 * vector is an angle or a component of a rotation; the components of a vector have the same settings. */
#ifndef SPRUNG_SERIES_VECTORS_H
#define SPRUNG_SERIES_VECTORS_H

#include "rows/block.h"
#include "rows/columns.h"
#include "series/overrides.h"
#include "series/rotations.h"

/* After rotations_fit: finds the vectors of `list`, the value of --vectors ("none": no vectors; NULL: the
 * option is not given, and the format tells the vectors), and sets rotations->vector, which rotations_free
 * frees. left_out: [nchannel] channels that this filter leaves out; NULL: no channel is left out. A vector
 * with a component that is left out, and a vector found by a glob of which no component is a channel, is
 * passed over. A component that is no channel, an angle, in a rotation,
 * or has other settings than the first component is an error in a vector of the list; a vector that the
 * format tells is passed over. */
bool vectors_collect(struct rotations *rotations, const struct columns *columns, const char *list,
                     const struct overrides *overrides, const bool *left_out, struct error *e);

/* Where one component of a vector is missing in a row, all components become missing in the row. goals: in
 * the goals of the block; else in the values. */
void vectors_complete(const struct rotations *rotations, const struct block *block, bool goals);

#endif
