/* Units: what is filtered as a whole. A unit is a number, an angle, a vector or a rotation; unit_kinds.c has
 * a row for each kind. Invariant: every channel is in exactly one unit. */
#ifndef SPRUNG_ROWS_UNITS_H
#define SPRUNG_ROWS_UNITS_H

#include "rows/block.h"
#include "rows/table.h"
#include "springs/filter.h"
#include "springs/rotations/rotation.h"
#include "whole/samples.h"

struct spike_kind;
struct stem;
struct unit;

/* The row before, of a unit. Zero-initialize. */
struct unit_before {
    double number[4]; /* numbers after unit_follow; of an angle, the number in the file */
    double turns;     /* of an angle: number of periods that were added to it */
    bool known;       /* there has been a row without a gap */
};

/* A kind of units. The target of a unit is what a filter follows: the numbers themselves, or the unit
 * quaternion that the numbers of a rotation mean. */
struct unit_kind {
    const char *name; /* in JSON: "vector" */
    const char *part; /* a channel of a unit, for people: "part of a point" */
    bool rotation;    /* targets are unit quaternions */
    bool angles;      /* a rotation by three Euler angles */

    /* a kind with a LIST */
    const char *option; /* takes a LIST of units; NULL: the units are channels that are in no other unit */
    size_t list;        /* offset of that LIST in struct unit_settings */
    size_t first;       /* the first component: 0 for w, 1 for x; 1: a kind of one column */
    size_t least;       /* number of columns, at least; at most all from the first component to z */
    const char *number; /* of columns, for messages */
    const char *hint;   /* after an entry of the LIST that names no unit */
    /* Do the first row's numbers show that the columns of a stem are a unit? NULL: only a list or the format
     * says it. */
    bool (*shows)(const struct stem *stem, const double number[4]);

    /* unit_follow, where no number is missing; NULL: the numbers stay as they are */
    bool (*follow)(const struct unit *unit, struct unit_before *before, double part[4]);
    /* what the numbers of a rotation mean; NULL: the numbers are the target, as of all that is no rotation */
    void (*target)(const struct unit *unit, const double part[4], double target[4]);
    void (*print)(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                  double print[4]);
};

extern const struct unit_kind unit_number, unit_angle, unit_quaternion;
extern const struct unit_kind *const unit_kinds[]; /* those of several columns; ends with NULL */

struct unit {
    const struct unit_kind *kind;
    size_t n;           /* number of channels: 1; of a vector 2 or 3; of a rotation 4 or 3 */
    size_t column[4];   /* [n] of a quaternion w, x, y, z; of Euler angles by euler_index */
    size_t channel[4];  /* [n] the channels of these columns */
    double period;      /* a full turn of an angle; else 0 */
    struct euler euler; /* of Euler angles: their order and period */
    char *name;         /* owned; of a vector, or the first part of a rotation's names of derivatives: hip of
                           hip_vel_x. NULL: a number or an angle */
    size_t rotation;    /* of a rotation: its number among the rotations, from 0 */
    bool listed;        /* an option names the unit */
    bool pattern;       /* not by its own name: a glob, the format or the names of columns found it */
};

static inline bool unit_is_rotation(const struct unit *unit)
{
    return unit->kind->rotation;
}

/* Are the numbers filtered unchanged, as those of a vector are? */
static inline bool unit_is_plain(const struct unit *unit)
{
    return !unit->kind->follow && !unit->kind->target;
}

/* --- what the numbers mean: unit_kinds.c --- */

/* Prepares the numbers part[n] of a row, which becomes the row before. A quaternion becomes -part where
 * -part, which means the same rotation, is nearer to the row before. An angle gets whole periods, and then
 * lies within half a period of the one before; exactly half a period away it stays on its side. False: a
 * number is missing, or all of a quaternion are 0: all numbers become NaN, and *before stays. */
bool unit_follow(const struct unit *unit, struct unit_before *before, double part[4]);

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
    return unit->kind->angles ? unit->euler.period / (2 * M_PI) : 1;
}

/* The axis of velocity, 0 to 2, that is in the outputs of component k of a rotation; more: no axis. */
static inline size_t unit_axis(const struct unit *unit, size_t k)
{
    return unit->kind->first + k - 1;
}

/* Sets of[n] to the outputs of a rotation's components for a velocity or acceleration: rate, in radians about
 * the three axes. */
static inline void unit_rates(const struct unit *unit, const double rate[3], double of[4])
{
    for (size_t k = 0; k < unit->n; k++) {
        const size_t axis = unit_axis(unit, k);
        of[k] = axis < 3 ? unit_radian(unit) * rate[axis] : 0;
    }
}

