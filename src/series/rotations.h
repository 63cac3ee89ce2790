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
    const char *quaternions; /* --quaternions: names, globs, positions; NULL: not given */
    const char
        *angles; /* --rotations: names, globs, positions, each with an order, or "none"; NULL: not given */
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
    char *name;     /* owned; the first part of the names of derivatives: hip of hip_vel_x */
    size_t stem; /* bytes at the beginning of each column's name that are equal to name; 0: no such bytes */
};

/* What is filtered as a whole: a number, an angle, or the channels of a rotation. */
struct unit {
    const struct rotation *rotation; /* NULL: a number or an angle */
    double period;                   /* period of an angle; 0: no angle */
    bool wrap;                       /* an angle that is printed in the turn of its input */
    size_t nchannel, channel[4];
};

/* Channels that are the components of a vector (vectors.h). */
struct vector {
    struct unit unit; /* two or three channels; no rotation, no angle */
    char *name;       /* owned; the common beginning of the columns' names */
};

struct rotations {
    struct rotation *at;     /* [n] */
    struct name_table names; /* the number of a rotation, by its name */
    size_t n, nmotive;       /* nmotive: quaternions that Motive's names tell */
    size_t *of;              /* [nchannel] the channel's rotation: index into at; COLUMN_NONE: no rotation */
    bool *named;             /* [nchannel] is the channel in the list of --angles? */
    double *period;          /* [nchannel] period of an angle; 0: no angle, or an angle of a rotation */
    double
        *wrap_period;  /* [nchannel] the same; 0 also for an angle that is not printed in its input's turn */
    struct unit *unit; /* [nunit] all channels, in the order of the first channel of each unit */
    size_t nunit;
    struct vector *vector; /* [nvector] owned; set by vectors_collect */
    size_t nvector;
    size_t *vector_of; /* [nchannel] the channel's vector: index into vector; COLUMN_NONE: no vector. NULL:
                          there are no vectors. In the allocation of vector */
};

/* Can the filter filter rotations that begin at --start (NaN: first)? */
bool rotations_able(const struct filter *filter, double start);

/* Checks --quaternions and --rotations without the input: if there are any, rotations_able must hold. */
bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e);

/* Checks the rotations that the format of the input tells (glTF, FBX), where no option speaks of rotations of
 * that kind: the channels are all components of a rotation or none of them, and the filter filters rotations.
 */
bool rotations_check_known(const struct columns *columns, const struct rotation_settings *lists,
                           const struct filter *filter, double start, struct error *e);

/* Finds the rotations of the lists. unasked: finds also rotations that names or the format tell, unless the
 * option for this kind of rotation is given or another option names their columns. Roles are given;
 * *rotations is zeroed before, and rotations_free follows, also after an error. */
bool rotations_collect(struct rotations *rotations, const struct columns *columns,
                       const struct rotation_settings *lists, const struct angle_settings *angles,
                       bool unasked, struct error *e);
void rotations_free(struct rotations *rotations);

/* After rotations_collect: finds the angles (named by --angles, or known by the input's format), except
 * angles of rotations; makes the units, and settings in radians. The channels of a rotation must have the
 * same settings, and no measured velocity. */
bool rotations_fit(struct rotations *rotations, const struct columns *columns,
                   const struct angle_settings *angles, const struct filter *filter,
                   const struct overrides *overrides, struct error *e);

/* The settings for a rotation from those of its channels in a row, where these change from row to row. They
 * hold until the next call. */
const void *rotations_settings(const struct rotation *rotation, const struct filter *filter,
                               const void *settings);

/* Prepares the numbers part[ncolumn] of a row: if one number is missing, all become NaN; of the quaternions q
 * and -q part becomes the one nearer to last. Then last = part, unless part is missing. last is zeroed before
 * the first row. */
void rotations_follow(const struct rotation *rotation, double last[4], double part[4]);

/* The quaternion of length 1 that a row's numbers mean; r NULL: the number itself, part[0]. */
void rotations_target(const struct rotation *rotation, const double part[4], double q[4]);

/* way: the rotation vector of the shortest rotation between two targets; r NULL: the difference of the
 * numbers, and two zeroes. */
void rotations_way(const struct rotation *rotation, const double from[4], const double to[4], double way[3]);

/* Moves a target by a part of a way. */
void rotations_move(const struct rotation *rotation, double x[4], const double way[3], double part);

/* print: the numbers that mean x; of the angles that mean x, the nearest to read[ncolumn]. at_goal: x is the
 * target of the row with the numbers read. r NULL: x[0]. */
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

/* Adds whole periods to n angles, so that each valid angle lies within half a period of the previous valid
 * angle. turns[j]: number of periods added to angle j. An angle exactly half a period away stays on its side.
 * NaN is a gap, and has the turns of the previous angle. */
void angles_unwrap(struct unwrap *unwrap, double period, double *angle, double *turns, size_t n);

/* A filtered angle in the turn of its input. Where the filter has reached the unwrapped angle, the result is
 * exactly the input. angle: as read; NaN is a gap. */
double angles_wrap(double filtered, double angle, double turns, double period);

#endif
