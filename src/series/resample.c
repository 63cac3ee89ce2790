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
#include "series/groups.h"
#include "series/stage.h"
#include "whole/gap_curve.h"
#include "whole/sample_grid.h"
#include "whole/step_curve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAXROW = 4096,        /* rows in a block */
    MAXENTRY = 64 * 1024, /* cells, values and outputs in a block, unless a few rows take more */
    MAXTEXT = 256 * 1024  /* bytes of text after which a block is full */
};

#define THINNED     1.1 /* rows for each point, above which the rows hold waves that the points cannot show */
#define MOST_POINTS 1e9 /* in one step: at least 10 GB of text */

/* The last row of a group: its time, its values, and its text with the cells in it. nrow 0: no row yet. */
struct last_row {
    struct timestamp first, last; /* time of the first and last row */
    uint64_t nrow;
    int64_t next;            /* number of the grid's next point */
    bool point;              /* a point has been given after the row */
    bool cut;                /* the next point is the first one after a cut */
    struct cuts_passed cuts; /* up to the row's time */
    struct span *cell;       /* [ncell] spans in text */
    size_t maxcell;
    struct text text;   /* the row, then its cells that lie outside of the row (JSON's objects of columns) */
    uint32_t nrow_text; /* bytes of the row in text */
    uint64_t block;     /* number of the block into which text was copied; 0: text was not copied */
    size_t at;          /* where the copy begins in the text of that block */
    double value[];     /* [nchannel] values, then [nchannel] goals, then [nchannel * nfiltered] outputs */
};

struct resample {
    struct resample_config c;
    const struct columns *columns; /* of the rows that are read */
    struct sample_grid grid;
    struct block *in; /* the block that was taken last */
    size_t at;        /* the current row: an index into the rows of `in` */
    uint64_t line;    /* line of the current row; 0 where rows are not text */
    uint32_t before;  /* bytes of text before the current row */
    size_t
        nframe; /* bytes of a row in formats whose rows are binary numbers side by side; 0: rows are text */

    struct groups groups; /* extra: struct last_row */

    uint64_t nrow, npoint;   /* rows taken so far, and points given */
    uint64_t nblock;         /* blocks made so far */
    size_t maxrow;           /* rows in a block */
    double fraction[MAXROW]; /* of each point under way: 0 at the last row, 1 at the current row */
};

/* --- rows that are read --- */

static void free_last_row(void *extra)
{
    struct last_row *k = extra;
    free(k->cell);
    free(k->text.bytes);
}

/* Copies the current row into *k: its values, goals and outputs, its text and cells. In k->text a line end
 * follows the row's text, and then come the cells that lie outside of the row (in JSON's objects of columns).
 */
static bool keep_row(struct resample *s, struct last_row *k, struct error *e)
{
    const struct block *b = s->in;
    size_t n = s->columns->nchannel;
    struct span row = { (uint32_t)(s->at * s->nframe), (uint32_t)s->nframe };
    row = s->nframe ? row : b->row[s->at];
    k->text.n = 0;
    k->block = 0;
    for (size_t c = 0; c < n; c++) {
        k->value[c] = block_value(b, c)[s->at];
        k->value[n + c] = block_goal(b, c)[s->at];
    }
    for (size_t out = 0; out < n * s->c.nfiltered; out++)
        k->value[2 * n + out] = block_out(b, out)[s->at];
    if (!array_reserve(&k->cell, b->ncell, &k->maxcell, sizeof *k->cell, e))
        return false;
    text_add(&k->text, b->text + row.at, row.n);
    k->nrow_text = s->nframe ? 0 : row.n;
    text_add(&k->text, "\n", !s->nframe);
    for (size_t c = 0; c < b->ncell; c++) {
        struct span cell = b->cell[s->at * b->ncell + c];
        cell = s->nframe ? (struct span){ SPLICE_ABSENT, NUMBER_MAX } : cell;
        bool inside = cell.at >= row.at && cell.at - row.at <= row.n;
        bool there = !inside && cell.n > 0 && cell.at < b->ntext && cell.n <= b->ntext - cell.at;
        k->cell[c].n = cell.n;
        k->cell[c].at = there ? (uint32_t)k->text.n : SPLICE_ABSENT;
        if (inside)
            k->cell[c].at = cell.at - row.at;
        if (there)
            text_add(&k->text, b->text + cell.at, cell.n);
    }
    return !k->text.failed || error_memory(e);
}

/* Gives the next row of b the text of the last row. All rows of b share one copy of the text; in formats of
 * binary rows each row has its own copy, because a row is found by its number. */
