/* csv and tsv; the formats of motion capture use the same rows. A record is a row, a comment line or a
 * blank line, with its line end. A quote opens a quoted cell only at the start of a cell, not counting
 * blanks. A quote anywhere else is an error of the row, and does not hide a line end. */
#ifndef SPRUNG_FORMATS_CSV_CSV_H
#define SPRUNG_FORMATS_CSV_CSV_H

#include "formats/format.h"
#include "formats/splice.h"

#include <string.h>

enum {
    CSV_SLACK = 64,   /* readable bytes after every text: a line end, then zeros */
    CSV_MAXLINES = 16 /* most lines of names */
};

/* What a byte means, bits of csv.class. */
enum {
    CSV_BLANK = 1, /* not part of the text at either end of a cell */
    CSV_STOP = 2,  /* ends an unquoted cell */
    CSV_QUOTE = 4, /* opens and closes a quoted cell */
    CSV_FIRST = 8  /* as the first byte of a record: the record may be no row */
};

/* A column whose cells are recorded, in the order of columns and of recorded cells. */
struct csv_want {
    size_t column;
    size_t skip;  /* number of columns between the previous recorded column and this column */
    size_t value; /* column of numbers in the block; COLUMN_NONE: no number is read */
    bool time;    /* the column is the time */
    bool plain;   /* cells hold numbers, and no number is in the list of --missing: a number is never a gap */
};

/* A line of the names, which gets those of added columns. */
struct csv_line {
    size_t at;      /* offset in head where the cells go */
    size_t missing; /* number of cells in a row less the number of cells in the line */
};

struct csv {
    bool motion;    /* rows of motion capture: blank lines mean nothing, and # begins no comment */
    char delimiter; /* ' ': cells are between runs of blanks and tabs */
    bool bare;      /* of motion, or with the delimiter ' ': no quotes; empty cells after the last column mean
                     * nothing */
    bool gap_rows;  /* of motion: a line of delimiters alone is a row of gaps; else a blank line */
    size_t vector;  /* every cell except the first of a row holds this many numbers with commas between, each
                     * in its own column; 0: a cell holds one number */
    char eol;  /* last byte of a line end: '\n' (LF and CRLF) or '\r'; 0 until the first line end was seen */
    bool crlf; /* the first line ends with CR LF */
    unsigned char class[256]; /* class of every byte, set by csv_set_delimiter */
    bool skips; /* --bad-rows skip: a quoted cell of too many lines is a fault of its first line */
    const char *ragged_hint; /* hint for a row with a wrong number of cells; NULL: the general hint */

    size_t start; /* while the head is read: offset of the text in rest, after a byte order mark */
    char *head;   /* [nhead] owned; the text before the first row */
    size_t nhead;
    struct csv_line *line; /* [nline] owned; the lines of the names, from the top down */
    size_t nline;
    size_t rate, nrate; /* offset in head and length of the rate of rows; nrate 0: the head states no rate */

    char *rest; /* [nrest] bytes that were read and are not in a block yet; CSV_SLACK readable bytes follow */
    size_t nrest, maxrest;
    bool ended; /* the source has ended */

    bool fast;             /* plain rows are parsed by the quick way */
    struct csv_want *want; /* [nwant] owned; the recorded columns */
    size_t nwant;
    size_t ntail;   /* number of columns after the last wanted column */
    size_t ncolumn; /* cells of a row; 0 while the head is read, where every line with a # is a comment */
    size_t least;   /* with bare: the fewest cells of a row, which may have more; 0: one for each column */
};

enum csv_fault {
    CSV_FINE,
    CSV_STRAY, /* a quote in a cell that is not quoted */
    CSV_AFTER, /* text after a closing quote */
    CSV_OPEN,  /* no closing quote before the end */
    CSV_LONG   /* more than FORMAT_MAXCELL bytes */
};

struct csv_cell {
    const char *at; /* [n] the text without blanks around the text, or the text between the quotes */
    size_t n;
    bool quoted;
    enum csv_fault fault;
};

