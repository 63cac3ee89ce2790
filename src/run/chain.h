/* The filters of a job, and the list of the job's stages. The first filter is the filter of the command line;
 * each --then filters the result of the filter before. Invariant: a pipe with a program for each filter would
 * print the same numbers, where each program has the options of its filter and prints all digits, and only
 * the last program prints derivatives. */
#ifndef SPRUNG_RUN_CHAIN_H
#define SPRUNG_RUN_CHAIN_H

#include "run/pipeline.h"
#include "series/clean/despike.h"
#include "series/clean/fill.h"
#include "series/prepare.h"
#include "series/resample.h"
#include "series/split.h"

/* A filter at work. */
struct link {
    struct chain *chain;
    const struct chained *given; /* the filter and its options, as given */
    bool *left_out;          /* [nchannel] owned; channels that pass through unchanged; NULL: no channel */
    struct column_plan plan; /* of this filter: plan_of_filter; only plan.use is owned */
    struct units units;
    struct overrides overrides;
    struct messages messages; /* warnings of the filter's series, shown at the end; not of the first filter */
    struct operator* filter;  /* its operator */
};

struct chain {
    const struct filter_job_config *config;
    struct reader *reader; /* of the input */
    struct pool *pool;     /* threads that share the work of a stage */
    struct link link[CHAIN_MAX];
    size_t n;
    struct cuts cuts;
    struct split split;
    struct prepare prepare;
    struct operator* despike;        /* NULL: no spike is looked for */
    struct operator* fill;           /* NULL: no spike and no gap is filled */
    struct clean_count *clean_count; /* [nchannel] of values masked and filled so far; owned; NULL: there are
                                        no masks, and no fill */
    struct resample *grid;           /* for --resample; NULL: not given */
    struct stage stage[STAGES_MAX];  /* in order */
    size_t nstage;
    /* Set by the job between chain_bind and chain_open. */
    struct output_columns layout; /* columns of the last filter's outputs, and with --then a column for each
                                     channel that the last filter leaves out */
    struct derivatives derivatives;
};

/* The filter that the job's output comes from. */
static inline struct link *chain_last(struct chain *chain)
{
    return &chain->link[chain->n - 1];
}

/* Is a half-life of the filter chosen (--halflife auto)? */
bool chain_is_automatic(const struct chained *given);

/* Finds the channels and rotations of each filter; the reader has a plan. *chain is zeroed before;
 * chain_close follows in any case. */
bool chain_bind(struct chain *chain, const struct filter_job_config *config, struct reader *reader,
                struct error *e);

/* Number of outputs of each channel that --resample interpolates after the first filter. 0: --resample is not
 * given, or makes the points before the first filter, which steps from point to point. */
size_t chain_resampled_outputs(const struct chain *chain);

/* True if rows denser than the points of --resample are thinned behind a filter that removes no waves, so
 * that fast waves appear as slow waves. */
bool chain_aliases(const struct chain *chain);

/* Opens the filters, and lists the stages of the job. */
bool chain_open(struct chain *chain, const struct filter_job_task *task, struct error *e);
void chain_close(struct chain *chain);

/* Counts of the job: rows, gaps and groups of the input; the cuts of the first filter that takes cuts. */
struct series_count chain_counted(const struct chain *chain);

/* [nchannel] the half-lives that were chosen for the last filter with --halflife auto; NULL: no filter has
 * --halflife auto. */
const struct halflife_range *chain_chosen_halflives(const struct chain *chain);

/* Is every channel left as it is by every filter, with too few values for auto? */
bool chain_leaves_all(const struct chain *chain);

/* Gives the messages of all filters after the first filter to the reader's messages. */
void chain_take_messages(struct chain *chain);

#endif
