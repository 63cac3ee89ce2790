/* The middle of a job: each group of --group-by is one series, and a few passes decide its samples.
 *
 * Rows of a group that share a time are one sample, a knot. Knots are numbered from 0 in each group. A pass
 * is a loop over the arrays of the knots that ends at the first knot that later rows may still change. A row
 * is final when the last pass has decided its knot; a block leaves when none of its rows is pending. Passes
 * know nothing of blocks, groups or threads.
 *
 * Invariant: what a row prints depends on the rows of its group before it, and on the later rows that a pass
 * waits for; never on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_CORE_H
#define SPRUNG_SERIES_CORE_H

#include "series/groups.h"
#include "series/series.h"
#include "series/stage.h"

#include <math.h>

enum {
    CORE_PASSES = 3,
    CORE_RATE_STEPS = 4096 /* most steps that the row rate goes by */
};

/* Rows of a block that lie side by side, where results are printed. Row `row` + i is of knot `knot` + i. */
struct ref {
    struct block *block;
    uint64_t knot;
    size_t row, n;
    bool joined; /* n is 1: a row of a knot with several rows; a unit that it misses is a gap, unless gaps are
                    filled */
};

/* Consecutive knots of a series: the arrays hold knot `first` at index 0. */
struct knots {
    uint64_t first;
    size_t n, max;       /* knots in the arrays, and room */
    double *T;           /* [max] seconds since the knot before; 0: the first knot of the series */
    double *t;           /* [max] seconds since the first knot of the series */
    unsigned char *cut;  /* [max] 1: the knot follows a cut of the command line or of the cut column */
    double **x;          /* [nchannel], each [max]: the samples; NaN: missing or masked */
    double **goal;       /* [nchannel], each [max]: the goals of the filter; x where no pass cleans */
    double *extra;       /* [nextra][max] numbers of the passes with each knot */
    unsigned char *mark; /* [nmark][max] likewise */
    double **out; /* [nchannel * nwant], each [max]: results, the wanted outputs of a channel side by side */
};

/* One group. Zero-initialized. */
struct series {
    struct group *group;
    uint64_t n;             /* knots so far */
    uint64_t given;         /* knots whose results have been given to the rows */
    struct timestamp first; /* time of the first knot */
    struct knots knots;     /* held; at least the last one */
    bool fresh;             /* has rows that the passes have not seen */
    bool failed;            /* core_fail has ended it: no pass runs any more */
    bool cut;               /* the next knot follows a cut, which another row of the last knot has brought */
    struct ref *ref;        /* [firstref, nref) rows that are not final; owned */
    size_t firstref, nref, maxref;
};

struct core;
struct filter_pass;
struct smooth_pass;
struct despike_pass;
struct warnings;

struct pass {
    /* Decides knots of a series. n: the knots before it are decided by the passes before; equal to series->n
     * where neither they nor core_advance hold a knot back. end: no more rows of the series come, and all n
     * are to be decided. Returns how many knots are decided now, at most n; if the series fails, n. */
    uint64_t (*run)(struct core *core, struct series *series, void *state, uint64_t n, bool end);
    void (*forget)(struct core *core, void *state); /* frees what the state of a series owns; NULL: nothing */
    void (*close)(struct core *core);               /* frees what the pass owns; NULL: nothing */
    /* Place of its state in the state of a group, zero-initialized. The state begins with a uint64_t: the
     * first knot that the pass still reads. */
    size_t place;
};

struct core {
    struct series_rows input; /* the input, its table, the settings, the units */
    const struct filter *filter;
    const void *settings; /* of the filter, checked */
    struct wanted_outputs wanted;
    size_t nchannel;
    bool joins;  /* rows have times: several rows can be a single knot */
    bool cleans; /* a pass replaces samples: goal is a separate array */
    bool waits;  /* knots may wait for later rows: where rows have times, the last one that misses a number
                    does */
    bool whole;  /* all rows wait for the end: blocks give back the room that they do not use */
    struct pass pass[CORE_PASSES];
    size_t npass;
    struct filter_pass *filter_pass;   /* NULL: the series is smoothed */
    size_t nextra, nmark;              /* columns of numbers and of bytes that passes keep of each knot */
    bool judges_gaps;                  /* gaps_pass.c is among the passes */
    size_t gap_marks;                  /* its first column of bytes: see knots_ends_run */
    struct smooth_pass *smooth_pass;   /* NULL: the filter goes from sample to sample */
    struct despike_pass *despike_pass; /* NULL: no spike is looked for */
    struct warnings *warnings;         /* owned by the caller; NULL: nothing is said */
    uint64_t nrow;                     /* rows so far */
    uint64_t ngap;                     /* missing samples so far */
    uint64_t ncut;                     /* cuts so far, given and found */
    bool timed;                        /* a pass reads the times of knots; else they are 0 */
    double hz;                         /* --resample; 0: not given */
    bool curves; /* its points lie on curves through results, else they are states of the filter: points.h */
    struct channel_count *count; /* [nchannel] owned by the caller */
    size_t place;                /* of the struct series in the state of a group */
    uint64_t end;                /* number of the first bad row of the input; UINT64_MAX: none */
    struct block *faulty;        /* the block that the call under way has cut short; or NULL */
};

