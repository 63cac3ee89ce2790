/* The arrays of knots, and the passes over the knots of one series. See core.h. */
#include "series/core.h"

#include "base/array.h"
#include "series/filter_pass.h"
#include "series/smooth_pass.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "whole/smoothing.h"

#include <math.h>
#include <stdlib.h>

/* --- arrays --- */

/* Doubles of a knot: T, t, samples, goals, results, and those of passes. */
static size_t columns_of(const struct core *core)
{
    return 2 + core->nchannel * ((core->cleans ? 2 : 1) + core->wanted.n) + core->nextra;
}

void knots_free(struct knots *knots)
{
    free(knots->T);
    *knots = (struct knots){ 0 };
}

/* Points the columns of the knots into numbers[columns_of][max]. */
static void place_columns(const struct core *core, struct knots *knots, double *numbers, size_t max)
{
    const size_t nchannel = core->nchannel, nout = nchannel * core->wanted.n;
    knots->T = numbers;
    knots->t = numbers + max;
    knots->x = (struct knot_columns){ knots->t + max, max };
    knots->goal = core->cleans ? (struct knot_columns){ knots_column(knots->x, nchannel), max } : knots->x;
    knots->out = (struct knot_columns){ knots_column(knots->goal, nchannel), max };
    knots->extra = (struct knot_columns){ knots_column(knots->out, nout), max };
}

bool knots_reserve(const struct core *core, struct knots *knots, size_t more, struct error *e)
{
    const size_t ncolumn = columns_of(core), least = knots->n + more;
    if (least <= knots->max)
        return true;
    const size_t max = least < 2 * knots->max ? 2 * knots->max : least;
    double *numbers, *old = knots->T;
    unsigned char *cut;
    if (!arrays_make(e, ARRAY(numbers, ncolumn * max), ARRAY(cut, (1 + core->nmark) * max)))
        return false;
    const struct knot_columns from = { old, knots->max }, to = { numbers, max };
    knots_copy(to, from, knots->n > 0 ? ncolumn : 0, knots->n);
    for (size_t k = 0; k <= core->nmark && knots->n > 0; k++)
        memcpy(cut + k * max, knots->cut + k * knots->max, knots->n);
    free(old);
    knots->cut = cut;
    knots->mark = cut + max;
    knots->max = max;
    place_columns(core, knots, numbers, max);
    return true;
}

/* --- faults --- */

void core_check_cutoff(struct core *core, struct series *series, size_t most)
{
    const struct filter_common *common = core->settings;
    const struct knots *knots = &series->knots;
    const size_t n = knots->n - 1 < most ? knots->n - 1 : most;
    double step[CORE_RATE_STEPS];
    struct error e;
    memcpy(step, knots->T + 1, n * sizeof *step);
    if (!filter_automatic(common) && !cutoff_check(common->cutoff, smoothing_row_rate(step, n), &e))
        core_fail(core, series, series->given, &e);
}

static void fail_too_large(struct core *core, struct series *series, size_t i, size_t channel)
{
    struct error e;
    error_data(&e, "the filtered value is too large (over 1.8e308)");
    error_column(&e, table_channel(core->input.table, channel)->name);
    error_hint(&e,
               "scale the input down; with a --method other than exact, the filter may also be unstable at "
               "this time step");
    core_fail(core, series, series->knots.first + i, &e);
}

/* --- results --- */

/* Is each result of column k a number, from index `from` to end - 1? Ends the series at the first that is too
 * large for a double: it is infinite, or the difference of infinite numbers. */
static bool check_column(struct core *core, struct series *series, size_t k, size_t from, size_t end)
{
    const size_t channel = k / core->wanted.n;
    const struct knots *knots = &series->knots;
    const double *out = knots_column(knots->out, k);
    if (knots_are_finite(out + from, end - from))
        return true;
    const struct unit *unit = units_of(core->input.units, channel);
    size_t i = from;
    while (i < end && (isfinite(out[i]) || (isnan(out[i]) && unit_misses(unit, knots->goal, i))))
        i++;
    if (i < end)
        fail_too_large(core, series, i, channel);
    return false;
}

static void count_gaps(struct core *core, const struct knots *knots, size_t channel, size_t from, size_t end)
{
    const double *x = knots_column(knots->x, channel);
    const double *out = knots_column(knots->out, channel * core->wanted.n);
    for (size_t i = from; i < end; i++) {
        core->ngap += isnan(x[i]) != 0;
        core->count[channel].filled += isnan(x[i]) && !isnan(out[i]);
    }
}

void core_settle(struct core *core, struct series *series, uint64_t n)
{
    const struct knots *knots = &series->knots;
    const size_t nwant = core->wanted.n, from = knots_at(knots, series->given), end = knots_at(knots, n);
    const size_t decided = end - (series->grows && n == series->n);
    const char *cut = (const char *)knots->cut + from;
    const uint64_t ncut = core->filter->cuts ? block_count(cut, decided - from, 1) : 0;
    const int gaps = core->input.settings->gaps;
    const bool fills = gaps == GAPS_FILL || gaps == GAPS_LINEAR; /* else a missing goal has no results */
    for (size_t c = 0; c < core->nchannel; c++) {
        bool full = !fills;
        for (size_t k = c * nwant; k < (c + 1) * nwant; k++)
            full = check_column(core, series, k, from, end) && full;
        if (!full)
            count_gaps(core, knots, c, from, decided);
        core->count[c].cuts += ncut;
    }
    core->ncut += ncut;
    series->given = n - (end - decided);
}

