/* A block: consecutive rows of one input: their text, the spans of the cells that are used, their numbers by
 * column, and later the bytes to write. Blocks go through load -> parse -> filter -> print -> store.
 * Invariant: a row that is written in its own format has every byte of its text but the spans that are
 * replaced. */
#ifndef SPRUNG_ROWS_BLOCK_H
#define SPRUNG_ROWS_BLOCK_H

#include "base/array.h"
#include "base/require.h"
#include "number/timestamp.h"

#include <string.h>

enum { BLOCK_SLACK = 64 /* readable bytes after the text, where a reader leaves them */ };

struct span {
    uint32_t at, n; /* text[at .. at+n) */
};

struct group;

struct block {
    /* text: whole records; load fills it */
    char *text;
    size_t ntext, maxtext;

    /* rows: parse fills these; arrays hold maxrow rows, reserved in load (block_reserve) */
    size_t nrow, maxrow;
    size_t part; /* number of the table that the rows belong to; set and used by readers of several tables */
    size_t firstcolumn, endcolumn; /* by format_parse: see block_has_column */
    struct span *row;              /* [maxrow] a row's bytes without its line end */
    size_t ncell;                  /* cells recorded per row; 0 where rows are not text */
    struct span *cell;             /* [maxrow * ncell], row by row; for columns in order of column.cell */
    size_t nvalue;
    double *value; /* [nvalue * maxrow], column by column; NaN is a gap; see block_value */
    double *goal;  /* [ngoal * maxrow] what filters follow instead of the values: see block_make_goals */
    size_t ngoal;  /* channels in goal; 0: filters follow the values, and goal has no meaning */
    struct timestamp *time; /* [maxrow], where the input has a time column */
    bool forgot;            /* block_trim freed some arrays */
    bool changed;   /* format_parse_again cannot make it: values have become gaps, or rows are no records */
    uint64_t nline; /* physical lines that begin in text, with the lines after an error */
    char eol;       /* last byte of a line end; 0: rows are not text */
    uint64_t *line; /* [maxrow] line of each row; NULL: the lines of text are those of the input */
    unsigned char *bad; /* [maxrow] --bad-rows skip: 1: the row cannot be used; no meaning where nbad is 0 */
    size_t nbad;
    size_t first_bad;        /* of nbad > 0: the first of them */
    struct error *bad_error; /* why first_bad cannot be used; owned; the line counts as that of `error` */

    /* split.c fills these */
    struct group **group; /* [maxrow] the series of each row; no meaning where grouped is false */
    bool grouped;         /* rows may be of several series */
    double *T;            /* [maxrow] seconds since the row before in the group; negative: a series begins */
    unsigned char *cut;   /* [maxrow] 1: the row follows a cut; no meaning where cuts is false */
    bool cuts;            /* some rows may follow a cut */

    /* filters fill these */
    size_t nout;
    double *out; /* [nout * maxrow], column by column: finite, or NaN, a gap. NULL: the block was trimmed */
    size_t pending; /* rows that the stage under way has not decided: look-ahead, whole series */

    /* the pipeline sets these */
    uint64_t firstrow;  /* number of row 0, from 0; when printed, among the rows that are printed */
    uint64_t firstline; /* physical line of text[0], from 1 */

    /* print fills these */
    char *bytes;
    size_t nbyte, maxbyte;

    /* The first error in this block: the nrow rows before the error are good and are written. error.line
     * counts from the line of text[0], which is line 1. */
    struct error error;
};

/* A struct block of zeroes is empty; a freed block is empty again. */
void block_free(struct block *block);

/* Makes room for ntext bytes of text; contents are kept. */
static inline bool block_reserve_text(struct block *block, size_t ntext, struct error *e)
{
    return array_reserve(&block->text, ntext, &block->maxtext, 1, e);
}

/* What a row of a block has. */
struct block_shape {
    size_t ncell;  /* recorded cells */
    size_t nvalue; /* numbers that are read */
    size_t nout;   /* numbers that filters make */
    bool times;    /* each row has a time, in block.time */
};

