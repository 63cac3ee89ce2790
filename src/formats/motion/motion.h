/* What the formats of motion capture share: rows are lines of numbers below a header of its own kind. Cells
 * stand between delimiters, or between runs of blanks; nothing is quoted. The reader's state begins as that
 * of csv, whose bytes, blocks and numbers are used. Invariant: header, blank lines and what stands around
 * cells come out as they went in. */
#ifndef SPRUNG_MOTION_H
#define SPRUNG_MOTION_H

#include "io/tempfile.h"
#include "formats/csv/csv.h"

enum motion_kind { MOTION_BVH, MOTION_TRC, MOTION_STO };

/* Where the head tells about the rows; n == 0: it does not. */
struct motion_fields {
    struct span columns, rows; /* how many there are */
    struct span rate;          /* TRC: rows per second; BVH: seconds per row */
};

struct motion {
    struct csv csv; /* first: a pointer to it is one to this */
    enum motion_kind kind;
    char delimiter; /* 0: runs of blanks */
    bool stop[256]; /* what ends a cell */
    size_t start;   /* of the first line in rest: after a byte order mark */

    bool counted; /* rows have no time of their own: column 0 is not in the text, and is row * step */
    bool timed;   /* counted: the time is wanted as a cell */
    struct number_decimal step;
    double seconds; /* step, rounded */

    uint64_t nrow;     /* rows in blocks so far */
    uint64_t promised; /* rows by the header; UINT64_MAX: it does not say, or may err */
    struct motion_fields field;
};

/* --- reading: motion.c --- */

/* Makes the state, skips a byte order mark and finds out about line ends. */
bool motion_start(struct reader *r, enum motion_kind kind, struct error *e);

/* The next line of what is read but not cut off, from `at` on, without its line end; *next is where the
 * one after it begins. *next == at: nothing is left. Offsets in rest, which moves. Blank lines are passed
 * over. */
bool motion_line(struct reader *r, size_t at, struct span *line, size_t *next, struct error *e);

/* An error about n bytes at an offset of rest: adds excerpt and place. */
bool motion_blame(const struct reader *r, size_t at, size_t n, struct error *e);

/* Sets the delimiter; 0: runs of blanks. */
void motion_set_delimiter(struct motion *m, char delimiter);

/* Sets it to the first of tab, comma and blanks that cuts names and row (n == 0: there is none) into as many
 * cells. */
void motion_delimit(struct reader *r, struct span names, struct span row);

/* The next cell of a line, from p on; returns where the one after it begins, NULL: this was the last. NULL p:
 * an empty cell. */
const char *motion_next(const struct motion *m, const char *p, const char *end, struct csv_cell *cell);

/* Cells of a line: the whole line, or up to the last that is not empty. */
size_t motion_count(const struct motion *m, const char *p, const char *end, bool whole);

/* Takes first kinds from the first row (n == 0: there is none). */
void motion_kinds(struct reader *r, struct span row);

/* The time of a row that is counted. */
struct timestamp motion_stamp(const struct motion *m, uint64_t row);

bool motion_bind(struct reader *r, struct error *e);
enum loaded motion_load(struct reader *r, struct block *b, struct error *e);
void motion_parse(const struct reader *r, struct block *b); /* motion_parse.c */
const char *motion_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);

/* The reader's state where it is one of these formats, else NULL. */
const struct motion *motion_of(const struct reader *r);

/* Do bytes begin with that word, and a blank or delimiter after it? Letter case does not count; nor does a
 * byte order mark. */
bool motion_begins(const char *p, const char *end, const char *word);

/* --- writing: motion_write.c --- */

/* Rows of other formats are composed behind tabs. They, and resampled ones, wait in a temporary file until the
 * header can tell how many there are. */
struct motion_writer {
    bool same; /* rows come from this format: they are edited */
    bool late; /* the header is written after the rows */
    struct splice edit;
    char delimiter;

    const char *gap; /* a gap that is put in looks like this */
    bool framed;     /* rows begin with their number, from 1, or with the column `frame` */
    size_t frame;
    size_t *column; /* columns after the time; ncolumn of them, added ones not counted */
    size_t ncolumn;
    struct tempfile held;
    uint64_t nrow;
    struct timestamp first, last;
    bool begun, finished, failed;
    bool (*head)(const struct writer *w, struct block *b,
                 struct error *e); /* the header, when all rows are known */
};

/* Makes the writer's state; rows are edited if the reader is of that kind, else they have to be composed. */
struct motion_writer *motion_accept(struct writer *w, enum motion_kind kind, struct error *e);

/* Can rows be composed: is there a time, are the rest numbers, one series? Lists the columns. */
bool motion_compose(struct writer *w, struct error *e);

/* Refuses derivatives, and whatever else is added. */
bool motion_refuse_added(const struct writer *w, const char *why, struct error *e);

bool motion_begin(struct writer *w, struct block *b, struct error *e);
void motion_print(const struct writer *w, struct block *b);
bool motion_store(struct writer *w, struct block *b, struct error *e);
bool motion_finish(struct writer *w, struct block *b, struct error *e);
void motion_end(struct writer *w);

/* Appends to b->bytes; false (and b->error) when memory is out. */
bool motion_put(struct block *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The header of the input, with names and numbers of added columns and resampled rows where it has them. */
bool motion_put_head(const struct writer *w, struct block *b, struct error *e);

/* Rows per second of composed rows; 0: that is not known. */
double motion_rate(const struct writer *w);

/* What the descriptors have in common. */
#define MOTION_READER                                                                                        \
    .bind = motion_bind, .load = motion_load, .parse = motion_parse, .cell = motion_cell, .close = csv_close
#define MOTION_WRITER                                                                                        \
    .begin = motion_begin, .print = motion_print, .store = motion_store, .finish = motion_finish,            \
    .end = motion_end, .keeps_shape = true

#endif
