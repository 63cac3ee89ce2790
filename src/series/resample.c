/* Rows and the points between rows. See resample.h.
 *
 * When a row arrives, the points of the step from the last row to this row are given first: a point has
 * values between the values of both rows, and the cells of the last row. Then the row is given, and is
 * printed if a point is exactly at the row's time. When a block is full, the row is taken again for the next
 * block. */
#include "series/resample.h"

#include "base/array.h"
#include "base/port.h"
#include "base/text.h"
#include "formats/splice.h"
#include "formats/time_watch.h"
#include "series/groups.h"
#include "series/stage.h"
#include "series/step_points.h"
#include "whole/sample_grid.h"
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
    bool point;   /* a point has been given after the row */
    bool cut;     /* the next point is the first one after a cut */
    struct row_text text;
    double value[]; /* [nchannel] values, followed by [nchannel] goals and [nchannel * nfiltered] outputs */
};

struct resample {
    struct resample_config config;
    const struct column_plan *plan; /* of the rows that are read */
    struct sample_grid grid;
    struct block *in;   /* the block that was taken last */
    size_t at;          /* the current row: an index into the rows of `in` */
    uint64_t line;      /* line of the current row; 0 where rows are not text */
    uint32_t before;    /* bytes of text before the current row */
    size_t frame_bytes; /* bytes of a row, where rows are binary numbers side by side; 0: rows are text */

    size_t place;           /* of the struct last_row in the state of a group */
    struct group *group;    /* of the current row */
    struct row_text hidden; /* of the current row, if warnings look at it and it is not printed */

    uint64_t nrow;           /* rows taken so far */
    uint64_t npoint;         /* points given so far, with rows at points */
    uint64_t nblock;         /* blocks made so far */
    size_t maxrow;           /* rows that a block made may have */
    double fraction[MAXROW]; /* of each point under way: 0 at the last row, 1 at the current row */
};

/* --- rows that are read --- */

static void free_row_text(struct row_text *copy)
{
    free(copy->cell);
    free(copy->text.bytes);
}

/* Copies the text and the cells of the current row. In copy->text a line end follows the row's text, and then
 * come the cells that lie outside of the row (in JSON's objects of columns). */
static bool keep_text(const struct resample *resample, struct row_text *copy, struct error *e)
{
    const struct block *block = resample->in;
    struct span frame = { (uint32_t)(resample->at * resample->frame_bytes), (uint32_t)resample->frame_bytes };
    bool frames = resample->frame_bytes > 0;
    struct span row = frames ? frame : block->row[resample->at];
    copy->text.n = 0;
    copy->block = 0;
    if (!array_reserve(&copy->cell, block->ncell, &copy->maxcell, sizeof *copy->cell, e))
        return false;
    text_add(&copy->text, block->text + row.at, row.n);
    copy->row_bytes = frames ? 0 : row.n;
    if (!frames)
        text_add(&copy->text, "\n", 1);
    for (size_t c = 0; c < block->ncell; c++) {
        struct span cell = block->cell[resample->at * block->ncell + c];
        bool inside = cell.at >= row.at && cell.at - row.at <= row.n;
        bool there = !inside && cell.n > 0 && cell.at < block->ntext && cell.n <= block->ntext - cell.at;
        copy->cell[c].n = cell.n;
        copy->cell[c].at = there ? (uint32_t)copy->text.n : SPLICE_ABSENT;
        if (inside)
            copy->cell[c].at = cell.at - row.at;
        if (there)
            text_add(&copy->text, block->text + cell.at, cell.n);
    }
    return !copy->text.failed || error_memory(e);
}

/* Copies the values, goals, outputs, text and cells of the current row into *last. */
static bool keep_row(const struct resample *resample, struct last_row *last, struct error *e)
{
    const struct block *block = resample->in;
    size_t n = resample->plan->nchannel;
    for (size_t c = 0; c < n; c++) {
        last->value[c] = block_value(block, c)[resample->at];
        last->value[n + c] = block_goal(block, c)[resample->at];
    }
    for (size_t out = 0; out < n * resample->config.nfiltered; out++)
        last->value[2 * n + out] = block_out(block, out)[resample->at];
    return keep_text(resample, &last->text, e);
}

/* Gives the next row of block the text of a copy. All rows of block share one copy of the text; in formats of
 * binary rows each row has its own copy, because a row is found by its number. */
static bool place_text(const struct resample *resample, struct row_text *copy, struct block *block,
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
    for (size_t c = 0; c < block->ncell; c++) {
        cell[c] = copy->cell[c];
        if (cell[c].at != SPLICE_ABSENT)
            cell[c].at += at;
    }
    return true;
}

