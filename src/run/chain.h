/* The filters of one job, and the list of the job's stages. The first filter is the filter of the command
 * line; each --then filters the result of the filter before. Invariant: the numbers are the same as from a
 * pipe of programs, one program for each filter, that print all digits, with the same options, and
 * derivatives from the last program only. */
#ifndef SPRUNG_RUN_CHAIN_H
#define SPRUNG_RUN_CHAIN_H

#include "run/filter_job.h"
#include "series/clean.h"
#include "series/resample.h"

/* A filter at work. */
struct link {
    const struct chain *chain;
    const struct chained *given;
    bool *left_out;         /* [nchannel] channels that pass through unchanged; NULL: all are filtered. One
                               allocation with the array of columns, owned */
    struct columns columns; /* the reader's columns, with the roles that the columns have for this filter */
    struct rotations rotations;
    struct overrides overrides;
    struct messages
        messages; /* warnings of the filter's series, shown at the end; not used by the first filter */
    struct series *series;
    double
        hz; /* --resample, for the first filter: the rate of the points; NaN: not given, or a later filter */
};

struct chain {
    const struct filter_job_config *c;
    struct reader *reader; /* of the input */
    struct link link[CHAIN_MAX];
    size_t n;
    struct cuts cuts;
    struct clean *clean;                   /* the stage that cleans; NULL: nothing is to be cleaned */
    const struct clean_count *clean_count; /* [nchannel] what clean has done so far; NULL without clean */
    struct resample *grid;                 /* for --resample; NULL: not given */
    struct stage stage[STAGES_MAX];        /* in order */
    size_t nstage;
    /* Set by the job between chain_bind and chain_open. */
    struct output_columns layout; /* of the last filter's outputs; with --then also a column for each channel
                                     that the last filter leaves as it is */
    struct derivatives derivatives;
    double rate; /* rows per second of the input; 0: the rows have times */
};

/* The filter that the job's output comes from. */
static inline struct link *chain_last(struct chain *h)
{
    return &h->link[h->n - 1];
}

/* Checks that each filter can do what the options ask, and that only the last filter may print columns of its
 * own or numbers of another unit. */
bool chain_check(const struct filter_job_config *c, struct error *e);

/* Appends the names of the columns from which options of the filters have their values (@COLUMN). */
bool chain_list_parameters(const struct filter_job_config *c, struct texts *names, struct error *e);

/* Finds the channels and rotations of each filter; columns are selected. *h is zeroed before; chain_close
 * follows in any case. */
bool chain_bind(struct chain *h, const struct filter_job_config *c, struct reader *reader, struct error *e);

/* Number of outputs of each channel that --resample interpolates behind the first filter. 0: the points are
 * made before the first filter, which steps over the points; or --resample is not given. */
size_t chain_resampled_outputs(const struct chain *h);

/* The filter before the points of --resample removes no waves, and the rows were denser than the points. */
bool chain_aliases(const struct chain *h);

/* Opens the filters, and lists the stages of the job. several: as in overrides_collect. */
bool chain_open(struct chain *h, bool several, struct error *e);
void chain_close(struct chain *h);

/* Counts of the job: rows, gaps and groups of the input; the cuts of the first filter that takes cuts; the
 * half-lives that were chosen for the last filter with --halflife auto. */
struct series_count chain_counted(const struct chain *h);

/* The vectors of which a size decides what a filter does: NULL, or the rotations of the first such filter. */
const struct rotations *chain_sized(const struct chain *h);

/* Prints the messages of all filters after the first filter. verbose: prints the parameters of each filter,
 * defaults too; with --set once for each set of parameters. */
void chain_say(struct chain *h, bool verbose);

#endif
