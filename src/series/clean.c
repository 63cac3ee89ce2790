/* Masks, spikes and gaps, before the first filter. See clean.h.
 *
 * Each channel, rotation or vector of a group goes through the group's rows on its own. A row is judged to be a valid
 * sample, a gap or a spike when the next --despike-window rows are there. A judged row is final unless the
 * row is in a gap that may still be filled. A row of a block is decided when the row is final in all
 * channels. */
#include "series/clean.h"
#include "series/vectors.h"

#include "base/array.h"
#include "series/groups.h"
#include "series/spikes.h"
#include "whole/gap_curve.h"

#include <math.h>
#include <stdlib.h>

/* Tracks that are judged together: of a channel or a rotation one track, of a vector one for each component. */
struct judged {
    struct unit unit; /* all channels of the tracks */
    size_t ntrack;
    size_t track[3]; /* [ntrack] indices into history.track */
};

/* How far a channel or rotation is in the rows of a group. */
struct track {
    const struct unit *unit;
    size_t judged; /* number of rows that are judged */
    size_t final;  /* number of rows whose goals are final; rows from final to judged are a gap and its end */
    size_t valid[3];  /* valid[0], valid[1]: the last valid samples, at different times; valid[2]: the gap's
                         end */
    unsigned nvalid;  /* how many of valid[0] and valid[1] are set */
    bool ended;       /* the gap has ended, and waits for the row after its end */
    bool left;        /* the rows after the last valid sample are not filled */
    size_t spike_end; /* number of the row after the last spike */
    struct spike_samples samples; /* with --despike: of the first of the tracks that are judged together */
};

struct kept_row {
    struct block *block;
    size_t row;
    struct timestamp time;
    double second;  /* the sum of the steps since the first row of the group, seconds */
    size_t instant; /* number of different earlier times in the group */
    size_t run;     /* number of cuts up to the row: rows with the same number may be judged together */
    double value[]; /* [nchannel] values; NaN where missing or masked */
};

/* The kept rows of one group: the rows that are not final, and before these the rows by which they are
 * judged. Rows are numbered within the group. */
struct history {
    size_t first, n;         /* rows [first, n) are kept */
    size_t done;             /* number of rows that are final in all channels */
    struct cuts_passed cuts; /* up to the last row */
    char *row;               /* [max] struct kept_row of `size` bytes each; owned */
    size_t size, max;
    size_t ntrack;        /* number of channels and rotations */
    struct track track[]; /* [ntrack] */
};

struct clean {
    struct series_rows in;
    double factor;             /* --despike K */
    size_t window;             /* rows after a sample that tell spikes; 0: spikes are not looked for */
    struct clean_count *count; /* [nchannel] */
    struct groups groups;      /* extra: struct history */
    struct judged *judged;     /* [njudged] all tracks; in the allocation of this struct */
    size_t njudged;
};

static struct kept_row *row_at(const struct history *h, size_t row)
{
    return (struct kept_row *)(h->row + (row - h->first) * h->size);
}

/* --- opening --- */

static bool fills(const struct series_settings *s)
{
    return s->gaps == GAPS_LINEAR || s->gaps == GAPS_CUBIC;
}

bool clean_wanted(const struct series_settings *settings, const struct despike_settings *despike,
                  const struct columns *columns)
{
    return fills(settings) || !isnan(despike->factor) || columns->nmask > 0;
}

bool clean_check(const struct despike_settings *despike, const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!columns_mask_read(masks->text[i], &mask, e))
            return false;
    return despike->window < 0 || !isnan(despike->factor) ||
           error_usage(e, "--despike-window is for --despike, which is not given");
}

static void free_history(void *extra)
{
    struct history *h = extra;
    for (size_t i = 0; i < h->ntrack; i++)
        spike_samples_free(&h->track[i].samples);
    free(h->row);
}

/* Lists the tracks that are judged together. track_of: [nchannel] room for the track of each channel that is
 * no component of a rotation. */
static void list_judged(struct clean *c, size_t *track_of)
{
    const struct rotations *all = c->in.rotations;
    for (size_t i = 0; i < all->nunit; i++)
        track_of[all->unit[i].channel[0]] = i;
    for (size_t i = 0; i < all->nunit; i++) {
        const struct vector *vector = rotations_vector(all, all->unit[i].channel[0]);
        struct judged *together = &c->judged[c->njudged];
        if (!vector) {
            *together = (struct judged){ .unit = all->unit[i], .ntrack = 1, .track = { i } };
            c->njudged++;
        } else if (vector->unit.channel[0] == all->unit[i].channel[0]) {
            *together = (struct judged){ .unit = vector->unit, .ntrack = vector->unit.nchannel };
            for (size_t k = 0; k < together->ntrack; k++)
                together->track[k] = track_of[vector->unit.channel[k]];
            c->njudged++;
        }
    }
}

