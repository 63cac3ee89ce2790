/* Rows to samples at knots, and results back to rows. See knots.h. */
#include "series/held/knots.h"

#include "base/array.h"
#include "series/series_state.h"
#include "whole/run_steps.h"
#include "whole/smooth_runs.h"

#include <math.h>
#include <stdlib.h>

/* --- rows that are held --- */

bool held_rows_reserve(struct held_rows *held, size_t nchannel, size_t n, struct error *e)
{
    enum { FEW = 64 };
    struct held_rows more = *held;
    if (held->noff + held->nrow + n <= held->maxrow)
        return true;
    more.noff = 0;
    more.maxrow = held->maxrow > 0 ? held->maxrow : FEW;
    while (more.maxrow < 2 * (held->nrow + n))
        more.maxrow *= 2;
    if (!arrays_make(e, ARRAY(more.unwrap, nchannel), ARRAY(more.channel, nchannel),
                     ARRAY(more.usual, nchannel), ARRAY(more.T, more.maxrow), ARRAY(more.since, more.maxrow),
                     ARRAY(more.sampled, more.maxrow), ARRAY(more.begun, more.maxrow),
                     ARRAY(more.nread, more.maxrow), ARRAY(more.time, more.maxrow),
                     ARRAY(more.read, more.maxrow)))
        return false;
    if (held->nrow > 0) {
        memcpy(more.T, held->T, held->nrow * sizeof *held->T);
        memcpy(more.since, held->since, held->nrow * sizeof *held->since);
        memcpy(more.sampled, held->sampled, held->ncounted * sizeof *held->sampled);
        memcpy(more.begun, held->begun, held->ncounted * sizeof *held->begun);
        memcpy(more.nread, held->nread, held->ncounted * sizeof *held->nread);
        memcpy(more.time, held->time, held->nrow * sizeof *held->time);
        memcpy(more.read, held->read, held->nrow * sizeof *held->read);
    }
    if (held->maxrow > 0) {
        memcpy(more.unwrap, held->unwrap, nchannel * sizeof *held->unwrap);
        memcpy(more.channel, held->channel, nchannel * sizeof *held->channel);
        memcpy(more.usual, held->usual, nchannel * sizeof *held->usual);
    }
    free(held->unwrap);
    *held = more;
    return true;
}

/* How many of the rows from `row` to end - 1, whose results are not given, lie side by side in one block. */
static size_t rows_side_by_side(const struct held_rows *held, size_t row, size_t end)
{
    const struct spot first = held_spot(held, row);
    size_t n = 1, more = 1; /* n rows lie side by side; do `more` rows behind them, too? */
    for (bool grows = true; more > 0; more = grows ? 2 * more : more / 2) {
        const bool exist = row + n + more <= end;
        const struct spot last = held_spot(held, exist ? row + n + more - 1 : row);
        bool beside = exist && last.block == first.block && last.row == first.row + n + more - 1;
        n += beside ? more : 0;
        grows = grows && beside;
    }
    return n;
}

void held_rows_count(struct held_rows *held, const struct series *series, double period)
{
    struct smooth_window_count rows = { .period = period,
                                        .T = held->T,
                                        .time = held->since,
                                        .read = held->read,
                                        .sampled = held->sampled,
                                        .begun = held->begun,
                                        .nread = held->nread };
    for (; held->ncounted < held->nrow; held->ncounted += rows.n) {
        const struct spot at = held_spot(held, held->ncounted);
        rows.first = held->ncounted;
        rows.n = rows_side_by_side(held, rows.first, held->nrow);
        smooth_window_count_begin(&rows);
        for (size_t c = 0; c < series->nchannel; c++)
            if (!series_leaves(series, c))
                smooth_window_count_channel(&rows, &held->channel[c], block_goal(at.block, c) + at.row, 1);
        smooth_window_count_end(&rows);
    }
}

/* Copies the values of a channel in the rows from `row` to end - 1, which may move within held->given. */
static void copy_values(const struct held_rows *held, size_t channel, size_t row, size_t end, double *to)
{
    if (row < held->ngiven) {
        size_t n = (end < held->ngiven ? end : held->ngiven) - row;
        memmove(to, held->given + channel * held->maxgiven + row, n * sizeof *to);
        row += n;
        to += n;
    }
    for (size_t n; row < end; row += n, to += n) {
        struct spot at = held_spot(held, row);
        n = rows_side_by_side(held, row, end);
        memcpy(to, block_goal(at.block, channel) + at.row, n * sizeof *to);
    }
}

