/* Cleaning up on a signal. See signals.h.
 * The handler runs in the main thread only (pool.c blocks signals in the others). It sets `dying` and waits
 * until no thread is between hold and release, where the main thread is not, as it blocks signals there. From
 * then on none gets there: the list of names is complete. */
#include "base/signals.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static _Atomic(const char *) kept[SIGNALS_MAXKEEP];
static atomic_int holding;
static atomic_bool dying;
static void (*clear_screen)(void);

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static void handle(int signal_number)
{
    atomic_store(&dying, true);
    while (atomic_load(&holding) > 0)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    /* Files first, so that a directory that was made for them is empty. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < SIGNALS_MAXKEEP; i++) {
            const char *path = atomic_load(&kept[i]);
            if (path && (pass == 0 ? unlink(path) : rmdir(path)) == 0)
                atomic_store(&kept[i], NULL);
        }
    if (clear_screen)
        clear_screen();
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* blocked here; it is delivered when the handler returns */
}

void signals_open(void (*clear)(void))
{
    clear_screen = clear;
    struct sigaction act = { .sa_handler = handle, .sa_flags = SA_RESTART }, old;
    sigfillset(&act.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(watched[i], &act, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* if a parent had it ignored, no child could be waited for */
}

sigset_t signals_hold(void)
{
    sigset_t all, held;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &held);
    atomic_fetch_add(&holding, 1);
    while (atomic_load(&dying)) {
        /* The program ends: no new file may be made. */
        atomic_fetch_sub(&holding, 1);
        for (;;)
            pause();
    }
    return held;
}

void signals_release(const sigset_t *held)
{
    atomic_fetch_sub(&holding, 1);
    pthread_sigmask(SIG_SETMASK, held, NULL);
}

static bool replace(const char *old, const char *path)
{
    for (size_t i = 0; i < SIGNALS_MAXKEEP; i++) {
        const char *expected = old;
        if (atomic_compare_exchange_strong(&kept[i], &expected, path))
            return true;
    }
    return false;
}

bool signals_keep(const char *path)
{
    return replace(NULL, path);
}

void signals_forget(const char *path)
{
    replace(path, NULL);
}