/* Gives the next row of block, which is not printed, the text of the current row while warnings look at rows.
 * Later hidden rows have no text, and all their cells are absent. */
static bool place_hidden(struct resample *resample, struct block *block, struct error *e)
{
    if (resample->nrow < TIME_WATCH_ROWS && resample->frame_bytes == 0)
        return keep_text(resample, &resample->hidden, e) && place_text(resample, &resample->hidden, block, e);
    struct span *cell = block->cell + block->nrow * block->ncell;
    block->row[block->nrow] = (struct span){ 0, 0 };
    for (size_t c = 0; c < block->ncell; c++)
        cell[c] = (struct span){ SPLICE_ABSENT, 0 };
    return true;
}

/* --- what is given --- */

/* The number that the stage prints itself in a column of the row that was added last: the value of a channel
 * that the filter leaves as it is, the mark of a cut, the number of the frame, or the time. */
static double grid_number(const struct resample *resample, const struct block *block, size_t column,
                          int64_t frame)
{
    const struct column_use *use = plan_use(resample->plan, column);
    size_t row = block->nrow - 1;
    if (use->role == ROLE_CHANNEL)
        return block_value(block, use->value)[row];
    if (use->role == ROLE_CUT)
        return block_value(block, resample->plan->nchannel)[row];
    return resample->plan->columns->column[column].frame ? (double)frame : block->time[row].t;
}

/* What is known of a row or point that is given. */
struct given_row {
    double T;           /* seconds since the row or point before in its group */
    unsigned char mark; /* bits of enum row_mark */
};

/* Adds a row or a point to the block; the values are in the block already. last: the row whose text is given:
 * of a row the row itself, of a point the row before. */
static bool give(struct resample *resample, struct last_row *last, struct block *block,
                 struct given_row given, struct error *e)
{
    size_t row = block->nrow;
    bool hidden = given.mark & MARK_HIDDEN;
    if (!(hidden ? place_hidden(resample, block, e) : place_text(resample, &last->text, block, e)))
        return false;
    block->line[row] = resample->line;
    block->T[row] = given.T;
    block->mark[row] = given.mark;
    if (block->group)
        block->group[row] = resample->group;
    block->nrow++;
    resample->npoint += !hidden;
    if (hidden) {
        block->time[row] = last->time;
        if (resample->config.in.rate > 0)
            block->time[row] = (struct timestamp){ .t = last->time.t / resample->config.in.rate };
        return true;
    }
    block->time[row] = sample_grid_time(&resample->grid, &last->first_time, last->next++);
    block_value(block, resample->plan->nchannel)[row] = last->cut;
    last->cut = false;
    const struct column_plan *plan = resample->plan;
    for (size_t i = 0; i < plan->columns->ncolumn; i++) {
        const struct column_use *use = plan_use(plan, i);
        bool channel = use->role == ROLE_CHANNEL;
        size_t out = resample->config.layout->replace[i];
        if (out != COLUMN_NONE &&
            (!channel || resample->config.fills_channels)) /* not an output of the filter */
            block_out(block, out)[row] = grid_number(resample, block, i, last->next);
    }
    return true;
}

/* How many more rows the block takes. */
static size_t room_left(const struct resample *resample, const struct block *block)
{
    return block->ntext > MAXTEXT || block->nrow >= resample->maxrow ? 0 : resample->maxrow - block->nrow;
}

/* --- rows and points --- */

/* The step from the last row of a group to the current row. */
struct row_step {
    double from, to; /* the positions of both rows among the points */
    int64_t end;     /* number of the first point that is not before the current row */
    double T;        /* seconds */
    bool cut;        /* the current row follows a cut */
};

/* The part of the step that lies before the point, from 0 to 1. */
static double fraction_before(const struct row_step *step, int64_t point)
{
    return fmin(fmax(((double)point - step->from) / (step->to - step->from), 0), 1);
}

/* The seconds between two positions. A point before a row that is at the point to within rounding is no time
 * apart. */
static double seconds_apart(const struct resample *resample, double apart)
{
    return apart > 0 ? apart / resample->grid.hz : 0;
}

