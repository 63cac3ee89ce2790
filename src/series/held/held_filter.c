/* The units of held rows, on several threads. See held_filter.h. */
#include "series/held/held_filter.h"

#include "base/array.h"
#include "base/pool.h"
#include "series/series_state.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "whole/smooth_cutoff.h"
#include "whole/smooth_runs.h"

#include <stdlib.h>

enum {
    SHARED_SAMPLES = 4096 /* shortest window, in samples, whose units are shared by several threads */
};

/* An error of a unit, which ends the series. */
struct failure {
    bool any;
    size_t unit;          /* number of the unit */
    struct spot from, at; /* the input ends before row `from`; the fault is in row `at` */
    struct error error;
};

/* The memory of a thread for filtering a unit, and its counts. */
struct held_worker {
    struct zero_phase *phase[SAMPLE_ROTATION + 1]; /* by the width of samples; NULL: not used so far; owned */
    struct knots knots;                            /* its arrays are owned */
    bool ready;                                    /* the knots are those of the window under way */
    uint64_t ngap;                                 /* cells that are missing in the window */
    struct steps_taken taken;
    struct failure failure; /* the first, by row and then by unit */
};

/* --- memory --- */

static void add_unit(struct held_filter *filter, const struct unit *unit)
{
    const void *settings = filter->series->config.settings;
    filter->unit[filter->nunit++] = (struct held_unit){
        .unit = unit,
        .settings = settings,
        .period = smoothing_period(settings),
        .choice = { .value = (double)NAN },
    };
}

bool held_filter_open(struct held_filter *filter, struct series *series, struct error *e)
{
    filter->series = series;
    filter->nworker = pool_workers(series->config.pool);
    if (!arrays_make(e, ARRAY(filter->unit, series->config.in.units->n),
                     ARRAY(filter->worker, filter->nworker)))
        return false;
    for (size_t i = 0; i < series->config.in.units->n; i++)
        add_unit(filter, &series->config.in.units->at[i]);
    for (size_t i = 0; i < filter->nworker; i++) {
        filter->worker[i].knots.in = &series->config.in;
        filter->worker[i].knots.nwant = series->wanted.n;
    }
    return true;
}

static void free_worker(struct held_worker *worker)
{
    for (size_t width = 0; width <= SAMPLE_ROTATION; width++) {
        zero_phase_free(worker->phase[width]);
        worker->phase[width] = NULL;
    }
    knots_free(&worker->knots);
    worker->knots.first = NULL;
}

void held_filter_close(struct held_filter *filter)
{
    for (size_t i = 0; i < filter->nworker && filter->unit; i++)
        free_worker(&filter->worker[i]);
    free(filter->unit);
}

/* Takes a window. If the window has more rows than the workers have room for, they free their room, and
 * prepare() makes larger room. */
static void take_window(struct held_filter *filter, struct held_rows *held,
                        const struct smooth_window *window)
{
    filter->held = held;
    filter->window = *window;
    bool grows = window->n > filter->most;
    if (grows)
        filter->most = window->n > 2 * filter->most ? window->n : 2 * filter->most;
    for (size_t i = 0; i < filter->nworker; i++) {
        filter->worker[i].ready = false;
        if (grows)
            free_worker(&filter->worker[i]);
    }
}

/* Makes room for the knots of a worker. */
static bool make_room(const struct held_filter *filter, struct held_worker *worker, struct error *e)
{
    size_t width = 1;
    for (size_t i = 0; i < filter->nunit; i++)
        width = unit_width(filter->unit[i].unit) > width ? unit_width(filter->unit[i].unit) : width;
    return worker->knots.first || knots_make(&worker->knots, filter->most, width, e);
}

/* Prepares a worker for the window under way. */
static bool prepare(const struct held_filter *filter, struct held_worker *worker, struct error *e)
{
    if (!make_room(filter, worker, e))
        return false;
    if (!worker->ready)
        knots_take_rows(&worker->knots, filter->held, 0, &filter->window, filter->keep);
    worker->ready = true;
    return true;
}

/* The smoother for samples of some width. NULL and *e: out of memory. */
static struct zero_phase *phase_of(const struct held_filter *filter, struct held_worker *worker, size_t width,
                                   struct error *e)
{
    if (!worker->phase[width])
        worker->phase[width] = zero_phase_make(filter->series->config.filter, filter->most, width, e);
    return worker->phase[width];
}

/* --- errors --- */

static uint64_t number_of(struct spot spot)
{
    return spot.block->firstrow + spot.row;
}

/* Does error a come before error b? b may be none. */
static bool is_before(const struct failure *a, const struct failure *b)
{
    if (!b->any)
        return true;
    uint64_t row = number_of(a->from), other = number_of(b->from);
    return row < other || (row == other && a->unit < b->unit);
}

