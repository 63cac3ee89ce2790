/* The rows of a series that windows go by (smooth_window.h). Rows are counted in order, some at a time, as
 * they come: how long ago each channel had a sample, and where its runs begin. */
#ifndef SPRUNG_WHOLE_WINDOW_ROWS_H
#define SPRUNG_WHOLE_WINDOW_ROWS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Periods: samples on both sides of a longer gap are smoothed apart. A gap of exactly 7 periods is not
 * longer, however times are rounded. */
#define SMOOTH_LONGEST_GAP 7.000001

#define SMOOTH_FADED 7.0 /* periods with samples beyond which a sample does not count */

enum { RECENT_STEPS = 8 };

/* The shortest of the last steps from row to row, without points. Zeroed: no row so far. */
struct recent_steps {
    size_t n;           /* steps so far */
    double now, before; /* the shortest of the RECENT_STEPS under way, and of those before */
    double least;       /* the shortest of both */
    double since;       /* seconds since the last row */
};

/* Zeroed: no rows so far. */
struct window_rows {
    size_t n;        /* counted rows, without the rows that were taken off */
    double *time;    /* [n] seconds from any moment on, ascending */
    double *sampled; /* [n] likewise, but a step to a row where a gap of a channel holds on counts 0, a step
                        over missing rows as long as the shortest of the steps before, and a step to a point
                        counts at the row behind it */
    double *begun;   /* [n] time of the last row so far where a run of a channel began behind a gap */
    double *nread;   /* [n] number of rows so far, without points of --resample */

    /* Set by the caller, of rows that are counted next. */
    double *T;   /* seconds since the row before; of the first row of the series any number */
    bool *point; /* the row is a point of --resample, and no row of the input */

    struct recent_steps recent; /* up to the row that was counted last */
    size_t noff, max;           /* rows that were taken off at the beginning; room, with those */
    double *own;                /* the allocation of all arrays; owned */
};

/* A channel up to the row that was counted last. Zeroed before the first row. */
struct window_channel {
    double last;  /* time of the last sample */
    bool missing; /* the last row has no sample */
};

/* Makes room for n more rows. False: out of memory. */
bool window_rows_reserve(struct window_rows *rows, size_t n, struct error *e);
void window_rows_free(struct window_rows *rows);

/* To count n more rows, call window_rows_begin, window_rows_count for every channel, and window_rows_end. */
void window_rows_begin(struct window_rows *rows, size_t n);
void window_rows_end(struct window_rows *rows, size_t n);

/* Counts the values of a channel in the n rows, `stride` doubles apart; NaN: missing. A point has no value,
 * and is no gap. A gap that is too long ends the run of the channel, which then waits for nothing. period:
 * seconds of a wave at the lowest cutoff. */
void window_rows_count(const struct window_rows *rows, size_t n, double period,
                       struct window_channel *channel, const double *value, size_t stride);

/* Takes n rows off the beginning. */
void window_rows_take_off(struct window_rows *rows, size_t n);

#endif
