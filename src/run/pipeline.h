/* Load, parse, the stages, print, store, from one input into one output. Invariant: the output depends
 * neither on the number of threads nor on how the input arrives. */
#ifndef SPRUNG_RUN_PIPELINE_H
#define SPRUNG_RUN_PIPELINE_H

#include "run/filter_job.h"
#include "series/stage.h"

enum { STAGES_MAX = 2 /* most stages of a job: the core, resampling */ };

struct pipeline {
    struct reader *reader;     /* open, with columns bound */
    struct writer *writer;     /* accepted, fd set */
    const struct stage *stage; /* [nstage], in order */
    size_t nstage;             /* at most STAGES_MAX */
    struct filter_job_task *task;
    /* Called, in order, for each block that has passed all stages, before the block is printed; may be NULL.
     * False ends the pipeline with *e, whose line counts from 1 at the first line of the block. */
    bool (*observe)(void *observer, const struct block *block, struct error *e);
    void *observer;
};

/* Runs until the input ends, from the writer's begin to the writer's finish. On an error the rows
 * before the error have been stored, unless the observer has ended the pipeline; the line of *e is a line of
 * the input. */
bool pipeline_run(const struct pipeline *pipeline, struct error *e);

#endif