/* Notes an error of a channel at a knot: the series ends before knot `first`. */
static void fail_at_knot(const struct held_filter *filter, struct held_worker *worker, size_t unit,
                         size_t channel, size_t first, size_t knot, struct error *e)
{
    struct failure failure = { true, unit, knots_spot(&worker->knots, first),
                               knots_spot(&worker->knots, knot), *e };
    error_column(&failure.error, plan_channel(filter->series->config.in.plan, channel)->name);
    if (is_before(&failure, &worker->failure))
        worker->failure = failure;
}

/* Reports out of memory for a unit. */
static void fail_unit(const struct held_filter *filter, struct held_worker *worker, size_t unit,
                      const struct error *e)
{
    struct spot first = held_spot(filter->held, filter->window.from);
    struct failure failure = { true, unit, first, first, *e };
    if (is_before(&failure, &worker->failure))
        worker->failure = failure;
}

/* Adds up what the workers have counted, and ends the series at the first error. */
static void gather_workers(struct held_filter *filter)
{
    struct series *series = filter->series;
    const struct failure *first = &filter->worker[0].failure;
    for (size_t i = 0; i < filter->nworker; i++) {
        struct held_worker *worker = &filter->worker[i];
        series->count.gaps += worker->ngap;
        worker->ngap = 0;
        if (worker->taken.any)
            steps_taken_add(&series->taken, worker->taken.shortest, worker->taken.longest);
        worker->taken.any = false;
        if (worker->failure.any && is_before(&worker->failure, first))
            first = &worker->failure;
    }
    if (first->any)
        operator_fail(&series->operator, first->from, first->at, &first->error);
    for (size_t i = 0; i < filter->nworker; i++)
        filter->worker[i].failure.any = false;
}

/* Has each unit worked on, by several threads where there is much to do. */
static void share(struct held_filter *filter, void (*work)(void *closure, size_t unit, size_t worker))
{
    bool much = filter->window.n * filter->nunit >= SHARED_SAMPLES;
    pool_each(much ? filter->series->config.pool : NULL, filter->nunit, work, filter);
    gather_workers(filter);
}

/* --- rows --- */

bool held_filter_row_rate(struct held_filter *filter, struct held_rows *held,
                          const struct smooth_window *window, double *rate, struct error *e)
{
    take_window(filter, held, window);
    if (!prepare(filter, &filter->worker[0], e))
        return false;
    *rate = knots_row_rate(&filter->worker[0].knots);
    return true;
}

/* --- choosing --- */

/* Says what to give instead of auto. rate: rows per second; NaN: not known. */
static void hint_value(double rate, struct error *e)
{
    if (isnan(rate))
        error_hint(e, "give --cutoff HZ or --halflife S instead of auto");
    else
        error_hint(e, "give a value instead of auto, such as --cutoff %.4g", cutoff_example(rate));
}

/* Reads rows of the unit that is chosen for. */
static struct choice_part read_part(void *closure, size_t first, size_t n)
{
    struct knots *knots = closure;
    const struct smooth_window part = { 0, n, n, true };
    knots_take_rows(knots, knots->held, first, &part, 0);
    knots->given = true;
    knots_gather(knots, knots->unit, INFINITY);
    knots->given = false;
    return (struct choice_part){ knots_samples(knots), knots->run, knots->nrun };
}

static void choose_unit(void *closure, size_t number, size_t at)
{
    const struct held_filter *filter = closure;
    struct held_unit *own = &filter->unit[number];
    struct held_worker *worker = &filter->worker[at];
    struct knots *knots = &worker->knots;
    const struct choice_series series = { filter->window.n, unit_width(own->unit), read_part, knots };
    struct zero_phase *phase;
    struct error e;
    own->chosen = own->few = false;
    if (!filter_automatic(own->settings))
        return;
    knots->held = filter->held;
    knots->unit = own->unit;
    if (!make_room(filter, worker, &e) || !(phase = phase_of(filter, worker, series.width, &e)) ||
        !choose_halflife(phase, own->settings, &series, &own->choice, &e)) {
        fail_unit(filter, worker, number, &e);
        return;
    }
    own->few = isnan(own->choice.value);
    if (own->few) {
        own->period = 0;
        return;
    }
    zero_phase_use(phase, own->settings, own->choice.value);
    filter_equivalents(zero_phase_settings(phase), true, own->equivalent);
    own->chosen = true;
    own->period = zero_phase_period(phase);
}

