/* --resample: a stage after the core that prints the points of a grid at even times, and rows that are at a
 * point. A point is final when the row after it is, and prints its time, the text of the row before it, and
 * its numbers: the filter's state there, or, where the filter follows cuts or looks at the whole
 * series, the cubic through values and velocities of the results on both sides. Invariant: what is made does
 * not depend on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_GRID_H
#define SPRUNG_SERIES_GRID_H

#include "series/core.h"
#include "series/stage.h"

struct grid;

/* Sets up *stage, which fills the out columns of time and frame numbers. The blocks that it makes
 * are like those that it takes, so that the same format finds and prints cells and rows. grid_close follows
 * in any case; core and layout must outlive the stage. NULL and *e: out of memory. */
struct grid *grid_open(struct stage *stage, struct core *core, const struct output_columns *layout,
                       struct error *e);
void grid_close(struct grid *grid);

#endif
