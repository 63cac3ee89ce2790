/* Rows to samples at knots, and results back to rows. See knots.h. */
#include "series/held/knots.h"

#include "base/array.h"
#include "series/series_state.h"
#include "whole/run_steps.h"
#include "whole/smooth_runs.h"

#include <math.h>
#include <stdlib.h>

/* --- rows that are held --- */

bool held_rows_begin(struct held_rows *held, const struct series_rows *in, const struct operator_rows *rows,
                     struct error *e)
{
    size_t nchannel = in->plan->nchannel;
    if (held->in)
        return true;
    if (!arrays_make(e, ARRAY(held->unwrap, nchannel), ARRAY(held->channel, nchannel),
                     ARRAY(held->usual, nchannel)))
        return false;
    held->in = in;
    held->rows = rows;
    return true;
}

void held_rows_free(struct held_rows *held)
{
    free(held->unwrap);
    window_rows_free(&held->counted);
    free(held->given_T);
}

/* Rows that stand side by side in a block, or among the rows whose results are given. */
struct side_by_side {
    size_t n;                     /* number of rows */
    const double *T;              /* [n] seconds since the row before; NULL: the rate gives them */
    const struct timestamp *time; /* [n] not used with a rate */
    const bool *point;            /* [n] of rows whose results are given */
    const unsigned char *mark;    /* [n] of other rows; NULL: none of them is a point */
    struct spot at;               /* of other rows: the first */
};

/* The rows from `row` on, and at most to row end - 1, that stand side by side. */
static struct side_by_side rows_from(const struct held_rows *held, size_t row, size_t end)
{
    if (row < held->ngiven)
        return (struct side_by_side){
            .n = (end < held->ngiven ? end : held->ngiven) - row,
            .T = held->given_T + row,
            .time = held->given_time + row,
            .point = held->given_point + row,
        };
    const struct spot at = held_spot(held, row);
    const struct block *block = at.block;
    return (struct side_by_side){
        .n = held_side_by_side(held, row, end),
        .T = block->T ? block->T + at.row : NULL,
        .time = block->time ? block->time + at.row : NULL,
        .mark = block->marks & MARK_POINT ? block->mark + at.row : NULL,
        .at = at,
    };
}

/* The following functions copy something of the rows from `row` to end - 1, which may move down within the
 * array where it is kept. */

static void copy_steps(const struct held_rows *held, size_t row, size_t end, double *to)
{
    const double rate = held->in->rate;
    for (struct side_by_side rows; row < end; row += rows.n, to += rows.n) {
        rows = rows_from(held, row, end);
        if (rows.T)
            memmove(to, rows.T, rows.n * sizeof *to);
        for (size_t k = 0; k < rows.n && !rows.T; k++)
            to[k] = 1 / rate;
        if (held->number + row == 0)
            to[0] = 0;
    }
}

static void copy_points(const struct held_rows *held, size_t row, size_t end, bool *to)
{
    for (struct side_by_side rows; row < end; row += rows.n, to += rows.n) {
        rows = rows_from(held, row, end);
        if (rows.point)
            memmove(to, rows.point, rows.n * sizeof *to);
        else if (!rows.mark)
            memset(to, false, rows.n * sizeof *to);
        for (size_t k = 0; k < rows.n && rows.mark; k++)
            to[k] = rows.mark[k] & MARK_POINT;
    }
}

static void copy_times(const struct held_rows *held, size_t row, size_t end, struct timestamp *to)
{
    for (struct side_by_side rows; row < end; row += rows.n, to += rows.n) {
        rows = rows_from(held, row, end);
        memmove(to, rows.time, rows.n * sizeof *to);
    }
}

static void copy_values(const struct held_rows *held, size_t channel, size_t row, size_t end, double *to)
{
    const double *given = held->given_value + channel * held->maxgiven;
    for (struct side_by_side rows; row < end; row += rows.n, to += rows.n) {
        rows = rows_from(held, row, end);
        const struct spot at = rows.at;
        memmove(to, row < held->ngiven ? given + row : block_goal(at.block, channel) + at.row,
                rows.n * sizeof *to);
    }
}

bool held_is_point(const struct held_rows *held, size_t row)
{
    bool point;
    copy_points(held, row, row + 1, &point);
    return point;
}

