/* The filters of one job, one after the other, and the list of its stages. The filters are that of the command
 * line and those of --then, which filter its result. Invariant: the numbers are those of a pipe of one program
 * for each filter that prints them in full, with the same options, derivatives of the last only. */
#ifndef SPRUNG_RUN_CHAIN_H
#define SPRUNG_RUN_CHAIN_H

#include "run/filter_job.h"
#include "series/clean.h"
#include "series/resample.h"

/* A filter at work. */
struct link {
    const struct chain *chain;
    const struct chained *given;
    bool *left_out;         /* [nchannel] channels that pass through unchanged; NULL: there are none;
                               owned, with the array of columns */
    struct columns columns; /* the reader's as this filter takes them */
    struct rotations rotations;
    struct overrides overrides;
    struct messages said; /* by its series; it is shown at the end, but for the first one's */
    struct series *series;
    double hz;         /* --resample, of the first one: what goes on are the points; NaN: not given */
};

struct chain {
    const struct filter_job_config *c;
    struct reader *reader; /* of the input */
    struct link link[CHAIN_MAX];
    size_t n;
    struct cuts cuts;
    struct clean *clean;                   /* NULL: nothing is to be cleaned */
    const struct clean_count *clean_count; /* [nchannel] its counts so far, or NULL */
    struct resample *grid; /* for --resample; NULL: not given */
    struct stage stage[STAGES_MAX]; /* in order */
    size_t nstage;
    /* Set by the job between chain_bind and chain_open. */
    struct output_columns layout; /* of the last filter's outputs, with columns for all channels that it
                                     leaves as they are, if it is not the only one */
    struct derivatives derivatives;
    double rate; /* of the rows that are read, per second; 0: by their times */
};

/* The filter that the job's output comes from. */
static inline struct link *chain_last(struct chain *h)
{
    return &h->link[h->n - 1];
}

/* Checks what each filter must be able to do, and that only the last one's result is of another kind. */
bool chain_check(const struct filter_job_config *c, struct error *e);

/* Finds the channels and rotations of each filter; columns are selected. *h is zeroed before; chain_close
 * follows in any case. */
bool chain_bind(struct chain *h, const struct filter_job_config *c, struct reader *reader, struct error *e);

/* How many outputs of each channel --resample makes points of, behind the first filter; 0: it makes points for
 * this filter to step over, or is not given. */
size_t chain_resampled_outputs(const struct chain *h);

/* Opens the filters, and lists the stages of the job. several: as in overrides_collect. */
bool chain_open(struct chain *h, bool several, struct error *e);
void chain_close(struct chain *h);

/* Rows, gaps and groups of the input, and the cuts that the first filter that takes cuts had; the half-lives
 * that the last filter with --halflife auto chose. */
struct series_count chain_counted(const struct chain *h);

/* Shows what the filters after the first one said. verbose: prints each filter with its parameters, defaults
 * too; with --set once for each set of them. */
void chain_say(struct chain *h, bool verbose);

#endif
