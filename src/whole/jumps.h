/* --detect-cuts: the rule that finds jumps in a curve. A jump is a step that differs from the previous and
 * the next step by far more than steps usually differ, and by more than the rounding of the numbers explains.
 * How much steps usually differ is the median of the lengths of the last changes of slope.
 * Invariant: the verdict on a sample depends on the samples up to the next sample only. */
#ifndef SPRUNG_WHOLE_JUMPS_H
#define SPRUNG_WHOLE_JUMPS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    JUMPS_PAST = 63, /* most changes of slope that the median is taken over */
    JUMPS_SEEN = 32  /* samples that show the last digit of the numbers */
};

/* What is remembered of a curve. A zeroed struct is the start of a curve. */
struct jumps {
    double seen[4][JUMPS_SEEN]; /* the numbers of the last samples as read; sample i is at i % JUMPS_SEEN */
    size_t ntaken;              /* number of samples so far */
    double past[JUMPS_PAST]; /* [n] lengths of the last changes of slope; past[oldest] is overwritten next */
    size_t n, oldest;
    double usual; /* for the next `left` samples more than half of past reach this length */
    size_t left;
    double bend[3];   /* change of slope at the previous sample, if bend_known; a rotation vector has 3 */
    double length;    /* of bend */
    bool bend_known;  /* the change of slope at the previous sample could be computed */
    bool spike_shape; /* the changes of slope around the previous sample have the shape of a spike */
    bool spike;       /* the previous sample is a spike: spike_shape, and there is a jump before the sample */
    bool may_jump;    /* there may be a jump after the previous sample; the next sample decides */
};

struct spike_kind; /* whole/noise/spikes.h: what samples are */

/* A sample of a number, an angle, a vector or a rotation, and those before and after it. */
struct jumps_corner {
    double number[3][4]; /* [3][kind->nnumber] as read */
    double target[3][4]; /* the numbers, of angles without wraps; or unit quaternions w, x, y, z */
    double T_in, T_out;  /* seconds since the previous sample and until the next sample, > 0 */
};

/* Takes the numbers of a sample into account: how finely they are written. */
void jumps_take(struct jumps *jumps, const struct spike_kind *kind, const double number[4]);

/* Is there a jump between the previous sample and the sample of the corner? factor: a jump exceeds this many
 * usual changes of slope. Sets spike and may_jump for the sample of the corner. */
bool jumps_judge(struct jumps *jumps, double factor, const struct spike_kind *kind,
                 const struct jumps_corner *corner);

/* The next corner does not follow on the last one: a sample between is missing. */
void jumps_interrupt(struct jumps *jumps);

/* Marks the rows after jumps in a series of n numbers: mark[n] becomes 1 or 0. The first of several rows with
 * the same time stands for all. The steps to a spike and back are no jumps. Returns the number of jumps. */
size_t jumps_find(double factor, size_t n, const double *time, const double *x, unsigned char *mark);

#endif
