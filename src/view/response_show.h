/* How a response is shown: a table of rows, a picture, or a summary. */
#ifndef SPRUNG_RESPONSE_SHOW_H
#define SPRUNG_RESPONSE_SHOW_H

#include "view/response.h"

enum response_to { RESPONSE_TEXT, RESPONSE_CSV, RESPONSE_JSON };

struct response_options {
    bool step, impulse, ramp, bode, summary;
    double duration, rate; /* NaN: chosen by what the filter does */
    int to;                /* enum response_to */
    const char *plot;      /* NULL: no picture */
};

/* What is asked for, with everything resolved that was left open. */
struct question {
    const struct filter *filter;
    void *settings;
    struct response_options o;
    enum response_input input;
    double rate, duration;       /* of a curve */
    double fine;                 /* rate of the summary */
    double low, high, bode_rate; /* of --bode */
};

/* The curve asked for, to standard output, or into the picture q->o.plot. */
bool response_show(const struct question *q, struct error *e);

/* The summary, to standard output. */
bool response_show_summary(const struct question *q, struct error *e);

#endif
