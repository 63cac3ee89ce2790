/* What the files of series/ share with each other.
 * Invariants: a time step is the exact difference of two times as they are written, rounded once; the results
 * for a row depend on the earlier rows of its group, and with look-ahead on the next row; a channel without
 * flags is filtered straight from the block's column into the block's out column. */
#ifndef SPRUNG_SERIES_CHUNK_H
#define SPRUNG_SERIES_CHUNK_H

#include "series/groups.h"
#include "series/series.h"
#include "springs/coefficients.h"

enum {
    CHUNK_ROWS = 512,           /* rows filtered at once */
    CHUNK_DOUBLES = 128 * 1024, /* in all arrays of a chunk, unless a few rows take more */
    CHUNK_FADE = 512,           /* rows of a group after which state that has faded is set to 0 */
    LAST_FADING = 31,           /* the last bit of filter.fading, which stands for all further doubles */
    WARNINGS_ROWS = 8,          /* number of first rows that warnings go by */
    WATCHED_GROUPS = 1000       /* number of first groups that are looked at for angles that wrap */
};

struct steps {
    double *T;                /* [maxrow] seconds since the previous row; one allocation with set, owned */
    struct coefficients *set; /* [overrides->n] for each of the different settings; NULL: rows are held */
};

/* Rows of a group that are filtered at once: the row that waited, if any, then new rows of a block. */
struct chunk {
    struct block *block; /* of the new rows */
    const size_t *index; /* numbers of the group's rows in the block; NULL: all rows of the block */
    size_t first;        /* the first new row: index[first], or row `first` of the block */
    size_t nheld;        /* 1 if a row waited, else 0 */
    size_t n;    /* all rows of the chunk: nheld, the new rows, including a last row that may have to wait */
    size_t nrun; /* rows that are decided now */
    bool direct; /* the columns of the block are used in place */
};

/* The number of new row j in the block. */
static inline size_t new_row(const struct chunk *chunk, size_t j)
{
    return chunk->index ? chunk->index[chunk->first + j] : chunk->first + j;
}

/* The targets of each channel in the rows of a chunk, without gaps, and what is special about each row. */
struct row_flags {
    double *goal;       /* [nchannel * maxrow] targets of the channels that have flags */
    unsigned char *own; /* [nchannel * maxrow] flags of the channels that have flags, enum row_flag */
    double *turns;      /* [nchannel * maxrow] periods that were added to each angle */
    double *velocity;   /* [nchannel * maxrow] measured velocities */
    unsigned char *cut; /* [maxrow] 1 where the row follows a cut of the command line or of the cut column */

    unsigned char **flags; /* [nchannel] pointer into own; NULL: all flags of the channel are 0 */
    bool *missing; /* [nchannel] every row of the channel has FLAG_GAP, no row has another flag, and all
                      targets are equal */
    const double **goal_at;     /* [nchannel] the channel's targets: pointer into goal, or into the block */
    const double **velocity_at; /* [nchannel] pointer into velocity; NULL: the velocity is not measured */
};

/* Where the outputs of a chunk go. */
struct chunk_outputs {
    size_t nwant; /* number of wanted outputs of a channel */
    size_t *want; /* [nwant] number of the wanted output among the filter's outputs */
    bool *prints; /* [nwant] is the output printed? Only printed outputs must be finite */
    double *own;  /* [nchannel * nwant * maxrow] outputs, where the block's columns cannot be used in place */
    double *scratch; /* [maxrow] takes the outputs that are not wanted */
    double **at;     /* [nchannel * nout] where each output of the filter goes */
    double *state;   /* [nstate] state of a channel before a row that may change nothing */
    bool *rests;     /* [nchannel] the channel is at rest all through the chunk: the outputs of all rows
                        are those of row 0, and row 0 alone is set */
    double *start;   /* [nchannel] start positions */
    double *start_velocity; /* [nchannel] initial velocities, of --start-velocity V */
};

/* Of each kind of note but the first, a series shows only the first one. */
enum note_kind { NOTE_EACH, NOTE_DIVERGES, NOTE_WRAPS, NOTE_KINDS };

/* A message about a row. */
struct note {
    uint64_t row; /* number of the row that the message is about */
    uint64_t by;  /* number of the row that must be known before the message is shown */
    enum note_kind kind;
    struct messages text;
};

