/* What a linear filter does to a step, an impulse and a ramp. See response.h. */
#include "view/response.h"

#include <math.h>
#include <stdlib.h>

enum { LOOK = 256, SWINGS = 20 }; /* rows of one look at a step response */
#define BAND    0.02              /* settled */
#define SETTLED 1.5               /* how much longer than that there is something to see */

bool response_open(struct response *r, const struct filter *filter, const void *settings, double rate,
                   struct error *e)
{
    *r = (struct response){
        .filter = filter, .settings = settings, .shape = filter_shape(filter, settings), .rate = rate
    };
    r->step = calloc(r->shape.nstep + 1, sizeof *r->step);
    r->state = calloc(r->shape.nstate + 1, sizeof *r->state);
    r->out = calloc(r->shape.nout + 1, sizeof *r->out);
    r->out_at = calloc(r->shape.nout + 1, sizeof *r->out_at);
    if (!r->step || !r->state || !r->out || !r->out_at)
        return error_memory(e);
    for (size_t o = 0; o < r->shape.nout; o++)
        r->out_at[o] = &r->out[o];
    filter->step(settings, 1 / rate, r->step);
    response_rest(r);
    return true;
}

void response_close(struct response *r)
{
    free(r->step);
    free(r->state);
    free(r->out);
    free(r->out_at);
}

void response_rest(struct response *r)
{
    r->filter->start(r->settings, 0, 0, r->state, r->out);
}

void response_row(struct response *r, double goal)
{
    double T = 1 / r->rate;
    const double *goal_at = &goal;
    struct run run = {
        .settings = r->settings,
        .shape = &r->shape,
        .nrow = 1,
        .nchannel = 1,
        .T = &T,
        .step = r->step,
        .goal = &goal_at,
        .out = r->out_at,
        .state = r->state,
    };
    r->filter->run(&run);
}

double response_goal(enum response_input input, double rate, double n)
{
    if (n == 0)
        return 0;
    return input == RESPONSE_STEP ? 1 : input == RESPONSE_RAMP ? n / rate : n == 1 ? rate : 0;
}

/* --- how long there is something to see --- */

/* Rows of a step response until it is within the band for good, or has crossed the goal often enough; 0: not
 * in this many rows. */
static double rows_until_over(struct response *r, double nrow)
{
    double out = 0, swings = 0, before = -1;
    response_rest(r);
    for (double n = 1; n <= nrow; n++) {
        response_row(r, 1);
        double e = r->out[0] - 1;
        if (!(fabs(e) <= BAND))
            out = n;
        swings += e * before < 0;
        before = e != 0 ? e : before;
        if (swings >= SWINGS)
            return n / SETTLED;
    }
    return out < nrow / 2 ? out + 1 : 0;
}

bool response_extent_at(const struct filter *filter, const void *settings, double rate, double maxrow,
                        double *seconds, struct error *e)
{
    struct response r;
    *seconds = 0;
    bool good = response_open(&r, filter, settings, rate, e);
    for (double nrow = LOOK; good && *seconds == 0 && nrow <= 2 * maxrow; nrow *= 2)
        *seconds = SETTLED * rows_until_over(&r, nrow) / rate;
    response_close(&r);
    return good;
}

bool response_extent(const struct filter *filter, const void *settings, double *seconds, struct error *e)
{
    enum { FINEST = -80, COARSEST = 80 };
    *seconds = 0;
    /* From short steps to long ones, for some methods bear no long ones. A factor that is no simple fraction,
     * so that the steps do not keep time with a swing. */
    for (int k = FINEST; k <= COARSEST && *seconds == 0; k++) {
        struct response r;
        double T = pow(1.93, k), rows = 0;
        bool good = response_open(&r, filter, settings, 1 / T, e);
        if (good)
            rows = rows_until_over(&r, LOOK);
        response_close(&r);
        if (!good)
            return false;
        if (rows > 0 && k == FINEST)
            return true;
        *seconds = SETTLED * rows * T;
    }
    return true;
}

/* --- summary --- */

/* A step response, looked at row by row. */
struct watch {
    double last;             /* the row before */
    double tenth, ninetieth; /* rows, fractional, where it first got there; NaN: not yet */
    double top;
    double outside; /* row, fractional, where it last came into the band */
    bool inside;
};

/* Where between the row before n and row n it passes a level. */
static double passes(const struct watch *w, double n, double x, double level)
{
    return n - 1 + (level - w->last) / (x - w->last);
}

static void watch_row(struct watch *w, double n, double x)
{
    bool inside = fabs(x - 1) <= BAND;
    if (isnan(w->tenth) && x >= 0.1)
        w->tenth = passes(w, n, x, 0.1);
    if (isnan(w->ninetieth) && x >= 0.9)
        w->ninetieth = passes(w, n, x, 0.9);
    if (inside && !w->inside)
        w->outside = passes(w, n, x, w->last < 1 ? 1 - BAND : 1 + BAND);
    w->inside = inside;
    w->top = fmax(w->top, x);
    w->last = x;
}

static void watch_step(struct response *r, struct response_summary *s)
{
    enum { ENOUGH = 1 << 24 };
    struct watch w = { .tenth = (double)NAN, .ninetieth = (double)NAN };
    double n = 1, quiet = 0;
    response_rest(r);
    /* Until it has been quiet for twice as long as it took, and no less than the shortest look. */
    for (; n < ENOUGH && !(quiet > LOOK && quiet > 2 * w.outside); n++) {
        response_row(r, 1);
        watch_row(&w, n, r->out[0]);
        quiet = w.inside ? quiet + 1 : 0;
    }
    s->rise = (w.ninetieth - w.tenth) / r->rate;
    s->overshoot = w.top > 1 + 1e-12 ? w.top - 1 : 0;
    s->settling = n < ENOUGH ? w.outside / r->rate : (double)NAN;
}

static bool lag_at(const struct filter *filter, const void *settings, double rate, double *lag,
                   struct error *e)
{
    struct frequency_response t;
    bool good = frequency_response_open(&t, filter, settings, rate, e);
    if (good)
        *lag = frequency_response_lag(&t);
    frequency_response_close(&t);
    return good;
}

bool response_summarise(const struct filter *filter, const void *settings, double rate, bool limit,
                        struct response_summary *s, struct error *e)
{
    struct response r;
    struct frequency_response t;
    double coarse = 0;
    bool good = response_open(&r, filter, settings, rate, e);
    if (good)
        watch_step(&r, s);
    response_close(&r);
    if (!good)
        return false;
    good = frequency_response_open(&t, filter, settings, rate, e);
    if (good) {
        double low = isnan(s->settling) || s->settling == 0 ? rate / 1e7 : 1e-3 / s->settling;
        s->lag = frequency_response_lag(&t);
        s->frequency = frequency_response_corner(&t, fmin(low, rate / 4));
    }
    frequency_response_close(&t);
    if (!good)
        return false;
    /* With the step hold the goal runs half a row ahead: the lag of endlessly short rows from those of two
     * lengths. */
    if (limit && !lag_at(filter, settings, rate / 2, &coarse, e))
        return false;
    if (limit)
        s->lag = 2 * s->lag - coarse;
    if (fabs(s->lag) < 1e-6 / rate) /* rounding: the filter lags not at all */
        s->lag = 0;
    return true;
}
