/* --despike in one channel, rotation or vector of a group: the samples that wait to be judged, and the samples by
 * which waiting samples are judged. The rule is whole/despike.h. Invariant: a verdict depends on the samples
 * of the rows within the window, and never on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_SPIKES_H
#define SPRUNG_SERIES_SPIKES_H

#include "series/rotations.h"
#include "whole/despike.h"

/* Where a sample lies among the rows of its group. */
struct spike_place {
    size_t row;    /* number of the row in the group */
    size_t run;    /* number of cuts up to the row: only samples of the same run are compared */
    double second; /* seconds since the first row of the group */
};

/* What tells most samples to be no spikes at little cost: a count that moves with the window. A struct of
 * zeroes, but for a level and its limit, is a count of no residuals. */
struct spike_count {
    double level;     /* plain residuals that are at least this are counted; 0: no level was chosen */
    double limit;     /* despike_calm_limit of the level */
    size_t low, high; /* the residuals of samples [low, high) are counted */
    size_t above;     /* how many residuals are at least the level */
    size_t seen;      /* samples before this index have been compared with the limit */
    size_t loud_end;  /* index after the last sample whose residual is above the limit or not known */
};

/* The samples of one channel, rotation or vector. A struct of zeroes is empty. */
struct spike_samples {
    size_t n, max;             /* number of samples that are kept; room for samples */
    size_t next;               /* index of the sample that is judged next */
    size_t low, high;          /* samples [low, high) were the window of the sample that was judged last */
    struct spike_count count;  /* of the plain residuals in the window */
    struct spike_place *place; /* [max] owned, with all other arrays in the same allocation */
    double *t;                 /* [max] seconds since the first row of the group */
    double *number[4];         /* [max] the numbers of the samples as read, by component */
    double *target[4]; /* [max] of a rotation the components of the quaternion; of a number the array is
                          number[0] */
    double *plain;     /* [max] squares of the residuals that despike_plain finds; NaN: no residual */
};

/* Makes room for `more` samples; drops samples that are no longer needed. */
bool spike_samples_reserve(struct spike_samples *s, const struct unit *unit, size_t more, struct error *e);

/* Adds the next sample, for which there is room. number: [unit->nchannel] as read, all known. */
void spike_samples_add(struct spike_samples *s, const struct unit *unit, const struct spike_place *place,
                       const double *number);

/* Judges the next sample: is the sample a spike? All samples up to `rows` rows after the sample are there, or
 * no more rows come. */
bool spike_samples_judge(struct spike_samples *s, const struct unit *unit, double factor, size_t rows);

void spike_samples_free(struct spike_samples *s);

#endif
