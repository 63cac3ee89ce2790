/* The units of held rows, on several threads. See held_units.h. */
#include "series/held/held_units.h"

#include "base/array.h"
#include "base/pool.h"
#include "series/series_state.h"
#include "whole/live_smoother.h"
#include "whole/sample_loop.h"
#include "whole/sample_runs.h"

#include <stdlib.h>

enum {
    SHARED_SAMPLES = 4096, /* shortest stretch, in samples, whose units are shared by several threads */
    OUTPUTS = 3            /* value, velocity, acceleration */
};

#define ROUNDED 1e-6 /* of a lookahead: error of sums of steps */

/* An error of a unit, which ends the series. */
struct failure {
    bool any;
    size_t unit;        /* number of the unit */
    uint64_t from, row; /* rows of the group: the input ends before `from`, and the fault is in `row` */
    struct error error;
};

/* The memory of a thread for the samples of a unit. */
struct held_worker {
    struct smoothing smoothing;
    size_t max;              /* room for samples */
    double *value;           /* [max * 4] samples of a vector or rotation. Owned, with the arrays below */
    double *result[OUTPUTS]; /* [max * 4] results, sample after sample; NaN: none */
    struct sample_run *run;  /* [max] */
    size_t *nread;           /* [max] rows of each sample */
    double *row;             /* [4][max] numbers of the unit in rows */
    size_t too_large;        /* the first sample with such a result; SIZE_MAX: none */
    uint64_t ngap;           /* cells that are missing in the stretch */
    struct steps_taken taken;
    struct failure failure; /* the first, by row and then by unit */
};

/* --- memory --- */

bool held_units_open(struct held_units *units, struct series *series, struct error *e)
{
    const struct units *all = series->config.in.units;
    units->series = series;
    units->nworker = pool_workers(series->config.pool);
    if (!arrays_make(e, ARRAY(units->at, all->n), ARRAY(units->worker, units->nworker)))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        const struct filter_common *settings = series->config.settings;
        units->at[units->n++] = (struct held_unit){ .unit = &all->at[i],
                                                    .settings = settings,
                                                    .cutoff = settings->cutoff };
        units->loop |= settings->loop;
    }
    return true;
}

void held_units_close(struct held_units *units)
{
    for (size_t i = 0; i < units->nworker && units->at; i++) {
        smoothing_free(&units->worker[i].smoothing);
        free(units->worker[i].value);
    }
    free(units->at);
}

static bool make_room(struct held_worker *worker, size_t n, struct error *e)
{
    struct held_worker room = *worker;
    if (n <= worker->max)
        return true;
    const size_t max = room.max = n + n / 4, wide = SAMPLE_ROTATION * max;
    if (!arrays_make(e, ARRAY(room.value, wide), ARRAY(room.result[0], wide), ARRAY(room.result[1], wide),
                     ARRAY(room.result[2], wide), ARRAY(room.run, max), ARRAY(room.nread, max),
                     ARRAY(room.row, wide)))
        return false;
    free(worker->value);
    *worker = room;
    return true;
}

/* --- errors --- */

/* Notes an error of a channel of a unit, which ends the input before row `from` of the group. The first row
 * counts, and of one row the first unit. */
static void fail(const struct held_units *units, struct held_worker *worker, size_t unit, size_t channel,
                 uint64_t from, uint64_t row, struct error *e)
{
    struct failure *first = &worker->failure;
    if (first->any && (first->from < from || (first->from == from && first->unit < unit)))
        return;
    if (channel != COLUMN_NONE)
        error_column(e, plan_channel(units->series->config.in.plan, channel)->name);
    *first = (struct failure){ true, unit, from, row, *e };
}

static void fail_memory(const struct held_units *units, struct held_worker *worker, size_t unit,
                        struct error *e)
{
    fail(units, worker, unit, COLUMN_NONE, units->held->nrow_given, units->held->nrow_given, e);
}

