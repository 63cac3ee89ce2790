/* What a linear filter does to a step, an impulse and a ramp. See response.h. */
#include "view/response.h"

#include "base/array.h"
#include "whole/spline_slopes.h"
#include <math.h>
#include <stdlib.h>

enum { SHORTEST = 256, CROSSINGS = 20 }; /* rows of the shortest step response that is looked at */
#define BAND    0.02                     /* around the goal: settled */
#define ROUNDED 1e-13                    /* the same: at rest */
#define SETTLED 1.5                      /* a response is shown that much longer than it takes to settle */

void response_close(struct response *r)
{
    free(r->settings);
    free(r->pass[0]);
}

double response_row(struct response *r, double goal)
{
    double T = 1 / r->rate, *out[FILTER_MAXOUT];
    const double *goal_at = &goal;
    for (size_t o = 0; o < FILTER_MAXOUT; o++)
        out[o] = &r->out[o];
    struct run run = {
        .settings = r->settings,
        .shape = &r->filter->shape,
        .nrow = 1,
        .nchannel = 1,
        .T = &T,
        .step = r->step,
        .goal = &goal_at,
        .out = out,
        .state = r->state,
    };
    r->filter->run(&run);
    return r->out[0];
}

void response_start(struct response *r, double rate)
{
    r->rate = rate;
    r->filter->step(r->settings, 1 / rate, r->step);
    r->filter->start(r->settings, 0, 0, r->state, r->out);
    response_row(r, 0); /* the goal is known to rest, too */
}

double response_goal(enum response_input input, double rate, double n)
{
    if (n <= 0)
        return 0;
    return input == RESPONSE_STEP ? 1 : input == RESPONSE_RAMP ? n / rate : n == 1 ? rate : 0;
}

/* Rows of a step response until it stays within the band, or has crossed the goal often enough; 0: not within
 * nrow rows. */
static double rows_until(struct response *r, double rate, double nrow, double band)
{
    double outside = 0, crossings = 0, before = -1;
    response_start(r, rate);
    for (double n = 1; n <= nrow; n++) {
        double e = response_row(r, 1) - 1;
        if (!(fabs(e) <= band))
            outside = n;
        crossings += band == BAND && e * before < 0;
        before = e != 0 ? e : before;
        if (crossings >= CROSSINGS)
            return n / SETTLED;
    }
    return outside < nrow / 2 ? outside + 1 : 0;
}

/* The same in at most maxrow rows. */
static double find_rows(struct response *r, double rate, double maxrow, double band)
{
    double rows = 0;
    for (double nrow = SHORTEST; rows == 0 && nrow <= 2 * maxrow; nrow *= 2)
        rows = rows_until(r, rate, nrow, band);
    return rows;
}

bool response_extent(struct response *r, double rate)
{
    enum { FINEST = -80, COARSEST = 80, MAXROW = 1 << 20 };
    double seconds = 0, scale = filter_time_scale(r->settings);
    bool rowwise = false;
    /* From short time steps to long ones, which some methods do not allow. The factor is not a simple
     * fraction, so that the steps do not keep pace with an oscillation. */
    for (int k = FINEST; k <= COARSEST && seconds == 0 && !rowwise; k++) {
        double T = pow(1.93, k), rows = rows_until(r, 1 / T, SHORTEST, BAND);
        rowwise = rows > 0 && k == FINEST;
        seconds = rowwise ? 0 : SETTLED * rows * T;
    }
    if (seconds == 0 && isfinite(scale)) /* it passes a step: nothing has to settle */
        seconds = 4 * scale;
    r->extent = seconds > 0 ? seconds : SETTLED * find_rows(r, rate, MAXROW, BAND) / rate;
    if (r->extent == 0)
        r->extent = 1;
    return seconds > 0;
}

