/* Lines and motions. See trend.h. */
#include "whole/trend.h"

#include "springs/rotation.h"
#include "whole/end_value.h"
#include "whole/noise.h"

static double find_noise(const struct trend_input *input, const struct noise_samples *samples)
{
    return isnan(input->noise) ? noise_variance(samples, input->room) : input->noise;
}

static struct trend find_line(const struct trend_input *input)
{
    const struct samples *run = input->run;
    size_t last = run->n - 1;
    struct trend line = { .duration = input->time[last], .start = run->value[0] };
    if (last == 0)
        return line;
    const struct noise_samples samples = { run->T, { run->value }, 1, run->n };
    const struct end_run ends = {
        run->T, { run->value }, 1, last, input->reach, find_noise(input, &samples)
    };
    double end;
    end_value(&ends, false, &line.start);
    end_value(&ends, true, &end);
    line.slope = (end - line.start) / line.duration;
    for (int i = 0; i < 2 && input->curved; i++)
        end_curvature(&ends, i > 0, line.curvature[i]);
    return line;
}

static struct motion motion_between(const double from[4], const double to[4], const double turns[3])
{
    struct motion motion = { .turns = { turns[0], turns[1], turns[2] } };
    double end[4];
    memcpy(motion.middle, from, sizeof motion.middle);
    memcpy(end, to, sizeof end);
    rotation_turn(motion.middle, turns, 0.5);
    rotation_turn(end, turns, -0.5);
    rotation_vector(end, motion.middle, motion.way);
    return motion;
}

/* Sets residual to the rotation from the motion at a time to q. */
static void take_off_motion(const struct trend *trend, double time, const double q[4], double residual[4])
{
    const struct motion *motion = &trend->motion;
    double at[4], part = trend->duration > 0 ? time / trend->duration : 0;
    memcpy(at, motion->middle, sizeof at);
    rotation_turn(at, motion->way, part);
    rotation_turn(at, motion->turns, part - 0.5);
    rotation_between(q, at, residual);
}

/* Sets end to the end value of the run: the end sample, turned by the end value of the run less `through`,
 * the motion through both end samples. Sets curvature[3] to the curvature of the run less `through` at the
 * end, if input->curved. */
static void fit_end(const struct trend_input *input, const struct trend *through, bool at_last, double end[4],
                    double *curvature)
{
    const struct samples *run = input->run;
    double near[3] = { 0 }, fit[3];
    size_t last = run->n - 1;
    for (size_t i = 0; i <= last; i++) {
        size_t k = at_last ? last - i : i;
        double residual[4], vector[3];
        take_off_motion(through, input->time[k], run->value + 4 * k, residual);
        rotation_log(residual, vector);
        rotation_unwrap(vector, near);
        memcpy(near, vector, sizeof near);
        for (size_t c = 0; c < 3; c++)
            input->vector[c][k] = vector[c];
    }
    const struct noise_samples samples = {
        run->T, { input->vector[0], input->vector[1], input->vector[2] }, 3, run->n
    };
    struct end_run ends = { .T = run->T, .ncolumn = 3, .last = last, .reach = input->reach };
    memcpy(ends.column, samples.column, sizeof ends.column);
    ends.noise = find_noise(input, &samples);
    end_value(&ends, at_last, fit);
    if (input->curved)
        end_curvature(&ends, at_last, curvature);
    memcpy(end, run->value + (at_last ? 4 * last : 0), 4 * sizeof *end);
    rotation_turn(end, fit, 1);
}

static struct trend find_motion(const struct trend_input *input)
{
    const struct samples *run = input->run;
    const double *first = run->value, *final = run->value + 4 * (run->n - 1);
    double turns[3] = { 0 }, start[4], end[4];
    for (const double *q = first; q < final; q += 4) {
        double way[3];
        rotation_vector(q + 4, q, way);
        for (size_t c = 0; c < 3; c++)
            turns[c] += way[c];
    }
    struct trend trend = { .duration = input->time[run->n - 1],
                           .motion = motion_between(first, final, turns) };
    if (run->n == 1)
        return trend;
    fit_end(input, &trend, false, start, trend.curvature[0]);
    fit_end(input, &trend, true, end, trend.curvature[1]);
    trend.motion = motion_between(start, end, turns);
    return trend;
}

struct trend trend_find(const struct trend_input *input)
{
    return input->run->width == SAMPLE_ROTATION ? find_motion(input) : find_line(input);
}

void trend_take_off(const struct trend *trend, const struct samples *run, const double *time,
                    double *residual)
{
    static const double identity[4] = { 1, 0, 0, 0 };
    size_t last = run->n - 1;
    if (run->width == SAMPLE_ROTATION) {
        for (size_t k = 0; k <= last; k++)
            take_off_motion(trend, time[k], run->value + 4 * k, residual + 4 * k);
        memcpy(residual, identity, sizeof identity);
        memcpy(residual + 4 * last, identity, sizeof identity);
        return;
    }
    for (size_t k = 0; k <= last; k++)
        residual[k] = run->value[k] - trend_line(trend, time[k]);
    residual[0] = trend->start - trend_line(trend, 0); /* NaN where the line overflows */
    residual[last] = 0;
}

void trend_add_motion(const struct trend *trend, const struct samples *run, const double *time,
                      const double *filtered, double *x)
{
    const double *near = run->value;
    for (size_t k = 0; k < run->n; k++, x += 4, filtered += 4) {
        const double *sample = run->value + 4 * k;
        double residual[4], turn[4];
        take_off_motion(trend, time[k], sample, residual);
        rotation_between(filtered, residual, turn);
        rotation_multiply(turn, sample, x);
        rotation_unit(x);
        bool far = near[0] * x[0] + near[1] * x[1] + near[2] * x[2] + near[3] * x[3] < 0;
        for (size_t i = 0; i < 4; i++)
            x[i] = far ? 0 - x[i] : x[i];
        if (turn[1] == 0 && turn[2] == 0 && turn[3] == 0)
            memcpy(x, sample, sizeof turn);
        near = x;
    }
}
