/* The names of a command's inputs: operands, with --recursive the files below folders, then the names in the
 * list of --files-from. The list is not held in memory. */
#ifndef SPRUNG_RUN_INPUT_NAMES_H
#define SPRUNG_RUN_INPUT_NAMES_H

#include "base/port.h"
#include "io/source.h"
#include "io/tree.h"
#include "run/filter_job.h"

struct input_names {
    struct tree operands;  /* with --recursive, files in place of folders */
    size_t at;             /* operands returned so far */
    char end;              /* ends a name in the list: a newline or NUL */
    bool only_operands;    /* names end after the operands: the list is a pipe, which can be read only once,
                              and targets_open looks at the known names first */
    struct source source;  /* of the list; source.name is NULL without a list */
    size_t line;           /* lines of the list returned or skipped so far */
    size_t begin, nbyte;   /* offsets in bytes: the next name, and the end of the text read */
    char bytes[64 * 1024]; /* a piece of the list; more than the longest path */
    char shown[300];       /* result of input_names_show */
};

/* A name. */
struct input_name {
    const char *path;  /* valid until the next input_names_next; "-": standard input */
    const char *below; /* the last part of path, kept in --output-dir */
    size_t number;     /* from 1; the same after input_names_rewind */
    int errnum;        /* why the folder at path cannot be read; 0: path is a file */
};

enum input_named {
    NAMES_NAME,  /* a name was returned */
    NAMES_LATER, /* the list is a pipe, and nothing has arrived */
    NAMES_END,   /* no name is left; with only_operands, no operand */
    NAMES_ERROR  /* an error of the list */
};

/* Begins with the operands, or standard input if the command has neither operands nor a list. except: a
 * folder left out below operands; NULL: no folder. On false *e is about the list. The caller calls
 * input_names_close after true and after false. */
bool input_names_open(struct input_names *names, const struct output_settings *options,
                      const struct texts *operands, const struct port_status *except, struct error *e);
void input_names_close(struct input_names *names);

/* The next name; empty names in the list are skipped. wait: waits for a pipe. */
enum input_named input_names_next(struct input_names *names, bool wait, struct input_name *name,
                                  struct error *e);

/* Goes back to the first name. The list must be a file, or not have been begun. */
void input_names_rewind(struct input_names *names);

/* The input of a number for messages: a path, or "line 7 of LIST". Valid until the next call. */
const char *input_names_show(struct input_names *names, size_t number);

#endif
