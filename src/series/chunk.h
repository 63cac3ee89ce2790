/* A window: at most CHUNK_ROWS rows of one group, filtered at once; and the series it belongs to. Private to the files of
 * the series: series.c, window*.c, marks.c, zero_phase.c, mirror.c.
 * Invariant: an unmarked channel is filtered straight from the block's column into its out column. */
#ifndef SPRUNG_WINDOW_H
#define SPRUNG_WINDOW_H

#include "formats/format.h"
#include "series/groups.h"
#include "series/output_columns.h"
#include "series/series.h"

enum {
    CHUNK_ROWS = 512,                /* rows filtered at once */
    CHUNK_DOUBLES = 128 * 1024, /* in all arrays of a window, unless a few rows take more */
    CHUNK_FADE = 512,           /* rows of a group after which what has faded is dropped */
    CHUNK_CACHE = 16            /* steps remembered by T; a power of two */
};

/* Settings that some channels share, and what is computed from them once per distinct T. */
struct tuning {
    const void *settings;
    double cache_T[CHUNK_CACHE]; /* step coefficients by T */
    double *cache;                /* [CHUNK_CACHE * nstep] */
    double *step;                 /* [(window + 1) * nstep] those of the window's rows */
};

struct series {
    struct series_config c;
    struct shape shape;
    size_t nchannel, nwant; /* wanted outputs per channel */
    size_t *want;           /* [nwant] which output of the filter each is */
    bool *prints;           /* [nwant] is it printed? What is not need not be finite. */
    size_t window;
    int unit;      /* exponent of the time column's unit */
    double origin; /* --start X, or NaN: first */
    bool warned;
    bool ahead; /* rows wait for the one after them */
    struct series_count count;

    struct groups groups;
    struct plain key; /* of the row under way */
    struct block **block; /* [nblock] whole series: the blocks that are held, in order */
    size_t nblock, maxblock;

    struct tuning *tuning;   /* [c.overrides->n] */
    const size_t *tuning_of; /* [nchannel] */

    /* One window. Columns are [window + 1]. */
    double *T, *goal, *out, *scratch;
    unsigned char *mark, *cut;
    double *turns;                      /* what was added to each angle, in periods; only with angles */
    const double **goal_at; /* [nchannel] where each channel's goals are */
    const unsigned char **mark_at;
    double **out_at;   /* [nchannel * nout] */
    double *origin_at; /* [nchannel] start positions */
    bool *special;     /* [nchannel] the channel has marks */
    uint64_t *found;   /* [nchannel] cuts found by --detect-cuts */
    uint64_t end;      /* number of the first row that is bad */
};

/* Which rows of which block a window holds: row j of it is row at(j) of the block. */
struct rows {
    struct block *block;
    const size_t *index; /* NULL: rows [first, …) as they stand */
    size_t first;
};

static inline size_t rows_at(const struct rows *r, size_t j)
{
    return r->index ? r->index[r->first + j] : r->first + j;
}

/* One row. */
struct spot {
    struct block *block;
    size_t row;
};

/* The rows that a window runs over: those that waited, then new ones. */
struct chunk {
    const struct rows *rows;
    size_t nheld; /* 0 or 1 rows that waited */
    size_t n;     /* rows in all, with a last one that may have to wait */
    size_t nrun;  /* rows decided now */
    bool direct;  /* block columns are used in place */
};

/* Makes the arrays of a window; false when memory is out. What was made is freed by chunk_free. */
bool chunk_make(struct series *s);
void chunk_free(struct series *s);

/* The time of row j; with a rate, its number in the group. */
struct timestamp chunk_stamp(const struct series *s, const struct group *g, const struct rows *r, size_t j);

/* Seconds from a to b. */
double chunk_elapsed(const struct series *s, const struct timestamp *a, const struct timestamp *b);

/* The column of channel c. */
const struct column *chunk_column(const struct series *s, size_t c);

/* marks.c: finds or makes the goals of every channel in a window, and its marks. */
void row_flags_prepare(struct series *s, struct group *g, const struct chunk *w);

/* marks.c: tells each row whether the next one is known, finds cuts, and puts the last row of the window aside. */
void row_flags_look_ahead(struct series *s, struct group *g, const struct chunk *w);

/* marks.c: takes whole turns off or on, so that each valid goal lies within half a period of the valid one before
 * it; turns[j] is how many that were. */
void row_flags_unwrap(struct channel *ch, double period, double *goal, double *turns, size_t n);

/* chunk_rotation.c: finds the goals of the quaternions in the new rows: one gap is four, and of q and -q it takes the
 * one nearer to the goal before. */
void chunk_read_rotations(struct series *s, struct group *g, const struct chunk *w);

/* chunk_rotation.c: does the rotation jump into row p, by its bend there? */
bool chunk_rotation_jumps(struct series *s, struct group *g, const struct quaternion *q, size_t p);

/* chunk_rotation.c: takes every quaternion through the kernel, as three channels. */
void chunk_run_rotations(struct series *s, struct group *g, const struct chunk *w, size_t step_stride);

/* chunk_rotation.c: cuts b->nrow to the rows before the first quaternion that is no rotation; false: there is one. */
bool chunk_refuse_rotations(const struct series *s, struct block *b, struct error *e);

/* T[j] for n rows; on a step backward false and *n becomes the rows before it. The group's first step is
 * 0. */
bool chunk_times(struct series *s, const struct group *g, const struct rows *r, double *T, size_t *n,
                  struct error *e);

/* Are all n numbers finite? */
bool chunk_finite(const double *x, size_t n);

/* How many of a window's n steps one has to look at to know all: with a rate only the first two may be others
 * than the last. */
static inline size_t chunk_steps(const struct series *s, size_t n)
{
    return s->c.rate != 0 && n > 3 ? 3 : n;
}

/* Step coefficients of n rows, no more than a window, into tuning->step. Returns their stride: 0 when one T serves
 * all. Rows with T = 0 need none. */
size_t chunk_coefficients(struct series *s, struct tuning *tuning, const double *T, size_t n);

/* Filters the rows of a window whose times are in s->T. On false *bad is the first row that cannot be
 * printed, be it one that waited, and *e has its line in its block. */
bool chunk_run(struct series *s, struct group *g, const struct chunk *w, struct spot *bad, struct error *e);

/* Makes 0 of what has faded in a group's state below the normal numbers, on which processors are slow: a
 * hundred times and for ever, while the input stands still. Every CHUNK_FADE rows of the group, wherever its
 * blocks end. */
void chunk_fade(const struct series *s, struct group *g);

#endif