static bool place_text(struct resample *s, struct last_row *k, struct block *b, struct error *e)
{
    struct span *cell = b->cell + b->nrow * b->ncell;
    if (k->block != s->nblock || s->nframe) {
        size_t n = k->text.n;
        if (!block_reserve_text(b, b->ntext + n, e))
            return false;
        memcpy(b->text + b->ntext, k->text.bytes, n);
        k->at = b->ntext;
        k->block = s->nblock;
        b->ntext += n;
    }
    uint32_t at = (uint32_t)k->at;
    b->row[b->nrow] = (struct span){ k->nrow_text ? at : 0, k->nrow_text };
    for (size_t c = 0; c < b->ncell; c++) {
        cell[c] = k->cell[c];
        if (cell[c].at != SPLICE_ABSENT)
            cell[c].at += at;
    }
    return true;
}

/* --- what is given --- */

/* The number that the stage prints itself in column c of the row under way: the value of a channel that the
 * filter leaves as it is, the mark of a cut, the number of the frame, or the time. */
static double grid_number(const struct resample *s, const struct block *b, const struct column *c,
                          int64_t frame)
{
    size_t row = b->nrow - 1;
    if (c->role == ROLE_CHANNEL)
        return block_value(b, c->value)[row];
    if (c->role == ROLE_CUT)
        return block_value(b, s->columns->nchannel)[row];
    return c->frame ? (double)frame : b->time[row].t;
}

/* Adds a row or a point to b; its values are in b already. now: the time of a row; not used for a point. */
static bool give(struct resample *s, struct last_row *k, struct block *b, struct grid_row what,
                 const struct timestamp *now, struct error *e)
{
    size_t row = b->nrow;
    bool hidden = what.kind == GRID_HIDDEN;
    b->row[row] = (struct span){ 0, 0 };
    if ((!hidden || s->columns->ngroup > 0) && /* the text tells the group */
        !place_text(s, k, b, e))
        return false;
    b->line[row] = s->line;
    b->grid[row] = what;
    b->nrow++;
    s->npoint += !hidden;
    if (hidden) {
        b->time[row] = *now;
        if (s->c.in.rate > 0)
            b->time[row] = (struct timestamp){ .t = now->t / s->c.in.rate };
        return true;
    }
    b->time[row] = sample_grid_time(&s->grid, &k->first, k->next++);
    block_value(b, s->columns->nchannel)[row] = k->cut;
    if (s->c.nfiltered > 0) /* the next filter takes points as rows at even steps */
        b->grid[row] = (struct grid_row){ k->next == 1 ? 0 : s->grid.step, GRID_ROW, k->cut };
    k->cut = false;
    for (size_t i = 0; i < s->columns->ncolumn; i++) {
        const struct column *c = &s->columns->column[i];
        bool channel = c->role == ROLE_CHANNEL;
        size_t out = s->c.layout->replace[i];
        bool derivative = c->role == ROLE_PASS && c->reason == REASON_DERIVATIVE;
        if (out != COLUMN_NONE && !derivative &&
            (!channel || s->c.fills_channels)) /* not an output of the filter */
            block_out(b, out)[row] = grid_number(s, b, c, k->next);
    }
    return true;
}

/* How many more rows the block takes. */
static size_t room_left(const struct resample *s, const struct block *b)
{
    return b->ntext > MAXTEXT || b->nrow >= s->maxrow ? 0 : s->maxrow - b->nrow;
}

/* Points under way: the next n rows of a block. They lie at s->fraction of the step from the group's last row
 * to the current row. */
struct points {
    struct block *block;
    size_t n;
    double T;  /* seconds of the step */
    bool held; /* the points repeat the last row: the current row follows a cut */
};

/* The numbers of a block that are meant: block_value or block_goal. */
typedef double *block_column(const struct block *b, size_t channel);

