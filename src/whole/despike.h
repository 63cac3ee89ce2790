/* --despike: the rule that tells whether a sample is a spike, by a window of samples around it. Invariant:
 * the verdict depends on the window and on the channel's earlier samples only. */
#ifndef SPRUNG_WHOLE_DESPIKE_H
#define SPRUNG_WHOLE_DESPIKE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DESPIKE_USUAL_ROWS = 5,  /* rows on each side of a sample where --despike-window is not given */
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

/* What is known of a channel or a rotation from its earlier samples. Zeroed where a series begins. */
struct despike_memory {
    double sum;        /* of the non-zero second differences of accepted samples */
    size_t n;          /* how many non-zero second differences there were */
    double resolution; /* the least of them; 0: there was none */
    size_t accepted;   /* accepted samples in a row up to the last one */
};

/* The valid samples within despike_rows of the one to be judged. Angles and rotations are given as the ways
 * to them from the sample to be judged (gap_curve.h: sample_way). */
struct despike_window {
    size_t n;                    /* samples, at most DESPIKE_MOST_SAMPLES */
    size_t own;                  /* number of the sample to be judged */
    const double *t;             /* [n] seconds, not falling */
    size_t ncolumn;              /* components of a sample, 1 to 4 */
    const double *const *column; /* [ncolumn] each [n] */
};

/* Is the sample to be judged a spike? Call it once for each valid sample, in order; it updates *memory.
 * factor: how many standard deviations of noise a spike exceeds. */
bool despike_judge(struct despike_memory *memory, double factor, const struct despike_window *window);

#endif
