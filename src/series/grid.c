/* Rows and the points between rows. See grid.h. When a row comes, the points between the last row of its
 * group and this row are given first, with the text of the last row; then the row, if it is at a point. A
 * full block ends before the row, which is taken again for the next block. */
#include "series/grid.h"

#include "base/array.h"
#include "base/text.h"
#include "formats/splice.h"
#include "series/filter_pass.h"
#include "whole/sample_grid.h"
#include "whole/step_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAXROW = 4096,        /* rows in a block */
    MAXENTRY = 64 * 1024, /* cells, values and outputs in a block, unless a few rows take more */
    MAXTEXT = 256 * 1024  /* bytes of text in a full block */
};

/* What is kept of a group between two rows. */
struct last_row {
    struct timestamp first; /* time of the group's first row */
    double at;              /* the position of its last row */
    uint64_t nrow;          /* rows so far */
    int64_t next;           /* number of the next point */
    struct text text;       /* the last row, then the cells outside of its span (JSON's objects of columns) */
    uint32_t row_bytes;     /* of the row in text */
    struct span *cell;      /* [ncell] spans in text; owned */
    size_t maxcell;
    double number[]; /* [nresult] results of the last row, then [nchannel] values */
};

struct grid {
    struct core *core;
    const struct output_columns *layout;
    struct sample_grid grid;
    struct block *input; /* the block that was taken last */
    size_t row;          /* the current row: an index into the rows of `input` */
    size_t place;        /* of the struct last_row behind a group */
    size_t nresult;      /* nchannel * nwant where points lie on curves; else 0 */
    size_t maxrow;       /* rows that a block made may have */
};

/* --- the text of rows --- */

static bool keep_text(const struct grid *grid, struct last_row *last, struct error *e)
{
    const struct block *block = grid->input;
    const struct span row = block->row[grid->row];
    if (!array_reserve(&last->cell, block->ncell, &last->maxcell, sizeof *last->cell, e))
        return false;
    last->row_bytes = row.n;
    last->text.n = 0;
    text_add(&last->text, block->text + row.at, row.n);
    if (block->eol)
        text_add(&last->text, "\n", 1);
    for (size_t k = 0; k < block->ncell; k++) {
        const struct span cell = block->cell[grid->row * block->ncell + k];
        const bool inside = cell.at >= row.at && cell.at - row.at <= row.n;
        const bool there = cell.n > 0 && cell.at < block->ntext && cell.n <= block->ntext - cell.at;
        last->cell[k] = (struct span){ inside ? cell.at - row.at : SPLICE_ABSENT, cell.n };
        if (inside || !there)
            continue;
        last->cell[k].at = (uint32_t)last->text.n;
        text_add(&last->text, block->text + cell.at, cell.n);
    }
    return !last->text.failed || error_memory(e);
}

/* Gives the next row of block the text of the last row. */
static bool place_text(const struct last_row *last, struct block *block, struct error *e)
{
    const uint32_t at = (uint32_t)block->ntext;
    if (!block_reserve_text(block, block->ntext + last->text.n, e))
        return false;
    memcpy(block->text + at, last->text.bytes, last->text.n);
    block->ntext += last->text.n;
    block->row[block->nrow] = (struct span){ at, last->row_bytes };
    for (size_t k = 0; k < block->ncell; k++) {
        const struct span cell = last->cell[k];
        const bool there = cell.at != SPLICE_ABSENT;
        block->cell[block->nrow * block->ncell + k] = (struct span){ there ? cell.at + at : cell.at, cell.n };
    }
    return true;
}

/* --- what is given --- */

/* The results of a row, and its values. */
static struct knot_columns results_of(const struct block *block, size_t row)
{
    return (struct knot_columns){ block->out + row, block->maxrow };
}
static struct knot_columns values_of(const struct block *block, size_t row)
{
    return (struct knot_columns){ block->value + row, block->maxrow };
}

