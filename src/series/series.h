/* The state of a series: time steps, first samples, gaps, cuts, groups. It feeds a filter's kernel with
 * finite numbers and steps of T > 0, and decides what each row of a block prints. Invariant: what a row
 * prints depends on the rows of its group before it (and, with look-ahead, the one after it; with
 * --zero-phase on all of them), never on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_SERIES_H
#define SPRUNG_SERIES_SERIES_H

#include "formats/format.h"
#include "series/overrides.h"
#include "series/rotations.h"

/* --- cuts: cuts.c --- */

/* Times at which the target jumps, in seconds of the series' own time, ascending, none twice. */
struct cuts {
    double *time; /* [ncut], owned */
    size_t ncut, maxcut;
};

/* --cuts: a list of times, or the cue points of a recording. */
struct cut_times {
    bool cue;
    struct cuts list; /* seconds */
};
extern const struct param_type cut_times_type;

/* Where the target jumps, as the command line says; the cut column is a column's role. For filters that take
 * cuts. */
struct cut_settings {
    struct cut_times given;
    const char *from; /* a file; NULL: not given */
    double detect;    /* --detect-cuts K; NaN: not given */
};

/* Collects the times of --cuts and --cuts-from; input is the columns of the series, whose cue points "cue"
 * means. *c is empty before, and c->time is freed after, also on error. An error in the file of --cuts-from
 * names it in its text. */
bool cuts_collect(struct cuts *c, const struct cut_settings *settings, const struct columns *input,
                  struct error *e);

/* --- where outputs go: output_columns.c --- */

/* Which derivatives of a channel the series computes, and which of them are printed. */
struct derivatives {
    long computed, printed; /* 0, 1, 2; no more are printed than computed */
};

/* Lays out the filter's outputs for every channel; those left out (NULL: none is) have no added columns. Of a
 * quaternion each component has its outputs; those added are the x, y and z of its rates: hip_vel_x. A name
 * that exists already is an error. output_columns_free after, also on error. */
bool output_columns_make(struct output_columns *l, const struct columns *t, const struct rotations *q,
                         const struct filter *filter, const void *settings, struct derivatives derivatives,
                         const bool *left_out, struct error *e);

/* Lays out further out columns in place of channels that the filter leaves as they are; grid: rows are made
 * anew, and have columns, printed in full, of the time, of cuts, and of the numbers of frames. */
void output_columns_add(struct output_columns *l, const struct columns *t, bool grid);
void output_columns_free(struct output_columns *l);

/* --- rows --- */

/* What is done about missing values. Of a gap that linear and cubic leave, they do what restart does: these
 * three are the last ones that may meet a gap. */
enum gaps { GAPS_KEEP, GAPS_FILL, GAPS_LINEAR, GAPS_CUBIC, GAPS_RESTART, GAPS_ERROR };

/* --max-gap. Zeroed: no limit. */
struct gap_limit {
    enum { GAP_UNLIMITED, GAP_SECONDS, GAP_ROWS } kind;
    double most;
};
extern const struct param_type gap_limit_type;

/* How rows become a series, as the command line says. */
struct series_settings {
    int gaps; /* enum gaps */
    struct gap_limit max_gap;
    double start; /* initial position; NaN: the first value */
};

/* "first", "zero" or a number: the type of the option --start, a double. */
extern const struct param_type series_start_type;

/* The rows of a series, as all see them that judge rows by the ones before: filters, and in clean.c, cleaning
 * and the grid of --resample. */
struct series_rows {
    const struct reader *reader;   /* tells what the cells of the group's column say */
    const struct columns *columns; /* the reader's; roles are given */
    const struct series_settings *settings;
    double rate; /* rows per second; 0: by the blocks' times */
    const struct cuts *cuts;
    const struct rotations *rotations; /* among the channels, and angles */
};

/* The time of a row of a block, row n of its group: with a rate, n. */
static inline struct timestamp series_time(const struct series_rows *in, const struct block *b, size_t row,
                                           uint64_t n)
{
    return in->rate == 0 ? b->time[row] : (struct timestamp){ (double)n, { (int64_t)n, 0, true } };
}

/* The unit of these times. */
static inline struct time_unit series_unit(const struct series_rows *in)
{
    return in->rate == 0 ? in->columns->unit : (struct time_unit){ 0, in->rate, 0 };
}

/* True if a row at that time follows a cut: one of the cut times that are not past yet, of which *past are
 * and are counted on, or one that the cut column marks. */
bool series_cut(const struct series_rows *in, const struct block *b, size_t row, const struct timestamp *now,
                size_t *past);

/* Is a gap longer than --max-gap: nrow rows without a value, between valid samples at a and b? Exact for
 * times that are; times that are rounded do not make a gap longer by their rounding. */
bool series_long_gap(const struct series_rows *in, uint64_t nrow, const struct timestamp *a,
                     const struct timestamp *b);

struct series;

struct series_config {
    struct series_rows in;
    const struct filter *filter;
    const struct overrides *overrides; /* the filter's settings, by channel */
    const bool *left_out;              /* [nchannel] channels without outputs; NULL: there are none */
    bool zero_phase;                   /* rows are held, and filtered both ways when no more come */
    double detect;                     /* --detect-cuts K, or NaN */
    bool wrap;                         /* --wrap: angles are printed in the input's turn */
    bool numbers_meant;                /* quaternions that are filtered as numbers need no warning */
    struct derivatives derivatives;    /* which outputs are wanted */
    struct messages *messages;         /* warnings go here */
    const char *file;                  /* for warnings */
    bool cleaned;                      /* goals were cleaned before */
    bool verbose;                      /* say what cuts were found */
};

/* With --halflife auto: the half-lives chosen for a channel, the least and the largest of its groups; else
 * NaN. */
struct halflife_range {
    double least, most;
};

struct series_count { /* for --verbose and --report; arrays are the series' own */
    uint64_t rows, gaps, cuts, groups;
    uint64_t *channel_cuts;          /* [nchannel] cuts of each channel, given and found */
    struct halflife_range *halflife; /* [nchannel] */
};

/* NULL and *e when memory is out or options do not fit together. The config's pointers must outlive the
 * series. */
struct series *series_open(const struct series_config *config, struct error *e);
void series_close(struct series *s);

/* Takes the rows of a block, in order; firstrow and firstline tell where it stands. Fills b->out and
 * b->pending; rows that have to wait, for look-ahead or for the whole series, are decided in a later call (b
 * must stay where it is until pending is 0). On a bad row: returns the block that it cuts short, b or one
 * that is pending, with its error; no row from its nrow on stands. Else NULL. */
struct block *series_take(struct series *s, struct block *b);

/* No more rows come: decides all that is pending. Returns as series_take. */
struct block *series_finish(struct series *s);

struct series_count series_counted(const struct series *s);

#endif
