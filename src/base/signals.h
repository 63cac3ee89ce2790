/* What a signal that ends the program does: temporary files and the progress line are removed, and the
 * program dies of the signal, so that the shell sees the signal. Invariant: a hidden file name exists only
 * between signals_keep and signals_forget, or while signals are held. */
#ifndef SPRUNG_BASE_SIGNALS_H
#define SPRUNG_BASE_SIGNALS_H

#include <stdbool.h>

enum { SIGNALS_MAXKEEP = 2 * 256 }; /* most names kept: an output and its companion for each of --jobs */

/* Watches SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE, except signals that are ignored at the start. The
 * handler calls clear, which may use async-signal-safe functions only; clear may be NULL. SIGXFSZ is ignored,
 * so that a file size limit becomes an error of write. */
void signals_open(void (*clear)(void));

/* No signal ends the program between signals_hold and signals_release: for the few calls that make or rename
 * a file. Keep the time between them short. */
void signals_hold(void);
void signals_release(void);

/* signals_keep puts a path on the list of the files that the handler removes, signals_forget takes it off.
 * Both must be called with the same pointer and while signals are held, and the string must stay between the
 * calls. False: the list is full. */
bool signals_keep(const char *path);
void signals_forget(const char *path);

#endif
