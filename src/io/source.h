/* Input bytes: a file, a pipe or standard input; the first bytes can be peeked at before they are read.
 * Invariant: interrupted reads are handled here; a source returns what one read gives, so that it never waits
 * for more input than there is. */
#ifndef SPRUNG_IO_SOURCE_H
#define SPRUNG_IO_SOURCE_H

#include "base/error.h"

enum { SOURCE_HEAD = 4096 };

struct source {
    int fd;
    const char *name; /* as messages show it; not owned */
    bool regular;     /* a regular file: reads never wait */
    unsigned char head[SOURCE_HEAD];
    size_t nhead, athead; /* bytes peeked at, and how many of them have been read since */
    uint64_t nread;       /* bytes of the input that have been read, also by position */
    bool ended;
    bool whole; /* source_read fills its buffer, even if it must wait */
};

/* name "-" is standard input. Refuses directories. source_close follows in any case. */
bool source_open(struct source *s, const char *name, struct error *e);
void source_close(struct source *s);

/* The error of a name that is a directory; returns false. */
bool source_refuse_directory(const char *name, struct error *e);

/* Fills head with the first bytes: atleast of them (at most SOURCE_HEAD) unless the input is shorter. */
bool source_peek(struct source *s, size_t atleast, struct error *e);

/* Reads up to max > 0 bytes: as many as one read gives, or max with whole; *n = 0 at the end of the input. */
bool source_read(struct source *s, char *buf, size_t max, size_t *n, struct error *e);

/* All n bytes of an input, malloc'ed, and a NUL after them; more than most bytes, but not all, if it is
 * longer. NULL and *e on errors. */
char *source_text(const char *name, size_t most, size_t *n, struct error *e);

/* True if source_read would not wait. */
bool source_ready(const struct source *s);

#endif
