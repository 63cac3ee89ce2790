/* Bytes in: a file, a pipe or standard input, with a look at the first bytes before anything is consumed.
 * Invariant: short reads and EINTR are handled here; a source never reads past what one read gives, so it is live. */
#ifndef SPRUNG_SOURCE_H
#define SPRUNG_SOURCE_H

#include "base/error.h"

enum { SOURCE_HEAD = 4096 };

struct source {
    int fd;
    const char *name;          /* as messages show it; not owned */
    bool regular;              /* a regular file: it never makes us wait */
    unsigned char head[SOURCE_HEAD];
    size_t nhead, athead;      /* bytes peeked, and how many of them were consumed again */
    uint64_t nread;            /* bytes that came so far */
    bool ended;
    bool whole;                /* nobody waits for single rows: reads fill their buffer */
};

/* name "-" is standard input. Refuses directories. */
bool source_open(struct source *s, const char *name, struct error *e);
void source_close(struct source *s);

/* The error of a name that is a directory; returns false. */
bool source_refuse_directory(const char *name, struct error *e);

/* Peeks at the first bytes: at least one unless the input is empty, at most SOURCE_HEAD. */
bool source_peek(struct source *s, size_t atleast, struct error *e);

/* Up to max > 0 bytes, as many as one read gives, or with whole as there are; *n = 0 at the end of the input. */
bool source_read(struct source *s, char *buf, size_t max, size_t *n, struct error *e);

/* How many bytes of the input have been read. */
uint64_t source_position(const struct source *s);

/* Is there something to read, or the end, without waiting? */
bool source_ready(const struct source *s);

#endif
