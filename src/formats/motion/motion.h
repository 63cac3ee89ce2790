/* Motion capture: rows are lines of numbers below a header of the format's own. Cells stand between
 * delimiters, or between runs of blanks; nothing is quoted. csv cuts and parses the rows. Invariant: header,
 * blank lines and bytes around cells come out unchanged. */
#ifndef SPRUNG_FORMATS_MOTION_MOTION_H
#define SPRUNG_FORMATS_MOTION_MOTION_H

#include "base/text.h"
#include "formats/csv/csv.h"
#include "io/tempfile.h"

enum motion_kind { MOTION_BVH, MOTION_TRC, MOTION_STO };

/* Places in the head that change with the rows: where names of added columns go, how many columns and rows
 * there are, and the rate (TRC: rows per second; BVH: seconds per row). */
enum motion_field { MOTION_NAMES, MOTION_COLUMNS, MOTION_ROWS, MOTION_RATE, MOTION_NFIELD };

struct motion {
    struct csv csv; /* first: a pointer to it is one to this */
    enum motion_kind kind;

    bool counted; /* rows have no time of their own: column 0 is not in the text, and is row * step */
    bool timed;   /* counted: the time is wanted as a cell */
    struct number_decimal step;
    double seconds; /* step, rounded */

    uint64_t nrow;                    /* rows in blocks so far */
    uint64_t promised;                /* rows by the header; UINT64_MAX: it does not say, or may err */
    struct span field[MOTION_NFIELD]; /* n == 0: it is not there */
};

/* --- reading: motion.c --- */

/* Makes the state, and reads the byte order mark and the first line end. */
bool motion_start(struct reader *r, enum motion_kind kind, struct error *e);

/* The next line of rest from *at on that is not blank, without its line end; *at moves behind it, but stays
 * where nothing is left (n == 0). */
bool motion_line(struct reader *r, size_t *at, struct span *line, struct error *e);

/* An error about n bytes of rest: adds excerpt and place. */
bool motion_error(const struct reader *r, const char *at, size_t n, struct error *e);

/* Takes the first kinds of columns from the first row (n == 0: there is none), and makes bytes before it the
 * head, which else ends at `at`. */
bool motion_end_head(struct reader *r, size_t at, struct span row, struct error *e);

bool motion_bind(struct reader *r, struct error *e);
enum loaded motion_load(struct reader *r, struct block *b, struct error *e);
void motion_parse(const struct reader *r, struct block *b);
const char *motion_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);

/* True if bytes begin with that word, and a blank or delimiter after it. Letter case and a byte order mark do
 * not count. */
bool motion_begins(const char *p, const char *end, const char *word);

/* --- writing: write.c --- */

struct motion_writer {
    bool same; /* rows come from this format: numbers replace cells */
    bool late; /* the header is written after the rows */
    struct splice splice;
    char delimiter;

    const char *gap; /* a gap that is put in looks like this */
    bool framed;     /* rows begin with their number, from 1, or with the column `frame` */
    size_t frame;
    size_t *column; /* columns after the time; ncolumn of them, added ones not counted */
    size_t ncolumn;
    struct tempfile held;
    bool waiting; /* for the header, which comes before what is held */
    uint64_t nrow;
    struct timestamp first, last;
    /* Writes the header, when all rows are known. */
    bool (*head)(const struct writer *w, struct text *t, struct error *e);
};

/* Makes the writer's state; head: for rows of other formats. */
struct motion_writer *motion_accept(struct writer *w, enum motion_kind kind,
                                    bool (*head)(const struct writer *, struct text *, struct error *),
                                    struct error *e);

/* Lists the columns of composed rows; an error unless there is a time, and one series of numbers. */
bool motion_compose(struct writer *w, struct error *e);

/* Refuses derivatives, and whatever else is added. */
bool motion_refuse_added(const struct writer *w, const char *why, struct error *e);

bool motion_begin(struct writer *w, struct block *b, struct error *e);
void motion_print(const struct writer *w, struct block *b);
bool motion_store(struct writer *w, struct block *b, struct error *e);
bool motion_finish(struct writer *w, struct block *b, struct error *e);
void motion_end(struct writer *w);

/* The names of added columns, each behind a delimiter. */
void motion_put_added_names(const struct writer *w, struct text *t);

/* Rows per second of composed rows; 0: that is not known. */
double motion_rate(const struct writer *w);

/* All but name, suffixes, summary, sniff, open and accept. */
#define MOTION                                                                                               \
    .family = FAMILY_MOTION, .bind = motion_bind, .load = motion_load, .parse = motion_parse,                \
    .cell = motion_cell, .close = csv_close, .begin = motion_begin, .print = motion_print,                   \
    .store = motion_store, .finish = motion_finish, .end = motion_end, .keeps_shape = true

#endif
