/* Goals without holes, and what is special about each row: gaps, first values, cuts, turns of angles. See
 * window.h. */
#include "series/chunk.h"

#include "number/timestamp.h"
#include <math.h>

/* What the time between a channel's last valid sample and row j makes of a gap: is it longer than
 * --max-gap? */
static bool long_gap(const struct series *s, const struct group *g, const struct channel *ch,
                     const struct rows *r, size_t j)
{
    if (isnan(s->c.settings->max_gap))
        return false;
    struct timestamp now = chunk_stamp(s, g, r, j);
    return chunk_elapsed(s, &ch->valid, &now) > s->c.settings->max_gap;
}

/* A missing value in row j of a channel. */
static unsigned mark_gap(struct series *s, const struct group *g, struct channel *ch, const struct rows *r,
                         size_t j)
{
    s->count.gaps++;
    if (!ch->gap && ch->live)
        ch->valid = j ? chunk_stamp(s, g, r, j - 1) : g->last;
    ch->gap = true;
    if (ch->live && (s->c.settings->gaps == GAPS_RESTART || long_gap(s, g, ch, r, j)))
        ch->live = false;
    return ch->live ? FLAG_GAP : FLAG_NO_VALUE;
}

/* A value in row j of a channel that is a first one, or stands after a gap. */
static unsigned mark_value(struct series *s, const struct group *g, struct channel *ch, const struct rows *r,
                           size_t j)
{
    unsigned mark = ch->gap ? FLAG_CUT : 0;
    if (ch->live && ch->gap && long_gap(s, g, ch, r, j))
        ch->live = false;
    if (!ch->live) {
        s->count.restarts += g->begun || j;
        mark = FLAG_START;
    }
    ch->live = true;
    ch->gap = false;
    return mark;
}

/* Is there a column of values that marks cuts? It comes after the channels. */
static bool has_marks(const struct series *s)
{
    return s->c.marked || s->c.columns->cut != COLUMN_NONE;
}

/* The cut column's word on row j. */
static bool column_cuts(const struct series *s, const struct rows *r, size_t j)
{
    if (!has_marks(s))
        return false;
    double v = block_value(r->block, s->nchannel)[rows_at(r, j)];
    return !isnan(v) && v != 0;
}

/* Does a cut time lie after the row before and not after row j? Times count from those of the time column. */
static bool time_cuts(const struct series *s, struct group *g, const struct rows *r, size_t j)
{
    if (g->ncut == s->c.ncut)
        return false;
    struct timestamp now = chunk_stamp(s, g, r, j);
    double t = s->c.rate == 0 ? timestamp_seconds(&now, s->unit) : now.t / s->c.rate;
    bool cut = false;
    for (; g->ncut < s->c.ncut && s->c.cut[g->ncut] <= t; g->ncut++)
        cut = true;
    return cut;
}

/* Which rows of the window lie behind a cut; false: none does. */
static bool take_cuts(struct series *s, struct group *g, const struct rows *r, size_t n)
{
    bool any = false;
    if (!has_marks(s) && g->ncut == s->c.ncut)
        return false;
    for (size_t j = 0; j < n; j++) {
        s->cut[j] = time_cuts(s, g, r, j);
        s->cut[j] |= column_cuts(s, r, j);
        s->count.cuts += s->cut[j];
        any |= s->cut[j];
    }
    return any;
}

/* Goals without holes, and marks, of one channel with something special in the window's n new rows. */
static void mark_channel(struct series *s, struct group *g, size_t c, const struct rows *r, const double *T,
                         bool cuts, double *goal, unsigned char *mark, size_t n)
{
    struct channel *ch = &g->channel[c];
    for (size_t j = 0; j < n; j++) {
        unsigned m = 0;
        if (isnan(goal[j]))
            m = mark_gap(s, g, ch, r, j);
        else if (!ch->live || ch->gap)
            m = T[j] > 0 || !ch->live ? mark_value(s, g, ch, r, j) : FLAG_ZERO_DT;
        if (m & FLAG_GAP || (m & FLAG_ZERO_DT && ch->gap))
            goal[j] = ch->goal;
        if (!(m & (FLAG_START | FLAG_NO_VALUE))) {
            /* A cut on a row of no length is one before the next row that has some. */
            ch->cut |= cuts && s->cut[j];
            m |= T[j] == 0 ? FLAG_ZERO_DT : ch->cut ? FLAG_CUT : 0;
            ch->cut &= T[j] == 0;
        }
        if (m & FLAG_NO_VALUE)
            goal[j] = 0;
        if (!(m & (FLAG_ZERO_DT | FLAG_NO_VALUE)))
            ch->goal = goal[j];
        mark[j] = (unsigned char)m;
    }
}

void row_flags_unwrap(struct channel *ch, double period, double *goal, double *turns, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!isnan(goal[j])) {
            double nearest = ch->wound ? round((ch->angle - goal[j]) / period) : 0;
            goal[j] += nearest * period;
            ch->angle = goal[j];
            ch->turns = nearest;
            ch->wound = true;
        }
        turns[j] = ch->turns;
    }
}

