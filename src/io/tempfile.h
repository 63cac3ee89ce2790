/* Unlinked temporary files, for output that is written out of order, or only when all of it is good. A struct
 * tempfile is one, or the output itself where that is an empty regular file. Invariant: no name is ever left
 * behind. */
#ifndef SPRUNG_IO_TEMPFILE_H
#define SPRUNG_IO_TEMPFILE_H

#include "io/source.h"

/* An unlinked file in TMPDIR or /tmp, open for reading and writing; -1 and *e when there can be none. */
int tempfile_temporary(struct error *e);

/* Makes a failed write the error of a temporary file: names the directory, which is full or cannot be
 * written. Returns false. */
bool tempfile_refuse(struct error *e);

/* Copies all of the source to fd, an empty temporary file; *n is how much that is. */
bool tempfile_take(int fd, struct source *source, uint64_t *n, struct error *e);

/* Writes all n bytes to any fd: short writes and interruptions are handled here. */
bool tempfile_put(int fd, const void *bytes, size_t n, struct error *e);

/* Writes a text to standard output and frees it; NULL: memory was out. */
bool tempfile_print(char *text, struct error *e);

struct tempfile {
    int out; /* where the bytes are to go; not owned; -1: nowhere yet */
    int fd;  /* where they are: out itself or a temporary file */
    uint64_t size;
};

/* Opens out itself where that is possible, else a temporary file. */
bool tempfile_open(struct tempfile *s, int out, struct error *e);

/* Always opens a temporary file. It may be written to by its fd, too. */
bool tempfile_hold(struct tempfile *s, int out, struct error *e);

/* True if bytes can be written to out in any order. */
bool tempfile_is_direct(int out);

/* Write n bytes at a place; read n bytes that were written. */
bool tempfile_write(struct tempfile *s, uint64_t at, const void *bytes, size_t n, struct error *e);
bool tempfile_read(const struct tempfile *s, uint64_t at, void *bytes, size_t n, struct error *e);

/* Copies what was written to out, if it is not there. */
bool tempfile_finish(struct tempfile *s, struct error *e);
void tempfile_close(struct tempfile *s);

#endif
