/* The targets of each channel in the rows of a chunk, without gaps, and the flags of each row, which
 * whole/gaps.c finds: gaps, first values, cuts, zero-length steps. */
#include "series/streamed.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Are the new rows points of --resample? Sets targets.point. False: none is a point. */
static bool find_points(const struct series *series, const struct chunk *chunk, size_t n)
{
    unsigned char *point = streamed_of(series)->targets.point;
    if (!(chunk->block->marks & MARK_POINT))
        return false;
    for (size_t j = 0; j < n; j++)
        point[j] = !block_row_read(chunk->block, new_row(chunk, j));
    return true;
}

static bool needs_times(const struct series *series)
{
    return series->config.in.settings->max_gap.kind == GAP_SECONDS;
}

/* The times of the new rows, for --max-gap. NULL: the times do not count. */
static const struct timestamp *find_times(const struct series *series, const struct filter_group *group,
                                          const struct chunk *chunk, size_t n)
{
    struct timestamp *own = streamed_of(series)->targets.own_time;
    if (!needs_times(series))
        return NULL;
    if (series->config.in.rate == 0 && !chunk->index)
        return chunk->block->time + chunk->first;
    for (size_t j = 0; j < n; j++)
        own[j] = steps_time(series, group, chunk, j);
    return own;
}

/* Finds what --gaps and cuts need of the new rows. */
static void find_gap_rows(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    size_t n = chunk->n - chunk->nwaiting;
    targets->gap_rows = (struct gap_rows){
        .n = n,
        .T = series->T + chunk->nwaiting,
        .cut = find_cuts(series, chunk, n) ? targets->cut : NULL,
        .point = find_points(series, chunk, n) ? targets->point : NULL,
        .before = &group->last,
        .time = find_times(series, group, chunk, n),
    };
}

/* Sets the flags of one channel in the chunk's new rows, and replaces its missing goals. On entry the goals
 * are the values, NaN where a value is missing. */
static void flag_channel(struct series *series, struct channel *channel, size_t c, const struct chunk *chunk)
{
    const struct row_targets *targets = &streamed_of(series)->targets;
    const struct gap_rule rule = series_gaps(&series->config.in);
    size_t first = c * series->maxrow + chunk->nwaiting;
    series->count.gaps += gaps_flag(&channel->gaps, &rule, &targets->gap_rows, targets->goal + first,
                                    &channel->goal, targets->own_flags + first);
}

/* Sets the targets of rotations in the new rows, as unit_follow does, so that all channels of a rotation
 * have the same flags. */
static void read_rotations(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct units *all = series->config.in.units;
    for (size_t i = 0; i < all->n && all->nrotation > 0; i++) {
        const struct unit *unit = &all->at[i];
        for (size_t p = chunk->nwaiting; p < chunk->n && unit_is_rotation(unit); p++) {
            double part[4];
            for (size_t k = 0; k < unit->n; k++)
                part[k] = block_goal(chunk->block, unit->channel[k])[new_row(chunk, p - chunk->nwaiting)];
            unit_follow(unit, group->rotation[unit->rotation].part, part);
            for (size_t k = 0; k < unit->n; k++)
                streamed_of(series)->targets.goal[unit->channel[k] * series->maxrow + p] = part[k];
        }
    }
}

/* Tells each row whether its next row is known, finds cuts, and keeps the last row of the chunk for the next
 * chunk. */
static void look_ahead(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const struct units *all = series->config.in.units;
    /* Set before cuts are detected: whether the next row will be found to be a cut is not known yet in all
     * chunks, and so must not count. */
    for (size_t c = 0; c < series->nchannel; c++) {
        unsigned char *flags = targets->flags[c];
        gaps_hide_next(flags, chunk->nrun, chunk->nrun == chunk->n || flags[chunk->nrun]);
    }
    for (size_t i = 0; i < all->n && !isnan(series->config.detect); i++)
        detect_cuts(series, group, &all->at[i], chunk);
    for (size_t c = 0; c < series->nchannel && chunk->nrun < chunk->n; c++) {
        group->channel[c].waiting_goal = targets->goal_at[c][chunk->nrun];
        group->channel[c].waiting_flags = targets->flags[c][chunk->nrun];
        group->channel[c].waiting_turns = targets->turns[c * series->maxrow + chunk->nrun];
    }
    group->waiting_T = series->T[chunk->nrun < chunk->n ? chunk->nrun : 0];
}

