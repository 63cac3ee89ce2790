/* Which channels are the components of rotations, what their numbers mean, and the names of derivatives.
 * Invariant: no channel is in two rotations, and those of one are different channels. */
#ifndef SPRUNG_SERIES_ROTATIONS_H
#define SPRUNG_SERIES_ROTATIONS_H

#include "filters/filter.h"
#include "rows/columns.h"
#include "series/rotation_step.h"

struct rotation {
    size_t ncolumn;               /* 4, of a quaternion w, x, y and z */
    size_t column[4], channel[4]; /* [ncolumn] of the table, and among the channels */
    size_t first;                 /* the one of its columns that stands first */
    char *name;                   /* owned; the first part of its derivatives' names: hip of hip_vel_x */
    size_t stem; /* bytes at the beginning of each column's name that are name; 0: the name is made */
};

struct rotations {
    struct rotation *at; /* [n] */
    size_t n;
    size_t *of; /* [nchannel] index into at, or COLUMN_NONE; NULL: there are none */
};

/* Checks --quaternions without the input: can the filter, and does --start (NaN: first) fit? list NULL: not
 * given. */
bool rotations_check(const struct filter *filter, const char *list, double start, struct error *e);

/* Finds those of --quaternions. Roles are given; *q is freed by rotations_free, also after an error. */
bool rotations_collect(struct rotations *q, const struct columns *t, const char *list, struct error *e);
void rotations_free(struct rotations *q);

/* No component may be an angle as well, and the four of one must have the same settings. period: of each
 * channel, 0 for none; or NULL. settings: which settings each channel has. */
bool rotations_fit(const struct rotations *q, const struct columns *t, const double *period,
                   const size_t *settings, struct error *e);

/* A row's numbers, part[ncolumn]: a gap in one becomes a gap in all; of q and -q the one nearer to last is
 * taken, which the numbers become where they are no gap. last: zeroed before the first row. */
void rotations_follow(const struct rotation *r, double last[4], double part[4]);

/* The quaternion of length 1 that a row's numbers mean. */
void rotations_target(const struct rotation *r, const double part[4], double q[4]);

/* The numbers that say the result in a row whose target is read[ncolumn]. */
void rotations_print(const struct rotation *r, const double read[4], const struct rotation_result *result,
                     double print[4]);

/* The rotation that a channel is a component of, or NULL. q may be NULL. */
static inline const struct rotation *rotations_of(const struct rotations *q, size_t channel)
{
    return q && q->of && q->of[channel] != COLUMN_NONE ? &q->at[q->of[channel]] : NULL;
}

#endif
