/* Samples of one number, angle or rotation at rising times, in plain arrays: what the functions of whole/
 * take. Where the samples come from (rows, blocks, columns) is not known here. */
#ifndef SPRUNG_WHOLE_SAMPLES_H
#define SPRUNG_WHOLE_SAMPLES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    SAMPLE_NUMBER = 1,  /* doubles of a sample that is a number, or an angle */
    SAMPLE_ROTATION = 4 /* doubles of a sample that is a unit quaternion w, x, y, z */
};

/* How to go from one sample to another. */
struct sample_kind {
    bool rotation; /* samples are unit quaternions; else numbers */
    double period; /* of an angle, in the unit of its numbers: the way from one to another is the short one;
                      0: no angle */
};

struct samples {
    size_t n;            /* how many samples there are */
    size_t width;        /* doubles in a sample: SAMPLE_NUMBER or SAMPLE_ROTATION */
    const double *T;     /* [n] seconds since the sample before, > 0; T[0] is not used */
    const double *value; /* [n * width] sample after sample; a missing sample has NaN in its first double */
};

/* Consecutive samples that are filtered together: the first and the last one are known, missing ones between
 * them are bridged. */
struct sample_run {
    size_t first, last; /* numbers of samples; first <= last */
};

static inline bool samples_known(const struct samples *all, size_t i)
{
    return !isnan(all->value[i * all->width]);
}

/* The samples of a run, as if there were no others. */
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