/* Makes room for nrow rows of this shape, and sets block->nrow to 0. Contents are lost. */
bool block_reserve(struct block *block, size_t nrow, struct block_shape shape, struct error *e);

/* Frees what a block that waits does not need: the room for more text, the outputs, which no stage has
 * written, and the cells, values and times, which format_parse_again makes again. keeps_times: the times
 * stay, and with them what split.c has filled. */
void block_trim(struct block *block, bool keeps_times);

/* Makes room for what block_trim freed, but what split.c fills. times: the rows have times. */
bool block_remember(struct block *block, bool times, struct error *e);

/* Makes the outputs of a trimmed block; of another block it keeps them. */
bool block_make_outputs(struct block *block, struct error *e);

/* Makes goals for the n channels: copies of the values, which may be changed before they are filtered. */
bool block_make_goals(struct block *block, size_t n, struct error *e);

/* Cuts the block before a row with error *e, which gets the row's line if it is an error of the data. Returns
 * false. */
bool block_cut(struct block *block, size_t row, const struct error *e);

/* --bad-rows skip: notes that a row cannot be used because of *why. block->row must hold its text. False and
 * *e: out of memory. */
bool block_mark_bad(struct block *block, size_t row, const struct error *why, struct error *e);

/* Was the row left out, because it cannot be used? */
static inline bool block_is_bad(const struct block *block, size_t row)
{
    return block->nbad > 0 && block->bad[row];
}

/* Takes the bad rows out of the block, with their text and line ends. The other rows keep their lines. */
bool block_leave_out(struct block *block, struct error *e);

/* Ends the block before a row that cannot be used: neither this row nor the text after it is written. */
static inline void block_end_before(struct block *block, size_t row)
{
    if (row < block->nrow)
        block->ntext = block->row[row].at;
    block->nrow = row < block->nrow ? row : block->nrow;
}

/* Makes room for n more output bytes; false (and block->error) when out of memory. */
static inline bool block_room(struct block *block, size_t n)
{
    return array_reserve(&block->bytes, block->nbyte + n, &block->maxbyte, 1, &block->error);
}

/* Appends n bytes to the output. False as from block_room. */
static inline bool block_put(struct block *block, const char *bytes, size_t n)
{
    if (n == 0)
        return true;
    if (!block_room(block, n))
        return false;
    memcpy(block->bytes + block->nbyte, bytes, n);
    block->nbyte += n;
    return true;
}

/* Appends a number to the output. False as from block_room. */
static inline bool block_put_number(struct block *block, double x, const struct number_format *format)
{
    if (!block_room(block, NUMBER_MAX))
        return false;
    block->nbyte += number_print(block->bytes + block->nbyte, x, format);
    return true;
}

/* Number of bytes c in n bytes of text. */
uint64_t block_count(const char *text, size_t n, char c);

/* The physical line of a row: by block.line, or counted from that of text[0], which is 1; 0: no text. */
uint64_t block_line(const struct block *block, size_t row);

/* The most bytes that the text of a recorded cell takes. Where rows are not text, it is a printed number. */
static inline size_t block_cell_most(const struct block *block, size_t row, size_t cell)
{
    return block->ncell > 0 ? block->cell[row * block->ncell + cell].n : NUMBER_MAX;
}

/* The numbers of a column of values, by row. */
static inline double *block_value(const struct block *block, size_t column)
{
    REQUIRE(column < block->nvalue);
    return block->value + column * block->maxrow;
}

/* False: all rows have a gap in the column of the input, and cell and value hold nothing for it. */
static inline bool block_has_column(const struct block *block, size_t column)
{
    return column == 0 || (column >= block->firstcolumn && column < block->endcolumn);
}

/* The numbers of a channel that a filter follows, by row. */
static inline double *block_goal(const struct block *block, size_t channel)
{
    return (block->ngoal > 0 ? block->goal : block->value) + channel * block->maxrow;
}

/* The numbers of an out column, by row. */
static inline double *block_out(const struct block *block, size_t out)
{
    REQUIRE(out < block->nout);
    return block->out + out * block->maxrow;
}

#endif
