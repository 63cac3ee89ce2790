/* csv, tsv, and what the formats of motion capture share with them. A record is a row, a comment line or a
 * blank line, with its line end. A quote opens a quoted cell only at a cell's start, blanks before it do not
 * count; anywhere else it is an error of that row and does not hide a line end. */
#ifndef SPRUNG_FORMATS_CSV_CSV_H
#define SPRUNG_FORMATS_CSV_CSV_H

#include "formats/format.h"
#include "formats/splice.h"

#include <string.h>

enum {
    CSV_SLACK = 64,   /* readable bytes after every text: a line end, then zeros */
    CSV_MAXLINES = 16 /* of names */
};

/* What a byte means, bits of csv.class. */
enum {
    CSV_BLANK = 1, /* is not part of a cell's text where it stands at one of its ends */
    CSV_STOP = 2,  /* ends a cell that is not quoted */
    CSV_QUOTE = 4,
    CSV_FIRST = 8 /* a record that begins with it may be no row */
};

/* A column whose cells are recorded, in the order of columns and of recorded cells. */
struct csv_want {
    size_t column;
    size_t skip;  /* columns between the one before it and this */
    size_t value; /* as in struct column */
    bool time;
    bool plain; /* a number, and any number there is one: no text of --missing is looked for */
};

/* A line of the head, and what its cells of added columns hold. */
struct csv_line {
    size_t at;      /* offset in head where the cells go */
    size_t missing; /* cells that the line has less than rows have */
    enum csv_line_kind {
        CSV_NAMES, /* the names; of names that two lines join the last part */
        CSV_ABOVE, /* the first part of joined names */
        CSV_OTHER  /* nothing */
    } kind;
};

struct csv {
    char delimiter;
    bool runs;     /* bare: cells stand between runs of blanks */
    bool bare;     /* no quotes; empty cells after the last column mean nothing */
    bool skips;    /* bare: blank lines between rows mean nothing; else they are errors */
    size_t vector; /* numbers in each cell after the first of a row, with commas between: each is a column; or
                      0 */
    char eol;      /* last byte of a line end: '\n' (LF and CRLF), or '\r'; 0 until the first one was seen */
    bool crlf;     /* a CR stands before it at the first line's end */
    char point;
    unsigned char class[256]; /* of each byte; csv_set_delimiter */
    const char *comment;
    size_t ncomment;         /* 0: there are no comments */
    const char *ragged_hint; /* for a row with another number of cells; NULL: none of the format's own */

    size_t start; /* of the text in rest while the head is read: after a byte order mark */
    char *head;   /* what stands before the first row */
    size_t nhead;
    struct csv_line *line; /* [nline] owned; the lines of the head that get cells for added columns */
    size_t nline;
    unsigned char *align;  /* [ncolumn] owned; enum splice_align of each column; NULL: no column is aligned */
    size_t rate, nrate; /* offset in head and bytes of the rate that it states; nrate 0: it states none */

    char *rest; /* read, but not yet in a block; CSV_SLACK more bytes are there */
    size_t nrest, maxrest;
    bool ended; /* nothing is left to read */

    bool fast; /* plain rows are parsed by the quick way */
    struct csv_want *want;
    size_t nwant;
    size_t ntail; /* columns after the last wanted one */
};

enum csv_fault {
    CSV_FINE,
    CSV_STRAY, /* a quote in a cell that is not quoted */
    CSV_AFTER, /* text after a closing quote */
    CSV_OPEN,  /* no closing quote before the end */
    CSV_LONG   /* more than FORMAT_MAXCELL bytes */
};

struct csv_cell {
    const char *at; /* without blanks around it, or what is inside the quotes */
    size_t n;
    bool quoted;
    enum csv_fault fault;
};

static inline bool csv_is(const struct csv *csv, char c, int class)
{
    return csv->class[(unsigned char)c] & class;
}

static inline bool csv_is_comment(const struct csv *csv, const char *p, const char *end)
{
    return csv->ncomment && (size_t)(end - p) >= csv->ncomment && memcmp(p, csv->comment, csv->ncomment) == 0;
}

/* In a file of lone CRs, a LF after one belongs to the line end. */
static inline const char *csv_row_start(const struct csv *csv, const char *p, const char *end)
{
    return csv->eol == '\r' && p < end && *p == '\n' ? p + 1 : p;
}

/* Sets the delimiter (0: runs of blanks and tabs) and the classes of bytes. */
void csv_set_delimiter(struct csv *csv, char delimiter);

