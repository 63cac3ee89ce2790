/* Load, parse, filter, print, store: takes one input through a series into one output.
 * Invariant: the output depends neither on the number of threads nor on how the input arrives. */
#ifndef SPRUNG_RUN_PIPELINE_H
#define SPRUNG_RUN_PIPELINE_H

#include "run/filter_job.h"

struct pipeline {
    struct reader *reader; /* open, its columns bound */
    struct writer *writer; /* accepted, fd set */
    struct series *series;
    struct filter_job_task *task;
    /* Called per filtered block, in order, before printing; may be NULL. False ends the pipeline with *e,
     * whose line is counted from the block's first, 1. */
    bool (*observe)(void *observer, const struct block *b, struct error *e);
    void *observer;
};

/* Runs until the input ends, from the writer's begin to its finish. On an error the rows before it have been
 * stored, unless it is the observer's; *e has its line in the input. */
bool pipeline_run(struct pipeline *p, struct error *e);

#endif