/* What warnings go by. */
struct warnings {
    unsigned nstep;           /* number of steps of the eldest group that were measured */
    double shortest, longest; /* among the measured steps, seconds */
    double *first;            /* [nrow * nchannel] values of the first rows; room for WARNINGS_ROWS rows */
    size_t nrow;
    struct note *note; /* [nnote] messages about the block under way, ascending by `by` */
    size_t nnote, maxnote;
    uint64_t ngroup;        /* groups so far */
    bool shown[NOTE_KINDS]; /* a note of this kind was shown */
    bool *may_wrap;         /* [nchannel] the channel is filtered as a number, and can be an angle */
    uint64_t
        *wrapped; /* [nchannel] number of the first row at which the channel wraps; UINT64_MAX: none so far */
};

struct series;

/* An option whose values come from a column. */
struct parameter {
    const struct param *param;
    size_t set;    /* number of the settings that have the option so */
    size_t column; /* of the table */
};

struct parameters {
    struct parameter *at; /* [n], owned */
    size_t n;
};

/* The channels that the rows of a group in the block under way can change; see row_flags.c. */
struct busy {
    size_t *channel; /* [n] ascending; owned */
    size_t n;
    bool passes_over; /* idle channels are looked for; false: all channels are busy */
};

/* When rows are filtered. */
struct series_mode {
    bool holds; /* rows are held until no more come */
    /* Makes the mode's own memory, series->own, in one allocation. NULL: the mode has none. */
    bool (*open)(struct series *series, struct error *e);
    /* Takes the rows of a chunk, whose steps are in series->steps.T. False: the series has ended in it. */
    bool (*take)(struct series *series, struct group *group, const struct chunk *chunk);
    /* No more rows come: decides all pending rows. */
    void (*finish)(struct series *series);
    /* No more rows of a group come: decides the group's pending rows. NULL: --forget is refused. */
    void (*finish_group)(struct series *series, struct group *group);
    size_t group_bytes;              /* size of the mode's own memory in group.extra */
    void (*free_group)(void *extra); /* frees what the mode's memory owns; NULL: nothing */
};
extern const struct series_mode series_streamed; /* chunk.c: rows are filtered as they come */
extern const struct series_mode series_held;     /* whole_series.c: rows are filtered when all are there */

/* For --verbose: the time steps that a filter took. Zeroed: none so far. */
struct steps_taken {
    double shortest, longest; /* seconds */
    bool any;                 /* a step was taken */
    bool moving; /* the goal moved in some of the steps where --hold was not given: with --zero-phase in
                    uneven steps */
};

/* Adds steps between shortest and longest, seconds, > 0. */
static inline void steps_taken_add(struct steps_taken *taken, double shortest, double longest)
{
    taken->shortest = taken->any ? fmin(taken->shortest, shortest) : shortest;
    taken->longest = taken->any ? fmax(taken->longest, longest) : longest;
    taken->any = true;
}

struct series {
    struct series_config config;
    struct steps_taken taken; /* with --verbose */
    const struct series_mode *mode;
    void *own; /* memory of the mode, made by mode->open, owned; NULL: the mode has none */
    struct shape shape;
    size_t nchannel;
    size_t maxrow; /* most rows in a chunk, including a row that waited */
    bool ahead;    /* each row waits for the next row of its group */
    struct series_count count;
    struct groups groups;
    struct steps steps;
    struct parameters parameters;
    struct row_flags flags;
    struct chunk_outputs out;
    struct busy busy;
    struct warnings warnings;
    uint64_t end; /* number of the first bad row; UINT64_MAX: no row is bad */
    struct block
        *faulty; /* the block that the call under way returns: cut short at a bad row; NULL: no bad row */
};

/* Is the channel left out? */
static inline bool series_leaves(const struct series *series, size_t channel)
{
    return series->config.left_out && series->config.left_out[channel];
}

/* Row p of a chunk of a group. */
static inline struct spot chunk_row(const struct group *group, const struct chunk *chunk, size_t p)
{
    return p < chunk->nheld ? group->held : (struct spot){ chunk->block, new_row(chunk, p - chunk->nheld) };
}

/* The targets of a number (one channel) or of a rotation (its channels) in row p. */
static inline void chunk_targets(const struct series *series, const struct unit *unit, size_t p,
                                 double target[4])
{
    for (size_t i = 0; i < unit->nchannel; i++)
        target[i] = series->flags.goal_at[unit->channel[i]][p];
}

/* Ends the series before row `from` with error *e of row `at`; an error of the data gets the line of row
 * `at`. Of several errors the error of the first row counts, in whatever order errors are found. Returns
 * false. */
bool series_fail(struct series *series, struct spot from, struct spot at, const struct error *e);

/* The time of new row j. */
static inline struct timestamp steps_time(const struct series *series, const struct group *group,
                                          const struct chunk *chunk, size_t j)
{
    return series_time(&series->config.in, chunk->block, new_row(chunk, j), group->nseen + j);
}

