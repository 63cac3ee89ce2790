/* How a long series is smoothed in parts. A sample that is SMOOTH_FADED periods of the cutoff away does not
 * count for a row: it fades by exp(-5.5) a period or faster. So the results of some rows are computed from a
 * window that reaches beyond these rows, to both sides. Invariant: windows depend on the series alone, not on
 * how its rows arrive. */
#ifndef SPRUNG_WHOLE_SMOOTH_WINDOW_H
#define SPRUNG_WHOLE_SMOOTH_WINDOW_H

#include "whole/samples.h"
#include "whole/window_rows.h"
#include "whole/zero_phase.h"

/* The rows of a window are those from 0 to n - 1. */
struct smooth_window {
    size_t from, to; /* the results of rows from to to - 1 count */
    size_t n;
    bool ends; /* the results are those of a series that ends with the window */
};

/* Finds the window behind the one before, which has given the results of the rows before `from`. period:
 * seconds; INFINITY: one window takes all. False: the window needs more rows than there are. */
bool smooth_window_next(double period, const struct window_rows *rows, size_t from,
                        struct smooth_window *window);

/* Finds the window of row `from` alone, which ends with what comes within lookahead seconds behind the row.
 * False: the window needs more rows than there are. */
bool smooth_window_of_row(double lookahead, const struct window_rows *rows, size_t from,
                          struct smooth_window *window);

/* The first row that the next window needs, where the results of all rows before row `to` are given. */
size_t smooth_window_keep(double period, const struct window_rows *rows, size_t to);

/* What of a run is wanted, and whether it is a part of a longer run. window: in samples, not in rows; all:
 * [window->n] the samples; first: the series begins with the window; longest: seconds; a longer gap ends a
 * run. */
struct zero_phase_part smooth_window_part(const struct smooth_window *window, const struct samples *all,
                                          struct sample_run run, bool first, double longest);

#endif
