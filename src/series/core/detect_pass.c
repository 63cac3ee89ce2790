/* --detect-cuts: samples to corners of a curve, which the rule of whole/jumps.h judges; jumps to cuts.
 * Invariant: the result at a sample depends on the samples up to the next one. */
#include "series/core/filter_pass.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

/* Replaces the goal in sample p, which is a spike, by one between the sample before and the next one. target:
 * of the three samples; before: the numbers of the sample before. */
static void bridge(struct filter_pass *pass, const double T[2], const struct unit *unit,
                   const double before[4], double target[3][4], size_t p)
{
    double way[3], between[4];
    unit_way(unit, target[0], target[2], way);
    unit_move(unit, target[0], way, T[0] / (T[0] + T[1]));
    unit_print(unit, before, target[0], false, between);
    for (size_t k = 0; k < unit->n; k++)
        pass->goal[unit->channel[k] * (pass->maxrow + 1) + p] = between[k];
}

/* Is there a jump between the sample before and sample p? If sample p is a spike, it is bridged. */
static bool is_jump(struct filter_pass *pass, const struct chunk *chunk, struct detect_state *detect,
                    const struct unit *unit, size_t p)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    const double *T = chunk->knots->T + chunk->at + p;
    struct jumps_corner corner = { .T_in = T[0], .T_out = T[1] };
    memcpy(corner.number[0], detect->before, sizeof corner.number[0]);
    filter_goals(pass, unit, p, corner.number[1]);
    filter_goals(pass, unit, p + 1, corner.number[2]);
    for (size_t i = 0; i < 3; i++)
        unit_target(unit, corner.number[i], corner.target[i]);
    const bool jump = jumps_judge(&detect->jumps, pass->detect, &kind, &corner);
    if (detect->jumps.spike)
        bridge(pass, T, unit, detect->before, corner.target, p);
    return jump;
}

/* The channels of a rotation or of a vector have the same flags. A spike is bridged and gets no FLAG_CUT; the
 * jumps on both sides of it are counted. */
void detect_cuts_in(struct filter_pass *pass, const struct chunk *chunk, const struct unit *unit, bool counts)
{
    const unsigned judged = FLAG_START | FLAG_NO_VALUE | FLAG_GAP | FLAG_CUT | FLAG_NO_NEXT;
    struct detect_state *detect = &chunk->of->detect[unit->channel[0]];
    const unsigned char *flag = pass->flag_at[unit->channel[0]];
    const struct spike_kind kind = unit_spike_kind(unit);
    for (size_t p = 0; p < chunk->n; p++) {
        const bool known = !(flag[p] & (FLAG_NO_VALUE | FLAG_GAP));
        const bool after_spike = detect->jumps.spike;
        double here[4] = { 0 };
        bool jump = false;
        filter_goals(pass, unit, p, here);
        if (known)
            jumps_take(&detect->jumps, &kind, here);
        if (detect->before_known && !(flag[p] & judged))
            jump = is_jump(pass, chunk, detect, unit, p);
        else
            jumps_interrupt(&detect->jumps);
        detect->before_known = known;
        if (known)
            memcpy(detect->before, here, sizeof here);
        unsigned char found = detect->jumps.may_jump ? FLAG_NO_NEXT : 0;
        if (jump && !after_spike && !detect->jumps.spike)
            found |= FLAG_CUT;
        pass->counts.cuts += jump && counts;
        for (size_t k = 0; k < unit->n; k++) {
            pass->flag_at[unit->channel[k]][p] |= found;
            pass->counts.of_channel[unit->channel[k]] += jump && counts;
        }
    }
}
