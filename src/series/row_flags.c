/* The targets of each channel in the rows of a chunk, without gaps, and the flags of each row: gaps, first
 * values, cuts, steps of no length. */
#include "series/streamed.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if the gap between a channel's last valid sample and row j is longer than --max-gap. */
static bool long_gap(const struct series *series, const struct filter_group *group,
                     const struct channel *channel, const struct chunk *chunk, size_t j)
{
    if (series->config.in.settings->max_gap.kind == GAP_UNLIMITED)
        return false;
    struct timestamp now = steps_time(series, group, chunk, j);
    return series_long_gap(&series->config.in, channel->nmissing, &channel->valid, &now);
}

/* The flags of a missing value in row j of a channel. */
static unsigned flag_gap(struct series *series, const struct filter_group *group, struct channel *channel,
                         const struct chunk *chunk, size_t j)
{
    bool read = block_row_read(chunk->block, new_row(chunk, j));
    series->count.gaps += read;
    if (!channel->gap && channel->running)
        channel->valid = j ? steps_time(series, group, chunk, j - 1) : group->last;
    channel->nmissing = (channel->gap ? channel->nmissing : 0) + read;
    channel->gap = true;
    if (channel->running &&
        (series->config.in.settings->gaps >= GAPS_LINEAR || long_gap(series, group, channel, chunk, j)))
        channel->running = false;
    return channel->running ? FLAG_GAP : FLAG_NO_VALUE;
}

/* The flags of a value in row j of a channel that is the first one, or follows a gap. */
static unsigned flag_value(const struct series *series, const struct filter_group *group,
                           struct channel *channel, const struct chunk *chunk, size_t j)
{
    bool goes_on = channel->running && !(channel->gap && long_gap(series, group, channel, chunk, j));
    unsigned flags = goes_on ? 0 : FLAG_START;
    if (goes_on && channel->gap)
        flags = FLAG_CUT;
    channel->running = true;
    channel->gap = false;
    return flags;
}

/* Sets targets.cut: which of the n new rows follow a cut. False: no row of the chunk follows a cut. */
static bool find_cuts(struct series *series, const struct chunk *chunk, size_t n)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    bool any = false;
    if (!series->config.filter->cuts || !(chunk->block->marks & MARK_CUT))
        return false;
    for (size_t j = 0; j < n; j++) {
        targets->cut[j] = block_has_mark(chunk->block, new_row(chunk, j), MARK_CUT);
        series->count.cuts += targets->cut[j];
        any |= targets->cut[j];
        for (size_t c = 0; targets->cut[j] && c < series->nchannel; c++)
            series->count.channel_cuts[c]++;
    }
    return any;
}

/* Sets the flags of one channel in the chunk's new rows, and replaces its missing goals. On entry the goals
 * are the values, NaN where a value is missing. cuts: targets.cut is set. */
static void flag_channel(struct series *series, struct filter_group *group, size_t c,
                         const struct chunk *chunk, bool cuts)
{
    const struct streamed *streamed = streamed_of(series);
    struct channel *channel = &group->channel[c];
    const double *T = series->T + chunk->nwaiting;
    double *goal = streamed->targets.goal + c * series->maxrow + chunk->nwaiting;
    unsigned char *flags = streamed->targets.own_flags + c * series->maxrow + chunk->nwaiting;
    for (size_t j = 0; j < chunk->n - chunk->nwaiting; j++) {
        unsigned here = 0;
        if (isnan(goal[j]))
            here |= flag_gap(series, group, channel, chunk, j);
        else if (!channel->running || channel->gap)
            here |= T[j] > 0 || !channel->running ? flag_value(series, group, channel, chunk, j)
                                                  : FLAG_ZERO_DT;
        if (here & FLAG_GAP || (here & FLAG_ZERO_DT && channel->gap))
            goal[j] = channel->goal;
        if (!(here & (FLAG_START | FLAG_NO_VALUE))) {
            /* A cut on a row with a step of no length counts up to the next row with a longer step. */
            channel->cut |= cuts && streamed->targets.cut[j];
            if (T[j] == 0)
                here |= FLAG_ZERO_DT;
            else if (channel->cut)
                here |= FLAG_CUT;
            channel->cut &= T[j] == 0;
        }
        if (here & FLAG_NO_VALUE)
            goal[j] = 0;
        if (!(here & (FLAG_ZERO_DT | FLAG_NO_VALUE)))
            channel->goal = goal[j];
        flags[j] = (unsigned char)here;
    }
}

