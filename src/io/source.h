/* Input bytes: a file, a pipe or standard input, with a look at the first bytes before reading. Invariant: a
 * read that is interrupted is repeated; source_read returns the bytes of one read, and so does not wait for
 * more input than has arrived. */
#ifndef SPRUNG_IO_SOURCE_H
#define SPRUNG_IO_SOURCE_H

#include "base/error.h"

enum { SOURCE_HEAD = 4096 };

struct source {
    int fd;
    const char *name; /* the name in messages; not owned */
    bool regular;     /* a regular file: reads never wait */
    unsigned char head[SOURCE_HEAD];
    size_t nhead;   /* bytes in head */
    size_t athead;  /* bytes of head that source_read has returned */
    uint64_t nread; /* bytes of the input read so far, also by position */
    bool ended;     /* the end of the input was reached */
    bool whole;     /* source_read waits until its buffer is full */
};

/* Opens an input; name "-" is standard input. Refuses directories. The caller calls source_close after true
 * and after false. */
bool source_open(struct source *source, const char *name, struct error *e);
void source_close(struct source *source);

/* The name of an input in messages: "(standard input)" for "-". */
const char *source_shown(const char *name);

/* Is the source the regular file that is open as fd? */
bool source_is_file(const struct source *source, int fd);

/* The error of an input that is a directory; returns false. */
bool source_refuse_directory(const char *name, struct error *e);

/* Reads atleast bytes or more into head, fewer only if the input is shorter; at most SOURCE_HEAD. */
bool source_peek(struct source *source, size_t atleast, struct error *e);

/* Reads up to max > 0 bytes: the bytes of one read, or max bytes with `whole`; *n = 0 at the end of the
 * input. */
bool source_read(struct source *source, char *buf, size_t max, size_t *n, struct error *e);

/* The bytes of an input, malloc'ed, with a NUL after the last byte; *n receives their number without the NUL.
 * If the input is longer than `most` bytes, the result is a part of the input with more than `most` bytes.
 * NULL and *e on errors. */
char *source_text(const char *name, size_t most, size_t *n, struct error *e);

/* True if source_read would return without waiting for input. */
bool source_ready(const struct source *source);

#endif
