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

static struct coefficients *set_of(const struct whole *w)
{
    return &w->s->steps.set[w->s->c.overrides->of[w->at]];
}

static void gather_goals(struct whole *w, size_t c)
{
    const struct series *s = w->s;
    struct unwrap unwrap = { 0 };
    for (size_t k = 0; k < w->nknot; k++) {
        w->goal[k] = (double)NAN;
        for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
            struct spot at = whole_spot(w, row);
            double value = block_goal(at.block, c)[at.row];
            w->s->count.gaps += isnan(value) && block_row_read(at.block, at.row);
            if (isnan(w->goal[k]))
                w->goal[k] = value;
        }
    }
    if (s->c.period && s->c.period[c] > 0) {
        memcpy(w->angle, w->goal, w->nknot * sizeof *w->angle);
        angles_unwrap(&unwrap, s->c.period[c], w->goal, w->turns, w->nknot);
    }
}

/* Through two knots. */
struct line {
    double start, slope;
    size_t from;
};

static struct line line_of(const struct whole *w, size_t from, size_t to)
{
    double slope = to > from ? (w->goal[to] - w->goal[from]) / (w->time[to] - w->time[from]) : 0;
    return (struct line){ w->goal[from], slope, from };
}

static double line_at(const struct line *line, const struct whole *w, size_t k)
{
    return line->start + line->slope * (w->time[k] - w->time[line->from]);
}

static void bridge(struct whole *w, size_t from, size_t to)
{
    struct line line = line_of(w, from, to);
    for (size_t k = from + 1; k < to; k++)
        w->goal[k] = line_at(&line, w, k);
}

/* Prints one output of a channel in all rows of a knot. */
static void put(struct whole *w, size_t c, size_t o, size_t k, double x)
{
    const struct series *s = w->s;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = whole_spot(w, row);
        bool gap = s->c.settings->gaps != GAPS_FILL && isnan(block_goal(at.block, c)[at.row]);
        block_out(at.block, c * s->out.nwant + o)[at.row] = gap ? (double)NAN : x;
    }
}

/* Prints output o of channel c along a run: what came out of it, and the line. */
static bool put_output(struct whole *w, size_t c, size_t o, const struct line *line, size_t begin,
                       size_t last)
{
    const struct series *s = w->s;
    size_t derivative = s->out.want[o];
    for (size_t k = begin; k <= last; k++) {
        double x = w->both.value[k - begin];
        x += derivative == 0 ? line_at(line, w, k) : derivative == 1 ? line->slope : 0;
        if (!isfinite(x) && s->out.prints[o]) {
            whole_fail_range(w, c, begin, k);
            return false;
        }
        if (derivative == 0 && s->c.wrap && s->c.period && s->c.period[c] > 0)
            x = angles_wrap(x, w->angle[k], w->turns[k], s->c.period[c]);
        put(w, c, o, k, x);
    }
    return true;
}

/* Prints the outputs of a run, each derivative made in the place of what it is taken from. The run, less its
 * line, goes on through its end points, and so its slopes are level there. */
static void put_outputs(struct whole *w, size_t c, const struct line *line, size_t begin, size_t last)
{
    const struct series *s = w->s;
    size_t taken = 0;
    for (size_t o = 0; o < s->out.nwant; o++) {
        for (; taken < s->out.want[o]; taken++)
            spline_slopes(w->T + begin, w->both.value, last - begin + 1, taken > 0, w->goal + begin);
        if (!put_output(w, c, o, line, begin, last))
            return;
    }
}

/* Filters a run: subtracts the line through its end values, which *line becomes, and filters the rest both
 * ways. What is left of the samples at both ends is noise, and taken as 0. */
static bool filter_both_ways(struct whole *w, size_t begin, size_t last, struct line *line, size_t *bad,
                             struct error *e)
{
    struct coefficients *set = set_of(w);
    double *T = w->T + begin, *goal = w->goal + begin;
    size_t n = last - begin;
    double reach = whole_prepare(w, set, begin, last);
    if (n > 0) {
        double first = end_value(T, goal, n, false, reach);
        goal[n] = end_value(T, goal, n, true, reach);
        goal[0] = first;
    }
    *line = line_of(w, begin, last);
    for (size_t k = begin; k <= last; k++)
        w->goal[k] -= line_at(line, w, k);
    w->goal[last] = 0;
    struct odd_run run = { w->even ? NULL : T, n > 0 ? T[1] : 0, goal, n, false };
    return odd_extension_filter(&w->both, set, &run, bad, e);
}

static void filter(struct whole *w, size_t begin, size_t last)
{
    struct line line;
    struct error e;
    size_t bad;
    if (filter_both_ways(w, begin, last, &line, &bad, &e))
        put_outputs(w, w->at, &line, begin, last);
    else
        whole_fail(w, w->at, begin, begin + bad, &e);
}

static void try_filter(struct whole *w, size_t begin, size_t last)
{
    struct line line;
    struct error ignored;
    size_t bad;
    bool good = filter_both_ways(w, begin, last, &line, &bad, &ignored);
    for (size_t k = begin; k <= last; k++) {
        double off = good ? w->read[k] - w->both.value[k - begin] - line_at(&line, w, k) : INFINITY;
        whole_add_misfit(w, set_of(w), k, off * off);
    }
}

static void leave(struct whole *w, size_t k)
{
    for (size_t o = 0; o < w->s->out.nwant; o++)
        put(w, w->at, o, k, (double)NAN);
}

void whole_filter_channel(struct whole *w, size_t channel)
{
    static const struct whole_kind kind = { bridge, filter, leave, 1 },
                                   trial = { bridge, try_filter, NULL, 0 };
    w->at = channel;
    gather_goals(w, channel);
    whole_choose_halflife(w, set_of(w), &trial, &channel, 1);
    whole_filter_runs(w, &kind);
}
