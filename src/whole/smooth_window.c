/* Parts of a long series. See smooth_window.h. */
#include "whole/smooth_window.h"

#define PART 20.0 /* periods whose results a window gives, at least */

/* Where rows come fast, a window gives the results of this many seconds, or of LARGE_PART rows: it is soon
 * there, and less is smoothed twice. */
#define SOON 0.25

#define ROUNDED 1e-6 /* relative error of sums of steps, as part of a lookahead */

enum {
    LEAST_PART = 256, /* rows whose results a window gives */
    LARGE_PART = 8192,
    LEAST_FADED = 64 /* least rows on each side of the rows whose results a window gives: the spline through
                        velocities fades by a fourth from row to row */
};

/* The first row, from row `from` on, whose time is at least `least`; n: none. */
static size_t row_at(const double *time, size_t n, size_t from, double least)
{
    size_t end = n;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (time[middle] >= least)
            end = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* The first row at least `least` rows and `seconds` behind row `from` that has a time of its own; n: none. */
static size_t row_behind(const double *time, size_t n, size_t from, size_t least, double seconds)
{
    if (from >= n || n - from <= least)
        return n;
    size_t row = row_at(time, n, from + least, time[from] + seconds);
    while (row < n && time[row] == time[row - 1])
        row++;
    return row;
}

bool smooth_window_next(double period, const double *time, size_t n, size_t from,
                        struct smooth_window *window)
{
    size_t to = row_behind(time, n, from, LEAST_PART, PART * period);
    size_t large = row_behind(time, n, from, LARGE_PART, 0), soon = row_behind(time, n, from, 1, SOON);
    size_t more = large < soon ? large : soon;
    to = to > more ? to : more;
    size_t last = row_behind(time, n, to, LEAST_FADED, SMOOTH_FADED * period);
    *window = (struct smooth_window){ from, to, last + 1, false };
    return last < n;
}

bool smooth_window_of_row(double lookahead, const double *time, size_t n, size_t from,
                          struct smooth_window *window)
{
    size_t row = row_at(time, n, from, time[from] + lookahead * (1 - ROUNDED));
    bool within = row < n && time[row] - time[from] <= lookahead * (1 + ROUNDED);
    *window = (struct smooth_window){ from, from + 1, within ? row + 1 : row, true };
    return row < n;
}

size_t smooth_window_keep(double period, const double *time, size_t to)
{
    if (to < LEAST_FADED)
        return 0;
    size_t row = row_at(time, to, 0, time[to - 1] - SMOOTH_FADED * period);
    size_t faded = row > 0 ? row - 1 : 0;
    return faded < to - LEAST_FADED ? faded : to - LEAST_FADED;
}