/* Gives the points of the step, as many as the block takes. */
static bool give_between(struct resample *resample, struct last_row *last, struct block *block,
                         const struct row_step *step, struct error *e)
{
    struct step_points points = {
        .config = &resample->config, .last = last->value, .in = resample->in, .at = resample->at
    };
    points.T = step->T;
    points.held = step->cut;
    points.block = block;
    points.fraction = resample->fraction;
    for (size_t n; last->next < step->end && (n = room_left(resample, block)) > 0;) {
        uint64_t left = (uint64_t)(step->end - last->next);
        n = left < n ? (size_t)left : n;
        for (size_t i = 0; i < n; i++)
            resample->fraction[i] = fraction_before(step, last->next + (int64_t)i);
        points.n = n;
        step_points_fill(&points);
        for (size_t i = 0; i < n; i++) {
            double apart = last->point ? 1 : (double)last->next - step->from;
            struct given_row point = { seconds_apart(resample, apart), MARK_POINT };
            last->point = true;
            if (!give(resample, last, block, point, e))
                return false;
        }
    }
    return true;
}

/* Refuses a step with so many points that the rate or the unit of the times must be wrong. Where the whole
 * series is held in memory, refuses also a step whose points need more memory than this machine has. */
static bool check_points(const struct resample *resample, double npoint, struct error *e)
{
    static const char *const hint = "use a lower rate; if the times are milliseconds, add --time-unit ms";
    if (npoint > MOST_POINTS) {
        error_data(e, "--resample: this time step would become %.3g rows; at most %.3g are allowed", npoint,
                   MOST_POINTS);
        return error_hint(
            e, "%s", resample->config.in.rate > 0 ? "use a lower --resample rate or a higher --rate" : hint);
    }
    if (!resample->config.in.reader->source->whole)
        return true;
    double memory = port_memory();
    double row = sizeof(double) + 1 + sizeof(struct timestamp) + sizeof(struct span) + sizeof(uint64_t) +
                 (double)resample->in->ncell * sizeof(struct span) +
                 (double)(resample->plan->nchannel + 1 + resample->config.layout->nout) * sizeof(double);
    if (memory == 0 || !(npoint * row > memory))
        return true;
    error_data(e, "--resample: this time step would become %.3g rows, which need %.3g GB of memory", npoint,
               npoint * row / 1e9);
    return error_hint(e, "%s", hint);
}

/* A row that is given when the points before the row have been given. */
struct current_row {
    struct timestamp time;
    struct given_row given;
};

/* Gives the points before the current row, as many as the block takes. Sets T of row->given, and whether the
 * row is hidden. */
static bool step_to_row(struct resample *resample, struct last_row *last, struct block *block,
                        struct current_row *row, struct error *e)
{
    const struct sample_grid *grid = &resample->grid;
    struct row_step step = { .cut = row->given.mark & MARK_CUT };
    step.from = sample_grid_position(grid, &last->first_time, &last->time);
    step.to = sample_grid_position(grid, &last->first_time, &row->time);
    step.T = timestamp_between(&last->time, &row->time, grid->unit);
    if (!(step.to < (double)(INT64_MAX / 2))) {
        error_data(e, "--resample: too many rows from the first time up to here");
        return error_hint(e, "use a lower rate; if the times are milliseconds, add --time-unit ms");
    }
    int64_t end = (int64_t)step.to;
    bool at = (double)end == step.to && last->next <= end;
    step.end = at ? end : end + 1;
    if (!check_points(resample, (double)(end - last->next), e) ||
        !give_between(resample, last, block, &step, e))
        return false;
    row->given.mark |= at ? 0 : MARK_HIDDEN;
    row->given.T = last->point ? seconds_apart(resample, step.to - (double)(last->next - 1)) : step.T;
    return true;
}

/* Moves resample->line to the line of the current row. */
static void count_lines(struct resample *resample)
{
    const struct block *in = resample->in;
    if (in->eol == 0 || in->row[resample->at].at <= resample->before)
        return;
    uint32_t at = in->row[resample->at].at;
    resample->line += block_count(in->text + resample->before, at - resample->before, in->eol);
    resample->before = at;
}

/* Copies the values, goals and outputs of the current row to the next row of a block. */
static void copy_numbers(const struct resample *resample, struct block *block)
{
    const struct block *in = resample->in;
    for (size_t c = 0; c < resample->plan->nchannel; c++) {
        block_value(block, c)[block->nrow] = block_value(in, c)[resample->at];
        block_goal(block, c)[block->nrow] = block_goal(in, c)[resample->at];
    }
    if (resample->config.nfiltered > 0)
        step_points_copy_outputs(&resample->config, in, resample->at, block);
}

/* Gives the points before the current row, then the row, which is printed if a point is at the row's time.
 * Then the next row becomes the current row, unless `block` was full before the row was given. The following
 * points are made from this row, or, of several rows at one time, from the first. */