/* parameters.c: parameters_open finds the columns, before steps_open. */
bool parameters_open(struct series *series, struct error *e);
void parameters_close(struct series *series);

/* Bytes that parameters_take needs in group.extra, behind those of the mode. */
size_t parameters_group_bytes(const struct series *series);

/* After steps_take: makes the settings of each row (coefficients.row_settings). A missing value is the last
 * one of the group. Where a value is out of range the series and the chunk end: false. */
bool parameters_take(struct series *series, struct group *group, struct chunk *chunk);

/* Sets the steps of the new rows; the group's first step is 0. Where time goes backward the series and the
 * chunk end: false. */
bool steps_take(struct series *series, const struct group *group, struct chunk *chunk);

/* How many of the first of n steps must be looked at to know all n: with a rate only the first two may differ
 * from the last. */
static inline size_t steps_distinct(const struct series *series, size_t n)
{
    return series->config.in.rate != 0 && n > 3 ? 3 : n;
}

/* Make the arrays of a series. Each close function may be called also where the open function was not, or
 * failed. */
bool steps_open(struct series *series, struct error *e);
void steps_close(struct series *series);
bool row_flags_open(struct series *series, struct error *e);
void row_flags_close(struct series *series);
bool idle_open(struct series *series, struct error *e);
void idle_close(struct series *series);
bool chunk_outputs_open(struct series *series, struct error *e);
void chunk_outputs_close(struct series *series);
bool warnings_open(struct series *series, struct error *e);
void warnings_close(struct series *series);

/* Number of words that group.idle needs. */
size_t idle_words(const struct series *series);

/* Before the rows of a group in a block: chooses series->busy. No channel that has cells in the block is idle
 * from now on. */
void idle_choose(struct series *series, struct group *group, const struct block *block);

/* After a chunk: notes which busy channels of the group have become idle. */
void idle_find(struct series *series, struct group *group, const struct block *block);

/* Is the channel not filtered as a number: left out, a component of a rotation, or of a vector whose
 * components run together? */
bool chunk_apart(const struct series *series, size_t c);

/* Sets the targets and flags of the busy channels in a chunk. With look-ahead the last row of the chunk is
 * kept for the next chunk. */
void row_flags_prepare(struct series *series, struct group *group, const struct chunk *chunk);

/* --detect-cuts: sets FLAG_CUT in the rows after a jump, among the chunk->nrun rows that are decided now. */
void detect_cuts(struct series *series, struct group *group, const struct unit *unit,
                 const struct chunk *chunk);

/* Are all n numbers finite? */
bool row_flags_finite(const double *x, size_t n);

/* Are the values of all new rows of the chunk missing? column: the numbers of a column of the chunk's block.
 */
static inline bool chunk_lacks(const struct chunk *chunk, const double *column)
{
    size_t n = chunk->n - chunk->nheld, j = 0;
    const double *x = column + chunk->first;
    for (; !chunk->index && j + 4 <= n; j += 4)
        if ((!isnan(x[j])) | (!isnan(x[j + 1])) | (!isnan(x[j + 2])) | (!isnan(x[j + 3])))
            return false;
    for (; j < n; j++)
        if (!isnan(column[new_row(chunk, j)]))
            return false;
    return true;
}

/* warnings.c: makes a note about `row` that is shown when row `by` has been taken, and returns its messages;
 * NULL: memory is out. The notes of a block are shown when all its groups are taken, so that their order does
 * not depend on where blocks end. */
struct messages *warnings_note(struct series *series, struct spot row, struct spot by, enum note_kind kind);

/* column_warnings.c: columns that hold something else than what they are filtered as. column_warnings_take
 * looks at the values of a group's new rows; column_warnings_of_first says what the first rows show, which
 * are in series->warnings.first; column_warnings_finish names all channels that wrap. */
bool column_warnings_open(struct series *series, struct error *e);
void column_warnings_close(struct series *series);
void column_warnings_take(struct series *series, struct group *group, const struct chunk *chunk);
void column_warnings_of_first(struct series *series, struct messages *to);
void column_warnings_finish(struct series *series);

/* Look at the steps of a group's new rows; at a group whose first row in the block under way is `first`; at
 * the first rows. warnings_finish gives the warnings of series that are shorter than the first rows. */
void warnings_take_steps(struct series *series, const struct group *group, const struct chunk *chunk);
void warnings_take_group(struct series *series, const struct group *group, struct spot first);
void warnings_take_rows(struct series *series, struct block *block);
void warnings_finish(struct series *series);
#endif
