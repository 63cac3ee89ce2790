/* Rows are counted. See window_rows.h. */
#include "whole/window_rows.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves the data of the counted rows to other arrays, or to the beginning of the arrays in use. */
static void move_rows(const struct window_rows *from, const struct window_rows *to)
{
    const size_t bytes = from->n * sizeof *from->time;
    memmove(to->time, from->time, bytes);
    memmove(to->sampled, from->sampled, bytes);
    memmove(to->begun, from->begun, bytes);
    memmove(to->nread, from->nread, bytes);
    memmove(to->T, from->T, bytes);
}

/* Takes back the room of the rows that were taken off. */
static void close_up(struct window_rows *rows)
{
    struct window_rows moved = *rows;
    moved.time -= rows->noff;
    moved.sampled -= rows->noff;
    moved.begun -= rows->noff;
    moved.nread -= rows->noff;
    moved.T -= rows->noff;
    moved.point -= rows->noff;
    moved.noff = 0;
    move_rows(rows, &moved);
    *rows = moved;
}

bool window_rows_reserve(struct window_rows *rows, size_t n, struct error *e)
{
    enum { FEW = 64 };
    struct window_rows more = *rows;
    if (rows->noff + rows->n + n <= rows->max)
        return true;
    if (rows->n + n <= rows->max / 2) { /* at least as many rows were taken off as are moved */
        close_up(rows);
        return true;
    }
    more.noff = 0;
    more.max = 2 * (rows->n + n) + FEW;
    if (!arrays_make(e, ARRAY(more.time, more.max), ARRAY(more.sampled, more.max),
                     ARRAY(more.begun, more.max), ARRAY(more.nread, more.max), ARRAY(more.T, more.max),
                     ARRAY(more.point, more.max)))
        return false;
    if (rows->n > 0)
        move_rows(rows, &more);
    free(rows->own);
    more.own = more.time;
    *rows = more;
    return true;
}

void window_rows_free(struct window_rows *rows)
{
    free(rows->own);
}

/* Takes the step from the last row to a row. */
static void take_step(struct recent_steps *recent, double T)
{
    if (recent->n++ % RECENT_STEPS == 0) {
        recent->before = recent->now;
        recent->now = T;
    }
    recent->now = T < recent->now ? T : recent->now;
    recent->least = recent->n > RECENT_STEPS && recent->before < recent->now ? recent->before : recent->now;
}

/* The seconds that a step counts, T seconds after the row or point before: at a row those since the last row,
 * at a point 0. A step over missing rows has shorter steps around, and counts for as long as the shortest of
 * those before. */
static double counted_seconds(struct recent_steps *recent, double T, bool point)
{
    recent->since += T;
    if (point)
        return 0;
    const double step = recent->since;
    const double counted = recent->n > 0 && step > recent->least ? recent->least : step;
    recent->since = 0;
    if (step > 0)
        take_step(recent, step);
    return counted;
}

void window_rows_begin(struct window_rows *rows, size_t n)
{
    struct recent_steps recent = rows->recent;
    double time = 0, nread = 0;
    if (rows->n > 0) {
        time = rows->time[rows->n - 1];
        nread = rows->nread[rows->n - 1];
    }
    for (size_t row = rows->n; row < rows->n + n; row++) {
        const double T = row > 0 ? rows->T[row] : 0;
        rows->sampled[row] = counted_seconds(&recent, T, rows->point[row]);
        rows->time[row] = time += T;
        rows->begun[row] = -INFINITY;
        rows->nread[row] = nread += !rows->point[row];
    }
    rows->recent = recent;
}

/* Takes a row of a channel: `sampled`, the step to the row, becomes 0 where a gap holds on, and `begun` the
 * time of the row where a run begins. */
static void take_row(const struct window_rows *rows, double period, struct window_channel *channel,
                     size_t row, bool known)
{
    double now = rows->time[row];
    bool long_ago = now - channel->last > SMOOTH_LONGEST_GAP * period;
    if (!known && !long_ago)
        rows->sampled[row] = 0;
    if (known && channel->missing && long_ago)
        rows->begun[row] = now;
    if (known)
        channel->last = now;
    channel->missing = !known;
}

/* Is a value missing in one of n rows? */
static bool any_missing(const double *value, size_t stride, size_t n)
{
    bool any = false;
    for (size_t k = 0; k < n; k++)
        any |= isnan(value[k * stride]);
    return any;
}

/* Where all rows have a value, only the first can begin a run. */
void window_rows_count(const struct window_rows *rows, size_t n, double period,
                       struct window_channel *channel, const double *value, size_t stride)
{
    size_t first = rows->n, end = any_missing(value, stride, n) ? n : 1;
    for (size_t k = 0; k < end; k++)
        if (!rows->point[first + k])
            take_row(rows, period, channel, first + k, !isnan(value[k * stride]));
    if (end < n)
        *channel = (struct window_channel){ rows->time[first + n - 1], false };
}

/* Adds up the steps, and keeps the latest begin of a run. */
void window_rows_end(struct window_rows *rows, size_t n)
{
    double sampled = rows->n > 0 ? rows->sampled[rows->n - 1] : 0;
    double begun = rows->n > 0 ? rows->begun[rows->n - 1] : -INFINITY;
    for (size_t row = rows->n; row < rows->n + n; row++) {
        rows->sampled[row] = sampled += rows->sampled[row];
        rows->begun[row] = begun = rows->begun[row] > begun ? rows->begun[row] : begun;
    }
    rows->n += n;
}

void window_rows_take_off(struct window_rows *rows, size_t n)
{
    n = n < rows->n ? n : rows->n;
    if (n == 0) /* there may be no arrays */
        return;
    rows->time += n;
    rows->sampled += n;
    rows->begun += n;
    rows->nread += n;
    rows->T += n;
    rows->point += n;
    rows->noff += n;
    rows->n -= n;
}
