/* Writes rows as their own text, with numbers in place of cells and pieces added after cells or rows. Used by
 * every format whose rows are text (csv, JSON, motion capture). Invariant: every byte of b->text comes out in
 * order, but for the spans of replaced cells; also bytes between the rows and after the last one. */
#ifndef SPRUNG_FORMATS_SPLICE_H
#define SPRUNG_FORMATS_SPLICE_H

#include "rows/block.h"

struct writer;

#define SPLICE_ROW    SIZE_MAX   /* not a cell: the row's end */
#define SPLICE_ABSENT UINT32_MAX /* span.at of a cell that a row does not have: it has none of its pieces */

/* Which end of a column's cells stands below the end of the cells above. */
enum splice_align {
    SPLICE_LOOSE, /* neither: a number takes as many bytes as it has */
    SPLICE_LEFT,  /* blanks after the cells make up for their lengths */
    SPLICE_RIGHT  /* blanks before the cells do */
};

/* What is put into every row at one place. */
struct splice_piece {
    size_t cell;      /* the recorded cell it belongs to, or SPLICE_ROW */
    bool replace;     /* the number takes the cell's place, unless it is a gap or the one that is there; else:
                         text and number follow the cell */
    size_t out;       /* block->out column of the number, or COLUMN_NONE (SIZE_MAX): the literal alone */
    const char *text; /* literal before the number; not owned */
    size_t ntext;
    unsigned char align; /* enum splice_align; replace: the number takes the width of the cell, if there is room */
    bool anew;        /* replace: also by a gap, and by the number that is there */
    size_t value;                /* replace, but not anew: the block->value column of the number that the cell holds */
    struct number_format number; /* set by splice_add */
};

struct splice {
    struct splice_piece
        *piece; /* owned; by place, as most rows have their cells; those of one place in order */
    size_t npiece, maxpiece;
    const char *gap;             /* a gap that is no cell's text looks like this: "", "null" */
    const struct writer *writer; /* prints numbers */
    bool resampled;              /* of the writer: every cell is replaced; set by splice_add, as is */
    size_t room;                 /* most bytes that the pieces of one row take */
};

/* Appends a piece, after gap and writer are set. */
bool splice_add(struct splice *splice, struct splice_piece piece, struct error *e);

/* Appends b's rows to b->bytes. Allocates nothing but b->bytes; an error goes to b->error. */
void splice_print(const struct splice *splice, struct block *b);

/* Appends row i alone: its bytes, not those between the rows. */
bool splice_row(const struct splice *splice, struct block *b, size_t i);

#endif
