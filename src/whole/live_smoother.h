/* --lookahead: the smoother for samples as they come. The forward half takes each sample; the result of a
 * sample is the backward half from the newest sample to it. */
#ifndef SPRUNG_WHOLE_LIVE_SMOOTHER_H
#define SPRUNG_WHOLE_LIVE_SMOOTHER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { LIVE_WIDTH = 3 /* most components of a sample */ };

struct live_sample; /* a sample and what the forward half made of it */

/* Zero-initialize, and set width and cutoff. */
struct live_smoother {
    size_t width;  /* components of a sample */
    double cutoff; /* in Hz */

    double a2;              /* the penalty; 0: no step yet */
    struct live_sample *at; /* [first, n) the samples that are kept; owned */
    size_t first, n, max;
    size_t nknown;                       /* known samples of the run under way */
    double since;                        /* seconds since the last known sample */
    double x[LIVE_WIDTH], v[LIVE_WIDTH]; /* the state after the newest sample */
    double P11, P12, P22;                /* its covariance */
};

/* A sample with its derivatives. A result that is not known is NaN. */
struct live_result {
    double x[LIVE_WIDTH], velocity[LIVE_WIDTH], acceleration[LIVE_WIDTH];
};

/* Takes a sample T seconds after the one before, x[width]; NaN in any component: it is missing. restart: a
 * run begins with the next known sample. False: out of memory. */
bool live_take(struct live_smoother *live, double T, const double *x, bool restart, struct error *e);

/* The result of the sample that came `age` samples before the newest; 0: of the newest. */
struct live_result live_get(const struct live_smoother *live, size_t age);

/* Forgets the samples older than `age`. */
void live_drop(struct live_smoother *live, size_t age);

void live_free(struct live_smoother *live);

#endif
