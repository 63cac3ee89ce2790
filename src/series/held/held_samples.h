/* The samples of a group that is smoothed, in arrays: rows of one time are one sample. A channel that is
 * missing in the first row of a sample takes the value of a later one. */
#ifndef SPRUNG_SERIES_HELD_HELD_SAMPLES_H
#define SPRUNG_SERIES_HELD_HELD_SAMPLES_H

#include "rows/units.h"
#include "series/operator.h"
#include "series/series.h"
#include "whole/stretches.h"

struct chunk;
struct filter_group;
struct live_smoother;
struct series;

/* What is remembered of the rows of a unit that were printed. Zero-initialize. */
struct held_print {
    struct gap_state gaps; /* with --lookahead */
    double read[4];        /* of a rotation: numbers of the last known row; signs continue */
    double printed[4];     /* numbers that were printed last */
    bool any;              /* there are such numbers */
};

/* Zeroed: no rows yet. Samples that no later result needs are dropped. */
struct held_samples {
    const struct series_rows *in;     /* NULL: no rows yet, as `rows` */
    const struct operator_rows *rows; /* places of the rows whose results are not given */
    size_t n, max;                    /* samples in the arrays; room */
    size_t ngiven;                    /* the results of the samples before are given */
    uint64_t nrow, nrow_given;        /* rows of the group taken; those whose results are given */
    bool dropped;                     /* samples were dropped: the first one kept begins no series */
    double *T;               /* [max] seconds since the sample before. Owned, with the arrays below */
    double *counted;         /* [max] of stretch_time_take */
    uint64_t *row;           /* [max] number in the group of the sample's first row */
    struct timestamp *stamp; /* [max] time of the first row; only with --max-gap in seconds */
    double *value;           /* [nchannel][max] angles without jumps between turns; NaN: missing */
    double waiting;          /* seconds of steps that were too short for a sample of their own */
    struct stretch_time time;
    struct unwrap *unwrap;      /* [nchannel] of angles; owned, with print and live */
    struct held_print *print;   /* [nunit] */
    struct live_smoother *live; /* [nunit] with --lookahead */
    bool lives;                 /* with --lookahead the first row of a sample counts alone */
};

/* Begins to hold the rows of a group. False: out of memory. */
bool held_begin(struct held_samples *held, const struct series_rows *in, const struct operator_rows *rows,
                struct error *e);

/* Adds the new rows of a chunk, whose steps are in series->T. False: out of memory. */
bool held_take(struct held_samples *held, const struct series *series, const struct filter_group *group,
               const struct chunk *chunk, struct error *e);

/* Leaves out the rows that stand behind a fault. */
void held_leave_faulty(struct held_samples *held);

/* Drops samples before sample `first`, as soon as they are many; never the last one. */
void held_drop(struct held_samples *held, size_t first);

void held_free(struct held_samples *held);

/* The place of a row whose result is not given. */
static inline struct spot held_spot(const struct held_samples *held, uint64_t row)
{
    return operator_spot(held->rows, row);
}

/* How many of the rows from `row` to end - 1, whose results are not given, lie side by side in one block. */
static inline size_t held_side_by_side(const struct held_samples *held, uint64_t row, uint64_t end)
{
    const size_t n = operator_side_by_side(held->rows, row);
    return n < end - row ? n : (size_t)(end - row);
}

/* The number of the first row behind sample k. */
static inline uint64_t held_row_end(const struct held_samples *held, size_t k)
{
    return k + 1 < held->n ? held->row[k + 1] : held->nrow;
}

/* The samples of a channel. */
static inline double *held_value(const struct held_samples *held, size_t channel)
{
    return held->value + channel * held->max;
}

#endif
