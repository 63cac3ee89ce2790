/* Which channels are angles and which are the components of rotations or vectors, what their numbers mean,
 * and the names of derivatives. Invariant: no channel is in two rotations, and the channels of a rotation are
 * different channels. */
#ifndef SPRUNG_SERIES_ROTATIONS_H
#define SPRUNG_SERIES_ROTATIONS_H

#include "base/name_table.h"
#include "rows/columns.h"
#include "series/overrides.h"
#include "springs/filter.h"
#include "springs/rotation.h"
#include "whole/samples.h"

struct rotation_settings {
    const char *quaternions; /* --quaternions: names, globs, positions, or "none"; NULL: not given */
    const char *angles; /* --rotations: the same, each with an order of axes, or "none"; NULL: not given */
};

struct angle_settings {
    const char *list; /* --angles; NULL: not given */
    double period;    /* --period; NaN: not given */
    bool wrap;        /* print an angle in the turn of its input */
};

struct rotation {
    size_t ncolumn;     /* 4: w, x, y and z of a quaternion; 3: angles about x, y and z */
    size_t column[4];   /* [ncolumn] columns of the table */
    size_t channel[4];  /* [ncolumn] numbers of the channels */
    struct euler euler; /* where ncolumn is 3: order and period of the angles */
    void *settings; /* owned; the filter's settings per radian; NULL: the settings of the channels are used */
    size_t first;   /* the rotation's first column in the order of the table */
    size_t unit;    /* index into the units of struct rotations; set by rotations_fit */
    char *name;     /* owned; the first part of the names of derivatives: hip of hip_vel_x */
    size_t stem; /* bytes at the beginning of each column's name that are equal to name; 0: no such bytes */
};

/* What is filtered as a whole: a number, an angle, or the channels of a rotation. */
struct unit {
    const struct rotation *rotation; /* NULL: a number or an angle */
    double period;                   /* period of an angle; 0: no angle */
    bool wrap;                       /* an angle that is printed in the turn of its input */
    size_t nchannel;
    size_t channel[4]; /* [nchannel] numbers of the channels */
};

/* Channels that are the components of a vector (vectors.h). */
struct vector {
    struct unit unit; /* two or three channels; no rotation, no angle */
    char *name;       /* owned; the common beginning of the columns' names */
};

struct rotations {
    struct rotation *at; /* [n] owned, with of, named, period, wrap_period and unit in its allocation */
    size_t n;            /* number of rotations */
    size_t nmotive;      /* number of rotations that are quaternions known by the names that Motive gives */
    struct name_table names; /* index of a rotation in `at`, by the rotation's name */
    size_t *of;              /* [nchannel] the channel's rotation: index into at; COLUMN_NONE: no rotation */
    bool *named;             /* [nchannel] is the channel in the list of --angles? */
    double *period;          /* [nchannel] period of an angle; 0: no angle, or an angle of a rotation */
    double *wrap_period; /* [nchannel] period of an angle that is printed in the turn of its input; else 0 */
    struct unit *unit;   /* [nunit] all channels, in the order of the first channel of each unit */
    size_t nunit;
    struct vector *vector; /* [nvector] owned; set by vectors_collect */
    size_t nvector;
    size_t *vector_of; /* [nchannel] the channel's vector: index into vector; COLUMN_NONE: no vector. NULL:
                          there are no vectors. In the allocation of vector */
};

/* Can the filter filter rotations that begin at `start`, the value of --start? NaN: --start first. */
bool rotations_able(const struct filter *filter, double start);

/* Checks --quaternions and --rotations without the input: if a list names rotations, rotations_able must
 * hold. */
bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e);

/* Checks the rotations that the format of the input tells (glTF, FBX), except rotations of a kind for which
 * an option is given. All components of such a rotation are channels, or no component is; and if components
 * are channels, rotations_able must hold. */
bool rotations_check_known(const struct columns *columns, const struct rotation_settings *lists,
                           const struct filter *filter, double start, struct error *e);

/* Finds the rotations of the lists. unasked: finds also rotations that the names of columns or the format
 * tell, unless the option for this kind of rotation is given, or another option names a column of the
 * rotation. Roles are given; *rotations is zeroed before, and rotations_free follows, also after an error. */
bool rotations_collect(struct rotations *rotations, const struct columns *columns,
                       const struct rotation_settings *lists, const struct angle_settings *angles,
                       bool unasked, struct error *e);