/* Adds up what the workers have counted, and ends the series at the first error. */
static void gather_workers(struct held_units *units)
{
    struct series *series = units->series;
    const struct failure *first = &units->worker[0].failure;
    for (size_t i = 0; i < units->nworker; i++) {
        struct held_worker *worker = &units->worker[i];
        const struct failure *own = &worker->failure;
        series->count.gaps += worker->ngap;
        worker->ngap = 0;
        if (worker->taken.any)
            steps_taken_add(&series->taken, worker->taken.shortest, worker->taken.longest);
        worker->taken.any = false;
        if (own->any &&
            (!first->any || own->from < first->from || (own->from == first->from && own->unit < first->unit)))
            first = own;
    }
    if (first->any)
        operator_fail(&series->operator, held_spot(units->held, first->from),
                      held_spot(units->held, first->row), &first->error);
    for (size_t i = 0; i < units->nworker; i++)
        units->worker[i].failure.any = false;
}

/* Has each unit worked on, by several threads where there is much to do. */
static void share(struct held_units *units, void (*work)(void *closure, size_t unit, size_t worker))
{
    const bool much = (units->stretch.end - units->stretch.begin) * units->n >= SHARED_SAMPLES;
    pool_each(much ? units->series->config.pool : NULL, units->n, work, units);
    gather_workers(units);
}

/* --- samples --- */

/* The numbers of a unit in sample k become its target, or NaN where one is missing. read: the numbers of the
 * last known sample, zeroed before the first. */
static void take_target(const struct unit *unit, const struct held_samples *held, size_t k, double read[4],
                        double target[4])
{
    double number[4];
    for (size_t c = 0; c < unit->n; c++)
        number[c] = held_value(held, unit->channel[c])[k];
    unit_follow(unit, read, number);
    target[0] = (double)NAN;
    if (!isnan(number[0]))
        unit_target(unit, number, target);
}

/* The samples of a unit in the stretch. */
static struct samples gather(const struct held_units *units, struct held_worker *worker,
                             const struct unit *unit)
{
    const struct held_samples *held = units->held;
    const size_t begin = units->stretch.begin, n = units->stretch.end - begin, width = unit_width(unit);
    struct samples all = { .n = n, .width = width, .T = held->T + begin, .value = worker->value };
    double read[4] = { 0 };
    if (width == SAMPLE_NUMBER)
        all.value = held_value(held, unit->channel[0]) + begin;
    for (size_t k = 0; k < n && width > SAMPLE_NUMBER; k++)
        take_target(unit, held, begin + k, read, worker->value + k * width);
    return all;
}

/* The longest gap, in seconds, that does not end a run of a unit. */
static double longest_gap(const struct held_units *units, double cutoff)
{
    const bool filled = gaps_way(units->series->config.in.settings->gaps)->printed;
    return filled || isinf(cutoff) ? INFINITY : SMOOTHING_LONGEST_GAP / cutoff;
}

/* Divides samples into runs. Returns their number. */
static size_t find_runs(const struct held_units *units, struct held_worker *worker, const struct samples *all,
                        double longest, bool keeps)
{
    const struct held_samples *held = units->held;
    const size_t begin = units->stretch.begin;
    struct run_ends ends = { .gaps = series_gaps(&units->series->config.in), .longest = longest };
    if (keeps && ends.gaps.way->bridged)
        ends.gaps.way = gaps_way(GAPS_KEEP); /* a gap that was filled ends no run */
    if (ends.gaps.limit.kind == GAP_SECONDS)
        ends.time = held->stamp + begin;
    for (size_t k = 0; k < all->n && ends.gaps.limit.kind == GAP_ROWS; k++)
        worker->nread[k] = (size_t)(held_row_end(held, begin + k) - held->row[begin + k]);
    if (ends.gaps.limit.kind == GAP_ROWS)
        ends.nread = worker->nread;
    return sample_runs_find(all, &ends, worker->run);
}

/* --- choosing --- */

/* Makes the samples missing that filled a gap or a spike: the row has no number there, or another one. */
static void leave_out_filled(const struct held_units *units, struct held_worker *worker,
                             const struct unit *unit, size_t width)
{
    const struct held_samples *held = units->held;
    for (size_t k = 0; k < held->n; k++) {
        const struct spot at = held_spot(held, held->row[k]);
        if (at.block->ngoal == 0)
            continue;
        for (size_t c = 0; c < unit->n; c++) {
            double read, goal;
            block_copy_values(at.block, unit->channel[c], at.row, 1, &read);
            block_copy_goals(at.block, unit->channel[c], at.row, 1, &goal);
            if (isnan(read) || !(goal == read))
                worker->value[k * width] = (double)NAN;
        }
    }
}

