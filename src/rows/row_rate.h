/* The rate of rows from the times of rows: row n is at the first time + n / rate, to within the rounding of
 * the decimals of the times. */
#ifndef SPRUNG_ROWS_ROW_RATE_H
#define SPRUNG_ROWS_ROW_RATE_H

#include "base/error.h"
#include "number/timestamp.h"

/* Facts about the rate from the times of the rows so far. The caller sets unit; the other members are zero
 * before the first row. */
struct row_rate {
    struct time_unit unit;  /* of the times */
    uint64_t nrow;          /* rows seen */
    struct timestamp first; /* time of the first row */
    int decimals;           /* most decimals that a time has */
    int digits;             /* most digits that a time has */
    double last;            /* seconds from the first to the last row */
    double step;            /* seconds from the first to the second row */
    bool uneven;            /* the time of some row is not the first time plus a multiple of step */
    double least, most;     /* seconds: a step from least to most fits every row so far */
};

/* Adds the time of a row. An error if no step fits this row and all rows before. */
bool row_rate_add(struct row_rate *rate, const struct timestamp *time, struct error *e);

/* Finds the whole number of rows per second that fits all rows. It is an error if no number or several
 * numbers fit. */
bool row_rate_find(const struct row_rate *rate, double *found, struct error *e);

#endif
