/* The first stage of a job: finds once, for all stages, the group of each row, its step in time, whether it
 * follows a cut, and which of its values are missing by --mask, or because a vector misses a component or a
 * rotation has length 0. A time that goes backward cuts the block here, or, with --bad-rows skip, the row is
 * left out, as is a row that the reader could not use; so no stage sees a bad row. After some such rows the
 * clock was set, and a series begins again. No row waits here.
 * Invariants: what is found of a row depends on the earlier rows alone; a step is the exact difference of two
 * times as they are written, rounded once. */
#ifndef SPRUNG_SERIES_SPLIT_H
#define SPRUNG_SERIES_SPLIT_H

#include "series/groups.h"
#include "series/series.h"
#include "series/stage.h"

/* The last step that was computed: T seconds, which are `units` times 10^exp10 in the unit of the times. An
 * equal step is not computed again. */
struct last_step {
    double T;
    int64_t units; /* INT64_MIN: the step was not between two exact times */
    int exp10;
};

struct split {
    struct series_rows input;
    bool skips;        /* --bad-rows skip */
    uint64_t left_out; /* rows that were left out */
    struct last_step last;
    struct channel_count *count; /* [nchannel] counts masked values */
};

/* What `input` and `count` point to must outlive the split. count may be NULL where there are no masks. */
void split_open(struct split *split, const struct series_rows *input, struct channel_count *count);

/* stage.take. state: the struct split. */
struct block *split_take(void *state, struct block *block);

#endif
