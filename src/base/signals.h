/* What happens when the user, or the system, ends the program: temporary files go, the progress line goes,
 * and the program dies of the signal it was sent, so that the shell knows. Invariant: a name that would be
 * litter is only there while it is kept here, or while signals are held. */
#ifndef SPRUNG_SIGNALS_H
#define SPRUNG_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNALS_MAXKEEP = 300 }; /* names kept at once: one per job */

/* Watches SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE, those that are not ignored; clear is called in the
 * handler (so it may only do what a handler may) and may be NULL. A file size limit becomes an error of
 * write. */
void signals_open(void (*clear)(void));

/* Between the two no signal ends the program, and no other thread's handler runs: for the few calls in which
 * a name is made and renamed. Keep it short. */
struct signals_held {
    sigset_t before;
};
struct signals_held signals_hold(void);
void signals_release(const struct signals_held *held);

/* Removes that file, or empty directory, should a signal come, until it is forgotten; the string must stay as
 * long. Both are called while signals are held. False when too many are kept. */
bool signals_keep(const char *path);
void signals_forget(const char *path);

#endif
