/* A unit of a stretch through the smoother. See smooth_pass.h. */
#include "series/smooth_pass.h"

#include "base/array.h"
#include "whole/sample_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- samples --- */

void smooth_target(const struct smooth_pass *pass, const struct unit *unit, size_t i,
                   struct unit_before *before, double target[4])
{
    double number[4];
    unit_read(unit, pass->series->knots.goal, i, number);
    target[0] = (double)NAN;
    if (unit_follow(unit, before, number))
        unit_target(unit, number, target);
}

/* The samples of a unit in the stretch. An angle continues from turn to turn. */
static struct samples gather(const struct smooth_pass *pass, struct smooth_worker *worker,
                             const struct unit *unit)
{
    const struct knots *knots = &pass->series->knots;
    const size_t begin = pass->stretch.begin, n = pass->stretch.end - begin, width = unit_width(unit);
    struct samples all = { .n = n, .width = width, .T = knots->T + begin, .value = worker->value };
    struct unit_before before = { .known = false };
    const bool in_place = unit->n == 1 && unit_is_plain(unit);
    if (in_place)
        all.value = knots_column(knots->goal, unit->channel[0]) + begin;
    for (size_t i = 0; i < n && !in_place; i++)
        smooth_target(pass, unit, begin + i, &before, worker->value + i * width);
    return all;
}

/* Divides samples of a unit into runs, which begin and end with a known one. longest: seconds of a gap that
 * does not end a run. Returns their number. */
static size_t find_runs(const struct smooth_pass *pass, struct smooth_worker *worker, size_t unit,
                        const struct samples *all, double longest)
{
    const struct core *core = pass->core;
    const struct knots *knots = &pass->series->knots;
    const double *t = knots->t + pass->stretch.begin;
    const unsigned char *ends = knots_ends_run(core, knots, unit);
    size_t nrun = 0, last = SIZE_MAX;
    for (size_t i = 0; i < all->n; i++) {
        if (!samples_known(all, i))
            continue;
        if (last == SIZE_MAX || t[i] - t[last] > longest || (ends && ends[pass->stretch.begin + i]))
            worker->run[nrun++].first = i;
        worker->run[nrun - 1].last = last = i;
    }
    return nrun;
}

/* --- choosing --- */

/* Leaves out the samples that fill a gap or a spike. */
static void leave_out_filled(const struct smooth_pass *pass, double *value, const struct unit *unit,
                             size_t width)
{
    const struct knots *knots = &pass->series->knots;
    for (size_t k = 0; k < unit->n; k++) {
        const double *x = knots_column(knots->x, unit->channel[k]);
        const double *goal = knots_column(knots->goal, unit->channel[k]);
        for (size_t i = 0; i < knots->n; i++)
            if (!(goal[i] == x[i]))
                value[i * width] = (double)NAN;
    }
}

static bool choose_unit(const struct smooth_pass *pass, struct smooth_worker *worker, size_t number,
                        struct samples all, struct error *e)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    struct smooth_unit *state = &pass->memory->unit[number];
    if (pass->core->cleans) {
        memmove(worker->value, all.value, all.n * all.width * sizeof *worker->value);
        all.value = worker->value;
        leave_out_filled(pass, worker->value, unit, all.width);
    }
    const size_t nrun = find_runs(pass, worker, number, &all, INFINITY);
    const bool good = choose_cutoff(&worker->smoothing, &all, worker->run, nrun, &state->choice, e);
    state->cutoff = state->choice.cutoff;
    return good;
}

/* --- results --- */

/* Turns x, a target that is known, into the numbers to print. */
static void print_value(const struct smooth_pass *pass, size_t number, size_t i, double *x)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    struct smooth_unit *state = &pass->memory->unit[number];
    double target[4];
    smooth_target(pass, unit, i, &state->before, target);
    const bool gap = isnan(target[0]), at_goal = !gap && memcmp(target, x, unit_width(unit) * sizeof *x) == 0;
    unit_print(unit, gap ? state->printed : state->before.number, x, at_goal, target);
    memcpy(state->printed, target, unit->n * sizeof *target);
    memcpy(x, target, unit->n * sizeof *target);
}

static void clear_results(const struct smooth_pass *pass, const struct unit *unit, size_t from, size_t to)
{
    const size_t nwant = pass->core->wanted.n;
    for (size_t k = 0; k < unit->n * nwant; k++)
        for (size_t i = from; i < to; i++)
            knots_column(pass->series->knots.out,
                         unit->channel[k / nwant] * nwant + k % nwant)[i] = (double)NAN;
}

/* Sets out[n] to a component of samples of `width` doubles, times a factor. */
static void put_component(double *out, size_t n, const double *from, size_t width, double factor)
{
    for (size_t j = 0; j < n; j++)
        out[j] = factor * from[j * width];
}

