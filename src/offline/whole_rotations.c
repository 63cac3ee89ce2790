/* A rotation of a series that is held whole.
 *
 * As for a channel, what a filter without lag would leave as it is comes off, and the rest, which begins and
 * ends at the identity, is filtered both ways (odd_extension.c). Here it is a motion from the end value of a
 * run to the other one: turning steadily, as much as the run does in all, about a rotation that goes the
 * short way. Gaps are bridged the short way. Velocity and acceleration are slopes of splines, as for a
 * channel, through the integral of the angular velocity. */
#include "offline/end_value.h"
#include "offline/spline_slopes.h"
#include "offline/whole.h"

#include <math.h>

static const double identity[4] = { 1, 0, 0, 0 };

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

/* Reads the numbers of a knot, those of its first row where all are known. False: there is none. */
static bool read_knot(struct whole *w, size_t k)
{
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = whole_spot(w, row);
        double part[4];
        for (size_t i = 0; i < w->unit->nchannel; i++)
            part[i] = block_goal(at.block, w->unit->channel[i])[at.row];
        rotations_follow(w->unit->rotation, w->rotations.part, part);
        if (!isnan(part[0]))
            return true;
    }
    return false;
}

static void gather(struct whole *w)
{
    memset(w->rotations.part, 0, sizeof w->rotations.part);
    for (size_t k = 0; k < w->nknot; k++) {
        bool known = read_knot(w, k);
        w->goal[k] = known ? 0 : (double)NAN;
        if (known)
            rotations_target(w->unit->rotation, w->rotations.part, w->rotations.target[k]);
    }
    memset(w->rotations.part, 0, sizeof w->rotations.part);
}

static void bridge(struct whole *w, size_t from, size_t to)
{
    double(*target)[4] = w->rotations.target, way[3];
    rotation_vector(target[to], target[from], way);
    for (size_t k = from + 1; k < to; k++) {
        memcpy(target[k], target[from], sizeof target[k]);
        rotation_turn(target[k], way, (w->time[k] - w->time[from]) / (w->time[to] - w->time[from]));
    }
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
        less_motion(w, m, k, w->rotations.target[k], h);
        rotation_log(h, v);
        rotation_unwrap(v, last_one);
        memcpy(last_one, v, sizeof v);
        for (size_t c = 0; c < 3; c++)
            w->rotations.v[c][k] = v[c];
    }
    for (size_t c = 0; c < 3; c++)
        fit[c] = end_value(w->T + w->begin, w->rotations.v[c] + w->begin, n, at_last, reach);
    memcpy(end, w->rotations.target[at_last ? w->last : w->begin], 4 * sizeof *end);
    rotation_turn(end, fit, 1);
}

/* The motion from the value at one end of the run to that at the other. */
static struct motion fit_motion(struct whole *w, double reach)
{
    double(*target)[4] = w->rotations.target, turns[3] = { 0 }, start[4], end[4];
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

static const double *reduce(struct whole *w, double reach)
{
    w->rotations.motion = fit_motion(w, reach);
    for (size_t k = w->begin; k <= w->last; k++)
        less_motion(w, &w->rotations.motion, k, w->rotations.target[k], w->rotations.h[k]);
    memcpy(w->rotations.h[w->begin], identity, sizeof identity);
    memcpy(w->rotations.h[w->last], identity, sizeof identity);
    return w->rotations.h[w->begin];
}

/* Makes the result of what came out of the run, which is less its motion: of the two signs the one nearer to
 * the row before, and in the first row to the target. Where the filter changed nothing it is the target, to
 * the last bit. */
static void take_result(struct whole *w)
{
    const double *near = w->rotations.target[w->begin];
    for (size_t k = w->begin; k <= w->last; k++) {
        double *target = w->rotations.target[k], *x = w->rotations.h[k], h[4], turn[4];
        less_motion(w, &w->rotations.motion, k, target, h);
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

static double misfit(const struct whole *w, size_t k)
{
    double off[3];
    rotation_vector(w->rotations.target[k], w->rotations.h[k], off);
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
}

/* Replaces the vectors by the angular velocities of the result. Its integral over a step of T from velocity a
 * to b is the rotation vector of the step and T^2 / 12 a x b: the second term of Magnus' series, for which
 * the velocities are needed first. */
static void take_velocities(struct whole *w, bool known)
{
    size_t begin = w->begin, last = w->last;
    double *const *v = w->rotations.v, mean[3] = { 0 }, time = 0,
                  before[3] = { v[0][begin], v[1][begin], v[2][begin] };
    for (size_t k = begin + 1; k <= last; k++) {
        double T = w->T[k], step[3], b[3] = { v[0][k], v[1][k], v[2][k] };
        rotation_vector(w->rotations.h[k], w->rotations.h[k - 1], step);
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

static void derive(struct whole *w, size_t n)
{
    if (n == 1) {
        take_velocities(w, false);
        take_velocities(w, true);
    }
    for (size_t c = 0; c < 3 && n > 1; c++)
        spline_slopes(w->T + w->begin, w->rotations.v[c] + w->begin, w->last - w->begin + 1, true,
                      w->goal + w->begin);
}

/* Numbers of the last three channels are x, y and z of velocity and acceleration. */
static void give(struct whole *w, size_t derivative, size_t k, double x[4])
{
    const struct rotation *r = w->unit->rotation;
    struct whole_rotations *a = &w->rotations;
    for (size_t c = 0; c < 3 && derivative > 0; c++)
        x[r->ncolumn - 3 + c] = rotations_unit(r) * a->v[c][k];
    if (derivative > 0)
        return;
    bool known = read_knot(w, k);
    bool at_goal = known && memcmp(a->h[k], a->target[k], sizeof *a->h) == 0;
    rotations_print(r, known ? a->part : a->last, a->h[k], at_goal, x);
    memcpy(a->last, x, sizeof a->last);
}

const struct whole_kind whole_rotation = { gather, bridge, reduce, take_result, misfit, derive, give };