static void choose_unit(void *closure, size_t number, size_t at)
{
    const struct held_units *units = closure;
    struct held_unit *own = &units->at[number];
    struct held_worker *worker = &units->worker[at];
    struct error e;
    if (!filter_automatic(own->settings))
        return;
    /* Rooms of its own, as a series is longer than its stretches. */
    struct held_worker room = { .value = NULL };
    const size_t n = units->held->n, width = unit_width(own->unit);
    if (!arrays_make(
            &e, ARRAY(room.value, n * width), ARRAY(room.run, n / 2 + 1),
            ARRAY(room.nread, series_gaps(&units->series->config.in).limit.kind == GAP_ROWS ? n : 0))) {
        fail_memory(units, worker, number, &e);
        return;
    }
    struct samples all = gather(units, &room, own->unit);
    if (all.value != room.value)
        memcpy(room.value, all.value, n * sizeof *room.value);
    all.value = room.value;
    leave_out_filled(units, &room, own->unit, width);
    const size_t nrun = find_runs(units, &room, &all, INFINITY, true);
    if (!choose_cutoff(&worker->smoothing, &all, room.run, nrun, &own->choice, &e))
        fail_memory(units, worker, number, &e);
    own->cutoff = own->choice.cutoff;
    free(room.value);
}

void held_units_choose(struct held_units *units, struct held_samples *held)
{
    units->held = held;
    units->stretch = (struct stretch){ 0, 0, held->n, held->n };
    share(units, choose_unit);
}

/* --- results into rows --- */

/* Consecutive rows of a block and their samples. */
struct row_range {
    struct spot at;
    size_t n;
    size_t sample;    /* index of the first row's sample among the results */
    const size_t *of; /* [n] index of each row's sample among the results; NULL: sample, sample + 1, … */
};

static inline size_t sample_of(const struct row_range *rows, size_t j)
{
    return rows->of ? rows->of[j] : rows->sample + j;
}

/* Where an output of a channel goes in a range of rows. */
static double *output_at(const struct held_units *units, const struct row_range *rows, size_t channel,
                         size_t output)
{
    return block_out(rows->at.block, channel * units->series->wanted.n + output) + rows->at.row;
}

/* Puts the results of a number or vector into rows. */
static void put_numbers(const struct held_units *units, struct held_worker *worker, const struct unit *unit,
                        const struct row_range *rows)
{
    const struct wanted_outputs *wanted = &units->series->wanted;
    const struct gap_way *way = gaps_way(units->series->config.in.settings->gaps);
    double *cell = worker->row;
    for (size_t c = 0; c < unit->n; c++) {
        block_copy_goals(rows->at.block, unit->channel[c], rows->at.row, rows->n, cell);
        for (size_t o = 0; o < wanted->n; o++) {
            const double *result = worker->result[wanted->output[o]] + c;
            double *out = output_at(units, rows, unit->channel[c], o);
            for (size_t j = 0; j < rows->n; j++)
                out[j] = gaps_result(way, isnan(cell[j]), result[sample_of(rows, j) * unit->n]);
        }
        for (size_t j = 0; j < rows->n; j++)
            worker->ngap += isnan(cell[j]) ? 1 : 0;
    }
}

/* Puts an angle into the turn nearest to the row's cell, and in a gap to what was printed last. */
static void put_angle(const struct held_units *units, const struct held_worker *worker,
                      const struct unit *unit, const struct row_range *rows, struct held_print *print)
{
    const struct wanted_outputs *wanted = &units->series->wanted;
    for (size_t o = 0; o < wanted->n; o++) {
        double *out = output_at(units, rows, unit->channel[0], o);
        for (size_t j = 0; j < rows->n && wanted->output[o] == 0; j++) {
            const bool gap = isnan(worker->row[j]);
            const double near = gap ? print->printed[0] : worker->row[j];
            if (isnan(out[j]))
                continue;
            if (!gap || print->any)
                out[j] = angles_wrap(out[j], near, rint((out[j] - near) / unit->period), unit->period);
            print->printed[0] = out[j];
            print->any = true;
        }
    }
}

