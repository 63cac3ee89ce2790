/* --despike: which samples of a series are spikes. A spike is a run of one to three samples that lie off the
 * curve through the samples around, to which the series returns. Most samples are cheaply ruled out; the
 * others are judged stretch by stretch. Invariant: the verdict on a sample depends only on the samples of the
 * window of its stretch. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKES_H
#define SPRUNG_WHOLE_NOISE_SPIKES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SPIKES_USUAL_ROWS = 15,  /* rows after a sample where --despike-window is not given */
    SPIKES_MOST_ROWS = 500,  /* the largest --despike-window */
    SPIKES_ROWS_BEFORE = 30, /* rows before a sample, at least: earlier rows need no look-ahead, and steady
                                the scale of residuals */
    SPIKES_STRETCH = 8,      /* most samples that are judged together */
    SPIKES_MOST_SAMPLES = 2 * SPIKES_MOST_ROWS + SPIKES_STRETCH,
    SPIKES_LEAST = 9,                   /* samples of a window with fewer show no spike */
    SPIKES_MANY = 24,                   /* in a window of fewer samples a spike touches too many residuals */
    SPIKES_APART = SPIKES_MOST_SAMPLES, /* more rows than a window has */
    SPIKES_COMPONENTS = 4,
    SPIKES_LENGTHS = 3, /* rows of the longest spike */
    SPIKES_BESIDE = 3   /* samples on each side that a measured residual depends on */
};

/* The settings of the command line. */
struct spikes_settings {
    double factor; /* --despike K; NaN: the option was not given, no spikes are looked for */
    long window;   /* --despike-window: rows after a sample, and rows before the sample if more than
                      SPIKES_ROWS_BEFORE; -1: the option was not given */
};

/* Rows of a window after the judged sample; 0: no spikes are looked for. */
size_t spikes_rows(const struct spikes_settings *settings);

/* Rows of a window before the judged sample. rows: what spikes_rows returns. */
static inline size_t spikes_rows_before(size_t rows)
{
    return rows > SPIKES_ROWS_BEFORE ? rows : SPIKES_ROWS_BEFORE;
}

/* The known samples of a series, in order. */
struct spikes_series {
    size_t n;       /* number of samples */
    double *t;      /* [n] times in seconds, rising between cuts */
    size_t *place;  /* [n] number of the row of each sample; each cut adds SPIKES_APART */
    size_t ncolumn; /* components of a sample: 1 of a number, 2 or 3 of a vector, 4 of a rotation */
    double *column[SPIKES_COMPONENTS]; /* [ncolumn][n] the samples, by component: angles without wraps,
                                          rotations as quaternions, each with the sign that is nearer to the
                                          quaternion before */
    size_t nnumber;                    /* numbers of a sample as read */
    double *number[SPIKES_COMPONENTS]; /* [nnumber][n] the samples as read, which show how exactly they were
                                          written; the arrays of `column` where both are the same */
    double turn; /* of a rotation by Euler angles: half of the radians of one unit of its numbers; else 0 */
    float *measured[SPIKES_LENGTHS]; /* [n] what spikes_measure finds */
};

/* A window of a series: samples [low, high). */
struct spikes_window {
    size_t low, high;
};

/* Measures, for samples from to end - 1, the squares of the residuals that spikes_pass compares: of spikes of
 * one, two and three samples that begin at the sample (the third: that have the sample in the middle). They
 * depend on SPIKES_BESIDE samples on each side; NaN where these are not there. */
void spikes_measure(const struct spikes_series *series, size_t from, size_t end);

/* Moves a window to sample `own`. Windows move forward only. rows: rows after the sample. */
void spikes_move_window(const struct spikes_series *series, struct spikes_window *window, size_t own,
                        size_t rows);

/* The number of the samples from `own` on, at most `most`, that lie in consecutive rows and are cheaply ruled
 * out: none of them is a spike. The rows in their windows are there, or no more rows come. Moves the window
 * to the last of them. */
size_t spikes_pass(const struct spikes_series *series, const struct spikes_settings *settings,
                   struct spikes_window *window, size_t own, size_t most);

/* Samples that are judged together: they lie in consecutive rows, and none of them is cheaply ruled out; or a
 * single sample. */
struct spikes_stretch {
    size_t first, end;          /* samples [first, end) */
    bool spike[SPIKES_STRETCH]; /* [end - first] the verdicts */
};

/* Finds the stretch that begins with sample `own`, and judges its samples. Moves the window to sample `own`.
 * known: all rows of the windows of samples before this place are there; SIZE_MAX: no more rows come. False:
 * more rows must be known to tell where the stretch ends. */
bool spikes_judge(const struct spikes_series *series, const struct spikes_settings *settings,
                  struct spikes_window *window, size_t own, size_t known, struct spikes_stretch *stretch);

#endif
