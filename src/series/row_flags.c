/* The targets of each channel in the rows of a chunk, without gaps, and the flags of each row: gaps, first
 * values, cuts, steps of no length; and the channels that the rows can change at all. */
#include "series/chunk.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if the gap between a channel's last valid sample and row j is longer than --max-gap. */
static bool long_gap(const struct series *s, const struct group *g, const struct channel *channel,
                     const struct chunk *chunk, size_t j)
{
    if (s->c.in.settings->max_gap.kind == GAP_UNLIMITED)
        return false;
    struct timestamp now = steps_time(s, g, chunk, j);
    return series_long_gap(&s->c.in, channel->nmissing, &channel->valid, &now);
}

/* The flags of a missing value in row j of a channel. */
static unsigned flag_gap(struct series *s, const struct group *g, struct channel *channel,
                         const struct chunk *chunk, size_t j)
{
    bool read = block_row_read(chunk->block, new_row(chunk, j));
    s->count.gaps += read;
    if (!channel->gap && channel->live)
        channel->valid = j ? steps_time(s, g, chunk, j - 1) : g->last;
    channel->nmissing = (channel->gap ? channel->nmissing : 0) + read;
    channel->gap = true;
    if (channel->live && (s->c.in.settings->gaps >= GAPS_LINEAR || long_gap(s, g, channel, chunk, j)))
        channel->live = false;
    return channel->live ? FLAG_GAP : FLAG_NO_VALUE;
}

/* The flags of a value in row j of a channel that is the first one, or follows a gap. */
static unsigned flag_value(const struct series *s, const struct group *g, struct channel *channel,
                           const struct chunk *chunk, size_t j)
{
    bool goes_on = channel->live && !(channel->gap && long_gap(s, g, channel, chunk, j));
    unsigned flags = goes_on ? 0 : FLAG_START;
    if (goes_on && channel->gap)
        flags = FLAG_CUT;
    channel->live = true;
    channel->gap = false;
    return flags;
}

/* Sets s->flags.cut: which of the n new rows follow a cut. series_cut tells, or with --resample the block's
 * grid. False: no row of the chunk follows a cut. */
static bool find_cuts(struct series *s, struct group *g, const struct chunk *chunk, size_t n)
{
    const struct grid_row *grid = chunk->block->grid;
    struct row_flags *f = &s->flags;
    bool any = false;
    bool seam = g->cuts.input != chunk->block->input;
    bool may_cut = grid || seam || s->c.in.columns->cut != COLUMN_NONE || g->cuts.ncut < s->c.in.cuts->ncut;
    if (!s->c.filter->cuts || !may_cut)
        return false;
    for (size_t j = 0; j < n; j++) {
        size_t row = new_row(chunk, j);
        struct timestamp now = steps_time(s, g, chunk, j);
        f->cut[j] = grid ? grid[row].cut : series_cut(&s->c.in, chunk->block, row, &now, &g->cuts);
        s->count.cuts += f->cut[j];
        any |= f->cut[j];
        for (size_t c = 0; f->cut[j] && c < s->nchannel; c++)
            s->count.channel_cuts[c]++;
    }
    return any;
}

/* Sets the flags of one channel in the chunk's new rows, and replaces its missing goals. On entry the goals
 * are the values, NaN where a value is missing. cuts: s->flags.cut is set. */
