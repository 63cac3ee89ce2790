/* One input through a filter into one output: open the input, bind the columns, open the writer, run the
 * pipeline, close. Invariant: after filter_job_run, also after an error, all that it opened is closed, and
 * no memory is owned. */
#ifndef SPRUNG_RUN_FILTER_JOB_H
#define SPRUNG_RUN_FILTER_JOB_H

#include "base/pool.h"
#include "series/series.h"
#include "view/change_stats.h"

/* Options for the places of outputs, for messages, and for the numbers of files and threads. */
struct output_settings {
    const char *to;         /* --to: name of the output's format; NULL: not given */
    const char *output;     /* --output: file, "-": standard output; NULL: not given */
    const char *output_dir; /* --output-dir: folder; NULL: not given */
    const char *suffix;     /* --suffix: text before the extension of files in output_dir; NULL: not given */
    const char *in_place;   /* --in-place: suffix of the backup, "": no backup; NULL: not in place */
    const char *report;     /* --report: "text" or "json", "": text; NULL: not given */
    struct texts reads; /* files that the command reads besides its inputs; an output must not replace such a
                           file; not owned */
    struct texts include; /* --include: globs of the files in folders */
    bool recursive;       /* --recursive: a folder among the operands means all files in the folder */
    bool update;          /* --update: inputs whose output is newer are skipped */
    bool force;           /* --force: existing and read-only files are replaced */
    bool dry_run;         /* --dry-run: nothing is written */
    long jobs;            /* --jobs; -1: as many as processors */
    bool quiet;           /* --quiet: errors alone are printed */
    bool verbose;         /* --verbose: each file's settings and counts are printed */
};

/* The filter of a job, with its options. */
struct job_filter {
    const struct filter *filter; /* NULL: a command without a filter */
    void *settings;              /* of the filter; checked; owned by the command line */
    bool zero_phase;             /* --zero-phase */
    double lookahead;            /* --lookahead S; NaN: not given */
};

/* A filter command line, parsed once. */
struct filter_job_config {
    struct job_filter filter;
    struct column_choice columns;
    struct series_settings series;
    double despike; /* --despike K; NaN: the option was not given */
    struct unit_settings units;
    struct cut_settings cuts; /* for the filters that take cuts */
    double resample;          /* HZ; NaN: not given */
    long derivatives;         /* 0, 1, 2; -1: not given */
    struct input_options input;
    long decimals; /* --decimals: digits after the point; -1: not given; PARAM_WORD: as in the input */
    struct output_settings output;
};

struct filter_job_task {
    const char *input;   /* "-": standard input */
    int fd;              /* descriptor of the output */
    struct outfile *out; /* the file of the output; NULL: not known */
    struct pool *pool;   /* parses and prints blocks, and smooths channels of --zero-phase */
    size_t nthread; /* threads that may work on the input, including the caller; sets the number of blocks */
    bool some;      /* one of several inputs, and not --in-place: an entry of a LIST may name nothing here */
    char *report;   /* result: the text of --report, owned by the caller */
    struct most_changed most[MOST_CHANGED]; /* result: for the end of a batch with --report */
    uint64_t nread;        /* result: bytes of the input that the progress line has counted */
    struct list_uses uses; /* result, of one of several inputs: what the LISTs name; the caller frees `at` */
};

/* job_options.c: checks the options that can be checked without an input. */
bool filter_job_check(const struct filter_job_config *config, struct error *e);

/* Filters an input. On an error the rows before the error have been written to the output, which the caller
 * drops if the output is a file that has not been moved to its place; e->at_output: the error is about the
 * output. messages receives notes, warnings and the lines of --verbose; NULL: they are dropped. */
bool filter_job_run(const struct filter_job_config *config, struct filter_job_task *task,
                    struct messages *messages, struct error *e);

#endif
