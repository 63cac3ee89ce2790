/* Folders as inputs: the files below a folder, in an order that does not depend on the file system. */
#ifndef SPRUNG_IO_TREE_H
#define SPRUNG_IO_TREE_H

#include "base/param.h"

#include <sys/stat.h>

/* A file, or a folder that cannot be read. */
struct tree_file {
    char *path;   /* owned */
    size_t below; /* path + below is the part of the path below the operand; a file's own name where the
                     operand is a file */
    int errnum;   /* why the folder at path cannot be read; 0: path is a file */
};

struct tree {
    struct tree_file *file; /* owned */
    size_t nfile, maxfile;
};

/* Which of the files below a folder are taken. */
struct tree_choice {
    const struct texts *include; /* globs, one of which the file's name must match; empty: known decides */
    bool (*known)(const char *name); /* has a file of this name a known format? */
    const struct stat *except;       /* a folder that is left out, as its files are outputs; NULL: none */
};

/* Adds an operand as it is. */
bool tree_add_file(struct tree *tree, const char *path, struct error *e);

/* Adds the regular files below a folder that are chosen, and the folders that cannot be read, sorted by the
 * bytes of their paths. Names that begin with a dot are left out. Symbolic links to files are taken; links to
 * folders are not followed, so that there is no loop. False: out of memory, in *e. */
bool tree_add_folder(struct tree *tree, const char *folder, const struct tree_choice *choice,
                     struct error *e);

/* Adds each operand: with `recursive` a folder by the files below it, all else as it is. */
bool tree_add_operands(struct tree *tree, const struct texts *operands, bool recursive,
                       const struct tree_choice *choice, struct error *e);

void tree_free(struct tree *tree);

#endif
