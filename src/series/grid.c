/* Rows and the points between rows. See grid.h. When a row comes, the points between the last row of its
 * group and this row are given first, with the text of the last row; then the row, if it is at a point. A
 * full block ends before the row, which is taken again for the next block. */
#include "series/grid.h"

#include "base/array.h"
#include "base/text.h"
#include "formats/splice.h"
#include "series/groups.h"
#include "series/points.h"
#include "series/stage.h"
#include "whole/sample_grid.h"
#include "whole/sample_way.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAXROW = 4096,        /* rows in a block */
    MAXENTRY = 64 * 1024, /* cells, values and outputs in a block, unless a few rows take more */
    MAXTEXT = 256 * 1024  /* bytes of text in a full block */
};

#define THINNED     1.1 /* rows for each point, above which the rows hold waves that the points cannot show */
#define MOST_POINTS 1e9 /* in one step: at least 10 GB of text */

/* A copy of a row's text and of the cells in it. */
struct row_text {
    struct span *cell; /* [ncell] spans in text */
    size_t maxcell;
    struct text text;   /* the row, then its cells that lie outside of the row (JSON's objects of columns) */
    uint32_t row_bytes; /* bytes of the row in text */
    uint64_t block;     /* number of the block into which text was copied; 0: text was not copied */
    size_t at;          /* where the copy begins in the text of that block */
};

/* The last row of a group: its time, its values and its text. nrow 0: no row yet. */
struct last_row {
    struct timestamp first_time; /* of the group's first row */
    struct timestamp time;       /* of the last row */
    uint64_t nrow;
    int64_t next; /* number of the grid's next point */
    bool cut;     /* the next point is the first one after a cut */
    struct row_text text;
    double value[]; /* [nchannel] */
};

struct grid {
    struct grid_config config;
    const struct table *table; /* of the rows that are read */
    struct sample_grid grid;
    struct block *input; /* the block that was taken last */
    size_t row;          /* the current row: an index into the rows of `input` */
    uint64_t line;       /* line of the current row; 0 where rows are not text */
    uint32_t before;     /* bytes of text before the current row */
    size_t frame_bytes;  /* bytes of a row, where rows are binary numbers side by side; 0: rows are text */

    size_t place;        /* of the struct last_row in the state of a group */
    struct group *group; /* of the current row */
    double **out;        /* [nchannel * nwant] out columns of the block that is made; owned */

    uint64_t nrow;   /* rows taken so far */
    uint64_t npoint; /* points given so far, with rows at points */
    uint64_t nblock; /* blocks made so far */
    size_t maxrow;   /* rows that a block made may have */
};

/* --- the text of rows --- */

static void free_row_text(struct row_text *copy)
{
    free(copy->cell);
    free(copy->text.bytes);
}

/* Copies the text and the cells of the current row. In copy->text a line end follows the row's text, and then
 * come the cells that lie outside of the row (in JSON's objects of columns). */
static bool keep_text(const struct grid *resample, struct row_text *copy, struct error *e)
{
    const struct block *block = resample->input;
    struct span frame = { (uint32_t)(resample->row * resample->frame_bytes),
                          (uint32_t)resample->frame_bytes };
    bool frames = resample->frame_bytes > 0;
    struct span row = frames ? frame : block->row[resample->row];
    copy->text.n = 0;
    copy->block = 0;
    if (!array_reserve(&copy->cell, block->ncell, &copy->maxcell, sizeof *copy->cell, e))
        return false;
    text_add(&copy->text, block->text + row.at, row.n);
    copy->row_bytes = frames ? 0 : row.n;
    if (!frames)
        text_add(&copy->text, "\n", 1);
    for (size_t k = 0; k < block->ncell; k++) {
        struct span cell = block->cell[resample->row * block->ncell + k];
        bool inside = cell.at >= row.at && cell.at - row.at <= row.n;
        bool there = !inside && cell.n > 0 && cell.at < block->ntext && cell.n <= block->ntext - cell.at;
        copy->cell[k].n = cell.n;
        copy->cell[k].at = there ? (uint32_t)copy->text.n : SPLICE_ABSENT;
        if (inside)
            copy->cell[k].at = cell.at - row.at;
        if (there)
            text_add(&copy->text, block->text + cell.at, cell.n);
    }
    return !copy->text.failed || error_memory(e);
}