void rotations_free(struct rotations *rotations);

/* After rotations_collect: finds the angles that are no components of rotations, by --angles or by the
 * input's format; lists the units; makes the settings of rotations, in radians. The channels of a rotation
 * must have the same settings, and no measured velocity. */
bool rotations_fit(struct rotations *rotations, const struct columns *columns,
                   const struct angle_settings *angles, const struct filter *filter,
                   const struct overrides *overrides, struct error *e);

/* The settings of a rotation, made from `settings`, the settings of the rotation's channels in a row: of
 * angles a copy per radian, of a quaternion `settings` itself. The copy is valid until the next call for the
 * rotation. */
const void *rotations_settings(const struct rotation *rotation, const struct filter *filter,
                               const void *settings);

/* Prepares the numbers part[ncolumn] of a row. If a number is missing, all numbers become NaN. A quaternion
 * becomes -part where -part, which means the same rotation, is nearer to `last`. Then `last` becomes part,
 * unless numbers are missing. `last` is zeroed before the first row. */
void rotations_follow(const struct rotation *rotation, double last[4], double part[4]);

/* Sets q to the quaternion of length 1 that the numbers part[ncolumn] of a row mean. rotation NULL: sets q[0]
 * to the number part[0]. */
void rotations_target(const struct rotation *rotation, const double part[4], double q[4]);

/* Sets way to the rotation vector of the shortest rotation from one target to another. rotation NULL: sets
 * way to the difference of the numbers, and two zeroes. */
void rotations_way(const struct rotation *rotation, const double from[4], const double to[4], double way[3]);

/* Moves the target x by `part` times the way. */
void rotations_move(const struct rotation *rotation, double x[4], const double way[3], double part);

/* Sets print[ncolumn] to numbers that mean the quaternion x: of the angles that mean x to the angles nearest
 * to read[ncolumn], of a quaternion to x itself. at_goal: x is the target that the numbers `read` mean, and
 * print becomes `read`, digit by digit, unless `read` is a quaternion whose length is not 1. rotation NULL:
 * sets print[0] to x[0]. */
void rotations_print(const struct rotation *rotation, const double read[4], const double x[4], bool at_goal,
                     double print[4]);

static inline struct sample_kind rotations_kind(const struct unit *unit)
{
    return (struct sample_kind){ unit->rotation != NULL, unit->period };
}

/* What a radian is in the unit of the numbers; 1 for quaternions. */
static inline double rotations_unit(const struct rotation *rotation)
{
    return rotation->ncolumn == 3 ? rotation->euler.period / (2 * M_PI) : 1;
}

/* The axis of velocity, 0 to 2, that stands in the outputs of component k; 3: no axis, for the w of a
 * quaternion. */
static inline size_t rotations_axis(const struct rotation *rotation, size_t k)
{
    if (rotation->ncolumn == 3)
        return k;
    return k == 0 ? 3 : k - 1;
}

/* The rotation that a channel is a component of, or NULL. */
static inline const struct rotation *rotations_of(const struct rotations *rotations, size_t channel)
{
    return rotations->of[channel] != COLUMN_NONE ? &rotations->at[rotations->of[channel]] : NULL;
}

/* The vector that a channel is a component of, or NULL. */
static inline const struct vector *rotations_vector(const struct rotations *rotations, size_t channel)
{
    return rotations->vector_of && rotations->vector_of[channel] != COLUMN_NONE
               ? &rotations->vector[rotations->vector_of[channel]]
               : NULL;
}

/* The last valid angle of a channel. Zeroed before the first angle. */
struct unwrap {
    double angle; /* as read */
    double turns; /* number of periods that were added to the angle */
    bool known;   /* there has been a valid angle */
};

/* Adds whole periods to angle[n], so that each valid angle lies within half a period of the previous valid
 * angle, and sets turns[j] to the number of periods that were added to angle[j]. An angle exactly half a
 * period away stays on its side. NaN is a gap, and has the turns of the previous angle. */
void angles_unwrap(struct unwrap *unwrap, double period, double *angle, double *turns, size_t n);

/* Returns a filtered angle in the turn of its input: filtered - turns * period, computed so that the result
 * is exactly `angle` where the filter has reached the unwrapped angle. angle: as read; NaN is a gap. turns:
 * of this angle, from angles_unwrap. */
double angles_wrap(double filtered, double angle, double turns, double period);

#endif
