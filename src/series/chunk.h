/* A series as its own files see it, and one chunk of rows through the filter. Private to series/ and to modes
 * that filter a whole series. Invariant: a channel without flags is filtered straight from the block's column
 * into its out column. */
#ifndef SPRUNG_CHUNK_H
#define SPRUNG_CHUNK_H

#include "series/row_flags.h"

enum {
    CHUNK_ROWS = 512,           /* rows filtered at once */
    CHUNK_DOUBLES = 128 * 1024, /* in all arrays of a chunk, unless a few rows take more */
    CHUNK_FADE = 512            /* rows of a group after which what has faded is dropped */
};

/* Where the outputs of a chunk go. */
struct chunk_outputs {
    size_t nwant;    /* wanted outputs of a channel */
    size_t *want;    /* [nwant] which output of the filter each is */
    bool *prints;    /* [nwant] is it printed? What is not need not be finite */
    double *own;     /* [nchannel * nwant * (maxrow + 1)] */
    double *scratch; /* [maxrow + 1] outputs that nothing wants */
    double **at;     /* [nchannel * nout] */
    double *start;   /* [nchannel] start positions */
};

struct series {
    struct series_config c;
    struct shape shape;
    size_t nchannel, maxrow; /* maxrow: new rows in a chunk */
    bool ahead;              /* rows wait for the one after them */
    struct series_count count;
    uint64_t end; /* number of the first row that is bad */
    struct groups groups;
    struct steps steps;
    struct row_flags flags;
    struct chunk_outputs out;
    struct block **block; /* [nblock] series held whole: its blocks, in order */
    size_t nblock, maxblock;
};

/* One row. */
struct spot {
    struct block *block;
    size_t row;
};

/* Makes steps, flags and outputs; false when memory is out. chunk_close follows in any case. */
bool chunk_open(struct series *s);
void chunk_close(struct series *s);

/* Filters the rows of a chunk whose times are in s->steps.T. On false *bad is the first row that cannot be
 * printed, which may be the one that waited, and *e has its line in its block. */
bool chunk_run(struct series *s, struct group *g, const struct chunk *c, struct spot *bad, struct error *e);

/* Sets to 0 what has faded in a group's state below the normal numbers, on which processors are a hundred
 * times slower, for as long as the input stands still. Every CHUNK_FADE rows of the group, wherever its
 * blocks end. */
void chunk_fade(const struct series *s, struct group *g);

#endif
