/* A stage changes the rows of a reader on their way to whoever reads them: stage_open makes a reader over a
 * reader, which gives the same blocks with goals of their own (block_make_goals), after the stage has had
 * them. Stages stand one upon the other, and below or above the reader of --resample. Invariant: what is
 * given, and which error with which line, does not depend on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_STAGE_H
#define SPRUNG_SERIES_STAGE_H

#include "formats/format.h"

struct stage {
    /* Takes the rows of a block, at least one, in order: firstrow, firstline and goals are set. Sets
     * b->pending; b stays where it is until that is 0. Returns as series_take. */
    struct block *(*take)(void *closure, struct block *b);
    /* No more rows come: decides all that is pending. Returns as take. */
    struct block *(*finish)(void *closure);
    /* Called with each block before it is given: nothing of it is pending. NULL: nothing to do. */
    void (*give)(void *closure, struct block *b);
    void *closure;
};

/* Makes *r the reader; from is open and bound, and stays. What *r holds of the reader below is not freed with
 * it: stage_close is all, and follows in any case if *r was zeroed. load gives a block without rows where
 * none is decided yet, so that its caller never waits for input with rows that it could write; parse has
 * nothing to do. What take and finish refuse comes as the error of the block, as of one that cannot be
 * parsed. */
bool stage_open(struct reader *r, struct reader *from, const struct stage *stage, struct error *e);
void stage_close(struct reader *r);

/* parse of a format whose load gives rows: nothing to do. */
void stage_parse(const struct reader *r, struct block *b);

#endif
