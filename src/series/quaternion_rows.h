/* Quaternions in the rows of a chunk: targets, cuts, and the filter. Private to series/.
 * Invariant: the four channels of a quaternion have the same flags. */
#ifndef SPRUNG_QUATERNION_ROWS_H
#define SPRUNG_QUATERNION_ROWS_H

#include "series/chunk.h"

/* Sets the targets of the new rows: one gap among the four is a gap of all, and of q and -q the one nearer to
 * the target before is taken. */
void quaternion_rows_read(struct row_flags *f, struct group *g, const struct chunk *c);

/* Does the rotation jump into row p, by its bend there? */
bool quaternion_rows_jump(const struct row_flags *f, struct group *g, const struct quaternion *q, size_t p);

/* Takes every quaternion through the filter, as three channels. */
void quaternion_rows_run(struct series *s, struct group *g, const struct chunk *c, size_t step_stride);

/* Cuts b->nrow to the rows before the first quaternion that is no rotation; false: there is one. */
bool quaternion_rows_check(const struct series *s, struct block *b, struct error *e);

#endif