/* Sets the numbers of the points. last: [nchannel] the numbers of the last row. */
static void interpolate(const struct resample *s, const struct points *points, const double *last,
                        block_column *column)
{
    static const double time[4] = { NAN, 0, 1, NAN };
    const struct rotations *all = s->c.in.rotations;
    const struct block *b = points->block;
    size_t n = points->n;
    for (size_t i = 0; i < all->nunit; i++) {
        const struct unit *u = &all->unit[i];
        double *to[4], before[4], after[4], sample[4][4] = { { 0 } };
        bool missing = false;
        for (size_t c = 0; c < u->nchannel; c++) {
            to[c] = column(b, u->channel[c]) + b->nrow;
            before[c] = last[u->channel[c]];
            after[c] = column(s->in, u->channel[c])[s->at];
            after[c] = points->held && !isnan(after[c]) ? before[c] : after[c];
            missing |= isnan(before[c] + after[c]);
        }
        for (size_t k = 0; k < n && !u->rotation; k++)
            to[0][k] = sample_between(before[0], after[0], s->fraction[k], u->period);
        if (!u->rotation)
            continue;
        rotations_target(u->rotation, before, sample[1]);
        rotations_target(u->rotation, after, sample[2]);
        struct gap_curve curve = gap_curve_make(rotations_kind(u), sample, time);
        for (size_t k = 0; k < n; k++) {
            double x[4], print[4];
            bool still = gap_curve_at(&curve, s->fraction[k], x);
            rotations_print(u->rotation, before, x, still, print);
            for (size_t c = 0; c < u->nchannel; c++)
                to[c][k] = missing ? (double)NAN : print[c];
        }
    }
}

/* --- behind a filter --- */

/* The filter's output of a channel in the last row k, or with k NULL in the current row. */
static double filtered(const struct resample *s, const struct last_row *k, size_t channel, size_t output)
{
    size_t out = channel * s->c.nfiltered + output;
    return k ? k->value[2 * s->columns->nchannel + out] : block_out(s->in, out)[s->at];
}

/* Sets an output of a channel in a row of block b; a following filter takes the value as its goal. */
static void put_filtered(const struct resample *s, const struct block *b, size_t row, size_t channel,
                         size_t output, double x)
{
    if (!s->c.followed)
        block_out(b, channel * s->c.nfiltered + output)[row] = x;
    else if (output == 0 && !isnan(x))
        block_goal(b, channel)[row] = x;
}

/* One end of the step: the last row k, or with k NULL the current row. Sets read to the filtered numbers
 * there. False: a number is missing. */
static bool take_end(const struct resample *s, const struct unit *u, const struct last_row *k, double read[4],
                     struct step_end *end)
{
    bool known = true;
    for (size_t i = 0; i < u->nchannel; i++) {
        read[i] = filtered(s, k, u->channel[i], 0);
        known &= !isnan(read[i]);
    }
    if (u->rotation)
        rotations_target(u->rotation, read, end->x);
    else
        end->x[0] = read[0];
    size_t naxis = u->rotation ? 3 : 1;
    double unit = u->rotation ? rotations_unit(u->rotation) : 1;
    for (size_t axis = 0; axis < naxis; axis++)
        end->velocity[axis] = filtered(s, k, u->channel[u->nchannel - naxis + axis], 1) / unit;
    return known;
}

/* Sets the outputs of a rotation at a point in a row of block b. read: the numbers of the row before. */
static void put_rotation(const struct resample *s, const struct block *b, size_t row, const struct unit *u,
                         const double read[4], const struct step_point *point)
{
    double print[4], unit = rotations_unit(u->rotation);
    rotations_print(u->rotation, read, point->x, point->still, print);
    for (size_t i = 0; i < u->nchannel; i++) {
        size_t axis = i + 3 - u->nchannel; /* too large for the w of a quaternion */
        put_filtered(s, b, row, u->channel[i], 0, print[i]);
        put_filtered(s, b, row, u->channel[i], 1, axis < 3 ? unit * point->velocity[axis] : 0);
        if (s->c.nfiltered > 2)
            put_filtered(s, b, row, u->channel[i], 2, axis < 3 ? unit * point->acceleration[axis] : 0);
    }
}

/* Sets the outputs of a channel or rotation at the points. k: the last row. */
static void follow_curve(const struct resample *s, const struct last_row *k, const struct unit *u,
                         const struct points *points)
{
    const struct block *b = points->block;
    struct step_end from, to;
    double read[4], unused[4], turns = 0;
    bool known = take_end(s, u, k, read, &from);
    known &= take_end(s, u, NULL, unused, &to);
    if (u->wrap) { /* go the short way; a point has the turn of the nearer row */
        double short_way = remainder(to.x[0] - from.x[0], u->period);
        turns = to.x[0] - (from.x[0] + short_way);
        to.x[0] = from.x[0] + short_way;
    }
    struct step_curve curve = step_curve_make(u->rotation != NULL, &from, &to, points->T);
    for (size_t i = 0; i < points->n; i++) {
        size_t row = b->nrow + i;
        struct step_point point = step_curve_at(&curve, s->fraction[i]);
        if (known && u->rotation) {
            put_rotation(s, b, row, u, read, &point);
            continue;
        }
        const double number[3] = { point.x[0] + (s->fraction[i] < 0.5 ? 0 : turns), point.velocity[0],
                                   point.acceleration[0] };
        for (size_t c = 0; c < u->nchannel; c++)
            for (size_t output = 0; output < s->c.nfiltered; output++)
                put_filtered(s, b, row, u->channel[c], output, known ? number[output] : (double)NAN);
    }
}