/* Puts the result of a rotation into row j. */
static void put_rotation(const struct held_units *units, struct held_worker *worker, const struct unit *unit,
                         const struct row_range *rows, size_t j, struct held_print *print)
{
    const struct wanted_outputs *wanted = &units->series->wanted;
    const struct gap_way *way = gaps_way(units->series->config.in.settings->gaps);
    const size_t k = sample_of(rows, j);
    const double *x = worker->result[0] + 4 * k;
    double number[4], target[4] = { NAN }, out[OUTPUTS][4];
    for (size_t c = 0; c < unit->n; c++)
        block_copy_goals(rows->at.block, unit->channel[c], rows->at.row + j, 1, &number[c]);
    bool gap = false;
    for (size_t c = 0; c < unit->n; c++)
        gap |= isnan(number[c]);
    unit_follow(unit, print->read, number);
    if (!gap)
        unit_target(unit, number, target);
    const bool at_goal = !gap && memcmp(target, x, sizeof target) == 0;
    unit_print(unit, gap ? print->printed : print->read, x, at_goal, out[0]);
    if (!isnan(x[0]))
        memcpy(print->printed, out[0], sizeof print->printed);
    unit_rates(unit, worker->result[1] + 3 * k, out[1]);
    unit_rates(unit, worker->result[2] + 3 * k, out[2]);
    for (size_t o = 0; o < wanted->n; o++)
        for (size_t c = 0; c < unit->n; c++) {
            const double result = isnan(x[0]) ? (double)NAN : out[wanted->output[o]][c];
            output_at(units, rows, unit->channel[c], o)[j] = gaps_result(way, gap, result);
        }
    worker->ngap += gap ? unit->n : 0;
}

/* Puts the results of a unit into a range of rows. */
static void put_range(const struct held_units *units, struct held_worker *worker, const struct unit *unit,
                      const struct row_range *rows, struct held_print *print)
{
    if (unit_is_rotation(unit)) {
        for (size_t j = 0; j < rows->n; j++)
            put_rotation(units, worker, unit, rows, j, print);
        return;
    }
    put_numbers(units, worker, unit, rows);
    if (unit->kind == UNIT_ANGLE)
        put_angle(units, worker, unit, rows, print);
}

/* Puts the results of a unit into the rows of samples `from` to end - 1. The first result is that of sample
 * `begin`. */
static void put_unit(const struct held_units *units, struct held_worker *worker, const struct unit *unit,
                     size_t begin, size_t from, size_t end)
{
    enum { AT_ONCE = 256 };
    const struct held_samples *held = units->held;
    const uint64_t end_row = held_row_end(held, end - 1);
    struct held_print *print = &held->print[unit - units->series->config.in.units->at];
    size_t of[AT_ONCE], k = from;
    const bool single = end_row - held->row[from] == end - from;
    const uint64_t first = held->row[from] > held->nrow_given ? held->row[from] : held->nrow_given;
    for (uint64_t row = first; row < end_row;) {
        struct row_range rows = { .at = held_spot(held, row),
                                  .sample = from - begin + (size_t)(row - first) };
        const uint64_t most = row + AT_ONCE < end_row ? row + AT_ONCE : end_row;
        rows.n = held_side_by_side(held, row, single ? end_row : most);
        for (size_t j = 0; j < rows.n && !single; j++) {
            while (held_row_end(held, k) <= row + j)
                k++;
            of[j] = k - begin;
        }
        rows.of = single ? NULL : of;
        put_range(units, worker, unit, &rows, print);
        row += rows.n;
    }
}

/* Makes room for the outputs of rows. False: the series has ended, out of memory. */
static bool make_outputs(const struct held_units *units, const struct held_samples *held, size_t end)
{
    const uint64_t end_row = held_row_end(held, end - 1);
    for (uint64_t row = held->nrow_given; row < end_row; row += held_side_by_side(held, row, end_row)) {
        struct spot at = held_spot(held, row);
        struct error e;
        if (!block_make_outputs(at.block, &e))
            return operator_fail(&units->series->operator, at, at, &e);
    }
    return true;
}

/* --- smoothing --- */

static bool wants_rates(const struct held_units *units)
{
    const struct wanted_outputs *wanted = &units->series->wanted;
    return wanted->n > 1 || (wanted->n == 1 && wanted->output[0] > 0);
}

/* Numbers of a sample in a result. */
static size_t result_width(size_t width, size_t output)
{
    return width == SAMPLE_ROTATION && output > 0 ? 3 : width;
}

