/* One file or ten thousand through one filter: several at once, reported in order.
 * Invariant: neither output nor messages depend on how many are worked on at once. */
#ifndef SPRUNG_BATCH_H
#define SPRUNG_BATCH_H

#include "run/filter_job.h"

/* Filters the inputs, or standard input where there are none, to where the options say. Reports every error itself;
 * returns false when there was any. A dry run prints its lines to standard output. */
bool batch_run(const struct filter_job_config *c, const struct texts *inputs, struct messages *messages);

#endif
