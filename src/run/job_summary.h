/* What --verbose says about a job that is done: the filters' parameters, the format and the time, channels,
 * rotations and vectors, what was cleaned, and counts. */
#ifndef SPRUNG_RUN_JOB_SUMMARY_H
#define SPRUNG_RUN_JOB_SUMMARY_H

#include "run/stages.h"

/* Adds the warnings about channels that --mask left without a value, and about spikes that --despike kept, if
 * any. */
void job_summary_warn(const struct stages *stages);

/* Adds the lines of --verbose to the messages of the reader. A line has the filter's parameters,
 * defaults too. */
void job_summary_print(const struct stages *stages);

#endif