static inline bool csv_is(const struct csv *csv, char c, int class)
{
    return csv->class[(unsigned char)c] & class;
}

/* Sets the delimiter, and the classes of bytes. */
void csv_set_delimiter(struct csv *csv, char delimiter);

/* Is the record at p a line end alone? In a bare format without gap_rows, blanks and delimiters may be there.
 */
bool csv_is_blank_line(const struct csv *csv, const char *p, const char *end);

/* Is the record at p a comment: a line that begins with # and has another number of cells than a row? */
bool csv_is_comment(const struct csv *csv, const char *p, const char *end);

/* The end of the record at p; NULL: the text stops before. last: an open quote ends with its line. */
const char *csv_record(const struct csv *csv, const char *p, const char *end, bool last);

/* Sets *cell to the cell that begins at p. Returns the end of the cell: the delimiter (the last blank of a
 * run), the line end, or end. An error goes to cell->fault. */
const char *csv_cell(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell);

/* As csv_cell, but returns the start of the next cell; NULL: there is none. p NULL: an empty cell. */
const char *csv_next(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell);

/* The length of the first n bytes of text, whole records, without the blank lines at their end. */
size_t csv_without_blank_lines(const struct csv *csv, const char *text, size_t n);

/* The number of cells in the row at p, without empty cells at the end. */
size_t csv_count(const struct csv *csv, const char *p, const char *end);

/* The end of the record from p to end, less its line end. */
const char *csv_without_eol(const struct csv *csv, const char *p, const char *end);

/* Copies the text into buf, of cell->n bytes; in a quoted cell "" becomes ". Returns the length. */
size_t csv_unquote(const struct csv_cell *cell, char *buf);

/* The kind of a cell, which loses blanks around a number or a gap. *x: the number, or NaN. */
enum cell_kind csv_kind(const struct reader *reader, struct csv_cell *cell, double *x);

/* Errors; all return false. text: where lines are counted from; the other pointers point into text. */
bool csv_error_place(const struct csv *csv, const char *text, const char *at, struct error *e);
bool csv_error_cell(const struct csv *csv, const char *text, const struct csv_cell *cell, struct error *e);
bool csv_error_ragged(const struct csv *csv, const char *text, const char *row, const char *end,
                      size_t ncolumn, struct error *e);

/* Refuses a record with a NUL, or too long. */
bool csv_check_record(const struct csv *csv, const char *text, const char *p, const char *end,
                      struct error *e);

/* --- opening --- */

/* Sets line to the lines of --header, in order. Returns their number; 0: none, or too many. */
size_t csv_name_lines(const char *text, uint64_t line[CSV_MAXLINES]);

/* Reads up to the first line end: skips a byte order mark, and sets eol. */
bool csv_read_start(struct reader *reader, struct error *e);

/* Reads until the record at `at` in rest is whole. *end == at: nothing is left. */
bool csv_read_record(struct reader *reader, size_t at, size_t *end, struct error *e);

/* Moves nhead bytes of rest to head, and counts the lines moved. */
bool csv_set_head(struct reader *reader, size_t nhead, struct error *e);

/* Sets the first kinds of columns by the first row, from p to end; p NULL: the file has no row. */
bool csv_set_kinds(struct reader *reader, const char *p, const char *end, struct error *e);

/* Fills columns and head, and leaves the rows in rest. Cells between tabs, in a file that neither its name
 * nor an option says is csv, make reader->format tsv. */
bool csv_read_header(struct reader *reader, struct error *e);

/* --- as in struct format --- */

extern const struct format format_tsv;

FORMAT_FUNCTIONS(csv);
void csv_cell_text(const struct reader *reader, const struct block *block, size_t row, size_t column,
                   struct cell_text *cell);

/* --- writing --- */

struct csv_writer {
    char delimiter; /* the byte before every added cell, and between the cells of composed rows */
    struct splice splice;
};

/* The pieces of rows of the same format, by delimiter and gap. */
bool csv_splice(const struct writer *writer, struct error *e);

#endif
