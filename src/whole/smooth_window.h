/* How a long series is smoothed in parts. A sample that is SMOOTH_FADED periods of the cutoff away does not
 * count for a row: it fades by exp(-5.5) a period or faster. So the results of some rows are computed from a
 * window that reaches beyond these rows, to both sides. Invariant: windows depend on the series alone, not on
 * how its rows arrive. */
#ifndef SPRUNG_WHOLE_SMOOTH_WINDOW_H
#define SPRUNG_WHOLE_SMOOTH_WINDOW_H

#include "whole/samples.h"
#include "whole/zero_phase.h"

#define SMOOTH_FADED 7.0 /* periods with samples beyond which a sample does not count */

#define SMOOTH_LONGEST_GAP 7.0 /* periods: samples on both sides of a longer gap are smoothed apart */

/* The rows of a series so far. */
struct smooth_window_rows {
    size_t n;
    const double *time;    /* [n] seconds from any moment on, ascending */
    const double *sampled; /* [n] likewise, without the steps to rows where a gap of a channel holds on */
    const double *begun;   /* [n] time of the last row so far where a run of a channel began behind a gap */
    const double *nread;   /* [n] number of rows so far, without points of --resample */
};

/* A channel up to the row that was taken last. Before any row: zeroed, with `last` at the time of row 0. */
struct smooth_window_channel {
    double last;  /* time of the last sample */
    bool missing; /* the last row has no sample */
};

/* Rows that are counted: what struct smooth_window_rows says of them is found. */
struct smooth_window_count {
    double period;          /* seconds of a wave at the lowest cutoff */
    size_t first, n;        /* the n rows from row `first` on; the rows before are counted */
    const double *T, *time; /* of all rows: seconds since the row before; as in struct smooth_window_rows */
    const bool *read;       /* of all rows: the row was read; NULL: there are no points */
    double *sampled, *begun, *nread; /* of all rows: as in struct smooth_window_rows */
};

/* Counts rows: first begin, then each channel, then end. */
void smooth_window_count_begin(const struct smooth_window_count *rows);
void smooth_window_count_end(const struct smooth_window_count *rows);

/* Counts the values of a channel in the n rows, `stride` doubles apart; NaN: missing. A point has no value,
 * and is no gap. A gap that is too long ends the run of the channel, which then waits for nothing. */
void smooth_window_count_channel(const struct smooth_window_count *rows,
                                 struct smooth_window_channel *channel, const double *value, size_t stride);

/* The rows of a window are those from 0 to n - 1. */
struct smooth_window {
    size_t from, to; /* the results of rows from to to - 1 count */
    size_t n;
    bool ends; /* the results are those of a series that ends with the window */
};

/* Finds the window behind the one before, which has given the results of the rows before `from`. period:
 * seconds; INFINITY: one window takes all. False: the window needs more rows than there are. */
bool smooth_window_next(double period, const struct smooth_window_rows *rows, size_t from,
                        struct smooth_window *window);

/* Finds the window of row `from` alone, which ends with what comes within lookahead seconds behind the row.
 * False: the window needs more rows than there are. */
bool smooth_window_of_row(double lookahead, const struct smooth_window_rows *rows, size_t from,
                          struct smooth_window *window);

/* The first row that the next window needs, where the results of all rows before row `to` are given. */
size_t smooth_window_keep(double period, const struct smooth_window_rows *rows, size_t to);

/* What of a run is wanted, and whether it is a part of a longer run. window: in samples, not in rows; all:
 * [window->n] the samples; first: the series begins with the window; longest: seconds; a longer gap ends a
 * run. */
struct zero_phase_part smooth_window_part(const struct smooth_window *window, const struct samples *all,
                                          struct sample_run run, bool first, double longest);

#endif
