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

/* From rotation 0 to rotation 1 while a time goes from 0 to 1: exp(turns (t - 1/2)) exp(way t) middle. The
 * same for the reversed run. */
struct motion {
    double middle[4], way[3], turns[3];
};

static const double identity[4] = { 1, 0, 0, 0 };

static struct coefficients *set_of(const struct whole *w)
{
    return &w->s->steps.set[w->s->c.overrides->of[w->s->c.rotations->at[w->at].channel[0]]];
}

/* Turns q by the vector v, times part. */
static void turn_by(double q[4], const double v[3], double part)
{
    const double scaled[3] = { part * v[0], part * v[1], part * v[2] }, from[4] = { q[0], q[1], q[2], q[3] };
    double turn[4];
    rotation_exp(scaled, turn);
    rotation_multiply(turn, from, q);
}

static struct motion motion_of(const double from[4], const double to[4], const double turns[3])
{
    struct motion m = { .turns = { turns[0], turns[1], turns[2] } };
    double end[4];
    memcpy(m.middle, from, sizeof m.middle);
    memcpy(end, to, sizeof end);
    turn_by(m.middle, turns, 0.5);
    turn_by(end, turns, -0.5);
    rotation_vector(end, m.middle, m.way);
    return m;
}

/* The rotation that takes the motion at a knot to q. */
static void less_motion(const struct whole *w, const struct motion *m, size_t begin, size_t last, size_t k,
                        const double q[4], double h[4])
{
    double at[4], t = last > begin ? (w->time[k] - w->time[begin]) / (w->time[last] - w->time[begin]) : 0;
    memcpy(at, m->middle, sizeof at);
    turn_by(at, m->way, t);
    turn_by(at, m->turns, t - 0.5);
    rotation_between(q, at, h);
}

/* Reads the numbers of a knot, those of its first row where all are known. False: there is none. */
static bool read_knot(struct whole *w, size_t k)
{
    const struct rotation *r = &w->s->c.rotations->at[w->at];
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = whole_spot(w, row);
        double part[4];
        for (size_t i = 0; i < r->ncolumn; i++)
            part[i] = block_goal(at.block, r->channel[i])[at.row];
        rotations_follow(r, w->rotations.part, part);
        if (!isnan(part[0]))
            return true;
    }
    return false;
}

static bool is_gap(const struct rotation *r, struct spot at)
{
    bool gap = false;
    for (size_t i = 0; i < r->ncolumn; i++)
        gap |= isnan(block_goal(at.block, r->channel[i])[at.row]);
    return gap;
}

static void gather_targets(struct whole *w)
{
    const struct rotation *r = &w->s->c.rotations->at[w->at];
    memset(w->rotations.part, 0, sizeof w->rotations.part);
    for (size_t k = 0; k < w->nknot; k++) {
        for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
            struct spot at = whole_spot(w, row);
            w->s->count.gaps += is_gap(r, at) && block_row_read(at.block, at.row) ? r->ncolumn : 0;
        }
        w->goal[k] = (double)NAN;
        if (read_knot(w, k)) {
            w->goal[k] = 0;
            rotations_target(r, w->rotations.part, w->rotations.target[k]);
        }
    }
    memset(w->rotations.part, 0, sizeof w->rotations.part);
}

static void bridge(struct whole *w, size_t from, size_t to)
{
    double(*target)[4] = w->rotations.target, way[3];
    rotation_vector(target[to], target[from], way);
    for (size_t k = from + 1; k < to; k++) {
        memcpy(target[k], target[from], sizeof target[k]);
        turn_by(target[k], way, (w->time[k] - w->time[from]) / (w->time[to] - w->time[from]));
    }
}

/* Sets end to the value at an end of a run: what is left of a motion through the end samples is fitted there.
 */
static void fit_end(struct whole *w, const struct motion *m, size_t begin, size_t last, bool at_last,
                    double reach, double end[4])
{
    double last_one[3] = { 0 }, fit[3];
    for (size_t i = 0; i <= last - begin; i++) {
        size_t k = at_last ? last - i : begin + i;
        double h[4], v[3];
        less_motion(w, m, begin, last, k, w->rotations.target[k], h);
        rotation_log(h, v);
        rotation_unwrap(v, last_one);
        memcpy(last_one, v, sizeof v);
        for (size_t c = 0; c < 3; c++)
            w->rotations.v[c][k] = v[c];
    }
    for (size_t c = 0; c < 3; c++)
        fit[c] = end_value(w->T + begin, w->rotations.v[c] + begin, last - begin, at_last, reach);
    memcpy(end, w->rotations.target[at_last ? last : begin], 4 * sizeof *end);
    turn_by(end, fit, 1);
}

/* The motion from the value at one end of a run to that at the other. */
static struct motion fit_motion(struct whole *w, size_t begin, size_t last, double reach)
{
    double(*target)[4] = w->rotations.target, turns[3] = { 0 }, start[4], end[4];
    for (size_t k = begin + 1; k <= last; k++) {
        double way[3];
        rotation_vector(target[k], target[k - 1], way);
        for (size_t c = 0; c < 3; c++)
            turns[c] += way[c];
    }
    struct motion m = motion_of(target[begin], target[last], turns);
    if (last == begin)
        return m;
    fit_end(w, &m, begin, last, false, reach, start);
    fit_end(w, &m, begin, last, true, reach, end);
    return motion_of(start, end, turns);
}

/* Replaces the vectors by the angular velocities of the result. Its integral over a step of T from velocity a
 * to b is the rotation vector of the step and T^2 / 12 a x b: the second term of Magnus' series, for which
 * the velocities are needed first. */
