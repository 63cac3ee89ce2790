/* A gap of a unit is filled when the sample after it is there. Rows are numbered within their group, from 0.
 * See fill.h. */
#include "series/clean/fill.h"

#include "base/array.h"
#include "whole/sample_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a unit is in the rows of a group. */
struct unit_fill {
    size_t final;          /* number of rows that are final; rows from here on are a gap that may be filled */
    bool any;              /* there is a sample that a gap can be filled from: */
    struct timestamp time; /* the last sample's time */
    double number[4];      /* and numbers */
    struct gap gap;        /* the gap under way */
};

/* A group. Zeroed before its first row. */
struct group_fill {
    size_t n;                /* rows taken before the rows under way */
    struct unit_fill unit[]; /* of each unit */
};

struct fill {
    struct operator operator;
    struct series_rows in;
    struct clean_count *count; /* [nchannel] */
    size_t place;              /* of the struct group_fill in a group's state */
};

/* A unit of the group under way. */
struct filling {
    struct fill *fill;
    const struct operator_rows *rows; /* of the group */
    const struct unit *unit;
    struct unit_fill *own;
};

/* The time of a row that is not final. */
static struct timestamp time_of(const struct filling *at, size_t row)
{
    const struct spot spot = operator_spot(at->rows, row);
    return series_time(&at->fill->in, spot.block, spot.row, row);
}

/* --- filling --- */

/* Fills the rows before row `end`, which has a sample. */
static void fill_gap(const struct filling *at, size_t end, const struct timestamp *end_time,
                     const double number[4])
{
    const struct unit *unit = at->unit;
    const struct unit_fill *own = at->own;
    const struct time_unit time_unit = series_unit(&at->fill->in);
    const double T = timestamp_between(&own->time, end_time, time_unit);
    double from[4] = { 0 }, to[4] = { 0 }, print[4], near[4], x[4];
    unit_target(unit, own->number, from);
    unit_target(unit, number, to);
    memcpy(print, own->number, sizeof print);
    for (size_t row = own->final; row < end; row++) {
        const struct spot spot = operator_spot(at->rows, row);
        const struct timestamp time = time_of(at, row);
        const double part = T > 0 ? timestamp_between(&own->time, &time, time_unit) / T : 0;
        const bool still = sample_on_way(unit_sample_kind(unit), from, to, part, x);
        memcpy(near, still ? own->number : print, sizeof near);
        unit_print(unit, near, x, still, print);
        for (size_t k = 0; k < unit->n; k++) {
            block_goal(spot.block, unit->channel[k])[spot.row] = print[k];
            at->fill->count[unit->channel[k]].filled++;
        }
    }
}

/* Counts a gap that stays as it is by --max-gap. */
static void count_long_gap(const struct filling *at)
{
    struct clean_count *count = &at->fill->count[at->unit->channel[0]];
    const uint64_t nrow = at->own->gap.nrow;
    count->long_gaps++;
    count->long_rows = count->long_rows > nrow ? count->long_rows : nrow;
}

/* --- rows --- */

/* Is the gap under way too long, where it lasts at least up to this time? */
static bool is_long(const struct filling *at, const struct timestamp *time)
{
    const struct gap_rule rule = series_gaps(&at->fill->in);
    return gap_is_long(&at->own->gap, &rule, time);
}

/* Takes a row with a sample. The first of several samples with the same time counts. */
static void take_sample(const struct filling *at, size_t row, const double number[4])
{
    struct unit_fill *own = at->own;
    const struct timestamp time = time_of(at, row);
    if (own->gap.open && own->any) {
        if (is_long(at, &time))
            count_long_gap(at);
        else
            fill_gap(at, row, &time, number);
    }
    own->gap.open = false;
    own->final = row + 1;
    if (own->any && timestamp_between(&own->time, &time, series_unit(&at->fill->in)) == 0)
        return;
    own->any = true;
    own->time = time;
    memcpy(own->number, number, sizeof own->number);
}

/* Takes a row without a sample. It waits as long as the gap may be filled. */
static void take_missing(const struct filling *at, size_t row)
{
    struct unit_fill *own = at->own;
    const struct timestamp time = time_of(at, row);
    gap_add(&own->gap, 1, own->any ? &own->time : NULL);
    if (!own->any || is_long(at, &time))
        own->final = row + 1;
}

