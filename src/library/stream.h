/* A filter of the library and its state between rows. Numbers: stream_numbers.c; rotations:
 * stream_rotations.c. */
#ifndef SPRUNG_LIBRARY_STREAM_H
#define SPRUNG_LIBRARY_STREAM_H

#include "library/settings.h"
#include "springs/rotations/rotation.h"

/* The arrays of one call of sprung_process, from the row under way on. */
struct stream_rows {
    size_t n;
    const double *step, *goal;
    const unsigned char *cut;
    double *value, *velocity, *acceleration;
    bool known; /* no goal is missing */
};

/* A row that a prediction computes, of one channel. Its arrays are as long as the lists of the settings ask
 * for. */
struct stream_ahead {
    double *step;    /* [shape.nstep] */
    double *state;   /* [shape.nstate] */
    double *out;     /* [shape.nout] */
    double **out_at; /* [shape.nout] the address of each output */
};

struct sprung {
    struct library_filter own;
    struct shape shape; /* of the filter with its settings */
    size_t n;           /* channels, or rotations */
    bool rotations;
    struct gap_state *gaps; /* [n] gaps of each channel or rotation; owned, with all arrays of the struct */
    bool begun;             /* a row or a start has come: steps count */
    bool quiet;             /* gaps_are_quiet for every channel */

    double T;          /* the step that `coefficient` holds; 0: none yet */
    double *step;      /* [most * shape.nstep] coefficients of rows */
    double *last_step; /* [shape.nstep] coefficients of T */
    double *own_T;     /* [most + 1] steps of the rows under way */
    size_t most;       /* rows that are filtered at once */
    size_t output[3];  /* output number of value, velocity and acceleration; shape.nout: none */

    /* Numbers: the columns of the rows under way, stored one behind the other. A column has `height` rows. */
    double *state;        /* [n * shape.nstate] */
    double *last;         /* [n] the last goal; of rotations [n][4] as read */
    double *printed;      /* [n * shape.nout] the last outputs; of rotations [n][4] the last values */
    bool unprinted;       /* of numbers: the last outputs are still those of the last row of `out` */
    size_t height;        /* at most `most`; 0: no rows yet */
    double *goal;         /* [n][height + 1] */
    double *out;          /* [n * shape.nout][height] */
    unsigned char *flags; /* [n][height] */
    const double **goal_at;
    const unsigned char **flags_at;
    double **out_at;
    struct run run; /* over the columns */
    struct stream_ahead ahead;

    /* Rotations. */
    struct rotation_state *rotation; /* [n] */
    struct rotation_result *result;  /* [n] the last result */
    double *read;                    /* [n][4] the last quaternion as read, with the sign of the one before */
};

/* Is the row a further one of the same time? The first row is not. */
bool stream_is_same_time(const struct sprung *stream, const struct stream_rows *rows, size_t row);

/* Does the row follow a cut? */
bool stream_is_cut(const struct sprung *stream, const struct stream_rows *rows, size_t row);

/* The coefficients of a step of T > 0 seconds; they stay until another step is asked for. */
const double *stream_coefficients(struct sprung *stream, double T);

/* The filter of the rotations. Velocity and acceleration are computed in every row, whatever the call asks
 * for: rows of the next call go on from them. */
static inline struct rotation_filter stream_rotation_filter(const struct sprung *stream)
{
    const struct filter *filter = stream->own.filter;
    return (struct rotation_filter){
        .filter = filter, .settings = stream->own.settings, .shape = &filter->shape, .derivatives = 2
    };
}

/* Filters rows->n rows, at most stream->most; next: a row follows in the arrays. */
void stream_filter_numbers(struct sprung *stream, const struct stream_rows *rows, bool next);
void stream_filter_rotations(struct sprung *stream, const struct stream_rows *rows, bool next);

/* Numbers: moves the outputs of the last row into `printed`, if they are not there yet. */
void stream_keep_outputs(struct sprung *stream);

#endif
