/* Where the result of each input goes. What can be known of all inputs is checked before the first is
 * filtered; then targets are made one by one, so that their number has no limit. Invariant: no two targets of
 * a command write to one file, and none writes to an input but by --in-place. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "io/output.h"
#include "run/filter_job.h"
#include "run/input_names.h"

/* One input and its output. */
struct target {
    char *input;              /* as given; "-" is standard input; owned */
    struct stat st;           /* of the input; zero where it does not exist; st_size only of a regular file */
    char *name;               /* of the output in --output-dir; owned; NULL: elsewhere */
    struct outfile out;       /* its backup is owned */
    bool repeated;            /* same input and output as an earlier target: it is left out */
    bool conflict;            /* with another target, or with a file that exists: it failed */
    bool skipped;             /* --update: its output is not older */
    bool failed;              /* messages says why */
    struct messages messages; /* printed when its turn comes */

    /* batch.c: while it is filtered and stored */
    struct batch *batch;
    struct filter_job_task task; /* its report is owned */
    struct pool_job filter, store;
};

struct targets {
    const struct output_settings *options;
    struct input_names names;
    struct command_files files;
    struct output_folder folder; /* of --output-dir */
    size_t ntarget;              /* SIZE_MAX: not known */
    uint64_t nbyte;              /* of all inputs; 0: unknown */
    bool to_stdout;              /* one of them writes to standard output */
    bool made_folder;            /* it is removed if it stays empty */
};

/* Fills in a zeroed *all; targets_free follows in any case. Checks the targets of the names that can be read
 * again, then makes and opens --output-dir. Reports conflicts and what is wrong with the options, the list or
 * the directory; then false is returned. */
bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

/* Makes the next target in a zeroed *t, for the caller to free; repeated ones are left out. An error of a
 * file is kept in its target, an error of the list is in *e. NAMES_LATER: only without wait. */
enum input_named targets_next(struct targets *all, bool wait, struct target *t, struct error *e);
void target_free(struct target *t); /* zeroes it */

/* The name that messages use for its output or its input. */
const char *target_name(const struct target *t, bool output);

#endif
