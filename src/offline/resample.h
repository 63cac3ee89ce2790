/* Rows at even times, made of rows at any: a reader that takes another one's rows and gives those of a grid.
 * Values in between are interpolated, the other cells are those of the last row. A row's points are given
 * when the row arrives that ends their step, so nothing waits for more, and of each group only the last row
 * is kept. Invariant: what is given depends neither on how rows were cut into blocks, nor how many points are
 * between two. */
#ifndef SPRUNG_RESAMPLE_H
#define SPRUNG_RESAMPLE_H

#include "formats/format.h"
#include "series/quaternions.h"

struct resample_config {
    struct reader *from;                 /* open, planned; it reserves no out columns */
    const struct output_columns *layout; /* with output_columns_add_grid's columns, which are filled here */
    bool keeps_cell;                     /* channels are among these */
    double hz;
    double rate;          /* of the rows that are read; 0: by the time column */
    int unit;             /* exponent of that column's unit: 0, -3, -6 or -9 */
    const double *cut;    /* [ncut] seconds, ascending: no interpolation over these, nor into a row that */
    size_t ncut;          /* the cut column marks */
    const double *period; /* [nchannel] of angles, 0: no angle; NULL: there are none */
    const struct quaternions *quaternions;
};

/* Makes a zeroed *r the reader. Its blocks are as those of the reader it takes rows from, so that cells and
 * rows are found and printed by the same format; their text is made of the rows that they stand for. They
 * have stamps and lines, and a column of values after the channels that is 1 in the first row at or after
 * each cut. resample_close after, also on error; all in the config must outlive it. */
bool resample_open(struct reader *r, const struct resample_config *config, struct error *e);
void resample_close(struct reader *r);

#endif
