/* Channels and rotations of a series that is held whole.
 *
 * A gap within a run is bridged by a straight line, which is the same in both directions, and of rotations
 * the short way. What a filter without lag would leave as it is comes off, and the rest, which begins and
 * ends at 0 or the identity, is filtered both ways (odd_extension.c). Of a channel that is the line from the
 * end value of a run to the other one; of a rotation it is a motion between them: turning steadily, as much
 * as the run does in all, about a rotation that goes the short way. The derivatives of the backward pass use
 * rows of one side only: velocity and acceleration are those of the spline through the values
 * (spline_slopes.c), of a rotation through the integral of the angular velocity. */
#include "offline/whole.h"
#include "whole/end_value.h"
#include "whole/noise.h"
#include "whole/spline_slopes.h"

#include <math.h>

/* --- values of the knots --- */

/* Reads the numbers of a knot into w->part, those of its first row where all are known. False: there is none.
 */
static bool read_knot(struct whole *w, size_t k)
{
    const struct unit *u = w->unit;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = w->g->place[row].at;
        double part[4];
        for (size_t i = 0; i < u->nchannel; i++)
            part[i] = block_goal(at.block, u->channel[i])[at.row];
        if (u->rotation)
            rotations_follow(u->rotation, w->part, part);
        else
            w->part[0] = part[0];
        if (!isnan(part[0]))
            return true;
    }
    return false;
}

void whole_gather(struct whole *w)
{
    struct unwrap unwrap = { 0 };
    memset(w->part, 0, sizeof w->part);
    for (size_t k = 0; k < w->nknot; k++) {
        bool known = read_knot(w, k);
        w->goal[k] = known ? w->part[0] : (double)NAN;
        if (known && w->unit->rotation)
            rotations_target(w->unit->rotation, w->part, w->target[k]);
    }
    memset(w->part, 0, sizeof w->part);
    if (w->unit->period > 0)
        angles_unwrap(&unwrap, w->unit->period, w->goal, w->turns, w->nknot);
}

static double slope_between(const struct whole *w, size_t from, size_t to)
{
    return to > from ? (w->goal[to] - w->goal[from]) / (w->time[to] - w->time[from]) : 0;
}

void whole_bridge(struct whole *w, size_t from, size_t to)
{
    double slope = slope_between(w, from, to), all = w->time[to] - w->time[from], way[3];
    if (w->unit->rotation)
        rotation_vector(w->target[to], w->target[from], way);
    for (size_t k = from + 1; k < to; k++) {
        double t = w->time[k] - w->time[from];
        if (w->unit->rotation) {
            memcpy(w->target[k], w->target[from], sizeof w->target[k]);
            rotation_turn(w->target[k], way, t / all);
        } else {
            w->goal[k] = w->goal[from] + slope * t;
        }
    }
}

/* --- lines and motions --- */

/* The line of the run. */
static double line_at(const struct whole *w, size_t k)
{
    return w->start + w->slope * w->time[k];
}

/* The targets of the run, less its line. The line goes through the end values. What is left of the samples at
 * both ends is noise, and taken as 0. */
static const double *less_line(struct whole *w, double reach)
{
    double *T = w->T + w->begin, *goal = w->goal + w->begin;
    size_t n = w->last - w->begin;
    if (n > 0) {
        const struct noise_samples samples = { T, { goal }, 1, n + 1 };
        const struct end_run run = { T, { goal }, 1, n, reach, noise_variance(&samples, w->v[0] + w->begin) };
        double first;
        end_value(&run, false, &first);
        end_value(&run, true, &goal[n]);
        goal[0] = first;
    }
    w->start = goal[0];
    w->slope = slope_between(w, w->begin, w->last);
    for (size_t k = w->begin; k <= w->last; k++)
        w->goal[k] -= line_at(w, k);
    goal[n] = 0;
    return goal;
}

static struct motion motion_of(const double from[4], const double to[4], const double turns[3])
{
    struct motion m = { .turns = { turns[0], turns[1], turns[2] } };
    double end[4];
    memcpy(m.middle, from, sizeof m.middle);
    memcpy(end, to, sizeof end);
    rotation_turn(m.middle, turns, 0.5);
    rotation_turn(end, turns, -0.5);
    rotation_vector(end, m.middle, m.way);
    return m;
}

