/* --despike: which samples of a series are spikes, and what replaces them. A spike is a run of one to three
 * samples off the curve through the samples around, to which the series returns. A series comes in pieces of
 * any size, with the same verdicts: the verdict on a sample depends on the next SPIKES_AHEAD samples at most.
 * Samples are numbered from 0, and keep their numbers. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKES_H
#define SPRUNG_WHOLE_NOISE_SPIKES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SPIKES_AHEAD = 15,
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

/* The samples of a number, an angle, a vector or a rotation. Indices count from the series' `first`. */
struct spike_unit {
    struct spike_kind kind;
    size_t ncolumn;                    /* components of a sample */
    double *column[SPIKES_COMPONENTS]; /* [ncolumn][n] the samples, NaN: missing. Angles have no wraps; a
                                          quaternion has the sign that is nearer to the one before */
    double *number[SPIKES_COMPONENTS]; /* [kind.nnumber][n] the samples as read, which show how exactly they
                                          were written; the arrays of `column` where both are the same */
    double *off[SPIKES_LENGTHS];       /* [n] residual without the sample, the sample and the next, and the
                                          sample and the next two; NaN: too few samples around */
    unsigned char *out;                /* [n] enum spike_out */
    double last[SPIKES_COMPONENTS];    /* the last sample, if any_known */
    bool any_known;
    size_t rounded_at; /* `rounding` was found for the verdict on this sample; SIZE_MAX: not found */
    double rounding;   /* largest error that the rounding of numbers made in a sample */
};

/* Which samples are left out. */
enum spike_out {
    SPIKE_NONE = 0,
    SPIKE_TRIED = 1,  /* for a moment */
    SPIKE = 2,        /* a spike */
    SPIKE_UNSURE = 4, /* may be a spike, but is kept: one side has too few samples to tell */
};

/* A series: its times, and the samples of its units. */
struct spikes {
    double factor;           /* --despike K */
    size_t first;            /* number of the first sample held: earlier ones are not needed any more */
    size_t n, max;           /* samples held, room for samples */
    double *t;               /* [n] times in seconds, rising between cuts; owned, with: */
    unsigned *part;          /* [n] number of cuts and long pauses before the sample */
    size_t measured;         /* samples whose `off` is found */
    size_t judged;           /* samples that have their verdict */
    size_t decided;          /* judged samples; spikes are replaced */
    struct spike_unit *unit; /* [nunit] owned */
    size_t nunit;
};

/* Begins a series. kind: [nunit] what its units are. spikes_free frees it. False and *e: out of memory. */
bool spikes_open(struct spikes *spikes, double factor, const struct spike_kind *kind, size_t nunit,
                 struct error *e);
void spikes_free(struct spikes *spikes);

/* Makes room for `more` samples; drops samples that are no longer needed. False and *e: out of memory, and
 * only spikes_free may follow. */
bool spikes_reserve(struct spikes *spikes, size_t more, struct error *e);

/* Adds a sample, or finds the last one, if that has the same time and no cut is between. There must be room.
 * Returns the number of the sample. */
size_t spikes_add(struct spikes *spikes, double t, bool cut);

/* Sets a unit's numbers in a sample, in order; a sample that has them keeps them. number: [nnumber], NaN:
 * missing. target: of a rotation its unit quaternion w, x, y, z. */
void spikes_set(struct spikes *spikes, size_t unit, size_t sample, const double *number,
                const double *target);

/* Judges the samples, as far as those are there that a verdict depends on. all: no more samples come. Returns
 * the number of samples that are decided. */
size_t spikes_judge(struct spikes *spikes, bool all);

/* The verdict on a decided sample. */
static inline enum spike_out spikes_verdict(const struct spikes *spikes, size_t unit, size_t sample)
{
    return (enum spike_out)spikes->unit[unit].out[sample - spikes->first];
}

/* What replaces a decided spike: x[ncolumn], by the samples around; near: [nnumber] the numbers of the sample
 * before, as read. False: too few samples are left around, and the spike becomes a gap. */
bool spikes_bridge(const struct spikes *spikes, size_t unit, size_t sample, double x[SPIKES_COMPONENTS],
                   double near[SPIKES_COMPONENTS]);

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
