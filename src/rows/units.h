/* Units: what is filtered as a whole. unit_kinds.c has a row for each kind, such as
 * numbers, angles, vectors and rotations. Invariant: every channel is in exactly one unit. */
#ifndef SPRUNG_ROWS_UNITS_H
#define SPRUNG_ROWS_UNITS_H

#include "rows/block.h"
#include "rows/table.h"
#include "springs/filter.h"
#include "springs/rotations/rotation.h"
#include "whole/samples.h"

struct spike_kind;
struct unit;

/* What a unit remembers of the row before. Zero-initialize. */
struct unit_before {
    double number[4]; /* numbers after unit_follow; of an angle, the number in the file */
    double turns;     /* of an angle: number of periods that were added to it */
    bool known;       /* there has been a row without a gap */
};

/* A kind of units: all that is special about it. The target of a unit is what a filter follows: the numbers
 * themselves, or the unit quaternion that the numbers of a rotation mean. */
struct unit_kind {
    /* words */
    const char *name; /* of a unit, in JSON and messages: "vector" */
    const char *part; /* of a channel of a unit, for people: "part of a point" */
    const char *noun; /* "quaternion", in the note "1 quaternion is filtered as a rotation" */

    /* the option with a LIST of units; NULL: the units are channels that are in no other unit */
    const char *option;
    size_t list;      /* offset of that LIST in struct unit_settings */
    const char *hint; /* after an entry of the LIST that names no unit */

    /* columns: their names differ in one of the letters, small or capital, in the order of unit.column. Each
     * text is one way to name all columns, of at most four letters; a kind of single columns has none. */
    const char *letters[5]; /* ends with NULL */
    const char *tail; /* what names may have after .LETTER: "rotation" in hip.Xrotation; NULL: nothing */
    size_t least;     /* number of columns, at least; at most those of letters[0] */
    /* Does the first row show the unit? NULL: only a LIST or the format says it. named: the names show it,
     * too, by a letter after a stem, as in hip_w. */
    bool (*shows)(const double number[4], bool named);

    /* what the numbers mean */
    bool rotation; /* targets are unit quaternions */
    bool angles;   /* a rotation by three Euler angles */
    /* unit_follow, where no number is missing; NULL: the numbers stay as they are */
    bool (*follow)(const struct unit *unit, struct unit_before *before, double part[4]);
    /* what the numbers of a rotation mean; NULL: the numbers are the target, as of all that is no rotation */
    void (*target)(const struct unit *unit, const double part[4], double target[4]);
    void (*print)(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                  double print[4]);
};

extern const struct unit_kind unit_number, unit_angle, unit_quaternion;
extern const struct unit_kind *const unit_kinds[]; /* those with an option; ends with NULL */

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
    bool shown;         /* only names and the first row show the unit */
};

static inline bool unit_is_rotation(const struct unit *unit)
{
    return unit->kind->rotation;
}

static inline bool unit_is_vector(const struct unit *unit)
{
    return unit->n > 1 && !unit->kind->rotation;
}

/* Are the numbers filtered unchanged, as those of a vector are? */
static inline bool unit_is_plain(const struct unit *unit)
{
    return !unit->kind->follow && !unit->kind->target;
}

/* Is the first axis of Euler angles also the third, as in ZXZ? */
static inline bool unit_repeats_axis(const struct unit *unit)
{
    const unsigned char *axis = unit->euler.axis;
    return axis[0] == axis[2] && axis[0] != axis[1];
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

/* Sets print[n] to numbers that mean the target: of the angles that mean it to those nearest to read[n], else
 * to the target itself. at_goal: the target is what the numbers `read` mean, and a rotation
 * prints these, digit by digit, unless `read` is a quaternion whose length is not 1. */
void unit_print(const struct unit *unit, const double read[4], const double target[4], bool at_goal,
                double print[4]);

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

/* The axis of velocity, 0 to 2, that is in the outputs of component k; 3: none, as of w in w, x, y, z. */
static inline size_t unit_axis(const struct unit *unit, size_t k)
{
    return unit->n < 4 ? k : (k + 3) % 4;
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

/* --- the units of a filter: unit_lists.c and unit_names.c find them, units.c takes them --- */

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
    size_t *owner; /* [ncolumn] owned; the number of the column's unit, from 1; 0: the column is in none */
    size_t *of;    /* [nchannel] owned; the channel's unit: index into at */
    size_t nrotation, nvector;
};

/* The unit of a channel. */
static inline const struct unit *units_of(const struct units *units, size_t channel)
{
    return &units->at[units->of[channel]];
}

/* Adds a unit. If a column is in another unit, the unit is left out, or, where its name found it, refused. */
bool units_add(struct units *units, const struct table *table, const struct unit *unit, struct error *e);

/* Adds the units of the table that a LIST names: names, globs, positions with the order of the components. */
bool units_listed(struct units *units, const struct table *table, const struct unit_kind *kind,
                  const char *list, struct error *e);

/* The LIST of a kind; NULL: its option is not given. */
static inline const char *unit_list(const struct unit_kind *kind, const struct unit_settings *settings)
{
    return *(const char *const *)((const char *)settings + kind->list);
}

/* Adds the units of free columns that the format states, or that names and the first row show, of the kinds
 * whose option is not given. */
bool units_known(struct units *units, const struct table *table, const struct unit_settings *settings,
                 struct error *e);

/* Finds the units: those of the lists, then those that the format or the names show; the other channels are
 * angles or numbers. A unit is filtered as a whole or not at all: one of a list whose columns are not all
 * channels, and a rotation that the filter cannot filter, are errors. filter: NULL: any. *units is zeroed
 * before, and units_free follows, also after an error. */
bool units_make(struct units *units, const struct table *table, const struct unit_settings *settings,
                const struct filter *filter, struct start_position start, struct error *e);
void units_free(struct units *units);

/* Where one number of a vector has no goal in a row, or unit_follow finds none, as of a quaternion of zeros,
 * all its numbers become missing in the row, as if the input had no numbers there: their cells keep their
 * text. (A rotation that misses a number is a gap by unit_follow.) */
void units_complete(const struct units *units, struct block *block);

/* --- names of columns: unit_names.c --- */

/* Does a LIST call the unit so, one of whose columns has the name: hip or a glob, of hip_w or hip.w? */
bool unit_is_called(const struct unit *unit, const char *name, const char *word);

/* Sets the unit's columns to column i, which has the first letter, and those with the next letters in its
 * place. False: the unit has too few for its kind. */
bool unit_by_names(struct unit *unit, const struct table *table, size_t i);

#endif
