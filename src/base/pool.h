/* Threads that do jobs, or none. The caller helps: waiting for a job that nobody has begun does it right
 * there, so that no threads, one, or many take the same path through the program. Invariant: pool.c is the
 * only file that knows pthreads. */
#ifndef SPRUNG_POOL_H
#define SPRUNG_POOL_H

#include "base/error.h"

struct pool_job {
    void (*work)(void *closure);
    void *closure;
    enum { POOL_IDLE, POOL_QUEUED, POOL_BEGUN, POOL_DONE } state;
    struct pool_job *next;
};

struct pool;

/* A pool of nthread further threads, which may be 0. NULL and *e when memory or threads are out. */
struct pool *pool_open(size_t nthread, struct error *e);

/* Queues a job; it must stay where it is until pool_wait. */
void pool_submit(struct pool *p, struct pool_job *job, void (*work)(void *closure), void *closure);

/* Is the job done? Does not wait. */
bool pool_done(struct pool *p, const struct pool_job *job);

/* Does the job here if nobody has begun it; else does others until it is done. */
void pool_wait(struct pool *p, struct pool_job *job);

/* Does what is queued, and waits for the threads to end. NULL is fine. */
void pool_close(struct pool *p);

#endif
