/* Which channels are the components of rotations, what their numbers mean, and the names of derivatives.
 * Invariant: no channel is in two rotations, and those of one are different channels. */
#ifndef SPRUNG_SERIES_ROTATIONS_H
#define SPRUNG_SERIES_ROTATIONS_H

#include "filters/filter.h"
#include "rows/columns.h"
#include "series/angles.h"
#include "series/euler.h"
#include "series/overrides.h"
#include "series/rotation_step.h"

struct rotation_settings {
    const char *quaternions; /* --quaternions: names, globs, positions; NULL: not given */
    const char *angles;      /* --rotations: the same with orders, or none; NULL: not given */
};

struct rotation {
    size_t ncolumn;               /* 4, of a quaternion w, x, y and z; 3, of angles about x, y and z */
    size_t column[4], channel[4]; /* [ncolumn] of the table, and among the channels */
    struct euler euler;           /* of angles */
    void *settings; /* owned; of the filter, per radian, where those of the channels are not; or NULL */
    size_t first;   /* the one of its columns that stands first */
    char *name;     /* owned; the first part of its derivatives' names: hip of hip_vel_x */
    size_t stem;    /* bytes at the beginning of each column's name that are name; 0: the name is made */
};

struct rotations {
    struct rotation *at; /* [n] */
    size_t n, nmotive;   /* nmotive: quaternions that Motive's names tell */
    size_t *of;          /* [nchannel] index into at, or COLUMN_NONE; NULL: there are none */
};

/* True if the filter filters rotations, and they can begin at --start (NaN: first). */
bool rotations_able(const struct filter *filter, double start);

/* Checks --quaternions and --rotations without the input: if there are any, rotations_able must hold. */
bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e);

/* Finds the rotations of the lists. unasked: also those that the names or the format tell, unless their
 * option is given or another one names their columns. Roles are given; *q is freed by rotations_free, also
 * after an error. */
bool rotations_collect(struct rotations *q, const struct columns *t, const struct rotation_settings *lists,
                       const struct angle_settings *angles, bool unasked, struct error *e);
void rotations_free(struct rotations *q);

/* The channels of one must have the same settings, and no measured velocity; makes settings in radians. */
bool rotations_fit(struct rotations *q, const struct columns *t, const struct filter *filter,
                   const struct overrides *overrides, struct error *e);

/* A row's numbers, part[ncolumn]: a gap in one becomes a gap in all; of q and -q the one nearer to last is
 * taken, which the numbers become where they are no gap. last: zeroed before the first row. */
void rotations_follow(const struct rotation *r, double last[4], double part[4]);

/* The quaternion of length 1 that a row's numbers mean. */
void rotations_target(const struct rotation *r, const double part[4], double q[4]);

/* The numbers that say the result in a row whose target is read[ncolumn]; of angles those nearest to read. */
void rotations_print(const struct rotation *r, const double read[4], const struct rotation_result *result,
                     double print[4]);

/* What a radian is in the unit of the numbers; 1 for quaternions. */
static inline double rotations_unit(const struct rotation *r)
{
    return r->ncolumn == 3 ? r->euler.period / (2 * M_PI) : 1;
}

/* The option that names such rotations. */
static inline const char *rotations_option(const struct rotation *r)
{
    return r->ncolumn == 3 ? "--rotations" : "--quaternions";
}

/* The rotation that a channel is a component of, or NULL. q may be NULL. */
static inline const struct rotation *rotations_of(const struct rotations *q, size_t channel)
{
    return q && q->of && q->of[channel] != COLUMN_NONE ? &q->at[q->of[channel]] : NULL;
}

#endif
