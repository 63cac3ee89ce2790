/* Files that need to be written or read out of order, between descriptors that may be pipes. A spool is an
 * unlinked temporary file, or the output itself where that is an empty regular file: its bytes are the same
 * either way. Invariant: no name is ever left behind. */
#ifndef SPRUNG_TEMPFILE_H
#define SPRUNG_TEMPFILE_H

#include "io/source.h"

/* An unlinked file in TMPDIR or /tmp, open for reading and writing; -1 and *e when there can be none. */
int tempfile_temporary(struct error *e);

/* Copies all of the source to the beginning of fd; *n is how much that is. */
bool tempfile_take(int fd, struct source *source, uint64_t *n, struct error *e);

struct tempfile {
    int out;     /* where the bytes are to go; not owned */
    int fd;      /* where they are: out itself or a temporary file; -1: nowhere yet */
    bool direct; /* fd is out */
    uint64_t size;
};

/* out -1: a temporary file that goes nowhere. */
bool tempfile_open(struct tempfile *s, int out, struct error *e);

/* Can the bytes be written to out itself, in any order? */
bool spool_is_direct(int out);

/* Writes n bytes at a place. */
bool tempfile_write(struct tempfile *s, uint64_t at, const void *bytes, size_t n, struct error *e);

/* Reads n bytes of what was written. */
bool tempfile_read(const struct tempfile *s, uint64_t at, void *bytes, size_t n, struct error *e);

/* Takes what was written to out, if it is not there. */
bool tempfile_finish(struct tempfile *s, struct error *e);
void tempfile_close(struct tempfile *s);

/* A temporary file in the place of out, whatever out is: what is written to s->fd goes to out when tempfile_release says
 * so, or never. */
bool tempfile_hold(struct tempfile *s, int out, struct error *e);
bool tempfile_release(struct tempfile *s, struct error *e);

/* Writes all n bytes to fd, past short writes and interruptions. */
bool tempfile_put(int fd, const void *bytes, size_t n, struct error *e);

#endif