/* --- passes --- */

/* Removes the first n knots from the arrays. */
static void knots_drop(const struct core *core, struct knots *knots, size_t n)
{
    const size_t rest = knots->n - n;
    for (size_t k = 0; k < columns_of(core); k++)
        memmove(knots->T + k * knots->max, knots->T + k * knots->max + n, rest * sizeof *knots->T);
    for (size_t k = 0; k <= core->nmark; k++)
        memmove(knots->cut + k * knots->max, knots->cut + k * knots->max + n, rest);
    knots->first += n;
    knots->n = rest;
}

/* Lets go of knots that no pass reads any more, except the last ones: a row of the last one's time may
 * follow, and points may lie between the last given one and the next. */
static void drop(struct core *core, struct series *series)
{
    uint64_t keep = series->given > 0 ? series->given - 1 : 0;
    for (size_t i = 0; i < core->npass; i++) {
        const uint64_t *own = (const uint64_t *)(series->state + core->pass[i].place);
        keep = *own < keep ? *own : keep;
    }
    const size_t n = knots_at(&series->knots, keep);
    if (n > 0 && n >= series->knots.n - n)
        knots_drop(core, &series->knots, n);
}

/* Where knots can wait, no pass sees a last knot that may still get a number. Else the filter gives the
 * knot's row a result, which is final, and decides the knot when the time moves on. */
void core_advance(struct core *core, struct series *series, bool end)
{
    series->grows = core->joins && !end && series_misses(core, series);
    uint64_t n = series->n - (series->grows && core->waits);
    if (!core->zero_phase && series->given <= 1 && series->n > 1 && !series->failed)
        core_check_cutoff(core, series, CORE_RATE_STEPS);
    for (size_t i = 0; i < core->npass && !series->failed; i++)
        n = core->pass[i].run(core, series, series->state + core->pass[i].place, n, end);
    if (!series->failed)
        core_settle(core, series, n);
    core_give(core, series, n);
    drop(core, series);
}

/* --- opening --- */

/* Finds which outputs of the filter are computed. */
static bool find_wanted(struct core *core, struct error *e)
{
    struct wanted_outputs *wanted = &core->wanted;
    const size_t nout = filter_shape(core->filter, core->settings).nout;
    if (!arrays_make(e, ARRAY(wanted->output, nout), ARRAY(core->held, core->nchannel)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        wanted->output[wanted->n] = o;
        wanted->n += filter_output(core->filter, core->settings, o).derivative <= core->derivatives.computed;
    }
    return true;
}

/* Says what the core needs of the rows, by the passes that it will have. */
static void set_up(struct core *core)
{
    const struct series_settings *settings = core->input.settings;
    core->ahead = core->filter->ahead > 0 || !isnan(core->detect);
    core->nchannel = core->input.table->nchannel;
    core->end = UINT64_MAX;
    core->joins = core->input.rate == 0;
    core->curves = core->hz > 0 && (core->zero_phase || core->filter->cuts);
    core->cleans = settings->gaps == GAPS_LINEAR || !isnan(core->despike);
    const bool holds = core->cleans || gaps_pass_waits(settings) || core->zero_phase;
    core->whole = core->zero_phase && smooth_needs_all(core->settings, &core->input);
    core->timed = holds || core->hz > 0 || settings->max_gap.kind == GAP_SECONDS ||
                  (core->verbose && !isnan(core->detect));
    core->waits = holds || core->ahead || (core->joins && (core->hz > 0 || settings->gaps == GAPS_FILL));
}

bool core_open(struct core *core, struct error *e)
{
    const struct series_settings *settings = core->input.settings;
    set_up(core);
    if (!find_wanted(core, e) || (!isnan(core->despike) && !despike_pass_open(core, e)))
        return false;
    if (gap_ends_run(settings->gaps) || settings->max_gap.kind != GAP_UNLIMITED)
        gaps_pass_open(core);
    return core->zero_phase ? smooth_pass_open(core, e) : filter_pass_open(core, e);
}

void core_add_pass(struct core *core, struct pass pass, size_t size)
{
    pass.place = array_place(&core->nstate, size, 1);
    core->pass[core->npass++] = pass;
}

void core_forget(struct core *core, unsigned char *state)
{
    for (size_t i = 0; i < core->npass && state; i++)
        if (core->pass[i].forget)
            core->pass[i].forget(core, state + core->pass[i].place);
}

void core_close(struct core *core)
{
    const struct groups *groups = core->input.groups;
    for (size_t k = 0; groups && k < groups->ngroup; k++) {
        struct series *series = (struct series *)groups->at[k];
        core_forget(core, series->state);
        knots_free(&series->knots);
        free(series->ref);
        free(series->record);
    }
    for (size_t i = 0; i < core->npass; i++)
        if (core->pass[i].close)
            core->pass[i].close(core);
    free(core->spike_unit);
    free(core->wanted.output);
}
