/* Threads that do jobs. See pool.h. */
#include "base/pool.h"
#include "base/port.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t queued;  /* a job was queued, or the pool is closing */
    pthread_cond_t done;    /* a job was done */
    struct pool_job *first; /* the first job in the queue; NULL: no job is queued */
    struct pool_job **last; /* where the next queued job is linked */
    bool closing;           /* threads end when the queue is empty */
    size_t nthread;
    pthread_t thread[]; /* [nthread] */
};

/* Does the first queued job; false: no job is queued. The caller holds the lock, which is released during the
 * job. */
static bool do_next(struct pool *pool)
{
    struct pool_job *job = pool->first;
    if (!job)
        return false;
    pool->first = job->next;
    if (!pool->first)
        pool->last = &pool->first;
    pthread_mutex_unlock(&pool->lock);
    job->work(job->closure);
    pthread_mutex_lock(&pool->lock);
    job->done = true;
    pthread_cond_broadcast(&pool->done);
    return true;
}

static void *run_thread(void *closure)
{
    struct pool *pool = closure;
    pthread_mutex_lock(&pool->lock);
    while (do_next(pool) || !pool->closing)
        if (!pool->first && !pool->closing)
            pthread_cond_wait(&pool->queued, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_open(size_t nthread)
{
    struct pool *pool = calloc(1, sizeof *pool + nthread * sizeof *pool->thread);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->queued, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->last = &pool->first;
    /* Signals are handled in the main thread. Half a megabyte of stack is enough for the deepest job, which
     * reads nested JSON. */
    port_hold_signals();
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 512 * 1024);
    while (pool->nthread < nthread &&
           pthread_create(&pool->thread[pool->nthread], &attr, run_thread, pool) == 0)
        pool->nthread++;
    pthread_attr_destroy(&attr);
    port_release_signals();
    return pool;
}

void pool_submit(struct pool *pool, struct pool_job *job, void (*work)(void *closure), void *closure)
{
    *job = (struct pool_job){ .work = work, .closure = closure };
    pthread_mutex_lock(&pool->lock);
    *pool->last = job;
    pool->last = &job->next;
    pthread_mutex_unlock(&pool->lock);
    /* The thread that wakes needs the lock. Where it met a locked one, both threads often stayed on one
     * processor. */
    if (pool->nthread)
        pthread_cond_signal(&pool->queued);
}

void pool_wait(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    while (!job->done)
        if (!do_next(pool))
            pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* --- calls with one number after the other --- */

enum { MOST_WORKERS = 64 };

size_t pool_workers(const struct pool *pool)
{
    size_t n = pool ? pool->nthread + 1 : 1;
    return n < MOST_WORKERS ? n : MOST_WORKERS;
}

/* Shared by the workers of one pool_each. */
struct numbers {
    void (*work)(void *closure, size_t i, size_t worker);
    void *closure;
    size_t n;
    atomic_size_t next; /* the first number that no worker has taken */
};

struct worker {
    struct numbers *numbers;
    size_t worker;
    struct pool_job job;
};

static void take_numbers(void *closure)
{
    struct worker *worker = closure;
    struct numbers *numbers = worker->numbers;
    for (size_t i; (i = atomic_fetch_add(&numbers->next, 1)) < numbers->n;)
        numbers->work(numbers->closure, i, worker->worker);
}

void pool_each(struct pool *pool, size_t n, void (*work)(void *closure, size_t i, size_t worker),
               void *closure)
{
    struct numbers numbers = { .work = work, .closure = closure, .n = n };
    struct worker worker[MOST_WORKERS];
    size_t nworker = pool_workers(pool) < n ? pool_workers(pool) : n;
    for (size_t i = 0; i < nworker; i++) {
        worker[i] = (struct worker){ .numbers = &numbers, .worker = i };
        if (i > 0)
            pool_submit(pool, &worker[i].job, take_numbers, &worker[i]);
    }
    if (nworker > 0)
        take_numbers(&worker[0]);
    for (size_t i = 1; i < nworker; i++)
        pool_wait(pool, &worker[i].job);
}

void pool_close(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->queued);
    while (do_next(pool))
        continue;
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->nthread; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->queued);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
