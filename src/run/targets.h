/* Inputs and the places of their outputs. Conflicts among inputs are found before the first file is filtered;
 * then targets are made as they are needed, in any number. Invariant: two targets of a command do not write to one file, and only --in-place writes to
 * an input. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "base/port.h"
#include "io/output.h"
#include "io/tree.h"
#include "run/filter_job.h"

/* An input and its output. */
struct target {
    const char *input;     /* as given; "-" is standard input */
    struct port_status st; /* of the input; zero if the input does not exist; st_size is 0 unless the input is
                       a regular file */
    char *name;            /* of the output in --output-dir; owned; NULL without --output-dir */
    struct outfile out;    /* out.backup is owned */
    bool repeated;         /* an earlier target has the same input and output; the target is left out */
    bool conflict;         /* the target failed by a conflict with another target or an existing file */
    bool skipped;          /* --update: the output is not older than the input */
    bool failed;           /* errors holds the error */
    bool high_cutoff;      /* the target failed, as the cutoff is too high for the rows of the input */
    bool copied;           /* the input cannot be filtered, and is copied to --output-dir */
    struct messages notes; /* notes and warnings; printed before errors, in the order of targets */
    struct messages errors;

    /* set and used by batch.c */
    struct batch *batch;
    struct filter_job_task task; /* task.report is owned */
    struct pool_job filter;
};

struct targets {
    const struct output_settings *options;
    struct tree inputs; /* with --recursive, files in place of folders */
    size_t at;          /* inputs that targets_next has returned */
    struct command_files files;
    size_t ntarget;
    uint64_t nbyte;   /* size of the inputs; 0: unknown */
    bool to_stdout;   /* a target writes to standard output */
    bool made_folder; /* targets_open made the folder: targets_free removes the folder if empty */
};

/* Lists the inputs of a command: the operands, with --recursive the files below folders but for those in
 * `except` (NULL: no folder); without operands standard input. tree_free follows in any case. */
bool targets_list_inputs(struct tree *inputs, const struct output_settings *options,
                         const struct texts *operands, const struct port_status *except, struct error *e);

/* Fills in a zeroed *all. Checks all targets, then makes --output-dir. Prints conflicts and errors of options
 * or directory, and then returns false. The caller calls targets_free after true and after false. */
bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

/* Makes the next target in a zeroed *target, for the caller to free. Repeated targets are left out. An error
 * of a file is in target->errors. False: no input is left. */
bool targets_next(struct targets *all, struct target *target);
void target_free(struct target *target); /* zeroes *target */

/* output_options.c: checks that the options for outputs fit together and name one place for each output, and
 * that a suffix in --output is not one of an unknown format. */
bool output_options_check(const struct output_settings *settings, const struct texts *operands,
                          struct error *e);

/* The name of the output or the input in messages. */
const char *target_name(const struct target *target, bool output);

#endif
