/* A channel of a series that is held whole.
 *
 * A gap within a run is bridged by a straight line, which is the same in both directions. The line from the
 * end value of a run to the other one is subtracted, as a filter without lag would leave it as it is; the
 * rest is filtered both ways (odd_extension.c), and the line added again. The derivatives of the backward
 * pass use rows of one side only: velocity and acceleration are those of the spline through the values
 * (spline_slopes.c). */
#include "offline/end_value.h"
#include "offline/spline_slopes.h"
#include "offline/whole.h"

#include <math.h>

static void gather(struct whole *w)
{
    struct unwrap unwrap = { 0 };
    for (size_t k = 0; k < w->nknot; k++) {
        w->goal[k] = (double)NAN;
        for (size_t row = w->first[k]; row < w->first[k + 1] && isnan(w->goal[k]); row++) {
            struct spot at = whole_spot(w, row);
            w->goal[k] = block_goal(at.block, w->unit->channel[0])[at.row];
        }
    }
    if (w->unit->period > 0) {
        memcpy(w->angle, w->goal, w->nknot * sizeof *w->angle);
        angles_unwrap(&unwrap, w->unit->period, w->goal, w->turns, w->nknot);
    }
}

static double slope_between(const struct whole *w, size_t from, size_t to)
{
    return to > from ? (w->goal[to] - w->goal[from]) / (w->time[to] - w->time[from]) : 0;
}

static void bridge(struct whole *w, size_t from, size_t to)
{
    double slope = slope_between(w, from, to);
    for (size_t k = from + 1; k < to; k++)
        w->goal[k] = w->goal[from] + slope * (w->time[k] - w->time[from]);
}

/* The line of the run. */
static double line_at(const struct whole *w, size_t k)
{
    return w->start + w->slope * w->time[k];
}

/* The line goes through the end values. What is left of the samples at both ends is noise, and taken as 0. */
static const double *reduce(struct whole *w, double reach)
{
    double *T = w->T + w->begin, *goal = w->goal + w->begin;
    size_t n = w->last - w->begin;
    if (n > 0) {
        double first = end_value(T, goal, n, false, reach);
        goal[n] = end_value(T, goal, n, true, reach);
        goal[0] = first;
    }
    w->start = goal[0];
    w->slope = slope_between(w, w->begin, w->last);
    for (size_t k = w->begin; k <= w->last; k++)
        w->goal[k] -= line_at(w, k);
    goal[n] = 0;
    return goal;
}

static double misfit(const struct whole *w, size_t k)
{
    double off = w->read[k] - w->both.value[k - w->begin] - line_at(w, k);
    return off * off;
}

/* The run, less its line, goes on through its end points, and so its slopes are level there. */
static void derive(struct whole *w, size_t n)
{
    spline_slopes(w->T + w->begin, w->both.value, w->last - w->begin + 1, n > 1, w->goal + w->begin);
}

static void give(struct whole *w, size_t derivative, size_t k, double x[4])
{
    x[0] = w->both.value[k - w->begin];
    x[0] += derivative == 0 ? line_at(w, k) : derivative == 1 ? w->slope : 0;
    if (derivative == 0 && w->s->c.wrap && w->unit->period > 0)
        x[0] = angles_wrap(x[0], w->angle[k], w->turns[k], w->unit->period);
}

const struct whole_kind whole_channel = { gather, bridge, reduce, NULL, misfit, derive, give };
