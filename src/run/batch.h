/* One file or ten thousand, through one filter: planned, worked on at once, told of in order.
 * Invariant: neither what is written nor what is said depends on how many are worked on at once. */
#ifndef SPRUNG_BATCH_H
#define SPRUNG_BATCH_H

#include "run/filter_job.h"

/* Filters the inputs (none: standard input) to where the options say. False when anything went wrong; all is said in the
 * messages. Dry runs print their lines to standard output. */
bool batch_run(const struct filter_job_config *c, const struct texts *inputs, struct messages *messages);

#endif