void smooth_units_put(const struct smooth_pass *pass, size_t number, size_t at, size_t n,
                      struct smooth_result result)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    const struct knots *knots = &pass->series->knots;
    const size_t nwant = pass->core->wanted.n, width = unit_width(unit);
    const size_t axes = unit_is_rotation(unit) ? 3 : unit->n;
    bool full = true;
    for (size_t j = 0; j < n && !unit_is_plain(unit); j++)
        if (!isnan(result.x[width * j]))
            print_value(pass, number, at + j, result.x + width * j);
    for (size_t k = 0; k < unit->n * nwant; k++) {
        const size_t part = k / nwant, axis = unit_axis(unit, part);
        const size_t output = pass->core->wanted.output[k % nwant];
        const double *rates = output == 1 ? result.velocity : result.acceleration;
        double *out = knots_column(knots->out, unit->channel[part] * nwant + k % nwant) + at;
        if (output == 0)
            put_component(out, n, result.x + part, width, 1);
        else if (axis < 3)
            put_component(out, n, rates + axis, axes, unit_radian(unit));
        else
            memset(out, 0, n * sizeof *out);
        full = full && knots_are_finite(knots_column(knots->goal, unit->channel[part]) + at, n);
    }
    for (size_t j = 0; j < n && !full && pass->core->input.settings->gaps != GAPS_FILL; j++)
        if (unit_misses(unit, knots->goal, at + j))
            clear_results(pass, unit, at + j, at + j + 1);
}

/* Sets n results from sample `first` of a smoothing on, from the knot at index `at` on. */
static void put_results(const struct smooth_pass *pass, size_t number, const struct smoothing *smoothing,
                        size_t first, size_t n, size_t at)
{
    const struct smoother_curve *curve = &smoothing->curve;
    const bool rotation = unit_is_rotation(&pass->core->input.units->at[number]);
    const size_t axes = smoothing->width * first;
    const struct smooth_result result = { .x = rotation ? smoothing->rotation + 4 * first : curve->x + axes,
                                          .velocity = curve->velocity + axes,
                                          .acceleration = curve->bend + axes };
    smooth_units_put(pass, number, at, n, result);
}

/* --- smoothing --- */

/* Smooths the runs of a unit that the stretch needs. */
static bool smooth_runs(const struct smooth_pass *pass, struct smooth_worker *worker, size_t number,
                        const struct samples *all, struct error *e)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    struct smooth_unit *state = &pass->memory->unit[number];
    const struct stretch stretch = pass->stretch;
    const size_t from = stretch.from - stretch.begin, to = stretch.to - stretch.begin;
    const bool begins = pass->series->knots.first + stretch.begin == 0, ends = stretch.to == stretch.end;
    const struct series_settings *settings = pass->core->input.settings;
    const bool rates = pass->core->wanted.n > 1;
    const bool fills = settings->gaps == GAPS_FILL || isinf(state->cutoff);
    const size_t nrun = find_runs(pass, worker, number, all,
                                  fills ? INFINITY : SMOOTHING_LONGEST_GAP / state->cutoff);
    clear_results(pass, unit, stretch.from, stretch.to);
    if (pass->settings->loop && nrun > 0) {
        size_t first;
        if (!sample_loop_smooth(&worker->smoothing, all, unit->period, state->cutoff, rates, &first, e))
            return false;
        put_results(pass, number, &worker->smoothing, first, all->n, stretch.begin);
        return true;
    }
    for (size_t i = 0; i < nrun; i++) {
        const struct sample_run run = worker->run[i];
        const size_t first = run.first < from ? from : run.first;
        const size_t past = run.last < to ? run.last + 1 : to;
        const struct samples samples = samples_of_run(all, run);
        const struct smoothing_wish wish = { rates, begins || run.first > 0, ends || run.last + 1 < all->n };
        if (first >= past)
            continue;
        if (!smoothing_run(&worker->smoothing, &samples, state->cutoff, wish, e))
            return false;
        put_results(pass, number, &worker->smoothing, first - run.first, past - first, stretch.begin + first);
    }
    return true;
}

/* --- units --- */

bool smooth_unit_run(const struct smooth_pass *pass, struct smooth_worker *worker, size_t unit,
                     struct error *e)
{
    const size_t n = pass->stretch.end - pass->stretch.begin;
    if (!array_reserve(&worker->value, SAMPLE_ROTATION * n, &worker->maxvalue, sizeof *worker->value, e) ||
        !array_reserve(&worker->run, n, &worker->maxrun, sizeof *worker->run, e))
        return false;
    const struct samples all = gather(pass, worker, &pass->core->input.units->at[unit]);
    return pass->choosing ? choose_unit(pass, worker, unit, all, e)
                          : smooth_runs(pass, worker, unit, &all, e);
}
