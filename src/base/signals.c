/* Cleaning up on a signal. See signals.h. The handler runs in the main thread only, because pool.c blocks
 * signals in the other threads. The handler never interrupts the main thread between signals_hold and
 * signals_release, because signals_hold blocks signals. The handler sets `dying` and waits until no other
 * thread is between signals_hold and signals_release. While `dying` is set, signals_hold does not return, so
 * the list of names does not change any more. */
#include "base/signals.h"
#include "base/port.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic(const char *) kept[SIGNALS_MAXKEEP]; /* files to remove; NULL: a free place */
static atomic_int holding;                          /* threads between signals_hold and signals_release */
static atomic_bool dying;                           /* the handler runs */
static void (*clear_screen)(void);                  /* removes the progress line; NULL: nothing to remove */

static void clean_up(void)
{
    atomic_store(&dying, true);
    while (atomic_load(&holding) > 0)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    for (size_t i = 0; i < SIGNALS_MAXKEEP; i++) {
        const char *path = atomic_load(&kept[i]);
        if (path)
            port_remove(path);
    }
    if (clear_screen)
        clear_screen();
}

void signals_open(void (*clear)(void))
{
    clear_screen = clear;
    port_watch_signals(clean_up);
}

void signals_hold(void)
{
    port_hold_signals();
    atomic_fetch_add(&holding, 1);
    while (atomic_load(&dying)) {
        /* The program ends: no new file may be made. */
        atomic_fetch_sub(&holding, 1);
        for (;;)
            nanosleep(&(struct timespec){ 1, 0 }, NULL);
    }
}

void signals_release(void)
{
    atomic_fetch_sub(&holding, 1);
    port_release_signals();
}

/* Puts a path in the first place of the list that holds old. False: no place holds old. */
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
