/* What a signal that ends the program does: temporary files and the progress line are removed, and the
 * program dies of the signal, so that the shell knows it. Invariant: a hidden name exists only while it is
 * kept here, or while signals are held. */
#ifndef SPRUNG_BASE_SIGNALS_H
#define SPRUNG_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum { SIGNALS_MAXKEEP = 300 }; /* names kept at the same time: one per job */

/* Watches SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE, those that are not ignored; clear is called in the
 * handler (so it may only do what a handler may) and may be NULL. A file size limit becomes an error of
 * write. */
void signals_open(void (*clear)(void));

/* Between the two no signal ends the program: for the few calls that make or rename a name. Keep it short. */
sigset_t signals_hold(void);
void signals_release(const sigset_t *held);

/* Keeps the name of a file or directory that a signal's handler removes, until it is forgotten; the string
 * must stay. Both are called while signals are held. False when too many names are kept. */
bool signals_keep(const char *path);
void signals_forget(const char *path);

#endif
