/* Knots: their arrays, made of rows, and their results, given to rows. See core.h. */
#include "series/core.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

/* --- arrays --- */

/* Doubles of a knot: T, t, samples, goals, results, and those of passes. */
static size_t columns_of(const struct core *core)
{
    return 2 + core->nchannel * ((core->cleans ? 2 : 1) + core->wanted.n) + core->nextra;
}

/* Copies n numbers of each column. Groups that take turns have 1. */
static void copy_columns(double *to, size_t to_stride, const double *from, size_t from_stride, size_t ncolumn,
                         size_t n)
{
    for (size_t k = 0; k < ncolumn; k++)
        if (n == 1)
            to[k * to_stride] = from[k * from_stride];
        else
            memcpy(to + k * to_stride, from + k * from_stride, n * sizeof *to);
}

void knots_free(struct knots *knots)
{
    free(knots->T);
    free(knots->cut);
    free(knots->x);
    *knots = (struct knots){ 0 };
}

/* Points the columns of the knots into numbers[columns_of][max]. */
static void place_columns(const struct core *core, struct knots *knots, double *numbers, size_t max)
{
    double *next = numbers + 2 * max;
    knots->T = numbers;
    knots->t = numbers + max;
    for (size_t c = 0; c < core->nchannel; c++, next += max)
        knots->x[c] = next;
    for (size_t c = 0; c < core->nchannel; c++) {
        knots->goal[c] = core->cleans ? next : knots->x[c];
        next += core->cleans ? max : 0;
    }
    for (size_t k = 0; k < core->nchannel * core->wanted.n; k++, next += max)
        knots->out[k] = next;
    knots->extra = next;
}

bool knots_reserve(const struct core *core, struct knots *knots, size_t more, struct error *e)
{
    const size_t nchannel = core->nchannel, ncolumn = columns_of(core);
    const size_t nout = nchannel * core->wanted.n, least = knots->n + more;
    if (least <= knots->max)
        return true;
    const size_t max = least < 2 * knots->max ? 2 * knots->max : least;
    double *numbers, *old = knots->T;
    unsigned char *cut;
    if (!knots->x) {
        if (!arrays_make(e, ARRAY(knots->x, nchannel), ARRAY(knots->goal, nchannel), ARRAY(knots->out, nout)))
            return false;
    }
    if (!arrays_make(e, ARRAY(numbers, ncolumn * max)))
        return false;
    if (!(cut = malloc((1 + core->nmark) * max))) {
        free(numbers);
        return error_memory(e);
    }
    copy_columns(numbers, max, old, knots->max, knots->n > 0 ? ncolumn : 0, knots->n);
    for (size_t k = 0; k <= core->nmark && knots->n > 0; k++)
        memcpy(cut + k * max, knots->cut + k * knots->max, knots->n);
    free(old);
    free(knots->cut);
    knots->cut = cut;
    knots->mark = cut + max;
    knots->max = max;
    place_columns(core, knots, numbers, max);
    return true;
}

void knots_drop(const struct core *core, struct knots *knots, size_t n)
{
    const size_t rest = knots->n - n;
    for (size_t k = 0; k < columns_of(core); k++)
        memmove(knots->T + k * knots->max, knots->T + k * knots->max + n, rest * sizeof *knots->T);
    for (size_t k = 0; k <= core->nmark; k++)
        memmove(knots->cut + k * knots->max, knots->cut + k * knots->max + n, rest);
    knots->first += n;
    knots->n = rest;
}

/* --- faults --- */

/* The first row of a knot that is not final: its block and row. */
static struct ref first_row(const struct series *series, uint64_t knot)
{
    const struct ref *ref = &series->ref[series->firstref];
    while (ref->knot + ref->n <= knot)
        ref++;
    return (struct ref){ .block = ref->block, .row = ref->row + (size_t)(knot - ref->knot) };
}

uint64_t core_row(const struct series *series, uint64_t knot)
{
    const struct ref at = first_row(series, knot);
    return at.block->firstrow + at.row;
}