struct clean *clean_open(const struct series_rows *in, const struct despike_settings *despike,
                         const struct clean_count **counted, struct error *e)
{
    struct clean *c;
    struct clean_count *count;
    struct judged *judged;
    size_t *track_of, nchannel = in->columns->nchannel;
    if (!arrays_make(e, ARRAY(c, 1), ARRAY(count, nchannel), ARRAY(judged, in->rotations->nunit),
                     ARRAY(track_of, nchannel)))
        return NULL;
    c->judged = judged;
    c->in = *in;
    c->factor = despike->factor;
    c->window = despike_rows(despike);
    *counted = c->count = count;
    c->groups.free_extra = free_history;
    c->groups.forget = isnan(in->settings->forget) ? 0 : in->settings->forget;
    c->groups.nextra = sizeof(struct history) + in->rotations->nunit * sizeof(struct track);
    list_judged(c, track_of);
    return c;
}

void clean_close(struct clean *c)
{
    if (c)
        groups_free(&c->groups);
    free(c);
}

/* --- the rows that are kept --- */

static double seconds(const struct clean *c, const struct history *h, size_t from, size_t to)
{
    return timestamp_between(&row_at(h, from)->time, &row_at(h, to)->time, series_unit(&c->in));
}

/* Makes room for more rows, and drops rows that are no longer needed; the last row is always kept. */
static bool make_room(struct history *h, size_t more, struct error *e)
{
    size_t first = h->done > 0 ? h->done - 1 : 0;
    if (h->n - h->first + more <= h->max)
        return true;
    for (size_t i = 0; i < h->ntrack; i++) {
        const struct track *t = &h->track[i];
        if (t->nvalid && t->valid[0] < first)
            first = t->valid[0];
    }
    if (h->n > first)
        memmove(h->row, row_at(h, first), (h->n - first) * h->size);
    h->first = first;
    return array_reserve(&h->row, (h->n - first + more) * 3 / 2, &h->max, h->size, e);
}

/* Adds row i of a block, whose goals are set. A time that goes backward begins a new run, so that nothing is
 * filled up to this row; the series reports the error. */
static void add_row(const struct clean *c, struct history *h, struct block *b, size_t i)
{
    struct kept_row *row = row_at(h, h->n), *last = h->n ? row_at(h, h->n - 1) : NULL;
    *row = (struct kept_row){ .block = b, .row = i, .time = series_time(&c->in, b, i, h->n) };
    if (last && c->in.columns->form == TIMESTAMP_CLOCK)
        timestamp_pass_midnight(&row->time, &last->time);
    bool cut = series_cut(&c->in, b, i, &row->time, &h->cuts);
    if (last) {
        double T = timestamp_between(&last->time, &row->time, series_unit(&c->in));
        row->run = last->run + (cut || !(T >= 0));
        row->instant = last->instant + (T > 0);
        row->second = last->second + T;
    }
    for (size_t k = 0; k < c->in.columns->nchannel; k++)
        row->value[k] = block_goal(b, k)[i];
    h->n++;
}

/* --- gaps --- */

/* Reads the numbers of a channel or rotation in a row. False: a number is missing. */
static bool numbers_at(const struct history *h, const struct unit *u, size_t row, double x[4])
{
    bool known = true;
    for (size_t k = 0; k < u->nchannel; k++) {
        x[k] = row_at(h, row)->value[u->channel[k]];
        known &= !isnan(x[k]);
    }
    return known;
}

static void set_goals(const struct history *h, const struct unit *u, size_t row, const double x[4])
{
    const struct kept_row *to = row_at(h, row);
    for (size_t k = 0; k < u->nchannel; k++)
        block_goal(to->block, u->channel[k])[to->row] = x[k];
}

/* Is the gap from row a to row b too long to be filled? */
static bool too_long(const struct clean *c, const struct history *h, size_t a, size_t b, size_t nmissing)
{
    return !fills(c->in.settings) ||
           series_long_gap(&c->in, nmissing, &row_at(h, a)->time, &row_at(h, b)->time);
}

/* Adds a valid sample. Of several samples at one time the first counts; samples before a gap that is not
 * filled do not count. */
