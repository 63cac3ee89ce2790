/* The ends of the smoothing spline. A spline with free ends flattens what bends there. So the penalty is
 * eased toward an end, in rungs, as far as noise allows. */
#ifndef SPRUNG_WHOLE_SMOOTHER_ENDS_H
#define SPRUNG_WHOLE_SMOOTHER_ENDS_H

#include "whole/smoother.h"

enum { SMOOTHER_RUNGS = 8 };

/* Room for mending ends. Zero-initialize. */
struct smoother_ends {
    struct smoother_gains gains[SMOOTHER_RUNGS + 1]; /* of the rungs; 0: without easing */
    size_t nrung;                   /* the gains of this many rungs are those of the run below */
    size_t n;                       /* of an even run: samples next to an end */
    double step, a2;                /* of an even run */
    double *room;                   /* [max] owned */
    double *T, *weight, *value;     /* [n], [n], [n * width] samples next to the end, the end last; in room */
    double *ease;                   /* [n] in room */
    struct smoother_curve curve[2]; /* [n * width] of two neighbouring rungs; in room */
    size_t max;
};

/* Mends the curve of a run at its first end, or at its last. cutoff: in Hz. noise: variance of the samples'
 * noise, summed over their components. False: out of memory. */
bool smoother_mend(struct smoother_ends *ends, const struct smoother_run *run, bool first, double cutoff,
                   double noise, const struct smoother_curve *curve, struct error *e);

void smoother_ends_free(struct smoother_ends *ends);

#endif
