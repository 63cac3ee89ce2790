/* What a filter does to a step, and a linear filter to tones, computed by the filter's
 * step() and run() at rows of equal distance. Invariant: a response starts at rest at 0, and row 0 is at
 * rest. */
#ifndef SPRUNG_VIEW_RESPONSE_H
#define SPRUNG_VIEW_RESPONSE_H

#include "springs/frequency_response.h"

/* A filter and its rows. The caller sets filter and checked settings, and calls response_close. */
struct response {
    const struct filter *filter;
    void *settings; /* not owned */
    double rate;    /* rows per second */
    double extent;  /* seconds worth showing */
    double fine;    /* rows per second for the summary */
    bool limit; /* summary and tones are the limit of infinitely short time steps; `fine` is near the limit */
    bool both;  /* the response with --zero-phase */
    double step[FILTER_MAXSTEP]; /* coefficients of the filter at the rate */
    double state[FILTER_MAXSTATE];
    double out[FILTER_MAXOUT]; /* outputs of the last row */
    double *pass[3]; /* [2 * zero + 1] each: value, velocity and acceleration with --zero-phase, of the rows
                        -zero to zero; one allocation, owned */
    size_t zero;     /* index of row 0 in pass[] */
};

void response_close(struct response *response);

/* Starts at row 0, at rest at 0, with `rate` rows per second. A row at rest is run before row 0. */
void response_start(struct response *response, double rate);

/* Runs the next row, sets response->out to the outputs, and returns the first output. For a filter that
 * answers to cuts only (inertialize) a change of the goal is a cut. */
double response_row(struct response *response, double goal);

/* Finds response->extent: in the last third of the extent the step response stays within 2 percent of the
 * goal, or the step response crosses the goal twenty times in the extent. False: the response depends on the
 * number of rows (the equations of the filter contain no time, or settings with no_limit); the extent is for
 * `rate` rows per second. */
bool response_extent(struct response *response, double rate);

/* Must be called before response_at, after the caller has set response->rate. If response->both, smooths at
 * least the rows -n to n. The input is 0 before row 1, then 1 without an end. derivatives: velocity and
 * acceleration are computed, too, as --zero-phase prints them. False if out of memory, or the filter needs
 * too many rows to come to rest. */
bool response_begin(struct response *response, size_t n, bool derivatives, struct error *e);

/* Sets response->out to the outputs of row n. Unless response->both, n must be at most 0, or 1 more than in
 * the last call. */
void response_at(struct response *response, double n);

/* The gain with --zero-phase of a tone on rows at this rate. frequency: in Hz, at most rate/2. */
double response_smoothed_gain(const struct response *response, double rate, double frequency);

/* The summary of a response. A member is NaN if the response does not have the number. */
struct response_summary {
    double lag;       /* seconds behind a ramp, after the start has faded; NaN: the filter is not linear */
    double rise;      /* seconds from 10 to 90 percent of a step */
    double overshoot; /* as a fraction of the step */
    double settling;  /* seconds until the step response stays within 2 percent of the goal */
    double frequency; /* Hz where the gain is 3 dB below the gain at frequency 0; NaN: the filter is not
                         linear */
};

/* Computes the summary from response->fine rows per second; with --zero-phase if response->both. False if out
 * of memory, or the filter needs too many rows. */
bool response_summarise(struct response *response, struct response_summary *summary, struct error *e);

/* --- response_show.c --- */

enum response_to { RESPONSE_TEXT, RESPONSE_CSV };

struct response_options {
    bool step, bode, summary, zero_phase; /* --step, --bode, … */
    double duration;                      /* --duration, seconds; NaN: chosen to suit the filter */
    double rate;                          /* --rate, rows per second; NaN: chosen to suit the filter */
    int to;                               /* --to: enum response_to */
    const char *output;                   /* --output: a file; NULL: standard output */
};

/* What to show: the options, and the values chosen for options that are not given. */
struct response_request {
    struct response_options options;
    struct response response;
    double rate;      /* rows per second of a curve */
    double duration;  /* seconds of a curve */
    double low, high; /* --bode: the lowest and the highest frequency, Hz */
    double bode_rate; /* --bode: rows per second */
};

/* Chooses duration, rate and frequencies to suit the filter, unless they are given. */
bool response_choose(struct response_request *request, struct error *e);

/* Writes the summary, or the curve as csv. */
bool response_show(struct response_request *request, struct error *e);

#endif
