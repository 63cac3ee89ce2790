/* A stage of a job. A job is a list of stages: the blocks of the input come in order, run through the stages
 * in the order of the list, and are printed (run/pipeline.c). A stage may hold blocks back until more rows
 * have come. Invariant: the rows that leave a stage, and the error and line that end them, do not depend on
 * how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_STAGE_H
#define SPRUNG_SERIES_STAGE_H

#include "rows/block.h"

struct stage {
    /* Takes a block of at least one row, in order; block->firstrow counts the rows that the stage has taken,
     * and block->firstline the lines of the input. Sets block->pending, the number of rows that are not
     * decided: the block stays where it is until that is 0. Without a bad row: returns NULL. On a
     * bad row: returns the block that the bad row cuts short, `block` or an earlier block, with the error in
     * block->error; rows from block->nrow on do not count. */
    struct block *(*take)(void *state, struct block *block);

    /* No more rows come: decides the other rows that are pending, and returns as take does. whole: the input
     * has ended without an error; else rows may be missing. NULL: nothing is left to decide. */
    struct block *(*finish)(void *state, bool whole);

    /* NULL: the blocks that the stage takes reach the next stage. Else (--resample) the blocks that `make`
     * fills reach it in place of the blocks taken. Called while rows of the block that was taken last are
     * pending; each call makes at least one row, or decides all pending rows. An error goes to made->error;
     * the made->nrow rows before the error are good. */
    void (*make)(void *state, struct block *made);

    void *state; /* handed to the functions */
};

#endif
