/* One input through one filter into one output: open, choose columns, run the pipeline, close.
 * Invariant: a job leaves nothing open and owns nothing after filter_job_run, whether it succeeded or not. */
#ifndef SPRUNG_JOB_H
#define SPRUNG_JOB_H

#include "base/messages.h"
#include "base/pool.h"
#include "rows/columns.h"
#include "series/angles.h"
#include "series/cuts.h"
#include "series/overrides.h"
#include "series/series.h"

struct number_settings {
    long precision, decimals; /* -1: not given */
};

/* Where output goes, what is said about it, and how many work on it. */
struct output_settings {
    const char *from, *to;    /* format names */
    int subtype;              /* enum subtype; -1: not given */
    const char *output, *output_dir, *suffix; /* NULL: not given */
    const char *in_place;     /* the backup's suffix, "" for none; NULL: not in place */
    const char *plot;         /* --plot: file of a picture */
    const char *report;       /* "text", "json"; "": text; NULL: none */
    double max_change;        /* NaN: no limit */
    bool force, dry_run;
    long jobs;                /* -1: as many as there are processors */
    int progress;             /* enum progress_when */
    bool quiet, verbose;
};

/* All that the command line says of a filter's job, parsed once. */
struct filter_job_config {
    const struct filter *filter;
    void *settings;           /* the filter's, checked */
    struct override_list overrides; /* --set */
    struct texts sets;        /* the same as typed */
    struct column_choice columns;
    struct series_settings series;
    struct angle_settings angles;
    const char *quaternions;  /* list of names, globs, positions; NULL: there are none */
    struct cut_settings cuts; /* detect is NaN where the filter takes none */
    bool zero_phase;
    double resample;          /* HZ; NaN: not given */
    long derivatives;         /* 0, 1, 2; -1: not given */
    struct input_options input;
    struct number_settings numbers;
    struct output_settings output;
};

struct filter_job_task {
    const char *input;                  /* "-": standard input */
    int fd;                             /* bytes go here */
    const char *output;                 /* its name, which may tell the format; NULL: it does not */
    bool keep_shape;                    /* the output takes the input's place: no derivatives unless asked for */
    bool hold;                          /* --max-change: no byte may go to fd before all is well */
    char **report;                      /* takes --report's text, which is owned by the caller */
    bool dry;                           /* only look: nothing is written, and nothing read but the head */
    struct pool *pool;                  /* this and the next as for the pipeline */
    size_t nthread;
    void (*watch)(void *closure, uint64_t nbyte); /* called now and then with the bytes read so far; may be NULL */
    void *closure;
};

/* Judges what options say by themselves, whatever the inputs are. */
bool filter_job_check(const struct filter_job_config *c, struct error *e);

/* Filters one input. On an error the rows before it have been written, and e->at_output says which side it is on. Notes
 * take warnings and what --verbose tells. */
bool filter_job_run(const struct filter_job_config *c, const struct filter_job_task *task, struct messages *messages, struct error *e);

#endif
