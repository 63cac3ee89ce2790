/* One input through one filter into one output: open, choose columns, run the pipeline, close.
 * Invariant: a job leaves nothing open and owns nothing after filter_job_run, whether it succeeded or not. */
#ifndef SPRUNG_JOB_H
#define SPRUNG_JOB_H

#include "base/messages.h"
#include "cli/options.h"
#include "base/pool.h"

struct filter_job_config {
    const struct filter *filter;
    void *settings;                     /* the filter's, checked */
    void *given;                        /* the same as the command line gives them, not checked */
    struct series_options series;
    struct cut_options cuts;            /* detect is NaN where the filter takes none */
    struct input_options input;
    struct number_options numbers;
    struct output_options output;
    struct general_options general;
};

struct filter_job_task {
    const char *input;                  /* "-": standard input */
    int fd;                             /* bytes go here */
    const char *output;                 /* its name, which may tell the format; NULL: it does not */
    bool keep_shape;                    /* the output takes the input's place: no derivatives unless asked for */
    bool hold;                          /* --max-change: no byte may go to fd before all is well */
    char **report;                      /* takes --report's text, which is owned by the caller */
    bool dry;                           /* only look: nothing is written, and nothing read but the head */
    struct pool *pool;                  /* this and the next as for the pipeline */
    size_t nthread;
    void (*watch)(void *closure, uint64_t nbyte); /* called now and then with the bytes read so far; may be NULL */
    void *closure;
};

/* Judges what options say by themselves, whatever the inputs are. */
bool filter_job_check(const struct filter_job_config *c, struct error *e);

/* Filters one input. On an error the rows before it have been written, and e->at_output says which side it is on. Notes
 * take warnings and what --verbose tells. */
bool filter_job_run(const struct filter_job_config *c, const struct filter_job_task *task, struct messages *messages, struct error *e);

#endif
