/* sprung inspect: a report about a file as the program reads the file, before any filter: format, times, the
 * role of each column with the reason for the role, faults in the values of each channel, and a command line
 * that would clean the file. Invariant: only the first rows of each table are read, so that memory is
 * bounded (table.h); the report says when a table has more rows. */
#ifndef SPRUNG_VIEW_INSPECT_INSPECT_H
#define SPRUNG_VIEW_INSPECT_INSPECT_H

#include "formats/input.h"

enum inspect_report {
    INSPECT_TEXT,   /* for people */
    INSPECT_JSON,   /* a line */
    INSPECT_COLUMNS /* the names of the columns, a line each; no rows are read for them */
};

enum { INSPECT_GIVEN = 20 /* most options that the advised command repeats */ };

/* An option of the command line that the advised command repeats. */
struct inspect_given {
    const char *option; /* without dashes */
    const char *value;  /* NULL: a flag */
};

/* The options of sprung inspect. */
struct inspect_options {
    int report;                                /* --report: enum inspect_report */
    struct inspect_given given[INSPECT_GIVEN]; /* [ngiven] about reading and columns, in order */
    size_t ngiven;
};

struct inspect_request {
    const struct column_choice *choice;
    const struct input_options *input;
    const struct inspect_options *options;
    bool all; /* for people: each channel has a line, not the first few only */
};

/* The report of a file, malloc'ed. *good is set to false, with *e, if the rows to report could not all be
 * read; then the report covers the rows before the fault. NULL: nothing is known about the file. name: "-" is
 * standard input. */
char *inspect_file(const char *name, const struct inspect_request *request, bool *good, struct error *e);

#endif
