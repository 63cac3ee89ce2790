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

struct series;

/* The rows of one group that are held. Rows whose results are not given stand in their blocks, and are read
 * there. The blocks of rows whose results are given may have left: the arrays hold what further results need
 * of such rows. Zeroed: no rows yet. */
struct held_rows {
    size_t nrow;
    size_t ngiven;                    /* the results of the rows before are given */
    uint64_t number;                  /* number of row 0 in the group */
    const struct series_rows *in;     /* NULL: no rows yet, as `rows` */
    const struct operator_rows *rows; /* places of the rows from ngiven on */
    struct window_channel *channel;   /* [nchannel] at the row that was counted last */
    double *usual;         /* [nchannel] usual step of the last part of a unit, at its first channel */
    struct unwrap *unwrap; /* [nchannel] of angles: the turns before row 0; owned, with channel and usual */

    struct window_rows counted; /* the first rows, which windows go by; owned */

    /* The rows whose results are given, [ngiven]. */
    double *given_T;              /* seconds since the row before; owned, with the other arrays */
    struct timestamp *given_time; /* not used with a rate */
    bool *given_point;            /* the row is a point of --resample */
    double *given_value;          /* [nchannel][maxgiven] */
    size_t maxgiven;
};

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

/* Is a row a point of --resample, and no row of the input? */
bool held_is_point(const struct held_rows *held, size_t row);

/* Begins to hold the rows of a group. False: out of memory. */
bool held_rows_begin(struct held_rows *held, const struct series_rows *in, const struct operator_rows *rows,
                     struct error *e);

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

    /* Set by knots_take_rows. */
    struct held_rows *held;      /* of the group */
    size_t nrow;                 /* the number of its first rows, which are a window */
    size_t from, to;             /* rows whose results are wanted */
    struct smooth_window window; /* the window in knots: those with a wanted row */
    size_t keep;                 /* the first row that the next window needs */
    size_t n;                    /* number of knots */
    double *T;                   /* [n] seconds since the previous knot */
    double *time;                /* [n] times in the unit of the input; not used with a rate */
    bool shared;                 /* several rows have the same time; false: row k is knot k */
    size_t *nread;           /* [n] with `shared` or any_point: rows of the knot that are rows of the input */
    bool *point;             /* [n] no row of the knot is a row of the input: it is a point of --resample */
    bool any_point;          /* there is such a knot */
    struct timestamp *stamp; /* [n] where a gap is too long by seconds: times of the first rows */
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

/* Finds the knots of a window of a group. held must stay as long as the knots are used. */
void knots_take_rows(struct knots *knots, struct held_rows *held, const struct smooth_window *window,
                     size_t keep);

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
