/* Units: what is filtered as a whole. A unit is a number, an angle, a vector or a rotation; unit_ops.c says
 * what its numbers mean. Invariant: every channel is in exactly one unit. */
#ifndef SPRUNG_ROWS_UNITS_H
#define SPRUNG_ROWS_UNITS_H

#include "rows/block.h"
#include "rows/table.h"
#include "springs/filter.h"
#include "springs/rotations/rotation.h"
#include "whole/samples.h"

struct spike_kind;

enum unit_kind {
    UNIT_NUMBER,
    UNIT_ANGLE,
    UNIT_VECTOR,     /* the components of a position, a velocity or the like */
    UNIT_QUATERNION, /* rotations come last: unit_is_rotation */
    UNIT_EULER,      /* three Euler angles */
    UNIT_KINDS
};

struct unit {
    enum unit_kind kind;
    size_t n;           /* number of channels: 1; of a vector 2 or 3; of a rotation 4 or 3 */
    size_t channel[4];  /* [n] of a quaternion w, x, y, z; of Euler angles by euler_index */
    double period;      /* a full turn of an angle; else 0 */
    struct euler euler; /* of Euler angles: their order and period */
    char *name;         /* owned; of a vector, or the first part of a rotation's names of derivatives: hip of
                           hip_vel_x. NULL: a number or an angle */
    size_t rotation;    /* of a rotation: its number among the rotations, from 0 */
};

static inline bool unit_is_rotation(const struct unit *unit)
{
    return unit->kind >= UNIT_QUATERNION;
}

/* --- what the numbers of each kind mean: unit_ops.c ---
 *
 * The target of a unit is what a filter follows: the numbers themselves, or the unit quaternion that the
 * numbers of a rotation mean. */

extern const char *const unit_options[UNIT_KINDS]; /* the option with a list of units; NULL: no such option */

/* Prepares the numbers part[n] of a row. If a number is missing, all numbers become NaN. A quaternion becomes
 * -part where -part, which means the same rotation, is nearer to `last`. Then `last` becomes part, unless
 * numbers are missing. `last` is zeroed before the first row. */
void unit_follow(const struct unit *unit, double last[4], double part[4]);

/* Sets target to what the numbers part[n] mean. */
void unit_target(const struct unit *unit, const double part[4], double target[4]);

/* Sets way to the way from one target to another: of a rotation the rotation vector of the short way, else
 * the difference of each number. Components that the unit does not have become 0. */
void unit_way(const struct unit *unit, const double from[4], const double to[4], double way[3]);

/* Moves the target by `part` times the way. */
void unit_move(const struct unit *unit, double target[4], const double way[3], double part);

/* Sets print[n] to numbers that mean the target: of the Euler angles that mean it to the angles nearest to
 * read[n], else to the target itself. at_goal: the target is what the numbers `read` mean, and a rotation
 * prints these, digit by digit, unless `read` is a quaternion whose length is not 1. */
void unit_print(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                double print[4]);

/* How far a component moves from one row's numbers to another's: of an angle the short way, of a vector the
 * distance by the components that have values, of a rotation the angle of the rotation between, in radians or
 * the unit of its Euler angles. NaN: the number of the component is missing. */
double unit_change(const struct unit *unit, const double from[4], const double to[4], size_t component);

/* Doubles of a target. */
static inline size_t unit_width(const struct unit *unit)
{
    return unit_is_rotation(unit) ? SAMPLE_ROTATION : unit->n;
}

/* A radian in the unit of Euler angles; 1 for other units. */
static inline double unit_radian(const struct unit *unit)
{
    return unit->kind == UNIT_EULER ? unit->euler.period / (2 * M_PI) : 1;
}

/* The axis of velocity, 0 to 2, that is in the outputs of component k of a rotation; 3: no axis. */
static inline size_t unit_axis(const struct unit *unit, size_t k)
{
    if (unit->kind != UNIT_QUATERNION)
        return k;
    return k == 0 ? 3 : k - 1;
}

/* Sets of[n] to the parts of a rotation's velocity or acceleration that are in the outputs of its
 * components, in the unit of Euler angles. rate: radians about the three axes. */
static inline void unit_rates(const struct unit *unit, const double rate[3], double of[4])
{
    for (size_t k = 0; k < unit->n; k++) {
        const size_t axis = unit_axis(unit, k);
        of[k] = axis < 3 ? unit_radian(unit) * rate[axis] : 0;
    }
}

