/* The rows of a window of a group as knots, for smoothing. Rows of one time are one knot, whose value is the
 * first valid value among them. The values of a number, an angle or a rotation at the knots become samples in
 * plain arrays (whole/samples.h); results at the knots go into the rows of the knots.
 */
#ifndef SPRUNG_SERIES_HELD_KNOTS_H
#define SPRUNG_SERIES_HELD_KNOTS_H

#include "rows/units.h"
#include "series/operator.h"
#include "series/series.h"
#include "whole/samples.h"
#include "whole/smooth_window.h"

struct chunk;
struct filter_group;
struct series;

/* The rows of one group that are held. The values of rows whose results are not given stand in their blocks.
 * The blocks of rows whose results are given may have left: the values are kept here. Zeroed: no rows yet. */
struct held_rows {
    size_t nrow;
    size_t noff, max; /* removed rows at the beginning of the arrays; room, removed rows included */
    /* With a rate no row is a point, steps are even, and times are numbers of rows: there are no arrays. */
    double *T;    /* [noff + nrow] seconds since the previous row of the group; owned, as the three below */
    bool *point;  /* [noff + nrow] is the row a point that --resample adds? false: a row of the input */
    double *time; /* [noff + nrow] time in the unit of the input */
    struct timestamp *stamp;          /* [noff + nrow] time as written; NULL: no gap is too long by seconds */
    size_t ngiven;                    /* the results of the rows before are given */
    uint64_t number;                  /* number of row 0 in the group */
    const struct series_rows *in;     /* NULL: no rows yet, as `rows` */
    const struct operator_rows *rows; /* places of the rows from ngiven on */
    struct window_channel *channel;   /* [nchannel] at the row that was counted last */
    struct usual_step *usual; /* [nchannel] usual step of the last part of a unit, at its first channel */
    struct unwrap *unwrap; /* [nchannel] of angles: the turns before row 0; owned, with channel and usual */

    struct window_rows counted; /* the first rows, which windows go by; owned */

    double *given_value; /* [nchannel][maxgiven] of the rows whose results are given; owned */
    size_t maxgiven;
};

/* Is a row a point of --resample, and no row of the input? */
static inline bool held_is_point(const struct held_rows *held, size_t row)
{
    return held->point && held->point[held->noff + row];
}

/* The place of a row whose result is not given. */
static inline struct spot held_spot(const struct held_rows *held, size_t row)
{
    return operator_spot(held->rows, held->number + row);
}

/* How many of the rows from `row` to end - 1, whose results are not given, lie side by side in one block. */
static inline size_t held_side_by_side(const struct held_rows *held, size_t row, size_t end)
{
    const size_t n = operator_side_by_side(held->rows, held->number + row);
    return n < end - row ? n : end - row;
}

/* Begins to hold the rows of a group. False: out of memory. */
bool held_rows_begin(struct held_rows *held, const struct series_rows *in, const struct operator_rows *rows,
                     struct error *e);

/* Adds the new rows of a chunk, whose steps are in series->T. False: out of memory. */
bool held_rows_take(struct held_rows *held, const struct series *series, const struct filter_group *group,
                    const struct chunk *chunk, struct error *e);

/* Counts some of the rows that are not counted; at least one is not. period: seconds of a wave at the lowest
 * cutoff. False: out of memory. */
bool held_rows_count(struct held_rows *held, const struct series *series, double period, struct error *e);

/* Notes that the results of the rows before row `to` are given, and removes the rows before row `keep`, which
 * is at most `to`. False: out of memory. */
bool held_rows_give(struct held_rows *held, size_t to, size_t keep, struct error *e);

void held_rows_free(struct held_rows *held);

struct knots {
    /* Set by the caller of knots_make. */
    const struct series_rows *in;
    size_t nwant; /* number of wanted outputs of a channel: its out columns in a block */
    bool given;   /* values that filled a gap or a spike are missing: they say nothing about the noise */

    /* Set by knots_take_rows. */
    struct held_rows *held;      /* of the group */
    size_t at;                   /* the first of its rows in the window */
    size_t nrow;                 /* the number of rows in the window */
    size_t from, to;             /* rows whose results are wanted */
    struct smooth_window window; /* the window in knots: those with a wanted row */
    size_t keep;                 /* the first row that the next window needs */
    size_t n;                    /* number of knots */
    bool shared;                 /* several rows have the same time; false: row k is knot k */
    double *T;                   /* [n] seconds since the previous knot */
    double *time;                /* [n] in the unit of the input; not known with a rate */
    bool *point;             /* [n] no row of the knot is a row of the input: it is a point of --resample */
    struct timestamp *stamp; /* [n] times of the first rows; only where a gap may be too long by seconds */
    bool any_point;          /* a knot is a point */
    size_t *nread;           /* [n] with `shared` or any_point: rows of the knot that are rows of the input */
    size_t *first; /* [n] with `shared`: index of the first row of each knot. Owned, with the other arrays in
                      the same allocation */