void row_flags_prepare(struct series *s, struct group *g, const struct chunk *w)
{
    const struct rows *r = w->rows;
    size_t nnew = w->n - w->nheld, stride = s->window + 1;
    bool cuts = take_cuts(s, g, r, nnew), hold = false;
    for (size_t p = w->nheld; p < chunk_steps(s, w->n); p++)
        hold |= s->T[p] == 0;
    chunk_read_rotations(s, g, w);
    for (size_t c = 0; c < s->nchannel; c++) {
        const double *value = r->block ? block_value(r->block, c) : NULL;
        struct channel *ch = &g->channel[c];
        double *goal = s->goal + c * stride, *fresh = goal + w->nheld;
        unsigned char *mark = s->mark + c * stride;
        bool angle = s->c.period && s->c.period[c] > 0, part = quaternions_of(s->c.quaternions, c);
        if (w->direct && !angle && !part && !cuts && !hold && ch->live && !ch->gap && !ch->cut &&
            chunk_finite(value + r->first, nnew)) {
            s->goal_at[c] = value + r->first;
            s->special[c] = false;
            ch->goal = nnew ? s->goal_at[c][nnew - 1] : ch->goal;
            continue;
        }
        if (w->nheld) {
            goal[0] = g->held_goal[c];
            mark[0] = g->held_mark[c];
            if (angle)
                s->turns[c * stride] = g->held_turns[c];
        }
        for (size_t j = 0; j < nnew && !part; j++)
            fresh[j] = value[rows_at(r, j)];
        if (angle)
            row_flags_unwrap(ch, s->c.period[c], fresh, s->turns + c * stride + w->nheld, nnew);
        mark_channel(s, g, c, r, s->T + w->nheld, cuts, fresh, mark + w->nheld, nnew);
        s->goal_at[c] = goal;
        s->mark_at[c] = mark;
        s->special[c] = true;
    }
}

/* Says where a cut was found, for --verbose. */
static void report_cut(struct series *s, const struct group *g, const char *name, const struct chunk *w,
                       size_t p)
{
    bool held = p < w->nheld;
    const struct block *b = held ? g->held : w->rows->block;
    if (!s->c.verbose)
        return;
    size_t row = held ? g->held_row : rows_at(w->rows, p - w->nheld);
    double t = b->stamp ? timestamp_seconds(&b->stamp[row], s->unit)
                        : (double)(g->nseen + p - w->nheld) / s->c.rate;
    messages_add(s->c.messages, s->c.file, "cut found at %.6g s in channel \"%s\"", t, name);
}

static bool jumps(struct series *s, struct group *g, size_t c, const struct quaternion *q, size_t p)
{
    struct channel *ch = &g->channel[c];
    const double *goal = s->goal_at[c];
    return q ? chunk_rotation_jumps(s, g, q, p)
             : detect_jump(&ch->detect, s->c.detect, ch->before, s->T[p], goal[p], s->T[p + 1], goal[p + 1]);
}

/* Marks the rows that a jump leads into, by their bends: of channel c, or of the four of a quaternion, whose
 * marks are alike. */
static void detect_cuts(struct series *s, struct group *g, size_t c, const struct quaternion *q,
                        const struct chunk *w)
{
    const size_t *channel = q ? q->channel : &c, n = q ? 4 : 1, stride = s->window + 1;
    const unsigned char *mark = s->mark + channel[0] * stride;
    for (size_t p = 0; p < w->nrun; p++) {
        bool joined = !(mark[p] & (FLAG_START | FLAG_NO_VALUE | FLAG_GAP | FLAG_CUT | FLAG_ZERO_DT)) &&
                      g->channel[channel[0]].bent;
        bool jump = joined && p + 1 < w->n && !(mark[p + 1] & ~FLAG_NO_NEXT) && jumps(s, g, c, q, p);
        if (jump) {
            s->count.cuts++;
            report_cut(s, g, q ? q->name : chunk_column(s, c)->name, w, p);
        }
        for (size_t i = 0; i < n; i++) {
            struct channel *ch = &g->channel[channel[i]];
            s->mark[channel[i] * stride + p] |= jump ? FLAG_CUT : 0;
            s->found[channel[i]] += jump;
            if (!(mark[p] & (FLAG_ZERO_DT | FLAG_NO_VALUE | FLAG_GAP)))
                ch->before = s->goal_at[channel[i]][p];
            ch->bent = !(mark[p] & (FLAG_NO_VALUE | FLAG_GAP));
        }
    }
}

void row_flags_look_ahead(struct series *s, struct group *g, const struct chunk *w)
{
    /* Whether the next row will be found to be a cut is not known yet in all windows: that must not count. */
    for (size_t c = 0; c < s->nchannel; c++) {
        unsigned char *mark = s->mark + c * (s->window + 1);
        for (size_t p = 0; p < w->nrun; p++)
            if (p + 1 == w->n || mark[p + 1])
                mark[p] |= FLAG_NO_NEXT;
    }
    for (size_t c = 0; c < s->nchannel && !isnan(s->c.detect); c++) {
        const struct quaternion *q = quaternions_of(s->c.quaternions, c);
        if (!q || q->channel[0] == c)
            detect_cuts(s, g, c, q, w);
    }
    for (size_t c = 0; c < s->nchannel && w->nrun < w->n; c++) {
        g->held_goal[c] = s->goal_at[c][w->nrun];
        g->held_mark[c] = s->mark[c * (s->window + 1) + w->nrun];
        if (s->c.period)
            g->held_turns[c] = s->turns[c * (s->window + 1) + w->nrun];
    }
    g->held_T = s->T[w->nrun < w->n ? w->nrun : 0];
}
