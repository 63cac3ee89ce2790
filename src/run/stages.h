/* The stages of a job, from split to the filter, in order, and what they share. */
#ifndef SPRUNG_RUN_STAGES_H
#define SPRUNG_RUN_STAGES_H

#include "run/pipeline.h"
#include "series/clean/despike.h"
#include "series/clean/fill.h"
#include "series/prepare.h"
#include "series/resample.h"
#include "series/split.h"

struct stages {
    const struct filter_job_config *config;
    struct reader *reader; /* of the input */
    struct pool *pool;     /* threads that share the work of a stage */
    struct units units;
    struct split split;
    struct prepare prepare;
    struct operator* despike; /* NULL: no spike is looked for */
    struct operator* fill;    /* NULL: no spike and no gap is filled */
    struct operator* filter;
    struct clean_count *clean_count; /* [nchannel] of values masked and filled so far; owned; NULL: there are
                                        no masks, and no fill */
    struct resample *grid;           /* for --resample; NULL: not given */
    struct stage at[STAGES_MAX];     /* [n] in order */
    size_t n;
    /* Set by the job between stages_bind and stages_open. */
    struct output_columns layout; /* columns of the filter's outputs */
    struct derivatives derivatives;
};

/* Finds the rotations of the filter; the reader has a plan. *stages is zeroed before; stages_close follows in
 * any case. */
bool stages_bind(struct stages *stages, const struct filter_job_config *config, struct reader *reader,
                 struct error *e);

/* Number of outputs of each channel that --resample interpolates after the filter. 0: --resample is not
 * given, or makes the points before the filter, which steps from point to point. */
size_t stages_resampled_outputs(const struct stages *stages);

/* True if rows denser than the points of --resample are thinned after a filter that removes no waves, so
 * that fast waves appear as slow waves. */
bool stages_alias(const struct stages *stages);

/* Opens the filter, and lists the stages of the job. */
bool stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e);
void stages_close(struct stages *stages);

#endif
