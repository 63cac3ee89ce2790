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
    const struct output_columns *layout; /* the stage fills the out columns that output_columns_add_grid added */
    double hz;                           /* points per second */
    bool fills_channels; /* the filter leaves channels as they are: the stage fills their out columns, too */
    /* 0: the stage stands before the filter, which steps over rows and points. Else the stage
     * stands behind the filter, which takes cuts and has stepped over the rows alone; the blocks taken
     * have this number of outputs of each channel: value, velocity and maybe acceleration. At a point the
     * outputs are on a curve through the values and velocities of the rows on both sides
     * (whole/step_curve.h). */
    size_t nfiltered;
};

struct resample;

/* Sets up *stage. The blocks that the stage makes are like the blocks that the stage takes, so that the same
 * format finds and prints cells and rows; the text of a point is the text of the row before the point. The
 * first TIME_WATCH_ROWS rows of the input keep their text and cells, for warnings; later hidden rows have
 * none, nor have hidden rows of binary numbers. Blocks made have times, lines, steps and marks, and after the
 * channels one more column of values: in printed rows 1 in the first row at or after each cut, else 0
 * (resample_is_cut). Nothing is interpolated between a row and a next row that follows a cut. resample_close
 * follows in any case; what the config points to must outlive the stage. NULL and *e: out of memory. */
struct resample *resample_open(struct stage *stage, const struct resample_config *config, struct error *e);
void resample_close(struct resample *resample);

/* Is a printed row of a block that the stage has made the first row at or after a cut? nchannel: number of
 * channels of the columns. */
static inline bool resample_is_cut(const struct block *made, size_t nchannel, size_t row)
{
    return block_value(made, nchannel)[row] != 0;
}

/* Were the rows denser than the points? Then waves faster than half the rate of the points appear as slower
 * waves, unless a filter before the stage removed the fast waves. */
bool resample_thins(const struct resample *resample);

#endif
