/* The smoothing spline, in which zero phase consists: the curve x that makes
 *
 *     sum of weight_i (x_i - g_i)^2  +  integral of a1 x'^2 + a2 x''^2
 *
 * least, where g_i are the samples. On even rows its gain is 1 / (1 + a1 w^2 + a2 w^4) at the angular
 * frequency w, which is the gain of a damper or a spring that runs forward and then backward. Invariants: the
 * reversed samples have the reversed curve, but for rounding; a missing sample has the weight 0, and its row
 * shows the curve between the samples; channels do not influence each other.
 *
 * Arrays of several channels hold row after row. */
#ifndef SPRUNG_WHOLE_SMOOTH_H
#define SPRUNG_WHOLE_SMOOTH_H

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
};

/* What a row does to the curve, the same for all channels. */
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
    size_t n;                /* rows behind the last of these have the gain of the last */
};

static inline const struct smooth_gain *smooth_gain_of(const struct smooth_gains *gains, size_t row)
{
    return &gains->row[row < gains->n ? row : gains->n - 1];
}

/* The curve at the rows. */
struct smooth_curve {
    double *value, *velocity; /* [n * nchannel] */
    double *acceleration; /* [n * nchannel]; 0 for a polygon, whose velocity is not defined at rows, too */
};

/* A step of the motion of which the curve is the most probable path (smooth.c). */
struct smooth_step {
    double F12, F22;      /* the transition of value and velocity is 1, F12; 0, F22 */
    double Q11, Q12, Q22; /* the covariance that the step adds */
};

/* The step over T seconds; scale: part of the penalty that counts. */
struct smooth_step smooth_step(struct smooth_penalty penalty, double T, double scale);

/* Computes the gains. gains->row: room for rows->n; as many are touched as differ. */
void smooth_find_gains(struct smooth_penalty penalty, const struct smooth_rows *rows,
                       struct smooth_gains *gains);

/* Computes the curve. gains: of smooth_find_gains for the same rows. The arrays of curve must not be those of
 * rows. */
void smooth_run(struct smooth_penalty penalty, const struct smooth_rows *rows,
                const struct smooth_gains *gains, const struct smooth_curve *curve);

/* The sum over the samples of the weight of a sample in the curve at its own row, which is 0 to 1. */
double smooth_trace(struct smooth_penalty penalty, const struct smooth_rows *rows,
                    const struct smooth_gains *gains);

#endif
