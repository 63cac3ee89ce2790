/* What each input becomes, and where it goes: made, judged and refused before anything is written.
 * Invariant: no two items of a plan that was made write to one file, and none writes to another's input. */
#ifndef SPRUNG_PLAN_H
#define SPRUNG_PLAN_H

#include "run/filter_job.h"
#include "io/output.h"
#include "base/pool.h"

enum target_kind { TARGET_STDOUT, TARGET_FILE, TARGET_DIRECTORY, TARGET_IN_PLACE };

struct target {
    const char *input;           /* as given; "-" is standard input */
    char *name;                  /* of the output, owned; NULL: standard output, or the input itself */
    char *backup;                /* owned; NULL: none */
    struct output_want want;
    struct output_place place;
    bool regular;                /* the input is a regular file of nbyte bytes */
    bool directory;              /* it is a directory, which nobody reads */
    bool known;                  /* it is there: device and inode say which it is */
    uint64_t nbyte;
    dev_t dev;
    ino_t ino;
    bool repeated;               /* the same input for the same output as an item before: left out */
    bool failed;                 /* why is in the messages */
    struct messages messages;          /* what is to be said about it, in its turn */
    char *report;                /* the same for --report; owned */
    struct pool_job job, store;       /* to filter it, and then to bring it to its place */
};

struct targets {
    const struct output_settings *options;
    enum target_kind way;
    struct target *item;
    size_t nitem, nwork;         /* nwork: without repeated ones */
    uint64_t nbyte;              /* of all inputs; 0: nobody knows */
    char **directory;            /* where output files are, each once; owned */
    size_t ndirectory;
    bool made_directory;
};

/* A zeroed *p is made from the command line; targets_free in any case. What is wrong with one file is kept with its item;
 * what refuses the whole is said at once, and false is returned. */
bool targets_make(struct targets *p, const struct output_settings *options, const struct texts *inputs, struct messages *messages);
void targets_free(struct targets *p);

/* Makes --output-dir. */
bool targets_begin(struct targets *p, struct error *e);

/* "a.csv -> out/a.csv", escaped, with a line end. Returns buf. */
char *targets_tell(const struct targets *p, const struct target *item, char *buf, size_t maxbuf);

/* How messages call them. */
const char *targets_input(const struct target *item);
const char *targets_output(const struct target *item);

/* plan_conflict.c: marks repeated items, and says all conflicts. False when there are any. */
bool targets_conflicts(struct targets *p, struct messages *messages);

#endif
