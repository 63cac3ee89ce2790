/* The names of a command's inputs: operands, with --recursive the files below those that are folders, then
 * the names in the list of --files-from. The list is not held in memory. */
#ifndef SPRUNG_RUN_INPUT_NAMES_H
#define SPRUNG_RUN_INPUT_NAMES_H

#include "io/source.h"
#include "io/tree.h"
#include "run/filter_job.h"

struct input_names {
    struct tree operands;  /* folders are replaced by the files below them */
    size_t at;             /* of the operands: how many have been given out */
    char end;              /* the byte that ends a name in the list: a newline or NUL */
    bool later;            /* the list cannot be read twice, and its turn has not come: names end before it */
    struct source source;  /* of the list; its name is NULL without a list */
    size_t line;           /* names of the list that have been given out, empty names too */
    size_t begin, nbyte;   /* in bytes: where the next name begins, and the end of what has been read */
    char bytes[64 * 1024]; /* a piece of the list; more than the longest path */
    char shown[300];       /* what input_names_show returned last */
};

/* One name. */
struct input_name {
    const char *path;  /* stays until the next name is asked for; "-": standard input */
    const char *below; /* the end of path from which on --output-dir keeps it */
    size_t number;     /* from 1; the same whenever the names are read again */
    int errnum;        /* why the folder at path cannot be read; 0: path is a file */
};

enum input_named {
    NAMES_NAME,  /* there is a name */
    NAMES_LATER, /* the list is a pipe, in which there is nothing yet */
    NAMES_END,
    NAMES_ERROR /* of the list */
};

/* Begins with the operands, standard input if there are neither operands nor a list. except: a folder that is
 * left out of the folders among the operands; NULL: none. On false *e is about the list. input_names_close
 * follows in any case. */
bool input_names_open(struct input_names *names, const struct output_settings *options,
                      const struct texts *operands, const struct stat *except, struct error *e);
void input_names_close(struct input_names *names);

/* The next name; empty names in the list are skipped. wait: waits for a pipe. */
enum input_named input_names_next(struct input_names *names, bool wait, struct input_name *name,
                                  struct error *e);

/* Goes back to the first name. The list must be a file, or not have been begun. */
void input_names_rewind(struct input_names *names);

/* How messages show the input of that number: an operand, or "line 7 of LIST". The text stays until the next
 * call. */
const char *input_names_show(struct input_names *names, size_t number);

#endif
