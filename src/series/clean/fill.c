/* A gap of a unit is filled when its end is known: with a line at the sample after the gap, with a curve one
 * row later, since that row's sample bends the curve. See fill.h. */
#include "series/clean/fill.h"

#include "base/array.h"
#include "series/clean/bridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group. Zeroed before its first row. */
struct group_fill {
    size_t n;                /* rows taken before the rows under way */
    uint64_t instant;        /* number of different times before the last row */
    bool failed;             /* out of memory for a spike */
    struct unit_fill unit[]; /* of each unit */
};

/* --- samples --- */

/* Counts the gap before a sample if the gap stays as it is by --max-gap. */
static void count_long_gap(const struct filling *at)
{
    struct unit_fill *own = at->own;
    struct clean_count *count = &at->fill->count[at->unit->channel[0]];
    if (own->left && gaps_way(at->fill->in.settings->gaps)->bridged) {
        count->long_gaps++;
        count->long_rows = count->long_rows > own->gap.nrow ? count->long_rows : own->gap.nrow;
    }
    own->left = false;
}

/* Takes n valid samples into account, from row `row` on, for the warning of curves that overshoot. */
static void measure_samples(const struct filling *at, size_t row, size_t n)
{
    double number[4];
    for (size_t i = row; i < row + n && filling_may_overshoot(at); i++) {
        filling_numbers(at, i, number);
        bridge_measure(at, number, false);
    }
}

/* Takes a valid sample. The first of several samples with the same time counts; samples before a gap that is
 * not filled do not count. */
static void take_sample(const struct filling *at, size_t row, uint64_t instant)
{
    struct unit_fill *own = at->own;
    bool follows = own->has_sample && !own->unfilled;
    count_long_gap(at);
    own->final = row + 1;
    own->unfilled = false;
    own->gap.open = false;
    if (follows && instant == own->last.instant)
        return;
    struct valid_sample sample = { .row = row, .instant = instant, .time = filling_time(at, row) };
    filling_numbers(at, row, sample.number);
    own->earlier = follows ? own->last : sample;
    own->last = sample;
    own->has_sample = true;
}

/* --- gaps --- */

/* Is the gap of a unit left as it is, where it lasts at least up to row `row`? */
static bool stays_gap(const struct filling *at, size_t row)
{
    const struct gap_rule rule = series_gaps(&at->fill->in);
    const struct timestamp time = filling_time(at, row);
    return !rule.way->bridged || gap_is_long(&at->own->gap, &rule, &time);
}

/* Ends a run before row `end`. */
static void end_run(const struct filling *at, size_t end)
{
    double number[4];
    struct unit_fill *own = at->own;
    struct spike_gap gap = { SPIKE_NO_ROW, SPIKE_NO_ROW, own->opening, end, false };
    while (gap.closing > own->final && filling_numbers(at, gap.closing - 1, number))
        gap.closing--;
    bridge_settle(at, &gap, NULL, end);
    own->opening = end;
    own->has_sample = own->left = false;
    own->gap.open = false;
}

/* Takes a row without a valid sample. The row waits as long as the gap may be filled, or a spike in the gap
 * bridged. spike: the row holds a spike. */
static void take_missing(const struct filling *at, size_t row, bool spike)
{
    struct unit_fill *own = at->own;
    const size_t nwindow = at->fill->nwindow;
    own->spike_end = spike ? row + 1 : own->spike_end;
    own->opening += spike && row == own->opening;
    const bool bridged = own->spike_end > own->final && row + 1 - own->spike_end < nwindow;
    gap_add(&own->gap, 1, own->has_sample ? &own->last.time : NULL);
    if (own->has_sample && (bridged || !(own->unfilled || stays_gap(at, row))))
        return;
    const struct spike_gap gap = { SPIKE_NO_ROW, SPIKE_NO_ROW, own->opening, SPIKE_NO_ROW, false };
    bridge_settle(at, &gap, NULL, row + 1);
    own->unfilled = true;
    own->left |= own->has_sample;
    if (own->has_sample && row - own->last.row > nwindow)
        own->has_sample = false;
}

