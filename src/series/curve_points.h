/* Points between two samples on the curve through the results of both, for --resample of filters that follow
 * cuts and of smoothed series: a cubic of values and velocities (whole/step_curve.h). */
#ifndef SPRUNG_SERIES_CURVE_POINTS_H
#define SPRUNG_SERIES_CURVE_POINTS_H

#include "series/core.h"

/* Bytes of a record. The first two wanted outputs are value and velocity. */
size_t curve_points_size(const struct core *core);

/* Records the points between the samples at index i - 1 and i, whose results are known, for the rows of the
 * second one; before: [nchannel * nwant] results of the first; NULL: they are those at index i - 1. record:
 * room for a record. */
void curve_points_record(struct core *core, struct series *series, size_t i, const double *before,
                         double *record);

/* Computes the results at a part of the step, 0 to 1: of column k in out[k][row]. */
void curve_points_read(struct core *core, const void *record, double part, double *const *out, size_t row);

#endif
