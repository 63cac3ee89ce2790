/* The rows of each group, handed to an operator. See operator.h. */
#include "series/operator.h"

#include "base/array.h"

#include <stdlib.h>

void operator_open(struct operator* operator, const struct operator_kind * kind, struct groups *groups)
{
    *operator=(struct operator){ .kind = kind, .groups = groups, .end = UINT64_MAX };
    operator->place = groups_reserve(groups, sizeof(struct operator_rows));
}

static void forget(struct operator* operator, struct group * group)
{
    struct operator_rows *rows = operator_rows_of(operator, group);
    if (operator->kind->forget)
        operator->kind->forget(operator, group);
    free(rows->range);
    *rows = (struct operator_rows){ 0 };
}

void operator_close(struct operator* operator)
{
    if (!operator)
        return;
    for (struct group *group = operator->groups->first; group; group = group->after)
        forget(operator, group);
    sorted_rows_free(&operator->sorted);
    operator->kind->close(operator);
}

bool operator_fail(struct operator* operator, struct spot from, struct spot at, const struct error *e)
{
    uint64_t number = from.block->firstrow + from.row;
    if (number >= operator->end)
        return false;
    operator->end = number;
    operator->faulty = from.block;
    block_end_before(from.block, from.row);
    from.block->error = *e;
    if (e->kind != ERROR_DATA)
        return false;
    uint64_t line = block_line(at.block, at.row);
    return error_place(&from.block->error, line ? at.block->firstline + line - from.block->firstline : 0);
}

/* --- rows that are not final --- */

/* Makes room for more ranges. False: out of memory. */
static bool reserve_ranges(struct operator_rows *own, size_t more, struct error *e)
{
    size_t max = own->max;
    if (own->n + more <= own->max)
        return true;
    own->n -= own->first;
    if (own->n > 0)
        memmove(own->range, own->range + own->first, own->n * sizeof *own->range);
    own->first = 0;
    if (own->n + more > UINT32_MAX / 2)
        return error_memory(e);
    if (!array_reserve(&own->range, own->n + more, &max, sizeof *own->range, e))
        return false;
    own->max = (uint32_t)max;
    return true;
}

/* Keeps the place of a new row, the first of the rows that lie side by side. */
static void keep_range(struct operator_rows *own, struct block *block, size_t row, uint64_t number)
{
    const struct spot_range range = { block, (uint32_t)row, (uint32_t)number };
    if (own->n > own->first) {
        const struct spot_range *last = &own->range[own->n - 1];
        if (last->block == block && last->row - last->number == range.row - range.number)
            return;
    }
    own->range[own->n++] = range;
}

/* Keeps the places of new rows. False: out of memory. */
static bool keep_spots(struct operator_rows *own, const struct group_rows *rows, struct error *e)
{
    if (own->ntaken - own->nfinal + rows->n > INT32_MAX)
        return error_memory(e);
    if (!reserve_ranges(own, rows->index ? rows->n : 1, e))
        return false;
    for (size_t i = 0; i < (rows->index ? rows->n : 1); i++)
        keep_range(own, rows->block, group_row(rows, i), own->ntaken + i);
    return true;
}

/* Lets go of the rows before row nfinal, which are final. */
static void let_go(struct operator_rows *own, uint64_t nfinal)
{
    while (own->nfinal < nfinal) {
        const size_t beside = operator_side_by_side(own, own->nfinal);
        const uint64_t n = nfinal - own->nfinal < beside ? nfinal - own->nfinal : beside;
        own->range[own->first].block->pending -= n;
        own->nfinal += n;
        own->first += n == beside;
    }
}

static void take_group(struct operator* operator, const struct group_rows * rows)
{
    struct operator_rows *own = operator_rows_of(operator, rows->group);
    const struct spot first = { rows->block, rows->first };
    struct error e;
    if (operator->ahead && !keep_spots(own, rows, &e)) {
        operator_fail(operator, first, first, &e);
        return;
    }
    own->ntaken += rows->n;
    uint64_t nfinal = operator->kind->take(operator, rows);
    if (operator->ahead)
        let_go(own, nfinal);
}

/* Makes further rows of a group final, behind which no more rows come. Returns whether the group has ended:
 * all its rows are final. */
static bool end_group(struct operator* operator, struct group * group)
{
    struct operator_rows *own = operator_rows_of(operator, group);
    uint64_t nfinal = own->ntaken > 0 ? operator->kind->end(operator, group) : 0;
    if (operator->ahead)
        let_go(own, nfinal);
    if (nfinal < own->ntaken)
        return false;
    forget(operator, group);
    return true;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    struct operator* operator= state;
    const struct operator_kind *kind = operator->kind;
    const struct spot first = { block, 0 };
    struct error e;
    operator->faulty = NULL;
    if (kind->prepare)
        kind->prepare(operator, block);
    block->pending = operator->ahead ? block->nrow : 0;
    bool good = groups_sort(&operator->sorted, operator->groups, block, &e);
    if (!good)
        operator_fail(operator, first, first, &e);
    for (size_t i = 0; good && i < operator->sorted.npart; i++)
        take_group(operator, & operator->sorted.part[i]);
    if (kind->pass)
        kind->pass(operator, block);
    return operator->faulty;
}

static bool finish(void *state, bool whole, struct block **faulty)
{
    struct operator* operator= state;
    struct group *group;
    operator->broken = !whole;
    operator->faulty = NULL;
    while ((group = operator->ended ? operator->ended->after : operator->groups->first)) {
        bool waits = operator->ahead && operator_rows_of(operator, group)->ntaken > 0;
        if (end_group(operator, group))
            operator->ended = group;
        if (waits && operator->end == UINT64_MAX)
            return false;
    }
    if (operator->kind->finish)
        operator->kind->finish(operator);
    *faulty = operator->faulty;
    return true;
}

struct stage operator_stage(struct operator* operator)
{
    return (struct stage){ take, finish, .state = operator};
}