/* Fills the gap before own->end, or, where it stays a gap, the spikes that can be bridged. next: as in
 * bridge_make. */
static void bridge_gap(const struct filling *at, size_t next)
{
    struct unit_fill *own = at->own;
    struct bridge bridge = bridge_make(at, next);
    own->left |= stays_gap(at, own->end);
    own->unfilled |= own->left;
    const struct spike_gap gap = { own->last.row, own->end, own->opening, SPIKE_NO_ROW, !own->unfilled };
    bridge_settle(at, &gap, &bridge, own->end);
    own->ended = false;
    take_sample(at, own->end, own->end_instant);
}

/* --- rows --- */

void fill_expect_spike(struct operator* operator, const struct group * group, size_t unit, size_t row)
{
    struct group_fill *own = group_state(group, ((struct fill *)operator)->place);
    struct expected *spikes = &own->unit[unit].spikes;
    if (spikes->first == spikes->n)
        spikes->first = spikes->n = 0;
    if (array_reserve(&spikes->row, spikes->n + 1, &spikes->max, sizeof *spikes->row, NULL))
        spikes->row[spikes->n++] = row;
    else
        own->failed = true;
}

/* Does the unit have a spike in row `row`, the next one? */
static bool take_spike(const struct filling *at, size_t row)
{
    struct expected *spikes = &at->own->spikes;
    if (spikes->first == spikes->n || spikes->row[spikes->first] != row)
        return false;
    spikes->first++;
    for (size_t k = 0; k < at->unit->n; k++)
        at->fill->count[at->unit->channel[k]].unbridged++;
    return true;
}

/* Takes the next row. begins: the row follows a cut. */
static void take_row(const struct filling *at, size_t row, bool begins, uint64_t instant)
{
    struct unit_fill *own = at->own;
    double number[4];
    const bool spike = take_spike(at, row), valid = filling_numbers(at, row, number) && !spike;
    if (own->ended)
        bridge_gap(at, valid && !begins && instant > own->end_instant ? row : 0);
    if (begins)
        end_run(at, row);
    measure_samples(at, row, valid);
    if (!valid) {
        take_missing(at, row, spike);
    } else if (own->final == row) {
        take_sample(at, row, instant);
    } else {
        own->end = row;
        own->end_instant = instant;
        own->ended = true;
        if (gaps_way(at->fill->in.settings->gaps)->straight)
            bridge_gap(at, 0);
    }
}

/* The number of rows from number k of `rows` on, up to `most`, that have valid samples and follow no cut. */
static size_t count_valid(const struct unit *unit, const struct group_rows *rows, size_t k, size_t most)
{
    size_t n = most;
    for (size_t i = 0; rows->block->marks & MARK_CUT && i < n; i++)
        n = block_has_mark(rows->block, group_row(rows, k + i), MARK_CUT) ? i : n;
    for (size_t c = 0; c < unit->n; c++) {
        const double *goal = block_goal(rows->block, unit->channel[c]);
        for (size_t i = 0; i < n; i++)
            n = isnan(goal[group_row(rows, k + i)]) ? i : n;
    }
    return n;
}

/* Takes the next rows of a group, whose first is row `first`, as one unit. Where no gap waits to be filled
 * and all times differ, only the last two of several samples are remembered. */
static void take_unit(const struct filling *at, const struct group_rows *rows, size_t first)
{
    struct unit_fill *own = at->own;
    const struct expected *spikes = &own->spikes;
    const uint64_t *instant = at->fill->instant;
    for (size_t k = 0, n; k < rows->n; k += n) {
        const size_t row = first + k;
        const bool waits = own->ended || own->final != row;
        size_t most = waits ? 0 : rows->n - k;
        if (spikes->first < spikes->n && spikes->row[spikes->first] - row < most)
            most = spikes->row[spikes->first] - row;
        const size_t valid = count_valid(at->unit, rows, k, most);
        measure_samples(at, row, valid);
        const bool differ = valid > 2 && instant[k + valid - 1] - instant[k] + 1 == valid;
        for (size_t i = differ ? valid - 2 : 0; i < valid; i++)
            take_sample(at, row + i, instant[k + i]);
        n = valid > 0 ? valid : 1;
        if (valid == 0)
            take_row(at, row, row > 0 && block_has_mark(rows->block, group_row(rows, k), MARK_CUT),
                     instant[k]);
    }
}