/* Sets the outputs of the next row of block b to the outputs of the current row. */
static void copy_filtered(const struct resample *s, const struct block *b)
{
    for (size_t c = 0; c < s->columns->nchannel; c++)
        for (size_t output = 0; output < s->c.nfiltered; output++)
            put_filtered(s, b, b->nrow, c, output, filtered(s, NULL, c, output));
}

/* --- rows and points --- */

/* The step from the last row to the current one. */
struct given_step {
    int64_t end; /* number of the first point that is not before the current row */
    double T;    /* seconds */
    bool cut;    /* the current row follows a cut */
};

/* Gives the points of the step, as many as the block takes. */
static bool give_between(struct resample *s, struct last_row *k, struct block *b,
                         const struct sample_grid_step *step, const struct given_step *given, struct error *e)
{
    const struct rotations *all = s->c.in.rotations;
    int64_t end = given->end;
    for (size_t n; k->next < end && (n = room_left(s, b)) > 0;) {
        n = (uint64_t)(end - k->next) < n ? (size_t)(end - k->next) : n;
        for (size_t i = 0; i < n; i++)
            s->fraction[i] = sample_grid_fraction(step, k->next + (int64_t)i);
        const struct points points = { b, n, given->T, given->cut };
        interpolate(s, &points, k->value, block_value);
        if (b->ngoal > 0)
            interpolate(s, &points, k->value + s->columns->nchannel, block_goal);
        for (size_t i = 0; s->c.nfiltered > 0 && i < all->nunit; i++)
            follow_curve(s, k, &all->unit[i], &points);
        for (size_t i = 0; i < n; i++) {
            struct grid_row what = { s->grid.step, GRID_POINT, false };
            if (!k->point)
                what.T = sample_grid_seconds(&s->grid, step, k->next, false);
            k->point = true;
            if (!give(s, k, b, what, NULL, e))
                return false;
        }
    }
    return true;
}

/* Refuses a step with so many points that the rate, or the unit of the times, cannot be meant; and a step
 * with more points than this machine has memory for, where they would be held in it. */
static bool check_points(const struct resample *s, double npoint, struct error *e)
{
    static const char *const hint = "take a lower rate, or give the unit of the times with --time-unit";
    if (npoint > MOST_POINTS) {
        error_data(
            e, "--resample: the step to this row would become %.3g rows, and at most %.3g are made of one",
            npoint, MOST_POINTS);
        return error_hint(e, "%s",
                          s->c.in.rate > 0 ? "take a lower rate with --resample, or a higher one with --rate"
                                           : hint);
    }
    if (!s->c.in.reader->source->whole)
        return true;
    double memory = port_memory();
    double row = sizeof(struct grid_row) + sizeof(struct timestamp) + sizeof(struct span) + sizeof(uint64_t) +
                 (double)s->in->ncell * sizeof(struct span) +
                 (double)(s->columns->nchannel + 1 + s->c.layout->nout) * sizeof(double);
    if (memory == 0 || !(npoint * row > memory))
        return true;
    error_data(e, "--resample: the step to this row has %.3g points, which take %.3g GB of memory", npoint,
               npoint * row / 1e9);
    return error_hint(e, "%s", hint);
}

/* Gives the points before the current row. Sets kind and T of *what for the current row. */
static bool step_to_row(struct resample *s, struct last_row *k, struct block *b, const struct timestamp *now,
                        struct grid_row *what, struct error *e)
{
    struct sample_grid_step step = sample_grid_step(&s->grid, &k->first, &k->last, now);
    int64_t end;
    bool at;
    if (step.exact ? step.to < step.from : step.end < step.start)
        return groups_backward(s->columns, s->groups.last, &k->last, now, e);
    if (!sample_grid_last(&step, &end, &at)) {
        error_data(e, "--resample: the grid has too many points from the first row up to here");
        return error_hint(e, "take a lower rate, or give the unit of the times with --time-unit");
    }
    at &= k->next <= end;
    struct given_step given = { at ? end : end + 1, timestamp_between(&k->last, now, s->grid.unit),
                                what->cut };
    if (!check_points(s, (double)(end - k->next), e) || !give_between(s, k, b, &step, &given, e))
        return false;
    what->kind = at ? GRID_ROW : GRID_HIDDEN;
    what->T = k->point ? sample_grid_seconds(&s->grid, &step, k->next - 1, true) : given.T;
    return true;
}

