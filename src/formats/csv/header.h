/* Where the names of columns stand, and the first row: between the files that read the header of text. */
#ifndef SPRUNG_FORMATS_CSV_HEADER_H
#define SPRUNG_FORMATS_CSV_HEADER_H

#include "formats/csv/csv.h"

/* A record and what its cells hold. Offsets in rest, which moves when it grows. */
struct csv_summary {
    size_t at, end;
    size_t ncell;
    size_t nnumber, ntext, nword; /* cells that hold a number, text, a gap word; the others are empty */
    size_t nnamed;                /* gaps under a name */
    bool timed;                   /* a number stands under a name of the time */
};

struct csv_header {
    struct reader *r;
    struct csv *csv;
    struct csv_summary line[CSV_MAXLINES]; /* the names */
    size_t nline;
    struct csv_summary above; /* where one line was found: the names above it; ncell 0: there are none */
    struct csv_summary row;   /* the first row; at == end: there is none */
};

/* find_header.c: finds them by the options, or by what the first records hold. */
bool csv_find_header(struct csv_header *h, struct error *e);

#endif
