/* Parts of a long series. See smooth_window.h. */
#include "whole/smooth_window.h"

#define PART 20.0 /* periods whose results a window gives */

#define ROUNDED 1e-9 /* relative error of sums of steps */

enum {
    LEAST_PART = 256, /* rows whose results a window gives */
    LEAST_FADED = 64  /* rows beyond them: the spline through velocities fades by a fourth from row to row */
};

/* The first row at least `least` rows and `seconds` behind row `from` that has a time of its own; n: there is
 * none. */
static size_t row_behind(const double *T, size_t n, size_t from, size_t least, double seconds)
{
    double time = 0;
    for (size_t row = from + 1; row < n; row++) {
        time += T[row];
        if (row >= from + least && time >= seconds && T[row] > 0)
            return row;
    }
    return n;
}

bool smooth_window_next(double period, const double *T, size_t n, size_t from, struct smooth_window *window)
{
    size_t to = row_behind(T, n, from, LEAST_PART, PART * period);
    size_t last = row_behind(T, n, to, LEAST_FADED, SMOOTH_FADED * period);
    *window = (struct smooth_window){ from, to, last + 1, false };
    return last < n;
}

bool smooth_window_of_row(double lookahead, const double *T, size_t n, size_t from,
                          struct smooth_window *window)
{
    double time = 0;
    size_t row = from;
    while (row < n && time < lookahead * (1 - ROUNDED))
        time += ++row < n ? T[row] : 0;
    bool within = time <= lookahead * (1 + ROUNDED);
    *window = (struct smooth_window){ from, from + 1, within ? row + 1 : row, true };
    return row < n;
}

size_t smooth_window_keep(double period, const double *T, size_t to)
{
    double time = 0;
    for (size_t row = to; row-- > 0;) {
        time += T[row + 1];
        if (row + LEAST_FADED <= to && time >= SMOOTH_FADED * period)
            return row;
    }
    return 0;
}
