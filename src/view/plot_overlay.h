/* Input against output of what is being filtered, for --plot: it looks at the blocks as they pass.
 * Invariant: it changes nothing of what it sees, and its memory does not grow with the series. */
#ifndef SPRUNG_PICTURE_H
#define SPRUNG_PICTURE_H

#include "formats/format.h"
#include "view/plot.h"

struct plot_overlay {
    struct plot plot;
    const struct reader *reader;
    const struct columns *columns;
    const struct output_columns *layout;
    double rate, unit;        /* rows per second, 0: by the time column, in that unit of seconds */
    struct envelope **in, **out; /* [nchannel], [layout.nout]; NULL: not drawn */
    size_t nleft;             /* channels for which there is no room */
    uint64_t nrow;
    struct plain cell;
    char *group; /* of several groups the first is drawn: what its cells say, ngroup bytes */
    size_t ngroup;
    bool others;
    bool failed; /* memory was out */
};

/* A panel for each channel, and for each derivative where that many have room. Marks cuts at these seconds.
 * *p is zeroed before; plot_overlay_close follows in any case. */
bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l, double rate,
                  int exponent, const double *cut, size_t ncut, struct error *e);

/* The next rows, filtered: an observer's take. closure is the picture. */
bool plot_overlay_take(void *closure, const struct block *b, struct error *e);

/* Draws what was seen; messages say what is not in it. */
bool plot_overlay_draw(struct plot_overlay *p, const char *file, struct messages *messages, const char *name,
                  struct error *e);
void plot_overlay_close(struct plot_overlay *p);

#endif
