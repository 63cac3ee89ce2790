/* Compares two series row by row, in one pass and in bounded memory, whatever formats they come in.
 * Invariant: each side is read once, to its end; of a side two blocks are in memory at most. */
#ifndef SPRUNG_COMPARE_DIFF_H
#define SPRUNG_COMPARE_DIFF_H

#include "formats/input.h"

enum report_style { REPORT_TEXT, REPORT_JSON };

struct diff_options {
    double abs, rel; /* tolerance: |a - b| <= abs + rel * max(|a|, |b|); NaN: not given */
    bool exact;
    const char *columns, *key;
    const char *angles, *quaternions;
    double period;
    int report; /* enum report_style */
    bool quiet;
};

enum { DIFF_EXPECTED, DIFF_ACTUAL, DIFF_SIDES };

/* A cell for the report. */
struct diff_cell {
    enum { DIFF_GAP, DIFF_NUMBER, DIFF_TEXT } kind;
    double x;
    char text[64]; /* its first bytes, cut at a whole character */
    bool cut;
};

/* Two cells, in a pair of rows. */
struct diff_pair {
    uint64_t row[DIFF_SIDES];  /* from 1 */
    uint64_t line[DIFF_SIDES]; /* physical line, from 1; 0: not known */
    double key;                /* key of the expected row, or its time without --key; NaN: it has none */
    double by;                 /* how far they are apart, if that is known */
    struct diff_cell cell[DIFF_SIDES];
};

struct diff_column {
    const char *name; /* not owned */
    size_t column[DIFF_SIDES];
    bool number; /* on both sides: cells compare as numbers where both are numbers, else as text */
    bool angle;
    size_t rotation;                     /* the quaternion that it is a part of, or COLUMN_NONE */
    uint64_t beyond;                     /* rows that differ */
    struct diff_pair first;              /* of those */
    struct diff_pair absolute, relative; /* largest differences of all rows; by 0: there are none */
};

struct diff_side {
    const char *name; /* the file's, for messages */
    struct input in;
    const struct columns *columns; /* its */
    struct block block[2];         /* the current one, and the next; without rows: there is none */
    unsigned current;
    bool ended;        /* nothing is left to load */
    size_t row;        /* the current row, in the current block */
    uint64_t nrow;     /* before the current block */
    size_t key, shown; /* column of --key, and the one whose number is shown; or COLUMN_NONE */
    double last_key;   /* of the row before; -INFINITY: there is none */
    size_t *only;      /* columns that the other side does not have */
    size_t nonly;
    unsigned char *pick; /* [ncolumn] of --columns, while columns are paired */
    uint64_t nalone;     /* rows that the other side does not have */
    uint64_t alone;      /* the first of them, from 1, */
    double alone_key;    /* and its key or time or NaN */
    struct plain cell;
};

struct diff {
    const struct diff_options *options;
    double abs, rel;
    struct diff_side side[DIFF_SIDES];
    struct diff_column *column; /* those that both sides have, in the expected order; owned with each side's
                                   only and pick */
    size_t ncolumn;
    size_t (*rotation)[4]; /* indices into column */
    size_t nrotation;
    size_t agreeing, all; /* columns that agree, of all that there are on either side */
    bool same;            /* the series agree as a whole */
    uint64_t compared;    /* pairs of rows */
    int fault;            /* the side that an error is about, or DIFF_SIDES */
    bool failed;          /* memory was out while comparing */
};

/* Opens both sides and pairs their columns. *d is zeroed before and must not move; diff_close follows in any
 * case. */
bool diff_open(struct diff *d, const struct diff_options *options, const struct input_options *input,
               const char *const name[DIFF_SIDES], struct error *e);

bool diff_run(struct diff *d, struct error *e);
void diff_close(struct diff *d);

/* The report for people, and the one for programs. malloc'ed; NULL: memory is out. */
char *diff_text(const struct diff *d);
char *diff_json(const struct diff *d);

/* --- used in this folder only --- */

/* pair_columns.c: pairs the columns of both sides by name, and finds angles, quaternions and the key. */
bool diff_pair_columns(struct diff *d, struct error *e);

/* compare_cells.c: compares a column in n rows from the current ones on; d->failed tells if that failed. */
void diff_compare(struct diff *d, struct diff_column *c, size_t n);

bool diff_agree(const struct diff *d, double a, double b, double apart);

static inline const struct block *diff_block(const struct diff_side *s)
{
    return &s->block[s->current];
}

/* The physical line of the k-th row after the current one; 0: rows are not lines. */
static inline uint64_t diff_line(const struct diff_side *s, size_t k)
{
    const struct block *b = diff_block(s);
    return b->nline ? b->firstline - 1 + block_line(b, s->row + k) : 0;
}

/* True if a column holds numbers. */
static inline bool diff_numeric(const struct diff_side *s, size_t column)
{
    return s->columns->column[column].value != COLUMN_NONE || column == s->columns->time;
}

/* The number in a column, which may be COLUMN_NONE, in the k-th row after the current one: of its block, or
 * the first of the next one. NaN: none. */
static inline double diff_number(const struct diff_side *s, size_t column, size_t k)
{
    const struct columns *t = s->columns;
    size_t value = column == COLUMN_NONE ? COLUMN_NONE : t->column[column].value, i = s->row + k;
    const struct block *b = diff_block(s);
    if (i == b->nrow) {
        b = &s->block[!s->current];
        i = 0;
    }
    if (i == b->nrow)
        return (double)__builtin_nan("");
    if (value != COLUMN_NONE)
        return block_value(b, value)[i];
    return column != COLUMN_NONE && column == t->time ? b->time[i].t : (double)__builtin_nan("");
}

#endif
