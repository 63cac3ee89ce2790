/* How a response is shown: as a table of rows, a picture, or a summary. */
#ifndef SPRUNG_RESPONSE_SHOW_H
#define SPRUNG_RESPONSE_SHOW_H

#include "view/response.h"

enum response_to { RESPONSE_TEXT, RESPONSE_CSV, RESPONSE_JSON };

struct response_options {
    bool step, impulse, ramp, bode, summary;
    double duration, rate; /* NaN: chosen to suit the filter */
    int to;                /* enum response_to */
    const char *plot;      /* NULL: no picture */
};

/* What to show, after everything that was left open is chosen. */
struct response_request {
    struct response_options o;
    struct response response;
    enum response_input input;
    double rate, duration;       /* of a curve */
    double fine;                 /* rate of the summary */
    double low, high, bode_rate; /* of --bode */
};

/* Shows the curve, on standard output or in the picture q->o.plot. */
bool response_show(struct response_request *q, struct error *e);

/* Prints the summary to standard output. */
bool response_show_summary(struct response_request *q, struct error *e);

#endif