/* What the samples of a unit are for the rules of spikes and jumps: whole/noise/spikes.h. */
struct spike_kind unit_spike_kind(const struct unit *unit);

/* The last valid angle of a channel. Zeroed before the first angle. */
struct unwrap {
    double angle; /* as read */
    double turns; /* number of periods that were added to the angle */
    bool known;   /* there has been a valid angle */
};

/* Adds whole periods to angle[n], so that each valid angle lies within half a period of the previous valid
 * angle. An angle exactly half a period away stays on its side. NaN is a gap. */
void angles_unwrap(struct unwrap *unwrap, double period, double *angle, size_t n);

/* Returns an angle in the turn nearest to `near`; exactly `near` if it is whole periods away. */
double angle_near(double angle, double near, double period);

/* --- columns that belong together: unit_names.c --- */

struct unit_columns {
    enum unit_kind kind;
    size_t n, column[4];   /* [n] in the order of unit.channel */
    unsigned char axis[3]; /* Euler angles: the order of the product, 0, 1, 2: x, y, z (struct euler) */
    bool listed;           /* the user named the unit */
    bool pattern;          /* not by its own name: a glob, the format or the names of columns found it */
};

/* Is the first axis of the angles also the third, as in ZXZ? */
static inline bool unit_repeats_axis(const struct unit_columns *found)
{
    return found->axis[0] == found->axis[2] && found->axis[0] != found->axis[1];
}

/* No column is in two units. Zero-initialize. */
struct unit_list {
    struct unit_columns *at; /* [n] owned */
    size_t n, max;
    bool *owned; /* [ncolumn] owned; is the column in a unit of the list? NULL: n is 0 */
};

/* Adds the units of the table that a LIST names as --quaternions, --rotations or --vectors takes it: names,
 * globs, positions with the order of the components. A column that is in another unit of the list is an
 * error, unless a glob found it. Angles without an order have the order of the next entry that has one. */
bool units_listed(const struct table *table, enum unit_kind kind, const char *list, struct unit_list *found,
                  struct error *e);

/* Adds the units of free columns that the format defines, or names and the first row show. */
bool units_known(const struct table *table, enum unit_kind kind, struct unit_list *found, struct error *e);
void unit_list_free(struct unit_list *list);

/* --- the units of a filter: units.c --- */

/* Options about units. */
struct unit_settings {
    const char *quaternions; /* --quaternions: names, globs, positions, or "none"; NULL: not given */
    const char *rotations;   /* --rotations: likewise, with orders of axes, or "none"; NULL: not given */
    const char *vectors;     /* --vectors: as --quaternions */
    const char *angles;      /* --angles; NULL: not given */
    double period;           /* --period; NaN: not given */
};

struct units {
    struct unit *at; /* [n] owned; in the order of their first channels */
    size_t n;
    size_t nrotation, nvector;
    size_t nnamed; /* quaternions that names and the first row show, and that are filtered as rotations */
    size_t *of;    /* [nchannel] the channel's unit: index into at. In the allocation of at, with: */
    bool *named;   /* [nchannel] is the channel in the list of --angles? */
};

/* The unit of a channel. */
static inline const struct unit *units_of(const struct units *units, size_t channel)
{
    return &units->at[units->of[channel]];
}

/* The rotation that a channel is a component of, or NULL. */
static inline const struct unit *units_rotation(const struct units *units, size_t channel)
{
    size_t i = units->of[channel];
    return i != COLUMN_NONE && unit_is_rotation(&units->at[i]) ? &units->at[i] : NULL;
}

/* The vector that a channel is a component of, or NULL. */
static inline const struct unit *units_vector(const struct units *units, size_t channel)
{
    const struct unit *unit = units_of(units, channel);
    return unit->kind == UNIT_VECTOR ? unit : NULL;
}

/* Finds the units: those of the lists, then those that the format or the names show, unless the option for
 * the kind is given; the other channels are angles or numbers. A unit is filtered as a whole or not at all:
 * one of a list whose columns are not all channels, and a rotation that the filter cannot filter, are errors.
 * filter: NULL: any. *units is zeroed before, and units_free follows, also after an error. */
bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct filter *filter, struct start_position start, struct error *e);
void units_free(struct units *units);

/* Where one component of a vector has no goal in a row, or a quaternion is 0, all its components become
 * missing in the row, as if the input had no numbers there: their cells keep their text. */
void units_complete(const struct units *units, const struct block *block);

#endif
