/* --resample: a stage that takes rows and makes blocks of these rows and of the points of a grid at even
 * times between them, in time order. Values of points are interpolated, other cells are the cells of the row
 * before. Rows that are at no point are hidden: filtered, not printed. The points between two rows are made
 * when the second row arrives; of each group only the last row is kept. Invariant: what is made depends
 * neither on how rows were cut into blocks, nor on how many points are between two rows. Behind a filter that
 * takes cuts the stage makes points from what the filter has made of the rows, and hidden rows are left out.
 */
#ifndef SPRUNG_SERIES_RESAMPLE_H
#define SPRUNG_SERIES_RESAMPLE_H

#include "series/series.h"
#include "series/stage.h"

struct resample_config {
    struct series_rows in;
    const struct output_columns *layout; /* with output_columns_add's columns, which are filled here */
    double hz;
    bool fills_channels; /* the filter leaves channels as they are: their columns are filled here, too */
    /* 0: the stage stands before the first filter, which steps over rows and points. Else it stands behind
     * this filter, which takes cuts and has stepped over the rows alone, and so many outputs of each channel
     * are in the blocks that are taken: value, velocity and maybe acceleration. At a point they are those of
     * a curve through the values and velocities of the rows on both sides (whole/step_curve.h). */
    size_t nfiltered;
    bool followed; /* behind a filter: another one follows, to which the values at points are goals */
};

struct resample;

/* Sets up the stage. The blocks that it makes are like the blocks that it takes, so that the same format
 * finds and prints cells and rows; the text of a point is the text of the row before the point. They have
 * times, lines and grid, and in printed rows a column of values after the channels that is 1 in the first row
 * at or after each cut. Nothing is interpolated over a cut, nor into a row that follows one. resample_close
 * follows in any case; what the config points to must stay. NULL and *e: memory is out. */
struct resample *resample_open(struct stage *stage, const struct resample_config *config, struct error *e);
void resample_close(struct resample *resample);

/* The rows were denser than the points, so that waves above half the rate of the points come out as slower
 * ones, unless a filter before the stage removed them. */
bool resample_thins(const struct resample *resample);

#endif
