/* Motion capture: rows are lines of numbers below a header of the format's own. Cells stand between
 * delimiters, or between runs of blanks; nothing is quoted. csv cuts and parses the rows. Invariant: header,
 * blank lines and bytes around cells come out unchanged. */
#ifndef SPRUNG_FORMATS_MOTION_MOTION_H
#define SPRUNG_FORMATS_MOTION_MOTION_H

#include "base/text.h"
#include "formats/csv/csv.h"
#include "io/tempfile.h"

#include <strings.h>

/* What a format is, besides struct format. */
struct motion_kind {
    /* Reads the header, which begins after *line, and the first row, which *line becomes: adds the columns.
     * With columns.counted, column 0 is the time of a row, which is not in the text: row * step, or row /
     * columns.rate. */
    bool (*read_head)(struct reader *r, struct span *line, struct error *e);
    /* Makes the header for composed rows, when all are known. NULL: rows of other formats are refused. */
    bool (*put_head)(const struct writer *w, struct text *t, struct error *e);
    /* Checks the columns of composed rows, after they are listed. NULL: all can be written. */
    bool (*check)(const struct writer *w, struct error *e);
    const char *no_added; /* why there are no added columns; NULL: there may be */
    const char *gap;      /* a gap that is put in looks like this */
    bool framed;          /* rows begin with their number, from 1 */
    bool exact;           /* another number of rows than the header promises is an error, not a note */
};

/* Places in the head that change with the rows: where names of added columns go, how many columns and rows
 * there are, and the rate (rows per second; where rows are counted: seconds per row). */
enum motion_field { MOTION_NAMES, MOTION_COLUMNS, MOTION_ROWS, MOTION_RATE, MOTION_NFIELD };

struct motion {
    struct csv csv; /* first: a pointer to it is one to this */

    struct number_decimal step; /* where rows are counted: seconds per row, exactly and rounded; */
    double seconds;             /* 0: the header has the rate */

    uint64_t nrow;                    /* rows in blocks so far */
    uint64_t promised, nmarker;       /* rows and markers by the header; UINT64_MAX: it does not say */
    struct span field[MOTION_NFIELD]; /* n == 0: it is not there */
};

/* --- reading: motion.c --- */

/* Moves *line to the next line of rest that is not blank, without its line end; n == 0: nothing is left. */
bool motion_line(struct reader *r, struct span *line, struct error *e);

/* An error about n bytes of rest: adds excerpt and place. */
bool motion_error(const struct reader *r, const char *at, size_t n, struct error *e);

/* Adds a column with an allocated name, and frees it; returns it. NULL: memory is out, also if name is. */
struct column *motion_add_column(struct reader *r, char *name, struct error *e);

/* Adds columns NAME.LETTER, one for each letter; without a name it is that number, and they are unlabelled.
 * Those of wxyz are a rotation. */
bool motion_add_vector(struct reader *r, const struct csv_cell *name, size_t number, const char *letters,
                       struct error *e);

/* The number in a field of the header that counts rows or columns; UINT64_MAX: there is none. */
uint64_t motion_count(const struct motion *m, struct span field);

/* True if n bytes are that word, in any letter case. */
static inline bool motion_is(const char *p, size_t n, const char *word)
{
    return n == strlen(word) && strncasecmp(p, word, n) == 0;
}

/* True if bytes begin, after a byte order mark, with that word in any case, and a blank or delimiter. */
bool motion_begins(const char *p, const char *end, const char *word);

FORMAT_FUNCTIONS(motion);
const char *motion_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);

/* --- writing: motion_write.c --- */

struct motion_writer {
    struct csv_writer csv; /* first */
    const struct motion_kind *kind;
    size_t frame;   /* the column with the number of the row, or COLUMN_NONE */
    size_t *column; /* columns after the time; ncolumn of them, added ones not counted */
    size_t ncolumn;
    struct tempfile held; /* rows, while the header waits for all of them */
    bool waiting;
    uint64_t nrow;
    struct timestamp first, last;
};

/* The names of added columns, each behind a delimiter. */
void motion_put_added_names(const struct writer *w, struct text *t);

/* Rows per second of composed rows; 0: that is not known. */
double motion_rate(const struct writer *w);

/* All but name, suffixes, summary, sniff and kind. */
#define MOTION                                                                                               \
    .family = FAMILY_MOTION, .open = motion_open, .bind = motion_bind, .load = motion_load,                  \
    .parse = motion_parse, .cell = motion_cell, .close = motion_close, .accept = motion_accept,              \
    .begin = motion_begin, .print = csv_print, .store = motion_store, .finish = motion_finish,               \
    .end = motion_end, .keeps_shape = true

#endif