bool held_rows_count(struct held_rows *held, const struct series *series, double period, struct error *e)
{
    enum { AT_ONCE = 256 }; /* rows: of a long series that is held, windows need few */
    struct window_rows *counted = &held->counted;
    size_t first = counted->n, n = held->nrow - first < AT_ONCE ? held->nrow - first : AT_ONCE;
    n = held_side_by_side(held, first, first + n);
    if (!window_rows_reserve(counted, n, e))
        return false;
    const struct spot at = held_spot(held, first);
    copy_steps(held, first, first + n, counted->T + first);
    copy_points(held, first, first + n, counted->point + first);
    window_rows_begin(counted, n);
    for (size_t c = 0; c < series->nchannel; c++)
        if (!series_leaves(series, c))
            window_rows_count(counted, n, period, &held->channel[c], block_goal(at.block, c) + at.row, 1);
    window_rows_end(counted, n);
    return true;
}

bool held_rows_give(struct held_rows *held, size_t to, size_t keep, struct error *e)
{
    size_t n = to - keep, nchannel = held->in->plan->nchannel;
    struct held_rows next = *held;
    next.maxgiven = n > held->maxgiven ? 2 * n : held->maxgiven;
    if (n > held->maxgiven &&
        !arrays_make(e, ARRAY(next.given_T, next.maxgiven), ARRAY(next.given_time, next.maxgiven),
                     ARRAY(next.given_point, next.maxgiven),
                     ARRAY(next.given_value, nchannel * next.maxgiven)))
        return false;
    for (size_t c = 0; c < nchannel; c++)
        copy_values(held, c, keep, to, next.given_value + c * next.maxgiven);
    copy_steps(held, keep, to, next.given_T);
    copy_points(held, keep, to, next.given_point);
    if (held->in->rate == 0)
        copy_times(held, keep, to, next.given_time);
    if (next.given_T != held->given_T)
        free(held->given_T);
    window_rows_take_off(&next.counted, keep);
    next.ngiven = n;
    next.nrow -= keep;
    next.number += keep;
    *held = next;
    return true;
}

/* --- knots --- */

bool knots_make(struct knots *knots, size_t most, size_t width, struct error *e)
{
    return arrays_make(e, ARRAY(knots->first, most), ARRAY(knots->T, most), ARRAY(knots->time, most),
                       ARRAY(knots->nread, most), ARRAY(knots->point, most), ARRAY(knots->stamp, most),
                       ARRAY(knots->cell, most * width), ARRAY(knots->room, most * width),
                       ARRAY(knots->turns, most), ARRAY(knots->run, most));
}

void knots_free(struct knots *knots)
{
    free(knots->first);
}

/* Do the runs depend on the times of rows, by --max-gap in seconds? */
static bool needs_stamps(const struct knots *knots)
{
    return series_gaps(knots->in).limit.kind == GAP_SECONDS;
}

/* Sets the times of the rows of the window, as if each were a knot. */
static void take_times(struct knots *knots)
{
    const struct held_rows *held = knots->held;
    const bool timed = knots->in->rate == 0, stamped = needs_stamps(knots);
    struct side_by_side rows;
    for (size_t row = 0; row < knots->nrow && timed; row += rows.n) {
        rows = rows_from(held, row, knots->nrow);
        for (size_t k = 0; k < rows.n; k++)
            knots->time[row + k] = rows.time[k].t;
    }
    if (stamped && timed)
        copy_times(held, 0, knots->nrow, knots->stamp);
    for (size_t row = 0; row < knots->nrow && stamped && !timed; row++)
        knots->stamp[row] = series_time(knots->in, NULL, 0, held->number + row);
}

/* Takes all rows of the window, as if each were a knot. */
static void take_each_row(struct knots *knots)
{
    const size_t n = knots->nrow;
    copy_steps(knots->held, 0, n, knots->T);
    copy_points(knots->held, 0, n, knots->point);
    take_times(knots);
    knots->shared = false;
    for (size_t row = 1; row < n; row++)
        knots->shared |= !(knots->T[row] > 0);
    knots->any_point = memchr(knots->point, true, n) != NULL;
    for (size_t row = 0; row < n && (knots->shared || knots->any_point); row++)
        knots->nread[row] = !knots->point[row];
}

