/* Knots to the samples of whole/noise/spikes.h, and its verdicts to goals. See despike_pass.h. */
#include "series/despike_pass.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

struct despike_series {
    struct spikes spikes; /* its samples have the numbers of the knots */
    uint64_t at;          /* the first knot that is no sample yet */
    uint64_t decided;     /* knots whose goals are decided */
};

/* Adds the knots before n as samples. False: out of memory. */
static bool add_samples(struct core *core, struct series *series, struct despike_series *of, uint64_t n,
                        struct error *e)
{
    const struct units *units = core->in.units;
    const struct knots *knots = &series->own;
    if (!of->spikes.unit &&
        !spikes_open(&of->spikes, core->despike_pass->factor, core->despike_pass->kind, units->n, e))
        return false;
    if (!spikes_reserve(&of->spikes, (size_t)(n - of->at), e))
        return false;
    for (; of->at < n; of->at++) {
        const size_t i = knots_at(knots, of->at);
        const size_t sample = spikes_add(&of->spikes, knots->t[i], of->at > 0 && knots->cut[i]);
        for (size_t u = 0; u < units->n; u++) {
            const struct unit *unit = &units->at[u];
            double number[SPIKES_COMPONENTS], target[SPIKES_COMPONENTS];
            for (size_t k = 0; k < unit->n; k++)
                number[k] = knots->x[unit->channel[k]][i];
            if (unit_is_rotation(unit))
                unit_target(unit, number, target);
            spikes_set(&of->spikes, u, sample, number, target);
        }
    }
    return true;
}

/* Keeps what may be a spike. */
static void keep_spike(struct core *core, const struct series *series, const struct unit *unit, uint64_t knot)
{
    struct despike_kept *kept = &core->despike_pass->kept;
    const uint64_t row = core_row(series, knot);
    for (size_t k = 0; k < unit->n; k++)
        core->count[unit->channel[k]].kept++;
    if (kept->n == 0 || row < kept->row || (row == kept->row && unit->channel[0] < kept->channel))
        *kept = (struct despike_kept){ kept->n, row, unit->channel[0] };
    kept->n++;
}

/* Replaces a spike of unit u. */
static void replace(struct core *core, struct series *series, const struct spikes *spikes, size_t u,
                    uint64_t knot)
{
    const struct unit *unit = &core->in.units->at[u];
    double x[SPIKES_COMPONENTS], near[SPIKES_COMPONENTS];
    double goal[SPIKES_COMPONENTS] = { NAN, NAN, NAN, NAN };
    const bool bridged = spikes_bridge(spikes, u, (size_t)knot, x, near);
    if (bridged && unit->period > 0)
        x[0] -= unit->period * angle_turns(x[0] - near[0], unit->period);
    if (bridged)
        unit_print(unit, near, x, false, goal);
    for (size_t k = 0; k < unit->n; k++) {
        struct clean_count *count = &core->count[unit->channel[k]];
        series->own.goal[unit->channel[k]][knots_at(&series->own, knot)] = goal[k];
        count->spikes++;
        count->emptied += !bridged;
    }
}

static void settle(struct core *core, struct series *series, struct despike_series *of, uint64_t decided)
{
    for (size_t u = 0; u < core->in.units->n; u++)
        for (uint64_t knot = of->decided; knot < decided; knot++) {
            const enum spike_out verdict = spikes_verdict(&of->spikes, u, (size_t)knot);
            if (verdict == SPIKE)
                replace(core, series, &of->spikes, u, knot);
            else if (verdict != SPIKE_NONE)
                keep_spike(core, series, &core->in.units->at[u], knot);
        }
    of->decided = decided;
}

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct despike_series *of = state;
    struct error e;
    if (n == 0 || core->end != UINT64_MAX)
        return n;
    if (!add_samples(core, series, of, n, &e)) {
        core_fail(core, series, series->given, &e);
        return n;
    }
    settle(core, series, of, spikes_judge(&of->spikes, end));
    return of->decided;
}

static void forget(struct core *core, void *state)
{
    (void)core;
    spikes_free(&((struct despike_series *)state)->spikes);
}

static void close_pass(struct core *core)
{
    free(core->despike_pass->kind);
    free(core->despike_pass);
}

struct despike_pass *despike_pass_open(struct core *core, double factor, struct error *e)
{
    struct despike_pass *pass;
    if (!arrays_make(e, ARRAY(pass, 1)))
        return NULL;
    core->despike_pass = pass;
    pass->factor = factor;
    core->pass[core->npass++] = (struct pass){
        .run = run,
        .forget = forget,
        .close = close_pass,
        .place = groups_reserve(core->in.groups, sizeof(struct despike_series)),
    };
    if (!arrays_make(e, ARRAY(pass->kind, core->in.units->n)))
        return NULL;
    for (size_t u = 0; u < core->in.units->n; u++)
        pass->kind[u] = unit_spike_kind(&core->in.units->at[u]);
    return pass;
}