/* The rotation that takes the motion at a knot to q. */
static void less_motion(const struct whole *w, const struct motion *m, size_t k, const double q[4],
                        double h[4])
{
    double at[4], t = w->last > w->begin ? w->time[k] / w->time[w->last] : 0;
    memcpy(at, m->middle, sizeof at);
    rotation_turn(at, m->way, t);
    rotation_turn(at, m->turns, t - 0.5);
    rotation_between(q, at, h);
}

/* Sets end to the value at an end of the run: what is left of a motion through the end samples is fitted
 * there. */
static void fit_end(struct whole *w, const struct motion *m, bool at_last, double reach, double end[4])
{
    double last_one[3] = { 0 }, fit[3];
    size_t n = w->last - w->begin;
    for (size_t i = 0; i <= n; i++) {
        size_t k = at_last ? w->last - i : w->begin + i;
        double h[4], v[3];
        less_motion(w, m, k, w->target[k], h);
        rotation_log(h, v);
        rotation_unwrap(v, last_one);
        memcpy(last_one, v, sizeof v);
        for (size_t c = 0; c < 3; c++)
            w->v[c][k] = v[c];
    }
    const double *T = w->T + w->begin;
    const struct noise_samples samples = {
        T, { w->v[0] + w->begin, w->v[1] + w->begin, w->v[2] + w->begin }, 3, n + 1
    };
    struct end_run run = { .T = T, .ncolumn = 3, .last = n, .reach = reach };
    memcpy(run.column, samples.column, sizeof run.column);
    run.noise = noise_variance(&samples, w->goal + w->begin);
    end_value(&run, at_last, fit);
    memcpy(end, w->target[at_last ? w->last : w->begin], 4 * sizeof *end);
    rotation_turn(end, fit, 1);
}

/* The motion from the value at one end of the run to that at the other. */
static struct motion fit_motion(struct whole *w, double reach)
{
    double(*target)[4] = w->target, turns[3] = { 0 }, start[4], end[4];
    for (size_t k = w->begin + 1; k <= w->last; k++) {
        double way[3];
        rotation_vector(target[k], target[k - 1], way);
        for (size_t c = 0; c < 3; c++)
            turns[c] += way[c];
    }
    struct motion m = motion_of(target[w->begin], target[w->last], turns);
    if (w->last == w->begin)
        return m;
    fit_end(w, &m, false, reach, start);
    fit_end(w, &m, true, reach, end);
    return motion_of(start, end, turns);
}

const double *whole_reduce(struct whole *w, double reach)
{
    static const double identity[4] = { 1, 0, 0, 0 };
    if (!w->unit->rotation)
        return less_line(w, reach);
    w->motion = fit_motion(w, reach);
    for (size_t k = w->begin; k <= w->last; k++)
        less_motion(w, &w->motion, k, w->target[k], w->h[k]);
    memcpy(w->h[w->begin], identity, sizeof identity);
    memcpy(w->h[w->last], identity, sizeof identity);
    return w->h[w->begin];
}

/* --- results --- */

/* Makes the result of what came out of the run, which is less its motion: of the two signs the one nearer to
 * the row before, and in the first row to the target. Where the filter changed nothing it is the target, to
 * the last bit. */
void whole_take_result(struct whole *w)
{
    if (!w->unit->rotation)
        return;
    const double *near = w->target[w->begin];
    for (size_t k = w->begin; k <= w->last; k++) {
        double *target = w->target[k], *x = w->h[k], h[4], turn[4];
        less_motion(w, &w->motion, k, target, h);
        rotation_between(w->both.value + 4 * (k - w->begin), h, turn);
        rotation_multiply(turn, target, x);
        rotation_unit(x);
        bool far = near[0] * x[0] + near[1] * x[1] + near[2] * x[2] + near[3] * x[3] < 0;
        for (size_t i = 0; i < 4; i++)
            x[i] = far ? 0 - x[i] : x[i];
        if (turn[1] == 0 && turn[2] == 0 && turn[3] == 0)
            memcpy(x, target, sizeof turn);
        near = x;
    }
}