static void flag_channel(struct series *s, struct group *g, size_t c, const struct chunk *chunk, bool cuts)
{
    struct channel *channel = &g->channel[c];
    const double *T = s->steps.T + chunk->nheld;
    double *goal = s->flags.goal + c * s->maxrow + chunk->nheld;
    unsigned char *flags = s->flags.own + c * s->maxrow + chunk->nheld;
    for (size_t j = 0; j < chunk->n - chunk->nheld; j++) {
        unsigned row_flags = 0;
        if (isnan(goal[j]))
            row_flags |= flag_gap(s, g, channel, chunk, j);
        else if (!channel->live || channel->gap)
            row_flags |= T[j] > 0 || !channel->live ? flag_value(s, g, channel, chunk, j) : FLAG_ZERO_DT;
        if (row_flags & FLAG_GAP || (row_flags & FLAG_ZERO_DT && channel->gap))
            goal[j] = channel->goal;
        if (!(row_flags & (FLAG_START | FLAG_NO_VALUE))) {
            /* A cut on a row with a step of no length counts up to the next row with a longer step. */
            channel->cut |= cuts && s->flags.cut[j];
            if (T[j] == 0)
                row_flags |= FLAG_ZERO_DT;
            else if (channel->cut)
                row_flags |= FLAG_CUT;
            channel->cut &= T[j] == 0;
        }
        if (row_flags & FLAG_NO_VALUE)
            goal[j] = 0;
        if (!(row_flags & (FLAG_ZERO_DT | FLAG_NO_VALUE)))
            channel->goal = goal[j];
        flags[j] = (unsigned char)row_flags;
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
static void read_velocities(struct series *s, struct group *g, const struct chunk *chunk)
{
    const struct columns *t = s->c.in.columns;
    for (size_t i = 0; t->measured && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role != ROLE_CHANNEL || c->velocity == COLUMN_NONE)
            continue;
        const double *value = block_value(chunk->block, t->column[c->velocity].value);
        double *own = s->flags.velocity + c->value * s->maxrow, *held = &g->channel[c->value].held_velocity;
        if (chunk->nheld)
            own[0] = *held;
        for (size_t p = chunk->nheld; p < chunk->n; p++)
            own[p] = value[new_row(chunk, p - chunk->nheld)];
        *held = own[chunk->n - 1];
        s->flags.velocity_at[c->value] = own;
    }
}

/* Sets the targets of rotations in the new rows, as rotations_follow does, so that all channels of a rotation
 * have the same flags. */
static void read_rotations(struct series *s, struct group *g, const struct chunk *chunk)
{
    const struct rotations *all = s->c.in.rotations;
    for (size_t i = 0; i < all->n; i++) {
        const struct rotation *r = &all->at[i];
        for (size_t p = chunk->nheld; p < chunk->n; p++) {
            double part[4];
            for (size_t k = 0; k < r->ncolumn; k++)
                part[k] = block_goal(chunk->block, r->channel[k])[new_row(chunk, p - chunk->nheld)];
            rotations_follow(r, g->rotation[i].part, part);
            for (size_t k = 0; k < r->ncolumn; k++)
                s->flags.goal[r->channel[k] * s->maxrow + p] = part[k];
        }
    }
}

/* Tells each row whether the next one is known, finds cuts, and keeps the last row of the chunk for the next
 * one. */
static void look_ahead(struct series *s, struct group *g, const struct chunk *chunk)
{
    struct row_flags *f = &s->flags;
    const struct rotations *all = s->c.in.rotations;
    /* Set before cuts are detected: whether the next row will be found to be a cut is not known yet in all
     * chunks, and so must not count. */
    for (size_t c = 0; c < s->nchannel; c++) {
        unsigned char *flags = f->flags[c];
        for (size_t p = 0; p < chunk->nrun; p++)
            if (p + 1 == chunk->n || flags[p + 1])
                flags[p] |= FLAG_NO_NEXT;
    }
    for (size_t i = 0; i < all->nunit && !isnan(s->c.detect); i++) {
        const struct unit *u = &all->unit[i];
        const struct vector *v = rotations_vector(all, u->channel[0]);
        bool first = !v || v->unit.channel[0] ==
                               u->channel[0]; /* a vector takes the place of its first component */
        if (first && !series_leaves(s, u->channel[0]))
            detect_cuts(s, g, v ? &v->unit : u, chunk);
    }
    for (size_t c = 0; c < s->nchannel && chunk->nrun < chunk->n; c++) {
        g->channel[c].held_goal = f->goal_at[c][chunk->nrun];
        g->channel[c].held_flags = f->flags[c][chunk->nrun];
        g->channel[c].held_turns = f->turns[c * s->maxrow + chunk->nrun];
    }
    g->held_T = s->steps.T[chunk->nrun < chunk->n ? chunk->nrun : 0];
}

/* Flags a channel all of whose new rows lie within a gap that does not end the run of the filter; what
 * flag_channel does row by row. plain: no row of the chunk has a cut, a step of no length or a grid, or waits
 * for its next row. False: nothing is done. */
static bool flag_missing(struct series *s, struct channel *channel, size_t c, const struct chunk *chunk,
                         bool plain)
{
    const struct series_settings *settings = s->c.in.settings;
    bool goes_on = settings->gaps < GAPS_LINEAR && settings->max_gap.kind == GAP_UNLIMITED;
    if (!plain || !goes_on || !channel->live || !channel->gap || channel->cut ||
        !chunk_lacks(chunk, block_goal(chunk->block, c)))
        return false;
    double *goal = s->flags.goal + c * s->maxrow;
    for (size_t j = 0; j < chunk->n; j++)
        goal[j] = channel->goal;
    memset(s->flags.own + c * s->maxrow, FLAG_GAP, chunk->n);
    channel->nmissing += chunk->n;
    s->count.gaps += chunk->n;
    return true;
}

void row_flags_prepare(struct series *s, struct group *g, const struct chunk *chunk)
{
    struct row_flags *f = &s->flags;
    const double *T = s->steps.T, *period = s->c.in.rotations->period;
    size_t nnew = chunk->n - chunk->nheld;
    bool cuts = find_cuts(s, g, chunk, nnew), zero_dt = false;
    for (size_t p = chunk->nheld; p < steps_distinct(s, chunk->n); p++)
        zero_dt |= T[p] == 0;
    bool plain = !s->ahead && !chunk->block->grid && !cuts && !zero_dt;
    read_rotations(s, g, chunk);
    s->count.gaps += (s->nchannel - s->busy.n) * nnew;
    for (size_t i = 0; i < s->busy.n; i++) {
        size_t c = s->busy.channel[i];
        const double *value = block_goal(chunk->block, c);
        struct channel *channel = &g->channel[c];
        double *goal = f->goal + c * s->maxrow, *fresh = goal + chunk->nheld;
        unsigned char *flags = f->own + c * s->maxrow;
        bool angle = period[c] > 0, part = rotations_of(s->c.in.rotations, c);
        f->flags[c] = flags;
        f->goal_at[c] = goal;
        f->missing[c] = !angle && !part && flag_missing(s, channel, c, chunk, plain);
        if (f->missing[c])
            continue;
        if (chunk->direct && !angle && !part && !cuts && !zero_dt && channel->live && !channel->gap &&
            !channel->cut && row_flags_finite(value + chunk->first, nnew)) {
            f->flags[c] = NULL;
            f->goal_at[c] = value + chunk->first;
            channel->goal = f->goal_at[c][nnew - 1];
            continue;
        }
        if (chunk->nheld) {
            goal[0] = channel->held_goal;
            flags[0] = channel->held_flags;
            f->turns[c * s->maxrow] = channel->held_turns;
        }
        for (size_t j = 0; j < nnew && !part; j++)
            fresh[j] = value[new_row(chunk, j)];
        if (angle)
            angles_unwrap(&channel->unwrap, period[c], fresh, f->turns + c * s->maxrow + chunk->nheld, nnew);
        flag_channel(s, g, c, chunk, cuts);
    }
    read_velocities(s, g, chunk);
    if (s->ahead)
        look_ahead(s, g, chunk);
}

/* --- idle channels ---
 * A gap that goes on changes nothing of an idle channel but the count of missing values. Where a block tells
 * that a channel has no cell in any row, an idle channel is passed over, so that records that lack the members
 * of a wide first record take no time for what they lack. A channel is idle in a gap when no run of the filter
 * is under way, or when the filter is at rest (chunk.c: at_rest, stands_still). Invariant: states, counts and
 * printed outputs are those of a series that passes no channel over. */

enum { BITS = 64 }; /* channels in a word of group.idle */

bool idle_open(struct series *s, struct error *e)
{
    struct busy *busy = &s->busy;
    if (!arrays_make(e, ARRAY(busy->channel, s->nchannel)))
        return false;
    for (size_t c = 0; c < s->nchannel; c++)
        busy->channel[c] = c;
    busy->n = s->nchannel;
    busy->passes_over = s->c.cells_alone && !s->mode->holds && !s->ahead;
    return true;
}

void idle_close(struct series *s)
{
    free(s->busy.channel);
}

size_t idle_words(const struct series *s)
{
    return s->busy.passes_over ? s->nchannel / BITS + 1 : 0;
}

void idle_choose(struct series *s, struct group *g, const struct block *b)
{
    struct busy *busy = &s->busy;
    const struct present_cells *present = &b->present;
    if (g->nidle == 0 && busy->n == s->nchannel)
        return;
    busy->n = 0;
    for (size_t first = 0; first < s->nchannel; first += BITS) {
        uint64_t *idle = &g->idle[first / BITS];
        if (g->nidle == 0 || !present->known || b->ngoal > 0)
            *idle = 0;
        else
            *idle &= ~present->filled[first / BITS];
        for (size_t i = 0; i < BITS && first + i < s->nchannel && ~*idle >> i; i++)
            if (!(*idle >> i & 1))
                busy->channel[busy->n++] = first + i;
    }
    g->nidle = s->nchannel - busy->n;
}

void idle_find(struct series *s, struct group *g, const struct block *b)
{
    if (!s->busy.passes_over || !b->present.known || b->ngoal > 0)
        return;
    for (size_t i = 0; i < s->busy.n; i++) {
        size_t c = s->busy.channel[i];
        uint64_t *idle = &g->idle[c / BITS], bit = (uint64_t)1 << c % BITS;
        const struct channel *channel = &g->channel[c];
        bool number = s->c.in.rotations->period[c] == 0 && !chunk_apart(s, c);
        bool rests = !channel->live || (s->flags.missing[c] && s->out.rests[c]);
        if (*idle & bit || !number || !channel->gap || !rests || block_may_have(b, c))
            continue;
        *idle |= bit;
        g->nidle++;
    }
}

bool row_flags_open(struct series *s, struct error *e)
{
    struct row_flags *f = &s->flags;
    size_t nchannel = s->nchannel, most = s->mode->holds ? 0 : s->maxrow;
    return arrays_make(e, ARRAY(f->goal, nchannel * most), ARRAY(f->turns, nchannel * most),
                       ARRAY(f->velocity, s->c.in.columns->measured ? nchannel * most : 0),
                       ARRAY(f->velocity_at, nchannel), ARRAY(f->goal_at, nchannel),
                       ARRAY(f->flags, nchannel), ARRAY(f->missing, nchannel), ARRAY(f->own, nchannel * most),
                       ARRAY(f->cut, most));
}

void row_flags_close(struct series *s)
{
    free(s->flags.goal);
}