/* What the samples of a unit are for the rules of spikes and jumps: whole/noise/spikes.h. */
struct spike_kind unit_spike_kind(const struct unit *unit);

/* Returns an angle in the turn nearest to `near`; exactly `near` if it is whole periods away. */
double angle_near(double angle, double near, double period);

/* --- the units of a filter: unit_lists.c finds them, units.c takes them --- */

/* Options about units. */
struct unit_settings {
    const char *quaternions; /* --quaternions: names, globs, positions, or "none"; NULL: not given */
    const char *rotations;   /* --rotations: likewise, with orders of axes, or "none"; NULL: not given */
    const char *vectors;     /* --vectors: as --quaternions */
    const char *angles;      /* --angles; NULL: not given */
    double period;           /* --period; NaN: not given */
};

struct units {
    struct unit *at; /* [n] owned */
    size_t n, max;
    bool *owned; /* [ncolumn] owned; is the column in a unit? */
    size_t *of;  /* [nchannel] owned; the channel's unit: index into at */
    size_t nrotation, nvector;
    size_t nshown; /* units that names and the first row show: quaternions */
};

/* The unit of a channel. */
static inline const struct unit *units_of(const struct units *units, size_t channel)
{
    return &units->at[units->of[channel]];
}

/* The rotation that a channel is a component of, or NULL. */
static inline const struct unit *units_rotation(const struct units *units, size_t channel)
{
    const struct unit *unit = units_of(units, channel);
    return unit_is_rotation(unit) ? unit : NULL;
}

/* The vector that a channel is a component of, or NULL. */
static inline const struct unit *units_vector(const struct units *units, size_t channel)
{
    const struct unit *unit = units_of(units, channel);
    return unit->n > 1 && !unit_is_rotation(unit) ? unit : NULL;
}

/* Adds the units of the table that a LIST names: names, globs, positions with the order of the components. */
bool units_listed(struct units *units, const struct table *table, const struct unit_kind *kind,
                  const char *list, struct error *e);

/* The LIST of a kind; NULL: its option is not given. */
static inline const char *unit_list(const struct unit_kind *kind, const struct unit_settings *settings)
{
    return *(const char *const *)((const char *)settings + kind->list);
}

/* Adds the units of free columns that the format states, or that names and the first row show, of the kinds
 * without a LIST. */
bool units_known(struct units *units, const struct table *table, const struct unit_settings *settings,
                 struct error *e);

/* Finds the units: those of the lists, then those that the format or the names show; the other channels are
 * angles or numbers. A unit is filtered as a whole or not at all: one of a list whose columns are not all
 * channels, and a rotation that the filter cannot filter, are errors. filter: NULL: any. *units is zeroed
 * before, and units_free follows, also after an error. */
bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct filter *filter, struct start_position start, struct error *e);
void units_free(struct units *units);

/* Where one number of a vector has no goal in a row, or a quaternion is 0, all its numbers become missing in
 * the row, as if the input had no numbers there: their cells keep their text. (A rotation that misses a
 * number is a gap by unit_follow.) */
void units_complete(const struct units *units, const struct block *block);

/* --- stems: unit_names.c ---
 *
 * Columns whose names differ in the letter of a component alone, as hip_x to hip_z, or q_RS_w [] to q_RS_z
 * []; and the columns of a joint or a vector of the format. */

struct stem {
    char *key;        /* owned; the kind of letters, and the name without the letter */
    char *word;       /* owned; what a LIST calls the stem: q_RS of q_RS_w [] */
    const char *tail; /* after the letter: "rotation", "position" or "" */
    char letters;     /* 'w': they are w, x, y and z; 'r': r, i, j and k; '0': digits; the format
                         says: 'j': a joint; 'v': a vector */
    bool named;       /* something is before the letter, or above the names */
    unsigned seen;    /* bit k: column[k] was found */
    size_t column[5]; /* of w, x, y, z; of r, i, j, k; of the digits 0 to 4 */
};

struct stems {
    struct stem *at; /* [n] owned; in the order of their first columns */
    size_t n, max;
    struct name_table table; /* owned; the newest stem of each key */
};

/* Finds the stems of a table. stems_free follows, also on error. */
bool stems_make(struct stems *stems, const struct table *table, struct error *e);
void stems_free(struct stems *stems);

/* The place of a component, a letter or a digit, in stem.column. */
size_t stem_slot(char component);

/* Sets the columns of the unit to those of the stem. False: the stem has too few for the unit's kind. */
bool stem_take(const struct stem *stem, struct unit *unit);

#endif
