/* Cleaning up on a signal. See signals.h. The handler runs in the main thread only, because pool.c blocks
 * signals in the other threads. The handler never interrupts the main thread between signals_hold and
 * signals_release, because signals_hold blocks signals. The handler sets `dying` and waits until no other
 * thread is between signals_hold and signals_release. While `dying` is set, signals_hold does not return, so
 * the list of names does not change any more. */
#include "base/signals.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static _Atomic(const char *) kept[SIGNALS_MAXKEEP]; /* files and directories to remove; NULL: a free place */
static atomic_int holding;                          /* threads between signals_hold and signals_release */
static atomic_bool dying;                           /* the handler runs */
static void (*clear_screen)(void);                  /* removes the progress line; NULL: nothing to remove */

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static void handle_signal(int signal_number)
{
    atomic_store(&dying, true);
    while (atomic_load(&holding) > 0)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    /* Files are removed in the first pass, since rmdir needs an empty directory. */
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
    struct sigaction act = { .sa_handler = handle_signal, .sa_flags = SA_RESTART }, old;
    sigfillset(&act.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(watched[i], &act, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* with SIGCHLD ignored, as a parent may leave it, waitpid fails */
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

/* Puts path in the first place of the list that holds old. False: no place holds old. */
static bool replace_kept(const char *old, const char *path)
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
    return replace_kept(NULL, path);
}

void signals_forget(const char *path)
{
    replace_kept(path, NULL);
}
