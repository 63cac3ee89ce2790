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
    const char *input; /* as given; "-" is standard input */
    bool regular;      /* the input is a regular file */
    uint64_t size;     /* its bytes; 0 unless it is regular */
    char *name;        /* of the output in --output-dir; owned; NULL without --output-dir */
    struct outfile out;
    bool skipped; /* --update: the output is not older than the input */
    bool failed;  /* messages has the error */
    bool copied;  /* the input cannot be filtered, and is copied to --output-dir */
    struct messages messages;

    /* set and used by batch.c */
    struct batch *batch;
    struct filter_job_task task; /* task.report is owned */
    struct pool_job filter;
};

struct targets {
    const struct output_settings *options;
    struct tree inputs; /* with --recursive, files in place of folders */
    struct file_table files;
    struct target *target; /* [ntarget], in the order of the inputs, without those named twice; owned */
    size_t ntarget;
    bool made_folder; /* targets_open made --output-dir: targets_free removes the folder if it is empty */
};

/* Lists the inputs of a command: the operands, with --recursive the files below folders but for those in
 * `except` (NULL: no folder); without operands standard input. tree_free follows in any case. */
bool targets_list_inputs(struct tree *inputs, const struct output_settings *options,
                         const struct texts *operands, const struct port_status *except, struct error *e);

/* Fills in a zeroed *all. Checks all targets, then makes --output-dir. An input that cannot be read is a
 * target that failed. Prints conflicts and errors of options or directory, and then returns false. The caller
 * calls targets_free after true and after false. */
bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

/* output_options.c: checks that the options for outputs fit together and name one place for each output, and
 * that a suffix in --output is not one of an unknown format. */
bool output_options_check(const struct output_settings *settings, const struct texts *operands,
                          struct error *e);

/* The name of the output or the input in messages. */
const char *target_name(const struct target *target, bool output);

#endif