static bool take_row(struct resample *resample, struct block *block, struct error *e)
{
    const struct block *in = resample->in;
    count_lines(resample);
    resample->group = in->group ? in->group[resample->at] : resample->config.in.groups->first;
    struct last_row *last = group_state(resample->group, resample->place);
    struct current_row row = { .time = series_time(&resample->config.in, in, resample->at, last->nrow) };
    if (block_has_mark(in, resample->at, MARK_CUT))
        row.given.mark = MARK_CUT;
    if (last->nrow == 0)
        last->first_time = row.time;
    else if (!step_to_row(resample, last, block, &row, e))
        return false;
    if (room_left(resample, block) == 0)
        return true;
    bool given = !(row.given.mark & MARK_HIDDEN) || resample->config.nfiltered == 0;
    if ((row.given.T > 0 || last->nrow == 0) && !keep_row(resample, last, e))
        return false;
    last->cut |= row.given.mark & MARK_CUT;
    last->time = row.time;
    last->nrow++;
    last->point = false;
    if (given) {
        copy_numbers(resample, block);
        if (!give(resample, last, block, row.given, e))
            return false;
    }
    resample->at++;
    resample->nrow++;
    return true;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    struct resample *resample = state;
    enum family family = resample->config.in.reader->format->family;
    bool frames = family == FAMILY_AUDIO || family == FAMILY_BINARY || family == FAMILY_ARRAY;
    resample->in = block;
    resample->at = 0;
    resample->frame_bytes = frames ? block->ntext / block->nrow : 0;
    resample->line = block->eol ? block->firstline : 0;
    resample->before = 0;
    block->pending = block->nrow;
    return NULL;
}

/* Sets resample->maxrow, and makes room in `block` for this many rows. */
static bool make_room(struct resample *resample, struct block *block)
{
    size_t nchannel = resample->plan->nchannel, nout = resample->config.layout->nout;
    size_t most = MAXENTRY / (resample->in->ncell + nchannel + nout + 5);
    resample->maxrow = most < MAXROW ? most + 1 : MAXROW;
    struct block_shape shape = { resample->in->ncell, nchannel + 1, nout, .times = true };
    const struct split_shape split = { resample->in->group != NULL, .steps = true, .marks = true };
    return block_reserve(block, resample->maxrow, shape, &block->error) &&
           block_reserve_lines(block, &block->error) && block_reserve_split(block, split, &block->error) &&
           block_reserve_text(block, 1, &block->error) &&
           (resample->in->ngoal == 0 || block_make_goals(block, nchannel, &block->error));
}

static void make(void *state, struct block *block)
{
    struct resample *resample = state;
    if (!make_room(resample, block))
        return;
    block->marks = MARK_CUT | MARK_HIDDEN | MARK_POINT;
    block->outputs_made = true;
    resample->nblock++;
    while (resample->at < resample->in->nrow && room_left(resample, block) > 0)
        if (!take_row(resample, block, &block->error)) {
            error_place(&block->error, block->error.kind == ERROR_DATA ? resample->line : 0);
            return;
        }
    resample->in->pending = resample->in->nrow - resample->at;
}

struct resample *resample_open(struct stage *stage, const struct resample_config *config, struct error *e)
{
    struct resample *resample = calloc(1, sizeof *resample);
    if (!resample) {
        error_memory(e);
        return NULL;
    }
    resample->config = *config;
    resample->plan = config->in.reader->plan;
    resample->grid = (struct sample_grid){ config->hz, series_unit(&config->in) };
    resample->place = groups_reserve(config->in.groups,
                                     sizeof(struct last_row) +
                                         (2 + config->nfiltered) * resample->plan->nchannel * sizeof(double));
    *stage = (struct stage){ .take = take, .make = make, .state = resample };
    return resample;
}

void resample_end(const struct resample *resample, struct block *made)
{
    block_drop_hidden(made);
    for (size_t i = 0; i < made->nrow; i++) {
        made->T[i] = made->T[i] == 0 ? 0 : 1 / resample->grid.hz;
        made->mark[i] = resample_is_cut(made, resample->plan->nchannel, i) ? MARK_CUT : 0;
    }
}

bool resample_thins(const struct resample *resample)
{
    return (double)resample->nrow > THINNED * (double)resample->npoint;
}

void resample_close(struct resample *resample)
{
    if (!resample)
        return;
    const struct groups *groups = resample->config.in.groups;
    for (struct group *group = groups->first; group; group = group->after) {
        struct last_row *last = group_state(group, resample->place);
        free_row_text(&last->text);
    }
    free_row_text(&resample->hidden);
    free(resample);
}
