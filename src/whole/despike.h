/* --despike: the rule that tells whether a sample is a spike, by a window of samples around it. Invariant:
 * the verdict depends on the window only. */
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
    DESPIKE_AROUND = 2, /* samples on each side of a sample that tell its plain residual */
    DESPIKE_MANY = 20   /* fewest samples of a window in which a set of spikes touches few residuals */
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
    const double *plain;         /* [n] what despike_plain returns for the samples; NaN: not known */
    const double *t;             /* [n] times in seconds, not falling */
    size_t ncolumn;              /* components of a sample, 1 to 3 */
    const double *const *column; /* [ncolumn][n] the samples, by component */
    double rounding;             /* the largest error of a sample by rounding: despike_rounding */
};

/* The square of the distance of a sample from the cubic through two samples on each side. t, column[ncolumn]:
 * times and components of the 2 * DESPIKE_AROUND + 1 samples, the sample itself in the middle. NaN: two times
 * are equal. */
double despike_plain(const double *t, size_t ncolumn, const double *const *column);

/* Sets the window's plain to plain[n], the plain residuals of samples of which no residuals are kept. */
void despike_measure(struct despike_window *window, double *plain);

/* The largest rounding error of n numbers, by the decimals that the numbers need, by their least change, and
 * by the precision of floats if all are floats. */
double despike_rounding(const double *number, size_t n);

/* Do the plain residuals alone tell that the judged sample is no spike? Takes n, own and plain of the window.
 * factor: as for despike_judge. */
bool despike_calm(double factor, const struct despike_window *window);

/* The largest plain residual of the judged sample and of its neighbours with which the sample is calm in any
 * window of DESPIKE_MANY samples or more that has DESPIKE_AROUND residuals on each side of them, and in which
 * more than half of the plain residuals are at least `level`. */
double despike_calm_limit(double factor, double level);

/* Is the judged sample no spike because the sample lies near the cubic through two samples on each side,
 * whichever samples are left out as spikes? False also where steps are uneven or an end is near. Takes all of
 * the window but rounding. */
bool despike_near(double factor, const struct despike_window *window);

/* Is the judged sample, which is not calm, a spike? factor: a spike exceeds this many standard deviations of
 * the noise. */
bool despike_judge(double factor, const struct despike_window *window);

#endif
