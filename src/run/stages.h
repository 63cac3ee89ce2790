/* The stages of a job, the core and the points of --resample, and what they share. */
#ifndef SPRUNG_RUN_STAGES_H
#define SPRUNG_RUN_STAGES_H

#include "run/pipeline.h"
#include "series/core.h"
#include "series/grid.h"
#include "series/warnings.h"

struct stages {
    const struct filter_job_config *config;
    struct reader *reader; /* of the input */
    struct units units;
    struct groups groups;
    struct core core;
    struct warnings warnings;
    struct channel_count *channel_count; /* [nchannel] what was done so far; owned */
    struct grid *grid;                   /* for --resample; NULL: not given */
    struct stage at[STAGES_MAX];         /* [n] in order */
    size_t n;
    /* Set by the job between stages_bind and stages_open. */
    struct output_columns layout; /* columns of the filter's outputs */
    struct derivatives derivatives;
};

/* Finds the units of the filter; the reader's table is complete. *stages is zeroed before; stages_close
 * follows in any case. */
bool stages_bind(struct stages *stages, const struct filter_job_config *config, struct reader *reader,
                 struct error *e);

/* Do the points of --resample lie on curves through the results, so that velocities are needed? */
bool stages_take_curves(const struct filter_job_config *config);

/* Are samples masked, or spikes or gaps filled? */
bool stages_clean(const struct stages *stages);

/* Opens the filter, and lists the stages of the job. */
bool stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e);
void stages_close(struct stages *stages);

/* job_summary.c, after the last row: counts rows left out, and warns of spikes that are kept. */
void job_summary_warn(const struct stages *stages);

/* Adds the lines of --verbose: the filter's parameters, defaults too, the format and the time, channels, what
 * was cleaned, and counts. */
void job_summary_print(const struct stages *stages);

#endif
