/* Unlinked temporary files, for output that is written out of order, or only after the last row was good.
 * Invariant: no name is left. */
#ifndef SPRUNG_IO_TEMPFILE_H
#define SPRUNG_IO_TEMPFILE_H

#include "io/source.h"

/* Writes n bytes to any fd, through short writes and interruptions. All output passes here: a full disk is
 * found here, and becomes an error with at_output. */
bool tempfile_put(int fd, const void *bytes, size_t n, struct error *e);

/* Copies what is left of the source to fd. */
bool tempfile_copy(int fd, struct source *source, struct error *e);

/* Writes a text to standard output and frees the text. A text of NULL is the out-of-memory error. */
bool tempfile_print(char *text, struct error *e);

struct tempfile {
    int out;       /* the output of the bytes; not owned; -1: not known yet */
    int fd;        /* the file that holds the bytes: out itself, or a temporary file, which is owned */
    uint64_t size; /* the end of the last byte that tempfile_write has written */
};

/* Writes to out itself if that is a regular file that the program has opened, in any order; else opens a
 * temporary file. */
bool tempfile_open(struct tempfile *tempfile, int out, struct error *e);

/* Opens a temporary file with what is left of the source; its size counts the bytes that were read from the
 * source since source_open. */
bool tempfile_take(struct tempfile *tempfile, struct source *source, struct error *e);

/* Write n bytes at the position `at`, and read n bytes that were written. */
bool tempfile_write(struct tempfile *tempfile, uint64_t at, const void *bytes, size_t n, struct error *e);
bool tempfile_read(const struct tempfile *tempfile, uint64_t at, void *bytes, size_t n, struct error *e);

/* Copies the bytes to out, unless out itself was written to. */
bool tempfile_finish(struct tempfile *tempfile, struct error *e);
void tempfile_close(struct tempfile *tempfile);

#endif