/* Ends the series, as a unit has too few values for a choice. */
static void refuse_few(struct held_filter *filter, size_t number)
{
    struct held_worker *worker = &filter->worker[0];
    struct knots *knots = &worker->knots;
    const struct unit *unit = filter->unit[number].unit;
    struct error e;
    if (!prepare(filter, worker, &e)) {
        fail_unit(filter, worker, number, &e);
    } else {
        knots_gather(knots, unit, INFINITY);
        choose_halflife_few("this channel", &e);
        hint_value(knots_row_rate(knots), &e);
        error_unfilterable(&e);
        fail_at_knot(filter, worker, number, unit->channel[0], knots->run[0].first, knots->run[0].first, &e);
    }
    gather_workers(filter);
}

void held_filter_choose(struct held_filter *filter, struct held_rows *held)
{
    const struct smooth_window all = { 0, held->nrow, held->nrow, true };
    bool filters = filter->series->config.may_leave_all;
    size_t few = filter->nunit; /* the first unit with too few values; behind an error there may be more */
    take_window(filter, held, &all);
    filter->keep = 0;
    share(filter, choose_unit);
    for (size_t i = filter->nunit; i-- > 0;) {
        filters |= !filter->unit[i].few && !filter->unit[i].choice.empty;
        few = filter->unit[i].few ? i : few;
    }
    if (few < filter->nunit && !filters && !filter->series->operator.broken)
        refuse_few(filter, few);
}

/* --- smoothing --- */

/* An output of a run that goes into the rows. */
struct put {
    const struct held_filter *filter;
    struct held_worker *worker;
    size_t unit; /* its number */
    struct zero_phase *phase;
    struct sample_run run;
    size_t output; /* number of the wanted output */
};

static bool fail_too_large(const struct put *put, size_t channel, size_t knot)
{
    struct error e;
    series_too_large(put->filter->series, channel, &e);
    fail_at_knot(put->filter, put->worker, put->unit, channel, put->run.first, knot, &e);
    return false;
}

/* Puts an output into the rows, sample by sample. False: a result is too large. */
static bool put_samples(const struct put *put)
{
    const struct wanted_outputs *wanted = &put->filter->series->wanted;
    struct knots *knots = &put->worker->knots;
    const struct unit *unit = knots->unit;
    /* The outputs of a linear filter without cuts are value, velocity and acceleration. */
    struct knot_result result = { .derivative = (unsigned)wanted->output[put->output] };
    for (size_t k = put->run.first; k <= put->run.last; k++) {
        size_t sample = k - put->run.first;
        if (!knots_wanted(knots, k))
            continue;
        zero_phase_get(put->phase, result.derivative, sample, result.x);
        result.at_goal = unit_is_rotation(unit) && result.derivative == 0 &&
                         zero_phase_unchanged(put->phase, sample);
        knots_make_cells(knots, k, &result);
        for (size_t i = 0; i < unit->n; i++)
            if (!isfinite(result.x[i]) && wanted->prints[put->output])
                return fail_too_large(put, unit->channel[i], k);
        knots_scatter(knots, put->output, k, result.x);
    }
    return true;
}

/* Like put_samples, for numbers and vectors at rows of their own, which go into the rows as they are. */
static bool put_numbers(const struct put *put)
{
    const struct wanted_outputs *wanted = &put->filter->series->wanted;
    const struct knots *knots = &put->worker->knots;
    size_t n = knots->unit->n, bad = 0;
    size_t first = put->run.first > knots->from ? put->run.first : knots->from;
    size_t end = put->run.last + 1 < knots->to ? put->run.last + 1 : knots->to;
    const double *x = zero_phase_numbers(put->phase, (unsigned)wanted->output[put->output]);
    x += (first - put->run.first) * n;
    if (wanted->prints[put->output] && !array_is_finite(x, (end - first) * n)) {
        while (isfinite(x[bad]))
            bad++;
        return fail_too_large(put, knots->unit->channel[bad % n], first + bad / n);
    }
    for (size_t i = 0; i < n; i++)
        knots_scatter_numbers(knots, put->output, first, end, i, x);
    return true;
}

/* Puts the wanted outputs of a run that was smoothed into its rows. */
static void put_outputs(struct put put)
{
    const struct wanted_outputs *wanted = &put.filter->series->wanted;
    bool plain = knots_are_numbers(&put.worker->knots), good = true;
    unsigned derived = 0;
    for (put.output = 0; put.output < wanted->n && good; put.output++) {
        while (derived < wanted->output[put.output])
            zero_phase_derive(put.phase, ++derived);
        good = plain ? put_numbers(&put) : put_samples(&put);
    }
}

/* Prints gaps at the knots from to end - 1. */
static void put_gaps(const struct held_filter *filter, const struct knots *knots, size_t from, size_t end)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    for (size_t k = from; k < end; k++)
        for (size_t o = 0; o < filter->series->wanted.n && knots_wanted(knots, k); o++)
            knots_scatter(knots, o, k, gap);
}