/* Ends the input before a row, if no earlier row has ended it. */
static void end_at(struct core *core, struct block *block, size_t row, const struct error *e)
{
    if (block->firstrow + row >= core->end)
        return;
    core->end = block->firstrow + row;
    core->faulty = block;
    block_cut(block, row, e);
}

void core_fail(struct core *core, struct series *series, uint64_t knot, const struct error *e)
{
    const struct ref at = first_row(series, knot);
    series->failed = true;
    end_at(core, at.block, at.row, e);
}

void core_record(struct core *core, struct series *series, uint64_t knot, const void *record, size_t n)
{
    const struct ref at = first_row(series, knot);
    struct error e;
    if (!block_record(at.block, at.row, record, n, &e))
        core_fail(core, series, knot, &e);
}

/* --- results to rows --- */

/* Does a row miss a number of a unit? */
static bool row_misses(const struct block *block, const struct unit *unit, size_t row)
{
    for (size_t k = 0; k < unit->n; k++)
        if (isnan(block_goal(block, unit->channel[k])[row]))
            return true;
    return false;
}

/* Makes gaps in a row that shares its knot: of the units that the row misses, and that another row has. */
static void clear_missed(const struct core *core, const struct knots *knots, const struct ref *ref)
{
    const struct units *units = core->input.units;
    const size_t nwant = core->wanted.n;
    for (size_t u = 0; u < units->n; u++) {
        const struct unit *unit = &units->at[u];
        if (!row_misses(ref->block, unit, ref->row) ||
            unit_misses(unit, knots->x, knots_at(knots, ref->knot)))
            continue;
        for (size_t k = 0; k < unit->n * nwant; k++)
            block_out(ref->block, unit->channel[k / nwant] * nwant + k % nwant)[ref->row] = (double)NAN;
    }
}

/* Counts the gaps that --gaps fill has filled in n knots from index `at` on. */
static void count_filled(const struct core *core, const struct knots *knots, size_t at, size_t n)
{
    for (size_t c = 0; c < core->nchannel; c++)
        for (size_t i = at; i < at + n; i++)
            core->count[c].filled += isnan(knots->x[c][i]) && !isnan(knots->out[c * core->wanted.n][i]);
}

void knots_give(struct core *core, struct series *series, uint64_t n)
{
    const struct knots *knots = &series->knots;
    while (series->firstref < series->nref && series->ref[series->firstref].knot < n) {
        struct ref *ref = &series->ref[series->firstref];
        struct error e;
        const bool read = !ref->joined || format_parse_again(core->input.reader, ref->block, &e);
        if (!read || !block_make_outputs(ref->block, &e)) {
            core_fail(core, series, ref->knot, &e);
            return;
        }
        const size_t ready = n - ref->knot < ref->n ? (size_t)(n - ref->knot) : ref->n;
        copy_columns(ref->block->out + ref->row, ref->block->maxrow,
                     knots->out[0] + knots_at(knots, ref->knot), knots->max, core->nchannel * core->wanted.n,
                     ready);
        if (core->input.settings->gaps == GAPS_FILL)
            count_filled(core, knots, knots_at(knots, ref->knot), ready);
        if (ref->joined && core->input.settings->gaps != GAPS_FILL)
            clear_missed(core, knots, ref);
        if (core->waits)
            ref->block->pending -= ready;
        ref->row += ready;
        ref->knot += ready;
        ref->n -= ready;
        series->firstref += ref->n == 0;
    }
    if (series->firstref == series->nref)
        series->firstref = series->nref = 0;
    series->given = n;
}

/* --- rows to knots --- */

static bool add_ref(struct series *series, struct ref ref, struct error *e)
{
    if (series->nref == series->maxref && series->firstref > 0) {
        series->nref -= series->firstref;
        memmove(series->ref, series->ref + series->firstref, series->nref * sizeof ref);
        series->firstref = 0;
    }
    if (!array_reserve(&series->ref, series->nref + 1, &series->maxref, sizeof ref, e))
        return false;
    series->ref[series->nref++] = ref;
    return true;
}

