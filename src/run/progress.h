/* The progress line on standard error. There is one terminal, so there is one line, and its state is static.
 * Any thread may report its work; the one that comes when the line is due draws it, and no thread waits for
 * that. Invariant: the line is never wider than the terminal; it is cleared before other messages, at the
 * end, and when a signal ends the program. */
#ifndef SPRUNG_RUN_PROGRESS_H
#define SPRUNG_RUN_PROGRESS_H

#include "base/messages.h"

enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

/* Begins to count, at most once in a process; from now on messages->say clears the line before it prints.
 * nfile is the number of inputs, SIZE_MAX if unknown, nbyte their size, 0 if unknown. data_to_terminal:
 * standard output may be the same terminal, so that PROGRESS_AUTO means never. */
void progress_open(struct messages *messages, int when, size_t nfile, uint64_t nbyte, bool data_to_terminal);

/* That many files it will be. */
void progress_total(size_t nfile);

/* nbyte more bytes are read, nrow more rows are filtered, nfile more files are done. */
void progress_add(uint64_t nbyte, uint64_t nrow, size_t nfile);

/* Clears the line, and restores messages->say. */
void progress_close(struct messages *messages);

/* For a signal handler: clears the line for good. */
void progress_abort(void);

/* --- for the test --- */
struct progress_state {
    size_t nfile, ndone;   /* files in all (SIZE_MAX: unknown) and done */
    uint64_t nbyte, nread; /* bytes in all (0: unknown) and read */
    uint64_t nrow;         /* filtered */
    double seconds;        /* since the start */
};

/* The line for a terminal of that many columns, cut to at most width - 1 of them, without line end. Returns
 * the columns it takes, of one byte each. */
size_t progress_line(const struct progress_state *p, size_t width, char *buf, size_t maxbuf);

#endif
