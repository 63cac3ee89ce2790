/* Rows to samples at knots, and results back to rows. See knots.h. */
#include "series/held/knots.h"

#include "base/array.h"
#include "series/series_state.h"
#include "whole/run_steps.h"
#include "whole/smooth_runs.h"

#include <math.h>
#include <stdlib.h>

/* --- rows that are held --- */

/* Do the runs depend on the times of rows, by --max-gap in seconds? */
static bool needs_stamps(const struct series_rows *in)
{
    return series_gaps(in).limit.kind == GAP_SECONDS;
}

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
    free(held->T);
    free(held->point);
    free(held->time);
    free(held->stamp);
    free(held->given_value);
}

/* Moves the rows to the front of the arrays, which begin with `noff` rows that were removed. */
static void close_up(struct held_rows *held)
{
    const size_t noff = held->noff, n = held->nrow;
    memmove(held->T, held->T + noff, n * sizeof *held->T);
    memmove(held->point, held->point + noff, n * sizeof *held->point);
    memmove(held->time, held->time + noff, n * sizeof *held->time);
    if (held->stamp)
        memmove(held->stamp, held->stamp + noff, n * sizeof *held->stamp);
    held->noff = 0;
}

/* Makes room for n more rows; where there is little, for as many rows again. */
static bool reserve_rows(struct held_rows *held, size_t n, struct error *e)
{
    if (held->in->rate != 0 || held->noff + held->nrow + n <= held->max)
        return true;
    if (held->noff > 0)
        close_up(held);
    const size_t most = held->nrow + n;
    size_t max = held->max;
    if (most <= max / 2)
        return true;
    bool good = array_grow(&held->T, most, &max, sizeof *held->T, e) &&
                array_grow(&held->point, most, &max, sizeof *held->point, e) &&
                array_grow(&held->time, most, &max, sizeof *held->time, e) &&
                (!needs_stamps(held->in) || array_grow(&held->stamp, most, &max, sizeof *held->stamp, e));
    held->max = good ? max : held->max;
    return good;
}

bool held_rows_take(struct held_rows *held, const struct series *series, const struct filter_group *group,
                    const struct chunk *chunk, struct error *e)
{
    if (!reserve_rows(held, chunk->n, e))
        return false;
    const struct block *block = chunk->block;
    const size_t first = held->noff + held->nrow;
    held->nrow += chunk->n;
    if (held->in->rate != 0)
        return true;
    memcpy(held->T + first, series->T, chunk->n * sizeof *held->T);
    memset(held->point + first, false, chunk->n * sizeof *held->point);
    for (size_t j = 0; j < chunk->n && block->marks & MARK_POINT; j++)
        held->point[first + j] = !block_row_read(block, new_row(chunk, j));
    for (size_t j = 0; j < chunk->n; j++)
        held->time[first + j] = block->time[new_row(chunk, j)].t;
    for (size_t j = 0; j < chunk->n && held->stamp; j++)
        held->stamp[first + j] = steps_time(series, group, chunk, j);
    return true;
}

/* Copies what is known of the times of n rows: the steps to them, and whether they are points. */
static void copy_steps(const struct held_rows *held, size_t row, size_t n, double *T, bool *point)
{
    const double rate = held->in->rate;
    for (size_t k = 0; k < n && rate != 0; k++) {
        T[k] = 1 / rate;
        point[k] = false;
    }
    if (rate == 0) {
        memcpy(T, held->T + held->noff + row, n * sizeof *T);
        memcpy(point, held->point + held->noff + row, n * sizeof *point);
    } else if (held->number + row == 0) {
        T[0] = 0;
    }
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
    copy_steps(held, first, n, counted->T + first, counted->point + first);
    window_rows_begin(counted, n);
    for (size_t c = 0; c < series->nchannel; c++) {
        double value[AT_ONCE];
        block_copy_goals(at.block, c, at.row, n, value);
        window_rows_count(counted, n, period, &held->channel[c], value, 1);
    }
    window_rows_end(counted, n);
    return true;
}

/* Copies the values of a channel in the rows from `row` to end - 1, which may move within held->given_value.
 */
static void copy_values(const struct held_rows *held, size_t channel, size_t row, size_t end, double *to)
{
    if (row < held->ngiven) {
        size_t n = (end < held->ngiven ? end : held->ngiven) - row;
        memmove(to, held->given_value + channel * held->maxgiven + row, n * sizeof *to);
        row += n;
        to += n;
    }
    for (size_t n; row < end; row += n, to += n) {
        struct spot at = held_spot(held, row);
        n = held_side_by_side(held, row, end);
        block_copy_goals(at.block, channel, at.row, n, to);
    }
}

