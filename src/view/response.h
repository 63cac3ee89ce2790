/* What a linear filter does to a step, an impulse, a ramp and tones, computed by its own step() and run()
 * from rows of equal distance. Invariant: a response starts at rest at 0, and row 0 is that rest. */
#ifndef SPRUNG_VIEW_RESPONSE_H
#define SPRUNG_VIEW_RESPONSE_H

#include "springs/filter.h"

enum response_input { RESPONSE_STEP, RESPONSE_IMPULSE, RESPONSE_RAMP };

/* A linear filter and its rows. Filter and checked settings are set by the caller, who calls response_close.
 */
struct response {
    const struct filter *filter;
    void *settings; /* owned */
    enum response_input input;
    double rate;   /* rows per second */
    double extent; /* seconds worth showing */
    double fine;   /* rate of the summary */
    bool limit; /* the summary and tones are those of infinitely short time steps, which their rate is near */
    bool both;  /* --zero-phase: what a pass forward and one backward do */
    double step[FILTER_MAXSTEP]; /* coefficients at that rate */
    double state[FILTER_MAXSTATE];
    double out[FILTER_MAXOUT]; /* of the last row */
    double *pass[3];           /* of both passes: value, velocity and acceleration of rows -zero to zero */
    size_t zero;
};

void response_close(struct response *r);

/* Row 0, at rest at 0, of rows at that rate; it follows one more row of rest. */
void response_start(struct response *r, double rate);

/* The next row: its outputs are in r->out, and the first is returned. */
double response_row(struct response *r, double goal);

/* The input in row n: 0 up to row 0; then 1 (step), the rate in row 1 alone (impulse, of area 1), or n/rate
 * (ramp). */
double response_goal(enum response_input input, double rate, double n);

/* Finds r->extent: the step response has settled within 2 percent for a third of it, or has crossed its goal
 * twenty times. False: the filter has no time of its own, its effect depends on rows, and these are at that
 * rate. */
bool response_extent(struct response *r, double rate);

/* Before rows of the response to an input, in one pass or, if r->both, in two: these are computed here, for
 * at least rows -n to n of an input that is 0 before row 1 and has no end, with derivatives as --zero-phase
 * prints them. False if memory is out, or the filter needs too many rows to come to rest. */
bool response_begin(struct response *r, enum response_input input, double rate, size_t n, bool derivatives,
                    struct error *e);

/* Outputs of row n in r->out; of one pass it is row 0 or follows row n - 1. */
void response_at(struct response *r, double n);

/* NaN: there is none, or none was reached. */
struct response_summary {
    double lag;       /* s behind a ramp, once settled */
    double rise;      /* s from 10 to 90 percent of a step */
    double overshoot; /* part of the step */
    double settling;  /* s until within 2 percent for good */
    double frequency; /* Hz where the gain is 3 dB down */
};

/* At rows of the fine rate; of both passes if r->both. False if memory is out, or the filter needs too many
 * rows. */
bool response_summarise(struct response *r, struct response_summary *s, struct error *e);

/* --- frequency_response.c --- */

/* The filter as a recurrence from row to row: s' = A s + B g, x = C s + D g. */
struct frequency_response {
    size_t n; /* doubles of state */
    double rate;
    double A[FILTER_MAXSTATE][FILTER_MAXSTATE], B[FILTER_MAXSTATE], C[FILTER_MAXSTATE], D;
};

/* At rows of that rate. Starts the response again. */
void frequency_response_make(struct frequency_response *f, struct response *r, double rate);

/* Gain and phase of a tone of that frequency, in Hz, at most rate/2. */
double _Complex frequency_response_at(const struct frequency_response *f, double frequency);

/* Seconds behind a ramp. */
double frequency_response_lag(const struct frequency_response *f);

/* The lowest frequency from low on whose gain is that part of the gain at frequency 0; NaN: there is none. */
double frequency_response_corner(const struct frequency_response *f, double low, double part);

/* --- response_show.c --- */

enum response_to { RESPONSE_TEXT, RESPONSE_CSV, RESPONSE_JSON };

enum { RESPONSE_MOST = 7 }; /* settings side by side: as many as there are colors */

struct response_options {
    bool step, impulse, ramp, bode, summary, zero_phase;
    double duration, rate;         /* NaN: chosen to suit the filter */
    int to;                        /* enum response_to */
    const char *plot;              /* NULL: no picture */
    struct option_list {           /* an option of the filter that is given as a list of numbers */
        const struct param *param; /* NULL: none is */
        struct numbers values;
    } list;
};

/* What to show, after everything that was left open is chosen. */
struct response_request {
    struct response_options o;
    struct response response[RESPONSE_MOST]; /* one for each value of the list, else one */
    size_t n;
    enum response_input input;
    double rate, duration;       /* of a curve */
    double low, high, bode_rate; /* of --bode */
};

/* Shows the curve, on standard output or in the picture q->o.plot. */
bool response_show(struct response_request *q, struct error *e);

/* Prints the summary to standard output; of several settings a line for each. */
bool response_show_summary(struct response_request *q, struct error *e);

#endif