/* Gives the next row of block the text of a copy. All rows of block share one copy of the text; in formats of
 * binary rows each row has its own copy, because a row is found by its number. */
static bool place_text(const struct grid *resample, struct row_text *copy, struct block *block,
                       struct error *e)
{
    struct span *cell = block->cell + block->nrow * block->ncell;
    if (copy->block != resample->nblock || resample->frame_bytes) {
        size_t n = copy->text.n;
        if (!block_reserve_text(block, block->ntext + n, e))
            return false;
        memcpy(block->text + block->ntext, copy->text.bytes, n);
        copy->at = block->ntext;
        copy->block = resample->nblock;
        block->ntext += n;
    }
    uint32_t at = (uint32_t)copy->at;
    block->row[block->nrow] = (struct span){ copy->row_bytes ? at : 0, copy->row_bytes };
    for (size_t k = 0; k < block->ncell; k++) {
        cell[k] = copy->cell[k];
        if (cell[k].at != SPLICE_ABSENT)
            cell[k].at += at;
    }
    return true;
}

/* --- what is given --- */

/* The number that the stage prints itself in a column of the row that was added last: the value of a channel
 * that the filter leaves as it is, the mark of a cut, the number of the frame, or the time. */
static double grid_number(const struct grid *resample, const struct block *block, size_t column,
                          int64_t frame)
{
    const struct column *use = table_column(resample->table, column);
    const size_t row = block->nrow - 1;
    if (use->role == ROLE_CHANNEL)
        return block_value(block, use->value)[row];
    if (use->role == ROLE_CUT)
        return block_has_mark(block, row, MARK_CUT);
    return resample->table->column[column].frame ? (double)frame : block->time[row].t;
}

/* Sets the out columns of the row that was added last that are no outputs of the filter. */
static void fill_columns(const struct grid *resample, struct block *block, int64_t frame)
{
    const struct table *table = resample->table;
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        const size_t out = resample->config.layout->replace[i];
        const bool filtered = use->role == ROLE_CHANNEL && !resample->config.fills_channels;
        if (out != COLUMN_NONE && !filtered)
            block_out(block, out)[block->nrow - 1] = grid_number(resample, block, i, frame);
    }
}

/* Adds the next point to the block; its values and outputs are in the block already. last: the row whose text
 * it has. */
static bool give(struct grid *resample, struct last_row *last, struct block *block, struct error *e)
{
    const size_t row = block->nrow;
    if (!place_text(resample, &last->text, block, e))
        return false;
    block->line[row] = resample->line;
    block->T[row] = 1 / resample->grid.hz;
    block->mark[row] = last->cut ? MARK_CUT : 0;
    block->time[row] = sample_grid_time(&resample->grid, &last->first_time, last->next++);
    if (block->group)
        block->group[row] = resample->group;
    block->nrow++;
    last->cut = false;
    resample->npoint++;
    fill_columns(resample, block, last->next);
    return true;
}

/* How many more rows the block takes. */
static size_t room_left(const struct grid *resample, const struct block *block)
{
    return block->ntext > MAXTEXT || block->nrow >= resample->maxrow ? 0 : resample->maxrow - block->nrow;
}

/* --- rows and points --- */

/* The step from the last row of a group to the current row. */
struct row_step {
    double from, to; /* the positions of both rows among the points */
    int64_t end;     /* number of the first point that is not before the current row */
    bool cut;        /* the current row follows a cut */
};

