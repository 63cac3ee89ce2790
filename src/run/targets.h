/* What each input becomes, and where it goes: made, judged and refused before anything is written.
 * Invariant: no two items of a plan that was made write to one file, and none writes to another's input. */
#ifndef SPRUNG_PLAN_H
#define SPRUNG_PLAN_H

#include "base/messages.h"
#include "cli/options.h"
#include "io/output.h"
#include "base/pool.h"

enum plan_way { PLAN_STDOUT, PLAN_FILE, PLAN_DIRECTORY, PLAN_IN_PLACE };

struct plan_item {
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
    bool failed;                 /* why is in the notes */
    struct notes notes;          /* what is to be said about it, in its turn */
    char *report;                /* the same for --report; owned */
    struct job job, store;       /* to filter it, and then to bring it to its place */
};

struct plan {
    const struct output_options *options;
    enum plan_way way;
    struct plan_item *item;
    size_t nitem, nwork;         /* nwork: without repeated ones */
    uint64_t nbyte;              /* of all inputs; 0: nobody knows */
    char **directory;            /* where output files are, each once; owned */
    size_t ndirectory;
    bool made_directory;
};

/* A zeroed *p is made from the command line; plan_free in any case. What is wrong with one file is kept with its item;
 * what refuses the whole is said at once, and false is returned. */
bool plan_make(struct plan *p, const struct output_options *options, const struct texts *inputs, struct notes *notes);
void plan_free(struct plan *p);

/* Makes --output-dir. */
bool plan_begin(struct plan *p, struct error *e);

/* "a.csv -> out/a.csv", escaped, with a line end. Returns buf. */
char *plan_tell(const struct plan *p, const struct plan_item *item, char *buf, size_t maxbuf);

/* How messages call them. */
const char *plan_input(const struct plan_item *item);
const char *plan_output(const struct plan_item *item);

/* plan_conflict.c: marks repeated items, and says all conflicts. False when there are any. */
bool plan_conflicts(struct plan *p, struct notes *notes);

#endif
