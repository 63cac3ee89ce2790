/* The progress line on standard error. A process has one terminal and one line, so the state is static. Any
 * thread may report work; a thread that reports when the line is due draws the line, and other threads do not
 * wait. Invariant: the line is never wider than the terminal, and is cleared before messages, at the end, and
 * when a signal ends the program. */
#ifndef SPRUNG_RUN_PROGRESS_H
#define SPRUNG_RUN_PROGRESS_H

#include "base/messages.h"

/* Begins to count, at most once in a process. On a terminal the line is drawn after a second, and from now on
 * messages->say clears the line before printing. nfile: number of inputs; nbyte: size of the inputs together,
 * 0 if unknown. */
void progress_open(struct messages *messages, size_t nfile, uint64_t nbyte);

/* nbyte more bytes are read, nrow more rows are filtered, nfile more files are done. */
void progress_add(uint64_t nbyte, uint64_t nrow, size_t nfile);

/* Clears the line, and restores messages->say. */
void progress_close(struct messages *messages);

/* For a signal handler: clears the line for good. */
void progress_abort(void);

#endif
