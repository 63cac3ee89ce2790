/* Which channels are angles and which are the components of rotations, what their numbers mean, and the names
 * of derivatives. Invariant: no channel is in two rotations, and those of one are different channels. */
#ifndef SPRUNG_SERIES_ROTATIONS_H
#define SPRUNG_SERIES_ROTATIONS_H

#include "base/name_table.h"
#include "rows/columns.h"
#include "series/overrides.h"
#include "springs/filter.h"
#include "springs/rotation.h"
#include "whole/samples.h"

struct rotation_settings {
    const char *quaternions; /* --quaternions: names, globs, positions; NULL: not given */
    const char *angles;      /* --rotations: the same with orders, or none; NULL: not given */
};

struct angle_settings {
    const char *list; /* --angles; NULL: not given */
    double period;    /* --period; NaN: not given */
    bool wrap;        /* print an angle in the turn of its input */
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

/* What is taken as one: a number, an angle, or the channels of a rotation. */
struct unit {
    const struct rotation *rotation; /* NULL: a number */
    double period;                   /* of an angle; else 0 */
    size_t nchannel, channel[4];
};

struct rotations {
    struct rotation *at;     /* [n] */
    struct name_table names; /* the number of a rotation, by its name */
    size_t n, nmotive;       /* nmotive: quaternions that Motive's names tell */
    size_t *of;              /* [nchannel] index into at, or COLUMN_NONE */
    bool *named;             /* [nchannel] is it in the list of --angles? */
    double *period;          /* [nchannel] of angles, 0: no angle by itself */
    struct unit *unit;       /* [nunit] all channels, in order of the first one of each */
    size_t nunit;
};

/* Can the filter filter rotations that begin at --start (NaN: first)? */
bool rotations_able(const struct filter *filter, double start);

/* Checks --quaternions and --rotations without the input: if there are any, rotations_able must hold. */
bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e);

/* Checks the rotations that the format of the input tells (glTF, FBX), where no option speaks of rotations of
 * that kind: the channels are all components of a rotation or none of them, and the filter filters rotations.
 */
bool rotations_check_known(const struct columns *t, const struct rotation_settings *lists,
                           const struct filter *filter, double start, struct error *e);

/* Finds the rotations of the lists. unasked: also those that the names or the format tell, unless their
 * option is given or another one names their columns. Roles are given; *q is zeroed before, and freed by
 * rotations_free, also after an error. */
bool rotations_collect(struct rotations *q, const struct columns *t, const struct rotation_settings *lists,
                       const struct angle_settings *angles, bool unasked, struct error *e);
void rotations_free(struct rotations *q);

/* After rotations_collect: finds the angles, those of --angles and those that the input's format knows to be,
 * except those of rotations; makes the units, and settings in radians. The channels of a rotation must have
 * the same settings, and no measured velocity. */
bool rotations_fit(struct rotations *q, const struct columns *t, const struct angle_settings *angles,
                   const struct filter *filter, const struct overrides *overrides, struct error *e);

/* A row's numbers, part[ncolumn]: a gap in one becomes a gap in all; of q and -q the one nearer to last is
 * taken, which the numbers become where they are no gap. last: zeroed before the first row. */
void rotations_follow(const struct rotation *r, double last[4], double part[4]);

/* The quaternion of length 1 that a row's numbers mean; r NULL: the number itself, part[0]. */
void rotations_target(const struct rotation *r, const double part[4], double q[4]);

/* The rotation vector from one target to another, the short way; r NULL: the difference of the numbers, and
 * two zeroes. */
void rotations_way(const struct rotation *r, const double from[4], const double to[4], double way[3]);

/* Moves a target by a part of a way. */
void rotations_move(const struct rotation *r, double x[4], const double way[3], double part);

/* The numbers that say x; of angles those nearest to read[ncolumn]. at_goal: x is the target in a row whose
 * numbers are read. r NULL: x[0]. */
void rotations_print(const struct rotation *r, const double read[4], const double x[4], bool at_goal,
                     double print[4]);

static inline struct sample_kind rotations_kind(const struct unit *u)
{
    return (struct sample_kind){ u->rotation != NULL, u->period };
}

/* What a radian is in the unit of the numbers; 1 for quaternions. */
static inline double rotations_unit(const struct rotation *r)
{
    return r->ncolumn == 3 ? r->euler.period / (2 * M_PI) : 1;
}

/* The rotation that a channel is a component of, or NULL. */
static inline const struct rotation *rotations_of(const struct rotations *q, size_t channel)
{
    return q->of[channel] != COLUMN_NONE ? &q->at[q->of[channel]] : NULL;
}

/* The last valid angle of a channel. Zeroes: there is none yet. */
struct unwrap {
    double angle, turns; /* as read, and the whole periods that were added to it */
    bool known;
};

/* Adds whole periods to n angles, so that each valid one lies within half a period of the valid one before
 * it; turns[j] is how many. One that is exactly half a period away stays on its side. NaN is a gap, and keeps
 * the turns of the angle before it. */
void angles_unwrap(struct unwrap *u, double period, double *angle, double *turns, size_t n);

/* A filtered angle in the turn of its input: the input itself, to the bit, where the filter has reached the
 * unwrapped one. angle: as read; NaN is a gap. */
double angles_wrap(double filtered, double angle, double turns, double period);

#endif
