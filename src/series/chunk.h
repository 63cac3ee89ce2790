/* What the files of series/ share with each other.
 * Invariants: a time step is the exact difference of two times as they are written, rounded once; what is
 * found for a row depends on the rows before it in its group, and with look-ahead on the one after it; a
 * channel without flags is filtered straight from the block's column into its out column. */
#ifndef SPRUNG_SERIES_CHUNK_H
#define SPRUNG_SERIES_CHUNK_H

#include "series/groups.h"
#include "series/series.h"
#include "springs/coefficients.h"

enum {
    CHUNK_ROWS = 512,           /* rows filtered at once */
    CHUNK_DOUBLES = 128 * 1024, /* in all arrays of a chunk, unless a few rows take more */
    CHUNK_FADE = 512,           /* rows of a group after which what has faded is dropped */
    WARNINGS_ROWS = 8           /* first rows that are looked at for warnings */
};

struct steps {
    double *T;                /* [maxrow] seconds since the row before; owned, with set */
    struct coefficients *set; /* [overrides->n] of the channels that share settings; NULL: rows are held */
};

/* Rows of a group that are filtered at once: one that waited, if any, then new ones of a block. */
struct chunk {
    struct block *block; /* of the new ones */
    const size_t *index; /* the group's rows in it; NULL: all */
    size_t first;        /* the first of these in the chunk */
    size_t nheld;        /* 0 or 1 rows that waited */
    size_t n;            /* rows in all, with a last one that may have to wait */
    size_t nrun;         /* rows decided now */
    bool direct;         /* block columns are used in place */
};

/* Where new row j stands in the block. */
static inline size_t new_row(const struct chunk *w, size_t j)
{
    return w->index ? w->index[w->first + j] : w->first + j;
}

/* The targets of each channel in the rows of a chunk, without gaps, and what is special about each row. */
struct row_flags {
    double *goal;       /* [nchannel * maxrow] targets of channels with flags */
    unsigned char *own; /* [nchannel * maxrow] their flags, enum row_flag */
    double *turns;      /* [nchannel * maxrow] periods added to each angle */
    double *velocity;   /* [nchannel * maxrow] measured velocities */
    unsigned char *cut; /* [maxrow] */

    unsigned char **flags;      /* [nchannel] each channel's; NULL: it has none */
    const double **goal_at;     /* [nchannel] where each channel's targets are: above, or in the block */
    const double **velocity_at; /* NULL: the channel's velocities are not measured */
};

/* Where the outputs of a chunk go. */
struct chunk_outputs {
    size_t nwant;    /* wanted outputs of a channel */
    size_t *want;    /* [nwant] which output of the filter each is */
    bool *prints;    /* [nwant] is it printed? What is not need not be finite */
    double *own;     /* [nchannel * nwant * maxrow] */
    double *scratch; /* [maxrow] outputs that nothing wants */
    double **at;     /* [nchannel * nout] */
    double *start;   /* [nchannel] start positions */
};

/* What is said of a row, when the row `by` is known. */
struct note {
    uint64_t row, by;
    bool once; /* of such notes only the first is said */
    struct messages text;
};

/* What is found for warnings. */
struct warnings {
    const struct group *group; /* that of the first row; its first steps count */
    unsigned nstep;
    double shortest, longest;
    double *first; /* [WARNINGS_ROWS * nchannel] the first rows */
    size_t nrow;
    struct note *note; /* [nnote] of the block under way, in order of by */
    size_t nnote, maxnote;
    bool diverged; /* it was said that the filter diverges */
};

struct series;

/* When rows are filtered. */
struct series_mode {
    bool holds; /* rows are held until no more come */
    /* Takes the rows of a chunk, whose steps are in s->steps.T. False: the series has ended in it. */
    bool (*take)(struct series *s, struct group *g, const struct chunk *w);
    /* No more rows come: decides all that is pending. */
    void (*finish)(struct series *s);
    size_t group_bytes;              /* what the mode keeps in a group's extra */
    void (*free_group)(void *extra); /* frees what that owns; NULL: nothing */
};
extern const struct series_mode series_streamed; /* chunk.c: as they come */
extern const struct series_mode series_held;     /* whole_series.c: when all are there */

