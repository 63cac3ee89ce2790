/* How the curve of a smoothing spline is mended next to an end of a series: a free end is straight, which
 * flattens a motion that bends there. Invariant: samples on a straight line stay. */
#ifndef SPRUNG_WHOLE_SMOOTH_ENDS_H
#define SPRUNG_WHOLE_SMOOTH_ENDS_H

#include "base/error.h"
#include "whole/smooth.h"
#include "whole/smooth_gains.h"

enum { SMOOTH_RUNGS = 8 /* of the ladder: how often the penalty next to an end is eased further */ };

/* The mending reaches rows that stand for this many periods: farther from the end the rungs agree to 4e-9 of
 * the difference at the end. */
#define SMOOTH_REACH 5.0

enum { SMOOTH_LEAST_REACH = 16 /* samples that the mending reaches, at least */ };

/* What the ladder needs. */
struct smooth_end {
    double a2;     /* penalty of the spline, whose a1 is 0 */
    double period; /* seconds of a wave at the cutoff */
    /* [n] rows that the mending reaches, in order toward the end, which is the last. The first one, too, has
     * a sample. */
    size_t n, nchannel;               /* the channels are the components of a vector */
    const double *T, *weight, *value; /* as in struct smooth_rows */
    double noise; /* variance of the noise of a sample. 0: no noise; NaN: not known, and nothing is mended */
};

/* A rung of the ladder, computed from steps, weights and penalty alone. Rung 0 is the spline itself. */
struct smooth_rung {
    double *ease;              /* of the near rows; rung 0: NULL */
    struct smooth_gains gains; /* of the near rows */
};

/* Room for the work, and what depends on steps, weights and penalty alone, which is kept for the next call.
 * Zeroed: nothing is kept. */
struct smooth_ladder {
    double *room; /* owned */
    size_t maxroom;
    double *kept;          /* [nkept] T and weight that all below is for; owned */
    size_t nkept, maxkept; /* numbers kept, and numbers that have room */
    double a2, period;     /* that all below is for */
    double *known;         /* room of what follows; owned */
    size_t maxknown;
    struct smooth_gains gains;  /* of the far rows and the first near row */
    struct smooth_curve answer; /* [far rows * 2] without samples: to an adjoint behind the far rows of 1 for
                                   the value, and of 1 for the velocity */
    double answered[3];         /* sums of weight^2 times products of both answers: 11, 12, 22 */
    struct smooth_rung rung[SMOOTH_RUNGS + 1];
    size_t nrung;                /* rungs that are known, from the first on */
    size_t nenergy;              /* energies that are known, from the first on */
    double energy[SMOOTH_RUNGS]; /* what white noise of variance 1 has in the difference of a rung from the
                                    rung before, over the rows that decide */
};

/* Sets correction, [n * nchannel] in each array, to what is added to the curve, in order toward the end; and
 * if value is not NULL value, [nchannel], to the value at the end. False: out of memory. */
bool smooth_end_mend(struct smooth_ladder *ladder, const struct smooth_end *end,
                     const struct smooth_curve *correction, double *value, struct error *e);

void smooth_ladder_free(struct smooth_ladder *ladder);

#endif
