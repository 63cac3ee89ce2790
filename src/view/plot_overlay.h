/* Input against output of what is being filtered, for --plot: it looks at the blocks as they pass.
 * Invariant: it changes nothing of what it sees, and its memory does not grow with the series. */
#ifndef SPRUNG_PICTURE_H
#define SPRUNG_PICTURE_H

#include "formats/format.h"
#include "view/plot.h"

struct picture {
    struct plot plot;
    const struct reader *reader;
    const struct table *table;
    const struct layout *layout;
    double rate, unit;        /* rows per second, 0: by the time column, in that unit of seconds */
    struct curve **in, **out; /* [nchannel], [layout.nout]; NULL: not drawn */
    size_t nleft;             /* channels for which there is no room */
    uint64_t nrow;
    struct plain cell;
    char *group; /* of several groups the first is drawn: what its cells say, ngroup bytes */
    size_t ngroup;
    bool others;
    bool failed; /* memory was out */
};

/* A panel for each channel, and for each derivative where that many have room. Marks cuts at these seconds.
 * *p is zeroed before; picture_close follows in any case. */
bool picture_open(struct picture *p, const struct reader *r, const struct layout *l, double rate,
                  int exponent, const double *cut, size_t ncut, struct error *e);

/* The next rows, filtered: an observer's take. closure is the picture. */
bool picture_take(void *closure, const struct block *b, struct error *e);

/* Draws what was seen; notes say what is not in it. */
bool picture_draw(struct picture *p, const char *file, struct notes *notes, const char *name,
                  struct error *e);
void picture_close(struct picture *p);

#endif
