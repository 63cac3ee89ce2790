/* The group, the step and the cut of each row. See split.h. */
#include "series/split.h"

#include <math.h>

#define SAME_TIME 1e-6 /* of the step before: a row that is nearer to the row before has its time */

void split_open(struct split *split, const struct series_rows *in)
{
    *split = (struct split){ .in = *in };
}

void split_close(struct split *split)
{
    groups_free(&split->groups);
}

/* Does a row at time *now follow a cut? Then a cut time lies after the group's last row and not after *now,
 * or the cut column marks the row. *passed: number of the cut times up to the group's last row. */
static bool follows_cut(const struct series_rows *in, const struct block *block, size_t row,
                        const struct timestamp *now, size_t *passed)
{
    size_t before = *passed, n = in->cuts->ncut, column = in->plan->cut;
    double seconds = before < n ? timestamp_between(NULL, now, series_unit(in)) : 0;
    double v = column == COLUMN_NONE ? 0 : block_value(block, plan_use(in->plan, column)->value)[row];
    while (*passed < n && in->cuts->time[*passed] <= seconds)
        ++*passed;
    return *passed > before || (!isnan(v) && v != 0);
}

/* The last step that was computed: T seconds, which are `units` times 10^exp10 in the unit of the times. An
 * equal step is not computed again. */
struct last_step {
    double T;
    int64_t units; /* INT64_MIN: the step was not between two exact times */
    int exp10;
};

static double step_between(struct last_step *last, const struct timestamp *before,
                           const struct timestamp *now, struct time_unit unit)
{
    const struct number_decimal *p = &before->decimal, *q = &now->decimal;
    bool plain = p->exact && q->exact && p->exp10 == q->exp10;
    if (!plain || q->digits - p->digits != last->units || p->exp10 != last->exp10) {
        last->T = timestamp_between(before, now, unit);
        last->units = plain ? q->digits - p->digits : INT64_MIN;
        last->exp10 = p->exp10;
    }
    return last->T;
}

/* Sets the steps of rows `from` to end - 1 of a group, whose times may pass midnight. Returns `end`, or the
 * row at which time goes backward. */
static size_t take_times(const struct series_rows *in, struct group *group, const struct block *block,
                         size_t from, size_t end)
{
    const struct timestamp *before = group->nrow > 0 ? &group->last : &block->time[from];
    struct last_step last = { .units = INT64_MIN };
    size_t i;
    for (i = from; i < end; i++) {
        struct timestamp *now = &block->time[i];
        if (in->plan->form == TIMESTAMP_CLOCK)
            timestamp_pass_midnight(now, before);
        block->T[i] = step_between(&last, before, now, in->plan->unit);
        if (!(block->T[i] >= 0))
            break;
        if (block->T[i] > SAME_TIME * group->step) {
            group->step = block->T[i];
            before = now;
        } else {
            block->T[i] = 0;
        }
    }
    group->last = *before;
    return i;
}

/* Finds the steps and cuts of rows `from` to end - 1, which are of one group. False: time goes backward at
 * row *bad. */
static bool take_rows(struct split *split, struct group *group, struct block *block, size_t from, size_t end,
                      size_t *bad, struct error *e)
{
    const struct series_rows *in = &split->in;
    char key[GROUP_SHOWN];
    *bad = in->rate == 0 ? take_times(in, group, block, from, end) : end;
    for (size_t i = from; block->group && i < *bad; i++)
        block->group[i] = group;
    for (size_t i = from; block->mark && i < *bad; i++) {
        struct timestamp now = series_time(in, block, i, group->nrow + (i - from));
        block->mark[i] = follows_cut(in, block, i, &now, &group->ncut) ? MARK_CUT : 0;
        block->marks |= block->mark[i];
    }
    group->nrow += *bad - from;
    if (*bad == end)
        return true;
    error_escape(group->key, group->nkey, key, sizeof key);
    return plan_backward(in->plan, &group->last, &block->time[*bad], key, e);
}

/* Takes the rows of a block, stretch by stretch of rows of one group. False: *bad is the row that ends the
 * block. */
static bool take_block(struct split *split, struct block *block, size_t *bad, struct error *e)
{
    const struct reader *reader = split->in.reader;
    struct groups *all = &split->groups;
    size_t n = block->nrow;
    all->last = NULL;
    struct group *group = groups_find(all, reader, block, 0, e), *next = group;
    for (size_t from = 0, end; from < n; from = end, group = next) {
        *bad = from;
        if (!group)
            return false;
        for (end = block->group ? from + 1 : n; end < n; end++)
            if ((next = groups_find(all, reader, block, end, e)) != group)
                break;
        if (!take_rows(split, group, block, from, end, bad, e))
            return false;
    }
    return true;
}

struct block *split_take(void *closure, struct block *block)
{
    struct split *split = closure;
    const struct series_rows *in = &split->in;
    const struct split_shape shape = {
        .groups = in->plan->ngroup > 0,
        .steps = in->rate == 0,
        .marks = in->cuts->ncut > 0 || in->plan->cut != COLUMN_NONE,
    };
    struct error e;
    size_t bad = 0;
    block->pending = 0;
    block->marks = 0;
    bool good = block_reserve_split(block, shape, &e) && take_block(split, block, &bad, &e);
    if (!good)
        block_cut(block, bad, &e);
    return good ? NULL : block;
}
