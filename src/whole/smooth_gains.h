/* The first half of the smoothing spline (smooth.h): how much a sample moves the curve at each row, which is
 * the same for all channels, whatever their values are. */
#ifndef SPRUNG_WHOLE_SMOOTH_GAINS_H
#define SPRUNG_WHOLE_SMOOTH_GAINS_H

#include <stdbool.h>
#include <stddef.h>

/* The penalties of a curve. */
struct smooth_penalty {
    double a1; /* of the squared velocity, s^2 */
    double a2; /* of the squared acceleration, s^4; 0: the curve is a polygon, as that of a damper */
};

/* The series to smooth. */
struct smooth_rows {
    size_t n, nchannel;
    const double *T;      /* [n] seconds since the row before, > 0; T[0] is not used */
    const double *weight; /* [n] seconds that the sample stands for; 0: the row has no sample. The first and
                             the last row have a sample */
    const double
        *ease; /* [n] part of the penalty that counts from the row before to this row, > 0; NULL: 1 */
    const double *value; /* [n * nchannel] samples; where weight is 0, any number */
    /* With a1 > 0: the values of the curve at the first and at the last row, [nchannel]. The samples of both
     * rows do not count, and samples on the straight line between both values come out unchanged. With a1 = 0
     * the ends are free, and samples on any straight line come out unchanged. */
    const double *first, *last;
    /* With a1 = 0: the prediction of row 0 and its innovation over its variance, [nchannel] each, by the rows
     * before it; the gain of row 0 is known. NULL: there are no rows before. */
    const struct smooth_curve *before;
};

/* The effect of a row on the curve, the same for all channels. */
struct smooth_gain {
    double P11, P12, P22; /* covariance of the state before the row's sample is known */
    double K1, K2;        /* change of the state per innovation */
    double left;          /* 1 - K1, with all its digits where the sample counts far more than the penalty */
    double per_s;         /* 1 / variance of the innovation; 0: no sample */
    double F12, F22;      /* the transition from the row before to this row is 1, F12; 0, F22 */
};

/* The gains of the rows. */
struct smooth_gains {
    struct smooth_gain *row; /* [n] */
    size_t n;                /* rows behind row n - 1 have its gain */
};

static inline const struct smooth_gain *smooth_gain_of(const struct smooth_gains *gains, size_t row)
{
    return &gains->row[row < gains->n ? row : gains->n - 1];
}

/* A step of the motion whose most probable path is the curve (smooth.c). */
struct smooth_step {
    double F12, F22;      /* the transition of value and velocity is 1, F12; 0, F22 */
    double Q11, Q12, Q22; /* the covariance that the step adds */
};

/* The step over T seconds; scale: part of the penalty that counts. */
struct smooth_step smooth_step(struct smooth_penalty penalty, double T, double scale);

/* Computes the gains. gains->row: room for rows->n; only rows that differ are written. With rows->before row
 * 0 is given. */
void smooth_find_gains(struct smooth_penalty penalty, const struct smooth_rows *rows,
                       struct smooth_gains *gains);

/* The sum over the samples of the weight of a sample in the curve at its own row, which is 0 to 1. */
double smooth_trace(struct smooth_penalty penalty, const struct smooth_rows *rows,
                    const struct smooth_gains *gains);

/* --- what both halves use --- */

/* The covariance of the state. */
struct smooth_spread {
    double P11, P12, P22;
};

/* The covariance when the row's sample is known. */
static inline struct smooth_spread smooth_spread_known(const struct smooth_gain *gain)
{
    return (struct smooth_spread){
        gain->P11 * gain->left,
        gain->P12 * gain->left,
        gain->P22 - gain->K2 * gain->P12,
    };
}

/* With a1 > 0 the end values are given. The curve is that of the series beyond both ends by odd reflection
 * about the end values, again and again: it goes through the values, and beyond them nothing counts. The
 * model expects more than that: of the penalty, x'^2 / (2 variance) at either end. */
static inline bool smooth_is_fixed(struct smooth_penalty penalty)
{
    return penalty.a1 > 0;
}

/* The variance of x' at a given end value that leaves the model without a penalty beyond the end. */
double smooth_end_variance(struct smooth_penalty penalty);

/* k of the motion x'' = -k x' + white noise, in 1/s. */
double smooth_rate(struct smooth_penalty penalty);

/* The first row behind row 0 with a sample; rows->n: none. */
size_t smooth_second_sample(const struct smooth_rows *rows);

/* Seconds from row 0 to a row. */
double smooth_time_of(const struct smooth_rows *rows, size_t row);

/* Makes the gain of a row that of a sample without error, which holds the curve at a given last value. */
void smooth_gain_hold(struct smooth_gain *gain);

#endif
