/* --despike in one channel, rotation or vector of a group: the samples that wait to be judged, and the
 * samples by which waiting samples are judged. The rule is whole/despike.h. Invariant: a verdict depends on
 * the samples of the rows within the window, and never on how rows were cut into blocks. */
#ifndef SPRUNG_SERIES_CLEAN_SPIKES_H
#define SPRUNG_SERIES_CLEAN_SPIKES_H

#include "series/rotations.h"
#include "whole/despike.h"

/* --despike, as the rows of a group are judged. */
struct spike_rule {
    double factor; /* --despike K */
    size_t rows;   /* rows after a row that tell whether the row has a spike; 0: spikes are not looked for */
};

enum { SPIKE_APART = DESPIKE_MOST_SAMPLES /* more rows than a window has */ };

/* The position of a row among the rows of a group. Positions rise; only rows between which there is no cut
 * have positions so near to each other that one window holds both. run: number of cuts up to the row. */
static inline size_t spike_position(size_t row, size_t run)
{
    return row + run * SPIKE_APART;
}

/* The samples of one channel, rotation or vector. A struct of zeroes is empty. */
struct spike_samples {
    size_t n, max;     /* number of samples that are kept; room for samples */
    size_t next;       /* index of the sample that is judged next */
    size_t low, high;  /* samples [low, high) were the window of the sample that was judged last */
    size_t nmeasured;  /* the plain residuals of the samples before this index are set */
    size_t ncolumn;    /* components of a sample in a window, 1 to 3; set by spike_samples_measure */
    size_t *position;  /* [max] spike_position of each sample; owned, with all other arrays in the
                          same allocation */
    double *t;         /* [max] seconds since the first row of the group */
    double *number[4]; /* [max] the numbers of the samples as read, by component */
    double *target[4]; /* [max] of a rotation the components of the quaternion; of a number the array is
                          number[0] */
    double *plain;     /* [max] what despike_plain_measure finds; NaN: the sample has too few neighbours */
};

/* Makes room for `more` samples; drops samples that are no longer needed. */
bool spike_samples_reserve(struct spike_samples *samples, const struct unit *unit, size_t more,
                           struct error *e);

/* Adds the next sample, for which there is room. position: of its row. second: seconds since the first row of
 * the group. number: [unit->nchannel] as read, all known. */
void spike_samples_add(struct spike_samples *samples, const struct unit *unit, size_t position, double second,
                       const double *number);

/* Finds the plain residuals of the samples that were added. Comes before samples are judged. */
void spike_samples_measure(struct spike_samples *samples, const struct unit *unit);

/* Passes over the next samples as long as they lie in consecutive rows, the first at `position`, and each is
 * seen at little cost to be no spike; at most `most` samples. All rows in the windows of these samples are
 * there, or no more rows come. Returns the number of samples. */
size_t spike_samples_pass(struct spike_samples *samples, const struct spike_rule *rule, size_t position,
                          size_t most);

/* Judges the next sample: is the sample a spike? All rows in the window of the sample are there, or no more
 * rows come. */
bool spike_samples_judge(struct spike_samples *samples, const struct unit *unit,
                         const struct spike_rule *rule);

void spike_samples_free(struct spike_samples *samples);

/* Does a row at this position and time have the time of sample end - 1, with no cut between? False where the
 * samples before `end` are not kept, or there are no samples before. */
bool spike_samples_at(const struct spike_samples *samples, size_t end, size_t position, double second);

#endif