/* Adds the next point to the block, whose outputs of the filter are in the block already. */
static bool give(struct grid *grid, struct last_row *last, struct block *block, struct error *e)
{
    const size_t row = block->nrow;
    const struct table *table = grid->core->input.table;
    const struct knot_columns values = { last->number + grid->nresult, 1 };
    if (!place_text(last, block, e))
        return false;
    knots_copy(values_of(block, row), values, grid->core->nchannel, 1);
    block->time[row] = sample_grid_time(&grid->grid, &last->first, last->next++);
    for (size_t i = 0; i < table->ncolumn; i++) {
        const size_t out = grid->layout->replace[i];
        if (out == COLUMN_NONE || table_column(table, i)->role == ROLE_CHANNEL)
            continue;
        block_out(block, out)[row] = table->column[i].frame ? (double)last->next : block->time[row].t;
    }
    block->nrow++;
    return true;
}

static struct last_row *last_of(const struct grid *grid, struct series *series)
{
    return (struct last_row *)((char *)series + grid->place);
}

/* Is the block full? */
static bool is_full(const struct grid *grid, const struct block *block)
{
    return block->ntext > MAXTEXT || block->nrow >= grid->maxrow;
}

/* A unit and its rates in a row. read: the numbers. False: one is missing. */
static bool read_end(const struct unit *unit, struct knot_columns results, size_t nwant, double read[4],
                     struct step_end *end)
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        const double *of = knots_column(results, nwant * unit->channel[k]);
        const size_t axis = unit_axis(unit, k);
        read[k] = of[0];
        known &= !isnan(read[k]);
        if (axis < 3)
            end->velocity[axis] = of[results.stride] / unit_radian(unit);
    }
    unit_target(unit, read, end->x);
    return known;
}

/* Sets the results of a unit at a part of the step from the last row to the current one. An angle goes the
 * short way. */
static void put_on_curve(const struct grid *grid, struct last_row *last, const struct unit *unit, double part,
                         struct knot_columns out)
{
    const struct block *input = grid->input;
    const size_t nwant = grid->core->wanted.n;
    const double T = input->T[grid->row];
    struct step_end from = { .x = { 0 } }, to = { .x = { 0 } };
    double read[4], unused[4], print[3][4];
    const bool begins = read_end(unit, (struct knot_columns){ last->number, 1 }, nwant, read, &from),
               ends = read_end(unit, results_of(input, grid->row), nwant, unused, &to);
    if (unit->period > 0)
        to.x[0] = angle_near(to.x[0], from.x[0], unit->period);
    const struct step_curve curve = step_curve_make(unit_is_rotation(unit), &from, &to, T);
    const struct step_point at = step_curve_at(&curve, part);
    unit_print(unit, read, at.x, at.still, print[0]);
    unit_rates(unit, at.velocity, print[1]);
    unit_rates(unit, at.acceleration, print[2]);
    for (size_t k = 0; k < unit->n; k++)
        for (size_t o = 0; o < nwant; o++)
            *knots_column(out, unit->channel[k] * nwant + o) = begins && ends ? print[o][k] : (double)NAN;
}

/* Gives the point at a part of this step. */
static bool give_point(struct grid *grid, struct last_row *last, struct block *block, double part,
                       struct error *e)
{
    struct core *core = grid->core;
    const struct units *units = core->input.units;
    const struct knot_columns out = results_of(block, block->nrow);
    for (size_t u = 0; u < units->n && core->curves; u++)
        put_on_curve(grid, last, &units->at[u], part, out);
    if (!core->curves)
        points_of_states(core, core_series(grid->core, grid->input, grid->row), part, out);
    return give(grid, last, block, e);
}

/* Gives the current row, which is at a point, with its own outputs. */
static bool give_row(struct grid *grid, struct last_row *last, struct block *block, struct error *e)
{
    const size_t nout = grid->core->nchannel * grid->core->wanted.n;
    knots_copy(results_of(block, block->nrow), results_of(grid->input, grid->row), nout, 1);
    return give(grid, last, block, e);
}

/* --- rows --- */

/* Gives the points before the current row, then the row, if it is at a point. *full: the block has no room
 * for more, and the row is to be taken again. */