/* Copies n results of the smoothing, from its sample `first` on, to sample `to` of the stretch. */
static void take_results(const struct held_units *units, struct held_worker *worker, size_t width,
                         size_t first, size_t n, size_t to)
{
    const struct smoothing *smoothing = &worker->smoothing;
    const double *from[OUTPUTS] = { smoothing->curve.x, smoothing->curve.velocity, smoothing->curve.bend };
    if (width == SAMPLE_ROTATION)
        from[0] = smoothing->rotation;
    for (size_t o = 0; o < (wants_rates(units) ? OUTPUTS : 1); o++) {
        const size_t wide = result_width(width, o);
        double *result = worker->result[o] + to * wide;
        memcpy(result, from[o] + first * wide, n * wide * sizeof *result);
        if (array_is_finite(result, n * wide))
            continue;
        size_t bad = 0;
        while (isfinite(result[bad]))
            bad++;
        if (to + bad / wide < worker->too_large)
            worker->too_large = to + bad / wide;
    }
}

/* The samples from `from` to end - 1 have no results. */
static void clear_results(const struct held_units *units, struct held_worker *worker, size_t width,
                          size_t from, size_t end)
{
    for (size_t o = 0; o < (wants_rates(units) ? OUTPUTS : 1); o++)
        for (size_t i = from * result_width(width, o); i < end * result_width(width, o); i++)
            worker->result[o][i] = (double)NAN;
}

/* Notes the time steps of a run. */
static void note_steps(const struct held_units *units, struct held_worker *worker, const struct samples *run)
{
    const struct smoothing_steps steps = worker->smoothing.steps;
    double shortest = INFINITY, longest = 0;
    for (size_t k = 1; k < run->n && units->series->config.verbose; k++) {
        const double T = steps.even ? steps.usual : run->T[k];
        shortest = fmin(shortest, T);
        longest = fmax(longest, T);
    }
    if (longest > 0)
        steps_taken_add(&worker->taken, shortest, longest);
}

/* Smooths the runs of a unit that the stretch needs. */
static bool smooth_runs(const struct held_units *units, struct held_worker *worker,
                        const struct held_unit *own, const struct samples *all, struct error *e)
{
    const struct stretch stretch = units->stretch;
    const bool begins = stretch.begin == 0 && !units->held->dropped, ends = stretch.to == stretch.end;
    const size_t nrun = find_runs(units, worker, all, longest_gap(units, own->cutoff), false);
    size_t next = 0; /* the sample after the last run */
    if (units->loop && nrun > 0) {
        size_t first;
        if (!sample_loop_smooth(&worker->smoothing, all, own->unit->period, own->cutoff, wants_rates(units),
                                &first, e))
            return false;
        take_results(units, worker, all->width, first, all->n, 0);
        return true;
    }
    for (size_t i = 0; i < nrun; i++) {
        const struct sample_run run = worker->run[i];
        clear_results(units, worker, all->width, next, run.first);
        next = run.last + 1;
        if (stretch.begin + run.last < stretch.from || stretch.begin + run.first >= stretch.to)
            continue;
        const struct smoothing_wish wish = { wants_rates(units), begins || run.first > 0,
                                             ends || run.last + 1 < all->n };
        const struct samples samples = samples_of_run(all, run);
        if (!smoothing_run(&worker->smoothing, &samples, own->cutoff, wish, e))
            return false;
        take_results(units, worker, all->width, 0, samples.n, run.first);
        note_steps(units, worker, &samples);
    }
    clear_results(units, worker, all->width, next, all->n);
    return true;
}

/* Ends the series at a result that is too large. */
static void fail_too_large(const struct held_units *units, struct held_worker *worker, size_t number)
{
    const struct held_samples *held = units->held;
    const size_t k = units->stretch.begin + worker->too_large, channel = units->at[number].unit->channel[0];
    struct error e;
    if (worker->too_large == SIZE_MAX || k < units->stretch.from || k >= units->stretch.to)
        return;
    series_too_large(units->series, channel, &e);
    fail(units, worker, number, channel, held->row[k], held->row[k], &e);
}

