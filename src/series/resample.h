/* --resample: a reader that takes the rows of another reader and gives them with the points of a grid at even
 * times between them, in time order. Values of points are interpolated, other cells are those of the row
 * before. Rows that are at no point are hidden: filtered, not printed. The points between two rows are given
 * when the second one arrives; of each group only the last row is kept. Invariant: what is given depends
 * neither on how rows were cut into blocks, nor on how many points are between two rows. */
#ifndef SPRUNG_SERIES_RESAMPLE_H
#define SPRUNG_SERIES_RESAMPLE_H

#include "series/series.h"

struct resample_config {
    struct series_rows in;
    struct reader *from;                 /* of the rows; open and bound; it reserves no out columns */
    const struct output_columns *layout; /* with output_columns_add's columns, which are filled here */
    const struct filter *filter;         /* with keeps_cell channels are among these; with cuts points are
                                            aside: see struct grid_row */
    double hz;
};

/* Makes a zeroed *r the reader. Its blocks are like those of the reader it takes rows from, so that the same
 * format finds and prints cells and rows; the text of a point is that of the row before it. They have times,
 * lines and grid, and in printed rows a column of values after the channels that is 1 in the first one at or
 * after each cut, over which nothing is interpolated, nor into a row that follows it. What *r holds of that
 * reader is not freed with it. resample_close follows in any case; what the config points to must stay. */
bool resample_open(struct reader *r, const struct resample_config *config, struct error *e);
void resample_close(struct reader *r);

#endif
