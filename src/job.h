/* One input through one filter into one output: open, choose columns, run the pipeline, close.
 * Invariant: a job leaves nothing open and owns nothing after job_run, whether it succeeded or not. */
#ifndef SPRUNG_JOB_H
#define SPRUNG_JOB_H

#include "notes.h"
#include "options.h"
#include "pool.h"

struct job_config {
    const struct filter *filter;
    void *settings;                     /* the filter's, checked */
    struct series_options series;
    struct input_options input;
    struct number_options numbers;
    struct output_options output;
    struct general_options general;
};

/* Filters the input of that name ("-": standard input) into the open descriptor fd. On an error the rows before it have
 * been written. pool and nthread as for the pipeline; notes take warnings and what --verbose tells. */
bool job_run(const struct job_config *c, const char *input, int fd, struct pool *pool, size_t nthread,
             struct notes *notes, struct error *e);

#endif
