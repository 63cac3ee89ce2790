/* The middle of a job: each group of --group-by is one series, and a few passes decide its samples.
 *
 * Rows of a group that share a time are one sample, a knot. Knots are numbered from 0 in each group. A pass
 * is a loop over the arrays of the knots that ends at the first knot that later rows may still change; the
 * header of its file says when a knot is decided. A row is final when the last pass has decided its knot; a
 * block leaves when none of its rows is pending.
 *
 * groups.c finds the series of each row. Two files know blocks: split.c finds what rows are, core_rows.c makes
 * knots of rows and gives results to rows. core.c runs the passes over one series. Passes know nothing of
 * blocks or groups, and of threads only smooth_pass.c does.
 *
 * Invariant: what a row prints depends on the rows of its group before it, and on the later rows that a pass
 * waits for; never on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_CORE_H
#define SPRUNG_SERIES_CORE_H

#include "series/groups.h"
#include "series/series.h"
#include "series/stage.h"

#include <math.h>

enum { CORE_PASSES = 3 };

/* Rows of a block that lie side by side, where results are printed. Row `row` + i is of knot `knot` + i. */
struct ref {
    struct block *block;
    uint64_t knot;
    size_t row, n;
};

/* Columns of numbers: column k begins at at[k * stride]. */
struct knot_columns {
    double *at;
    size_t stride;
};

/* Consecutive knots of a series: the arrays hold knot `first` at index 0. */
struct knots {
    uint64_t first;
    size_t n, max; /* knots in the arrays, and room */
    double *T;     /* [max] seconds since the knot before; 0: the first knot of the series. Owned, with the
                      other arrays */
    double *t;     /* [max] seconds since the first knot of the series */
    struct knot_columns x;     /* [nchannel] the samples; NaN: missing or masked */
    struct knot_columns goal;  /* [nchannel] the goals of the filter; x where no pass cleans */
    struct knot_columns out;   /* [nchannel * nwant] results, the wanted outputs of a channel side by side */
    struct knot_columns extra; /* [nextra] numbers of the passes with each knot */
    unsigned char *cut;        /* [max] 1: the knot follows a cut of the command line or of the cut column */
    unsigned char *mark;       /* [nmark][max] bytes of the passes with each knot */
};

/* One group. Zero-initialized, but for `group`. */
struct series {
    struct group group;
    unsigned char *state;   /* what the passes remember, zeroed at first; NULL: no row yet */
    uint64_t n;             /* knots so far */
    uint64_t given;         /* knots that are decided; their results are in the rows */
    struct timestamp first; /* time of the first knot */
    struct knots knots;     /* held; at least the last one */
    bool fresh;             /* has rows that the passes have not seen */
    struct series *next;    /* of several with such rows */
    bool failed;            /* core_fail has ended it: no pass runs any more */
    bool grows;             /* the last knot misses a number that another row of its time may bring */
    bool shares;            /* several rows share a knot */
    bool cut;               /* the next knot follows a cut, which another row of the last knot has brought */
    struct ref *ref;        /* [firstref, nref) rows that are not final; owned */
    size_t firstref, nref, maxref;
    char *record; /* [nrecord] owned; bytes from firstrecord on are the records of points: filter_pass.h */
    size_t firstrecord, nrecord, maxrecord;
};

struct core;
struct filter_pass;
struct smooth_pass;
struct spike_unit;
struct warnings;

struct pass {
    /* Decides knots of a series. n: the knots before it are decided by the passes before; equal to series->n
     * where neither they nor core_advance hold a knot back. end: no more rows of the series come, and all n
     * are to be decided. Returns how many knots are decided now, at most n. */
    uint64_t (*run)(struct core *core, struct series *series, void *state, uint64_t n, bool end);
    void (*forget)(struct core *core, void *state); /* frees what the state of a series owns; NULL: nothing */
    void (*close)(struct core *core);               /* frees what the pass owns; NULL: nothing */
    /* Place of its state in series.state. The state begins with a uint64_t: the first knot that the pass
     * still reads. */
    size_t place;
};

