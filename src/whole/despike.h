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

/* The settings of the command line. */
struct despike_settings {
    double factor; /* --despike K; NaN: the option was not given, no spikes are looked for */
    long window;   /* --despike-window: rows on each side; -1: the option was not given */
};

/* Rows in a window before a sample, and as many after the sample; 0: no spikes are looked for. */
size_t despike_rows(const struct despike_settings *settings);

/* The valid samples within despike_rows of the judged sample. Angles and rotations are given as ways from the
 * judged sample (gap_curve.h: sample_way). */
struct despike_window {
    size_t n;                    /* number of samples, at most DESPIKE_MOST_SAMPLES */
    size_t own;                  /* index of the judged sample */
    const double *t;             /* [n] times in seconds, not falling */
    size_t ncolumn;              /* components of a sample, 1 to 3 */
    const double *const *column; /* [ncolumn][n] the samples, by component */
    bool ways;       /* the columns hold ways, whose last decimals do not show how samples were rounded */
    double rounding; /* known bound of the rounding error of a sample; 0: no bound is known */
};

/* Is the judged sample a spike? factor: a spike exceeds this many standard deviations of the noise. */
bool despike_judge(double factor, const struct despike_window *window);

#endif
