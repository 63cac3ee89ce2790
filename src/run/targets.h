/* Inputs and the places of their outputs. Conflicts among known inputs, operands and the names of a list in a
 * file, are found before the first file is filtered; then targets are made as they are needed, in any number.
 * A conflict of a name from a piped list is found when the target of the name is made: earlier outputs may
 * exist by then. Invariant: two targets of a command do not write to one file, and only --in-place writes to
 * an input. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "base/port.h"
#include "io/output.h"
#include "run/filter_job.h"
#include "run/input_names.h"

/* An input and its output. */
struct target {
    char *input;           /* as given; "-" is standard input; owned */
    struct port_status st; /* of the input; zero if the input does not exist; st_size is 0 unless the input is
                       a regular file */
    char *name;            /* of the output in --output-dir; owned; NULL without --output-dir */
    struct outfile out;    /* out.backup is owned */
    bool repeated;         /* an earlier target has the same input and output; the target is left out */
    bool conflict;         /* the target failed by a conflict with another target or an existing file */
    bool skipped;          /* --update: the output is not older than the input */
    bool failed;           /* errors holds the error */
    bool unfilterable;     /* the target failed, as the input cannot be filtered */
    bool high_cutoff;      /* the target failed, as the cutoff is too high for the rows of the input */
    bool copied;           /* --unfilterable copy: the input cannot be filtered */
    struct messages notes; /* notes and warnings; printed before errors, in the order of targets */
    struct messages errors;

    /* set and used by batch.c */
    struct batch *batch;
    struct filter_job_task task; /* task.report is owned */
    struct pool_job filter;
};

struct targets {
    const struct output_settings *options;
    struct input_names names;
    struct command_files files;
    const struct texts *joined; /* --join: the inputs of the one target; NULL: each input is a target */
    size_t ntarget;             /* SIZE_MAX: not known */
    uint64_t nbyte;             /* size of the inputs; 0: unknown */
    bool to_stdout;             /* a target writes to standard output */
    bool made_folder;           /* targets_open made the folder: targets_free removes the folder if empty */
};

/* Fills in a zeroed *all. Checks the targets of operands and of a list in a file, then makes
 * --output-dir. Prints conflicts and errors of options, list or directory, and then returns false. The caller
 * calls targets_free after true and after false. */
bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

/* Makes the next target in a zeroed *target, for the caller to free. Repeated targets are left out. An error
 * of a file is in target->errors, an error of the list in *e. NAMES_LATER is returned only without wait. */
enum input_named targets_next(struct targets *all, bool wait, struct target *target, struct error *e);
void target_free(struct target *target); /* zeroes *target */

/* output_options.c: checks that the options for outputs fit together and name one place for each output, and
 * that a suffix in --output is not one of an unknown format. */
bool output_options_check(const struct output_settings *settings, const struct texts *operands,
                          struct error *e);

/* The name of the output or the input in messages. */
const char *target_name(const struct target *target, bool output);

#endif
