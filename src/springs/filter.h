/* What a filter is: a descriptor with option rows and a few small functions. The caller (series/) owns time,
 * gaps, first samples, groups, channels and memory; a filter sees finite numbers, one step of T > 0 at a
 * time. Invariant: state is plain doubles that memcpy may copy, and results do not depend on how rows are
 * split into runs. */
#ifndef SPRUNG_SPRINGS_FILTER_H
#define SPRUNG_SPRINGS_FILTER_H

#include "base/error.h"
#include "base/param.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    FILTER_MAXSTATE = 10,      /* doubles of state of a filter that uses run_rows */
    FILTER_MAXSTEP = 16,       /* coefficients of a filter that is linear or predicts */
    FILTER_MAXOUT = 3,         /* outputs of a filter that uses run_rows */
    FILTER_SIZES = 3,          /* most sizes that a row depends on */
    FILTER_MAXSETTINGS = 1024, /* bytes of the settings; a unit test fails where a filter has more */
    RUN_MAXANY = 1024          /* outputs of a filter that uses run_any */
};

/* What is special about a row of one channel; bits. */
enum row_flag {
    FLAG_START =
        1, /* first row of a series, or after a gap that ended the run: start() is called, not row() */
    FLAG_NO_VALUE = 2, /* no value yet, or no value any more: the output is a gap, the state is kept */
    FLAG_CUT = 8,      /* seen by row(): the goal jumped before this row, or the row before was in a gap */
    FLAG_GAP = 16,     /* seen by row(): the goal is missing, and this row repeats the last goal */
    FLAG_NO_NEXT = 32  /* seen by row(), only where ahead == 1: next and next_T are not known */
};

/* How many doubles a filter needs. */
struct shape {
    size_t nstate; /* state of a channel */
    size_t nstep;  /* coefficients, computed once per distinct T and shared by all channels */
    size_t nout;   /* output columns; the first replaces the cell unless the filter keeps it */
};

/* The continuous equation of a linear low-pass: count springs in series, each x'' = s (g - x) + d (feed g' -
 * v). A filter of the first order, x' = rate (g - x), counts as half a critical spring: s = rate^2,
 * d = 2 rate, feed = 0, count = 0.5. */
struct continuous {
    double s, d;  /* stiffness (1/s^2) and damping (1/s) of a spring */
    double feed;  /* part of the goal's velocity that counts: 0 none, 1 the whole velocity */
    double count; /* springs in series; 0: the filter has no continuous equation */
};

/* The beginning of the settings of every filter. */
struct filter_common {
    /* By filter_check(). */
    const struct filter *filter;
    bool zero_phase; /* the filter runs with --zero-phase */

    /* By param_set(): options that several filters have, zeroes in other filters. */
    double cutoff;         /* --cutoff in Hz, which step() meets on rows (springs/cutoff.h); NaN: not given;
                            * infinite: auto */
    int hold, approx;      /* enum hold, enum approx */
    struct numbers values; /* --predict in s, or --frequencies in Hz */
    bool loop;             /* --loop, of a filter with zero_phase */

    /* By check(). */
    struct continuous equation; /* of a linear filter; equation.count 0: the filter has no equation */
    /* Where equation.count is 0: see filter_time_scale(). NaN: no single time; it depends on the rows or on
     * the size of a change. 0: the filter responds immediately, and the user is warned. */
    double time_scale;
    double longest; /* longest stable step of --method euler, in seconds; 0: another method */
    bool linear;    /* twice the input gives twice the output; the outputs are value, _vel and _acc */
    bool limited;   /* limits of tracking are given */
    bool sized;     /* a row depends on sizes (filter.sizes): the components of a vector run together */
    bool moves;     /* the goal moves at constant speed from sample to sample; false: it jumps when a step
                     * begins */
    bool no_limit;  /* the answer to a step has no limit for short time steps: the row rate counts */
};

/* --start: where a series begins. Zeroed: at its first value. */
struct start_position {
    bool given;   /* at `value`; false: at the first value */
    double value; /* initial position, in the unit of the channel; 0 where none is given */
};

