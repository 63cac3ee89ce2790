/* How a batch goes: the messages of each file, in order, and at the end how many files failed, were skipped
 * or copied. Zero-initialize, and set the first three members. */
#ifndef SPRUNG_RUN_BATCH_REPORT_H
#define SPRUNG_RUN_BATCH_REPORT_H

#include "run/targets.h"

struct batch_report {
    const struct filter_job_config *config;
    const struct targets *targets;
    struct messages *messages;
    struct message_fold fold;
    bool failed; /* standard output cannot be written to, or out of memory */
};

/* Prints the messages and the report of a file that is done, and with --dry-run the line of the file. */
void batch_report_file(struct batch_report *report, struct target *target);

/* Prints the report about all files. Returns whether no file failed. */
bool batch_report_finish(struct batch_report *report);

#endif
