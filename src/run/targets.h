/* Where the result of each input goes, decided and checked before anything is written.
 * Invariant: after targets_make no two targets write to one file, and none writes to the input of another. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "base/pool.h"
#include "io/output.h"
#include "run/filter_job.h"

enum target_kind { TARGET_STDOUT, TARGET_FILE, TARGET_DIRECTORY, TARGET_IN_PLACE };

/* One input and its output. */
struct target {
    const char *input;       /* as given; "-" is standard input */
    struct stat st;          /* of the input; zero where it does not exist; st_size only of a regular file */
    char *name;              /* of the output in --output-dir; owned, may be NULL */
    struct output_want want; /* its backup is owned */
    struct output_place place;
    bool repeated;            /* same input and output as an earlier target: it is taken out */
    bool failed;              /* messages says why */
    struct messages messages; /* printed when its turn comes */

    /* batch.c: while it is filtered and stored */
    struct batch *batch;
    struct outfile out;
    uint64_t nread, nrow; /* bytes and rows counted by the progress line */
    char *report;         /* --report's text, owned */
    struct pool_job filter, store;
};

struct targets {
    const struct output_settings *options;
    enum target_kind kind;
    struct target *target;
    size_t ntarget;
    uint64_t nbyte;   /* of all inputs; 0: unknown */
    char **directory; /* where output files are, each once; owned */
    size_t ndirectory;
    bool made_directory;
};

/* Fills in a zeroed *all from the command line; targets_free follows in any case. An error of one file is
 * kept in its target; an error that stops the whole command is reported at once, and false is returned. */
bool targets_make(struct targets *all, const struct output_settings *options, const struct texts *inputs,
                  struct messages *messages);
void targets_free(struct targets *all);

/* Makes --output-dir. */
bool targets_begin(struct targets *all, struct error *e);

/* The names that messages use. */
const char *target_input(const struct target *t);
const char *target_output(const struct target *t);

/* target_conflicts.c: marks repeated targets and reports all conflicts. False when there are any. */
bool targets_conflicts(struct targets *all, struct messages *messages);

#endif
