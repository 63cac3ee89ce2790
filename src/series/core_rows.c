/* Rows to knots and results to rows: the part of the core that knows blocks. A row is final when
 * its results are in its block. That is when the last pass has decided its knot; where no row waits, as soon
 * as the passes have seen the row. See core.h. */
#include "series/core.h"

#include "base/array.h"
#include "series/smooth_pass.h"
#include "series/warnings.h"

#include <math.h>

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

/* --- results to rows --- */

/* The goals of a block. */
static struct knot_columns goals_of(const struct block *block)
{
    return (struct knot_columns){ block_goal(block, 0), block->maxrow };
}

/* Makes gaps of the units that a row misses, and that another row of its knot has. */
static void clear_missed(const struct core *core, const struct knots *knots, const struct block *block,
                         size_t row, size_t knot)
{
    const struct units *units = core->input.units;
    const size_t nwant = core->wanted.n;
    for (size_t u = 0; u < units->n; u++) {
        const struct unit *unit = &units->at[u];
        if (!unit_misses(unit, goals_of(block), row) || unit_misses(unit, knots->x, knot))
            continue;
        for (size_t k = 0; k < unit->n * nwant; k++)
            block_out(block, unit->channel[k / nwant] * nwant + k % nwant)[row] = (double)NAN;
    }
}

/* Gives the results of n knots to their rows, the first rows of *ref. Of rows that share a knot each has its
 * own gaps, unless gaps are filled; --resample takes the first of them for all. */
static bool give(const struct core *core, const struct series *series, struct ref *ref, size_t n,
                 struct error *e)
{
    struct block *block = ref->block;
    const struct knots *knots = &series->knots;
    const size_t at = knots_at(knots, ref->knot);
    const bool clears = series->shares && core->hz == 0 && core->input.settings->gaps != GAPS_FILL;
    if ((clears && !format_parse_again(core->input.reader, block, e)) || !block_make_outputs(block, e))
        return false;
    const struct knot_columns to = { block->out + ref->row, block->maxrow };
    knots_copy(to, knots_from(knots->out, at), core->nchannel * core->wanted.n, n);
    for (size_t i = 0; i < n && clears; i++)
        clear_missed(core, knots, block, ref->row + i, at + i);
    if (core->waits)
        block->pending -= n;
    ref->row += n;
    ref->knot += n;
    ref->n -= n;
    return true;
}

void core_give(struct core *core, struct series *series, uint64_t n)
{
    struct error e;
    while (series->firstref < series->nref && series->ref[series->firstref].knot < n) {
        struct ref *ref = &series->ref[series->firstref];
        const size_t ready = n - ref->knot < ref->n ? (size_t)(n - ref->knot) : ref->n;
        if (!give(core, series, ref, ready, &e)) {
            core_fail(core, series, ref->knot, &e);
            return;
        }
        series->firstref += ref->n == 0;
    }
    if (series->firstref == series->nref)
        series->firstref = series->nref = 0;
}

/* --- rows to knots --- */

static inline bool add_ref(struct series *series, const struct ref *ref, struct error *e)
{
    if (series->nref == series->maxref && series->firstref > 0) {
        series->nref -= series->firstref;
        memmove(series->ref, series->ref + series->firstref, series->nref * sizeof *ref);
        series->firstref = 0;
    }
    if (!array_reserve(&series->ref, series->nref + 1, &series->maxref, sizeof *ref, e))
        return false;
    series->ref[series->nref++] = *ref;
    return true;
}

/* Sets the units that the last knot misses, and a row has. */
static void take_units(const struct core *core, struct knots *knots, const struct block *block, size_t row)
{
    const size_t last = knots->n - 1;
    for (size_t u = 0; u < core->input.units->n; u++) {
        const struct unit *unit = &core->input.units->at[u];
        double number[4];
        if (!unit_misses(unit, knots->x, last) || !unit_read(unit, goals_of(block), row, number))
            continue;
        for (size_t k = 0; k < unit->n; k++) {
            knots_column(knots->x, unit->channel[k])[last] = number[k];
            knots_column(knots->goal, unit->channel[k])[last] = number[k];
        }
    }
}

/* Takes a row at the time of the last knot. What has been printed stays: where no pass holds knots for long,
 * the rows before it are decided before it changes the knot, as if it had come in another block. */
static bool join_row(struct core *core, struct series *series, struct block *block, size_t row,
                     struct error *e)
{
    const struct ref ref = { block, series->n - 1, row, 1 };
    if (!core->waits)
        core_advance(core, series, false);
    series->shares = true;
    take_units(core, &series->knots, block, row);
    series->cut = series->cut || (block->cuts && block->cut[row]);
    return add_ref(series, &ref, e);
}

