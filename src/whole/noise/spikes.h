/* --despike: which samples of a series are spikes, and what replaces them. A spike is a run of one to three
 * samples off the curve through the samples around, to which the series returns. A series comes in pieces of
 * any size, with the same verdicts: the verdict on a sample depends on the next SPIKES_AHEAD samples at most,
 * and on the SPIKES_BEHIND before it. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKES_H
#define SPRUNG_WHOLE_NOISE_SPIKES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SPIKES_AHEAD = 15,
    SPIKES_BEHIND = 64,
    SPIKES_LENGTHS = 3, /* samples of the longest spike */
    SPIKES_COMPONENTS = 4
};

/* What the samples of a unit are. */
struct spike_kind {
    size_t nnumber; /* numbers of a sample as read: 1; of a vector 2 or 3; of a rotation 3 or 4 */
    double period;  /* one turn of an angle, in the unit of the numbers; 0: no angle */
    bool rotation;
    double turn; /* of a rotation by Euler angles: half of the radians of one unit of its numbers; else 0 */
};

/* Columns of a unit whose samples are something else than its numbers as read; else 0. */
static inline size_t spikes_own(const struct spike_kind *kind)
{
    return kind->rotation ? SPIKES_COMPONENTS : kind->period > 0;
}

/* The samples of a number, an angle, a vector or a rotation, in arrays of the caller. */
struct spike_unit {
    struct spike_kind kind;
    double *column[SPIKES_COMPONENTS]; /* [n] the samples, by spikes_follow; NaN in the first: missing */
    double *number[SPIKES_COMPONENTS]; /* [n] the samples as read, which show how exactly they were written;
                                          the arrays of `column` where both are the same */
    double *off[SPIKES_LENGTHS];       /* [n] residual without the sample, the sample and the next, and the
                                          sample and the next two; NaN: too few samples around */
    unsigned char *out;                /* [n] enum spike_out, SPIKE_NONE at first */
    ptrdiff_t rounded_at; /* 1 + the sample for whose verdict `rounding` was found; 0: not found */
    double rounding;      /* largest error that the rounding of numbers made in a sample */
};

/* Which samples are left out. */
enum spike_out {
    SPIKE_NONE = 0,
    SPIKE_TRIED = 1,  /* for a moment */
    SPIKE = 2,        /* a spike */
    SPIKE_UNSURE = 4, /* may be a spike, but is kept: one side has too few samples to tell */
};

/* A series, whose times and parts are arrays of the caller. The caller adds samples, and drops the first ones
 * of all arrays: then the counts fall by their number. */
struct spikes {
    double factor;             /* --despike K */
    size_t n;                  /* samples */
    const double *t;           /* [n] times in seconds, rising between cuts */
    const unsigned char *part; /* [n] number of cuts and long steps up to the sample, modulo 256 */
    size_t measured;           /* samples whose `off` is found */
    size_t judged;             /* samples that have their verdict */
    size_t decided;            /* judged samples before the first spike that cannot be replaced yet */
};

/* Is the step to sample i > 0 longer than usual, by the steps up to it? */
bool spikes_long_step(const double *t, size_t i);

/* What is remembered of the samples of a unit. Zero-initialized. */
struct spike_memory {
    double last[SPIKES_COMPONENTS]; /* the last sample, if known */
    bool known;
};

/* Removes the wraps of an angle, or gives a unit quaternion the sign that is nearer to the sample before. */
void spikes_follow(const struct spike_kind *kind, struct spike_memory *memory, double x[SPIKES_COMPONENTS]);

/* Judges the samples whose later neighbours are known. all: no more samples come. */
void spikes_judge(struct spikes *spikes, struct spike_unit *unit, size_t nunit, bool all);

/* What replaces a decided spike: x[ncolumn], by the samples around; near: [nnumber] the numbers of the sample
 * before, as read. False: too few samples are left around, and the spike becomes a gap. */
bool spikes_bridge(const struct spikes *spikes, struct spike_unit *unit, size_t sample,
                   double x[SPIKES_COMPONENTS], double near[SPIKES_COMPONENTS]);

/* Rows of one unit without a cut, which may share times. */
struct spike_rows {
    size_t n;
    const double *time;                      /* [n] seconds, not falling */
    const double *number[SPIKES_COMPONENTS]; /* [kind->nnumber][n] NaN: missing */
    const double *target;                    /* [n][4] of a rotation its unit quaternion w, x, y, z */
};

/* Sets mark[n] of each row (enum spike_out). Rows of one time are one sample. False and *e: out of memory. */
bool spikes_find(double factor, const struct spike_kind *kind, const struct spike_rows *rows,
                 unsigned char *mark, struct error *e);

#endif