/* Makes one knot of the rows of one time, behind take_each_row. */
static void share_knots(struct knots *knots)
{
    const struct smooth_window rows = knots->window;
    size_t n = 0;
    for (size_t row = 0; row < knots->nrow; row++) {
        bool shared = row > 0 && !(knots->T[row] > 0); /* it has the knot of the row before */
        if (row == rows.from)
            knots->window.from = shared ? n - 1 : n;
        if (row == rows.to)
            knots->window.to = n;
        if (shared) {
            knots->nread[n - 1] += knots->nread[row];
            continue;
        }
        knots->first[n] = row;
        knots->nread[n] = knots->nread[row];
        knots->time[n] = knots->time[row];
        knots->stamp[n] = knots->stamp[row];
        knots->T[n++] = knots->T[row];
    }
    knots->n = knots->window.n = n;
    if (rows.to == knots->nrow)
        knots->window.to = n;
    knots->any_point = false;
    for (size_t k = 0; k < n; k++) {
        knots->point[k] = knots->nread[k] == 0;
        knots->any_point |= knots->point[k];
    }
}

void knots_take_rows(struct knots *knots, struct held_rows *held, const struct smooth_window *window,
                     size_t keep)
{
    knots->held = held;
    knots->n = knots->nrow = window->n;
    knots->from = window->from;
    knots->to = window->to;
    knots->window = *window;
    knots->keep = keep;
    take_each_row(knots);
    if (knots->shared)
        share_knots(knots);
}

/* --- cells to samples --- */

/* The number of the unit's channel i in a row. */
static double cell_of(const struct knots *knots, size_t i, size_t row)
{
    return knots->cell[i * knots->nrow + row];
}

/* Is a number of a unit missing? */
static bool misses_any(const double *number, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= isnan(number[i]);
    return any;
}

/* Reads the cells of a knot into knots->read: the cells of the knot's first row without a missing cell.
 * False: each row misses a cell. */
static bool read_knot(struct knots *knots, size_t knot)
{
    const struct unit *unit = knots->unit;
    for (size_t row = knots_first_row(knots, knot); row < knots_first_row(knots, knot + 1); row++) {
        double cell[4];
        for (size_t i = 0; i < unit->n; i++)
            cell[i] = cell_of(knots, i, row);
        unit_follow(unit, knots->read, cell);
        if (!isnan(cell[0]))
            return true;
    }
    return false;
}

struct samples knots_samples(const struct knots *knots)
{
    return (struct samples){
        .n = knots->n,
        .width = unit_width(knots->unit),
        .T = knots->T,
        .value = knots->value,
        .time = knots->in->rate == 0 ? knots->time : NULL,
        .point = knots->any_point ? knots->point : NULL,
    };
}

/* Unwraps the angles of the window, and keeps the turns before the next one. */
static void unwrap_knots(struct knots *knots)
{
    const struct unit *unit = knots->unit;
    struct unwrap *before = &knots->held->unwrap[unit->channel[0]], unwrap = *before;
    size_t nbefore = 0;
    while (nbefore < knots->n && knots_first_row(knots, nbefore) < knots->keep)
        nbefore++;
    angles_unwrap(&unwrap, unit->period, knots->value, knots->turns, nbefore);
    *before = unwrap;
    angles_unwrap(&unwrap, unit->period, knots->value + nbefore, knots->turns + nbefore, knots->n - nbefore);
}

/* Copies the values of angles and vectors, where a knot is a row. */
static void copy_rows(struct knots *knots)
{
    size_t width = knots->unit->n;
    for (size_t c = 0; c < width; c++) {
        const double *from = knots->cell + c * knots->nrow;
        for (size_t k = 0; k < knots->n; k++)
            knots->value[k * width + c] = from[k];
    }
    for (size_t k = 0; k < knots->n && width > 1; k++)
        if (misses_any(knots->value + k * width, width))
            knots->value[k * width] = (double)NAN;
}

/* Reads the value of a knot: the first valid value among its rows. */
static void read_value(struct knots *knots, size_t knot)
{
    double *value = knots->value + knot * unit_width(knots->unit);
    value[0] = (double)NAN;
    if (read_knot(knots, knot))
        unit_target(knots->unit, knots->read, value);
}

void knots_gather(struct knots *knots, const struct unit *unit, double longest)
{
    knots->unit = unit;
    for (size_t i = 0; i < unit->n; i++)
        copy_values(knots->held, unit->channel[i], 0, knots->nrow, knots->cell + i * knots->nrow);
    memset(knots->read, 0, sizeof knots->read);
    bool alone = !knots->shared && !unit_is_rotation(unit); /* a knot is a row, and a sample its value */
    knots->value = alone && unit->kind == UNIT_NUMBER ? knots->cell : knots->room;
    if (alone && unit->kind != UNIT_NUMBER)
        copy_rows(knots);
    for (size_t k = 0; k < knots->n && !alone; k++)
        read_value(knots, k);
    memset(knots->read, 0, sizeof knots->read);
    if (unit->kind == UNIT_ANGLE)
        unwrap_knots(knots);
    const struct run_ends ends = {
        .gaps = series_gaps(knots->in),
        .longest = longest,
        .nread = knots->shared || knots->any_point ? knots->nread : NULL,
        .time = needs_stamps(knots) ? knots->stamp : NULL,
    };
    const struct samples all = knots_samples(knots);
    knots->nrun = smooth_runs_find(&all, &ends, knots->run);
}

