/* Stretches of a series, cutoffs, and what is said about them. See smooth_pass.h. */
#include "series/smooth_pass.h"

#include "base/array.h"
#include "base/pool.h"
#include "springs/filter_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDED 1e-6 /* of a lookahead: error of sums of steps */

enum { SHARED_SAMPLES = 4096 /* shortest stretch, in samples, whose units are shared by several threads */ };

/* The reason for a single stretch; NULL: several stretches. */
static const char *needs_whole(bool loop, const struct series_rows *input)
{
    if (loop)
        return "--loop needs all rows at once";
    if (input->settings->gaps == GAPS_FILL && input->settings->max_gap.kind == GAP_UNLIMITED)
        return "--gaps fill without --max-gap needs all rows at once";
    return input->units->nrotation > 0 ? "rotations need all rows at once" : NULL;
}

const char *smooth_needs_all(const struct filter_common *settings, const struct series_rows *input)
{
    return filter_automatic(settings) ? "auto needs all rows at once" : needs_whole(settings->loop, input);
}

/* How far stretches reach. Gaps that are filled count no time. cutoff: the lowest. */
static struct stretch_reach find_reach(const struct smooth_pass *pass, double cutoff)
{
    const struct series_settings *settings = pass->core->input.settings;
    struct stretch_reach reach = { .seconds = INFINITY };
    if (needs_whole(pass->settings->loop, &pass->core->input))
        return reach;
    reach.seconds = stretch_seconds(cutoff);
    if (settings->gaps == GAPS_FILL && settings->max_gap.kind == GAP_SECONDS)
        reach.seconds += settings->max_gap.most;
    if (settings->gaps == GAPS_FILL && settings->max_gap.kind == GAP_ROWS)
        reach.samples = (size_t)settings->max_gap.most;
    return reach;
}

/* --- threads --- */

static void take_unit(void *closure, size_t unit, size_t at)
{
    const struct smooth_pass *pass = closure;
    struct error e;
    if (!smooth_unit_run(pass, &pass->worker[at], unit, &e))
        pass->worker[at].failed = true;
}

/* Has smooth_unit_run work on every unit in the stretch under way, on several threads where there is much to
 * do. */
static void run_units(struct smooth_pass *pass, bool choosing)
{
    const size_t nunit = pass->core->input.units->n;
    const bool much = (pass->stretch.end - pass->stretch.begin) * nunit >= SHARED_SAMPLES;
    struct error e;
    pass->choosing = choosing;
    pool_each(much ? pass->core->pool : NULL, nunit, take_unit, pass);
    for (size_t i = 0; i < pass->nworker; i++) {
        if (pass->worker[i].failed && !error_memory(&e))
            core_fail(pass->core, pass->series, pass->series->given, &e);
        pass->worker[i].failed = false;
    }
}

/* --- the cutoff --- */

const char *smooth_stays_words(enum cutoff_stays stays)
{
    static const char *const words[] = {
        [STAYS_NOT] = "what auto removes may be motion, not noise; to decide, give --cutoff HZ",
        [STAYS_FEW] = "copied unchanged, as auto needs at least 20 values",
        [STAYS_STATES] =
            "copied unchanged, as so few different whole numbers look like states; to smooth them, give "
            "--cutoff HZ",
        [STAYS_STANDING_OUT] =
            "copied unchanged, because every cutoff would change some value by more than its noise; "
            "give --cutoff HZ, or use one-euro for jumps",
    };
    return words[stays];
}

/* Notes the cutoff chosen for a unit, or that the unit stays unchanged. */
static void note_choice(struct smooth_pass *pass, const struct unit *unit, const struct cutoff_choice *choice)
{
    const struct series_rows *input = &pass->core->input;
    for (size_t k = 0; k < unit->n; k++) {
        const size_t channel = unit->channel[k];
        struct channel_count *count = &pass->core->count[channel];
        if (!count->noted && (choice->stays != STAYS_NOT || choice->doubtful)) {
            count->noted = true;
            count->stays = choice->stays;
            count->noted_at = core_row(pass->series, pass->series->knots.first + choice->sample) + 1;
        }
        if (choice->stays != STAYS_NOT)
            continue;
        if (count->largest_cutoff == 0 || choice->cutoff < count->least_cutoff)
            count->least_cutoff = choice->cutoff;
        count->largest_cutoff = fmax(count->largest_cutoff, choice->cutoff);
        if (pass->core->verbose)
            reader_tell(input->reader, "channel \"%s\": auto chose cutoff %.6g Hz",
                        table_channel(input->table, channel)->name, choice->cutoff);
    }
}

