/* Compares two folders: files pair by their paths below the folders, and each pair is compared as two series.
 */
#ifndef SPRUNG_COMPARE_DIFF_FOLDERS_H
#define SPRUNG_COMPARE_DIFF_FOLDERS_H

#include "base/messages.h"
#include "compare/diff.h"
#include "io/tree.h"

/* The result for a file. */
enum diff_verdict {
    DIFF_SAME,
    DIFF_DIFFERENT,
    DIFF_ONLY_EXPECTED, /* the actual folder does not have the file */
    DIFF_ONLY_ACTUAL,   /* the expected folder does not have the file */
    DIFF_TROUBLE,       /* one of the two files cannot be read */
    DIFF_VERDICTS
};

struct diff_folders {
    /* Set by the caller. */
    const struct diff_options *options;
    const struct input_options *input;
    const char *folder[DIFF_SIDES];
    struct messages *messages; /* errors of files */
    /* Results. */
    size_t count[DIFF_VERDICTS]; /* number of files with each verdict */
    size_t nfile;                /* sum of count */
};

/* Compares all files and prints the report on standard output. False and *e: the folders cannot be read, hold
 * no file, or the report cannot be written. A file that cannot be read is counted and named in messages. */
bool diff_folders_run(struct diff_folders *folders, struct error *e);

/* --- junit.c: reports in the XML of JUnit --- */

/* A file of a report. */
struct junit_case {
    const char *name; /* path of the file */
    enum diff_verdict verdict;
    const char *worst; /* the worst difference or the only folder with the file, in a line; NULL: none can be
                          named */
    const char *text;  /* what differs, or the error; NULL: neither */
};

/* The report, malloc'ed; NULL: out of memory. suite: the name of all cases together. */
char *junit_report(const char *suite, const struct junit_case *cases, size_t ncase);

#endif