static void add_sample(const struct history *h, struct track *t, size_t row)
{
    t->final = row + 1;
    t->nvalid = t->left ? 0 : t->nvalid;
    t->left = false;
    if (t->nvalid && row_at(h, row)->instant == row_at(h, t->valid[t->nvalid - 1])->instant)
        return;
    t->valid[0] = t->nvalid ? t->valid[t->nvalid - 1] : row;
    t->valid[1] = row;
    t->nvalid += t->nvalid < 2;
}

/* The curve over the gap before valid[2]. next: the row of the first sample after valid[2]; 0: not known. */
static struct gap_curve make_curve(const struct clean *c, const struct history *h, const struct track *t,
                                   size_t next)
{
    size_t row[] = { t->valid[0], t->valid[t->nvalid - 1], t->valid[2], next ? next : t->valid[2] };
    double x[4], sample[4][4] = { { 0 } }, time[4];
    for (size_t i = 0; i < 4; i++) {
        numbers_at(h, t->unit, row[i], x);
        rotations_target(t->unit->rotation, x, sample[i]);
        time[i] = seconds(c, h, row[1], row[i]);
    }
    bool bent = c->in.settings->gaps != GAPS_LINEAR && time[2] > 0;
    time[0] = bent && t->nvalid == 2 ? time[0] : (double)NAN;
    time[3] = bent && next ? time[3] : (double)NAN;
    return gap_curve_make(rotations_kind(t->unit), sample, time);
}

/* Fills the gap before valid[2]. In a gap that is too long only the spikes (rows that have values) are
 * filled, where both ends of the gap are within the despike window. next: as in make_curve. */
static void bridge(struct clean *c, struct history *h, struct track *t, size_t next)
{
    const struct unit *u = t->unit;
    struct gap_curve curve = make_curve(c, h, t, next);
    size_t a = t->valid[t->nvalid - 1], b = t->valid[2];
    double first[4], x[4], near[4], sample[4];
    numbers_at(h, u, a, first);
    memcpy(x, first, sizeof x);
    t->left |= too_long(c, h, a, b, b - t->final);
    for (size_t row = t->final; row < b; row++) {
        double goal[4];
        bool spike = numbers_at(h, u, row, goal);
        if (t->left && !(spike && row - a <= c->window && b - row <= c->window))
            continue;
        memcpy(near, x, sizeof near);
        bool still = gap_curve_at(&curve, seconds(c, h, a, row), sample);
        rotations_print(u->rotation, still ? first : near, sample, still, x);
        set_goals(h, u, row, x);
        for (size_t k = 0; k < u->nchannel; k++) {
            c->count[u->channel[k]].spikes += spike;
            c->count[u->channel[k]].unbridged -= spike;
            c->count[u->channel[k]].filled += isnan(goal[k]) != 0;
        }
    }
    t->ended = false;
    add_sample(h, t, b);
}

/* Takes a row without a valid sample. The row waits as long as the gap may be filled, or a spike in the gap
 * bridged. */
static void add_missing(const struct clean *c, const struct history *h, struct track *t, size_t row)
{
    size_t last = t->nvalid ? t->valid[t->nvalid - 1] : 0;
    bool spike = t->spike_end > t->final && row + 1 - t->spike_end < c->window;
    if (t->nvalid && (spike || !(t->left || too_long(c, h, last, row, row + 1 - t->final))))
        return;
    t->final = row + 1;
    t->left = true;
    t->nvalid = row - last > c->window ? 0 : t->nvalid;
}

/* Takes a row that has been judged. */
static void fill(struct clean *c, struct history *h, struct track *t, size_t row, bool valid)
{
    const struct kept_row *now = row_at(h, row);
    bool begins = row > 0 && row_at(h, row - 1)->run != now->run;
    if (t->ended)
        bridge(c, h, t, valid && !begins && now->instant > row_at(h, t->valid[2])->instant ? row : 0);
    if (begins) {
        t->final = row;
        t->nvalid = 0;
    }
    if (!valid) {
        add_missing(c, h, t, row);
    } else if (t->final == row) {
        add_sample(h, t, row);
    } else {
        t->valid[2] = row;
        t->ended = true;
        if (c->in.settings->gaps == GAPS_LINEAR)
            bridge(c, h, t, 0);
    }
}

/* --- spikes --- */

