/* Which output of which channel goes where: the bridge between a filter's outputs, a block's out columns and
 * a writer's columns. Made once per input, after its columns are known. Invariant: the computed outputs of a
 * channel are consecutive out columns, channel after channel. */
#ifndef SPRUNG_SERIES_OUTPUT_COLUMNS_H
#define SPRUNG_SERIES_OUTPUT_COLUMNS_H

#include "filters/filter.h"
#include "formats/format.h"
#include "series/rotations.h"

/* Which derivatives of a channel the series computes, and which of them are printed. */
struct derivatives {
    long computed, printed; /* 0, 1, 2; no more are printed than computed */
};

/* Lays out the filter's outputs for every channel; those left out (NULL: none is) have no added columns. Of a
 * quaternion each component has its outputs; those added are the x, y and z of its rates: hip_vel_x. A name
 * that exists already is an error. output_columns_free after, also on error. */
bool output_columns_make(struct output_columns *l, const struct columns *t, const struct rotations *q,
                         const struct filter *filter, const void *settings, struct derivatives derivatives,
                         const bool *left_out, struct error *e);

/* Lays out further out columns in place of channels that the filter leaves as they are. */
void output_columns_add_cells(struct output_columns *l, const struct columns *t);

/* The same for rows that are made anew, and, printed in full, of the time, of cuts, and of the numbers of
 * frames. */
void output_columns_add_grid(struct output_columns *l, const struct columns *t);
void output_columns_free(struct output_columns *l);

#endif
