/* Runs gnuplot: a script in, a picture out. Found by PATH, fed by a file without a name, no shell in
 * between. */
#ifndef SPRUNG_GNUPLOT_H
#define SPRUNG_GNUPLOT_H

#include "base/error.h"

/* Is it there? If not, the error says how to get it. */
bool gnuplot_find(struct error *e);

/* What the script draws without an output of its own goes to out. end: what a whole drawing has in its last
 * bytes, for gnuplot does not tell when a disk was full; NULL: anything may stand there. */
bool gnuplot_run(const char *script, size_t n, const char *end, int out, struct error *e);

#endif
