/* The state of a series, for the files of series/ alone. Two operators filter: one filters rows as they come
 * (streamed.h), the other smooths a row when enough rows have come behind it (whole_series.c). Both share
 * this state. Invariant: a time step is the exact difference of two times as they are written, rounded once.
 */
#ifndef SPRUNG_SERIES_SERIES_STATE_H
#define SPRUNG_SERIES_SERIES_STATE_H

#include "rows/units.h"
#include "series/operator.h"
#include "series/series.h"
#include "whole/jumps.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/count.h"

enum {
    CHUNK_ROWS = 512,            /* most rows that are filtered at once */
    CHUNK_DOUBLES = 128 * 1024,  /* in all arrays of a chunk, unless a few rows take more */
    WARNINGS_ROWS = COUNT_LEAST, /* number of first rows that warnings go by */
    WATCHED_GROUPS = 1000        /* number of first groups that are looked at for angles that wrap */
};

/* --detect-cuts, for one channel, or for a rotation or a vector in the state of its first channel. */
struct detect {
    struct jumps jumps;
    double before[4];  /* targets of the previous row, if before_known */
    bool before_known; /* the previous row had values */
};

/* A channel of one group. */
struct channel {
    double goal;                 /* last valid target */
    struct gap_state gaps;       /* up to the last row */
    double waiting_goal;         /* target in the row that waits */
    double waiting_turns;        /* periods that were added to the angle in the row that waits */
    struct unwrap unwrap;        /* of an angle */
    unsigned char waiting_flags; /* enum row_flag of the row that waits */
};

/* A rotation of one group. */
struct group_rotation {
    double part[4];  /* numbers of the last valid target, as unit_follow leaves them */
    double print[4]; /* numbers that were printed last */
    struct rotation_state state;
};

/* What a filter remembers of a group, in the state of the group. Zeroed before the group's first row, except
 * for the pointers, which series_group sets. */
struct filter_group {
    const struct group *group;        /* NULL: the filter has not taken a row of the group */
    uint64_t nseen;                   /* rows so far */
    struct timestamp last;            /* time of the last row */
    const struct operator_rows *rows; /* which rows are final */
    double waiting_T;                 /* seconds of the step into the row that waits */
    struct channel *channel;          /* [nchannel] */
    struct detect *detect;            /* [nchannel] with --detect-cuts; else [0] */
    struct group_rotation *rotation;  /* [nrotation] */
    double *state;                    /* [nchannel * nstate] */
    double *last_out; /* [nchannel * nwant] outputs of the last row, also where the row is a gap */
    void *own;        /* [series.nown] bytes of the operator */
};

/* Where the parts of a struct filter_group lie in the state of a group. */
struct filter_group_places {
    size_t self, channel, detect, rotation, state, last_out, own;
};

/* Rows of a group that are taken at once: the row that waited, if any, then new rows of a block. */
struct chunk {
    struct block *block; /* of the new rows */
    const size_t *index; /* [n - nwaiting] numbers of the new rows in the block; NULL: rows side by side */
    size_t first;        /* number of the first new row in the block */
    size_t nwaiting;     /* 1 if a row waited, else 0; 0 with --zero-phase */
    size_t n; /* all rows of the chunk: nwaiting, the new rows, including a last row that may have to wait */

    /* Without --zero-phase. */
    size_t nrun; /* rows that are decided now */
    bool direct; /* the columns of the block are used in place */
};

/* The new rows of a group from number `from` on, as many as there are. */
static inline struct chunk chunk_from(const struct group_rows *rows, size_t from)
{
    const size_t *index = rows->index ? rows->index + from : NULL;
    return (struct chunk){ .block = rows->block,
                           .index = index,
                           .first = index ? *index : rows->first + from,
                           .n = rows->n - from };
}

/* The number of new row j in the block. */
static inline size_t new_row(const struct chunk *chunk, size_t j)
{
    return chunk->index ? chunk->index[j] : chunk->first + j;
}

/* A series shows only the first note of each kind, except the first kind. */
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
    unsigned nstep;           /* number of steps of the first group that were measured */
    double shortest, longest; /* among the measured steps, seconds */
    double *first; /* [nrow * nchannel] values of the first rows; room for WARNINGS_ROWS rows; owned */
    size_t nrow;
    struct note *note; /* [nnote] messages about the block under way, ascending by `by` */
    size_t nnote, maxnote;
    struct time_watch *times;  /* NULL: the times are not looked at; owned */
    struct angle_watch *watch; /* [nwatch] of each channel in the first groups; owned */
    size_t nwatch, maxwatch;
    bool shown[NOTE_KINDS]; /* a note of this kind was shown */
    bool *may_wrap;         /* [nchannel] the channel is filtered as a number, and can be an angle */
    uint64_t *wrapped;      /* [nchannel] number of the first row at which the channel wraps; UINT64_MAX: the
                               channel has not wrapped. Owned, with may_wrap in the same allocation */
};

struct series;

