/* What a linear filter does to a step, an impulse, a ramp and tones, from its own equations: the same step()
 * and run() that filter files, fed with these inputs at rows of equal distance. Invariant: a response starts
 * at rest at 0, and row 0 is that rest. */
#ifndef SPRUNG_RESPONSE_H
#define SPRUNG_RESPONSE_H

#include "filters/filter.h"

enum response_input { RESPONSE_STEP, RESPONSE_IMPULSE, RESPONSE_RAMP };

/* A filter under one kind of row. */
struct response {
    const struct filter *filter;
    const void *settings;
    struct shape shape;
    double rate;  /* rows per second */
    double *step; /* coefficients */
    double *state;
    double *out; /* [nout] of the last row */
    double **out_at;
};

/* false: memory is out. response_close follows in any case. */
bool response_open(struct response *r, const struct filter *filter, const void *settings, double rate,
                   struct error *e);
void response_close(struct response *r);

/* Row 0: at rest at 0. */
void response_rest(struct response *r);

/* The next row: its outputs are in r->out. */
void response_row(struct response *r, double goal);

/* The input in row n: 0 in row 0; then 1 (step), the rate in row 1 alone (impulse, of area 1), or n/rate
 * (ramp). */
double response_goal(enum response_input input, double rate, double n);

/* How long there is something to see, in seconds: the step response has settled within 2 percent for a third
 * of it, or has crossed its goal twenty times. 0: the filter has no time of its own, what it does goes by
 * rows. */
bool response_extent(const struct filter *filter, const void *settings, double *seconds, struct error *e);

/* The same for a given rate, which also serves filters without a time of their own. At most maxrow rows. */
bool response_extent_at(const struct filter *filter, const void *settings, double rate, double maxrow,
                        double *seconds, struct error *e);

/* NaN: there is none, or none that was reached. */
struct response_summary {
    double lag;       /* s behind a ramp, once settled */
    double rise;      /* s from 10 to 90 percent of a step */
    double overshoot; /* part of the step */
    double settling;  /* s until within 2 percent for good */
    double frequency; /* Hz where the gain is 3 dB down */
};

/* By rows of that rate; limit: of endlessly short ones, of which the rate is short enough. */
bool response_summarise(const struct filter *filter, const void *settings, double rate, bool limit,
                        struct response_summary *s, struct error *e);

/* --- response_tones.c: what it does to tones, from the matrices of its recurrence --- */

/* s' = A s + B g, x = C s + D g, from row to row. */
struct frequency_response {
    size_t n;
    double rate;
    double *A, *B, *C, D;
    double _Complex *work;
};

bool frequency_response_open(struct frequency_response *t, const struct filter *filter, const void *settings, double rate,
                struct error *e);
void frequency_response_close(struct frequency_response *t);

/* What becomes of a tone of that frequency, in Hz, at most rate/2: its gain and turn. */
double _Complex frequency_response_at(const struct frequency_response *t, double frequency);

/* Seconds behind a ramp. */
double frequency_response_lag(const struct frequency_response *t);

/* The lowest frequency with 1/sqrt 2 of the gain at frequency 0, looked for from low on; NaN: there is
 * none. */
double frequency_response_corner(const struct frequency_response *t, double low);

#endif