bool held_rows_give(struct held_rows *held, size_t nchannel, size_t to, size_t keep, struct error *e)
{
    size_t n = to - keep, room = n > held->maxgiven ? 2 * n : held->maxgiven;
    double *given = held->given;
    if (room > held->maxgiven && !arrays_make(e, ARRAY(given, nchannel * room)))
        return false;
    for (size_t c = 0; c < nchannel && n > 0; c++)
        copy_values(held, c, keep, to, given + c * room);
    if (given != held->given)
        free(held->given);
    held->given = given;
    held->maxgiven = room;
    held->ngiven = n;
    held->nrow -= keep;
    held->noff += keep;
    held->number += keep;
    held->T += keep;
    held->since += keep;
    held->sampled += keep;
    held->begun += keep;
    held->nread += keep;
    held->ncounted -= keep < held->ncounted ? keep : held->ncounted;
    held->time += keep;
    held->read += keep;
    return true;
}

void held_rows_free(struct held_rows *held)
{
    free(held->unwrap);
    free(held->given);
}

/* --- knots --- */

bool knots_make(struct knots *knots, size_t most, size_t width, struct error *e)
{
    return arrays_make(e, ARRAY(knots->first, most), ARRAY(knots->T, most), ARRAY(knots->time, most),
                       ARRAY(knots->nread, most), ARRAY(knots->point, most), ARRAY(knots->cell, most * width),
                       ARRAY(knots->value, most * width), ARRAY(knots->turns, most), ARRAY(knots->run, most));
}

void knots_free(struct knots *knots)
{
    free(knots->first);
}

void knots_take_rows(struct knots *knots, struct held_rows *held, const struct smooth_window *window,
                     size_t keep)
{
    knots->held = held;
    knots->nrow = window->n;
    knots->from = window->from;
    knots->to = window->to;
    knots->keep = keep;
    knots->shared = false;
    for (size_t row = 1; row < knots->nrow; row++)
        knots->shared |= !(held->T[row] > 0);
    knots->n = 0;
    knots->window = (struct smooth_window){ .ends = window->ends };
    for (size_t row = 0; row < knots->nrow; row++) {
        bool shared = row > 0 && !(held->T[row] > 0); /* it has the knot of the row before */
        if (row == window->from)
            knots->window.from = shared ? knots->n - 1 : knots->n;
        if (row == window->to)
            knots->window.to = knots->n;
        if (shared) {
            knots->nread[knots->n - 1] += held->read[row];
            continue;
        }
        knots->first[knots->n] = row;
        knots->nread[knots->n] = held->read[row];
        knots->time[knots->n] = held->time[row].t;
        knots->T[knots->n++] = held->T[row];
    }
    knots->window.n = knots->n;
    if (window->to == knots->nrow)
        knots->window.to = knots->n;
    knots->any_point = false;
    for (size_t k = 0; k < knots->n; k++) {
        knots->point[k] = knots->nread[k] == 0;
        knots->any_point |= knots->point[k];
    }
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

/* Copies the values of numbers and vectors, where a knot is a row. */
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
    if (alone)
        copy_rows(knots);
    for (size_t k = 0; k < knots->n && !alone; k++)
        read_value(knots, k);
    memset(knots->read, 0, sizeof knots->read);
    if (unit->kind == UNIT_ANGLE)
        unwrap_knots(knots);
    const struct run_ends ends = { series_gaps(knots->in), longest, knots->nread, knots->first,
                                   knots->held->time };
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
    for (size_t row = knots->from; row < knots->to; row++)
        if (is_gap(knots, row) && knots->held->read[row])
            count += knots->unit->n;
    return count;
}

double knots_row_rate(struct knots *knots)
{
    double *step = knots->value, since = 0;
    size_t nstep = 0;
    for (size_t k = 0; k < knots->n; k++) {
        since += knots->T[k];
        if (!knots->held->read[knots_first_row(knots, k)])
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

void knots_scatter_numbers(const struct knots *knots, size_t output, struct sample_run run, size_t channel,
                           const double *x)
{
    size_t width = knots->unit->n, of = knots->unit->channel[channel], n;
    size_t first = run.first > knots->from ? run.first : knots->from;
    size_t end = run.last + 1 < knots->to ? run.last + 1 : knots->to;
    const double *cell = knots->cell + channel * knots->nrow;
    const struct gap_way *way = gaps_way(knots->in->settings->gaps);
    for (size_t row = first; row < end; row += n) {
        struct spot at = held_spot(knots->held, row);
        double *out = block_out(at.block, of * knots->nwant + output) + at.row;
        const double *from = x + (row - run.first) * width + channel;
        n = rows_side_by_side(knots->held, row, end);
        for (size_t k = 0; k < n; k++)
            out[k] = gaps_result(way, isnan(cell[row + k]), from[k * width]);
    }
}
