/* Threads that do jobs. A caller that waits for a job does it itself if no thread has begun it, so that the
 * program is the same for no threads, one, or many. Invariant: no other file starts threads. */
#ifndef SPRUNG_BASE_POOL_H
#define SPRUNG_BASE_POOL_H

#include "base/error.h"
#include <stdatomic.h>

struct pool_job {
    void (*work)(void *closure);
    void *closure;
    atomic_bool done; /* may be looked at at any time */
    struct pool_job *next;
};

struct pool;

/* Starts nthread threads, which may be 0, or as many as there can be. NULL when memory is out. */
struct pool *pool_open(size_t nthread);

/* Queues a job; *job must stay until pool_wait. */
void pool_submit(struct pool *p, struct pool_job *job, void (*work)(void *closure), void *closure);

/* Does queued jobs, in order, until this one is done. */
void pool_wait(struct pool *p, struct pool_job *job);

/* Does what is queued and ends the threads. p may be NULL. */
void pool_close(struct pool *p);

#endif
