/* --detect-cuts: rows to corners of a curve, which the rule of whole/jumps.h judges; the jumps to cuts.
 * Invariant: the result at a row depends on the values up to the next row only. */
#include "series/chunk.h"

#include <math.h>
#include <string.h>

/* Counts a cut that was found at row p, and for --verbose says where. */
static void report_cut(struct series *s, const struct group *g, const struct unit *u,
                       const struct chunk *chunk, size_t p)
{
    struct spot at = chunk_row(g, chunk, p), next = chunk_row(g, chunk, p + 1);
    const struct vector *v = rotations_vector(s->c.in.rotations, u->channel[0]);
    const char *name = columns_channel(s->c.in.columns, u->channel[0])->name;
    const char *kind = v ? "vector" : "channel";
    if (v)
        name = v->name;
    if (u->rotation)
        name = u->rotation->name;
    s->count.cuts++;
    if (!s->c.verbose)
        return;
    struct timestamp t = series_time(&s->c.in, at.block, at.row, g->nseen + p - chunk->nheld);
    messages_add(warnings_note(s, at, next, NOTE_EACH), s->c.file, "cut found at %.6g s in %s \"%s\"",
                 timestamp_between(NULL, &t, series_unit(&s->c.in)), kind, name);
}

/* The way between two targets: of a rotation its rotation vector, else the difference of each number. */
static void way_between(const struct unit *u, const double from[4], const double to[4], double way[3])
{
    if (u->rotation) {
        rotations_way(u->rotation, from, to, way);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        way[i] = i < u->nchannel ? to[i] - from[i] : 0;
}

/* Replaces the target in row p, which is a spike, by a target between the previous row and the next row.
 * target: the targets of rows p - 1, p and p + 1; before: the numbers of row p - 1. */
static void bridge_spike(struct series *s, const struct unit *u, const double before[4], double target[3][4],
                         size_t p)
{
    const double *T = s->steps.T;
    double way[3], bridge[4], part = T[p] / (T[p] + T[p + 1]);
    way_between(u, target[0], target[2], way);
    if (u->rotation) {
        rotations_move(u->rotation, target[0], way, part);
        rotations_print(u->rotation, before, target[0], false, bridge);
    }
    for (size_t i = 0; i < u->nchannel && !u->rotation; i++)
        bridge[i] = target[0][i] + way[i] * part;
    for (size_t i = 0; i < u->nchannel; i++)
        s->flags.goal[u->channel[i] * s->maxrow + p] = bridge[i];
}

/* How far rounding alone can move a target: what half the resolutions of its numbers sum up to; of a rotation
 * in radians. numbers: [3][nchannel] of three rows. */
static double target_rounding(const struct detect *d, const struct unit *u, double numbers[3][4])
{
    double size = 0;
    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < u->nchannel; i++)
            size = fmax(size, fabs(numbers[row][i]));
    double half = jumps_least_difference(&d->jumps, size) / 2;
    if (!u->rotation)
        return (double)u->nchannel * half;
    /* A quaternion turns by twice what a component of its length 1 changes. */
    double radians = u->nchannel == 4 ? 2 : 1 / rotations_unit(u->rotation);
    return (double)u->nchannel * half * radians;
}

/* Is there a cut between the previous row and row p? If row p is a spike, the spike is bridged. */
static bool jumps(struct series *s, struct detect *d, const struct unit *u, size_t p)
{
    double read[3][4] = { { 0 } }, target[3][4];
    struct jumps_corner corner = { .T_in = s->steps.T[p], .T_out = s->steps.T[p + 1], .size = 3 };
    memcpy(read[0], d->before, sizeof read[0]);
    chunk_targets(s, u, p, read[1]);
    chunk_targets(s, u, p + 1, read[2]);
    for (size_t i = 0; i < 3 && u->rotation; i++)
        rotations_target(u->rotation, read[i], target[i]);
    if (!u->rotation)
        memcpy(target, read, sizeof target);
    for (size_t i = 0; i < u->nchannel; i++)
        jumps_take_number(&d->jumps, read[2][i]);
    way_between(u, target[0], target[1], corner.in);
    way_between(u, target[1], target[2], corner.out);
    corner.size = u->rotation ? 3 : 0;
    for (size_t i = 0; i < u->nchannel && !u->rotation; i++)
        corner.size += fabs(target[0][i]) + fabs(target[1][i]) + fabs(target[2][i]);
    corner.rounding = target_rounding(d, u, read);
    bool jump = jumps_judge(&d->jumps, s->c.detect, &corner);
    if (d->jumps.spike)
        bridge_spike(s, u, d->before, target, p);
    return jump;
}

/* The channels of a rotation or of a vector have the same flags. */
void detect_cuts(struct series *s, struct group *g, const struct unit *u, const struct chunk *chunk)
{
    struct row_flags *f = &s->flags;
    const unsigned char *flags = f->flags[u->channel[0]];
    struct detect *d = &g->detect[u->channel[0]];
    for (size_t p = 0; p < chunk->nrun; p++) {
        bool judged = !(flags[p] &
                        (FLAG_START | FLAG_NO_VALUE | FLAG_GAP | FLAG_CUT | FLAG_ZERO_DT | FLAG_NO_NEXT)) &&
                      d->before_known;
        double here[4] = { 0 };
        chunk_targets(s, u, p, here);
        for (size_t i = 0; i < u->nchannel && !(flags[p] & (FLAG_NO_VALUE | FLAG_GAP)); i++)
            jumps_take_number(&d->jumps, here[i]);
        bool back = d->jumps.spike, jump = judged && jumps(s, d, u, p);
        if (!judged)
            jumps_interrupt(&d->jumps);
        if (jump)
            report_cut(s, g, u, chunk, p);
        d->before_known = !(flags[p] & (FLAG_NO_VALUE | FLAG_GAP));
        if (d->before_known && !(flags[p] & FLAG_ZERO_DT))
            memcpy(d->before, here, sizeof here);
        unsigned char found = d->jumps.may_jump ? FLAG_NO_NEXT : 0;
        if (jump && !back && !d->jumps.spike)
            found |= FLAG_CUT;
        for (size_t i = 0; i < u->nchannel; i++) {
            f->flags[u->channel[i]][p] |= found;
            s->count.channel_cuts[u->channel[i]] += jump;
        }
    }
}
