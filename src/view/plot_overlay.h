/* The picture of --plot: input against output of what is being filtered, from the blocks as they pass.
 * Invariant: the blocks stay unchanged, and its memory does not grow with the series. */
#ifndef SPRUNG_VIEW_PLOT_OVERLAY_H
#define SPRUNG_VIEW_PLOT_OVERLAY_H

#include "base/text.h"
#include "formats/format.h"
#include "view/plot.h"

struct plot_overlay {
    struct plot plot;
    struct plot_series series;
    const struct reader *reader;
    size_t nleft; /* channels for which there is no room */
    struct plain cell;
    struct text group; /* of several groups the first one is drawn: its name */
    bool others;       /* there are other groups */
};

/* Adds a panel for each channel and, if there is room for all, for each derivative; marks cuts at these
 * seconds. rate: rows per second; 0: rows have times. *p is zeroed before;
 * plot_overlay_close follows in any case. */
bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l,
                       double rate, const double *cut, size_t ncut, struct error *e);

/* Adds the rows of a filtered block; closure: the struct plot_overlay. */
bool plot_overlay_add(void *closure, const struct block *b, struct error *e);

/* Draws the picture; messages tell what is not in it. */
bool plot_overlay_draw(struct plot_overlay *p, const char *file, struct messages *messages, const char *name,
                       struct error *e);
void plot_overlay_close(struct plot_overlay *p);

#endif