/* Sets the values of a unit at a part of the step: they are what a report compares with. */
static void interpolate(const struct grid *resample, const struct last_row *last, struct block *block,
                        const struct unit *unit, double part, bool held)
{
    double before[4], after[4], from[4], to[4], way[3], print[4];
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        before[k] = last->value[unit->channel[k]];
        after[k] = held ? before[k] : block_value(resample->input, unit->channel[k])[resample->row];
        known &= !isnan(before[k] + after[k]);
        print[k] = sample_between(before[k], after[k], part, unit->period);
    }
    if (unit_is_rotation(unit) && known) {
        unit_target(unit, before, from);
        unit_target(unit, after, to);
        unit_way(unit, from, to, way);
        unit_move(unit, from, way, part);
        unit_print(unit, before, from, false, print);
    }
    for (size_t k = 0; k < unit->n; k++)
        block_value(block, unit->channel[k])[block->nrow] = known ? print[k] : (double)NAN;
}

/* Gives the points of the step, as many as the block takes. */
static bool give_between(struct grid *resample, struct last_row *last, struct block *block,
                         const struct row_step *step, struct error *e)
{
    const struct units *units = resample->config.input.units;
    struct core *core = resample->config.core;
    const char *record = resample->input->record + resample->input->record_at[resample->row];
    for (; last->next < step->end && room_left(resample, block) > 0;) {
        const double part = ((double)last->next - step->from) / (step->to - step->from);
        for (size_t i = 0; i < units->n; i++)
            interpolate(resample, last, block, &units->at[i], part, step->cut);
        points_read(core, record, part, resample->out, block->nrow);
        if (!give(resample, last, block, e))
            return false;
    }
    return true;
}

/* Refuses a step with so many points that the rate or the unit of the times must be wrong. */
static bool check_points(const struct grid *resample, double npoint, struct error *e)
{
    if (!(npoint > MOST_POINTS))
        return true;
    error_data(e, "--resample: this time step would become %.3g rows; at most %.3g are allowed", npoint,
               MOST_POINTS);
    return error_hint(e, "use a lower --resample rate%s",
                      resample->config.input.rate > 0
                          ? " or a higher --rate"
                          : "; if the times are milliseconds, add --time-unit ms");
}

/* Moves resample->line to the line of the current row. */
static void count_lines(struct grid *resample)
{
    const struct block *input = resample->input;
    if (input->line)
        resample->line = input->firstline - 1 + input->line[resample->row];
    if (input->eol == 0 || input->line || input->row[resample->row].at <= resample->before)
        return;
    uint32_t at = input->row[resample->row].at;
    resample->line += block_count(input->text + resample->before, at - resample->before, input->eol);
    resample->before = at;
}

/* Gives the current row, which is at a point, with its own values and outputs. */
static bool give_row(struct grid *resample, struct last_row *last, struct block *block, struct error *e)
{
    const struct block *input = resample->input;
    const struct core *core = resample->config.core;
    for (size_t channel = 0; channel < core->nchannel; channel++)
        block_value(block, channel)[block->nrow] = block_value(input, channel)[resample->row];
    for (size_t k = 0; k < core->nchannel * core->wanted.n; k++)
        resample->out[k][block->nrow] = block_out(input, k)[resample->row];
    return give(resample, last, block, e);
}

/* Keeps the current row as the last one of its group. */
static bool keep_row(const struct grid *resample, struct last_row *last, struct timestamp time,
                     struct error *e)
{
    for (size_t channel = 0; channel < resample->table->nchannel; channel++)
        last->value[channel] = block_value(resample->input, channel)[resample->row];
    last->time = time;
    return keep_text(resample, &last->text, e);
}

/* Gives the points before the current row, then the row, if it is at a point. Then the next row becomes the
 * current row, unless `block` was full before. A further row of one time gives nothing: its numbers are in
 * the first. */
