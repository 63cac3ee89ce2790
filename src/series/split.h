/* The first stage of a job: finds once, for all stages, the group of each row, its step in time and whether
 * it follows a cut. A time that goes backward cuts the block here, or, with --bad-rows skip, the row is left
 * out, as is a row that the reader could not use; so no stage sees a bad row. Invariants: what is found of a
 * row depends on the earlier rows alone; a step is the exact difference of two times as they are written,
 * rounded once. */
#ifndef SPRUNG_SERIES_SPLIT_H
#define SPRUNG_SERIES_SPLIT_H

#include "series/groups.h"
#include "series/series.h"
#include "series/stage.h"

struct split {
    struct series_rows input;
    bool skips;        /* --bad-rows skip */
    uint64_t left_out; /* rows that were left out */
    struct groups groups;
};

/* What `in` points to must outlive the split; in.groups is not read. split_close follows. */
void split_open(struct split *split, const struct series_rows *input);
void split_close(struct split *split);

/* Fills group, T and mark of a block. closure: the struct split. */
struct block *split_take(void *closure, struct block *block);

#endif
