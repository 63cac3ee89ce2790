/* Threads that do jobs. A caller that waits for a job does queued jobs meanwhile, so that the same code
 * serves 0, 1 or many threads. Invariant: no other file starts threads. */
#ifndef SPRUNG_BASE_POOL_H
#define SPRUNG_BASE_POOL_H

#include "base/error.h"
#include <stdatomic.h>

struct pool_job {
    void (*work)(void *closure);
    void *closure;         /* the argument of work */
    atomic_bool done;      /* work has returned; may be read at any time */
    struct pool_job *next; /* the next job in the queue; NULL: the last job */
};

struct pool;

/* Starts nthread threads (0 is allowed), or fewer if the system refuses more. NULL when out of memory. */
struct pool *pool_open(size_t nthread);

/* Queues a job; *job must stay until pool_wait. */
void pool_submit(struct pool *pool, struct pool_job *job, void (*work)(void *closure), void *closure);

/* Returns when the job is done. Until then the caller does queued jobs, in order. */
void pool_wait(struct pool *pool, struct pool_job *job);

/* Number of workers of pool_each: the pool's threads and the caller; pool NULL: the caller alone. */
size_t pool_workers(const struct pool *pool);

/* Calls work(closure, i, worker) for each i from 0 to n - 1, in any order, on several threads, and
 * returns when all calls have returned. worker: from 0 to pool_workers(pool) - 1; no two calls with the same
 * worker run at the same time. */
void pool_each(struct pool *pool, size_t n, void (*work)(void *closure, size_t i, size_t worker),
               void *closure);

/* Does the queued jobs, ends the threads and frees the pool. pool may be NULL. */
void pool_close(struct pool *pool);

#endif