/* Index of a knot in the arrays. */
static inline size_t knots_at(const struct knots *knots, uint64_t number)
{
    return (size_t)(number - knots->first);
}

/* Does the knot at index i miss a number of a unit? column: [nchannel] samples or goals. */
static inline bool unit_misses(const struct unit *unit, double *const *column, size_t i)
{
    for (size_t k = 0; k < unit->n; k++)
        if (isnan(column[unit->channel[k]][i]))
            return true;
    return false;
}

/* Does the last knot miss a number, which another row of its time may bring? */
static inline bool series_misses(const struct core *core, const struct series *series)
{
    const struct knots *knots = &series->knots;
    for (size_t c = 0; c < core->nchannel; c++)
        if (isnan(knots->x[c][knots->n - 1]))
            return true;
    return false;
}

/* Makes room for `more` knots after those held. */
bool knots_reserve(const struct core *core, struct knots *knots, size_t more, struct error *e);
void knots_free(struct knots *knots);

/* Removes the first n knots from the arrays. */
void knots_drop(const struct core *core, struct knots *knots, size_t n);

/* Takes the rows `from` to end - 1 of a series: rows at new times, and rows at the time of the row before. */
void knots_take_rows(struct core *core, struct series *series, struct block *block, size_t from, size_t end);

/* Gives the results of the knots before n to their rows. */
void knots_give(struct core *core, struct series *series, uint64_t n);

/* A column of bytes of the passes. */
static inline unsigned char *knots_mark(const struct knots *knots, size_t column)
{
    return knots->mark + column * knots->max;
}

/* Of a unit, by index in the arrays, where gaps are judged: 1: a run of the filter ends before the knot,
 * which is in a gap that is too long, or the first one after a gap that ends a run. */
static inline unsigned char *knots_ends_run(const struct core *core, const struct knots *knots, size_t unit)
{
    return knots_mark(knots, core->gap_marks + unit);
}

/* The number in the input, from 0, of the first row of a knot that is not final. */
uint64_t core_row(const struct series *series, uint64_t knot);

/* Ends the series, and the input before the first row of a knot with error *e, if no earlier row has ended
 * it. */
void core_fail(struct core *core, struct series *series, uint64_t knot, const struct error *e);

/* Is the cutoff a frequency that rows can show, by the median of the first steps that are there, at most
 * `most`? If not, the series fails before the first row without results. */
void core_check_cutoff(struct core *core, struct series *series, size_t most);

/* As core_fail, at a result of a channel that is too large for a double. */
void core_fail_too_large(struct core *core, struct series *series, uint64_t knot, size_t channel);

/* Keeps a record of n bytes with the first row of a knot that is not final, for the points of --resample
 * before it. */
void core_record(struct core *core, struct series *series, uint64_t knot, const void *record, size_t n);

/* Runs the passes over the knots of a series, and gives to its rows what is decided. end: no more rows come.
 */
void core_advance(struct core *core, struct series *series, bool end);

/* The stage of the core: takes rows whose groups, steps, cuts and masks are known. */
struct stage core_stage(struct core *core);

/* What the command line says; NaN: an option that is not given. */
struct core_config {
    struct series_rows input;
    const struct filter *filter;
    const void *settings;           /* of the filter, checked */
    struct derivatives derivatives; /* which outputs are wanted */
    double despike, detect, resample, lookahead;
    bool zero_phase;
    bool verbose;                /* say which cutoffs auto chose */
    struct channel_count *count; /* [nchannel] */
    struct warnings *warnings;   /* opened after core_open and closed by the caller; NULL: none */
    struct pool *pool;           /* threads that share the work on a stretch; NULL: the caller alone */
};

/* Lists the passes that the options need. *core is zero-initialized; core_close follows in any
 * case. What the config points to must outlive the core. False and *e: out of memory. */
bool core_open(struct core *core, const struct core_config *config, struct error *e);
void core_close(struct core *core);

/* --- the passes ---
 *
 * Each call appends a pass to core->pass. False and *e: out of memory. */

/* despike_pass.c, for --despike: goals of spikes become numbers on the curve through the knots around them,
 * or gaps, by the rule of whole/noise/spikes.h over the samples as they were read. */
bool despike_pass_open(struct core *core, double factor, struct error *e);

/* gaps_pass.c judges how long gaps are, where that matters. With --gaps linear it puts goals on the line
 * between the neighbours of a gap. gaps_pass_waits: it holds a gap until its length is known. */
bool gaps_pass_waits(const struct series_settings *settings);
void gaps_pass_open(struct core *core);

#endif