struct core {
    /* Set by the caller. What is pointed to must outlive the core. NaN: an option that is not given. */
    struct series_rows input; /* the input, its table, the settings, the units */
    const struct filter *filter;
    const void *settings;           /* of the filter, checked */
    struct derivatives derivatives; /* which outputs are wanted */
    double despike, detect, lookahead;
    double hz;                   /* --resample; 0: not given */
    bool zero_phase;             /* the series is smoothed; false: the filter goes from sample to sample */
    bool verbose;                /* say which cutoffs and cuts were found */
    struct channel_count *count; /* [nchannel] */
    struct warnings *warnings;   /* opened after core_open and closed by the caller; NULL: nothing is said */
    struct pool *pool;           /* threads that share the work on a stretch; NULL: the caller alone */

    /* Set by core_open. */
    struct wanted_outputs wanted;
    size_t nchannel;
    bool ahead;  /* the filter takes a sample when the next one is known */
    bool joins;  /* rows have times: several rows can be a single knot */
    bool cleans; /* a pass replaces samples: goal is a separate array */
    bool waits;  /* knots may wait for later rows; where rows have times, so does a last one that misses a
                    number */
    bool whole;  /* all rows wait for the end: blocks give back the room that they do not use */
    bool timed;  /* a pass reads knots.t, the times; else they are 0 */
    bool curves; /* points of --resample lie on curves through results (grid.c), else they are states */
    struct pass pass[CORE_PASSES];
    size_t npass;
    struct filter_pass *filter_pass; /* NULL: the series is smoothed */
    struct smooth_pass *smooth_pass; /* NULL: the filter goes from sample to sample */
    struct spike_unit *spike_unit;   /* [units.n] of despike_pass.c; NULL: no spike is looked for */
    size_t nextra, nmark;            /* columns of numbers and of bytes that passes keep of each knot */
    bool judges_gaps;                /* gaps_pass.c is among the passes */
    size_t gap_marks;                /* its first column of bytes: see knots_ends_run */
    size_t nstate;                   /* bytes that the passes remember of a series */

    enum held *held;   /* [nchannel] for split.c; owned with `wanted` */
    uint64_t left_out; /* rows that split.c has left out */

    uint64_t nrow;        /* rows so far */
    uint64_t ngap;        /* missing samples so far */
    uint64_t ncut;        /* cuts so far, given and found */
    uint64_t end;         /* number of the first bad row of the input; UINT64_MAX: none */
    struct block *faulty; /* the block that the call under way has cut short; or NULL */
};

/* Lists the passes that the options need. core_close follows in any case. False and *e: out of memory. */
bool core_open(struct core *core, struct error *e);
void core_close(struct core *core);

/* Appends a pass with `size` bytes of state. */
void core_add_pass(struct core *core, struct pass pass, size_t size);

/* Runs the passes over the knots of a series, and gives to its rows what is decided. end: no more rows come.
 */
void core_advance(struct core *core, struct series *series, bool end);

/* Takes the results of the knots before n: counts gaps and cuts, and ends the series at a result that is too
 * large for a double. A last knot that may still get a number is not counted yet. */
void core_settle(struct core *core, struct series *series, uint64_t n);

/* Is the cutoff a frequency that rows can show, by the median of the first steps that are there, at most
 * `most`? If not, the series fails before the first row without results. */
enum { CORE_RATE_STEPS = 4096 };
void core_check_cutoff(struct core *core, struct series *series, size_t most);

/* Frees what the passes own in the state of a series. */
void core_forget(struct core *core, unsigned char *state);

/* --- rows and knots: core_rows.c --- */

/* split.c: finds groups, steps, cuts and masks of the rows of a block. False: a bad row cuts it short. */
bool core_split(struct core *core, struct block *block);

