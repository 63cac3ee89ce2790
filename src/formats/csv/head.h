/* The head of a text of cells: head.c finds its lines and the first row, vendor.c
 * knows those of some programs, columns.c makes columns of them. */
#ifndef SPRUNG_FORMATS_CSV_HEAD_H
#define SPRUNG_FORMATS_CSV_HEAD_H

#include "formats/csv/csv.h"

enum { HEAD_CUTS = 5 };

/* What the cells of a record hold in one cut. */
struct head_tally {
    size_t ncell;
    size_t filled;  /* cells up to the last that is not empty */
    size_t nnumber; /* numbers; a date or a time of day in the first cell counts */
    size_t ntext;   /* other texts that are no gaps */
    size_t nword;   /* words that mean a gap */
    size_t ngap;    /* gaps below a name */
    bool timed;     /* a number or a date is below a name of the time */
    bool titled;    /* the first cell is no number */
    bool comma;     /* the numbers have a decimal comma */
};

/* A record, no blank line. Offsets count from csv.rest, which may move when it grows. */
struct head_record {
    size_t at, end;
    char mark; /* #, % or @: a comment, or perhaps the names; 0: no mark */
    struct head_tally in[HEAD_CUTS];
};

/* A program whose heads are known. */
struct vendor {
    const char *first; /* the first cell of the file */
    const char *rate;  /* the cell before the rows per second; NULL: these are alone in a line */
    const char *names; /* the first cell of the names, above which no line is a row; NULL: not known */
};

struct head {
    struct reader *reader;
    struct csv *csv;
    const struct vendor *vendor; /* the program that wrote the head; NULL: unknown */
    char delimiter[HEAD_CUTS];   /* [ncut] delimiters to try, that of the format first */
    size_t ncut;
    size_t cut;                 /* the cut that is set */
    struct head_record *record; /* [nrecord] owned */
    size_t nrecord;
    const struct head_record *line[CSV_MAXLINES]; /* [nline] the records of the names */
    size_t nline;
    const struct head_record *row; /* the first row; NULL: the file has none */
    bool past_names;               /* of a vendor with `names`: their line has been read */
    bool motive;                   /* the lines of the names are those of Motive */
};

/* The cells of a record that are not read yet; p NULL: all cells are read. */
struct head_cells {
    const char *p, *end;
};

/* The cells of a record, without a label before its names: # or % before a blank, or that of Qualisys.
 * record NULL: no cells. */
static inline struct head_cells head_cells(const struct head *head, const struct head_record *record)
{
    static const char label[] = "CHANNEL_NAMES\t";
    if (!record)
        return (struct head_cells){ NULL, head->csv->rest };
    const char *p = head->csv->rest + record->at;
    if (head->vendor && strncmp(p, label, strlen(label)) == 0)
        p += strlen(label);
    else if (head->csv->delimiter == ' ' && (*p == '#' || *p == '%') && (p[1] == ' ' || p[1] == '\t'))
        p++;
    return (struct head_cells){ p, head->csv->rest + record->end };
}

static inline struct csv_cell head_next_cell(const struct head *head, struct head_cells *cells)
{
    struct csv_cell cell;
    cells->p = csv_next(head->csv, cells->p, cells->end, &cell);
    return cell;
}

/* Are the cells of the names those of the row? Empty cells at the end of one of them count for nothing. */
static inline bool head_fits(const struct head_tally *names, const struct head_tally *row)
{
    return names->ncell <= row->ncell + 1 && names->filled <= row->ncell && row->filled <= names->ncell;
}

/* Does the record hold nothing but units of the names? */
bool head_is_units(const struct head *head, const struct head_record *names,
                   const struct head_record *record);

/* The program whose heads begin like the text; NULL: none. */
const struct vendor *vendor_find(const char *p, const char *end);

/* Is the record from p to end part of the head of a known program: not below its names, or a label? */
bool vendor_holds(struct head *head, const char *p, const char *end);

/* Takes the rate from the head of a known program, and the names of markers, which join the names. */
void vendor_read(struct head *head);

/* The columns X, Y and Z of a marker become a vector. */
void vendor_mark_vectors(struct head *head);

/* Fills the table with the columns of the names and the first row, and sets where each line of the names
 * ends. */
bool head_make_columns(struct head *head, struct error *e);

#endif
