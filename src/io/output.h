/* Output files that appear whole or not at all. Bytes go to a file with a hidden name next to the target;
 * output_commit brings them to the disk and renames the file.
 *
 * Invariants: until output_commit succeeds, no file changes under its own name. A file that appeared or
 * changed since output_look is not replaced, unless `force` is set; an input of the command is only replaced
 * by its own result. SIGKILL leaves at most one hidden name of each file that is being written. */
#ifndef SPRUNG_IO_OUTPUT_H
#define SPRUNG_IO_OUTPUT_H

#include "base/error.h"
#include "base/port.h"
#include "io/file_table.h"

struct outfile {
    /* Set by the caller. The members below are zero before output_look. */
    const char *path; /* "-" is standard output */
    bool force;    /* replace a read-only file, and a file that another process made or changed meanwhile */
    bool in_place; /* replace a regular file with one hard link, which must not change before output_commit;
                      failing to keep owner or mode is an error */
    bool makes_folders; /* missing folders above the file are made; false: the directory must exist */
    char *backup; /* path in the same directory under which the old file is kept; owned; NULL: the old file
                     goes */
    struct file_table *files; /* the files of the command; NULL: a single file */
    size_t number;            /* the number in files of the input that this is the output of */

    /* Set by output_look. */
    enum {
        OUTPUT_NOTHING, /* no file exists at path */
        OUTPUT_FILE,    /* path is a regular file */
        OUTPUT_STREAM,  /* path is a pipe, terminal or device */
        OUTPUT_STDOUT   /* path is "-", or the file that is open as standard output */
    } kind;
    char *real;                /* the path, symbolic links resolved if a file exists; owned */
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

/* Checks, without making a file, that files can be made in the output's directory, or, with makes_folders, in
 * the first directory above that exists. */
bool output_allowed(const struct outfile *out, struct error *e);

/* Gives the output a second file at path, and looks at path as output_look does. The companion is edited in
 * place if the output is edited in place. A file at path is replaced only with `force`, or if the output
 * replaces a file. Two outputs of a command cannot have the same companion. */
bool output_look_companion(struct outfile *out, const char *path, struct error *e);

/* Opens the file for writing, after output_look. */
bool output_open(struct outfile *out, struct error *e);

/* After the last byte: brings the bytes to the disk and names the file. After an error the old file is still
 * in place; where the file cannot be named, its companion may be named already. Any thread may call. */
bool output_commit(struct outfile *out, struct error *e);

/* Closes the file and frees what *out owns. A file without output_commit is gone. May be called again, and
 * *out may be zero. */
void output_close(struct outfile *out);

/* Makes a directory and those above it that do not exist. Returns 0 or an errno value. */
int output_make_directory(const char *path);

/* A path's directory, malloc'ed; NULL when out of memory. */
char *output_directory(const char *path);

/* --- used by the files of io only --- */

/* The name of a path, without directories. */
const char *output_last_part(const char *path);

/* Is the file with this status an input of the command? */
bool output_is_input(const struct outfile *out, const struct port_status *status);

#endif
