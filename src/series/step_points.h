/* The numbers of points between two rows of a group. Values and goals are interpolated between the values and
 * goals of the rows. Behind a filter that takes cuts the filter's outputs lie on a curve through the outputs
 * of both rows. */
#ifndef SPRUNG_SERIES_STEP_POINTS_H
#define SPRUNG_SERIES_STEP_POINTS_H

#include "series/resample.h"

/* A step from one row to the next row of the group, and points in the step. The points become rows of
 * `block`, from row block->nrow on. */
struct step_points {
    const struct resample_config *config;
    const double *last;     /* row at the beginning: [nchannel] values, [nchannel] goals, then [nchannel *
                               config->nfiltered] outputs */
    const struct block *in; /* block of the row at the end */
    size_t at;              /* row at the end: its number in the block */
    double T;               /* seconds of the step */
    bool held;              /* the points repeat the row at the beginning: the row at the end follows a cut */

    struct block *block;    /* takes the numbers */
    size_t n;               /* number of points */
    const double *fraction; /* [n] the part of the step before each point, 0 to 1 */
};

/* Sets the values, the goals if the block has them, and the outputs of all points. */
void step_points_fill(const struct step_points *points);

/* Behind a filter: sets the outputs of row block->nrow of a block to the outputs of row `at` of `in`. */
void step_points_copy_outputs(const struct resample_config *config, const struct block *in, size_t at,
                              struct block *block);

#endif