/* Chooses by all knots of the series under way. After a fault nothing is noted. */
static void choose(struct smooth_pass *pass)
{
    const struct units *units = pass->core->input.units;
    const bool faulty = pass->core->end != UINT64_MAX;
    pass->stretch = (struct stretch){ 0, 0, pass->series->knots.n, pass->series->knots.n };
    run_units(pass, true);
    double lowest = INFINITY;
    for (size_t i = 0; i < units->n; i++) {
        lowest = fmin(lowest, pass->memory->unit[i].cutoff);
        if (!faulty)
            note_choice(pass, &units->at[i], &pass->memory->unit[i].choice);
    }
    pass->reach = find_reach(pass, lowest);
}

/* --- stretches --- */

/* Smooths the stretches whose knots have come. all: no more knots come. */
static void smooth_stretches(struct smooth_pass *pass, uint64_t n, bool all)
{
    struct smooth_series *memory = pass->memory;
    const struct knots *knots = &pass->series->knots;
    double *counted = knots_column(knots->extra, pass->counted);
    for (; memory->ncounted < n; memory->ncounted++) {
        const size_t i = knots_at(knots, memory->ncounted);
        counted[i] = memory->ncounted == 0 ? 0 : stretch_time_take(&memory->time, knots->T[i]);
    }
    while (memory->at < n && stretch_find(counted, knots_at(knots, n), all, knots_at(knots, memory->at),
                                          pass->reach, &pass->stretch)) {
        if (memory->at == 0)
            core_check_cutoff(pass->core, pass->series, CORE_RATE_STEPS);
        if (pass->series->failed)
            return;
        run_units(pass, false);
        memory->at = knots->first + pass->stretch.to;
    }
    memory->begin = knots->first + pass->stretch.begin;
}

/* --- --lookahead --- */

/* Sets the results of a knot, when the newest knot that was taken is `newest`. */
static void put_live(struct smooth_pass *pass, uint64_t knot, uint64_t newest)
{
    for (size_t u = 0; u < pass->core->input.units->n; u++) {
        struct live_result live = live_get(&pass->memory->unit[u].live, (size_t)(newest - knot));
        const struct smooth_result result = { live.x, live.velocity, live.acceleration };
        smooth_units_put(pass, u, knots_at(&pass->series->knots, knot), 1, result);
    }
}

/* Has each unit take a knot. False: out of memory. */
static bool take_live(struct smooth_pass *pass, uint64_t knot, struct error *e)
{
    const struct core *core = pass->core;
    const struct units *units = core->input.units;
    const struct knots *knots = &pass->series->knots;
    const size_t i = knots_at(knots, knot);
    for (size_t u = 0; u < units->n; u++) {
        struct smooth_unit *state = &pass->memory->unit[u];
        double x[4];
        smooth_target(pass, &units->at[u], i, &state->newest, x);
        const bool restarts = !isnan(x[0]) && core->judges_gaps && knots_ends_run(core, knots, u)[i];
        state->live.width = units->at[u].n;
        state->live.cutoff = state->cutoff;
        if (!live_take(&state->live, knots->T[i], x, restarts, e))
            return false;
    }
    return true;
}

/* Takes the knots up to n: each has its result when the knots of the lookahead after it have come. Returns
 * how many are decided. */
