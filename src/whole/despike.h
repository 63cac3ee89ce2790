/* --despike: the rule that tells whether a sample is a spike, by a window of samples around it. Invariant:
 * the verdict depends on the window only. */
#ifndef SPRUNG_WHOLE_DESPIKE_H
#define SPRUNG_WHOLE_DESPIKE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DESPIKE_USUAL_ROWS = 15, /* rows on each side of a sample where --despike-window is not given */
    DESPIKE_MOST_ROWS = 500, /* the largest --despike-window */
    DESPIKE_MOST_SAMPLES = 2 * DESPIKE_MOST_ROWS + 1
};

/* As the command line says. */
struct despike_settings {
    double factor; /* --despike K; NaN: not given, spikes are not looked for */
    long window;   /* --despike-window: rows on each side; -1: not given */
};

/* Rows before and after a sample that a window has; 0: spikes are not looked for. */
size_t despike_rows(const struct despike_settings *settings);

/* The valid samples within despike_rows of the one to be judged. Angles and rotations are given as the ways
 * to them from the sample to be judged (gap_curve.h: sample_way). */
struct despike_window {
    size_t n;                    /* samples, at most DESPIKE_MOST_SAMPLES */
    size_t own;                  /* number of the sample to be judged */
    const double *t;             /* [n] seconds, not falling */
    size_t ncolumn;              /* components of a sample, 1 to 3 */
    const double *const *column; /* [ncolumn] each [n] */
    bool ways;                   /* the columns hold ways to the samples, whose decimals say nothing */
    double rounding;             /* largest rounding error of the samples that is known; 0: none is */
};

/* Is the sample to be judged a spike? factor: how many standard deviations of noise a spike exceeds. */
bool despike_judge(double factor, const struct despike_window *window);

#endif