/* The stage of the core, for an opened core. */
struct stage core_stage(struct core *core);

/* The series of a row. */
static inline struct series *core_series(const struct core *core, const struct block *block, size_t row)
{
    return (struct series *)(block->grouped ? block->group[row] : core->input.groups->at[0]);
}

/* Gives the results of the knots before n to their rows. */
void core_give(struct core *core, struct series *series, uint64_t n);

/* The number in the input, from 0, of the first row of a knot that is not final. */
uint64_t core_row(const struct series *series, uint64_t knot);

/* Ends the series, and the input before the first row of a knot with error *e, if no earlier row has ended
 * it. */
void core_fail(struct core *core, struct series *series, uint64_t knot, const struct error *e);

/* --- arrays of knots --- */

/* Makes room for `more` knots after those held. */
bool knots_reserve(const struct core *core, struct knots *knots, size_t more, struct error *e);
void knots_free(struct knots *knots);

/* Copies n numbers of each column. n is 1 where rows of groups alternate. */
static inline void knots_copy(struct knot_columns to, struct knot_columns from, size_t ncolumn, size_t n)
{
    for (size_t k = 0; k < ncolumn; k++)
        if (n == 1)
            to.at[k * to.stride] = from.at[k * from.stride];
        else
            memcpy(to.at + k * to.stride, from.at + k * from.stride, n * sizeof *to.at);
}

/* Column k. */
static inline double *knots_column(struct knot_columns columns, size_t k)
{
    return columns.at + k * columns.stride;
}

/* The columns from index i on. */
static inline struct knot_columns knots_from(struct knot_columns columns, size_t i)
{
    return (struct knot_columns){ columns.at + i, columns.stride };
}

/* Index of a knot in the arrays. */
static inline size_t knots_at(const struct knots *knots, uint64_t number)
{
    return (size_t)(number - knots->first);
}

/* Are n numbers of a column finite? n is 1 where rows of groups alternate. */
static inline bool knots_are_finite(const double *column, size_t n)
{
    return n == 1 ? isfinite(*column) : array_is_finite(column, n);
}

/* Reads the numbers of a unit at index i. columns: samples or goals. False: one is missing. */
static inline bool unit_read(const struct unit *unit, struct knot_columns columns, size_t i, double number[4])
{
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        number[k] = knots_column(columns, unit->channel[k])[i];
        known = known && !isnan(number[k]);
    }
    return known;
}

/* Does the knot at index i miss a number of a unit? */
static inline bool unit_misses(const struct unit *unit, struct knot_columns columns, size_t i)
{
    double number[4];
    return !unit_read(unit, columns, i, number);
}

/* Does the last knot miss a number, which another row of its time may bring? */
static inline bool series_misses(const struct core *core, const struct series *series)
{
    const struct knots *knots = &series->knots;
    for (size_t c = 0; c < core->nchannel; c++)
        if (isnan(knots_column(knots->x, c)[knots->n - 1]))
            return true;
    return false;
}

/* A column of bytes of the passes. */
static inline unsigned char *knots_mark(const struct knots *knots, size_t column)
{
    return knots->mark + column * knots->max;
}

/* Of a unit, by index in the arrays: 1: a run of the filter ends before the knot, which is in a gap that is
 * too long, or the first one after a gap that ends a run. NULL: no gap is judged. */
static inline unsigned char *knots_ends_run(const struct core *core, const struct knots *knots, size_t unit)
{
    return core->judges_gaps ? knots_mark(knots, core->gap_marks + unit) : NULL;
}

/* --- the passes --- */

/* despike_pass.c, for --despike. False and *e: out of memory. */
bool despike_pass_open(struct core *core, struct error *e);

/* gaps_pass.c. gaps_pass_waits: the pass holds a gap until its length is known. */
bool gaps_pass_waits(const struct series_settings *settings);
void gaps_pass_open(struct core *core);

#endif
