/* Vectors: channels that are the components of a position, a velocity or the like. Each component is filtered
 * as a number; what depends on a size, such as a speed, a clip, a cut or a spike, takes the length of the
 * vector, and a decision holds for all components of a row. Invariant: no channel is in two vectors, and none
 * is an angle or in a rotation; the components of a vector have the same settings. */
#ifndef SPRUNG_SERIES_VECTORS_H
#define SPRUNG_SERIES_VECTORS_H

#include "rows/block.h"
#include "rows/columns.h"
#include "series/overrides.h"
#include "series/rotations.h"

/* After rotations_fit: finds the vectors of --vectors (list; NULL: not given, "none"), or those that the
 * format tells, whose components are all filtered here, and sets rotations->vector. left_out: [nchannel]
 * channels that are not filtered; NULL: all are. A vector of the list of which only a part is filtered, an
 * angle, or set apart is an error; a vector that the format tells is passed over then. rotations_free frees
 * the vectors. */
bool vectors_collect(struct rotations *rotations, const struct columns *columns, const char *list,
                     const struct overrides *overrides, const bool *left_out, struct error *e);

/* Where one component is missing, all components of the vector become missing. goals: of the goals of the
 * block, else of its values. */
void vectors_complete(const struct rotations *rotations, const struct block *block, bool goals);

#endif