bool row_flags_finite(const double *x, size_t n)
{
    enum { LANES = 8 }; /* sums side by side; x - x is not 0 where x is not finite */
    double sum[LANES] = { 0 }, all = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma GCC unroll 8
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k] - x[i + k];
    for (; i < n; i++)
        all += x[i] - x[i];
    for (size_t k = 0; k < LANES; k++)
        all += sum[k];
    return all == 0;
}

/* Copies the measured velocities of channels. With look-ahead the velocity of the last row is kept for the
 * next chunk. */
static void read_velocities(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct streamed *streamed = streamed_of(series);
    const struct columns *columns = series->config.in.columns;
    for (size_t i = 0; columns->measured && i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        if (column->role != ROLE_CHANNEL || column->velocity == COLUMN_NONE)
            continue;
        const double *value = block_value(chunk->block, columns->column[column->velocity].value);
        double *velocity = streamed->targets.velocity + column->value * series->maxrow;
        double *held = &group->channel[column->value].waiting_velocity;
        if (chunk->nwaiting)
            velocity[0] = *held;
        for (size_t p = chunk->nwaiting; p < chunk->n; p++)
            velocity[p] = value[new_row(chunk, p - chunk->nwaiting)];
        *held = velocity[chunk->n - 1];
        streamed->targets.velocity_at[column->value] = velocity;
    }
}

/* Sets the targets of rotations in the new rows, as rotations_follow does, so that all channels of a rotation
 * have the same flags. */
static void read_rotations(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct rotations *all = series->config.in.rotations;
    for (size_t i = 0; i < all->n; i++) {
        const struct rotation *rotation = &all->at[i];
        for (size_t p = chunk->nwaiting; p < chunk->n; p++) {
            double part[4];
            for (size_t k = 0; k < rotation->ncolumn; k++)
                part[k] = block_goal(chunk->block, rotation->channel[k])[new_row(chunk, p - chunk->nwaiting)];
            rotations_follow(rotation, group->rotation[i].part, part);
            for (size_t k = 0; k < rotation->ncolumn; k++)
                streamed_of(series)->targets.goal[rotation->channel[k] * series->maxrow + p] = part[k];
        }
    }
}

/* Tells each row whether its next row is known, finds cuts, and keeps the last row of the chunk for the next
 * chunk. */
static void look_ahead(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const struct rotations *all = series->config.in.rotations;
    /* Set before cuts are detected: whether the next row will be found to be a cut is not known yet in all
     * chunks, and so must not count. */
    for (size_t c = 0; c < series->nchannel; c++) {
        unsigned char *flags = targets->flags[c];
        for (size_t p = 0; p < chunk->nrun; p++)
            if (p + 1 == chunk->n || flags[p + 1])
                flags[p] |= FLAG_NO_NEXT;
    }
    for (size_t i = 0; i < all->nunit && !isnan(series->config.detect); i++) {
        const struct unit *unit = &all->unit[i];
        const struct vector *vector = rotations_vector(all, unit->channel[0]);
        /* A vector takes the place of its first component. */
        bool takes_part = !vector || vector->unit.channel[0] == unit->channel[0];
        if (takes_part && !series_leaves(series, unit->channel[0]))
            detect_cuts(series, group, vector ? &vector->unit : unit, chunk);
    }
    for (size_t c = 0; c < series->nchannel && chunk->nrun < chunk->n; c++) {
        group->channel[c].waiting_goal = targets->goal_at[c][chunk->nrun];
        group->channel[c].waiting_flags = targets->flags[c][chunk->nrun];
        group->channel[c].waiting_turns = targets->turns[c * series->maxrow + chunk->nrun];
    }
    group->waiting_T = series->T[chunk->nrun < chunk->n ? chunk->nrun : 0];
}

/* What is known of all rows of a chunk. */
struct chunk_facts {
    bool cuts; /* a row follows a cut: targets.cut is set */
    bool even; /* no row follows a cut, or has a step of no length */
};

