/* Files of options (--options FILE): words with blanks or line ends between them; quotes and backslashes as
 * in a POSIX shell, where nothing is expanded; # at the start of a word begins a comment up to the end of the
 * line. */
#ifndef SPRUNG_CLI_OPTIONS_FILE_H
#define SPRUNG_CLI_OPTIONS_FILE_H

#include "base/param.h"

struct option_file {
    const char *name; /* not owned */
    char *bytes;      /* the words point into it */
    char **word;      /* word[0] is the file's name, as a command's stands in argv[0]; NULL after the last */
    uint64_t *line;   /* where each word begins; owned with word */
    size_t nword;
};

struct option_files {
    struct option_file *file;
    size_t n, max;
    bool failed; /* to read or split the last */
};

/* Of the option --options: its value is the name of a file, which is read and split, and is one more of the
 * field's struct option_files. An error has the line, if it is about one. */
extern const struct param_type option_files_type;

/* Splits f->bytes, which it changes, into words; NUL-terminated. Needs f->name. */
bool option_file_split(struct option_file *f, struct error *e);

#endif
