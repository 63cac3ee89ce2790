/* An output file that appears whole or not at all: bytes go to a file without a name, which takes its place
 * in one step when all is written. Where the system has no files without names, it has a hidden name until
 * then. Invariant: until output_commit succeeds, nothing that was there before has changed. */
#ifndef SPRUNG_IO_OUTPUT_H
#define SPRUNG_IO_OUTPUT_H

#include "base/error.h"
#include <sys/stat.h>

struct outfile {
    /* given, the rest is zero */
    const char *path; /* "-" is standard output; a file there is replaced */
    bool force;       /* also a read-only one */
    bool in_place;    /* a regular file with one name must be there, and must not change meanwhile; if its
                         owner, mode or attributes cannot be kept, that is an error */
    char *backup;     /* the old file is kept under this name, where another is replaced; NULL: it is not */

    /* what is there */
    enum { OUTPUT_NOTHING, OUTPUT_FILE, OUTPUT_STREAM /* pipe, terminal, device */, OUTPUT_STDOUT } kind;
    char *real;     /* the path; symbolic links resolved if there is a file */
    struct stat st; /* unless nothing is there */

    int fd;     /* bytes go here */
    char *temp; /* hidden name; NULL: the file has none yet */
    bool named; /* the hidden name exists */

    struct outfile *with; /* moved just before this one: both get their names, or neither does; malloc'ed and
                             owned, with path and backup; NULL: none. Without a backup of
                             this file, that of `with` is kept for that moment alone */
};

/* Looks at the path and checks that the output may be written there; opens nothing. output_close follows in
 * any case. */
bool output_look(struct outfile *o, struct error *e);

/* Checks, without making anything, that a file can be made there. make_directory: missing directories will be
 * made. */
bool output_allowed(const struct outfile *o, bool make_directory, struct error *e);

/* Gives the output a second file at that path, and looks at it: like the first, it is edited in place, and
 * replaces another only with force, or where the first one replaces one. */
bool output_look_with(struct outfile *o, const char *path, struct error *e);

/* Opens it, after output_look. */
bool output_open(struct outfile *o, struct error *e);

/* After all is written: copies metadata, syncs the file and moves it to its path. On an error what was there
 * before is still there. */
bool output_commit(struct outfile *o, struct error *e);

/* Closes, and removes what was not committed; *o may also be zero. */
void output_close(struct outfile *o);

/* Removes hidden files that killed runs left in a directory (with a name that only this program gives, of
 * this user, and not locked by a living process), and syncs its names to the disk. */
bool output_sync(const char *directory, struct error *e);

/* A path's directory, malloc'ed; NULL when memory is out. */
char *output_directory(const char *path);

/* --- atomic_rename.c, for output.c --- */

/* Gives fd the owner, mode, ACL and extended attributes of the old file. strict: or fails. */
bool copy_metadata(int fd, const char *old, const struct stat *before, bool strict, struct error *e);

/* A hidden name next to path, .NAME.sprung-XXXXXX, another one at each call; malloc'ed, NULL when memory is
 * out. */
char *atomic_rename_hidden(const char *path);

/* Gives a written file its name by its hidden name. Returns 0 or an errno value; EEXIST: there is a file
 * where nothing was, or the hidden name is taken. Leaves no hidden name that was not there before. */
int atomic_rename_move(const struct outfile *o);

#endif
