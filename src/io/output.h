/* An output file that appears whole or not at all: bytes go to a file without a name, which takes its place in one step
 * when all is written. Where the system has no files without names, it has a hidden name until then.
 * Invariant: until output_commit succeeds, nothing that was there before has changed. */
#ifndef SPRUNG_OUTPUT_H
#define SPRUNG_OUTPUT_H

#include "base/error.h"
#include <sys/stat.h>

struct output_want {
    const char *path;   /* "-" is standard output */
    bool replace;       /* a file of that name may be replaced */
    bool force;         /* even when it is read-only */
    bool in_place;      /* it must be there, a regular file with one name, and stay unchanged meanwhile; all that it has
                         * besides its bytes is kept, or it is an error */
    const char *suffix; /* in place: the old file is kept under its name and this; NULL or "": it is not */
};

/* What stands at an output's place. */
struct output_place {
    enum { OUTPUT_NOTHING, OUTPUT_FILE, OUTPUT_STREAM, OUTPUT_STDOUT } kind; /* a stream: pipe, terminal, device */
    char *path;         /* owned; symbolic links resolved where a file is there */
    struct stat st;     /* unless nothing is there */
};

/* Looks at the place and judges whether the output may go there; opens nothing. */
bool output_look(const struct output_want *want, struct output_place *place, struct error *e);

/* Could a file be made at that place? For a look beforehand, which makes nothing; make_directory: directories that are
 * missing would be made. */
bool output_allowed(const struct output_place *place, bool make_directory, struct error *e);

struct outfile {
    int fd;             /* bytes go here */
    const struct output_want *want;
    struct output_place place;
    char *temp;         /* hidden name; NULL: the file has none yet */
    int old;            /* in place: the file to be replaced, so that it cannot be mistaken for another; else -1 */
    bool named;         /* the hidden name is there */
};

/* A zeroed *o is opened; output_close follows in any case. The want must stay. */
bool output_open(struct outfile *o, const struct output_want *want, struct error *e);

/* All is written: gives the file what it must keep, brings it to the disk and then to its place. On an error what was
 * there before is still there. */
bool output_commit(struct outfile *o, struct error *e);

/* Leaves nothing behind but what was committed. */
void output_close(struct outfile *o);

/* Brings the names in a directory to the disk. */
bool output_sync(const char *directory, struct error *e);

/* Removes what earlier runs that were killed left in a directory: hidden files with a name that only this program gives,
 * ours, that no living process has locked. */
void output_clean(const char *directory);

/* A path's directory, malloc'ed; NULL when memory is out. */
char *output_directory(const char *path);

/* --- between the files of this module --- */

/* copy_metadata.c: gives fd the owner, mode, ACL and extended attributes of the old file. old may be -1 unless strict. */
bool copy_metadata(int fd, int old, const struct stat *before, bool strict, struct error *e);

/* output_name.c: a hidden name next to path; malloc'ed, another one at each call; NULL when memory is out. */
char *atomic_rename_hidden(const char *path);

/* output_name.c: how a written file gets its name. */
struct atomic_rename_move {
    int fd;             /* without a name; -1: it has the hidden one */
    const char *temp, *path;
    const char *backup, *backup_temp; /* NULL: no backup */
    bool fresh;         /* nothing may be at path */
    ino_t old;          /* inode that stands at path, where a backup is kept */
};
/* Returns 0 or an errno value; EEXIST: see fresh, or the hidden name is taken. Nothing is left at the hidden names. */
int atomic_rename_move(const struct atomic_rename_move *m);

#endif