static void take_velocities(struct whole *w, size_t begin, size_t last, bool known)
{
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

/* Prints an output of all channels at a knot. */
static void put(struct whole *w, size_t o, size_t k, const double x[4])
{
    const struct series *s = w->s;
    const struct rotation *r = &s->c.rotations->at[w->at];
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = whole_spot(w, row);
        bool gap = s->c.settings->gaps != GAPS_FILL && is_gap(r, at);
        for (size_t i = 0; i < r->ncolumn; i++)
            block_out(at.block, r->channel[i] * s->out.nwant + o)[at.row] = gap ? (double)NAN : x[i];
    }
}

/* Prints output o along a run. Those of the last three channels are x, y and z of velocity and acceleration.
 */
static bool put_output(struct whole *w, size_t o, size_t begin, size_t last)
{
    const struct rotation *r = &w->s->c.rotations->at[w->at];
    double printed[4], unit = rotations_unit(r);
    for (size_t k = begin; k <= last; k++) {
        double x[4] = { 0 };
        size_t derivative = w->s->out.want[o];
        struct rotation_result result = { 0 };
        memcpy(result.x, w->rotations.h[k], sizeof result.x);
        if (derivative == 0) {
            bool known = read_knot(w, k);
            result.at_goal = known && memcmp(result.x, w->rotations.target[k], sizeof result.x) == 0;
            rotations_print(r, known ? w->rotations.part : printed, &result, x);
            memcpy(printed, x, sizeof printed);
        }
        for (size_t c = 0; c < 3 && derivative > 0; c++)
            x[r->ncolumn - 3 + c] = unit * w->rotations.v[c][k];
        for (size_t i = 0; i < r->ncolumn; i++)
            if (!isfinite(x[i]) && w->s->out.prints[o]) {
                whole_fail_range(w, r->channel[i], begin, k);
                return false;
            }
        put(w, o, k, x);
    }
    return true;
}

/* Each derivative is made in the place of what it is taken from. */
static void put_outputs(struct whole *w, size_t begin, size_t last)
{
    size_t taken = 0;
    for (size_t o = 0; o < w->s->out.nwant; o++) {
        for (; taken < w->s->out.want[o]; taken++) {
            if (taken == 0) {
                take_velocities(w, begin, last, false);
                take_velocities(w, begin, last, true);
            }
            for (size_t c = 0; c < 3 && taken > 0; c++)
                spline_slopes(w->T + begin, w->rotations.v[c] + begin, last - begin + 1, true,
                              w->goal + begin);
        }
        if (!put_output(w, o, begin, last))
            return;
    }
}

/* The result of a run, which is less its motion: of the two signs the one nearer to the row before, and in
 * the first row to the target. Where the filter changed nothing it is the target, to the last bit. */
static void take_result(struct whole *w, const struct motion *m, size_t begin, size_t last)
{
    const double *near = w->rotations.target[begin];
    for (size_t k = begin; k <= last; k++) {
        double *target = w->rotations.target[k], *x = w->rotations.h[k], h[4], turn[4];
        less_motion(w, m, begin, last, k, target, h);
        rotation_between(w->both.value + 4 * (k - begin), h, turn);
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

/* Filters a run into w->rotations.h. */
static bool filter_both_ways(struct whole *w, size_t begin, size_t last, size_t *bad, struct error *e)
{
    struct coefficients *set = set_of(w);
    struct motion m = fit_motion(w, begin, last, whole_prepare(w, set, begin, last));
    for (size_t k = begin; k <= last; k++)
        less_motion(w, &m, begin, last, k, w->rotations.target[k], w->rotations.h[k]);
    memcpy(w->rotations.h[begin], identity, sizeof identity);
    memcpy(w->rotations.h[last], identity, sizeof identity);
    struct odd_run run = { w->even ? NULL : w->T + begin, last > begin ? w->T[begin + 1] : 0,
                           w->rotations.h[begin], last - begin, true };
    if (!odd_extension_filter(&w->both, set, &run, bad, e))
        return false;
    take_result(w, &m, begin, last);
    return true;
}

static void filter(struct whole *w, size_t begin, size_t last)
{
    struct error e;
    size_t bad;
    if (filter_both_ways(w, begin, last, &bad, &e))
        put_outputs(w, begin, last);
    else
        whole_fail(w, w->s->c.rotations->at[w->at].channel[0], begin, begin + bad, &e);
}

static void try_filter(struct whole *w, size_t begin, size_t last)
{
    struct error ignored;
    size_t bad;
    bool good = filter_both_ways(w, begin, last, &bad, &ignored);
    for (size_t k = begin; k <= last; k++) {
        double off[3] = { INFINITY };
        if (good)
            rotation_vector(w->rotations.target[k], w->rotations.h[k], off);
        whole_add_misfit(w, set_of(w), k, off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
    }
}

static void leave(struct whole *w, size_t k)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    for (size_t o = 0; o < w->s->out.nwant; o++)
        put(w, o, k, gap);
}

void whole_filter_rotation(struct whole *w, size_t rotation)
{
    const struct rotation *r = &w->s->c.rotations->at[rotation];
    const struct whole_kind kind = { bridge, filter, leave, r->ncolumn };
    static const struct whole_kind trial = { bridge, try_filter, NULL, 0 };
    w->at = rotation;
    gather_targets(w);
    whole_choose_halflife(w, set_of(w), &trial, r->channel, r->ncolumn);
    whole_filter_runs(w, &kind);
}
