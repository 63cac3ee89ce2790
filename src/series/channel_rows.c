/* The goals of the samples at work, without gaps, their flags, and the cuts of --detect-cuts. See
 * filter_pass.h. */
#include "series/filter_pass.h"

#include "whole/noise/spikes.h"

#include <math.h>
#include <string.h>

/* Takes the goals in a place, those of a number, as they are, if no sample needs a flag. False: nothing is
 * done. */
static bool take_unflagged(struct filter_pass *pass, const struct chunk *chunk, size_t place)
{
    struct channel_state *channel = &chunk->memory->channel[place];
    const double *goal = knots_column(chunk->series->knots.goal, pass->channel_at[place]) + chunk->at;
    const bool sees_next = !pass->core->ahead || chunk->nknown > chunk->n;
    if (!channel->running || channel->open || !sees_next || !knots_are_finite(goal, chunk->nknown))
        return false;
    pass->flag_at[place] = NULL;
    pass->goal_at[place] = goal;
    channel->goal = goal[chunk->n - 1];
    return true;
}

/* Copies the goals of a unit by unit_follow. What the next sample shows is not kept. */
static void copy_goals(struct filter_pass *pass, const struct chunk *chunk, const struct unit *unit)
{
    const size_t place = filter_place_of(pass, unit);
    struct unit_before *before = &chunk->memory->channel[place].before, next;
    double part[4];
    for (size_t sample = 0; sample < chunk->nknown; sample++) {
        if (sample == chunk->n) {
            next = *before;
            before = &next;
        }
        unit_read(unit, chunk->series->knots.goal, chunk->at + sample, part);
        unit_follow(unit, before, part);
        for (size_t k = 0; k < unit->n; k++)
            filter_own_goals(pass, place + k)[sample] = part[k];
    }
}

/* The flag of a sample. ends: a run of the filter ends before it, if it runs. */
static unsigned char flag_of(struct channel_state *channel, bool missing, bool cut, bool ends)
{
    unsigned flag = 0;
    channel->running = channel->running && !ends;
    if (missing)
        flag = channel->running ? FLAG_GAP : FLAG_NO_VALUE;
    else if (!channel->running)
        flag = FLAG_START;
    else if (cut || channel->open) /* the sample after a short gap is as one after a cut */
        flag = FLAG_CUT;
    if (cut && flag == FLAG_GAP)
        flag |= FLAG_CUT;
    channel->running = channel->running || !missing;
    channel->open = missing;
    return (unsigned char)flag;
}

/* Sets the flags in a place, whose goals are copied. Missing goals become the last one. What the next sample
 * shows is not kept, but that it does not follow. */
static void flag_channel(struct filter_pass *pass, const struct chunk *chunk, size_t place, bool cuts)
{
    const struct core *core = pass->core;
    const struct knots *knots = &chunk->series->knots;
    const unsigned char *ends = knots_ends_run(core, knots, core->input.units->of[pass->channel_at[place]]);
    const bool every = gap_ends_run(core->input.settings->gaps);
    struct channel_state *channel = &chunk->memory->channel[place], next;
    unsigned char *flag = pass->flag_at[place], any = 0;
    double *goal = filter_own_goals(pass, place);
    for (size_t i = 0; i < chunk->nknown; i++) {
        const bool missing = isnan(goal[i]);
        if (i == chunk->n) {
            next = *channel;
            channel = &next;
        }
        flag[i] = flag_of(channel, missing, cuts && knots->cut[chunk->at + i],
                          (missing && every) || (ends && ends[chunk->at + i]));
        if (missing)
            goal[i] = flag[i] & FLAG_GAP ? channel->goal : 0;
        else
            channel->goal = goal[i];
    }
    for (size_t i = 0; i < chunk->n; i++) {
        if (core->ahead && (i + 1 == chunk->nknown || flag[i + 1]))
            flag[i] |= FLAG_NO_NEXT;
        any |= flag[i];
    }
    if (!any && isnan(core->detect))
        pass->flag_at[place] = NULL;
}

/* --- --detect-cuts: samples to corners of a curve, which the rule of whole/jumps.h judges --- */

/* Replaces the goal of a sample, which is a spike, by one between the sample before and the next one. */
static void bridge(struct filter_pass *pass, const struct unit *unit, struct jumps_corner *corner,
                   size_t sample)
{
    double way[3], between[4];
    unit_way(unit, corner->target[0], corner->target[2], way);
    unit_move(unit, corner->target[0], way, corner->T_in / (corner->T_in + corner->T_out));
    unit_print(unit, corner->number[0], corner->target[0], false, between);
    for (size_t k = 0; k < unit->n; k++)
        filter_own_goals(pass, filter_place_of(pass, unit) + k)[sample] = between[k];
}