    /* Set by knots_gather. */
    const struct unit *unit; /* the number, angle, vector or rotation under way */
    double *cell;            /* [unit->n][nrow] numbers of the unit in the rows; NaN: missing */
    double *value;           /* [n * unit_width] NaN in the first double of a sample: no value. The cells of a
                                number, where no knot is shared; else `room` */
    double *room;            /* [n * unit_width] */
    double *turns;           /* [n] of an angle: number of periods that were added */
    struct sample_run *run;  /* [nrun] runs, which begin and end with a value */
    size_t nrun;
    double read[4]; /* cells of the last knot with a value; quaternions with the sign nearer to the quaternion
                       before */
    double printed[4]; /* numbers of a rotation that were printed last */
};

/* Makes room for windows of up to most rows, whose samples have up to width doubles. knots_free may be called
 * also where knots_make was not called, or failed; knots is zeroed before. */
bool knots_make(struct knots *knots, size_t most, size_t width, struct error *e);
void knots_free(struct knots *knots);

/* Finds the knots of a window of a group, which begins at row `at`; not 0: the samples alone are wanted. held
 * must stay as long as the knots are used. */
void knots_take_rows(struct knots *knots, struct held_rows *held, size_t at,
                     const struct smooth_window *window, size_t keep);

/* Reads the samples of a unit, and divides them into runs: a run ends before a gap that ends the run of a
 * filter (whole/gaps.h), and before a gap longer than `longest` seconds. Points behind the last row of the
 * input are in no run. */
void knots_gather(struct knots *knots, const struct unit *unit, double longest);

/* The samples of the unit. */
struct samples knots_samples(const struct knots *knots);

/* Index of the first row of a knot; for knot n the number of rows. */
static inline size_t knots_first_row(const struct knots *knots, size_t knot)
{
    if (!knots->shared)
        return knot;
    return knot == knots->n ? knots->nrow : knots->first[knot];
}

/* The first row of a knot whose result is not given. */
static inline struct spot knots_spot(const struct knots *knots, size_t knot)
{
    size_t row = knots_first_row(knots, knot);
    return held_spot(knots->held, row > knots->from ? row : knots->from);
}

/* Is the result at a knot wanted, in any of its rows? */
static inline bool knots_wanted(const struct knots *knots, size_t knot)
{
    return knot >= knots->window.from && knot < knots->window.to;
}

/* The number of cells of the unit that are missing in wanted rows of the input; a row of a rotation or a
 * vector that misses a cell counts for each cell. */
size_t knots_count_gaps(const struct knots *knots);

/* Rows per second of the rows that were read, by run_steps_row_rate. NaN: fewer than two times. Spoils
 * the samples. */
double knots_row_rate(struct knots *knots);

/* A result of the unit at a knot. */
struct knot_result {
    unsigned derivative; /* 0, 1: velocity, or 2: acceleration */
    bool at_goal;        /* the result of a rotation is the sample to the last bit */
    double x[4]; /* a number; a quaternion; or three components of the rate of a rotation in radians */
};

/* Turns a result into the numbers that are printed, in place: result->x[unit->n]. The last three
 * channels of a rotation have x, y and z of velocity and acceleration. */
void knots_make_cells(struct knots *knots, size_t knot, struct knot_result *result);

/* Are the results of the unit numbers that go into the rows as they are, each knot into its only row? */
bool knots_are_numbers(const struct knots *knots);

/* Puts the numbers of one of the unit's channels into wanted rows, from row `first` to end - 1, where
 * knots_are_numbers. x: [end - first][unit->n]. */
void knots_scatter_numbers(const struct knots *knots, size_t output, size_t first, size_t end, size_t channel,
                           const double *x);

/* Puts numbers x[unit->n], of wanted output `output`, into the wanted rows of a knot. With --gaps
 * fill a gap gets the numbers, too; else it stays a gap. */
void knots_scatter(const struct knots *knots, size_t output, size_t knot, const double x[4]);

#endif
