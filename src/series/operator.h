/* An operator: a stage that works on the rows of one group after the other, such as filling gaps (clean/), a
 * filter (streamed.c) or a smoother (held/). The functions here are the same for all operators: they hand
 * each group its rows of a block, keep the rows that are not final, and end groups. A row is final when the
 * operator will not change its results any more; a block leaves the stage when all its rows are final. Rows
 * are numbered within their group, from 0.
 *
 * Each operator of a job is a stage, so that it sees the rows of all groups in the order of the input: an
 * operator that meets a bad row has seen no row behind it, wherever blocks end. */
#ifndef SPRUNG_SERIES_OPERATOR_H
#define SPRUNG_SERIES_OPERATOR_H

#include "series/groups.h"
#include "series/stage.h"

struct operator;

struct operator_kind {
    bool steps; /* a filter that goes from row to row, step by step; false: a smoother, or no filter */
    /* Prepares a block before its rows are taken: may change goals, free room, or end the block before a bad
     * row. NULL: nothing to do. */
    void (*prepare)(struct operator* operator, struct block * block);
    /* Takes the next rows of a group. Returns how many of the group's rows are final, the rows taken before
     * included. */
    uint64_t (*take)(struct operator* operator, const struct group_rows * rows);
    /* No more rows of a group come: makes further rows final. Returns how many of the group's rows are final;
     * called until all are. Once a row is bad, rows behind it count as final. */
    uint64_t (*end)(struct operator* operator, struct group * group);
    /* Frees what the operator owns of a group, and zeroes its state. The group may not have ended, or may
     * have had no rows. NULL: nothing. */
    void (*forget)(struct operator* operator, struct group * group);
    /* All rows of a block were taken. NULL: nothing to do. */
    void (*pass)(struct operator* operator, struct block * block);
    /* All groups have ended, and no more rows come. NULL: nothing to do. */
    void (*finish)(struct operator* operator);
    /* Frees the operator, after all groups were forgotten; also an operator whose opening failed. */
    void (*close)(struct operator* operator);
};

/* Rows of a group that lie side by side in a block, up to the next such rows of the group. */
struct spot_range {
    struct block *block;
    uint32_t row;    /* the first of them, in the block */
    uint32_t number; /* the same row in the group: the low 32 bits */
};

/* The rows of a group as an operator knows them. Zeroed before the group's first row. */
struct operator_rows {
    uint64_t ntaken, nfinal;
    struct spot_range *range; /* [first, n) where the rows taken that are not final stand; owned */
    uint32_t first, n, max;   /* 32 bits, since a job may have a great many groups */
};

/* The first member of the memory of each operator. */
struct operator
{
    const struct operator_kind *kind;
    struct groups *groups;
    bool ahead;   /* rows may wait for later rows; else all rows taken are final */
    size_t place; /* of the struct operator_rows in the state of a group */
    struct sorted_rows sorted; /* the rows of the block under way */
    uint64_t end;              /* number of the first bad row of the input; UINT64_MAX: no row is bad */
    bool broken;               /* the input has ended with an error of a row that the operator does not get */
    struct block *faulty; /* the block that the call under way returns: cut short at a bad row; or NULL */
    struct group *ended;  /* the last group that has ended behind the last row of the input; NULL: none */
};

/* Sets up an operator, before there are groups; rows do not wait. operator_close frees the operator and what
 * it owns, also of groups; NULL: nothing to do. */
void operator_open(struct operator* operator, const struct operator_kind * kind, struct groups *groups);
void operator_close(struct operator* operator);

/* The stage of an operator. */
struct stage operator_stage(struct operator* operator);

/* The rows of a group. */
static inline struct operator_rows *operator_rows_of(const struct operator* operator,
                                                     const struct group * group)
{
    return group_state(group, operator->place);
}

/* The range of a row that is not final. */
static inline uint32_t operator_range(const struct operator_rows *rows, uint64_t number)
{
    uint32_t low = rows->first, end = rows->n;
    while (end - low > 1) {
        uint32_t middle = low + (end - low) / 2;
        if ((uint32_t)number - rows->range[middle].number <= INT32_MAX)
            low = middle;
        else
            end = middle;
    }
    return low;
}

/* The place of a row that is not final. */
static inline struct spot operator_spot(const struct operator_rows *rows, uint64_t number)
{
    const struct spot_range *range = &rows->range[operator_range(rows, number)];
    return (struct spot){ range->block, range->row + ((uint32_t)number - range->number) };
}

/* How many rows, from a row that is not final on, lie side by side in one block. */
static inline size_t operator_side_by_side(const struct operator_rows *rows, uint64_t number)
{
    const uint32_t next = operator_range(rows, number) + 1;
    const uint32_t end = next < rows->n ? rows->range[next].number : (uint32_t)rows->ntaken;
    return end - (uint32_t)number;
}

/* Ends the input before row `from` with error *e of row `at`; an error of the data gets the line of row `at`.
 * The error of the first row counts, in whatever order errors are found. Returns false. */
bool operator_fail(struct operator* operator, struct spot from, struct spot at, const struct error *e);

#endif
