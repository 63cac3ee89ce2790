/* An output file that appears whole or not at all: bytes go to a file without a name, which gets its name
 * when all of them are written. Where the system has no files without names, the file has a hidden name until
 * then.
 *
 * Invariants: until output_commit succeeds, nothing that was there before has changed. A file that appeared
 * or changed since output_look is not replaced, unless `force` is set; an input of the command is never
 * replaced but by its own result. A directory is opened once and reached by its descriptor from then on, so
 * that another directory or a link under the same path changes nothing. SIGKILL leaves at most one hidden
 * name. */
#ifndef SPRUNG_IO_OUTPUT_H
#define SPRUNG_IO_OUTPUT_H

#include "base/error.h"
#include "io/file_table.h"

/* The directory of --output-dir. */
struct output_folder {
    const char *path;
    int fd; /* the open directory; 0: it is not there */
};

struct outfile {
    /* Set by the caller; all other members are zero before output_look. */
    const char *path; /* "-" is standard output; a file there is replaced */
    bool force;       /* replaces a read-only file, and a file that others made or changed meanwhile */
    bool in_place;    /* a regular file with one name must be there; it must not change before the new one
                         replaces it, and owner, mode and attributes must be kept */
    char *backup;     /* path in the same directory where the old file is kept; NULL: it is not kept */
    const struct output_folder *folder; /* path lies in or below this folder, missing folders between the two
                                           are made; NULL: path's directory must be there */
    struct command_files *files;        /* all files of the command; NULL: only this one is known */
    size_t number;                      /* of the input in files */

    /* Set by output_look. */
    enum { OUTPUT_NOTHING, OUTPUT_FILE, OUTPUT_STREAM /* pipe, terminal, device */, OUTPUT_STDOUT } kind;
    char *real;     /* the path; of a file that is there with symbolic links resolved; owned */
    bool in_folder; /* real is in or below the folder */
    struct stat st; /* of the file that is there; undefined for OUTPUT_NOTHING and OUTPUT_STDOUT */

    /* Set by output_open. */
    int fd;        /* bytes go here */
    int directory; /* the open directory in which the file waits for its name; 0: none */
    char *hidden;  /* path of the hidden name; owned; NULL: the file has no name yet */
    bool prepared; /* output_prepare succeeded */

    struct outfile *companion; /* a second file: both get their names, or neither does; owned, with path and
                                  backup. Without a backup of this file, that of the companion is a hidden
                                  name which exists while both are moved. NULL: there is no second file */
};

/* Looks at the path and checks that the output may be written there; opens nothing. output_close follows in
 * any case. */
bool output_look(struct outfile *o, struct error *e);

/* Checks, without making anything, that a file can be made there. make_directory: missing directories will be
 * made. */
bool output_allowed(const struct outfile *o, bool make_directory, struct error *e);

/* Gives the output a second file at that path, and looks at it. Like the first file it is edited in place,
 * and it replaces another file only with `force`, or where the first file replaces one. No other output of
 * the command may have it. */
bool output_look_companion(struct outfile *o, const char *path, struct error *e);

/* Opens it, after output_look. */
bool output_open(struct outfile *o, struct error *e);

/* After all is written: copies metadata of the file that is replaced, and brings the bytes to the disk. Gives
 * no names; from any thread. */
bool output_prepare(struct outfile *o, struct error *e);

/* Gives the file its name, after output_prepare, which it calls if need be. On an error what was there before
 * is still there. */
bool output_commit(struct outfile *o, struct error *e);

/* Closes the file, which is gone if it was not committed. *o may also be zero. */
void output_close(struct outfile *o);

/* Brings the names in a directory to the disk. */
bool output_sync(const char *directory, struct error *e);

/* A path's directory, malloc'ed; NULL when memory is out. */
char *output_directory(const char *path);

/* A hidden name for a file called name, another one at each call: .NAME.sprung-XXXXXX, at most 255 bytes.
 * malloc'ed; NULL when memory is out. */
char *output_hidden_name(const char *name);

/* --- output_metadata.c, for output.c --- */

/* Gives the file fd the owner, mode, access control list and extended attributes of the old file, which is
 * `name` in an open directory. strict: what cannot be kept is an error. */
bool output_copy_metadata(int fd, int directory, const char *name, bool strict, struct error *e);

#endif
