/* The head of a text of cells while the head is read: records, the records of the names, and the first row.
 * header.c finds the names and the first row, header_columns.c makes columns of names and row. */
#ifndef SPRUNG_FORMATS_CSV_HEADER_H
#define SPRUNG_FORMATS_CSV_HEADER_H

#include "formats/csv/csv.h"

/* Records that are looked at for names. */
enum { HEADER_LOOK = 1000 };

/* A record, no blank line, and what the cells of the record hold. Offsets count from rest,
 * which may move when rest grows. */
struct record {
    size_t at, end;
    size_t ncell;
    size_t nnumber;       /* cells with a number */
    size_t ntext;         /* cells with text that is neither a number nor a gap */
    size_t nword;         /* cells with a word that means a gap */
    size_t nempty;        /* cells without any text */
    size_t nnamed;        /* gaps, empty or a word, under a name */
    size_t npoint;        /* numbers with a decimal point */
    size_t ncomma;        /* texts that are numbers with a decimal comma */
    size_t ncomma_quoted; /* quoted texts that are numbers with a decimal comma */
    size_t nyear;         /* numbers that may be years */
    bool rising;          /* each number is greater than the number before */
    bool timed;           /* a number stands under a name of the time */
    bool dated;           /* the first cell is a date or a time of day */
    bool whole;           /* every number consists of digits alone, as a name such as 1998 does */
    bool numbered;        /* the record holds the names, although some names are numbers */
    bool trailing;        /* the last cell is empty */
    bool hash;            /* the first cell is a # or % alone, as before names between blanks */
    char mark;    /* #, % or @: the record is a comment, or with # and % perhaps the names; 0: no mark */
    bool setting; /* an @ before words between blanks, as in files of Grace: no names */
    bool label;   /* the first cell is the label CHANNEL_NAMES of Qualisys, and the others are names */
};

struct header {
    struct reader *reader;
    struct csv *csv;
    size_t at;           /* offset of the next record in rest */
    struct record *seen; /* [CSV_MAXLINES + HEADER_LOOK] all records before `at` */
    size_t nseen;
    const struct record *line[CSV_MAXLINES]; /* [nline] the records of the names */
    size_t nline;
    bool motive;              /* the names of a head of Motive are joined */
    bool markers;             /* the head is Vicon's: columns X, Y and Z stand below the names of markers */
    const struct record *row; /* the first row; NULL: the file has no row */
    bool vicon;    /* the file begins with the name of a kind of data of Vicon, alone in its line */
    bool paced;    /* the head is Empatica's: the time of the first row, and the rows per second */
    bool labelled; /* the head is a head of Qualisys: a line of a label and values is no row */
};

/* The cells of a record that are not read yet; p NULL: all cells are read. */
struct cells {
    const char *p, *end;
};

/* The cells of a record, from the first on. */
static inline struct cells header_cells(const struct header *header, const struct record *record)
{
    const char *end = header->csv->rest + record->end;
    return (struct cells){ csv_row_start(header->csv, header->csv->rest + record->at, end), end };
}

/* The mark that a record begins with, as in struct record. */
static inline char header_mark(const struct header *header, const struct record *record)
{
    const char first = *header_cells(header, record).p;
    return first == '#' || first == '%' || first == '@' ? first : 0;
}

/* Counts what the cells of the record from header->at to `end` hold. names: the record with the names above
 * the cells, or NULL. */
void header_count(const struct header *header, struct record *sum, size_t end, const struct record *names);

/* Chooses the delimiter by the head and the first rows, unless an option gives the delimiter. */
bool header_choose_delimiter(struct header *header, struct error *e);

/* Finds the records of the names and the first row, by --header, by --no-header, or by the cells. */
bool header_find(struct header *header, struct error *e);

/* Adds the first rows to the columns while a decision about roles needs another row. A row that is not cut as
 * the first, or that has a fault, ends this; its error comes when the row is read. */
bool csv_read_first_rows(struct header *header, struct error *e);

/* True if the record below `names` holds nothing but units, as the line below the names in exports of Vicon.
 */
bool header_is_units(const struct header *header, const struct record *names, const struct record *record);

/* True if the record can hold the names: the cells are text without a number, or numbers that are names. */
bool header_may_be_names(const struct record *record);

/* True if a record that may hold names takes the place of the names above, which may be NULL. Where the names
 * above fill all cells, a record of as many cells with empty cells, or with a date, is a row. */
bool header_replaces_names(const struct record *names, const struct record *look);

/* True if the record is certainly a row below the names, which may be NULL: it has a time below a name of the
 * time, a date in the first cell below names without one, or more numbers than other cells, where a date in
 * the first cell counts as a number. */
bool header_is_row(const struct record *record, const struct record *names);

/* The number of cells before the first name in the record of the names, where rows have ncolumn cells: 1 for
 * a # or a label, else 0. */
static inline size_t header_skips(const struct record *names, size_t ncolumn)
{
    return names->label || (names->hash && names->ncell == ncolumn + 1);
}

/* True if the cells of names are those of the row: as many, or one cell more or less where a tab ends either
 * the names or the row. */
bool header_fits(const struct header *header, const struct record *names, const struct record *row);

/* The last record before `before` that may hold the names, with as many cells as `like` (NULL: any number of
 * cells); NULL: no record. A line of units below names does not hold names. */
const struct record *header_last_names(const struct header *header, const struct record *before,
                                       const struct record *like);

#endif
