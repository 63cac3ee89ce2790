/* Compares two folders: files pair by their paths below the folders, and each pair is two series. */
#ifndef SPRUNG_COMPARE_DIFF_FOLDERS_H
#define SPRUNG_COMPARE_DIFF_FOLDERS_H

#include "base/json_out.h"
#include "base/messages.h"
#include "compare/diff.h"

/* The result for a file. */
enum diff_verdict {
    DIFF_SAME,
    DIFF_NOTHING, /* no column or no row to compare */
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
    /* Used while files are compared. */
    struct json_out json;  /* --report json */
    struct cJSON *results; /* in json */
    struct text xml;       /* --report junit */
};

/* Compares all files and prints the report on standard output. False and *e: the folders cannot be read, have
 * nothing to compare, or the report cannot be written. A file that cannot be read is counted and named in
 * messages. */
bool diff_folders_run(struct diff_folders *folders, struct error *e);

/* --- junit.c: reports in the XML of JUnit, in which a file is a test case --- */

/* The report of two files, malloc'ed; NULL: out of memory. */
char *diff_junit(const struct diff *diff);

/* Adds a file to xml. message: the worst difference or the only folder with the file, in a line. text: what
 * differs, or the error. Both may be NULL. */
void junit_add(struct text *xml, const char *name, enum diff_verdict verdict, const char *message,
               const char *text);

/* The report of the files in xml, malloc'ed; NULL: out of memory. Frees xml. */
char *junit_take(struct text *xml, const size_t count[DIFF_VERDICTS]);

#endif
