/* Load, parse, filter, print, store: takes one input through a series into one output.
 * Invariant: the bytes that come out depend neither on the number of threads nor on how the input arrived. */
#ifndef SPRUNG_PIPELINE_H
#define SPRUNG_PIPELINE_H

#include "formats/format.h"
#include "base/pool.h"
#include "series/series.h"

/* Somebody who looks at blocks that are filtered, in their order, before they are printed. */
struct observer {
    bool (*take)(void *closure, const struct block *b, struct error *e); /* false: all ends with *e, in whose line
                                                                          * the block's begin at 1 */
    void *closure;
};

struct pipeline {
    struct reader *reader;   /* open, planned */
    struct writer *writer;   /* begun with fd set; NULL: rows are filtered and dropped */
    struct series *series;
    struct pool *pool;
    size_t nthread;          /* threads that may work on it, the caller's own included: how many blocks are under way */
    /* Called between blocks with the bytes read so far; NULL: nobody watches. */
    void (*watch)(void *closure, uint64_t nbyte);
    void *closure;
    const struct observer *observer; /* [nobserver] */
    size_t nobserver;
};

/* Runs until the input ends. On an error the rows before it have been written, unless it is an observer's. *e has its
 * line in the input. */
bool pipeline_run(struct pipeline *p, struct error *e);

#endif
