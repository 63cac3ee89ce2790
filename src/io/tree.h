/* Folders as inputs: the files below a folder, sorted by path. */
#ifndef SPRUNG_IO_TREE_H
#define SPRUNG_IO_TREE_H

#include "base/param.h"
#include "base/port.h"

/* A file, or a folder that cannot be read. */
struct tree_file {
    char *path;   /* owned */
    size_t below; /* path + below is the part of the path below the operand; if the operand is a file, the
                     file's own name */
    bool folder;  /* a folder, which tree_add_folder replaces by its files */
    int errnum;   /* why the folder at path cannot be read; 0: path is a file */
};

struct tree {
    struct tree_file *file; /* owned */
    size_t nfile, maxfile;
};

/* The choice among the files below a folder. */
struct tree_choice {
    const struct texts *include; /* globs: a file is taken if its name matches one of the globs. No globs: a
                                    file is taken if `known` returns true */
    bool (*known)(const char *name); /* Has a file of this name a known format? */
    const struct port_status
        *except; /* a folder that is left out, as it receives the outputs; NULL: no folder */
};

/* Adds the chosen regular files below a folder, and folders that cannot be read, sorted by the bytes of their
 * paths. Names that begin with a dot are left out. Symbolic links to files are taken, and
 * links to nothing, so that opening them says what is wrong; links to folders are not followed, which
 * excludes loops. False: out of memory, in *e. */
bool tree_add_folder(struct tree *tree, const char *folder, const struct tree_choice *choice,
                     struct error *e);

/* Adds the operands; no operand means "-". With `recursive`, an operand that is a folder is added by
 * tree_add_folder. It is an error if --include is given and no file matches. */
bool tree_add_operands(struct tree *tree, const struct texts *operands, bool recursive,
                       const struct tree_choice *choice, struct error *e);

void tree_free(struct tree *tree);

#endif