/* Both passes begin so far away that nothing is left of their beginnings. */
bool response_begin(struct response *r, enum response_input input, double rate, size_t n, bool derivatives,
                    struct error *e)
{
    enum { MAXROW = 20000000 };
    double *T, *room, **x = r->pass;
    r->rate = rate;
    r->input = input;
    if (!r->both)
        return true;
    size_t rest = (size_t)find_rows(r, rate, MAXROW / 4, ROUNDED), zero = n + rest, all = 2 * zero + 1;
    r->zero = zero;
    if (rest == 0 || all > MAXROW) {
        error_usage(e, "--zero-phase: both passes need more than %d rows at %g rows per second", MAXROW,
                    rate);
        return error_hint(e, "give another --rate, a shorter --duration, or more damping");
    }
    free(x[0]);
    x[0] = NULL;
    if (!arrays_make(e, ARRAY(x[0], all), ARRAY(x[1], all), ARRAY(x[2], all), ARRAY(T, all),
                     ARRAY(room, all)))
        return false;
    response_start(r, rate);
    for (size_t i = 1; i <= zero; i++)
        x[0][zero + i] = response_row(r, response_goal(input, rate, (double)i));
    r->filter->start(r->settings, r->out[0], r->out[0], r->state, r->out);
    for (size_t i = all - 1; i-- > 0;)
        x[0][i] = response_row(r, x[0][i]);
    for (size_t i = 0; derivatives && i < all; i++)
        T[i] = 1 / rate;
    for (int k = 1; derivatives && k < 3; k++) {
        memcpy(x[k], x[k - 1], all * sizeof *x[k]);
        spline_slopes(T, x[k], all, k == 2, room);
    }
    return true;
}

void response_at(struct response *r, double n)
{
    for (size_t o = 0; r->both && o < r->filter->shape.nout; o++)
        r->out[o] = r->pass[o][(ptrdiff_t)r->zero + (ptrdiff_t)n];
    if (!r->both && n == 0)
        response_start(r, r->rate);
    else if (!r->both)
        response_row(r, response_goal(r->input, r->rate, n));
}

/* Where between the rows n - 1 and n, with the outputs before and x, it passes a level. */
static double passes(double n, double before, double x, double level)
{
    return n - 1 + (level - before) / (x - before);
}

/* Measures a step response row by row; rows are fractional. */
static bool measure_step(struct response *r, struct response_summary *s, struct error *e)
{
    enum { MAXROW = 1 << 24 };
    double ninetieth = (double)NAN, tenth = (double)NAN; /* the first 90 percent; the last 10 before it */
    double before = 0, top = 0, entered = 0;             /* entered: where it last came into the band */
    bool inside = false, settled = false;
    if (!response_begin(r, RESPONSE_STEP, r->fine, 0, false, e))
        return false;
    /* One pass: until it has stayed inside for twice as long as it took to get there, and for the shortest
     * length. */
    double last = r->both ? (double)r->zero : MAXROW - 1, n = r->both ? -last : 0;
    for (; n <= last && !settled; n++) {
        response_at(r, n);
        double x = r->out[0];
        bool outside = !inside;
        inside = fabs(x - 1) <= BAND;
        if (isnan(ninetieth) && before < 0.1 && x >= 0.1)
            tenth = passes(n, before, x, 0.1);
        if (isnan(ninetieth) && x >= 0.9)
            ninetieth = passes(n, before, x, 0.9);
        if (inside && outside)
            entered = passes(n, before, x, before < 1 ? 1 - BAND : 1 + BAND);
        top = fmax(top, x);
        before = x;
        settled = !r->both && inside && n - entered > fmax(SHORTEST, 2 * entered);
    }
    s->rise = (ninetieth - tenth) / r->fine;
    s->overshoot = top > 1 + 1e-12 ? top - 1 : 0;
    s->settling = n < MAXROW ? entered / r->fine : (double)NAN;
    return true;
}

bool response_summarise(struct response *r, struct response_summary *s, struct error *e)
{
    struct frequency_response f;
    double rate = r->fine;
    if (!measure_step(r, s, e))
        return false;
    frequency_response_make(&f, r, rate);
    double low = isnan(s->settling) || s->settling == 0 ? rate / 1e7 : 1e-3 / s->settling;
    s->lag = frequency_response_lag(&f);
    s->frequency = frequency_response_corner(&f, fmin(low, rate / 4), r->both ? sqrt(sqrt(0.5)) : sqrt(0.5));
    if (r->limit) {
        /* With the step hold the goal is half a row ahead: extrapolates from two lengths of the step to none.
         */
        frequency_response_make(&f, r, rate / 2);
        s->lag = 2 * s->lag - frequency_response_lag(&f);
        if (s->frequency > rate / 16) /* the rows damp such tones, not the filter */
            s->frequency = (double)NAN;
    }
    if (r->both || fabs(s->lag) < 1e-6 / rate) /* rounding: there is no lag */
        s->lag = 0;
    return true;
}