/* Notes the time steps of the run that was smoothed last. */
static void note_steps(const struct held_filter *filter, struct held_worker *worker,
                       const struct zero_phase *phase)
{
    double shortest = 0, longest;
    if (filter->series->config.verbose)
        zero_phase_steps(phase, &shortest, &longest);
    if (shortest > 0)
        steps_taken_add(&worker->taken, shortest, longest);
}

/* Is the value the only output that is wanted? */
static bool is_value_alone(const struct held_filter *filter)
{
    const struct wanted_outputs *wanted = &filter->series->wanted;
    return wanted->n == 1 && wanted->output[0] == 0;
}

/* The longest gap, in seconds, that does not end a run of a unit. */
static double longest_gap(const struct held_filter *filter, const struct held_unit *own)
{
    bool filled = gaps_way(filter->series->config.in.settings->gaps)->printed;
    return filled ? INFINITY : SMOOTH_LONGEST_GAP * own->period;
}

/* Smooths a run and puts the outputs into its wanted rows. */
static void smooth_run_of(const struct held_filter *filter, struct held_worker *worker, size_t number,
                          struct zero_phase *phase, struct sample_run run)
{
    const struct knots *knots = &worker->knots;
    const struct smooth_unit unit = {
        .window = &knots->window,
        .all = knots_samples(knots),
        .first = knots->held->number == 0,
        .longest = longest_gap(filter, &filter->unit[number]),
        .values_only = is_value_alone(filter),
        .usual = &knots->held->usual[knots->unit->channel[0]],
    };
    struct error e;
    if (!smooth_runs_smooth(phase, &unit, run, &e)) {
        fail_at_knot(filter, worker, number, knots->unit->channel[0], run.first, run.first, &e);
        return;
    }
    note_steps(filter, worker, phase);
    put_outputs((struct put){ filter, worker, number, phase, run, 0 });
}

/* Leaves a unit as it is: the value is the output, and the derivatives are gaps. */
static void put_goals(const struct held_filter *filter, const struct held_unit *own)
{
    const struct wanted_outputs *wanted = &filter->series->wanted;
    for (size_t row = filter->window.from; row < filter->window.to; row++) {
        const struct spot at = held_spot(filter->held, row);
        for (size_t i = 0; i < own->unit->n; i++) {
            const size_t channel = own->unit->channel[i];
            double goal;
            block_copy_goals(at.block, channel, at.row, 1, &goal);
            for (size_t o = 0; o < wanted->n; o++) {
                double *out = block_out(at.block, channel * wanted->n + o);
                out[at.row] = wanted->output[o] == 0 ? goal : (double)NAN;
            }
        }
    }
}

/* Smooths a unit. If nothing could be chosen for it, every row becomes a gap. */
static void smooth_unit(void *closure, size_t number, size_t at)
{
    const struct held_filter *filter = closure;
    const struct held_unit *own = &filter->unit[number];
    struct held_worker *worker = &filter->worker[at];
    struct knots *knots = &worker->knots;
    struct zero_phase *phase;
    struct error e;
    if (own->few) {
        put_goals(filter, own);
        return;
    }
    if (!prepare(filter, worker, &e) || !(phase = phase_of(filter, worker, unit_width(own->unit), &e))) {
        fail_unit(filter, worker, number, &e);
        return;
    }
    knots_gather(knots, own->unit, longest_gap(filter, own));
    worker->ngap += knots_count_gaps(knots);
    bool lacks = filter_automatic(own->settings) && !own->chosen;
    zero_phase_use(phase, own->settings, own->choice.value);
    size_t next = 0; /* the knot after the last run */
    for (size_t i = 0; i < knots->nrun && !lacks; i++) {
        const struct sample_run run = knots->run[i];
        put_gaps(filter, knots, next, run.first);
        if (smooth_runs_wanted(&knots->window, run))
            smooth_run_of(filter, worker, number, phase, run);
        next = run.last + 1;
    }
    put_gaps(filter, knots, next, knots->n);
}

/* Makes room for the outputs of the rows of the window. False: the series has ended, out of memory. */
static bool make_outputs(const struct held_filter *filter)
{
    const size_t end = filter->window.to;
    for (size_t row = filter->window.from; row < end; row += held_side_by_side(filter->held, row, end)) {
        struct spot at = held_spot(filter->held, row);
        struct error e;
        if (!block_make_outputs(at.block, &e))
            return operator_fail(&filter->series->operator, at, at, &e);
    }
    return true;
}

void held_filter_smooth(struct held_filter *filter, struct held_rows *held,
                        const struct smooth_window *window, size_t keep)
{
    take_window(filter, held, window);
    filter->keep = keep;
    if (make_outputs(filter))
        share(filter, smooth_unit);
}