static uint64_t look_ahead(struct smooth_pass *pass, uint64_t n, bool end)
{
    struct smooth_series *memory = pass->memory;
    const struct knots *knots = &pass->series->knots;
    const double wait = pass->core->lookahead;
    struct error e;
    for (; memory->ncounted < n; memory->ncounted++) {
        const uint64_t newest = memory->ncounted;
        const double now = knots->t[knots_at(knots, newest)];
        while (memory->at < newest && now - knots->t[knots_at(knots, memory->at)] > wait * (1 + ROUNDED))
            put_live(pass, memory->at++, newest - 1);
        if (!take_live(pass, newest, &e)) {
            core_fail(pass->core, pass->series, pass->series->given, &e);
            return n;
        }
        while (memory->at <= newest && now - knots->t[knots_at(knots, memory->at)] >= wait * (1 - ROUNDED))
            put_live(pass, memory->at++, newest);
        for (size_t u = 0; u < pass->core->input.units->n; u++)
            live_drop(&memory->unit[u].live, (size_t)(newest + 1 - memory->at));
    }
    while (end && memory->at < n)
        put_live(pass, memory->at++, n - 1);
    memory->begin = memory->at;
    return memory->at;
}

/* --- the pass --- */

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct smooth_pass *pass = core->smooth_pass;
    struct smooth_series *memory = state;
    pass->series = series;
    pass->memory = memory;
    if (!isnan(core->lookahead) && memory->at <= 1 && n > 1)
        core_check_cutoff(core, series, 1);
    if (n == 0 || series->failed)
        return n;
    for (size_t u = 0; u < core->input.units->n && memory->ncounted == 0; u++)
        memory->unit[u].cutoff = pass->cutoff;
    if (!isnan(core->lookahead))
        return look_ahead(pass, n, end);
    if (!end && smooth_needs_all(core->settings, &core->input))
        return memory->at;
    if (isnan(pass->cutoff) && memory->at < n)
        choose(pass);
    smooth_stretches(pass, n, end);
    return memory->at;
}

/* --- what is said --- */

void smooth_pass_say(const struct smooth_pass *pass)
{
    const struct core *core = pass->core;
    for (enum cutoff_stays why = STAYS_NOT; why <= STAYS_STANDING_OUT; why++) {
        const char *words = smooth_stays_words(why);
        char more[60] = "", row[90] = "";
        size_t n = 0, first = 0;
        for (size_t c = 0; c < core->nchannel; c++)
            if (core->count[c].noted && core->count[c].stays == why)
                first = n++ > 0 ? first : c;
        if (n == 0 || !words)
            continue;
        if (n > 1)
            snprintf(more, sizeof more, " and %zu more", n - 1);
        if (why == STAYS_STANDING_OUT)
            snprintf(row, sizeof row, "; row %llu stands out most: if it is a spike, add --despike 6",
                     (unsigned long long)core->count[first].noted_at);
        reader_tell(core->input.reader, "channel \"%s\"%s: %s%s",
                    table_channel(core->input.table, first)->name, more, words, row);
    }
}

/* --- opening --- */

static void forget(struct core *core, void *state)
{
    struct smooth_series *memory = state;
    for (size_t i = 0; i < core->input.units->n; i++)
        live_free(&memory->unit[i].live);
}

static void close_pass(struct core *core)
{
    struct smooth_pass *pass = core->smooth_pass;
    for (size_t i = 0; i < pass->nworker && pass->worker; i++) {
        smoothing_free(&pass->worker[i].smoothing);
        free(pass->worker[i].value);
        free(pass->worker[i].run);
    }
    free(pass->worker);
    free(pass);
}

bool smooth_pass_open(struct core *core, struct error *e)
{
    struct smooth_pass *pass;
    if (!arrays_make(e, ARRAY(pass, 1)))
        return false;
    core->smooth_pass = pass;
    pass->core = core;
    pass->settings = core->settings;
    pass->cutoff = filter_automatic(core->settings) ? (double)NAN : pass->settings->cutoff;
    pass->counted = core->nextra++;
    pass->reach = find_reach(pass, pass->cutoff);
    const size_t size = sizeof(struct smooth_series) + core->input.units->n * sizeof(struct smooth_unit);
    core_add_pass(core, (struct pass){ .run = run, .forget = forget, .close = close_pass }, size);
    pass->nworker = pool_workers(core->pool);
    return arrays_make(e, ARRAY(pass->worker, pass->nworker));
}
