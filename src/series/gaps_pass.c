/* Gaps that wait for their end: maximal runs of knots that miss a number of a unit. Nothing is filled over a
 * cut, and no gap that is longer than --max-gap. */
#include "series/core.h"

#include "series/flags.h"

#include <math.h>
#include <string.h>

/* The gap of a unit that the last knots are in. */
struct open_gap {
    uint64_t begin; /* its first knot */
    bool open;      /* the last gap may be filled */
    bool known;     /* a sample since the last cut can fill the gap */
};

struct gaps_series {
    uint64_t keep; /* the first knot that the pass still reads: the sample before an open gap */
    uint64_t at;   /* the first knot that the pass has not looked at */
    struct open_gap unit[];
};

/* The knots of a unit. */
struct unit_knots {
    struct core *core;
    const struct unit *unit;
    const struct knots *knots;
};

/* --- filling --- */

static void read_goals(const struct unit_knots *held, size_t i, double number[4])
{
    for (size_t k = 0; k < held->unit->n; k++)
        number[k] = held->knots->goal[held->unit->channel[k]][i];
}

/* Fills the gap between two knots on the way from one to the other: of a rotation the turn at constant speed,
 * of an angle the short way, in the turn of the nearer knot. */
static void fill(const struct unit_knots *held, size_t from, size_t to)
{
    const struct unit *unit = held->unit;
    const double *t = held->knots->t;
    double read[4], after[4], start[4], end[4], way[3], turns = 0;
    read_goals(held, from, read);
    read_goals(held, to, after);
    if (unit->period > 0) {
        turns = after[0] - angle_near(after[0], read[0], unit->period);
        after[0] -= turns;
    }
    unit_target(unit, read, start);
    unit_target(unit, after, end);
    unit_way(unit, start, end, way);
    for (size_t i = from + 1; i < to; i++) {
        const double part = (t[i] - t[from]) / (t[to] - t[from]);
        double here[4], print[4];
        memcpy(here, start, sizeof here);
        unit_move(unit, here, way, part);
        unit_print(unit, read, here, false, print);
        memcpy(read, print, sizeof read);
        print[0] += part < 0.5 ? 0 : turns;
        for (size_t k = 0; k < unit->n; k++) {
            const size_t channel = unit->channel[k];
            held->core->count[channel].filled += isnan(held->knots->x[channel][i]) != 0;
            held->knots->goal[channel][i] = print[k];
        }
    }
}

/* --- knots --- */

/* Is the gap too long, where it lasts at least up to index i? */
static bool is_long(const struct unit_knots *held, const struct open_gap *gap, size_t i)
{
    const size_t begin = knots_at(held->knots, gap->begin);
    return gap_exceeds(&held->core->input.settings->max_gap, held->knots->t[begin - 1], held->knots->t[i],
                       i - begin + unit_misses(held->unit, held->knots->goal, i));
}

/* Looks at the knot at index i. */
static void take_knot(const struct unit_knots *held, struct open_gap *gap, size_t i)
{
    const bool missing = unit_misses(held->unit, held->knots->goal, i),
               straight = held->core->input.settings->gaps == GAPS_LINEAR;
    if (held->knots->cut[i])
        gap->open = gap->known = false;
    if (!gap->open && missing && gap->known) {
        gap->open = true;
        gap->begin = held->knots->first + i;
    }
    if (gap->open && is_long(held, gap, i))
        gap->open = gap->known = false;
    if (missing)
        return;
    if (gap->open && straight)
        fill(held, knots_at(held->knots, gap->begin) - 1, i);
    gap->open = false;
    gap->known = true;
}

static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    const struct units *units = core->input.units;
    struct gaps_series *memory = state;
    const size_t from = knots_at(&series->knots, memory->at),
                 more = n > memory->at ? (size_t)(n - memory->at) : 0;
    memory->at = n > memory->at ? n : memory->at;
    memory->keep = memory->at > 0 ? memory->at - 1 : 0;
    uint64_t decided = n;
    for (size_t u = 0; u < units->n; u++) {
        const struct unit_knots knots = { core, &units->at[u], &series->knots };
        struct open_gap *gap = &memory->unit[u];
        for (size_t i = from; i < from + more; i++)
            take_knot(&knots, gap, i);
        if (!gap->open)
            continue;
        memory->keep = gap->begin - 1 < memory->keep ? gap->begin - 1 : memory->keep;
        if (!end && gap->begin < decided)
            decided = gap->begin;
    }
    return decided;
}

bool gaps_pass_needed(const struct series_settings *settings)
{
    return settings->gaps == GAPS_LINEAR ||
           (settings->gaps == GAPS_FILL && settings->max_gap.kind != GAP_UNLIMITED);
}

void gaps_pass_open(struct core *core)
{
    const size_t size = sizeof(struct gaps_series) + core->input.units->n * sizeof(struct open_gap);
    core->pass[core->npass++] = (struct pass){ .run = run,
                                               .place = groups_reserve(core->input.groups, size) };
}
