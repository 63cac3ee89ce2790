/* Samples of one number, angle, vector or rotation at rising times, in plain arrays: what the functions of
 * whole/ take. Rows, blocks and columns, where the samples come from, are not known here. */
#ifndef SPRUNG_WHOLE_SAMPLES_H
#define SPRUNG_WHOLE_SAMPLES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    SAMPLE_NUMBER = 1,  /* doubles of a sample that is a number, or an angle; a vector has 2 or 3 */
    SAMPLE_ROTATION = 4 /* doubles of a sample that is a unit quaternion w, x, y, z */
};

/* What samples are, and so how to go from sample to sample. */
struct sample_kind {
    bool rotation; /* samples are unit quaternions; else numbers */
    double period; /* one turn of an angle, in the unit of the numbers: the way between angles is at most half
                      a period; 0: the numbers are no angles */
};

struct samples {
    size_t n;            /* number of samples */
    size_t width;        /* doubles in a sample: SAMPLE_NUMBER, 2 or 3 of a vector, or SAMPLE_ROTATION */
    const double *T;     /* [n] seconds since the sample before, > 0; T[0] is not used */
    const double *value; /* [n * width] sample after sample; a missing sample has NaN in its first double */
};

/* Consecutive samples that are filtered together: the first and the last sample have values, and missing
 * samples between are bridged. */
struct sample_run {
    size_t first, last; /* indices of samples; first <= last */
};

static inline bool samples_known(const struct samples *all, size_t i)
{
    return !isnan(all->value[i * all->width]);
}

/* Seconds from a sample to a later one. */
static inline double samples_between(const struct samples *all, size_t from, size_t to)
{
    double time = 0;
    for (size_t i = from + 1; i <= to; i++)
        time += all->T[i];
    return time;
}

/* The samples of a run alone. */
static inline struct samples samples_of_run(const struct samples *all, struct sample_run run)
{
    return (struct samples){
        .n = run.last - run.first + 1,
        .width = all->width,
        .T = all->T + run.first,
        .value = all->value + run.first * all->width,
    };
}

#endif