/* Has every row of a chunk a time step, and does none follow a cut? */
static bool is_even(const struct series *series, const struct chunk *chunk)
{
    bool even = !streamed_of(series)->targets.gap_rows.cut;
    for (size_t p = chunk->nwaiting; p < steps_distinct(series, chunk->n); p++)
        even &= series->T[p] != 0;
    return even;
}

/* Takes the targets of a number from the block in place, if no row needs a flag. The chunk is even. False:
 * nothing is done. */
static bool flag_nothing(struct row_targets *targets, struct channel *channel, size_t c,
                         const struct chunk *chunk)
{
    const double *value = block_goal(chunk->block, c) + chunk->first;
    if (!chunk->direct || !gaps_are_quiet(&channel->gaps) || !array_is_finite(value, chunk->n))
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
    const struct unit *unit = units_of(series->config.in.units, c);
    struct channel *channel = &group->channel[c];
    double *goal = targets->goal + c * series->maxrow, *turns = targets->turns + c * series->maxrow;
    size_t nwaiting = chunk->nwaiting;
    if (nwaiting) {
        goal[0] = channel->waiting_goal;
        turns[0] = channel->waiting_turns;
        targets->own_flags[c * series->maxrow] = channel->waiting_flags;
    }
    if (unit_is_rotation(unit))
        return;
    const double *value = block_goal(chunk->block, c);
    for (size_t p = nwaiting; p < chunk->n; p++)
        goal[p] = value[new_row(chunk, p - nwaiting)];
    if (unit->kind == UNIT_ANGLE)
        angles_unwrap(&channel->unwrap, unit->period, goal + nwaiting, turns + nwaiting, chunk->n - nwaiting);
}

static void prepare_channel(struct series *series, struct filter_group *group, size_t c,
                            const struct chunk *chunk, bool even)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    const struct unit *unit = units_of(series->config.in.units, c);
    struct channel *channel = &group->channel[c];
    bool number = unit->kind == UNIT_NUMBER || unit->kind == UNIT_VECTOR;
    targets->flags[c] = targets->own_flags + c * series->maxrow;
    targets->goal_at[c] = targets->goal + c * series->maxrow;
    if (number && even && flag_nothing(targets, channel, c, chunk))
        return;
    read_channel(series, group, c, chunk);
    flag_channel(series, channel, c, chunk);
}

/* Leaves out the flags of a number in the rows that are decided now, if no row has one. */
static void drop_flags(struct series *series, size_t c, size_t nrun)
{
    unsigned char **flags = &streamed_of(series)->targets.flags[c], any = 0;
    for (size_t p = 0; *flags && p < nrun; p++)
        any |= (*flags)[p];
    if (!any && !units_rotation(series->config.in.units, c))
        *flags = NULL;
}

void row_flags_prepare(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    find_gap_rows(series, group, chunk);
    bool even = is_even(series, chunk);
    read_rotations(series, group, chunk);
    for (size_t c = 0; c < series->nchannel; c++)
        prepare_channel(series, group, c, chunk, even);
    if (series->operator.ahead)
        look_ahead(series, group, chunk);
    for (size_t c = 0; c < series->nchannel; c++)
        drop_flags(series, c, chunk->nrun);
}

bool row_flags_open(struct series *series, struct error *e)
{
    struct row_targets *targets = &streamed_of(series)->targets;
    size_t nchannel = series->nchannel, most = series->maxrow;
    return arrays_make(e, ARRAY(targets->goal, nchannel * most), ARRAY(targets->turns, nchannel * most),
                       ARRAY(targets->goal_at, nchannel), ARRAY(targets->flags, nchannel),
                       ARRAY(targets->own_flags, nchannel * most), ARRAY(targets->cut, most),
                       ARRAY(targets->point, most), ARRAY(targets->own_time, needs_times(series) ? most : 0));
}

void row_flags_close(struct series *series)
{
    free(streamed_of(series)->targets.goal);
}
