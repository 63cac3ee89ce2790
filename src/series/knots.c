/* Rows to samples at knots, and results back to rows. See knots.h. */
#include "series/knots.h"

#include "base/array.h"
#include "whole/noise.h"

#include <math.h>
#include <stdlib.h>

#define LONG_STEP 1.5 /* usual steps; rows are missing in a longer step */

bool knots_make(struct knots *knots, size_t most, bool rotations, struct error *e)
{
    size_t width = rotations ? SAMPLE_ROTATION : SAMPLE_NUMBER;
    return arrays_make(e, ARRAY(knots->first, most), ARRAY(knots->time, most),
                       ARRAY(knots->value, most * width), ARRAY(knots->turns, most), ARRAY(knots->run, most));
}

void knots_free(struct knots *knots)
{
    free(knots->first);
}

void knots_take_group(struct knots *knots, struct held_rows *held)
{
    for (; held->nrow; held->nrow--) {
        struct spot last = held->row[held->nrow - 1];
        if (last.row < last.block->nrow)
            break;
    }
    knots->row = held->row;
    knots->nrow = held->nrow;
    knots->T = held->T;
    knots->shared = false;
    for (size_t row = 1; row < held->nrow; row++)
        knots->shared |= !(held->T[row] > 0);
    knots->n = 0;
    for (size_t row = 0; row < held->nrow; row++) {
        if (row > 0 && !(held->T[row] > 0))
            continue;
        struct spot at = held->row[row];
        if (knots->shared)
            knots->first[knots->n] = row;
        if (knots->in->rate == 0)
            knots->time[knots->n] = series_time(knots->in, at.block, at.row, row).t;
        held->T[knots->n++] = held->T[row];
    }
}

/* --- cells to samples --- */

/* Reads the cells of a knot into knots->read: the cells of the knot's first row in which no cell is missing.
 * False: each row misses a cell. */
static bool read_knot(struct knots *knots, size_t knot)
{
    const struct unit *unit = knots->unit;
    for (size_t row = knots_first_row(knots, knot); row < knots_first_row(knots, knot + 1); row++) {
        struct spot at = knots->row[row];
        double cell[4];
        for (size_t i = 0; i < unit->nchannel; i++)
            cell[i] = block_goal(at.block, unit->channel[i])[at.row];
        if (unit->rotation)
            rotations_follow(unit->rotation, knots->read, cell);
        else
            knots->read[0] = cell[0];
        if (!isnan(cell[0]))
            return true;
    }
    return false;
}

struct samples knots_samples(const struct knots *knots)
{
    size_t width = knots->unit->rotation ? SAMPLE_ROTATION : SAMPLE_NUMBER;
    return (struct samples){
        .n = knots->n,
        .width = width,
        .T = knots->T,
        .value = knots->value,
        .time = knots->in->rate == 0 ? knots->time : NULL,
    };
}

/* Is the gap between two knots with values longer than --max-gap? */
static bool is_long_gap(const struct knots *knots, size_t from, size_t to)
{
    size_t first = knots_first_row(knots, from), last = knots_first_row(knots, to), nmissing = 0;
    struct spot before = knots->row[first], after = knots->row[last];
    struct timestamp start = series_time(knots->in, before.block, before.row, first);
    struct timestamp end = series_time(knots->in, after.block, after.row, last);
    for (size_t row = knots_first_row(knots, from + 1); row < last; row++)
        nmissing += block_row_read(knots->row[row].block, knots->row[row].row);
    return series_long_gap(knots->in, nmissing, &start, &end);
}

/* Does a run end between two knots with values? */
static bool ends_run(const struct knots *knots, size_t from, size_t to)
{
    return to > from + 1 && (knots->in->settings->gaps >= GAPS_LINEAR || is_long_gap(knots, from, to));
}

static void find_runs(struct knots *knots)
{
    const struct samples all = knots_samples(knots);
    knots->nrun = 0;
    for (size_t k = 0; k < all.n; k++) {
        if (!samples_known(&all, k))
            continue;
        if (knots->nrun > 0 && !ends_run(knots, knots->run[knots->nrun - 1].last, k))
            knots->run[knots->nrun - 1].last = k;
        else
            knots->run[knots->nrun++] = (struct sample_run){ k, k };
    }
}

void knots_gather(struct knots *knots, const struct unit *unit)
{
    struct unwrap unwrap = { 0 };
    knots->unit = unit;
    const struct samples all = knots_samples(knots);
    memset(knots->read, 0, sizeof knots->read);
    for (size_t k = 0; k < all.n; k++) {
        knots->value[k * all.width] = (double)NAN;
        if (read_knot(knots, k))
            rotations_target(unit->rotation, knots->read, knots->value + k * all.width);
    }
    memset(knots->read, 0, sizeof knots->read);
    if (unit->period > 0)
        angles_unwrap(&unwrap, unit->period, knots->value, knots->turns, all.n);
    find_runs(knots);
}

/* Does a row miss a cell of the unit? */
static bool is_gap(const struct knots *knots, struct spot at)
{
    bool gap = false;
    for (size_t i = 0; i < knots->unit->nchannel; i++)
        gap |= isnan(block_goal(at.block, knots->unit->channel[i])[at.row]);
    return gap;
}

size_t knots_count_gaps(const struct knots *knots)
{
    size_t count = 0;
    for (size_t row = 0; row < knots->nrow; row++) {
        struct spot at = knots->row[row];
        if (is_gap(knots, at) && block_row_read(at.block, at.row))
            count += knots->unit->nchannel;
    }
    return count;
}

double knots_row_rate(struct knots *knots)
{
    double *step = knots->value, since = 0, time = 0;
    size_t nstep = 0, nusual = 0;
    for (size_t k = 0; k < knots->n; k++) {
        struct spot at = knots_spot(knots, k);
        since += knots->T[k];
        if (!block_row_read(at.block, at.row))
            continue;
        if (since > 0)
            step[nstep++] = since;
        since = 0;
    }
    if (nstep == 0)
        return (double)NAN;
    double usual = noise_median(step, nstep);
    for (size_t i = 0; i < nstep; i++)
        if (step[i] <= LONG_STEP * usual) {
            time += step[i];
            nusual++;
        }
    return (double)nusual / time;
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
    const struct rotation *rotation = knots->unit->rotation;
    double *x = result->x, from[4];
    memcpy(from, x, sizeof from);
    if (result->derivative > 0) {
        x[0] = 0;
        for (size_t c = 0; c < 3; c++)
            x[rotation->ncolumn - 3 + c] = rotations_unit(rotation) * from[c];
        return;
    }
    bool known = read_knot(knots, knot);
    rotations_print(rotation, known ? knots->read : knots->printed, from, known && result->at_goal, x);
    memcpy(knots->printed, x, sizeof knots->printed);
}

void knots_make_cells(struct knots *knots, size_t knot, struct knot_result *result)
{
    if (knots->unit->rotation)
        make_rotation(knots, knot, result);
    else
        make_number(knots, knot, result);
}

void knots_scatter(const struct knots *knots, size_t output, size_t knot, const double x[4])
{
    for (size_t row = knots_first_row(knots, knot); row < knots_first_row(knots, knot + 1); row++) {
        struct spot at = knots->row[row];
        bool gap = knots->in->settings->gaps != GAPS_FILL && is_gap(knots, at);
        for (size_t i = 0; i < knots->unit->nchannel; i++) {
            size_t column = knots->unit->channel[i] * knots->nwant + output;
            block_out(at.block, column)[at.row] = gap ? (double)NAN : x[i];
        }
    }
}
