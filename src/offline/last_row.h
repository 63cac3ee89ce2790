/* The last row of a series that is resampled: its time, its values, and its text with the cells in it.
 * Invariant: memory does not grow with the rows of the series. */
#ifndef SPRUNG_LAST_ROW_H
#define SPRUNG_LAST_ROW_H

#include "rows/block.h"

struct last_row { /* zeroed: no row yet */
    bool begun;
    struct timestamp first, last; /* time of the first and last row */
    double coarse; /* from this size on times are printed as decimals: see sample_grid_coarse */
    uint64_t nrow;
    int64_t next;  /* the grid's next point */
    bool cut;      /* that point follows a cut */
    size_t ncut;   /* cut times that are past */
    double *value; /* [nvalue] */
    char *text;
    size_t ntext, maxtext;
    struct span row, *cell; /* [ncell], in text */
    uint64_t block;         /* number of the block that holds the text already, from at on; 0: none */
    size_t at;
};

/* NULL and *e: memory is out. */
struct last_row *last_row_make(size_t ncell, size_t nvalue, struct error *e);
void last_row_free(void *last_row); /* of groups.free_extra */

/* Takes row i of b with its first nvalue values. Where rows are numbers side by side, frame is the bytes of
 * one, else 0. */
bool last_row_keep(struct last_row *k, const struct block *b, size_t i, size_t nvalue, size_t frame,
                   struct error *e);

/* Appends the text to that of b, if it is not there yet; nblock is its number. */
bool last_row_place(struct last_row *k, struct block *b, uint64_t nblock, struct error *e);

/* Makes row i of b, which holds the text, the last row, but for its values. */
void last_row_point(const struct last_row *k, struct block *b, size_t i);

#endif
