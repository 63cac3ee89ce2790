/* The gaps of each unit, maximal runs of knots that miss a number: which of them end a run of the filter, and
 * which are filled by a line. No line leads over a cut or a gap that is longer than --max-gap. A knot is
 * decided when it is in no gap that may still be filled. */
#include "series/core.h"

#include <string.h>

/* The last known knot of a unit. Zero-initialized: none so far. */
struct last_known {
    uint64_t next; /* number of the knot after it */
    double t;      /* its time */
    bool holds;    /* a gap after it waits for its end: it may still be short enough */
};

struct gaps_series {
    uint64_t keep; /* the first knot that the pass still reads: the last known one before a gap that waits */
    uint64_t at;   /* the first knot that the pass looks at again */
    struct last_known unit[];
};

/* The knots of a unit. */
struct unit_knots {
    const struct core *core;
    const struct unit *unit;
    const struct knots *knots;
    unsigned char *ends; /* knots_ends_run */
};

/* --- filling --- */

/* Fills the gap between two knots on the way from one to the other: of a rotation the turn at constant speed,
 * of an angle the short way, on from the number before. */
static void fill(const struct unit_knots *held, size_t from, size_t to)
{
    const struct unit *unit = held->unit;
    const double *t = held->knots->t;
    double read[4], after[4], start[4], end[4], way[3];
    unit_read(unit, held->knots->goal, from, read);
    unit_read(unit, held->knots->goal, to, after);
    if (unit->period > 0)
        after[0] = angle_near(after[0], read[0], unit->period);
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
        for (size_t k = 0; k < unit->n; k++)
            knots_column(held->knots->goal, unit->channel[k])[i] = print[k];
    }
}

/* --- knots --- */

/* Judges a gap of n samples, which lasts at least up to index i, or, if that knot is known, ends before it.
 */
static void take_gap(const struct unit_knots *held, struct last_known *last, size_t i, uint64_t n, bool known)
{
    const struct series_settings *settings = held->core->input.settings;
    const struct knots *knots = held->knots;
    const bool straight = settings->gaps == GAPS_LINEAR,
               too_long = gap_exceeds(&settings->max_gap, last->t, knots->t[i], n);
    held->ends[i] = too_long || (known && gap_ends_run(settings->gaps));
    if (too_long && last->holds)
        held->ends[knots_at(knots, last->next)] = 1;
    last->holds = last->holds && !too_long && !(straight && knots->cut[i]);
    if (straight && last->holds && known) {
        fill(held, knots_at(knots, last->next) - 1, i);
        held->ends[i] = 0;
    }
}

/* Looks at the knot at index i. */
static void take_knot(const struct unit_knots *held, struct last_known *last, size_t i)
{
    const uint64_t number = held->knots->first + i;
    const bool known = !unit_misses(held->unit, held->knots->goal, i);
    if (last->next > number) /* another look at the last knot */
        return;
    held->ends[i] = 0;
    if (!known || last->next < number)
        take_gap(held, last, i, number - last->next + !known, known);
    if (known)
        *last = (struct last_known){ number + 1, held->knots->t[i],
                                     gaps_pass_waits(held->core->input.settings) };
}

/* Looks again at the last knot, whose number another row of its time may have brought. */
static uint64_t run(struct core *core, struct series *series, void *state, uint64_t n, bool end)
{
    const struct units *units = core->input.units;
    const struct knots *knots = &series->knots;
    struct gaps_series *memory = state;
    const uint64_t from = memory->at;
    uint64_t decided = n;
    memory->keep = memory->at = n > from ? n - 1 : from;
    for (size_t u = 0; u < units->n; u++) {
        const struct unit_knots held = { core, &units->at[u], knots, knots_ends_run(core, knots, u) };
        struct last_known *last = &memory->unit[u];
        for (uint64_t number = from; number < n; number++)
            take_knot(&held, last, knots_at(knots, number));
        if (!last->holds || last->next >= n)
            continue;
        memory->keep = last->next - 1 < memory->keep ? last->next - 1 : memory->keep;
        decided = !end && last->next < decided ? last->next : decided;
    }
    return decided;
}

bool gaps_pass_waits(const struct series_settings *settings)
{
    return settings->gaps == GAPS_LINEAR ||
           (settings->gaps == GAPS_FILL && settings->max_gap.kind != GAP_UNLIMITED);
}

void gaps_pass_open(struct core *core)
{
    const size_t n = core->input.units->n;
    const size_t size = sizeof(struct gaps_series) + n * sizeof(struct last_known);
    core->judges_gaps = true;
    core->gap_marks = core->nmark;
    core->nmark += n;
    core_add_pass(core, (struct pass){ .run = run }, size);
}
