/* Output files that appear whole or not at all. Bytes go to a file with a hidden name next to the target;
 * output_commit brings them to the disk and renames the file.
 *
 * Invariants: before output_commit no file changes under its own name. output_commit renames: each name has
 * the old file or the new one, except that an old file without hard links has only its backup's name for a
 * moment. A file that appeared where none was is only replaced with `force`, and a file edited in place only
 * if it is as it was. SIGKILL leaves at most one hidden name of each file that is being written. */
#ifndef SPRUNG_IO_OUTPUT_H
#define SPRUNG_IO_OUTPUT_H

#include "base/error.h"
#include "base/port.h"

struct outfile {
    /* Set by the caller. The members below are zero before output_look. */
    const char *path;   /* "-" is standard output */
    bool force;         /* replace a read-only file, a backup, and a file that appeared meanwhile */
    bool in_place;      /* replace a regular file with one hard link; its owner and mode must be kept */
    const char *suffix; /* of the name under which the old file is kept; NULL: the old file goes */

    /* Set by output_look. */
    enum {
        OUTPUT_NOTHING, /* no file exists at path */
        OUTPUT_FILE,    /* path is a regular file */
        OUTPUT_STREAM,  /* path is a pipe, terminal or device */
        OUTPUT_STDOUT   /* path is "-", or the file that is open as standard output */
    } kind;
    char *real;                /* the path, symbolic links resolved if a file exists; owned */
    char *backup;              /* path of the backup; owned; NULL: none */
    struct port_status status; /* of the existing file; undefined for OUTPUT_NOTHING and OUTPUT_STDOUT */

    /* Set by output_open. */
    int fd;       /* bytes go here */
    char *hidden; /* path of the hidden name; owned; NULL: no file is waiting for its name */

    struct outfile *companion; /* a second file, which output_commit names first; owned, with its path. NULL:
                                  no second file */
};

/* Looks at the path and checks that an output may have that path; opens nothing. The caller calls
 * output_close after true and after false. */
bool output_look(struct outfile *out, struct error *e);

/* Gives the output a second file at path, and looks at path as output_look does. A file at path is replaced
 * only with `force`, or if the output replaces a file. False: the output has no second file. */
bool output_look_companion(struct outfile *out, const char *path, struct error *e);

/* Opens the file for writing, after output_look. makes_folders: missing folders above the file are made. */
bool output_open(struct outfile *out, bool makes_folders, struct error *e);

/* After the last byte: brings the bytes to the disk and names the file. After an error the old file is still
 * in place; where the file cannot be named, its companion may be named already. Any thread may call. */
bool output_commit(struct outfile *out, struct error *e);

/* Closes the file and frees what *out owns. A file without output_commit is gone. May be called again, and
 * *out may be zero. */
void output_close(struct outfile *out);

#endif
