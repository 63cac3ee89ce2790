/* Where the result of each input goes, decided and checked before it is filtered; all that can be known
 * before the first is filtered is checked before. Targets are made one by one, so that their number has no
 * limit. Invariant: no two targets of a command write to one file, and none writes to its own input. */
#ifndef SPRUNG_RUN_TARGETS_H
#define SPRUNG_RUN_TARGETS_H

#include "io/output.h"
#include "io/source.h"
#include "run/filter_job.h"

/* One input and its output. */
struct target {
    char *input;              /* as given; "-" is standard input; owned */
    struct stat st;           /* of the input; zero where it does not exist; st_size only of a regular file */
    char *name;               /* of the output in --output-dir; owned, may be NULL */
    struct outfile out;       /* its backup is owned */
    bool repeated;            /* same input and output as an earlier target: it is left out */
    bool conflict;            /* with another target, or a file that exists: it failed */
    bool skipped;             /* --update: its output is not older */
    bool failed;              /* messages says why */
    struct messages messages; /* printed when its turn comes */

    /* batch.c: while it is filtered and stored */
    struct batch *batch;
    struct filter_job_task task; /* its report is owned */
    struct pool_job filter, store;
};

/* A hash table of values other than 0 by what identifies a file: a hash of 64 bits. Of ten million files two
 * are taken for one with a probability of 10^-5. */
struct identities {
    struct identity {
        uint64_t key, value;
    } * slot;
    size_t n, max;
    bool failed; /* memory was out */
};

/* The names of the inputs: operands, then those in the list that --files-from names. The list is not held in
 * memory. */
struct names {
    const struct texts *operands;
    size_t at;             /* operands that have been given out */
    char end;              /* the byte that ends a name in the list */
    bool later;            /* the list cannot be read twice, and its turn has not come */
    struct source source;  /* of the list; its name is NULL without one */
    size_t line;           /* names of the list that have been read, empty ones too */
    size_t begin, nbyte;   /* in bytes[]: the next name, and the end of what has been read */
    char bytes[64 * 1024]; /* more than the longest path */
};

struct targets {
    const struct output_settings *options;
    struct names names;
    struct identities inputs;  /* that are known before; also later ones if outputs may be replaced */
    struct identities outputs; /* with the identity of the input */
    size_t ntarget;            /* SIZE_MAX: not known */
    uint64_t nbyte;            /* of all inputs; 0: unknown */
    bool to_stdout;            /* one writes to standard output */
    bool made_directory;
    char line[300]; /* "line 7 of LIST", for a message */
};

/* Fills in a zeroed *all; targets_free follows in any case. Makes and checks the targets of the names that
 * can be read again, then makes --output-dir. Reports conflicts and what is wrong with the options, the list
 * or the directory; then false is returned. */
bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages);
void targets_free(struct targets *all);

enum named { NAMES_NAME, NAMES_LATER, NAMES_END, NAMES_ERROR };

/* Makes the next target in a zeroed *t, for the caller to free; repeated ones are left out. An error of a
 * file is kept in its target, one of the list is in *e. NAMES_LATER: not waiting for a pipe, unless wait. */
enum named targets_next(struct targets *all, bool wait, struct target *t, struct error *e);
void target_free(struct target *t); /* zeroes it */

/* Looks at an input: 0 or an errno value, where *st is zero; st_size only of a regular file. */
int target_stat(const char *input, struct stat *st);

/* The name that messages use for its output or its input. */
const char *target_name(const struct target *t, bool output);

/* --- target_conflicts.c, for targets.c --- */

/* Keeps the input's identity. */
void target_keep_input(struct targets *all, const char *name, const struct stat *st);

/* Compares a target with those before it and with all known inputs, marks it if it is repeated, and keeps its
 * output's identity. False: *e says which conflict there is; e->at_output as usual. */
bool target_check(struct targets *all, struct target *t, struct error *e);

#endif
