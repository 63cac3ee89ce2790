/* --lookahead: each knot is smoothed when the knots of that time after it have come. See smooth_pass.h. */
#include "series/smooth_pass.h"

#include <math.h>

#define ROUNDED 1e-6 /* of a lookahead: error of sums of steps */

/* Sets the results of a knot, when the newest knot that was taken is `newest`. */
static void put(struct smooth_pass *pass, uint64_t knot, uint64_t newest)
{
    for (size_t u = 0; u < pass->core->input.units->n; u++) {
        const struct live_result live = live_get(&pass->memory->unit[u].live, (size_t)(newest - knot));
        const struct smooth_result result = { live.x, live.velocity, live.acceleration };
        smooth_units_put(pass, u, knots_at(&pass->series->knots, knot), 1, result);
    }
}

/* Has each unit take a knot. False: out of memory. */
static bool take(struct smooth_pass *pass, uint64_t knot, struct error *e)
{
    const struct units *units = pass->core->input.units;
    const struct knots *knots = &pass->series->knots;
    const size_t i = knots_at(knots, knot);
    for (size_t u = 0; u < units->n; u++) {
        struct smooth_unit *state = &pass->memory->unit[u];
        double read[4] = { 0 }, x[4], goal, last = 0;
        unsigned char flag;
        smooth_target(pass, &units->at[u], i, read, x);
        goal = x[0];
        const struct gap_samples sample = { .t = knots->t + i,
                                            .before = i > 0 ? knots->t[i - 1] : 0,
                                            .raw = &goal,
                                            .goal = &goal,
                                            .flag = &flag,
                                            .n = 1,
                                            .nflag = 1,
                                            .nknown = 1 };
        flags_set(&state->gap, pass->core->input.settings, &sample, &last);
        state->live.width = units->at[u].n;
        state->live.cutoff = state->cutoff;
        if (!live_take(&state->live, knots->T[i], x, flag & FLAG_START, e))
            return false;
    }
    return true;
}

uint64_t lookahead_run(struct smooth_pass *pass, uint64_t n, bool end)
{
    struct smooth_series *memory = pass->memory;
    const struct knots *knots = &pass->series->knots;
    const double wait = pass->lookahead;
    struct error e;
    for (; memory->ncounted < n; memory->ncounted++) {
        const uint64_t newest = memory->ncounted;
        const double now = knots->t[knots_at(knots, newest)];
        while (memory->at < newest && now - knots->t[knots_at(knots, memory->at)] > wait * (1 + ROUNDED))
            put(pass, memory->at++, newest - 1);
        if (!take(pass, newest, &e)) {
            core_fail(pass->core, pass->series, newest, &e);
            return n;
        }
        while (memory->at <= newest && now - knots->t[knots_at(knots, memory->at)] >= wait * (1 - ROUNDED))
            put(pass, memory->at++, newest);
        for (size_t u = 0; u < pass->core->input.units->n; u++)
            live_drop(&memory->unit[u].live, (size_t)(newest + 1 - memory->at));
    }
    while (end && memory->at < n)
        put(pass, memory->at++, n - 1);
    memory->begin = memory->at;
    return memory->at;
}
