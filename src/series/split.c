/* What the core finds first of the rows of a block: the step of each row in time, whether it follows a cut,
 * and which of its values are missing by --mask, or because a vector misses a component or a
 * rotation has length 0. A time that goes backward or a text after numbers cuts the block here, or, with
 * --bad-rows skip, the row is left out, as is a row that the reader could not use; so no series has a bad
 * row. After some rows with such times the clock was set, and a series begins again. No row waits here.
 * Invariants: what is found of a row depends on the earlier rows alone; a step is the exact difference of two
 * times as they are written, rounded once. */
#include "series/core.h"

#include <math.h>

enum { ROWS_BACK = 10 /* most consecutive rows that are left out because their time goes backward */ };

#define SAME_TIME 1e-6 /* of the step before: a row that is nearer to the last new time has that time */

/* Does a row at time *now follow a cut? Then a cut time lies after the group's last row and not after *now,
 * or the cut column marks the row. *passed: number of the cut times up to the group's last row, becomes that
 * up to *now. */
static bool follows_cut(const struct series_rows *input, const struct block *block, size_t row,
                        const struct timestamp *now, size_t *passed)
{
    const size_t before = *passed, n = input->cuts->nvalue, column = input->table->cut;
    const double seconds = n > 0 ? timestamp_between(NULL, now, series_unit(input)) : 0;
    double v = column == COLUMN_NONE ? 0 : block_value(block, table_column(input->table, column)->value)[row];
    *passed = 0;
    for (size_t i = 0; i < n; i++)
        *passed += input->cuts->value[i] <= seconds;
    return *passed > before || (!isnan(v) && v != 0);
}

/* Sets the steps of rows `from` to end - 1 of a group, whose times may pass midnight. With row `from` a
 * series begins where group->nrow is 0. Returns `end`, or the row at which time goes backward. */
static size_t take_times(struct core *core, struct group *group, const struct block *block, size_t from,
                         size_t end)
{
    const struct table *table = core->input.table;
    const struct timestamp *before = group->nrow > 0 ? &group->last : &block->time[from];
    struct timestamp *now = block->time + from;
    double *T = block->T, step = group->step;
    size_t i;
    for (i = from; i < end; i++, now++) {
        if (table->form == TIMESTAMP_CLOCK)
            timestamp_pass_midnight(now, before);
        T[i] = timestamp_step(before, now, &table->time_unit);
        if (!(T[i] >= 0))
            break;
        if (T[i] > SAME_TIME * step) {
            step = T[i];
            before = now;
        } else {
            T[i] = 0;
        }
    }
    group->step = step;
    group->last = *before;
    T[from] = group->nrow > 0 ? T[from] : -1;
    return i;
}

/* --- rows that are left out --- */

static uint64_t line_of(const struct block *block, size_t row)
{
    return block->firstline - 1 + block_line(block, row);
}

/* Counts a row that is left out, and says why the first one is. */
static void count_left_out(struct core *core, uint64_t line, const struct error *why)
{
    char what[sizeof why->text];
    if (core->left_out++ > 0)
        return;
    error_what(why, what, sizeof what);
    reader_tell(core->input.reader, "warning: line %llu is left out: %s", (unsigned long long)line, what);
}

/* Decides about a row whose time goes backward. Without --bad-rows skip it is an error. Else it is left out;
 * but after ROWS_BACK rows of that kind the clock is taken to have been set, and a series begins again with
 * the row. *from becomes the next row to take. */
static bool take_backward(struct core *core, struct group *group, struct block *block, size_t row,
                          size_t *from, struct error *e)
{
    struct error why;
    table_backward(core->input.table, &group->last, &block->time[row], &why);
    *from = row + 1;
    if (core->input.reader->options->bad_rows != BAD_ROWS_SKIP) {
        *e = why;
        return false;
    }
    if (group->nback++ < ROWS_BACK) {
        count_left_out(core, line_of(block, row), &why);
        return block_mark_bad(block, row, &why, e);
    }
    reader_tell(
        core->input.reader,
        "warning: line %llu: %s, as in the %d rows before it: the clock seems to have been reset, and a "
        "new series begins",
        (unsigned long long)line_of(block, row), why.text, ROWS_BACK);
    group->nrow = group->ncut = 0;
    group->step = 0;
    *from = row;
    return true;
}