/* Another row has the time of the last knot: each of its rows prints its own channels from now on. */
static bool split_last_ref(struct series *series, struct error *e)
{
    if (series->nref == series->firstref || series->ref[series->nref - 1].joined)
        return true;
    struct ref *last = &series->ref[series->nref - 1];
    const struct ref own = { last->block, last->knot + last->n - 1, last->row + last->n - 1, 1, true };
    last->n--;
    series->nref -= last->n == 0;
    return add_ref(series, own, e);
}

/* Sets the units that the last knot misses, and a row has. */
static void take_units(const struct core *core, struct knots *knots, const struct block *block, size_t row)
{
    const size_t last = knots->n - 1;
    for (size_t u = 0; u < core->input.units->n; u++) {
        const struct unit *unit = &core->input.units->at[u];
        if (!unit_misses(unit, knots->x, last) || row_misses(block, unit, row))
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            const size_t channel = unit->channel[k];
            knots->goal[channel][last] = knots->x[channel][last] = block_goal(block, channel)[row];
        }
    }
}

/* Takes a row at the time of the last knot. What has been printed stays: where no pass holds knots for long,
 * the rows before it are decided before it changes the knot, as if it had come in another block. */
static bool join_row(struct core *core, struct series *series, struct block *block, size_t row,
                     struct error *e)
{
    const struct ref ref = { block, series->n - 1, row, 1, true };
    if (!core->waits)
        core_advance(core, series, false);
    if (core->hz == 0 && !split_last_ref(series, e))
        return false;
    take_units(core, &series->knots, block, row);
    series->cut = series->cut || block_follows_cut(block, row);
    return add_ref(series, ref, e);
}

/* Sets steps, times and cuts of n new knots at index `at`. Where no pass reads the times they stay 0. */
static void take_times(const struct core *core, struct series *series, const struct block *block, size_t row,
                       size_t n)
{
    const struct series_rows *input = &core->input;
    struct knots *knots = &series->knots;
    const size_t at = knots->n;
    if (series->n == 0)
        series->first = series_time(input, block, row, 0);
    if (block->T)
        memcpy(knots->T + at, block->T + row, n * sizeof(double));
    for (size_t j = 0; j < n && !block->T; j++)
        knots->T[at + j] = 1 / input->rate;
    memset(knots->cut + at, 0, n);
    if (block->cuts)
        memcpy(knots->cut + at, block->cut + row, n);
    for (size_t j = 0; j < n && core->timed; j++) {
        const struct timestamp now = series_time(input, block, row + j, series->n + j);
        knots->t[at + j] = timestamp_between(&series->first, &now, series_unit(input));
    }
    if (series->n == 0)
        knots->T[0] = 0;
}

/* Takes n rows, which lie side by side, as new knots. */
static bool add_knots(struct core *core, struct series *series, const struct ref *rows, struct error *e)
{
    struct block *block = rows->block;
    const size_t row = rows->row, n = rows->n;
    struct knots *knots = &series->knots;
    const size_t at = knots->n;
    if (!knots_reserve(core, knots, n, e) || !add_ref(series, *rows, e))
        return false;
    take_times(core, series, block, row, n);
    copy_columns(knots->x[0] + at, knots->max, block_goal(block, 0) + row, block->maxrow, core->nchannel, n);
    if (core->cleans)
        copy_columns(knots->goal[0] + at, knots->max, knots->x[0] + at, knots->max, core->nchannel, n);
    knots->cut[at] |= series->cut;
    series->cut = false;
    knots->n += n;
    series->n += n;
    return true;
}

void knots_take_rows(struct core *core, struct series *series, struct block *block, size_t from, size_t end)
{
    const double *T = block->T;
    struct error e;
    for (size_t n; from < end; from += n) {
        n = 1;
        if (T && T[from] == 0 && series->n > 0) {
            if (!join_row(core, series, block, from, &e))
                break;
            continue;
        }
        while (from + n < end && !(T && T[from + n] == 0))
            n++;
        const struct ref rows = { block, series->n, from, n, false };
        if (!add_knots(core, series, &rows, &e))
            break;
    }
    if (from < end)
        end_at(core, block, from, &e);
}