/* Makes those of n values of a channel missing that filled a gap or a spike: the row has no number there, or
 * another one. */
static void leave_out_filled(const struct knots *knots, size_t channel, double *value)
{
    enum { AT_ONCE = 256 };
    const size_t end = knots->at + knots->nrow;
    double read[AT_ONCE];
    for (size_t row = knots->at, n; row < end; row += n, value += n) {
        const struct spot at = held_spot(knots->held, row);
        n = held_side_by_side(knots->held, row, row + AT_ONCE < end ? row + AT_ONCE : end);
        if (at.block->ngoal == 0)
            continue;
        block_copy_values(at.block, channel, at.row, n, read);
        for (size_t k = 0; k < n; k++)
            if (isnan(read[k]) || value[k] != read[k])
                value[k] = (double)NAN;
    }
}

bool held_rows_give(struct held_rows *held, size_t to, size_t keep, struct error *e)
{
    size_t n = to - keep, nchannel = held->in->plan->nchannel;
    struct held_rows next = *held;
    next.maxgiven = n > held->maxgiven ? 2 * n : held->maxgiven;
    if (n > held->maxgiven && !arrays_make(e, ARRAY(next.given_value, nchannel * next.maxgiven)))
        return false;
    for (size_t c = 0; c < nchannel && n > 0; c++)
        copy_values(held, c, keep, to, next.given_value + c * next.maxgiven);
    if (next.given_value != held->given_value)
        free(held->given_value);
    window_rows_take_off(&next.counted, keep);
    next.ngiven = n;
    next.nrow -= keep;
    next.noff += keep;
    next.number += keep;
    *held = next;
    return true;
}

/* --- knots --- */

bool knots_make(struct knots *knots, size_t most, size_t width, struct error *e)
{
    return arrays_make(e, ARRAY(knots->first, most), ARRAY(knots->T, most), ARRAY(knots->time, most),
                       ARRAY(knots->point, most), ARRAY(knots->stamp, most), ARRAY(knots->nread, most),
                       ARRAY(knots->cell, most * width), ARRAY(knots->room, most * width),
                       ARRAY(knots->turns, most), ARRAY(knots->run, most));
}

void knots_free(struct knots *knots)
{
    free(knots->first);
}

/* Takes all rows of the window, as if each were a knot. */
static void take_each_row(struct knots *knots)
{
    const struct held_rows *held = knots->held;
    const size_t n = knots->nrow, at = held->noff + knots->at;
    const uint64_t number = held->number + knots->at;
    copy_steps(held, knots->at, n, knots->T, knots->point);
    if (held->time)
        memcpy(knots->time, held->time + at, n * sizeof *knots->time);
    if (held->stamp)
        memcpy(knots->stamp, held->stamp + at, n * sizeof *knots->stamp);
    for (size_t row = 0; row < n && needs_stamps(knots->in) && !held->stamp; row++)
        knots->stamp[row] = series_time(knots->in, NULL, 0, number + row);
    knots->shared = false;
    for (size_t row = 1; row < knots->nrow; row++)
        knots->shared |= !(knots->T[row] > 0);
    knots->any_point = memchr(knots->point, true, knots->nrow) != NULL;
    for (size_t row = 0; row < knots->nrow && (knots->shared || knots->any_point); row++)
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

void knots_take_rows(struct knots *knots, struct held_rows *held, size_t at,
                     const struct smooth_window *window, size_t keep)
{
    knots->held = held;
    knots->at = at;
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
    for (size_t i = 0; i < unit->n; i++) {
        double *cell = knots->cell + i * knots->nrow;
        copy_values(knots->held, unit->channel[i], knots->at, knots->at + knots->nrow, cell);
        if (knots->given)
            leave_out_filled(knots, unit->channel[i], cell);
    }
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
    struct run_ends ends = {
        .gaps = series_gaps(knots->in),
        .longest = longest,
        .nread = knots->shared || knots->any_point ? knots->nread : NULL,
        .time = needs_stamps(knots->in) ? knots->stamp : NULL,
    };
    const struct samples all = knots_samples(knots);
    if (knots->given && ends.gaps.way->bridged)
        ends.gaps.way = gaps_way(GAPS_KEEP); /* a gap that was filled ends no run */
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
