/* The inputs of a command and the places of their outputs: an array, checked once, before the first file is
 * filtered. Invariant: two targets of a command do not write to one file, and only --in-place writes to an
 * input. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "io/output.h"
#include "io/tree.h"
#include "run/filter_job.h"

/* An input and its output. */
struct target {
    const char *input;         /* as given; "-" is standard input */
    struct port_status status; /* of the input; kind is PORT_NOTHING if it cannot be read */
    char *name;                /* of the output in --output-dir; owned; NULL without --output-dir */
    struct outfile out;
    bool skipped; /* --update: the output is not older than the input */
    bool failed;  /* messages has the error */
    bool copied;  /* the input cannot be filtered, and is copied to --output-dir */
    struct messages messages;

    /* set and used by batch.c */
    struct batch *batch;
    struct filter_job_task task; /* task.report and task.uses.at are owned */
    struct pool_job job;
};

struct targets {
    const struct output_settings *options;
    struct tree inputs;    /* with --recursive, files in place of folders */
    struct target *target; /* [ntarget], in the order of the inputs; owned */
    size_t ntarget;
};

/* Fills in a zeroed *all, and checks that the options name one place for each output. An input that cannot be
 * read is a target that failed. Prints conflicts and errors of options, and then returns false. The caller
 * calls targets_free after true and after false. */
bool targets_open(struct targets *all, const struct filter_job_config *config, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

/* The name of the output or the input in messages. */
const char *target_name(const struct target *target, bool output);

#endif
