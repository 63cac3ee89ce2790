/* Writes rows as their own text, with numbers in place of cells and pieces added after cells or rows. Used by
 * every format whose rows are text (csv, JSON, motion capture). Invariant: every byte of block->text comes
 * out in order, except the spans of replaced cells; bytes between the rows and after the last row come out as
 * well. */
#ifndef SPRUNG_FORMATS_SPLICE_H
#define SPRUNG_FORMATS_SPLICE_H

#include "rows/block.h"

struct writer;

#define SPLICE_ROW    SIZE_MAX   /* not a cell: the end of the row */
#define SPLICE_ABSENT UINT32_MAX /* span.at of a cell that a row lacks, with the pieces at the cell */

/* A number, a literal text or both, put into every row at the same place. */
struct splice_piece {
    size_t cell;  /* index of the recorded cell at the place, or SPLICE_ROW */
    bool replace; /* true: the number replaces the cell, unless the number is a gap or equals the number of
                     the cell; false: text and number follow the cell */
    size_t out;   /* block->out column of the number; COLUMN_NONE (SIZE_MAX): the text alone */
    const char *text; /* [ntext] literal before the number; not owned */
    size_t ntext;
    bool anew;    /* with replace: a gap and an equal number replace the cell, too */
    size_t value; /* with replace, without anew: block->value column of the number in the cell */
    /* set by splice_add: */
    bool grid;    /* a time or count of a resampled row, which writer_print prints */
    bool as_cell; /* the number gets the decimals of the cell that it replaces, and at least LEAST_DECIMALS */
    struct number_format number; /* format of the number, unless `grid` or `as_cell` */
};

struct splice {
    struct splice_piece
        *piece; /* [npiece] owned, freed by the caller; in the order of places in most rows; pieces at the
                   same place in the order of output. In a row without the cell, a piece is missing */
    size_t npiece, maxpiece;
    const char *gap;             /* the text of a gap that is not in a cell: "", "null" */
    const struct writer *writer; /* prints numbers */
    size_t room;                 /* most bytes of all pieces in a row; set by splice_add */
};

/* Appends a piece, after gap and writer are set. */
bool splice_add(struct splice *splice, struct splice_piece piece, struct error *e);

/* Appends a piece for each column that the writer replaces. */
bool splice_add_cells(struct splice *splice, struct error *e);

/* Appends the rows of a block to block->bytes. Memory stays allocated only for block->bytes. An error goes to
 * block->error. */
void splice_print(const struct splice *splice, struct block *block);

/* --decimals input: the format of a number in place of the n bytes of a cell: as many decimals, and at
 * least 6. A cell with an exponent, or with more decimals than can be printed, does not limit them. */
struct number_format splice_cell_format(const char *cell, size_t n, char point);

/* Appends row i alone, without the bytes between rows. */
bool splice_row(const struct splice *splice, struct block *block, size_t i);

#endif