/* Does a row miss a cell of the unit? */
static bool is_gap(const struct knots *knots, size_t row)
{
    bool gap = false;
    for (size_t i = 0; i < knots->unit->n; i++)
        gap |= isnan(cell_of(knots, i, row));
    return gap;
}

size_t knots_count_gaps(const struct knots *knots)
{
    size_t count = 0;
    bool full = true;
    for (size_t i = 0; i < knots->unit->n; i++)
        full = full && array_is_finite(knots->cell + i * knots->nrow + knots->from, knots->to - knots->from);
    for (size_t row = knots->from; row < knots->to && !full; row++)
        if (is_gap(knots, row) && !held_is_point(knots->held, row))
            count += knots->unit->n;
    return count;
}

double knots_row_rate(struct knots *knots)
{
    double *step = knots->room, since = 0;
    size_t nstep = 0;
    for (size_t k = 0; k < knots->n; k++) {
        since += knots->T[k];
        if (held_is_point(knots->held, knots_first_row(knots, k)))
            continue;
        if (since > 0)
            step[nstep++] = since;
        since = 0;
    }
    return run_steps_row_rate(step, nstep);
}

/* --- results to cells --- */

static void make_number(struct knots *knots, size_t knot, struct knot_result *result)
{
    if (result->derivative > 0 || !knots->unit->wrap)
        return;
    double cell = read_knot(knots, knot) ? knots->read[0] : (double)NAN;
    result->x[0] = angles_wrap(result->x[0], cell, knots->turns[knot], knots->unit->period);
}

static void make_rotation(struct knots *knots, size_t knot, struct knot_result *result)
{
    const struct unit *unit = knots->unit;
    double *x = result->x, from[4];
    memcpy(from, x, sizeof from);
    if (result->derivative > 0) {
        unit_rates(unit, from, x);
        return;
    }
    bool known = read_knot(knots, knot);
    unit_print(unit, known ? knots->read : knots->printed, from, known && result->at_goal, x);
    memcpy(knots->printed, x, sizeof knots->printed);
}

void knots_make_cells(struct knots *knots, size_t knot, struct knot_result *result)
{
    if (unit_is_rotation(knots->unit))
        make_rotation(knots, knot, result);
    else
        make_number(knots, knot, result);
}

void knots_scatter(const struct knots *knots, size_t output, size_t knot, const double x[4])
{
    const struct gap_way *way = gaps_way(knots->in->settings->gaps);
    size_t first = knots_first_row(knots, knot), end = knots_first_row(knots, knot + 1);
    first = first < knots->from ? knots->from : first;
    end = end > knots->to ? knots->to : end;
    for (size_t row = first; row < end; row++) {
        struct spot at = held_spot(knots->held, row);
        bool gap = is_gap(knots, row);
        for (size_t i = 0; i < knots->unit->n; i++) {
            size_t column = knots->unit->channel[i] * knots->nwant + output;
            block_out(at.block, column)[at.row] = gaps_result(way, gap, x[i]);
        }
    }
}

bool knots_are_numbers(const struct knots *knots)
{
    return !knots->shared && !unit_is_rotation(knots->unit) && !knots->unit->wrap;
}

void knots_scatter_numbers(const struct knots *knots, size_t output, size_t first, size_t end, size_t channel,
                           const double *x)
{
    size_t width = knots->unit->n, of = knots->unit->channel[channel], n;
    const double *cell = knots->cell + channel * knots->nrow;
    const struct gap_way *way = gaps_way(knots->in->settings->gaps);
    for (size_t row = first; row < end; row += n) {
        struct spot at = held_spot(knots->held, row);
        double *out = block_out(at.block, of * knots->nwant + output) + at.row;
        const double *from = x + (row - first) * width + channel;
        n = held_side_by_side(knots->held, row, end);
        for (size_t k = 0; k < n; k++)
            out[k] = gaps_result(way, isnan(cell[row + k]), from[k * width]);
    }
}