void whole_add_misfit(struct whole *w, bool good)
{
    for (size_t k = w->begin; k <= w->last; k++) {
        double off[3] = { 0 };
        if (isnan(w->read[k]))
            continue;
        if (good && w->unit->rotation)
            rotation_vector(w->target[k], w->h[k], off);
        else if (good)
            off[0] = w->read[k] - w->both.value[k - w->begin] - line_at(w, k);
        w->misfit.n++;
        w->misfit.square += good ? off[0] * off[0] + off[1] * off[1] + off[2] * off[2] : INFINITY;
        w->misfit.part += w->fit.part;
    }
}

/* Replaces the vectors by the angular velocities of the result. Its integral over a step of T from velocity a
 * to b is the rotation vector of the step and T^2 / 12 a x b: the second term of Magnus' series, for which
 * the velocities are needed first. */
static void take_velocities(struct whole *w, bool known)
{
    size_t begin = w->begin, last = w->last;
    double *const *v = w->v, mean[3] = { 0 }, time = 0, before[3] = { v[0][begin], v[1][begin], v[2][begin] };
    for (size_t k = begin + 1; k <= last; k++) {
        double T = w->T[k], step[3], b[3] = { v[0][k], v[1][k], v[2][k] };
        rotation_vector(w->h[k], w->h[k - 1], step);
        for (size_t c = 0, d = 1, e = 2; c < 3; c++, d = (d + 1) % 3, e = (e + 1) % 3) {
            v[c][k] = step[c] + (known ? T * T / 12 * (before[d] * b[e] - before[e] * b[d]) : 0);
            mean[c] += v[c][k];
        }
        memcpy(before, b, sizeof b);
        time += T;
    }
    for (size_t c = 0; c < 3; c++) {
        v[c][begin] = 0;
        mean[c] = time > 0 ? mean[c] / time : 0;
        for (size_t k = begin + 1; k <= last; k++)
            v[c][k] += v[c][k - 1] - mean[c] * w->T[k];
        spline_slopes(w->T + begin, v[c] + begin, last - begin + 1, false, w->goal + begin);
        for (size_t k = begin; k <= last; k++)
            v[c][k] += mean[c];
    }
}

/* The run, less its line, goes on through its end points, and so its slopes are level there. */
void whole_derive(struct whole *w, size_t n)
{
    bool rotation = w->unit->rotation != NULL;
    for (size_t i = 0; i < 2 && rotation && n == 1; i++)
        take_velocities(w, i > 0);
    for (size_t c = 0; c < (rotation ? 3 : 1) && !(rotation && n == 1); c++)
        spline_slopes(w->T + w->begin, rotation ? w->v[c] + w->begin : w->both.value, w->last - w->begin + 1,
                      n > 1, w->goal + w->begin);
}

/* Numbers of a rotation's last three channels are x, y and z of velocity and acceleration. */
void whole_give(struct whole *w, size_t derivative, size_t k, double x[4])
{
    const struct rotation *r = w->unit->rotation;
    if (!r) {
        double line[] = { line_at(w, k), w->slope, 0 };
        x[0] = w->both.value[k - w->begin] + line[derivative];
        if (derivative == 0 && w->s->c.wrap && w->unit->period > 0)
            x[0] = angles_wrap(x[0], read_knot(w, k) ? w->part[0] : (double)NAN, w->turns[k],
                               w->unit->period);
    } else if (derivative > 0) {
        for (size_t c = 0; c < 3; c++)
            x[r->ncolumn - 3 + c] = rotations_unit(r) * w->v[c][k];
    } else {
        bool known = read_knot(w, k), at_goal = known && memcmp(w->h[k], w->target[k], sizeof *w->h) == 0;
        rotations_print(r, known ? w->part : w->printed, w->h[k], at_goal, x);
        memcpy(w->printed, x, sizeof w->printed);
    }
}
