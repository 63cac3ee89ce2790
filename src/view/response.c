/* The answer of a filter to a step. See response.h. */
#include "view/response.h"

#include "base/array.h"
#include "whole/smoothing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORTEST = 256, /* rows of the shortest step response that is computed */
    CROSSINGS = 20  /* part of the goal; closer than this a step response counts as settled */
};
#define BAND    0.02 /* a step response within this distance of the goal is settled */
#define SETTLED 1.5  /* duration of a curve / settling time */
#define FADED   7.0  /* periods of the cutoff after which the smoother has faded to rounding */

void response_close(struct response *response)
{
    free(response->pass[0]);
}

double response_row(struct response *response, double goal)
{
    const struct filter *filter = response->filter;
    /* A filter that looks ahead reads the next row only after a cut, where the goal stays. */
    const double T[2] = { 1 / response->rate, 1 / response->rate }, goals[2] = { goal, goal };
    const double *goal_at = goals;
    bool cut = filter->ahead && goal != response->state[0]; /* state[0]: the last goal */
    const unsigned char flag = FLAG_CUT, *flags = &flag;
    double *out[FILTER_MAXOUT];
    for (size_t o = 0; o < FILTER_MAXOUT; o++)
        out[o] = &response->out[o];
    struct run run = {
        .settings = response->settings,
        .shape = &filter->shape,
        .nrow = 1,
        .nchannel = 1,
        .T = T,
        .step = response->step,
        .goal = &goal_at,
        .flags = cut ? &flags : NULL,
        .out = out,
        .state = response->state,
        .ahead = filter->ahead,
    };
    filter->run(&run);
    return response->out[0];
}

void response_start(struct response *response, double rate)
{
    response->rate = rate;
    response->filter->step(response->settings, 1 / rate, response->step);
    const struct first_row first = { .goal = 0 };
    response->filter->start(response->settings, &first, response->state, response->out);
    /* After a second row at 0, filters that look at the change of the goal see no change. */
    response_row(response, 0);
}

/* Rows until the step response stays within BAND of the goal to the end of nrow rows, or has crossed the goal
 * CROSSINGS times. 0: the response does not settle in the first half of the nrow rows. */
static double rows_until(struct response *response, double rate, double nrow)
{
    double outside = 0, crossings = 0, before = -1;
    response_start(response, rate);
    for (double n = 1; n <= nrow; n++) {
        double error = response_row(response, 1) - 1;
        if (!(fabs(error) <= BAND))
            outside = n;
        crossings += error * before < 0;
        before = error != 0 ? error : before;
        if (crossings >= CROSSINGS)
            return n / SETTLED;
    }
    return outside < nrow / 2 ? outside + 1 : 0;
}

bool response_extent(struct response *response, double rate)
{
    enum { FINEST = -80, COARSEST = 80, MAXROW = 1 << 21 };
    const struct filter_common *common = response->settings;
    double seconds = 0, scale = filter_time_scale(response->settings);
    bool rowwise = common->no_limit;
    /* From short time steps to long time steps, because some methods are unstable with long time steps. The
     * factor is not a simple fraction, so that the time steps do not keep pace with an oscillation. */
    for (int k = FINEST; k <= COARSEST && seconds == 0 && !rowwise; k++) {
        double T = pow(1.93, k), rows = rows_until(response, 1 / T, SHORTEST);
        rowwise = rows > 0 && k == FINEST;
        seconds = rowwise ? 0 : SETTLED * rows * T;
    }
    /* If the output follows a step immediately, no response settles. */
    if (seconds == 0 && isfinite(scale) && !common->no_limit)
        seconds = 4 * scale;
    response->extent = seconds;
    for (double nrow = SHORTEST; response->extent == 0 && nrow <= MAXROW; nrow *= 2)
        response->extent = SETTLED * rows_until(response, rate, nrow) / rate;
    if (response->extent == 0)
        response->extent = 1;
    return seconds > 0;
}

/* Smooths the rows of a response, which have the goals goal[n]. */
static bool smooth_rows(struct response *response, const double *T, const double *goal, size_t n,
                        bool derivatives, struct error *e)
{
    const struct filter_common *settings = response->settings;
    const struct samples samples = { .n = n, .width = SAMPLE_NUMBER, .T = T, .value = goal };
    struct smoothing smoothing = { .n = 0 };
    const struct smoothing_wish wish = { .rates = derivatives };
    const bool good = smoothing_run(&smoothing, &samples, settings->cutoff, wish, e);
    const double *of[] = { smoothing.curve.x, smoothing.curve.velocity, smoothing.curve.bend };
    for (size_t o = 0; o < (derivatives ? 3 : 1) && good; o++)
        memcpy(response->pass[o], of[o], n * sizeof *of[o]);
    smoothing_free(&smoothing);
    return good;
}

