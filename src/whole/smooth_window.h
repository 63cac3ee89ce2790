/* How a long series is smoothed in parts. A sample that is SMOOTH_FADED periods of the cutoff away does not
 * count for a row: it fades by exp(-5.5) a period or faster. So the results of some rows are computed from a
 * window that reaches beyond these rows, to both sides. Invariant: windows depend on the series alone, not on
 * how its rows arrive. */
#ifndef SPRUNG_WHOLE_SMOOTH_WINDOW_H
#define SPRUNG_WHOLE_SMOOTH_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#define SMOOTH_FADED 10.0 /* periods beyond which a sample does not count; a gap of 3 may lie between */

#define SMOOTH_LONGEST_GAP 7.0 /* periods: samples on both sides of a longer gap are smoothed apart */

/* The rows of a window are those from 0 to n - 1. */
struct smooth_window {
    size_t from, to; /* the results of rows from to to - 1 count */
    size_t n;
    bool ends; /* the results are those of a series that ends with the window */
};

/* Finds the window behind the one before, which has given the results of the rows before `from`. period:
 * seconds; INFINITY: one window takes all. time: [n] seconds from any moment on, ascending. False: so many
 * rows are not there yet. */
bool smooth_window_next(double period, const double *time, size_t n, size_t from,
                        struct smooth_window *window);

/* Finds the window of row `from` alone, which ends with what comes within lookahead seconds behind the row.
 * False: so many rows are not there yet. */
bool smooth_window_of_row(double lookahead, const double *time, size_t n, size_t from,
                          struct smooth_window *window);

/* The first row that the next window needs, where the results of all rows before row `to` are given. */
size_t smooth_window_keep(double period, const double *time, size_t to);

#endif
