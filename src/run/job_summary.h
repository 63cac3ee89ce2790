/* What --verbose says about a job that is done: the filters' parameters, the format and the time, channels,
 * rotations and vectors, what was cleaned, and counts. */
#ifndef SPRUNG_RUN_JOB_SUMMARY_H
#define SPRUNG_RUN_JOB_SUMMARY_H

#include "run/chain.h"

/* Adds the warnings about channels that --mask left without a value, and about spikes that --despike kept, if
 * any. */
void job_summary_warn(const struct chain *chain);

/* Adds the lines of --verbose to the messages of the reader. For each filter there is a line of parameters,
 * defaults too; with --set a line for each set of parameters. */
void job_summary_print(const struct chain *chain);

#endif