static void smooth_unit(void *closure, size_t number, size_t at)
{
    const struct held_units *units = closure;
    const struct held_unit *own = &units->at[number];
    struct held_worker *worker = &units->worker[at];
    struct error e;
    if (!make_room(worker, units->stretch.end - units->stretch.begin, &e)) {
        fail_memory(units, worker, number, &e);
        return;
    }
    const struct samples all = gather(units, worker, own->unit);
    worker->too_large = SIZE_MAX;
    if (!smooth_runs(units, worker, own, &all, &e)) {
        fail_memory(units, worker, number, &e);
        return;
    }
    fail_too_large(units, worker, number);
    put_unit(units, worker, own->unit, units->stretch.begin, units->stretch.from, units->stretch.to);
}

/* Notes that the results of the samples before sample `to` are given. */
static void give(struct held_samples *held, size_t to)
{
    held->ngiven = to;
    held->nrow_given = held_row_end(held, to - 1);
}

void held_units_smooth(struct held_units *units, struct held_samples *held, struct stretch stretch)
{
    units->held = held;
    units->stretch = stretch;
    if (make_outputs(units, held, stretch.to))
        share(units, smooth_unit);
    give(held, stretch.to);
}

/* --- live --- */

/* Seconds from sample i to sample k. */
static double age_of(const struct held_samples *held, size_t i, size_t k)
{
    double time = 0;
    while (k > i)
        time += held->T[k--];
    return time;
}

/* Gives the rows of sample i, as far as they have come. newest: the last sample that was taken. False: the
 * series has ended. */
static bool give_live(struct held_units *units, struct held_samples *held, size_t i, size_t newest)
{
    struct held_worker *worker = &units->worker[0];
    if (!make_outputs(units, held, i + 1))
        return false;
    for (size_t u = 0; u < units->n; u++) {
        const struct unit *unit = units->at[u].unit;
        struct live_result result = live_get(&held->live[u], newest - i);
        memcpy(worker->result[0], result.x, sizeof result.x);
        memcpy(worker->result[1], result.velocity, sizeof result.velocity);
        memcpy(worker->result[2], result.acceleration, sizeof result.acceleration);
        put_unit(units, worker, unit, i, i, i + 1);
    }
    gather_workers(units);
    give(held, i + 1);
    return true;
}

/* Has each unit take sample k. False: out of memory. */
static bool take_live(struct held_units *units, struct held_samples *held, size_t k, struct error *e)
{
    const struct gap_rule rule = series_gaps(&units->series->config.in);
    double read[4], x[4];
    for (size_t u = 0; u < units->n; u++) {
        const struct unit *unit = units->at[u].unit;
        struct live_smoother *live = &held->live[u];
        struct gap_row row = { .nrow = 1,
                               .before = rule.limit.kind == GAP_SECONDS && k > 0 ? &held->stamp[k - 1] : NULL,
                               .time = rule.limit.kind == GAP_SECONDS ? &held->stamp[k] : NULL };
        live->width = unit->n;
        live->cutoff = units->at[u].cutoff;
        take_target(unit, held, k, read, x);
        row.missing = isnan(x[0]);
        const bool restart = gaps_take(&held->print[u].gaps, &rule, &row) & FLAG_START;
        if (!live_take(live, held->T[k], x, restart, e))
            return false;
    }
    return true;
}

void held_units_take_live(struct held_units *units, struct held_samples *held, size_t k, double lookahead)
{
    const struct spot at = held_spot(held, held->row[k]);
    struct error e;
    units->held = held;
    if (!make_room(&units->worker[0], 1, &e)) {
        operator_fail(&units->series->operator, at, at, &e);
        return;
    }
    while (held->ngiven < k && age_of(held, held->ngiven, k) > lookahead * (1 + ROUNDED))
        if (!give_live(units, held, held->ngiven, k - 1))
            return;
    if (!take_live(units, held, k, &e)) {
        operator_fail(&units->series->operator, at, at, &e);
        return;
    }
    while (held->ngiven <= k && age_of(held, held->ngiven, k) >= lookahead * (1 - ROUNDED))
        if (!give_live(units, held, held->ngiven, k))
            return;
    for (size_t u = 0; u < units->n; u++)
        live_drop(&held->live[u], k + 1 - held->ngiven);
}

void held_units_end_live(struct held_units *units, struct held_samples *held)
{
    units->held = held;
    while (held->ngiven < held->n && give_live(units, held, held->ngiven, held->n - 1))
        continue;
}
