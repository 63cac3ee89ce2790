/* The passes of series/ over the arrays of a caller: rows of numbers or rotations become the knots of one
 * series (rows.c). Rows of one time are a single knot, as in series/core.h. */
#ifndef SPRUNG_LIBRARY_STREAM_H
#define SPRUNG_LIBRARY_STREAM_H

#include "library/settings.h"
#include "series/core.h"
#include "sprung.h"

/* What is opened. */
struct stream_config {
    const char *filter, *settings; /* as the caller gives them; settings NULL: defaults */
    size_t n;                      /* channels, or rotations */
    size_t rows;                   /* most rows at a time */
    bool rotations;
    bool whole;       /* a whole series: zero phase */
    long derivatives; /* the highest that is wanted */
};

struct sprung {
    struct library_filter filter;
    size_t n;         /* channels of the core: numbers, or the components of quaternions */
    size_t most;      /* rows at a time */
    bool rotations;   /* each four channels are a quaternion */
    size_t output[3]; /* number of value, velocity and acceleration among the outputs; wanted.n: none */
    struct core core;
    struct series series;
    unsigned char *state; /* [core.nstate] what the pass remembers; owned, with: */
    unsigned char *kept;  /* likewise, while a prediction is made */
    double *goal;         /* [n] of a prediction, or of a row that is joined to the last knot */

    /* What the core reads of an input; here it has neither names nor messages. */
    struct reader reader;
    struct source source;
    struct column column; /* of all channels */
    struct units units;
    struct series_settings settings;
    struct channel_count *count; /* [n] owned, with the arrays of table and units */
    struct ref ref;              /* of all rows */
    struct block block;          /* has no rows; gets the error of the core */
};

/* Rows of a caller, row after row. */
struct stream_rows {
    size_t n;
    const double *step,
        *time;          /* [n] seconds since the row before; seconds, or NULL where no pass needs times */
    const double *goal; /* [n * sprung.n] */
    const unsigned char *cut; /* [n] not 0: the row follows a cut; NULL: none does */
    double *result[3];        /* values, velocities and accelerations; NULL: not wanted */
};

/* *stream is zeroes; stream_close follows, also on error. */
bool stream_open(sprung *stream, const struct stream_config *config, struct error *e);
void stream_close(sprung *stream);

/* Takes all rows of a whole series, once, and sets their results. False and *e: a number is too large, or out
 * of memory. */
bool stream_take_all(sprung *stream, const struct stream_rows *rows, struct error *e);

#endif
