/* What the files of csv share: the reader's state, and cutting text into records and cells.
 * A record is a row, a comment line or a blank line, with its line end. A quote opens a quoted cell only at a
 * cell's start (blanks before it do not count); anywhere else it is a fault of that row, and does not hide a
 * line end. */
#ifndef SPRUNG_CSV_H
#define SPRUNG_CSV_H

#include "formats/splice.h"
#include "formats/format.h"

#include <string.h>

enum {
    CSV_SLACK = 64,   /* readable bytes after every text: a line end, then zeros */
    CSV_MAXLINES = 16 /* of names */
};

/* One column to look at. They stand in the order of columns, which is that of recorded cells as well. */
struct csv_want {
    size_t column;
    size_t skip;  /* columns between the one before it and this */
    size_t value; /* as in struct column */
    bool time;
    bool plain; /* a number, and any number there is one: no text of --missing is looked for */
};

struct csv {
    char delimiter;
    char eol; /* last byte of a line end: '\n' (LF and CRLF), or '\r'; 0 until the first one was seen */
    char point;
    bool crlf; /* a CR stands before it at the first line's end */
    bool blank[256];     /* ' ' and '\t', unless it is the delimiter */
    const char *comment; /* "": none */
    size_t ncomment;
    bool missing; /* --missing is given: numbers may be gaps */
    bool bare;    /* nothing is quoted: a record is a line */
    bool swift;   /* there are rows that csv_swift may take */

    char *head; /* what stands before the first row */
    size_t nhead;
    size_t names; /* offset in head where the names of added columns go */

    char *rest; /* read, but not yet in a block; CSV_SLACK more bytes are there */
    size_t nrest, maxrest;
    bool ended; /* nothing is left to read */

    struct csv_want *want;
    size_t nwant;
    size_t ntail; /* columns after the last wanted one */
};

enum csv_fault {
    CSV_FINE,
    CSV_STRAY, /* a quote in a cell that is not quoted */
    CSV_AFTER, /* text after a closing quote */
    CSV_OPEN   /* no closing quote before the end */
};

struct csv_cell {
    const char *at; /* without blanks around it, or what is inside the quotes */
    size_t n;
    bool quoted;
    enum csv_fault fault;
    const char *where; /* the quote at fault */
};

static inline bool csv_is_comment(const struct csv *csv, const char *p, const char *end)
{
    return csv->ncomment && (size_t)(end - p) >= csv->ncomment && memcmp(p, csv->comment, csv->ncomment) == 0;
}

/* In a file of lone CRs, a LF after one belongs to the line end. */
static inline const char *csv_row_start(const struct csv *csv, const char *p, const char *end)
{
    return csv->eol == '\r' && p < end && *p == '\n' ? p + 1 : p;
}

/* Is there nothing but a line end at p, where a record begins? */
bool csv_is_blank_line(const struct csv *csv, const char *p, const char *end);

/* The end of the record that begins at p, after its line end; NULL when the text stops before it. */
const char *csv_record(const struct csv *csv, const char *p, const char *end);

/* The cell that begins at p; returns its delimiter, its line end, or end. Goes on past faults. */
const char *csv_cell(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell);

/* Where the record from p to end ends without its line end. */
const char *csv_without_eol(const struct csv *csv, const char *p, const char *end);

/* Cells of the row that begins at p. */
size_t csv_count(const struct csv *csv, const char *p, const char *end);

/* The text of a quoted cell with "" undone into buf of n bytes; returns its length. */
size_t csv_unquote(const char *at, size_t n, char *buf);

/* Are the options that mean something to csv good? */
bool csv_check(const struct input_options *o, struct error *e);

/* The lines that --header names, at most CSV_MAXLINES, in order. */
bool csv_name_lines(const char *text, uint64_t *line, size_t *nline, struct error *e);

/* Takes delimiter, decimal and comment from the options. */
bool csv_options(struct reader *r, char delimiter, struct error *e);

/* --- opening --- */

/* A record and its cells. Offsets in rest, which moves when it grows. */
struct csv_look {
    size_t at, end;
    size_t ncell;
    size_t nnumber, ntext, nword; /* cells that hold a number, text, a gap word; the others are empty */
    size_t nnamed;                /* gaps under a name */
    bool timed;                   /* a number stands under a name of the time */
};

struct csv_find {
    struct reader *r;
    struct csv *csv;
    size_t start;                       /* after a byte order mark */
    struct csv_look line[CSV_MAXLINES]; /* the names */
    size_t nline;
    struct csv_look row; /* the first row; at == end: there is none */
};

/* Finds the names and the first row; no more is read than that takes. */
bool csv_find(struct csv_find *f, struct error *e);

/* Adds to rest what one read gives. */
bool csv_read_more(struct csv_find *f, struct error *e);

/* Makes room for max bytes of rest and its slack. */
bool csv_reserve(struct csv *csv, size_t max, struct error *e);

/* Fills table and head, and leaves the rows in rest. */
bool csv_header(struct reader *r, struct error *e);

/* Reads as much as it takes to skip a byte order mark and to know the line ends. */
bool csv_start(struct csv_find *f, struct error *e);

/* Moves the first nhead bytes of rest to head, and counts their lines. */
bool csv_cut(struct reader *r, size_t nhead, struct error *e);

/* --- rows --- */

/* What a cell holds. *x is NaN unless it is a number. A number or a gap makes the cell its bytes alone,
 * without blanks. */
enum cell_kind csv_kind(const struct reader *r, struct csv_cell *cell, double *x);

/* Errors. Lines are counted from text, of which everything else is a part; they return false. */
bool csv_place(const struct csv *csv, const char *text, const char *at, struct error *e);
bool csv_explain(const struct csv *csv, const char *text, const struct csv_cell *cell, struct error *e);
bool csv_ragged(const struct csv *csv, const char *text, const char *row, const char *end, size_t ncolumn,
                struct error *e);
bool csv_nul(const struct csv *csv, const char *text, const char *at, struct error *e);
bool csv_too_long(const struct csv *csv, const char *text, const char *row, const char *end, struct error *e);

/* format.load, plan, parse, close. */
enum loaded csv_load(struct reader *r, struct block *b, struct error *e);
bool csv_bind(struct reader *r, struct error *e);
void csv_parse(const struct reader *r, struct block *b);
void csv_close(struct reader *r);

/* Takes rows from p on, where one begins, as long as they are plain, and counts them in *nrow. Returns where
 * the first begins that is not, or the end of the text. There is no NUL in it, and LF ends a line. */
const char *csv_swift(const struct reader *r, struct block *b, const char *p, size_t *nrow);

/* Value and time of row i from a cell without fault; what stands in the way goes to b->error. */
bool csv_take(const struct reader *r, struct block *b, const struct csv_want *w, struct csv_cell *cell,
              size_t i);

/* The edit list of rows that stay as they are but for filtered cells and those added at the end, each behind
 * a delimiter (one byte, not owned). */
bool csv_edit(struct splice *edit, const struct writer *w, const char *delimiter, struct error *e);

/* Row i alone by such a list, with a line end as the input has them. */
bool csv_edit_row(const struct writer *w, const struct splice *edit, struct block *b, size_t row);

#endif
