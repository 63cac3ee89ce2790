/* Parts of a long series. See smooth_window.h. */
#include "whole/smooth_window.h"

#include "whole/smooth_ends.h"

#define PART 10.0 /* periods whose results a window gives, at least */

/* Where rows come fast, a window gives the results of this many seconds, or of LARGE_PART rows: it is soon
 * there, and less is smoothed twice. */
#define SOON 0.25

#define ROUNDED 1e-6 /* relative error of sums of steps, as part of a lookahead */

enum {
    LEAST_PART = 128, /* rows whose results a window gives, at least */
    LARGE_PART = 8192,
    LEAST_BESIDE = 64 /* least rows of a window on each side of the rows with results: the noise at an end of
                         a run is measured on 60 rows, and the slope of a spline depends on 32 */
};

/* The first row, from row `from` on, whose time is at least `least`; n: none. */
static size_t row_at(const double *time, size_t n, size_t from, double least)
{
    size_t reach = 1; /* most rows are near */
    while (from + reach < n && time[from + reach] < least)
        reach *= 2;
    size_t end = from + reach < n ? from + reach : n;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (time[middle] >= least)
            end = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* The first row at least `least` rows that were read, and `seconds`, behind row `from` that has a time of its
 * own; n: none. time: the times that count, those of rows or a part of them. */
static size_t row_behind(const struct window_rows *rows, const double *time, size_t from, size_t least,
                         double seconds)
{
    size_t n = rows->n;
    if (from >= n)
        return n;
    size_t row = row_at(rows->nread, n, from + 1, rows->nread[from] + (double)least);
    row = row_at(time, n, row, time[from] + seconds);
    while (row < n && rows->time[row] == rows->time[row - 1])
        row++;
    return row;
}

/* The last row that a window needs which gives the results of rows before row `to`; n: it is not there. */
static size_t last_needed(double period, const struct window_rows *rows, size_t to)
{
    size_t faded = row_behind(rows, rows->sampled, to, LEAST_BESIDE, SMOOTH_FADED * period);
    size_t most = row_behind(rows, rows->time, to, LEAST_BESIDE,
                             (SMOOTH_FADED + SMOOTH_LONGEST_GAP) * period);
    return faded < most ? faded : most;
}

bool smooth_window_next(double period, const struct window_rows *rows, size_t from,
                        struct smooth_window *window)
{
    size_t to = row_behind(rows, rows->time, from, LEAST_PART, PART * period);
    size_t soon = row_behind(rows, rows->time, from, 1, SOON);
    if (to < soon) {
        size_t large = row_behind(rows, rows->time, from, LARGE_PART, 0), more = large < soon ? large : soon;
        to = to > more ? to : more;
    }
    size_t last = last_needed(period, rows, to);
    *window = (struct smooth_window){ from, to, last + 1, false };
    return last < rows->n;
}

bool smooth_window_of_row(double lookahead, const struct window_rows *rows, size_t from,
                          struct smooth_window *window)
{
    const double *time = rows->time;
    size_t row = row_at(time, rows->n, from, time[from] + lookahead * (1 - ROUNDED));
    bool within = row < rows->n && time[row] - time[from] <= lookahead * (1 + ROUNDED);
    *window = (struct smooth_window){ from, from + 1, within ? row + 1 : row, true };
    return row < rows->n;
}

/* The row before the first whose time is less than `seconds` before that of row to - 1. */
static size_t row_before(const double *time, size_t to, double seconds)
{
    size_t row = row_at(time, to, 0, time[to - 1] - seconds);
    return row > 0 ? row - 1 : 0;
}

size_t smooth_window_keep(double period, const struct window_rows *rows, size_t to)
{
    if (rows->nread[to - 1] - rows->nread[0] < LEAST_BESIDE)
        return 0;
    size_t faded = row_before(rows->sampled, to, SMOOTH_FADED * period);
    size_t most = row_before(rows->time, to, (SMOOTH_FADED + SMOOTH_LONGEST_GAP) * period);
    /* The curve bends more next to the begin of a run: the gap before must be there to show the begin. */
    bool begins = rows->time[to - 1] - rows->begun[to - 1] <= SMOOTH_REACH * period;
    size_t row = faded > most && !begins ? faded : most;
    row = row > RUN_STEPS_AROUND ? row - RUN_STEPS_AROUND : 0;
    size_t few = row_at(rows->nread, to, 0, rows->nread[to - 1] - LEAST_BESIDE + 1);
    return row < few ? row : few;
}

/* Is there a sample of a run? A point of the grid is none. */
static bool is_sample(const struct samples *all, size_t i)
{
    return samples_known(all, i) && !samples_is_point(all, i);
}

/* Does the window show that a run begins with its first sample? */
static bool is_begin_shown(const struct samples *all, struct sample_run run, double longest)
{
    double time = 0;
    for (size_t i = run.first; i > 0 && time <= longest; i--) {
        if (is_sample(all, i - 1))
            return true;
        time += all->T[i];
    }
    return time > longest;
}

/* Does the window show that a run ends with its last sample? */
static bool is_end_shown(const struct samples *all, struct sample_run run, double longest)
{
    double time = 0;
    for (size_t i = run.last + 1; i < all->n && time <= longest; i++) {
        if (is_sample(all, i))
            return true;
        time += all->T[i];
    }
    return time > longest;
}

struct zero_phase_part smooth_window_part(const struct smooth_window *window, const struct samples *all,
                                          struct sample_run run, bool first, double longest)
{
    return (struct zero_phase_part){
        .begun = !first && run.first < window->from && !is_begin_shown(all, run, longest),
        .goes_on = !window->ends && run.last >= window->to && !is_end_shown(all, run, longest),
        .from = run.first < window->from ? window->from - run.first : 0,
        .ahead = run.last >= window->to ? run.last + 1 - window->to : 0,
    };
}
