/* Which channels are the components of quaternions, and the names of their derivatives.
 * Invariant: no channel is in two quaternions, and the four of one are different channels. */
#ifndef SPRUNG_SERIES_QUATERNIONS_H
#define SPRUNG_SERIES_QUATERNIONS_H

#include "filters/filter.h"
#include "rows/columns.h"

struct quaternion {
    size_t column[4], channel[4]; /* w, x, y, z: of the table, and among the channels */
    size_t first;                 /* the one of its columns that stands first */
    char *name;                   /* owned; the first part of its derivatives' names: hip of hip_vel_x */
    size_t stem; /* bytes at the beginning of each column's name that are name; 0: the name is made */
};

struct quaternions {
    struct quaternion *at; /* [n] */
    size_t n;
    size_t *of; /* [nchannel] index into at, or COLUMN_NONE; NULL: there are none */
};

/* Checks --quaternions without the input: can the filter, and do --start (NaN: first) and --zero-phase fit?
 * list NULL: not given. */
bool quaternions_check(const struct filter *filter, const char *list, double start, bool zero_phase,
                       struct error *e);

/* Finds those of --quaternions. Roles are given; *q is freed by quaternions_free, also after an error. */
bool quaternions_collect(struct quaternions *q, const struct columns *t, const char *list, struct error *e);
void quaternions_free(struct quaternions *q);

/* No component may be an angle as well, and the four of one must have the same settings. period: of each
 * channel, 0 for none; or NULL. settings: which settings each channel has. */
bool quaternions_fit(const struct quaternions *q, const struct columns *t, const double *period,
                     const size_t *settings, struct error *e);

/* The quaternion that a channel is a component of, or NULL. q may be NULL. */
static inline const struct quaternion *quaternions_of(const struct quaternions *q, size_t channel)
{
    return q && q->of && q->of[channel] != COLUMN_NONE ? &q->at[q->of[channel]] : NULL;
}

#endif
