/* Runs gnuplot: a script in, a picture out. gnuplot is found by PATH and reads a file without a name; no
 * shell is involved. */
#ifndef SPRUNG_GNUPLOT_H
#define SPRUNG_GNUPLOT_H

#include "base/error.h"

/* True if gnuplot is installed; otherwise the error tells how to install it. */
bool gnuplot_find(struct error *e);

/* Writes to out what the script draws to standard output. end: what a whole picture has in its last bytes,
 * for gnuplot does not report a full disk; NULL: any bytes. */
bool gnuplot_run(const char *script, const char *end, int out, struct error *e);

#endif
