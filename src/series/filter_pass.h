/* The pass of a filter that goes from sample to sample. For some hundred samples at a time it finds their
 * goals, flags and the cuts of --detect-cuts (channel_rows.c), runs the filter over numbers, vectors and
 * rotations, and turns what the filter has computed into results. A knot is decided when it has come or,
 * where the filter looks ahead and with --detect-cuts, when the next one has come. Invariants: a result
 * depends on the samples before it, and where the filter looks ahead on the next one; never on how many are
 * taken at a time. */
#ifndef SPRUNG_SERIES_FILTER_PASS_H
#define SPRUNG_SERIES_FILTER_PASS_H

#include "series/core.h"
#include "springs/coefficients.h"
#include "whole/jumps.h"

/* A channel of a series between samples. */
struct channel_state {
    bool running;              /* the filter runs: there was a sample, and no gap has ended the run since */
    bool open;                 /* the last sample is missing */
    double goal;               /* the last goal */
    struct unit_before before; /* of the unit whose first channel this is */
    double printed;            /* of an angle: what was printed last */
};

/* A rotation of a series between samples. */
struct rotation_memory {
    double print[4]; /* numbers that were printed last */
    struct rotation_state state;
};

/* --detect-cuts for a unit. */
struct detect_state {
    struct jumps jumps;
    double before[4];  /* goals of the sample before, if before_known */
    bool before_known; /* the sample before had numbers */
};

/* What the pass remembers of a series, in the state of the group. */
struct filter_series {
    uint64_t at; /* the first knot that the filter has not taken; the one before it stays (core.c: drop) */
    struct channel_state *channel;    /* [nchannel] by place */
    struct detect_state *detect;      /* [units.n] with --detect-cuts */
    struct rotation_memory *rotation; /* [nrotation] */
    double *state;                    /* [nchannel * nstate] of the filter, by place */
};

/* Every channel has a place in the arrays of the pass: the components of a unit are side by side. */
struct filter_pass {
    struct core *core;
    struct shape shape; /* of the filter in one run */
    size_t npredict;    /* numbers of --predict; each is another run */
    struct coefficients coefficients;
    size_t maxrow; /* most samples at a time; 1 where each is followed by predictions */

    size_t *place;      /* [nchannel] of each channel */
    size_t *channel_at; /* [nchannel] the channel in each place */

    /* Of the samples at work, by place. The first array owns all arrays of the pass. */
    double *goal; /* [nchannel * (maxrow + 1)] goals of channels with flags; the last is that of the next
                     sample */
    unsigned char *flag;       /* [nchannel * (maxrow + 1)] */
    double *scratch;           /* [maxrow] takes the outputs that are not wanted */
    const double **goal_at;    /* [nchannel] the goals: in `goal`, or the knots' own */
    unsigned char **flag_at;   /* [nchannel] the flags; NULL: no sample has one */
    unsigned char **unflagged; /* [nchannel] each NULL */
    double **out_at;           /* [1 + npredict][nchannel * shape.nout] where the outputs of each run go */
    double *start;             /* [nchannel] where channels start */
    void *per_radian;          /* room for the settings of Euler angles */
    char *later;               /* [nbyte] room for what is remembered of a series */
    char *record;              /* [points_size] likewise, with the rest of a record of points */

    size_t nbyte;                              /* of what the pass remembers of a series */
    size_t channel, detector, rotation, state; /* places in it */
};

/* Samples that are taken at a time. */
struct chunk {
    struct series *series;
    struct filter_series *memory;
    size_t at;     /* index of the first sample in the knots */
    size_t n;      /* samples */
    size_t nknown; /* n, or n + 1 where the next sample is known and the filter looks ahead */
};

/* channel_rows.c: sets goal_at and flag_at of all channels. */
void channel_rows_take(struct filter_pass *pass, const struct chunk *chunk);

/* filter_run.c: filters n samples, whose coefficients, goals, flags and places of outputs are set, and
 * predicts. */
void filter_run(const struct filter_pass *pass, struct filter_series *memory, const double *T, size_t n);

/* --- points between samples, for --resample: filter_run.c ---
 *
 * A point is the filter's own state there, computed as its row is made (grid.c), and no sample depends on it:
 * a series keeps a record of what the filter knew before each sample with points before it, until the row of
 * the sample is made. */

/* Bytes of a record. */
size_t points_size(const struct filter_pass *pass);

/* Keeps the record of the points before the first sample of a chunk, whose goals and flags are known.
 * pass->record: begins with what the filter knew before. */
void points_keep(struct core *core, const struct chunk *chunk);

/* Computes the results at a part of the step, 0 to 1, by the first record of a series, into the first row of
 * the columns out[nchannel * nwant]. */
void points_of_states(struct core *core, const struct series *series, double part, struct knot_columns out);

/* Lets go of the first record. */
void points_drop(const struct core *core, struct series *series);

/* --- filter_pass.c --- */

/* Has the wanted outputs go to the columns out[nchannel * nwant]. */
void filter_set_outputs(struct filter_pass *pass, struct knot_columns out);

/* Sets the pointers in what is remembered of a series. */
struct filter_series *filter_memory(const struct filter_pass *pass, void *bytes);

/* The place of the first component of a unit. */
static inline size_t filter_place_of(const struct filter_pass *pass, const struct unit *unit)
{
    return pass->place[unit->channel[0]];
}

/* The goals of a unit in sample p of the samples at work. */
static inline void filter_goals(const struct filter_pass *pass, const struct unit *unit, size_t p,
                                double goal[4])
{
    const double *const *goal_at = pass->goal_at + filter_place_of(pass, unit);
    for (size_t k = 0; k < unit->n; k++)
        goal[k] = goal_at[k][p];
}

/* Room for the goals in a place. */
static inline double *filter_own_goals(const struct filter_pass *pass, size_t place)
{
    return pass->goal + place * (pass->maxrow + 1);
}

/* Appends the pass to core->pass. False and *e: out of memory. */
bool filter_pass_open(struct core *core, struct error *e);

#endif