/* Gives the points up to the current row, then the row, which is printed if a point is at its time. Where
 * block b is full before that, the current row stays the current row. Of several rows at one time the first
 * becomes the last row, from which the following points are made. */
static bool take_row(struct resample *s, struct block *b, struct error *e)
{
    const struct block *in = s->in;
    if (in->eol && in->row[s->at].at > s->before) {
        s->line += block_count(in->text + s->before, in->row[s->at].at - s->before, in->eol);
        s->before = in->row[s->at].at;
    }
    struct group *g = groups_find(&s->groups, s->c.in.reader, in, s->at, e);
    if (!g)
        return false;
    struct last_row *k = g->extra;
    struct timestamp now = series_time(&s->c.in, in, s->at, k->nrow);
    struct cuts_passed passed = k->cuts;
    struct grid_row what = { 0, GRID_ROW, series_cut(&s->c.in, in, s->at, &now, &passed) };
    if (k->nrow == 0)
        k->first = now;
    else if (!step_to_row(s, k, b, &now, &what, e))
        return false;
    if (room_left(s, b) == 0)
        return true;
    bool given = what.kind == GRID_ROW || s->c.nfiltered == 0;
    for (size_t c = 0; c < s->columns->nchannel; c++) {
        block_value(b, c)[b->nrow] = block_value(in, c)[s->at];
        block_goal(b, c)[b->nrow] = block_goal(in, c)[s->at];
    }
    if ((what.T > 0 || k->nrow == 0) && !keep_row(s, k, e))
        return false;
    k->cut |= what.cut;
    k->cuts = passed;
    k->last = now;
    k->nrow++;
    k->point = false;
    if (given && s->c.nfiltered > 0)
        copy_filtered(s, b);
    if (given && !give(s, k, b, what, &now, e))
        return false;
    s->at++;
    s->nrow++;
    return true;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *b)
{
    struct resample *s = state;
    enum family family = s->c.in.reader->format->family;
    bool frames = family == FAMILY_AUDIO || family == FAMILY_BINARY;
    s->in = b;
    s->at = 0;
    s->nframe = frames ? b->ntext / b->nrow : 0;
    s->groups.last = NULL;
    s->line = b->eol ? b->firstline : 0;
    s->before = 0;
    b->pending = b->nrow;
    return NULL;
}

/* Makes room in block b for s->maxrow rows. */
static bool make_room(struct resample *s, struct block *b)
{
    size_t nchannel = s->columns->nchannel, nout = s->c.layout->nout;
    size_t most = MAXENTRY / (s->in->ncell + nchannel + nout + 5);
    s->maxrow = most < MAXROW ? most + 1 : MAXROW;
    struct block_shape shape = { s->in->ncell, nchannel + 1, nout, .times = true };
    return block_reserve(b, s->maxrow, shape, &b->error) && block_reserve_grid(b, &b->error) &&
           block_reserve_text(b, 1, &b->error) &&
           (s->in->ngoal == 0 || block_make_goals(b, nchannel, &b->error));
}

static void make(void *state, struct block *b)
{
    struct resample *s = state;
    if (!make_room(s, b))
        return;
    s->nblock++;
    while (s->at < s->in->nrow && room_left(s, b) > 0)
        if (!take_row(s, b, &b->error)) {
            error_place(&b->error, b->error.kind == ERROR_DATA ? s->line : 0);
            return;
        }
    s->in->pending = s->in->nrow - s->at;
}

struct resample *resample_open(struct stage *stage, const struct resample_config *config, struct error *e)
{
    struct resample *s = calloc(1, sizeof *s);
    if (!s) {
        error_memory(e);
        return NULL;
    }
    s->c = *config;
    s->columns = &config->in.reader->columns;
    sample_grid_make(&s->grid, config->hz, series_unit(&config->in));
    s->groups.free_extra = free_last_row;
    s->groups.nextra = sizeof(struct last_row) +
                       (2 + config->nfiltered) * s->columns->nchannel * sizeof(double);
    *stage = (struct stage){ .take = take, .make = make, .changes_goals = config->followed, .state = s };
    return s;
}

bool resample_thins(const struct resample *s)
{
    return (double)s->nrow > THINNED * (double)s->npoint;
}

void resample_close(struct resample *s)
{
    if (s)
        groups_free(&s->groups);
    free(s);
}
