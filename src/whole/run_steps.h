/* The time steps that a run of samples is smoothed with, and how long each of its rows counts: times that are
 * even to the printed digits are even, and a row does not count for longer where the next row is missing. */
#ifndef SPRUNG_WHOLE_RUN_STEPS_H
#define SPRUNG_WHOLE_RUN_STEPS_H

#include "base/error.h"
#include "whole/samples.h"

enum { RUN_STEPS_AROUND = 16 /* steps on either side of a step that tell whether it is over missing rows */ };

/* By what steps a run is smoothed. */
struct usual_step {
    double seconds; /* from sample to sample; 0: not known */
    bool uneven;    /* the steps differ so much that rows have no rate */
};

/* The steps of the run that was taken last. */
struct run_steps {
    double *T; /* [n] seconds since the row before; of an even grid its step. T[0]: the usual step. Owned,
                  with all arrays here */
    double *standing; /* [n] seconds that a row stands for; of a point 0 */
    size_t neven;     /* the first rows of T and standing that hold the step of an even grid; 0: uneven */
    struct usual_step usual;
    struct usual_step before; /* that of the part before; seconds 0: none */

    size_t n;                       /* samples of the run as given; 0: no run yet, or one with points */
    bool timed;                     /* times were given */
    double *given_T, *given_time;   /* [n] as given */
    double *sample_T, *sample_time; /* [n] room: those of the samples without points */
    double *counted; /* [n] seconds from the sample before that rows stand for, without missing rows; not of
                        an even grid without points */
};

/* Are rows missing in a step? usual: the usual step. A step of exactly 1.5 usual steps is not long, however
 * both are rounded. */
static inline bool run_steps_is_long(double T, double usual)
{
    return T > 1.500001 * usual;
}

/* Rows per second: the mean over the steps of rows, without steps over missing rows. step: [n] in seconds, >
 * 0, in any order; reorders them. NaN: n is 0. */
double run_steps_row_rate(double *step, size_t n);

/* Makes room for runs of up to `most` samples. False: out of memory. */
bool run_steps_make(struct run_steps *steps, size_t most, struct error *e);
void run_steps_free(struct run_steps *steps);

/* Takes the steps of a run. True: they are those of the run before, which may have been longer or shorter
 * where both are even. before: the usual step of the part before, if the run is a part of a longer one, which
 * uneven steps keep where it is near. */
bool run_steps_take(struct run_steps *steps, const struct samples *run, struct usual_step before);

/* The step, in seconds, of an even grid that n times agree with: each time is at most half a unit in its last
 * place from the grid. The last place is the last decimal of the steps T, if all steps are exact in at most 9
 * decimals; where all times are numbers of float32, or numbers of float32 in print (6 to 9 digits), the last
 * place is the last bit of a float32. NaN: no even grid agrees, or n < 5. T: [n] seconds, > 0; T[0] is not
 * used. time: [n] the times in the unit in which they were stored; NULL: not known, only decimals are
 * tried. */
double run_steps_even(const double *T, const double *time, size_t n);

#endif