/* The rows begin so far away from row 0, and continue so far beyond the last, that an end has no effect. */
bool response_begin(struct response *response, size_t n, bool derivatives, struct error *e)
{
    enum { MAXROW = 4000000 };
    const double cutoff = ((const struct filter_common *)response->settings)->cutoff;
    double *T, *goal, **x = response->pass, rate = response->rate;
    if (!response->both)
        return true;
    const double rest = ceil(FADED / cutoff * rate);
    const size_t zero = n + (size_t)fmin(rest, MAXROW), nrow = 2 * zero + 1;
    response->zero = zero;
    if (nrow > MAXROW) {
        error_usage(e, "--zero-phase: the response needs more than %d rows at %g rows per second", MAXROW,
                    rate);
        return error_hint(e, "give a lower --rate or a shorter --duration");
    }
    free(x[0]);
    x[0] = NULL;
    if (!arrays_make(e, ARRAY(x[0], nrow), ARRAY(x[1], nrow), ARRAY(x[2], nrow)) ||
        !arrays_make(e, ARRAY(T, nrow), ARRAY(goal, nrow)))
        return false;
    for (size_t i = 0; i < nrow; i++) {
        T[i] = 1 / rate;
        goal[i] = i > zero;
    }
    bool good = smooth_rows(response, T, goal, nrow, derivatives, e);
    free(T);
    return good;
}

double response_smoothed_gain(const struct response *response, double rate, double frequency)
{
    const struct filter_common *settings = response->settings;
    const double a2 = smoother_penalty(settings->cutoff, 1 / rate);
    return smoother_gain_at(a2, 1 / rate, 2 * M_PI * frequency / rate);
}

void response_at(struct response *response, double n)
{
    for (size_t o = 0; response->both && o < response->filter->shape.nout; o++)
        response->out[o] = response->pass[o][(ptrdiff_t)response->zero + (ptrdiff_t)n];
    if (!response->both && n < 0)
        memset(response->out, 0, sizeof response->out);
    else if (!response->both && n == 0)
        response_start(response, response->rate);
    else if (!response->both)
        response_row(response, 1);
}

/* The fractional row where the output passes a level, by a straight line from `before` in row n - 1 to x in
 * row n. */
static double passing_row(double n, double before, double x, double level)
{
    return n - 1 + (level - before) / (x - before);
}

/* Measures a step response row by row. */
static bool measure_step(struct response *response, struct response_summary *summary, struct error *e)
{
    enum { MAXROW = 1 << 24 };
    double ninetieth = (double)NAN; /* fractional row where the output first passes 90 percent */
    double tenth = (double)NAN; /* fractional row where the output last passes 10 percent before that row */
    double entered = 0;         /* fractional row where the output last came into the band */
    double before = 0, top = 0; /* the output in the row before; the highest output */
    bool inside = false, settled = false;
    response->rate = response->fine;
    if (!response_begin(response, 0, false, e))
        return false;
    /* One pass ends when the output has been in the band for 2 * entered rows, and for SHORTEST rows. */
    double last = response->both ? (double)response->zero : MAXROW - 1;
    double n = response->both ? -last : 0;
    for (; n <= last && !settled; n++) {
        response_at(response, n);
        double x = response->out[0];
        bool outside = !inside;
        inside = fabs(x - 1) <= BAND;
        if (isnan(ninetieth) && before < 0.1 && x >= 0.1)
            tenth = passing_row(n, before, x, 0.1);
        if (isnan(ninetieth) && x >= 0.9)
            ninetieth = passing_row(n, before, x, 0.9);
        if (inside && outside)
            entered = passing_row(n, before, x, before < 1 ? 1 - BAND : 1 + BAND);
        top = fmax(top, x);
        before = x;
        settled = !response->both && inside && n - entered > fmax(SHORTEST, 2 * entered);
    }
    /* In the limit a rise within one row is instant. */
    if (response->limit && floor(tenth) == floor(ninetieth)) {
        ninetieth = tenth;
        entered = entered < ceil(tenth) ? 0 : entered;
    }
    summary->rise = (ninetieth - tenth) / response->fine;
    summary->overshoot = top > 1 + 1e-12 ? top - 1 : 0;
    summary->settling = n < MAXROW ? entered / response->fine : (double)NAN;
    return true;
}

bool response_summarise(struct response *response, struct response_summary *summary, struct error *e)
{
    struct frequency_response recurrence;
    double rate = response->fine;
    if (!measure_step(response, summary, e))
        return false;
    summary->lag = summary->frequency = (double)NAN;
    if (!filter_is_linear(response->settings))
        return true;
    if (response->both) {
        summary->lag = 0;
        summary->frequency = ((const struct filter_common *)response->settings)->cutoff;
        return true;
    }
    frequency_response_make(&recurrence, response->filter, response->settings, 1 / rate);
    double low = isnan(summary->settling) || summary->settling == 0 ? rate / 1e7 : 1e-3 / summary->settling;
    summary->lag = frequency_response_lag(&recurrence);
    summary->frequency = frequency_response_corner(&recurrence, fmin(low, rate / 4), sqrt(0.5));
    if (response->limit) {
        /* A goal that is held over the time step is half a row ahead, so the lag depends linearly on the time
         * step T. With the lags at T and 2 T, lag(0) = 2 lag(T) - lag(2 T). */
        frequency_response_make(&recurrence, response->filter, response->settings, 2 / rate);
        summary->lag = 2 * summary->lag - frequency_response_lag(&recurrence);
        if (fabs(summary->lag) < 1e-6 / rate)
            summary->lag = 0;
        if (summary->frequency > rate / 16) /* above, the time step damps tones more than the filter does */
            summary->frequency = (double)NAN;
    }
    return true;
}
