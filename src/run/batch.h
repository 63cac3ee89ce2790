/* One filter over the inputs of a command. */
#ifndef SPRUNG_RUN_BATCH_H
#define SPRUNG_RUN_BATCH_H

#include "run/filter_job.h"

/* Filters the inputs, or standard input where `inputs` is empty, into the outputs that the options name:
 * several inputs in parallel, reported in order. Adds every error to messages, and then returns false. A dry
 * run prints a line for each input to standard output. Invariant: neither output nor messages depend on the
 * number of inputs that are filtered in parallel. */
bool batch_run(const struct filter_job_config *config, const struct texts *inputs, struct messages *messages);

#endif