/* --- blocks --- */

/* Takes rows `from` to end - 1 of a group, whose times are good. */
static void take_rows(struct core *core, struct group *group, struct block *block, size_t from, size_t end)
{
    const struct series_rows *input = &core->input;
    const bool cuts = input->cuts->nvalue > 0 || input->table->cut != COLUMN_NONE;
    for (size_t i = from; cuts && i < end; i++) {
        struct timestamp now = series_time(input, block, i, group->nrow + (i - from));
        block->cut[i] = follows_cut(input, block, i, &now, &group->ncut);
        block->cuts |= block->cut[i];
    }
    group->nrow += end - from;
    if (end > from)
        group->nback = 0;
}

/* Takes rows `from` to end - 1, which are of one group. False: *bad is the row that ends the block. */
static bool take_stretch(struct core *core, struct group *group, struct block *block, size_t from, size_t end,
                         size_t *bad, struct error *e)
{
    while (from < end) {
        *bad = core->input.rate == 0 ? take_times(core, group, block, from, end) : end;
        take_rows(core, group, block, from, *bad);
        from = *bad;
        if (from < end && !take_backward(core, group, block, *bad, &from, e))
            return false;
    }
    return true;
}

/* Takes the rows of a block, stretch by stretch of rows of one group. False: *bad is the row that ends the
 * block. */
static bool take_block(struct core *core, struct block *block, size_t *bad, struct error *e)
{
    const size_t n = block->nrow;
    for (size_t from = 0, end; from < n; from = end) {
        *bad = from;
        end = block->grouped ? from + 1 : n;
        if (block_is_bad(block, from)) {
            count_left_out(core, block->firstline - 1 + block->bad_error->line, block->bad_error);
            continue;
        }
        struct group *group = &core_series(core, block, from)->group;
        while (end < n && !block_is_bad(block, end) && block->group[end] == group)
            end++;
        if (!take_stretch(core, group, block, from, end, bad, e))
            return false;
    }
    return true;
}

/* --- masks --- */

/* The number in row j of the condition column of a mask. A time is in the unit of the input. */
static double condition(const struct series_rows *input, const struct block *block, size_t judge, size_t j)
{
    const struct column *use = table_column(input->table, judge);
    if (use->role != ROLE_TIME)
        return block_value(block, use->value)[j];
    return input->table->time == judge ? block->time[j].t : (double)(block->firstrow + j) / input->rate;
}

/* Masked values become missing goals. */
static bool mask(const struct core *core, struct block *block, struct error *e)
{
    const struct table *table = core->input.table;
    if (table->nmask > 0 && !block_make_goals(block, table->nchannel, e))
        return false;
    for (size_t i = 0; i < table->nmask; i++) {
        const size_t channel = table_column(table, table->mask[i].column)->value;
        double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow; j++)
            if (table_masks(&table->mask[i], condition(&core->input, block, table->mask[i].judge, j))) {
                core->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
    return true;
}

/* --- all --- */

bool core_split(struct core *core, struct block *block)
{
    const struct series_rows *input = &core->input;
    struct error e;
    size_t bad = 0;
    block->pending = 0;
    block->grouped = input->table->ngroup > 0 || input->reader->options->bad_rows == BAD_ROWS_SKIP;
    block->cuts = false;
    for (size_t i = 0; i < block->nrow && input->rate > 0; i++)
        block->T[i] = 1 / input->rate;
    bool good = format_take_texts(input->reader, block, core->held);
    if (!groups_take(input->groups, input->reader, block, &e) || !take_block(core, block, &bad, &e))
        good = block_cut(block, bad, &e);
    if ((!block_leave_out(block, &e) || !mask(core, block, &e)) && good)
        good = block_cut(block, 0, &e);
    units_complete(input->units, block);
    return good;
}
