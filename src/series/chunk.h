/* A window: at most WINDOW rows of one group, filtered at once; and the series it belongs to. Private to the files of
 * the series: series.c, window*.c, marks.c, zero_phase.c, mirror.c.
 * Invariant: an unmarked channel is filtered straight from the block's column into its out column. */
#ifndef SPRUNG_WINDOW_H
#define SPRUNG_WINDOW_H

#include "formats/format.h"
#include "series/groups.h"
#include "series/output_columns.h"
#include "series/series.h"

enum {
    WINDOW = 512,                /* rows filtered at once */
    WINDOW_DOUBLES = 128 * 1024, /* in all arrays of a window, unless a few rows take more */
    WINDOW_FADE = 512,           /* rows of a group after which what has faded is dropped */
    WINDOW_CACHE = 16            /* steps remembered by T; a power of two */
};

/* Settings that some channels share, and what is computed from them once per distinct T. */
struct tuning {
    const void *settings;
    double cache_T[WINDOW_CACHE]; /* step coefficients by T */
    double *cache;                /* [WINDOW_CACHE * nstep] */
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

    struct tuning *tuning;   /* [c.tunings->n] */
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
struct window {
    const struct rows *rows;
    size_t nheld; /* 0 or 1 rows that waited */
    size_t n;     /* rows in all, with a last one that may have to wait */
    size_t nrun;  /* rows decided now */
    bool direct;  /* block columns are used in place */
};

/* Makes the arrays of a window; false when memory is out. What was made is freed by window_free. */
bool window_make(struct series *s);
void window_free(struct series *s);

/* The time of row j; with a rate, its number in the group. */
struct stamp window_stamp(const struct series *s, const struct group *g, const struct rows *r, size_t j);

/* Seconds from a to b. */
double window_elapsed(const struct series *s, const struct stamp *a, const struct stamp *b);

/* The column of channel c. */
const struct column *window_column(const struct series *s, size_t c);

/* marks.c: finds or makes the goals of every channel in a window, and its marks. */
void marks_prepare(struct series *s, struct group *g, const struct window *w);

/* marks.c: tells each row whether the next one is known, finds cuts, and puts the last row of the window aside. */
void marks_look_ahead(struct series *s, struct group *g, const struct window *w);

/* marks.c: takes whole turns off or on, so that each valid goal lies within half a period of the valid one before
 * it; turns[j] is how many that were. */
void marks_unwrap(struct channel *ch, double period, double *goal, double *turns, size_t n);

/* window_rotation.c: finds the goals of the quaternions in the new rows: one gap is four, and of q and -q it takes the
 * one nearer to the goal before. */
void window_read_rotations(struct series *s, struct group *g, const struct window *w);

/* window_rotation.c: does the rotation jump into row p, by its bend there? */
bool window_rotation_jumps(struct series *s, struct group *g, const struct quaternion *q, size_t p);

/* window_rotation.c: takes every quaternion through the kernel, as three channels. */
void window_run_rotations(struct series *s, struct group *g, const struct window *w, size_t step_stride);

/* window_rotation.c: cuts b->nrow to the rows before the first quaternion that is no rotation; false: there is one. */
bool window_refuse_rotations(const struct series *s, struct block *b, struct error *e);

/* T[j] for n rows; on a step backward false and *n becomes the rows before it. The group's first step is
 * 0. */
bool window_times(struct series *s, const struct group *g, const struct rows *r, double *T, size_t *n,
                  struct error *e);

/* Are all n numbers finite? */
bool window_finite(const double *x, size_t n);

/* How many of a window's n steps one has to look at to know all: with a rate only the first two may be others
 * than the last. */
static inline size_t window_steps(const struct series *s, size_t n)
{
    return s->c.rate != 0 && n > 3 ? 3 : n;
}

/* Step coefficients of n rows, no more than a window, into tuning->step. Returns their stride: 0 when one T serves
 * all. Rows with T = 0 need none. */
size_t window_coefficients(struct series *s, struct tuning *tuning, const double *T, size_t n);

/* Filters the rows of a window whose times are in s->T. On false *bad is the first row that cannot be
 * printed, be it one that waited, and *e has its line in its block. */
bool window_run(struct series *s, struct group *g, const struct window *w, struct spot *bad, struct error *e);

/* Makes 0 of what has faded in a group's state below the normal numbers, on which processors are slow: a
 * hundred times and for ever, while the input stands still. Every WINDOW_FADE rows of the group, wherever its
 * blocks end. */
void window_fade(const struct series *s, struct group *g);

#endif
