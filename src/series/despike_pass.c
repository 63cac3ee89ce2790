/* --despike: the rule of whole/noise/spikes.h over the arrays of the knots, and its verdicts to goals. It
 * judges a unit as a whole. A knot is decided when 15 more have come, near a spike up to 44, as spikes are
 * judged by their neighbours. */
#include "series/core.h"

#include "base/array.h"
#include "whole/noise/spikes.h"

#include <math.h>

/* What is remembered of a series: numbers of knots. */
struct despike_series {
    uint64_t keep; /* the first knot that the pass still reads */
    uint64_t at;   /* the first knot that is no sample yet */
    uint64_t measured, judged, decided;
    struct spike_memory unit[]; /* [units.n] */
};

/* Points the units into the arrays of the knots. */
static void place_units(const struct core *core, const struct knots *knots)
{
    double *next = knots->extra.at;
    for (size_t u = 0; u < core->input.units->n; u++) {
        const struct unit *unit = &core->input.units->at[u];
        struct spike_unit *spike = &core->spike_unit[u];
        for (size_t k = 0; k < unit->n; k++)
            spike->number[k] = spike->column[k] = knots_column(knots->x, unit->channel[k]);
        for (size_t k = 0; k < spikes_own(&spike->kind); k++, next += knots->max)
            spike->column[k] = next;
        for (size_t length = 0; length < SPIKES_LENGTHS; length++, next += knots->max)
            spike->off[length] = next;
        spike->out = knots_mark(knots, 1 + u);
        spike->rounded_at = 0;
    }
}

/* Makes samples of a unit of the knots before index `end`. A sample that misses a number is missing. */
static void take_unit(const struct core *core, const struct knots *knots, struct despike_series *memory,
                      size_t u, size_t end)
{
    const struct unit *unit = &core->input.units->at[u];
    const struct spike_unit *spike = &core->spike_unit[u];
    const size_t from = knots_at(knots, memory->at), nown = spikes_own(&spike->kind);
    memset(spike->out + from, SPIKE_NONE, end - from);
    for (size_t i = from; i < end && nown > 0; i++) {
        double number[SPIKES_COMPONENTS], x[SPIKES_COMPONENTS];
        const bool known = unit_read(unit, knots->x, i, number);
        unit_target(unit, number, x);
        x[0] = known ? x[0] : (double)NAN;
        spikes_follow(&spike->kind, &memory->unit[u], x);
        for (size_t k = 0; k < nown; k++)
            spike->column[k][i] = x[k];
    }
}

/* Makes samples of the knots before index `end`. */
static void take_knots(const struct core *core, const struct knots *knots, struct despike_series *memory,
                       size_t end)
{
    unsigned char *part = knots_mark(knots, 0);
    for (size_t i = knots_at(knots, memory->at); i < end; i++) {
        const bool first = knots->first + i == 0;
        const bool begins = !first && (knots->cut[i] || spikes_long_step(knots->t, i));
        part[i] = first ? 0 : (unsigned char)(part[i - 1] + begins);
    }
    for (size_t u = 0; u < core->input.units->n; u++)
        take_unit(core, knots, memory, u, end);
    memory->at = knots->first + end;
}

/* Replaces a spike of unit u. */
static void replace(struct core *core, const struct knots *knots, const struct spikes *spikes, size_t u,
                    size_t i)
{
    const struct unit *unit = &core->input.units->at[u];
    double x[SPIKES_COMPONENTS], near[SPIKES_COMPONENTS];
    double goal[SPIKES_COMPONENTS] = { NAN, NAN, NAN, NAN };
    const bool bridged = spikes_bridge(spikes, &core->spike_unit[u], i, x, near);
    if (bridged)
        unit_print(unit, near, x, false, goal);
    for (size_t k = 0; k < unit->n; k++) {
        struct channel_count *count = &core->count[unit->channel[k]];
        knots_column(knots->goal, unit->channel[k])[i] = goal[k];
        count->spikes++;
        count->emptied += !bridged;
    }
}

/* Counts what may be a spike of a unit. */
static void keep_spike(struct core *core, const struct unit *unit, uint64_t row)
{
    for (size_t k = 0; k < unit->n; k++) {
        struct channel_count *count = &core->count[unit->channel[k]];
        count->kept_at = count->kept++ > 0 && count->kept_at < row ? count->kept_at : row;
    }
}

/* Takes the verdicts on the knots that are decided now. */
static void settle(struct core *core, const struct series *series, const struct spikes *spikes, size_t from)
{
    const struct knots *knots = &series->knots;
    const struct units *units = core->input.units;
    for (size_t u = 0; u < units->n; u++) {
        const unsigned char *out = core->spike_unit[u].out;
        for (size_t i = from; i < spikes->decided; i++)
            if (out[i] == SPIKE)
                replace(core, knots, spikes, u, i);
            else if (out[i] != SPIKE_NONE)
                keep_spike(core, &units->at[u], core_row(series, knots->first + i) + 1);
    }
}

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    struct despike_series *memory = state;
    const struct knots *knots = &series->knots;
    if (n == 0)
        return n;
    place_units(core, knots);
    struct spikes spikes = {
        .factor = core->despike,
        .n = knots_at(knots, n),
        .t = knots->t,
        .part = knots_mark(knots, 0),
        .measured = knots_at(knots, memory->measured),
        .judged = knots_at(knots, memory->judged),
        .decided = knots_at(knots, memory->decided),
    };
    take_knots(core, knots, memory, spikes.n);
    spikes_judge(&spikes, core->spike_unit, core->input.units->n, end);
    settle(core, series, &spikes, knots_at(knots, memory->decided));
    memory->measured = knots->first + spikes.measured;
    memory->judged = knots->first + spikes.judged;
    memory->decided = knots->first + spikes.decided;
    memory->keep = memory->decided > SPIKES_BEHIND ? memory->decided - SPIKES_BEHIND : 0;
    return memory->decided;
}

bool despike_pass_open(struct core *core, struct error *e)
{
    const struct units *units = core->input.units;
    const size_t size = sizeof(struct despike_series) + units->n * sizeof(struct spike_memory);
    if (!arrays_make(e, ARRAY(core->spike_unit, units->n)))
        return false;
    core->nmark = 1 + units->n;
    for (size_t u = 0; u < units->n; u++) {
        core->spike_unit[u].kind = unit_spike_kind(&units->at[u]);
        core->nextra += spikes_own(&core->spike_unit[u].kind) + SPIKES_LENGTHS;
    }
    core_add_pass(core, (struct pass){ .run = run }, size);
    return true;
}