/* Keeps the samples of the rows from `first` on. */
static bool keep_samples(const struct clean *c, struct history *h, size_t first, struct error *e)
{
    for (size_t i = 0; i < c->njudged; i++) {
        const struct unit *unit = &c->judged[i].unit;
        struct spike_samples *samples = &h->track[c->judged[i].track[0]].samples;
        if (!spike_samples_reserve(samples, unit, h->n - first, e))
            return false;
        for (size_t row = first; row < h->n; row++) {
            double number[4];
            const struct kept_row *kept = row_at(h, row);
            if (numbers_at(h, unit, row, number))
                spike_samples_add(samples, unit, &(struct spike_place){ row, kept->run, kept->second },
                                  number);
        }
    }
    return true;
}

/* Judges the rows of a channel, rotation or vector for which the whole window is there. end: no more rows come.
 */
static void judge(struct clean *c, struct history *h, const struct judged *together, bool end)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    const struct unit *unit = &together->unit;
    struct track *first = &h->track[together->track[0]];
    while (first->judged < h->n) {
        size_t row = first->judged;
        bool same_run = row_at(h, h->n - 1)->run == row_at(h, row)->run;
        if (!end && same_run && row + c->window >= h->n)
            break;
        double x[4];
        bool valid = numbers_at(h, unit, row, x);
        bool spike = valid && c->window && spike_samples_judge(&first->samples, unit, c->factor, c->window);
        if (spike) {
            set_goals(h, unit, row, gap);
            for (size_t k = 0; k < unit->nchannel; k++)
                c->count[unit->channel[k]].unbridged++;
        }
        for (size_t i = 0; i < together->ntrack; i++) {
            struct track *t = &h->track[together->track[i]];
            t->spike_end = spike ? row + 1 : t->spike_end;
            fill(c, h, t, row, valid && !spike);
            t->judged = row + 1;
        }
    }
    for (size_t i = 0; end && i < together->ntrack; i++)
        if (h->track[together->track[i]].ended)
            bridge(c, h, &h->track[together->track[i]], 0);
}

/* Judges rows of a group in all channels, and counts the rows that are final now. */
static void decide(struct clean *c, struct history *h, bool end)
{
    size_t done = h->n;
    for (size_t i = 0; i < h->ntrack; i++)
        h->track[i].unit = &c->in.rotations->unit[i];
    for (size_t i = 0; i < c->njudged; i++)
        judge(c, h, &c->judged[i], end);
    for (size_t i = 0; i < h->ntrack && !end; i++)
        done = h->track[i].final < done ? h->track[i].final : done;
    for (; h->done < done; h->done++)
        row_at(h, h->done)->block->pending--;
}

/* --- blocks --- */

/* Masked values become missing goals. */
static void mask(struct clean *c, const struct block *b)
{
    const struct columns *t = c->in.columns;
    for (size_t i = 0; i < t->nmask; i++) {
        size_t channel = t->column[t->mask[i].column].value;
        const double *value = block_value(b, t->column[t->mask[i].teller].value);
        double *goal = block_goal(b, channel);
        for (size_t j = 0; j < b->nrow; j++)
            if (columns_masks(&t->mask[i], value[j])) {
                c->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
}

/* No more rows of a group come. */
static void end_group(void *state, struct group *g)
{
    decide(state, g->extra, true);
}

struct block *clean_take(void *closure, struct block *b)
{
    struct clean *c = closure;
    bool good = groups_sort(&c->groups, &c->in, b, &b->error);
    b->pending = b->nrow;
    mask(c, b);
    vectors_complete(c->in.rotations, b, true);
    for (size_t i = 0; good && i < c->groups.ntouched; i++) {
        const struct group *g = c->groups.touched[i];
        struct history *h = g->extra;
        h->size = sizeof(struct kept_row) + c->in.columns->nchannel * sizeof(double);
        h->ntrack = c->in.rotations->nunit;
        good = make_room(h, g->nrow, &b->error);
        size_t first = h->n;
        for (size_t k = 0; good && k < g->nrow; k++)
            add_row(c, h, b, groups_rows(&c->groups, g)[k]);
        good = good && (c->window == 0 || keep_samples(c, h, first, &b->error));
        if (good)
            decide(c, h, false);
    }
    if (!good) {
        b->nrow = 0;
        return b;
    }
    groups_release(&c->groups, &c->in, end_group, c);
    return NULL;
}

struct block *clean_finish(void *closure)
{
    struct clean *c = closure;
    for (struct group *g = c->groups.first; g; g = g->after)
        decide(c, g->extra, true);
    return NULL;
}
