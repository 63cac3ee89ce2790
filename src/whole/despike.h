/* --despike: the rule that tells whether a sample is a spike, by a window of samples around the sample.
 * Invariant: the verdict depends on the window only. */
#ifndef SPRUNG_WHOLE_DESPIKE_H
#define SPRUNG_WHOLE_DESPIKE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DESPIKE_USUAL_ROWS = 15,  /* rows after a sample where --despike-window is not given */
    DESPIKE_MOST_ROWS = 500,  /* the largest --despike-window */
    DESPIKE_ROWS_BEFORE = 30, /* rows before a sample, at least: earlier rows need no look-ahead, and steady
                                 the scale of residuals */
    DESPIKE_USUAL_SAMPLES = DESPIKE_ROWS_BEFORE + 1 + DESPIKE_USUAL_ROWS,
    DESPIKE_MOST_SAMPLES = 2 * DESPIKE_MOST_ROWS + 1,
    DESPIKE_MANY = 20 /* fewest samples of a window in which a set of spikes touches few residuals */
};

/* The settings of the command line. */
struct despike_settings {
    double factor; /* --despike K; NaN: the option was not given, no spikes are looked for */
    long window;   /* --despike-window: rows after a sample, and rows before the sample if more than
                      DESPIKE_ROWS_BEFORE; -1: the option was not given */
};

/* Rows of a window after the judged sample; 0: no spikes are looked for. */
size_t despike_rows(const struct despike_settings *settings);

/* Rows of a window before the judged sample. rows: what despike_rows returns. */
static inline size_t despike_rows_before(size_t rows)
{
    return rows > DESPIKE_ROWS_BEFORE ? rows : DESPIKE_ROWS_BEFORE;
}

/* The valid samples of the rows around the judged sample. Angles and rotations are given as ways from the
 * judged sample (gap_curve.h: sample_way). */
struct despike_window {
    size_t n;                    /* number of samples, at most DESPIKE_MOST_SAMPLES */
    size_t own;                  /* index of the judged sample */
    const double *plain;         /* [n] what despike_plain_measure finds for the samples; NaN: not known */
    const double *t;             /* [n] times in seconds, not falling */
    size_t ncolumn;              /* components of a sample, 1 to 3 */
    const double *const *column; /* [ncolumn][n] the samples, by component */
};

/* A window, and facts about the window that all questions about its samples share. */
struct despike_view {
    const struct despike_window *window;
    double factor;     /* a spike exceeds this many standard deviations of the noise */
    double end_factor; /* a sample beside an end or a long gap lies on the curve again if its residual is at
                          most this many standard deviations; set by despike_judge */
    bool even;         /* all steps are equal */
    double scale; /* scale of the residuals of all samples, by two neighbours on each side; 0: the window has
                     fewer than DESPIKE_MANY samples */
    double rounding;                     /* largest rounding error of a sample in print or as a float */
    double last_bit;                     /* largest rounding error of a sample as a double */
    unsigned part[DESPIKE_MOST_SAMPLES]; /* [window->n] number of long gaps before each sample: neighbours lie
                                            in the same part */
};

/* Sets *view to the facts about the window, to which *view points; factor: --despike K. False: the window has
 * too few samples to show a spike. */
bool despike_look(struct despike_view *view, double factor, const struct despike_window *window);

/* True: the judged sample is no spike, since the sample lies near the cubic through two samples on each side,
 * whichever samples are left out as spikes. False: not known; also where steps are uneven, an end is near or
 * the window has fewer than DESPIKE_MANY samples. */
bool despike_near_cubic(const struct despike_view *view);

/* Is the judged sample, which is not calm (despike_plain.h), a spike? rounding: the largest error of a sample
 * by rounding, in the unit of the samples (rounding.h). */
bool despike_judge(struct despike_view *view, double rounding);

/* All of the questions together: is the judged sample a spike? Does not read window->plain. rounding:
 * as for despike_judge. */
bool despike_is_spike(double factor, const struct despike_window *window, double rounding);

#endif