/* The two operators. Each of the functions makes series->own, and sets series->nown and
 * series->operator.ahead, which is false before. */
extern const struct operator_kind series_streamed; /* streamed.c */
extern const struct operator_kind series_smoothed; /* held/whole_series.c */
bool streamed_open(struct series *series, struct error *e);
bool smoothed_open(struct series *series, struct error *e);

/* For --verbose: the time steps that a filter took. Zeroed: no steps so far. */
struct steps_taken {
    double shortest, longest; /* seconds */
    bool any;                 /* a step was taken */
    double sum;               /* seconds of the steps of rows that were filtered as they came */
    uint64_t n;               /* number of steps in sum */
};

/* Adds steps between shortest and longest, seconds, > 0. */
static inline void steps_taken_add(struct steps_taken *taken, double shortest, double longest)
{
    taken->shortest = taken->any ? fmin(taken->shortest, shortest) : shortest;
    taken->longest = taken->any ? fmax(taken->longest, longest) : longest;
    taken->any = true;
}

struct series {
    struct operator operator;
    struct series_config config;
    struct steps_taken taken; /* with --verbose */
    void *own;                /* a struct streamed, or a struct filtering of held/whole_series.c; owned */
    struct shape shape;
    size_t nchannel;
    size_t maxrow;   /* most rows in a chunk, with the row that waited */
    const double *T; /* [maxrow] of each row of the chunk under way: seconds since the previous row; steps of
                        the block in place, or own_T */
    double *own_T;   /* [maxrow] owned */
    struct wanted_outputs wanted;
    struct series_count count;
    struct filter_group_places places;
    size_t nown; /* further bytes of each group, for the operator alone */
    struct warnings warnings;
};

static inline struct series *series_of(struct operator* operator)
{
    return (struct series *)operator;
}

/* Does the filter go from row to row? False: it smooths. */
static inline bool series_has_steps(const struct series *series)
{
    return series->operator.kind->steps;
}

/* The time of new row j. */
static inline struct timestamp steps_time(const struct series *series, const struct filter_group *group,
                                          const struct chunk *chunk, size_t j)
{
    return series_time(&series->config.in, chunk->block, new_row(chunk, j), group->nseen + j);
}

/* The error of a result of channel c that does not fit a double, with what helps. */
void series_too_large(const struct series *series, size_t c, struct error *e);

/* Notes that the new rows of a chunk, at least one, have been taken, after everything else. */
void series_pass(const struct series *series, struct filter_group *group, const struct chunk *chunk);

/* What the filter remembers of a group. */
struct filter_group *series_group(const struct series *series, const struct group *group);

/* What both operators do in the same way. series_prepare counts the rows of a block;
 * series_begin_group looks at a group before the operator takes its rows; series_show_warnings shows the
 * warnings of a block, series_finish_warnings those that are left at the end. series_free frees all but
 * series->own. */
void series_prepare(struct series *series, struct block *block);
struct filter_group *series_begin_group(struct series *series, const struct group_rows *rows);
void series_show_warnings(struct operator* operator, struct block * block);
void series_finish_warnings(struct operator* operator);
void series_free(struct series *series);

/* Makes series->own_T. steps_close may be called also where steps_open was not, or failed. */
bool steps_open(struct series *series, struct error *e);
void steps_close(struct series *series);

/* Sets series->T to the steps of a chunk. */
void steps_take(struct series *series, const struct filter_group *group, const struct chunk *chunk);

/* How many of the first of n steps must be looked at to know all n: with a rate only the first two may differ
 * from the last. */
static inline size_t steps_distinct(const struct series *series, size_t n)
{
    return series->config.in.rate != 0 && n > 3 ? 3 : n;
}

/* warnings.c: makes a note about `row` that is shown when row `by` has been taken, and returns its messages;
 * NULL: out of memory. The notes of a block are shown when all its groups are taken, so that their order does
 * not depend on where blocks end. */
struct messages *warnings_note(struct series *series, struct spot row, struct spot by, enum note_kind kind);

/* column_warnings.c: columns that hold something else than what they are filtered as. column_warnings_take
 * looks at the values of a group's new rows; column_warnings_of_first says what the first rows show, which
 * are in series->warnings.first; column_warnings_finish names all channels that wrap. */
bool column_warnings_open(struct series *series, struct error *e);
void column_warnings_close(struct series *series);
void column_warnings_take(struct series *series, const struct filter_group *group, const struct chunk *chunk);
void column_warnings_of_first(struct series *series, struct messages *to);
void column_warnings_finish(struct series *series);

/* Look at a group's new rows, whose steps are in series->T; at the first rows. warnings_finish gives the warnings of series that are shorter than the first
 * rows. */
bool warnings_open(struct series *series, struct error *e);
void warnings_close(struct series *series);
void warnings_take_chunk(struct series *series, const struct filter_group *group, const struct chunk *chunk);
void warnings_take_rows(struct series *series, struct block *block);
void warnings_finish(struct series *series);
#endif