/* True if a record at p is only a line end, where the format is bare also blanks and delimiters. */
bool csv_is_blank_line(const struct csv *csv, const char *p, const char *end);

/* The end of the record that begins at p, after its line end; NULL when the text stops before it. */
const char *csv_record(const struct csv *csv, const char *p, const char *end);

/* The cell that begins at p; returns what ends it: its delimiter (of a run the last blank), its line end, or
 * end. Goes on past errors. */
const char *csv_cell(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell);

/* The same, but returns where the next cell begins, NULL: there is none. NULL p: an empty cell. */
const char *csv_next(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell);

/* Cells of the row that begins at p, up to the last that is not empty. */
size_t csv_count(const struct csv *csv, const char *p, const char *end);

/* Where the record from p to end ends without its line end. */
const char *csv_without_eol(const struct csv *csv, const char *p, const char *end);

/* The text of a cell into buf of cell->n bytes, in a quoted one with "" undone; returns its length. */
size_t csv_unquote(const struct csv_cell *cell, char *buf);

/* What a cell holds. *x is NaN unless it is a number. Takes the blanks off a number or a gap. */
enum cell_kind csv_kind(const struct reader *r, struct csv_cell *cell, double *x);

/* Is the cell a number with separators between thousands, such as 1,234.5? */
bool csv_is_grouped(const struct csv *csv, const struct csv_cell *cell);

/* Errors, which return false. Lines are counted from text, of which everything else is a part. */
bool csv_error_place(const struct csv *csv, const char *text, const char *at, struct error *e);
bool csv_error_cell(const struct csv *csv, const char *text, const struct csv_cell *cell, struct error *e);
bool csv_error_ragged(const struct csv *csv, const char *text, const char *row, const char *end,
                      size_t ncolumn, struct error *e);

/* The error of a wanted cell that must be a number; a column's name, or its number where it has none. */
bool csv_error_number(const struct reader *r, const char *text, const struct csv_want *w,
                      const struct csv_cell *cell, enum cell_kind kind, struct error *e);
bool csv_error_column(const struct reader *r, size_t column, struct error *e);

/* An error for a record from p to end that has a NUL in it or is too long. */
bool csv_check_record(const struct csv *csv, const char *text, const char *p, const char *end,
                      struct error *e);

/* --- opening --- */

/* The lines that --header names, in order; returns how many, 0: the text names no lines, or too many. */
size_t csv_name_lines(const char *text, uint64_t line[CSV_MAXLINES]);

/* Reads up to the first line end: skips a byte order mark, and sets eol. */
bool csv_read_start(struct reader *r, struct error *e);

/* Reads until the record at `at` in rest is whole. *end == at: nothing is left. */
bool csv_read_record(struct reader *r, size_t at, size_t *end, struct error *e);

/* Moves nhead bytes of rest to head, and counts their lines. */
bool csv_set_head(struct reader *r, size_t nhead, struct error *e);

/* Sets the first kinds of columns from the first row, from p to end; NULL: there is none. */
bool csv_set_kinds(struct reader *r, const char *p, const char *end, struct error *e);

/* Fills columns and head, and leaves the rows in rest. */
bool csv_read_header(struct reader *r, struct error *e);

/* --- as in struct format --- */

FORMAT_FUNCTIONS(csv);
const char *csv_cell_text(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                          size_t maxbuf, size_t *ntext);

/* --- writing --- */

struct csv_writer {
    bool bare;     /* names are not quoted */
    bool same;            /* rows come from a reader of this format: they are spliced, and else composed */
    char delimiter;       /* before each added cell, and between all of composed rows */
    struct splice splice; /* its gap is that of composed rows, too */
    bool (*compose)(const struct writer *w, struct block *b, size_t row);
    /* Puts the text of a cell that is not filtered into a composed row; NULL: a gap. */
    bool (*put_text)(const struct writer *w, struct block *b, size_t row, size_t column, const char *text,
                     size_t n);
};

/* The pieces of rows of the same format, by delimiter and gap. */
bool csv_splice(const struct writer *w, struct error *e);

/* Parts of composed rows: a cell, filtered or not, and the added ones, each behind a delimiter. */
bool csv_put_delimiter(const struct writer *w, struct block *b);
bool csv_put_unfiltered(const struct writer *w, struct block *b, size_t row, size_t column);
bool csv_put_cell(const struct writer *w, struct block *b, size_t row, size_t column);
bool csv_put_added(const struct writer *w, struct block *b, size_t row);

#endif