/* Sets fill->instant of the next rows of a group. */
static bool find_instants(struct fill *fill, struct group_fill *group, const struct group_rows *rows,
                          struct error *e)
{
    if (!array_reserve(&fill->instant, rows->n, &fill->ninstant, sizeof *fill->instant, e))
        return false;
    for (size_t k = 0; k < rows->n; k++) {
        const double *T = rows->block->T;
        if (group->n + k > 0)
            group->instant += !T || T[group_row(rows, k)] > 0;
        fill->instant[k] = group->instant;
    }
    return true;
}

static struct filling filling_of(struct fill *fill, const struct operator_rows *rows,
                                 struct group_fill *group, size_t unit)
{
    return (struct filling){ fill, rows, &fill->in.units->at[unit], &group->unit[unit] };
}

static uint64_t take(struct operator* operator, const struct group_rows * rows)
{
    struct fill *fill = (struct fill *)operator;
    struct group_fill *group = group_state(rows->group, fill->place);
    const struct spot first = { rows->block, 0 };
    size_t final = SIZE_MAX;
    struct error e;
    bool good = find_instants(fill, group, rows, &e) && (!group->failed || error_memory(&e));
    if (!good)
        operator_fail(operator, first, first, &e);
    for (size_t i = 0; i < fill->in.units->n; i++) {
        const struct filling at = filling_of(fill, operator_rows_of(operator, rows->group), group, i);
        if (good)
            take_unit(&at, rows, group->n);
        final = at.own->final < final ? at.own->final : final;
    }
    group->n += rows->n;
    return fill->in.units->n > 0 ? final : group->n;
}

static uint64_t end(struct operator* operator, struct group * of)
{
    struct fill *fill = (struct fill *)operator;
    struct group_fill *group = group_state(of, fill->place);
    for (size_t i = 0; i < fill->in.units->n; i++) {
        const struct filling at = filling_of(fill, operator_rows_of(operator, of), group, i);
        if (at.own->ended)
            bridge_gap(&at, 0);
        end_run(&at, group->n);
    }
    return group->n;
}

/* --- opening --- */

static size_t size_of_group(const struct fill *fill)
{
    return sizeof(struct group_fill) + fill->in.units->n * sizeof(struct unit_fill);
}

static void forget(struct operator* operator, struct group * of)
{
    const struct fill *fill = (const struct fill *)operator;
    struct group_fill *group = group_state(of, fill->place);
    for (size_t i = 0; i < fill->in.units->n; i++)
        free(group->unit[i].spikes.row);
    memset(group, 0, size_of_group(fill));
}

static void close(struct operator* operator)
{
    free(((struct fill *)operator)->instant);
    free(operator); /* the first member of the struct fill */
}

static const struct operator_kind filling = { .take = take, .end = end, .forget = forget, .close = close };

struct operator*
    fill_open(const struct series_rows *in, size_t nwindow, struct clean_count *count, struct error *e)
{
    struct fill *fill;
    if (!arrays_make(e, ARRAY(fill, 1)))
        return NULL;
    fill->in = *in;
    fill->nwindow = nwindow;
    fill->count = count;
    operator_open(&fill->operator, & filling, in->groups);
    fill->operator.ahead = true;
    fill->place = groups_reserve(in->groups, size_of_group(fill));
    return &fill->operator;
}

struct fill_kept fill_kept(const struct operator* fill)
{
    return ((const struct fill *)fill)->kept;
}