static bool take_row(struct grid *resample, struct block *block, struct error *e)
{
    const struct block *input = resample->input;
    count_lines(resample);
    resample->group = input->group ? input->group[resample->row] : resample->config.input.groups->at[0];
    struct last_row *last = group_state(resample->group, resample->place);
    const struct timestamp time = series_time(&resample->config.input, input, resample->row, last->nrow);
    const bool further = last->nrow > 0 && input->T && input->T[resample->row] == 0;
    struct row_step step = { .cut = block_has_mark(input, resample->row, MARK_CUT) };
    if (last->nrow == 0)
        last->first_time = last->time = time;
    step.from = sample_grid_position(&resample->grid, &last->first_time, &last->time);
    step.to = sample_grid_position(&resample->grid, &last->first_time, &time);
    if (!further && !check_points(resample, step.to - step.from, e))
        return false;
    step.end = (int64_t)ceil(step.to);
    if (!further && last->next < step.end && !give_between(resample, last, block, &step, e))
        return false;
    if (room_left(resample, block) == 0)
        return true;
    last->cut |= step.cut;
    if (!further && !keep_row(resample, last, time, e))
        return false;
    if (!further && (double)last->next == step.to && !give_row(resample, last, block, e))
        return false;
    last->nrow++;
    resample->row++;
    resample->nrow++;
    return true;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    struct grid *resample = state;
    const enum family family = resample->config.input.reader->format->family;
    const bool frames = family == FAMILY_AUDIO || family == FAMILY_BINARY || family == FAMILY_ARRAY;
    resample->input = block;
    resample->row = 0;
    resample->frame_bytes = frames ? block->ntext / block->nrow : 0;
    resample->line = block->eol ? block->firstline : 0;
    resample->before = 0;
    block->pending = block->nrow;
    return NULL;
}

/* Sets resample->maxrow, and makes room in `block` for this many rows. */
static bool make_room(struct grid *resample, struct block *block)
{
    const struct core *core = resample->config.core;
    const size_t nchannel = core->nchannel, nout = resample->config.layout->nout;
    const size_t most = MAXENTRY / (resample->input->ncell + nchannel + nout + 5);
    const struct block_shape shape = { resample->input->ncell, nchannel, nout, .times = true };
    const struct split_shape split = { resample->input->group != NULL, .steps = true, .marks = true };
    resample->maxrow = most < MAXROW ? most + 1 : MAXROW;
    if (!block_reserve(block, resample->maxrow, shape, &block->error) ||
        !block_reserve_lines(block, &block->error) || !block_reserve_split(block, split, &block->error) ||
        !block_reserve_text(block, 1, &block->error))
        return false;
    for (size_t k = 0; k < nchannel * core->wanted.n; k++)
        resample->out[k] = block_out(block, k);
    return true;
}

static void make(void *state, struct block *block)
{
    struct grid *resample = state;
    if (!make_room(resample, block))
        return;
    block->marks = MARK_CUT;
    resample->nblock++;
    while (resample->row < resample->input->nrow && room_left(resample, block) > 0)
        if (!take_row(resample, block, &block->error)) {
            error_place(&block->error, block->error.kind == ERROR_DATA ? resample->line : 0);
            return;
        }
    resample->input->pending = resample->input->nrow - resample->row;
}

struct grid *grid_open(struct stage *stage, const struct grid_config *config, struct error *e)
{
    const size_t nout = config->core->nchannel * config->core->wanted.n;
    struct grid *resample;
    if (!arrays_make(e, ARRAY(resample, 1)))
        return NULL;
    resample->config = *config;
    resample->table = &config->input.reader->table;
    resample->grid = (struct sample_grid){ config->hz, series_unit(&config->input) };
    resample->place = groups_reserve(config->input.groups,
                                     sizeof(struct last_row) + resample->table->nchannel * sizeof(double));
    *stage = (struct stage){ .take = take, .make = make, .state = resample };
    if (arrays_make(e, ARRAY(resample->out, nout)))
        return resample;
    free(resample);
    return NULL;
}

bool grid_thins(const struct grid *resample)
{
    return (double)resample->nrow > THINNED * (double)resample->npoint;
}

void grid_close(struct grid *resample)
{
    if (!resample)
        return;
    const struct groups *groups = resample->config.input.groups;
    for (size_t i = 0; i < groups->ngroup; i++) {
        struct last_row *last = group_state(groups->at[i], resample->place);
        free_row_text(&last->text);
    }
    free(resample->out);
    free(resample);
}
