/* --detect-cuts: rows to corners of a curve, which the rule of whole/jumps.h judges; the jumps to cuts.
 * Invariant: the result at a row depends on the values up to the next row only. */
#include "series/streamed.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

/* Counts a cut that was found at row p, and for --verbose says where. */
static void report_cut(struct series *series, const struct filter_group *group, const struct unit *unit,
                       const struct chunk *chunk, size_t p)
{
    struct spot at = chunk_row(group, chunk, p), next = chunk_row(group, chunk, p + 1);
    const char *name = unit->name;
    const char *kind = unit->kind == UNIT_VECTOR ? "vector" : "channel";
    if (!name)
        name = plan_channel(series->config.in.plan, unit->channel[0])->name;
    series->count.cuts++;
    if (!series->config.verbose)
        return;
    struct timestamp t = series_time(&series->config.in, at.block, at.row,
                                     group->nseen + p - chunk->nwaiting);
    messages_add(warnings_note(series, at, next, NOTE_EACH), series->config.file,
                 "cut found at %.6g s in %s \"%s\"",
                 timestamp_between(NULL, &t, series_unit(&series->config.in)), kind, name);
}

/* Replaces the target in row p, which is a spike, by a target between the previous row and the next row.
 * target: the targets of rows p - 1, p and p + 1; before: the numbers of row p - 1. */
static void bridge_spike(struct series *series, const struct unit *unit, const double before[4],
                         double target[3][4], size_t p)
{
    const double *T = series->T;
    double way[3], bridge[4], part = T[p] / (T[p] + T[p + 1]);
    unit_way(unit, target[0], target[2], way);
    unit_move(unit, target[0], way, part);
    unit_print(unit, before, target[0], false, bridge);
    for (size_t i = 0; i < unit->n; i++)
        streamed_of(series)->targets.goal[unit->channel[i] * series->maxrow + p] = bridge[i];
}

/* Is there a cut between the previous row and row p? If row p is a spike, the spike is bridged. */
static bool is_jump(struct series *series, struct detect *detect, const struct unit *unit, size_t p)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    struct jumps_corner corner = { .T_in = series->T[p], .T_out = series->T[p + 1] };
    memcpy(corner.number[0], detect->before, sizeof corner.number[0]);
    chunk_targets(series, unit, p, corner.number[1]);
    chunk_targets(series, unit, p + 1, corner.number[2]);
    for (size_t i = 0; i < 3; i++)
        unit_target(unit, corner.number[i], corner.target[i]);
    bool jump = jumps_judge(&detect->jumps, series->config.detect, &kind, &corner);
    if (detect->jumps.spike)
        bridge_spike(series, unit, detect->before, corner.target, p);
    return jump;
}

/* The channels of a rotation or of a vector have the same flags. A spike is bridged and gets no FLAG_CUT; the
 * jumps on both sides of the spike are counted and reported as cuts. */
void detect_cuts(struct series *series, struct filter_group *group, const struct unit *unit,
                 const struct chunk *chunk)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const unsigned char *flags = targets->flags[unit->channel[0]];
    const struct spike_kind kind = unit_spike_kind(unit);
    struct detect *detect = &group->detect[unit->channel[0]];
    for (size_t p = 0; p < chunk->nrun; p++) {
        bool judged = !(flags[p] &
                        (FLAG_START | FLAG_NO_VALUE | FLAG_GAP | FLAG_CUT | FLAG_ZERO_DT | FLAG_NO_NEXT)) &&
                      detect->before_known;
        double here[4] = { 0 };
        chunk_targets(series, unit, p, here);
        if (!(flags[p] & (FLAG_NO_VALUE | FLAG_GAP)))
            jumps_take(&detect->jumps, &kind, here);
        bool back = detect->jumps.spike; /* the row before is a spike */
        bool jump = false;
        if (judged)
            jump = is_jump(series, detect, unit, p);
        else
            jumps_interrupt(&detect->jumps);
        if (jump)
            report_cut(series, group, unit, chunk, p);
        detect->before_known = !(flags[p] & (FLAG_NO_VALUE | FLAG_GAP));
        if (detect->before_known && !(flags[p] & FLAG_ZERO_DT))
            memcpy(detect->before, here, sizeof here);
        unsigned char found = detect->jumps.may_jump ? FLAG_NO_NEXT : 0;
        if (jump && !back && !detect->jumps.spike)
            found |= FLAG_CUT;
        for (size_t i = 0; i < unit->n; i++) {
            targets->flags[unit->channel[i]][p] |= found;
            series->count.channel_cuts[unit->channel[i]] += jump;
        }
    }
}
