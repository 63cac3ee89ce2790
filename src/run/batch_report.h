/* How a batch goes: the messages of each file, in order, and at the end how many files failed, were skipped
 * or copied. Zero-initialize, and set the first three members. */
#ifndef SPRUNG_RUN_BATCH_REPORT_H
#define SPRUNG_RUN_BATCH_REPORT_H

#include "run/targets.h"

enum { BATCH_NAMES = 700 /* bytes of names in the last message */ };

struct batch_report {
    const struct filter_job_config *config;
    const struct targets *targets;
    struct messages *messages;
    struct message_fold fold;
    size_t nfailed, nskipped, ncopied;
    size_t nhigh_cutoff;     /* failed files whose rows need a lower cutoff */
    size_t nnamed;           /* number of failed files in `names` */
    char names[BATCH_NAMES]; /* names of the first failed files, with commas between */
    bool failed;             /* an error of the batch, not of a file */
    bool stopped;            /* standard output cannot be written to */
};

/* Adds an error of the batch, not of a file, to the messages. */
void batch_report_error(struct batch_report *report, const char *file, const struct error *e);

/* Prints on standard output. An error ends the batch. */
bool batch_report_print(struct batch_report *report, const char *text);

/* Prints the messages of a file that is done, and with --dry-run the line of the file, and counts the file.
 */
void batch_report_file(struct batch_report *report, struct target *target);

/* Prints what is to be said about all files. nfile: the files that were begun. */
void batch_report_finish(struct batch_report *report, size_t nfile);

#endif