/* Is there a jump between the sample before and a sample? If the sample is a spike, it is bridged. */
static bool is_jump(struct filter_pass *pass, const struct chunk *chunk, struct detect_state *detect,
                    const struct unit *unit, size_t sample)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    const double *T = chunk->series->knots.T + chunk->at + sample;
    struct jumps_corner corner = { .T_in = T[0], .T_out = T[1] };
    memcpy(corner.number[0], detect->before, sizeof corner.number[0]);
    filter_goals(pass, unit, sample, corner.number[1]);
    filter_goals(pass, unit, sample + 1, corner.number[2]);
    for (size_t i = 0; i < 3; i++)
        unit_target(unit, corner.number[i], corner.target[i]);
    const bool jump = jumps_judge(&detect->jumps, pass->core->detect, &kind, &corner);
    if (detect->jumps.spike)
        bridge(pass, unit, &corner, sample);
    return jump;
}

/* Counts a jump to a sample, and names it for --verbose. */
static void count_jump(struct filter_pass *pass, const struct chunk *chunk, size_t number, size_t sample)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    pass->core->ncut++;
    for (size_t k = 0; k < unit->n; k++)
        pass->core->count[unit->channel[k]].cuts++;
    if (!pass->core->verbose)
        return;
    const struct series_rows *input = &pass->core->input;
    const double begin = timestamp_between(NULL, &chunk->series->first, series_unit(input));
    reader_tell(input->reader, "cut found at %.6g s in \"%s\"",
                begin + chunk->series->knots.t[chunk->at + sample],
                unit->name ? unit->name : table_channel(input->table, unit->channel[0])->name);
}

/* Judges a sample. The channels of a rotation or of a vector have the same flags. A spike is bridged and gets
 * no FLAG_CUT; the jumps on both sides of it are counted. */
static void detect_cut(struct filter_pass *pass, const struct chunk *chunk, size_t number, size_t sample)
{
    const struct unit *unit = &pass->core->input.units->at[number];
    struct detect_state *detect = &chunk->memory->detect[number];
    unsigned char *const *flag_at = pass->flag_at + filter_place_of(pass, unit);
    const unsigned flags = flag_at[0][sample];
    const struct spike_kind kind = unit_spike_kind(unit);
    const bool known = !(flags & (FLAG_NO_VALUE | FLAG_GAP));
    const bool after_spike = detect->jumps.spike;
    double here[4] = { 0 };
    bool jump = false;
    filter_goals(pass, unit, sample, here);
    if (known)
        jumps_take(&detect->jumps, &kind, here);
    if (detect->before_known && flags == 0)
        jump = is_jump(pass, chunk, detect, unit, sample);
    else
        jumps_interrupt(&detect->jumps);
    detect->before_known = known;
    if (known)
        memcpy(detect->before, here, sizeof here);
    unsigned char found = detect->jumps.may_jump ? FLAG_NO_NEXT : 0;
    if (jump && !after_spike && !detect->jumps.spike)
        found |= FLAG_CUT;
    if (jump)
        count_jump(pass, chunk, number, sample);
    for (size_t k = 0; k < unit->n; k++)
        flag_at[k][sample] |= found;
}

static void detect_cuts(struct filter_pass *pass, const struct chunk *chunk)
{
    for (size_t sample = 0; sample < chunk->n; sample++)
        for (size_t u = 0; u < pass->core->input.units->n; u++)
            detect_cut(pass, chunk, u, sample);
}

/* --- all channels --- */

void channel_rows_take(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct units *units = pass->core->input.units;
    const struct knot_columns goals = knots_from(chunk->series->knots.goal, chunk->at);
    const unsigned char *cut = chunk->series->knots.cut + chunk->at;
    const bool cuts = pass->core->filter->cuts && memchr(cut, 1, chunk->nknown);
    const bool finds = !isnan(pass->core->detect);
    for (size_t place = 0; place < pass->core->nchannel; place++) {
        const size_t c = pass->channel_at[place];
        const struct unit *unit = units_of(units, c);
        const bool plain = unit_is_plain(unit);
        double *goal = filter_own_goals(pass, place);
        if (plain && !cuts && !finds && take_unflagged(pass, chunk, place))
            continue;
        if (plain)
            memcpy(goal, knots_column(goals, c), chunk->nknown * sizeof *goal);
        else if (c == unit->channel[0])
            copy_goals(pass, chunk, unit);
        pass->goal_at[place] = goal;
        pass->flag_at[place] = pass->flag + place * (pass->maxrow + 1);
        flag_channel(pass, chunk, place, cuts);
    }
    if (finds)
        detect_cuts(pass, chunk);
}
