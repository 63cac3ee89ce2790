/* The edit list: a block's rows come out as their own text, with numbers put in place of cells and pieces
 * added after them. Used by every format whose rows are text (csv, JSON, BVH). Invariant: every byte of
 * b->text comes out in order, but for the spans of replaced cells; also between the rows and after the last
 * one. */
#ifndef SPRUNG_EDIT_H
#define SPRUNG_EDIT_H

#include "rows/block.h"

#define SPLICE_ROW    SIZE_MAX   /* not a cell: the row's end */
#define SPLICE_ABSENT UINT32_MAX /* span.at of a cell that a row does not have: it has none of its pieces */

/* One thing to put in, in every row. */
struct splice_piece {
    size_t cell;      /* the recorded cell it belongs to, or SPLICE_ROW */
    bool replace;     /* a number takes the cell's place, a gap does not; else: text and number follow it */
    size_t out;       /* block->out column of the number, or COLUMN_NONE (SIZE_MAX): the literal alone */
    const char *text; /* literal before the number; not owned */
    size_t ntext;
};

struct splice {
    struct splice_piece *piece; /* by place, as most rows have their cells; those of one place in order */
    size_t npiece, maxpiece;
    const char *gap; /* an added number that is a gap looks like this: "", "null" */
    bool anew;       /* a gap takes a cell's place, too: the text is that of another row; */
    size_t full;     /* then numbers of out columns from here on are printed as short as they read back, */
    size_t time;     /* and those of this one by the row's stamp where that has a decimal */
    struct number_format number;
    size_t room; /* most bytes that the pieces of one row take */
};

/* Appends a piece. */
bool splice_add(struct splice *edit, struct splice_piece piece, struct error *e);
void splice_free(struct splice *edit);

/* Appends b's rows to b->bytes. Allocates nothing but b->bytes; a fault goes to b->error. */
void splice_print(const struct splice *edit, struct block *b);

/* Appends row i alone: its bytes, not those between the rows. */
bool splice_row(const struct splice *edit, struct block *b, size_t i);

#endif
