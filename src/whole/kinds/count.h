/* Is a column of numbers a count of rows, or another clock, rather than motion? */
#ifndef SPRUNG_WHOLE_KINDS_COUNT_H
#define SPRUNG_WHOLE_KINDS_COUNT_H

#include <stdbool.h>
#include <stddef.h>

enum { COUNT_LEAST = 8 /* fewest rows that show a count or a clock */ };

/* A column of numbers. */
struct count_rows {
    const double *number; /* number of row i: number[i * stride] */
    size_t stride, n;     /* n: rows */
    const bool *begins;   /* [n] a series begins with the row; NULL: all rows are one series */
};

/* Does the column count rows: does it begin with a whole number, and rise by 1 from row to row? In one row of
 * ten it may rise by more, as counts of frames do where frames were dropped. */
bool count_is(const struct count_rows *rows);

/* Does the column rise by one constant from row to row, to within the last digit of its numbers, as the times
 * of rows at an even rate do? */
bool count_rises_evenly(const struct count_rows *rows);

#endif
