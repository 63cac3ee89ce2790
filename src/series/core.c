/* Groups through the passes. See core.h. */
#include "series/core.h"

#include "base/array.h"
#include "series/filter_pass.h"
#include "series/smooth_pass.h"
#include "series/warnings.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "whole/smoothing.h"

#include <math.h>
#include <stdlib.h>

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

void core_fail_too_large(struct core *core, struct series *series, uint64_t knot, size_t channel)
{
    struct error e;
    error_data(&e, "the filtered value is too large (over 1.8e308)");
    error_column(&e, table_channel(core->input.table, channel)->name);
    error_hint(&e,
               "scale the input down; with a --method other than exact, the filter may also be unstable at "
               "this time step");
    core_fail(core, series, knot, &e);
}

/* --- passes --- */

/* Lets go of knots that no pass reads any more, but of the last ones: a row of the last one's time may
 * follow, and points may lie between the last given one and the next. */
static void drop(struct core *core, struct series *series)
{
    uint64_t keep = series->given > 0 ? series->given - 1 : 0;
    for (size_t i = 0; i < core->npass; i++) {
        const uint64_t *own = group_state(series->group, core->pass[i].place);
        keep = *own < keep ? *own : keep;
    }
    const size_t n = knots_at(&series->knots, keep);
    if (n > 0 && n >= series->knots.n - n)
        knots_drop(core, &series->knots, n);
}

/* Where knots can wait, no pass sees a last knot that may still get a number. */
void core_advance(struct core *core, struct series *series, bool end)
{
    const bool may_grow = core->joins && !end && core->waits && series_misses(core, series);
    uint64_t n = series->n - may_grow;
    for (size_t i = 0; i < core->npass && !series->failed; i++)
        n = core->pass[i].run(core, series, group_state(series->group, core->pass[i].place), n, end);
    knots_give(core, series, n);
    drop(core, series);
}

/* --- the stage --- */

/* The series of row `from`. *end: the end of the rows from there to nrow - 1 that are of this series. */
static struct series *series_of(const struct core *core, const struct block *block, size_t from, size_t nrow,
                                size_t *end)
{
    struct group *group = block->group ? block->group[from] : core->input.groups->at[0];
    struct series *series = group_state(group, core->place);
    series->group = group;
    *end = block->group ? from + 1 : nrow;
    while (*end < nrow && block->group[*end] == group)
        ++*end;
    return series;
}

/* Takes the rows of a block, then advances each series that got rows, also rows after a fault, which shortens
 * the block. */
static void take_block(struct core *core, struct block *block)
{
    const size_t nrow = block->nrow;
    for (size_t from = 0, end; from < nrow; from = end) {
        struct series *series = series_of(core, block, from, nrow, &end);
        knots_take_rows(core, series, block, from, end);
        series->fresh = series->n > 0; /* 0: memory ran out at its first row */
    }
    for (size_t from = 0, end; from < nrow; from = end) {
        struct series *series = series_of(core, block, from, nrow, &end);
        if (series->fresh)
            core_advance(core, series, false);
        series->fresh = false;
    }
}

/* Decides the last rows of a group that gets no more rows. */
static void end_group(struct core *core, struct group *group)
{
    struct series *series = group_state(group, core->place);
    if (series->n == 0 || (!core->waits && !series_misses(core, series)))
        return;
    core_advance(core, series, true);
}

static struct block *take(void *state, struct block *block)
{
    struct core *core = state;
    struct groups *groups = core->input.groups;
    core->nrow += block->nrow;
    if (core->warnings)
        warnings_take(core->warnings, block);
    core->faulty = NULL;
    block->pending = core->waits ? block->nrow : 0;
    take_block(core, block);
    for (; groups->closing; groups->closing = groups->closing->next)
        end_group(core, groups->closing);
    if (core->warnings)
        warnings_say(core->warnings, false);
    if (core->whole && block->nrow > 0) {
        block_trim(block);
        if (core->input.units->nvector == 0 || block->ngoal == 0) /* else values became missing */
            block_forget(block, core->hz > 0);
    }
    return core->faulty;
}