/* A cut before row `row` ends the run, and an open gap stays. */
static void end_run(const struct filling *at, size_t row)
{
    at->own->final = row;
    at->own->any = at->own->gap.open = false;
}

/* The number of rows from number k of `rows` on that have samples and, but for the first, follow no cut. */
static size_t count_samples(const struct unit *unit, const struct group_rows *rows, size_t k)
{
    size_t n = rows->n - k;
    for (size_t i = 1; rows->block->marks & MARK_CUT && i < n; i++)
        n = block_has_mark(rows->block, group_row(rows, k + i), MARK_CUT) ? i : n;
    for (size_t c = 0; c < unit->n; c++) {
        const double *goal = block_goal(rows->block, unit->channel[c]);
        for (size_t i = 0; i < n; i++)
            n = isnan(goal[group_row(rows, k + i)]) ? i : n;
    }
    return n;
}

/* Takes n rows with samples, from number k of `rows` on, whose first is row `row`. Only the first of them and
 * the first of the last time matter. */
static void take_samples(const struct filling *at, const struct group_rows *rows, size_t k, size_t n,
                         size_t row)
{
    const double *T = rows->block->T;
    double number[4];
    size_t last = n - 1;
    while (last > 0 && T && T[group_row(rows, k + last)] == 0)
        last--;
    series_goals(at->unit, (struct spot){ rows->block, group_row(rows, k) }, number);
    take_sample(at, row, number);
    series_goals(at->unit, (struct spot){ rows->block, group_row(rows, k + last) }, number);
    if (last > 0)
        take_sample(at, row + last, number);
    at->own->final = row + n;
}

/* Takes the next rows of a group, whose first is row `first`, as one unit. */
static void take_unit(const struct filling *at, const struct group_rows *rows, size_t first)
{
    for (size_t k = 0, n; k < rows->n; k += n) {
        if (block_has_mark(rows->block, group_row(rows, k), MARK_CUT))
            end_run(at, first + k);
        n = count_samples(at->unit, rows, k);
        if (n > 0) {
            take_samples(at, rows, k, n, first + k);
        } else {
            take_missing(at, first + k);
            n = 1;
        }
    }
}

/* --- the operator --- */

static struct filling filling_of(struct fill *fill, const struct group *of, size_t unit)
{
    struct group_fill *group = group_state(of, fill->place);
    return (struct filling){ fill, operator_rows_of(&fill->operator, of), &fill->in.units->at[unit],
                             &group->unit[unit] };
}

static uint64_t take(struct operator* operator, const struct group_rows * rows)
{
    struct fill *fill = (struct fill *)operator;
    struct group_fill *group = group_state(rows->group, fill->place);
    const size_t first = group->n;
    size_t final = first + rows->n;
    group->n = final;
    for (size_t i = 0; i < fill->in.units->n; i++) {
        const struct filling at = filling_of(fill, rows->group, i);
        take_unit(&at, rows, first);
        final = at.own->final < final ? at.own->final : final;
    }
    return final;
}

/* An open gap stays. */
static uint64_t end(struct operator* operator, struct group * of)
{
    return operator_rows_of(operator, of)->ntaken;
}

static size_t size_of_group(const struct fill *fill)
{
    return sizeof(struct group_fill) + fill->in.units->n * sizeof(struct unit_fill);
}

static void forget(struct operator* operator, struct group * of)
{
    const struct fill *fill = (const struct fill *)operator;
    memset(group_state(of, fill->place), 0, size_of_group(fill));
}

static void close(struct operator* operator)
{
    free(operator); /* the first member of the struct fill */
}

static const struct operator_kind filling = { .take = take, .end = end, .forget = forget, .close = close };

struct operator* fill_open(const struct series_rows *in, struct clean_count *count, struct error *e)
{
    struct fill *fill;
    if (!arrays_make(e, ARRAY(fill, 1)))
        return NULL;
    fill->in = *in;
    fill->count = count;
    operator_open(&fill->operator, & filling, in->groups);
    fill->operator.ahead = true;
    fill->place = groups_reserve(in->groups, size_of_group(fill));
    return &fill->operator;
}