/* What start() gets: the first row of a channel in a series, or the first after a gap that ended a run. */
struct first_row {
    double goal;
    double x;        /* initial position */
    double velocity; /* initial velocity, per second; 0 where none is given */
    bool moving;     /* a velocity is given; else the tracking filter takes over the velocity of the goal */
};

/* What row() gets: a row of a channel. */
struct sample {
    double goal;
    double T; /* seconds since the previous row */
    double next,
        next_T;     /* goal and time step (s) of the next row; set where ahead == 1 and not FLAG_NO_NEXT */
    unsigned flags; /* FLAG_CUT, FLAG_GAP, FLAG_NO_NEXT */
    const double *size; /* [FILTER_SIZES] each is the length of the vector whose components filter.sizes
                           gives; NULL: the channel is a single number */
};

/* Consecutive rows of one series, for several channels at once. Each array holds one column. */
struct run {
    const void *settings;
    const struct shape *shape;
    size_t nrow, nchannel;
    const double *T;           /* [nrow + ahead] seconds since the previous row */
    const double *step;        /* row i: step + i * step_stride doubles */
    size_t step_stride;        /* 0 when all rows share one T */
    const double *const *goal; /* [nchannel], each [nrow + ahead] */
    const unsigned char *const
        *flags;           /* [nchannel], each [nrow], bits of enum row_flag; NULL: no row has a flag */
    double *const *out;   /* [nchannel * shape->nout], each [nrow] */
    bool value_only;      /* only output 0 of each channel is wanted */
    double *state;        /* [nchannel * shape->nstate] */
    const double *origin; /* [nchannel] start position for FLAG_START; NULL: the goal itself, or 0 */
    unsigned ahead;       /* rows of look-ahead: 0 or 1, filter.ahead */
    /* filter.sizes, where the channels are the components of one vector and have the same flags; NULL: each
     * channel is a single number */
    void (*sizes)(const void *settings, const struct sample *sample, const void *state, double *part);
};

struct filter_words; /* what help, manual and messages say (springs/filter_words.h) */

struct filter {
    const char *name;
    const struct filter_words *words;
    const struct param *params;
    size_t nparam;
    size_t settings_size; /* bytes of the settings, a struct that begins with a struct filter_common and
                           * that the offsets in params point into; zeroed, then set to the defaults */
    struct shape shape;   /* doubles for a filter without a list of values */
    struct shape each;    /* doubles added for each of filter_common.values (--predict, --frequencies);
                           * filter_shape() adds all up. The outputs of a value X are value@X, _vel@X and
                           * _acc@X, or the first each.nout of the three */
    unsigned ahead;       /* rows of look-ahead: 0 or 1 */
    bool zero_phase;      /* takes --zero-phase */
    bool cuts;            /* takes cuts (--cuts, --cut-column, --detect-cuts) */
    bool other_unit;      /* output 0 cannot be compared with the input, and begins at 0 */
    bool keeps_cell;      /* output 0 gets another column, and the channel's cell stays as it was */

    /* Of a filter that may filter rotations, else NULL: what each double of the state is, a letter each. The
     * state is relative to the target of the row; where the target turns, the letter says how a double
     * changes with it: g the goal (the first double), x output 0 of the last row, e that output less the
     * goal, v the velocity of that output; - does not change. */
    const char *rotations;

    /* Checks options against each other, and computes coefficients that do not depend on T into *settings.
     * Called by filter_check() alone, also on its own result with other numbers in the fields of options:
     * computes everything again from the fields of options. */
    bool (*check)(void *settings, struct error *e);
    /* Computes the coefficients of a step of T seconds, T > 0. Pure. */
    void (*step)(const void *settings, double T, void *step);
    /* Sets state and outputs for a first row. */
    void (*start)(const void *settings, const struct first_row *first, void *state, double *out);
    /* For rotations, called before row(): velocity of the target that output 0 moves along with in this row,
     * where the state holds only the error from the target. slope: velocity of the goal since the last row.
     * NULL: velocity 0. */
    double (*drift)(const void *settings, const void *state, const struct sample *sample, double slope);
    /* Where filter_common.sized is true, called before row(): sets part[FILTER_SIZES], zeroed before, to this
     * component of the vectors whose lengths row() takes (sample.size). NULL: row() uses no lengths. */
    void (*sizes)(const void *settings, const struct sample *sample, const void *state, double *part);
    /* Filters every channel over every row; usually one call of run_rows. */
    void (*run)(const struct run *run);
};