static struct block *finish(void *state, bool whole)
{
    struct core *core = state;
    core->faulty = NULL;
    const struct groups *groups = core->input.groups;
    for (size_t i = 0; i < groups->ngroup; i++)
        if (!groups->at[i]->closed)
            end_group(core, groups->at[i]);
    if (core->smooth_pass && whole && core->end == UINT64_MAX)
        smooth_pass_say(core->smooth_pass);
    if (core->warnings)
        warnings_say(core->warnings, whole);
    return core->faulty;
}

struct stage core_stage(struct core *core)
{
    return (struct stage){ take, finish, .state = core };
}

/* --- opening --- */

/* Finds which outputs of the filter are computed. */
static bool find_wanted(struct core *core, long derivatives, struct error *e)
{
    struct wanted_outputs *wanted = &core->wanted;
    const size_t nout = filter_shape(core->filter, core->settings).nout;
    if (!arrays_make(e, ARRAY(wanted->output, nout)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        wanted->output[wanted->n] = o;
        wanted->n += filter_output(core->filter, core->settings, o).derivative <= derivatives;
    }
    return true;
}

/* Says what the core needs of the rows, by the passes that it will have. */
static void set_up(struct core *core, const struct core_config *config)
{
    const bool fills = gaps_pass_waits(config->input.settings);
    const bool ahead = config->filter->ahead > 0 || !isnan(config->detect);
    core->input = config->input;
    core->filter = config->filter;
    core->settings = config->settings;
    core->nchannel = config->input.table->nchannel;
    core->count = config->count;
    core->warnings = config->warnings;
    core->joins = core->input.rate == 0;
    core->hz = isnan(config->resample) ? 0 : config->resample;
    core->curves = core->hz > 0 && (config->zero_phase || config->filter->cuts);
    core->cleans = config->input.settings->gaps == GAPS_LINEAR || !isnan(config->despike);
    const bool holds = core->cleans || fills || config->zero_phase;
    core->whole = config->zero_phase && smooth_needs_all(config->settings, &config->input);
    core->timed = holds || core->hz > 0 || config->input.settings->max_gap.kind == GAP_SECONDS ||
                  (config->verbose && !isnan(config->detect));
    core->waits = holds || ahead ||
                  (core->joins && (core->hz > 0 || config->input.settings->gaps == GAPS_FILL));
}

bool core_open(struct core *core, const struct core_config *config, struct error *e)
{
    set_up(core, config);
    if (!find_wanted(core, config->derivatives.computed, e))
        return false;
    if (!isnan(config->despike) && !despike_pass_open(core, config->despike, e))
        return false;
    if (gap_ends_run(config->input.settings->gaps) || config->input.settings->max_gap.kind != GAP_UNLIMITED)
        gaps_pass_open(core);
    const bool good = config->zero_phase ? smooth_pass_open(core, config, e) != NULL
                                         : filter_pass_open(core, config, e) != NULL;
    core->end = UINT64_MAX;
    core->place = groups_reserve(core->input.groups, sizeof(struct series));
    return good;
}

void core_close(struct core *core)
{
    const struct groups *groups = core->input.groups;
    for (size_t k = 0; groups && k < groups->ngroup; k++) {
        const struct group *group = groups->at[k];
        struct series *series = group_state(group, core->place);
        for (size_t i = 0; i < core->npass && series->group; i++)
            if (core->pass[i].forget)
                core->pass[i].forget(core, group_state(group, core->pass[i].place));
        knots_free(&series->knots);
        free(series->ref);
    }
    for (size_t i = 0; i < core->npass; i++)
        if (core->pass[i].close)
            core->pass[i].close(core);
    free(core->wanted.output);
}