static bool take_time(struct grid *grid, struct last_row *last, struct block *block, bool *full,
                      struct error *e)
{
    const struct timestamp time = series_time(&grid->core->input, grid->input, grid->row, last->nrow);
    if (last->nrow == 0) {
        last->first = time;
        last->at = 0;
        last->next = 0;
    }
    const double from = last->at, to = sample_grid_position(&grid->grid, &last->first, &time);
    while ((double)last->next < to && !is_full(grid, block))
        if (!give_point(grid, last, block, ((double)last->next - from) / (to - from), e))
            return false;
    *full = is_full(grid, block);
    if (*full)
        return true;
    if (!grid->core->curves && floor(from) + 1 < to)
        points_drop(grid->core, core_series(grid->core, grid->input, grid->row));
    last->at = to;
    const struct knot_columns results = { last->number, 1 }, values = knots_from(results, grid->nresult);
    knots_copy(results, results_of(grid->input, grid->row), grid->nresult, 1);
    knots_copy(values, values_of(grid->input, grid->row), grid->core->nchannel, 1);
    return keep_text(grid, last, e) && ((double)last->next != to || give_row(grid, last, block, e));
}

/* Takes the current row. Another row of the same time gives nothing: its numbers are in the first. */
static bool take_row(struct grid *grid, struct block *block, struct error *e)
{
    struct last_row *last = last_of(grid, core_series(grid->core, grid->input, grid->row));
    const double T = grid->input->T[grid->row];
    bool full = false;
    if (T < 0)
        last->nrow = 0;
    if ((last->nrow == 0 || T > 0) && !take_time(grid, last, block, &full, e))
        return false;
    last->nrow += !full;
    grid->row += !full;
    return true;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    struct grid *grid = state;
    grid->input = block;
    grid->row = 0;
    block->pending = block->nrow;
    return NULL;
}

/* Sets grid->maxrow, and makes room in `block` for this many rows. */
static bool make_room(struct grid *grid, struct block *block)
{
    const struct core *core = grid->core;
    const size_t nchannel = core->nchannel, nout = grid->layout->nout;
    const size_t most = MAXENTRY / (grid->input->ncell + nchannel + nout + 5);
    const struct block_shape shape = { grid->input->ncell, nchannel, nout, .times = true };
    grid->maxrow = most < MAXROW ? most + 1 : MAXROW;
    return block_reserve(block, grid->maxrow, shape, &block->error) &&
           block_reserve_text(block, 1, &block->error);
}

static void make(void *state, struct block *block)
{
    struct grid *grid = state;
    const struct block *input = grid->input;
    if (!make_room(grid, block))
        return;
    while (grid->row < input->nrow && !is_full(grid, block))
        if (!take_row(grid, block, &block->error)) {
            const uint64_t line = block_line(input, grid->row);
            if (line > 0 && block->error.kind == ERROR_DATA)
                error_place(&block->error, input->firstline - 1 + line);
            return;
        }
    grid->input->pending = input->nrow - grid->row;
}

struct grid *grid_open(struct stage *stage, struct core *core, const struct output_columns *layout,
                       struct error *e)
{
    struct grid *grid;
    if (!arrays_make(e, ARRAY(grid, 1)))
        return NULL;
    grid->core = core;
    grid->layout = layout;
    grid->grid = (struct sample_grid){ core->hz, series_unit(&core->input) };
    grid->nresult = core->curves ? core->nchannel * core->wanted.n : 0;
    grid->place = array_place(&core->input.groups->size,
                              sizeof(struct last_row) + (grid->nresult + core->nchannel) * sizeof(double), 1);
    *stage = (struct stage){ .take = take, .make = make, .state = grid };
    return grid;
}

void grid_close(struct grid *grid)
{
    if (!grid)
        return;
    const struct groups *groups = grid->core->input.groups;
    for (size_t i = 0; i < groups->ngroup; i++) {
        struct last_row *last = last_of(grid, (struct series *)groups->at[i]);
        free(last->cell);
        free(last->text.bytes);
    }
    free(grid);
}