/* Sets steps, times and cuts of n new knots. Where no pass reads the times they stay 0. */
static void take_times(const struct core *core, struct series *series, const struct ref *rows)
{
    const struct series_rows *input = &core->input;
    const struct block *block = rows->block;
    const size_t row = rows->row, n = rows->n, at = series->knots.n;
    struct knots *knots = &series->knots;
    if (series->n == 0) {
        series->first = series_time(input, block, row, 0);
        series->state = (unsigned char *)(series + 1);
    }
    memcpy(knots->T + at, block->T + row, n * sizeof(double));
    memset(knots->cut + at, 0, n);
    if (block->cuts)
        memcpy(knots->cut + at, block->cut + row, n);
    for (size_t j = 0; j < n && core->timed; j++) {
        const struct timestamp now = series_time(input, block, row + j, series->n + j);
        knots->t[at + j] = timestamp_between(&series->first, &now, series_unit(input));
    }
    if (series->n == 0)
        knots->T[0] = 0;
    knots->cut[at] |= series->cut;
    series->cut = false;
}

/* Takes rows that lie side by side as new knots. */
static bool add_knots(struct core *core, struct series *series, const struct ref *rows, struct error *e)
{
    const struct block *block = rows->block;
    struct knots *knots = &series->knots;
    if (!knots_reserve(core, knots, rows->n, e) || !add_ref(series, rows, e))
        return false;
    take_times(core, series, rows);
    const struct knot_columns from = knots_from(goals_of(block), rows->row);
    knots_copy(knots_from(knots->x, knots->n), from, core->nchannel, rows->n);
    if (core->cleans)
        knots_copy(knots_from(knots->goal, knots->n), from, core->nchannel, rows->n);
    knots->n += rows->n;
    series->n += rows->n;
    return true;
}

/* Where the clock was set: decides all rows of the series, and begins the series again. */
static void begin_again(struct core *core, struct series *series)
{
    core_advance(core, series, true);
    if (series->failed)
        return;
    core_forget(core, series->state);
    memset(series->state, 0, core->nstate);
    series->n = series->given = series->knots.first = series->knots.n = 0;
    series->shares = series->cut = false;
}

/* Takes the rows `from` to end - 1 of a series: rows at new times, and rows at the time of the row before. */
static void take_rows(struct core *core, struct series *series, struct block *block, size_t from, size_t end)
{
    const double *T = block->T;
    struct error e;
    for (size_t n; from < end; from += n) {
        n = 1;
        if (T[from] < 0 && series->n > 0)
            begin_again(core, series);
        if (T[from] == 0 && series->n > 0) {
            if (!join_row(core, series, block, from, &e))
                break;
            continue;
        }
        while (from + n < end && T[from + n] > 0)
            n++;
        const struct ref rows = { block, series->n, from, n };
        if (!add_knots(core, series, &rows, &e))
            break;
    }
    if (from < end)
        end_at(core, block, from, &e);
}

/* --- the stage --- */

/* Takes the rows of a block, then advances each series that got rows, also rows after a fault, which shortens
 * the block. */
static void take_block(struct core *core, struct block *block)
{
    const size_t nrow = block->nrow;
    struct series *first = NULL, **last = &first;
    for (size_t from = 0, end; from < nrow; from = end) {
        struct series *series = core_series(core, block, from);
        end = block->grouped ? from + 1 : nrow;
        while (end < nrow && block->group[end] == &series->group)
            end++;
        take_rows(core, series, block, from, end);
        if (series->fresh || series->n == 0) /* 0: memory ran out at its first row */
            continue;
        series->fresh = true;
        *last = series;
        last = &series->next;
    }
    *last = NULL;
    for (struct series *series = first; series; series = series->next) {
        series->fresh = false;
        core_advance(core, series, false);
    }
}

static struct block *take(void *state, struct block *block)
{
    struct core *core = state;
    const bool good = core_split(core, block);
    core->nrow += block->nrow;
    if (core->warnings)
        warnings_take(core->warnings, block);
    core->faulty = NULL;
    block->pending = core->waits ? block->nrow : 0;
    take_block(core, block);
    if (core->warnings)
        warnings_say(core->warnings, false);
    const bool undecided = block->nrow > 0 && block->pending == block->nrow;
    if (core->whole && undecided && !block->changed)
        block_trim(block, core->hz > 0);
    return core->faulty || good ? core->faulty : block;
}

static struct block *finish(void *state, bool whole)
{
    struct core *core = state;
    core->faulty = NULL;
    const struct groups *groups = core->input.groups;
    for (size_t i = 0; i < groups->ngroup; i++) {
        struct series *series = (struct series *)groups->at[i];
        if (series->n > 0 && (core->waits || series->grows))
            core_advance(core, series, true);
    }
    if (core->smooth_pass && whole && core->end == UINT64_MAX)
        smooth_pass_say(core->smooth_pass);
    if (core->warnings)
        warnings_say(core->warnings, whole);
    return core->faulty;
}

struct stage core_stage(struct core *core)
{
    core->input.groups->size = sizeof(struct series) + core->nstate;
    return (struct stage){ take, finish, .state = core };
}