struct series {
    struct series_config c;
    const struct series_mode *mode;
    struct shape shape;
    size_t nchannel, maxrow; /* maxrow: rows in a chunk, one of which may have waited */
    bool ahead;              /* rows wait for the one after them */
    struct series_count count;
    struct groups groups;
    struct steps steps;
    struct row_flags flags;
    struct chunk_outputs out;
    struct warnings warnings;
    uint64_t end;         /* number of the first row that is bad */
    struct block *faulty; /* what the call under way has found, as series_take gives it */
};

/* Is the channel left out? */
static inline bool series_leaves(const struct series *s, size_t channel)
{
    return s->c.left_out && s->c.left_out[channel];
}

/* Row p of a chunk of a group. */
static inline struct spot chunk_row(const struct group *g, const struct chunk *w, size_t p)
{
    return p < w->nheld ? g->held : (struct spot){ w->block, new_row(w, p - w->nheld) };
}

/* The targets of a channel, or of those of a rotation, in row p. */
static inline void chunk_targets(const struct series *s, const struct unit *u, size_t p, double target[4])
{
    for (size_t i = 0; i < u->nchannel; i++)
        target[i] = s->flags.goal_at[u->channel[i]][p];
}

/* Ends the series before row `from`, by an error of row `at`, which is placed there if it is one of the data.
 * Of several the one of the first row counts, in whatever order they are found. Returns false. */
bool series_fail(struct series *s, struct spot from, struct spot at, const struct error *e);

/* The time of new row j. */
static inline struct timestamp steps_time(const struct series *s, const struct group *g,
                                          const struct chunk *w, size_t j)
{
    return series_time(&s->c.in, w->block, new_row(w, j), g->nseen + j);
}

/* Sets the steps of the new rows; the group's first step is 0. Where time goes backward the series and the
 * chunk end: false. */
bool steps_take(struct series *s, const struct group *g, struct chunk *w);

/* How many of n steps one has to look at to know all: with a rate only the first two may differ from the
 * last. */
static inline size_t steps_distinct(const struct series *s, size_t n)
{
    return s->c.in.rate != 0 && n > 3 ? 3 : n;
}

/* Makes the arrays of a series; each is freed by its own function, also where it was not made. */
bool steps_open(struct series *s, struct error *e);
void steps_close(struct series *s);
bool row_flags_open(struct series *s, struct error *e);
void row_flags_close(struct series *s);
bool chunk_outputs_open(struct series *s, struct error *e);
void chunk_outputs_close(struct series *s);
bool warnings_open(struct series *s, struct error *e);
void warnings_close(struct series *s);

/* Finds or makes the targets of every channel in a chunk, and its flags. With look-ahead the last row of the
 * chunk is kept for the next one. */
void row_flags_prepare(struct series *s, struct group *g, const struct chunk *w);

/* --detect-cuts: flags those of the rows that are decided now which are after a jump. */
void detect_cuts(struct series *s, struct group *g, const struct unit *u, const struct chunk *w);

/* Are all n numbers finite? */
bool row_flags_finite(const double *x, size_t n);

/* warnings.c: where to say what is known of a row by another; NULL: memory is out. What is said of the rows
 * of a block waits until all its groups are taken, so that its order does not depend on where blocks end. */
struct messages *warnings_note(struct series *s, struct spot row, struct spot by, bool once);

/* Looks at the steps of a group's new rows, and at the first rows; says at the end what is left to say. */
void warnings_take_steps(struct series *s, const struct group *g, const struct chunk *w);
void warnings_take_rows(struct series *s, struct block *b);
void warnings_finish(struct series *s);
#endif