/* Shorthand for the option rows (param.h) and the descriptor in a filter's file, which has a struct settings.
 * DOUBLES: the size of a struct of doubles, counted in doubles. */
#define FIELD(name) offsetof(struct settings, name)
#define FILTER_OPTIONS(rows)                                                                                 \
    .params = rows, .nparam = sizeof rows / sizeof *rows, .settings_size = sizeof(struct settings)
#define DOUBLES(type) (sizeof(type) / sizeof(double))

/* x; an infinite x becomes the largest finite number of the same sign. */
static inline double filter_finite(double x)
{
    return fmax(fmin(x, DBL_MAX), -DBL_MAX);
}

/* The filter's option row with this name, or NULL. */
const struct param *filter_option(const struct filter *filter, const char *name);

/* Checks settings whose fields of options are set, and computes the others. zero_phase: the filter runs
 * with --zero-phase. */
bool filter_check(const struct filter *filter, void *settings, bool zero_phase, struct error *e);

/* Is the cutoff still to be chosen (--cutoff auto)? */
static inline bool filter_automatic(const void *settings)
{
    return isinf(((const struct filter_common *)settings)->cutoff);
}

/* Room for the settings of any filter. */
struct filter_room {
    _Alignas(max_align_t) char settings[FILTER_MAXSETTINGS];
};

/* The equation of a filter for one row of one channel, and for a first row: sets the state and the outputs.
 * Steps and states are arrays of doubles, which a filter takes as structs of as many doubles. */
typedef void filter_row(const void *settings, const void *step, const struct sample *sample, void *state,
                        double *out);
typedef void filter_start(const void *settings, const struct first_row *first, void *state, double *out);

/* Sets the outputs of most filters: position, velocity and acceleration. */
static inline void filter_put(double *out, double x, double v, double a)
{
    out[0] = x;
    out[1] = v;
    out[2] = a;
}

/* All filters, NULL-terminated, in the order of help. */
extern const struct filter *const filter_list[];

/* The filter with the name, or NULL. */
const struct filter *filter_find(const char *name);

/* The list of --predict or --frequencies; an empty list where the filter has no such option. */
static inline const struct numbers *filter_values(const void *settings)
{
    return &((const struct filter_common *)settings)->values;
}

/* The filter, if --predict is among these settings; else NULL. */
static inline const struct filter *filter_predicts(const struct filter *filter, const void *settings)
{
    return !filter->keeps_cell && filter_values(settings)->nvalue > 0 ? filter : NULL;
}

/* Is output k the filtered value, or a predicted one? */
static inline bool filter_gives_value(const struct filter *filter, const void *settings, size_t k)
{
    const size_t own = filter->shape.nout;
    return k == 0 || (k >= own && filter_predicts(filter, settings) && (k - own) % filter->each.nout == 0);
}

/* The filter's shape with these settings. */
struct shape filter_shape(const struct filter *filter, const void *settings);

/* The filter with checked settings answers twice the input by twice the output. */
bool filter_is_linear(const void *settings);

/* Seconds that the filter needs for most of a change: about its lag. NaN: no single time; it depends on the
 * rows or on the size of a change. */
double filter_time_scale(const void *settings);

/* Angular frequency at which the gain of one pass, or with zero_phase of two, is 1/sqrt 2, over sqrt s, the
 * undamped angular frequency. z: damping ratio; feed and count: as in struct continuous. */
double filter_cutoff(double z, double feed, double count, bool zero_phase);

#endif
