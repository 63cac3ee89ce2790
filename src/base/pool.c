/* Threads that do jobs. See pool.h. */
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t queued;  /* a job was queued, or the pool is closing */
    pthread_cond_t done;    /* a job was done */
    struct pool_job *first; /* of the queue; NULL: no job is queued */
    struct pool_job **last; /* where the next queued job is linked */
    bool closing;           /* threads end when the queue is empty */
    size_t nthread;
    pthread_t thread[]; /* [nthread] */
};

/* Does the first queued job; false: no job is queued. The caller holds the lock, which is released during the
 * job. */
static bool do_next(struct pool *p)
{
    struct pool_job *job = p->first;
    if (!job)
        return false;
    p->first = job->next;
    if (!p->first)
        p->last = &p->first;
    pthread_mutex_unlock(&p->lock);
    job->work(job->closure);
    pthread_mutex_lock(&p->lock);
    job->done = true;
    pthread_cond_broadcast(&p->done);
    return true;
}

static void *run_thread(void *closure)
{
    struct pool *p = closure;
    pthread_mutex_lock(&p->lock);
    while (do_next(p) || !p->closing)
        if (!p->first && !p->closing)
            pthread_cond_wait(&p->queued, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct pool *pool_open(size_t nthread)
{
    struct pool *p = calloc(1, sizeof *p + nthread * sizeof *p->thread);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->queued, NULL);
    pthread_cond_init(&p->done, NULL);
    p->last = &p->first;
    /* Signals are handled in the main thread. Half a megabyte of stack is enough for the deepest job, which
     * reads nested JSON. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 512 * 1024);
    while (p->nthread < nthread && pthread_create(&p->thread[p->nthread], &attr, run_thread, p) == 0)
        p->nthread++;
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return p;
}

void pool_submit(struct pool *p, struct pool_job *job, void (*work)(void *closure), void *closure)
{
    *job = (struct pool_job){ .work = work, .closure = closure };
    pthread_mutex_lock(&p->lock);
    *p->last = job;
    p->last = &job->next;
    if (p->nthread)
        pthread_cond_signal(&p->queued);
    pthread_mutex_unlock(&p->lock);
}

void pool_wait(struct pool *p, struct pool_job *job)
{
    pthread_mutex_lock(&p->lock);
    while (!job->done)
        if (!do_next(p))
            pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_close(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->queued);
    while (do_next(p))
        continue;
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->nthread; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->queued);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