static struct chunk_facts find_facts(struct series *series, const struct chunk *chunk)
{
    bool cuts = find_cuts(series, chunk, chunk->n - chunk->nwaiting), zero_step = false;
    for (size_t p = chunk->nwaiting; p < steps_distinct(series, chunk->n); p++)
        zero_step |= series->T[p] == 0;
    return (struct chunk_facts){ .cuts = cuts, .even = !cuts && !zero_step };
}

/* Takes the targets of a number from the block in place, if no row needs a flag. The chunk is even. False:
 * nothing is done. */
static bool flag_nothing(struct row_targets *targets, struct channel *channel, size_t c,
                         const struct chunk *chunk)
{
    const double *value = block_goal(chunk->block, c) + chunk->first;
    if (!chunk->direct || !channel->running || channel->gap || channel->cut ||
        !row_flags_finite(value, chunk->n))
        return false;
    targets->flags[c] = NULL;
    targets->goal_at[c] = value;
    channel->goal = value[chunk->n - 1];
    return true;
}

/* Copies the values of a channel in the new rows, and the row that waited, to the arrays of the chunk. An
 * angle is unwrapped. The values of a rotation are there already (read_rotations). */
static void read_channel(struct series *series, struct filter_group *group, size_t c,
                         const struct chunk *chunk)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const struct rotations *rotations = series->config.in.rotations;
    struct channel *channel = &group->channel[c];
    double *goal = targets->goal + c * series->maxrow, *turns = targets->turns + c * series->maxrow;
    size_t nwaiting = chunk->nwaiting;
    if (nwaiting) {
        goal[0] = channel->waiting_goal;
        turns[0] = channel->waiting_turns;
        targets->own_flags[c * series->maxrow] = channel->waiting_flags;
    }
    if (rotations_of(rotations, c))
        return;
    const double *value = block_goal(chunk->block, c);
    for (size_t p = nwaiting; p < chunk->n; p++)
        goal[p] = value[new_row(chunk, p - nwaiting)];
    if (rotations->period[c] > 0)
        angles_unwrap(&channel->unwrap, rotations->period[c], goal + nwaiting, turns + nwaiting,
                      chunk->n - nwaiting);
}

static void prepare_channel(struct series *series, struct filter_group *group, size_t c,
                            const struct chunk *chunk, struct chunk_facts facts)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const struct rotations *rotations = series->config.in.rotations;
    struct channel *channel = &group->channel[c];
    bool number = !(rotations->period[c] > 0) && !rotations_of(rotations, c);
    targets->flags[c] = targets->own_flags + c * series->maxrow;
    targets->goal_at[c] = targets->goal + c * series->maxrow;
    if (number && facts.even && flag_nothing(targets, channel, c, chunk))
        return;
    read_channel(series, group, c, chunk);
    flag_channel(series, group, c, chunk, facts.cuts);
}

/* Leaves out the flags of a number in the rows that are decided now, if no row has one. */
static void drop_flags(struct series *series, size_t c, size_t nrun)
{
    unsigned char **flags = &streamed_of(series)->targets.flags[c], any = 0;
    for (size_t p = 0; *flags && p < nrun; p++)
        any |= (*flags)[p];
    if (!any && !rotations_of(series->config.in.rotations, c))
        *flags = NULL;
}

void row_flags_prepare(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct streamed *streamed = streamed_of(series);
    struct chunk_facts facts = find_facts(series, chunk);
    read_rotations(series, group, chunk);
    for (size_t c = 0; c < series->nchannel; c++)
        prepare_channel(series, group, c, chunk, facts);
    read_velocities(series, group, chunk);
    if (streamed->ahead)
        look_ahead(series, group, chunk);
    for (size_t c = 0; c < series->nchannel; c++)
        drop_flags(series, c, chunk->nrun);
}

bool row_flags_open(struct series *series, struct error *e)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    size_t nchannel = series->nchannel, most = series->maxrow;
    return arrays_make(e, ARRAY(targets->goal, nchannel * most), ARRAY(targets->turns, nchannel * most),
                       ARRAY(targets->velocity, series->config.in.columns->measured ? nchannel * most : 0),
                       ARRAY(targets->velocity_at, nchannel), ARRAY(targets->goal_at, nchannel),
                       ARRAY(targets->flags, nchannel), ARRAY(targets->own_flags, nchannel * most),
                       ARRAY(targets->cut, most));
}

void row_flags_close(struct series *series)
{
    free(streamed_of(series)->targets.goal);
}
